-- Hot blocks a reader counts.
SELECT block_number, block_hash, parent_hash
FROM blocks_hot FINAL
WHERE network = {network:String} AND block_number > {settled:UInt32} AND block_number <= {head:UInt32}
