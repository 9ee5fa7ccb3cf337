SELECT
    max(block_number) AS height,
    toUnixTimestamp(max(block_time)) AS time
FROM blocks_hot
WHERE network = {network:String}
