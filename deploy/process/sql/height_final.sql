SELECT block_number AS height
FROM blocks
WHERE network = {network:String}
ORDER BY block_number DESC
LIMIT 1
