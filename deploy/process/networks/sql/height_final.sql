SELECT
    block_number AS height,
    toUnixTimestamp(block_time) AS time
FROM blocks
WHERE network = {network:String}
ORDER BY block_number DESC
LIMIT 1
