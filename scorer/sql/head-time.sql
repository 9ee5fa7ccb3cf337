-- Time of the newest complete block.
SELECT toUnixTimestamp(max(block_time)) AS time
FROM blocks_all
WHERE network = {network:String} AND block_number <= {head:UInt32} AND block_number + 64 >= {head:UInt32}
