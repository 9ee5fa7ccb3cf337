-- Final blocks a reader counts.
SELECT block_number, block_hash, parent_hash FROM blocks WHERE network = {network:String} AND block_number <= {settled:UInt32}
