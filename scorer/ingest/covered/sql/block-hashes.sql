SELECT block_number, block_hash
FROM blocks
WHERE network = {network:String} AND block_number IN {numbers:Array(UInt32)}
