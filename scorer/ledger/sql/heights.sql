-- State of both tiers: the watermark, if the network has one, and number and time (Unix seconds) of the newest block of each tier.
SELECT 'mark' AS what, version, state, settled AS number, 0 AS time
FROM watermarks WHERE network = {network:String} ORDER BY version DESC LIMIT 1
UNION ALL
SELECT 'hot' AS what, 0 AS version, '' AS state, block_number AS number, toUnixTimestamp(block_time) AS time
FROM blocks_hot FINAL WHERE network = {network:String} ORDER BY block_number DESC LIMIT 1
UNION ALL
SELECT 'final' AS what, 0 AS version, '' AS state, block_number AS number, toUnixTimestamp(block_time) AS time
FROM blocks WHERE network = {network:String} ORDER BY block_number DESC LIMIT 1
