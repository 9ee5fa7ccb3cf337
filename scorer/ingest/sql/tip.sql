-- The highest hot block, or the block at the watermark if none is hot.
SELECT block_number, block_hash
FROM (
  SELECT block_number, block_hash FROM blocks_hot FINAL WHERE network = {network:String} AND block_number > {settled:UInt32}
  UNION ALL
  SELECT block_number, block_hash FROM blocks WHERE network = {network:String} AND block_number = {settled:UInt32}
)
ORDER BY block_number DESC
LIMIT 1
