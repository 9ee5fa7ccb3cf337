-- The highest block the head topic has brought, or the block at the watermark where nothing is hot.
SELECT block_number, block_hash
FROM (
  SELECT block_number, block_hash FROM blocks_hot FINAL WHERE network = {network:String} AND block_number > {settled:UInt32}
  UNION ALL
  SELECT block_number, block_hash FROM blocks WHERE network = {network:String} AND block_number = {settled:UInt32}
)
ORDER BY block_number DESC
LIMIT 1
