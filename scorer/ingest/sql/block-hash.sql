-- The block at a height, of whichever tier holds it.
SELECT block_hash FROM blocks_hot FINAL WHERE network = {network:String} AND block_number = {number:UInt32}
UNION ALL
SELECT block_hash FROM blocks WHERE network = {network:String} AND block_number = {number:UInt32}
LIMIT 1
