-- Time of one block, of which the final tables may not know yet.
SELECT toUnixTimestamp(block_time) AS time
FROM blocks_all
WHERE network = {network:String} AND block_number = {block:UInt64}
LIMIT 1
