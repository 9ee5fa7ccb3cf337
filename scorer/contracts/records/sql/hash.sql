-- Hash of one block.
SELECT block_hash AS hash FROM blocks_all WHERE network = {network:String} AND block_number = {height:UInt32} LIMIT 1
