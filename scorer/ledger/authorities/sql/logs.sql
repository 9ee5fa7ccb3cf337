-- How far each authority's log was read, and the first covered block of each network (a row without an authority).
SELECT network, authority, since, from_block, to_block, reason, target, left_seconds AS left, 0 AS first
FROM authority_logs FINAL
WHERE network IN {networks:Array(String)}
UNION ALL
SELECT network, '' AS authority, 0 AS since, 0 AS from_block, 0 AS to_block, '' AS reason, 0 AS target, 0 AS left,
  min(b.block_number) AS first
FROM first_blocks AS b
WHERE network IN {networks:Array(String)}
GROUP BY network
