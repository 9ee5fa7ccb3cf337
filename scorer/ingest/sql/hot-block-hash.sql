SELECT block_hash FROM blocks_hot FINAL WHERE network = {network:String} AND block_number = {number:UInt32}
