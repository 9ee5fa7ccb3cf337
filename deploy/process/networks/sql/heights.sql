-- First covered block of each network, and the highest one in the hot tables.
SELECT network, 'first' AS kind, block_number AS height, toUInt32(0) AS time
FROM first_covered_blocks
UNION ALL
SELECT network, 'hot' AS kind, max(block_number) AS height, toUnixTimestamp(max(block_time)) AS time
FROM blocks_hot
WHERE network IN {networks:Array(String)}
GROUP BY network
