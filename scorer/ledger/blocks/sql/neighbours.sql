-- The stored blocks directly below and above a range.
SELECT block_number AS number, any(block_hash) AS hash, any(parent_hash) AS parent
FROM blocks_all
WHERE network = {network:String} AND block_number IN ({below:Int64}, {above:Int64})
GROUP BY block_number
