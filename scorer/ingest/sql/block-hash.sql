-- Hash of the block at a height, in either tier.
SELECT block_hash FROM blocks_hot FINAL WHERE network = {network:String} AND block_number = {number:UInt32}
UNION ALL
SELECT block_hash FROM blocks WHERE network = {network:String} AND block_number = {number:UInt32}
LIMIT 1
