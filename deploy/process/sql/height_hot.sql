SELECT max(block_number) AS height
FROM blocks_hot
WHERE network = {network:String}
