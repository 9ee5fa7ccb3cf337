SELECT count() AS rows
FROM {table:Identifier}
WHERE network = {network:String} AND block_number IN {blocks:Array(UInt32)}
