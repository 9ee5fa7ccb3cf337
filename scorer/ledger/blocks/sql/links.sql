-- Final blocks of a range with their parents and the number of copies.
SELECT block_number AS number, any(block_hash) AS hash, any(parent_hash) AS parent, max(sees_traces) AS traces,
  uniqExact(block_hash) AS hashes, count() AS copies
FROM blocks
WHERE network = {network:String} AND block_number BETWEEN {from:Int64} AND {to:Int64}
GROUP BY block_number
ORDER BY block_number
