SELECT count() AS rows
FROM {hot:Identifier} FINAL
WHERE network = {network:String} AND block_number IN {blocks:Array(UInt32)}
