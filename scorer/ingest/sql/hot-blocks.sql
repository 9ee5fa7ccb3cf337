SELECT block_number AS number, block_hash AS hash, parent_hash AS parentHash, sees_traces AS traces
FROM blocks_hot FINAL
WHERE network = {network:String} AND block_number BETWEEN {first:UInt32} AND {last:UInt32}
ORDER BY block_number
