-- pool_state: what every pool got, gave and traded.

CREATE TABLE pool_state ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  pool String COMMENT 'Pool contract or id',
  kind SimpleAggregateFunction(max, String) COMMENT 'v2, v3, v4 or solidly; empty when the creation was not seen',
  token0 SimpleAggregateFunction(max, String) COMMENT 'First token',
  token1 SimpleAggregateFunction(max, String) COMMENT 'Second token',
  created_at SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time the pool was announced',
  adds SimpleAggregateFunction(sum, UInt64) COMMENT 'Liquidity additions',
  removes SimpleAggregateFunction(sum, UInt64) COMMENT 'Liquidity removals',
  added0 SimpleAggregateFunction(sum, Int256) COMMENT 'First token added, base units',
  added1 SimpleAggregateFunction(sum, Int256) COMMENT 'Second token added, base units',
  removed0 SimpleAggregateFunction(sum, Int256) COMMENT 'First token removed, base units',
  removed1 SimpleAggregateFunction(sum, Int256) COMMENT 'Second token removed, base units',
  swaps SimpleAggregateFunction(sum, UInt64) COMMENT 'Swaps',
  swapped0 SimpleAggregateFunction(sum, Int256) COMMENT 'First token that came in by swaps less what went out, base units',
  swapped1 SimpleAggregateFunction(sum, Int256) COMMENT 'Second token that came in by swaps less what went out, base units',
  last_seen SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last event'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (network, pool)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Liquidity and trades of each pool. Reserves of V2 designs are added - removed + swapped';

CREATE MATERIALIZED VIEW pool_state_from_pools ${on_cluster} TO pool_state AS
SELECT network, pool, max(toString(kind)) AS kind, max(token0) AS token0, max(token1) AS token1,
  min(toNullable(block_time)) AS created_at, toUInt64(0) AS adds, toUInt64(0) AS removes,
  toInt256(0) AS added0, toInt256(0) AS added1, toInt256(0) AS removed0, toInt256(0) AS removed1,
  toUInt64(0) AS swaps, toInt256(0) AS swapped0, toInt256(0) AS swapped1, max(toNullable(block_time)) AS last_seen
FROM pools
WHERE pool != ''
GROUP BY network, pool;

CREATE MATERIALIZED VIEW pool_state_from_liquidity ${on_cluster} TO pool_state AS
SELECT network, pool, '' AS kind, '' AS token0, '' AS token1,
  CAST(NULL AS Nullable(DateTime('UTC'))) AS created_at, countIf(event = 'add') AS adds, countIf(event = 'remove') AS removes,
  sumIf(amount0, event = 'add') AS added0, sumIf(amount1, event = 'add') AS added1,
  sumIf(if(amount0 < 0, -amount0, amount0), event = 'remove') AS removed0, sumIf(if(amount1 < 0, -amount1, amount1), event = 'remove') AS removed1,
  toUInt64(0) AS swaps, toInt256(0) AS swapped0, toInt256(0) AS swapped1, max(toNullable(block_time)) AS last_seen
FROM liquidity
WHERE pool != ''
GROUP BY network, pool;

CREATE MATERIALIZED VIEW pool_state_from_swaps ${on_cluster} TO pool_state AS
SELECT network, pool, '' AS kind, '' AS token0, '' AS token1,
  CAST(NULL AS Nullable(DateTime('UTC'))) AS created_at, toUInt64(0) AS adds, toUInt64(0) AS removes,
  toInt256(0) AS added0, toInt256(0) AS added1, toInt256(0) AS removed0, toInt256(0) AS removed1,
  count() AS swaps, sum(amount0) AS swapped0, sum(amount1) AS swapped1, max(toNullable(block_time)) AS last_seen
FROM swaps
WHERE pool != ''
GROUP BY network, pool;

CREATE VIEW pool_state_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, pool, max(toString(kind)) AS kind, max(token0) AS token0, max(token1) AS token1,
  min(toNullable(block_time)) AS created_at, toUInt64(0) AS adds, toUInt64(0) AS removes,
  toInt256(0) AS added0, toInt256(0) AS added1, toInt256(0) AS removed0, toInt256(0) AS removed1,
  toUInt64(0) AS swaps, toInt256(0) AS swapped0, toInt256(0) AS swapped1, max(toNullable(block_time)) AS last_seen
FROM pools_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND pool != ''
GROUP BY network, pool
UNION ALL
SELECT network, pool, '' AS kind, '' AS token0, '' AS token1,
  CAST(NULL AS Nullable(DateTime('UTC'))) AS created_at, countIf(event = 'add') AS adds, countIf(event = 'remove') AS removes,
  sumIf(amount0, event = 'add') AS added0, sumIf(amount1, event = 'add') AS added1,
  sumIf(if(amount0 < 0, -amount0, amount0), event = 'remove') AS removed0, sumIf(if(amount1 < 0, -amount1, amount1), event = 'remove') AS removed1,
  toUInt64(0) AS swaps, toInt256(0) AS swapped0, toInt256(0) AS swapped1, max(toNullable(block_time)) AS last_seen
FROM liquidity_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND pool != ''
GROUP BY network, pool
UNION ALL
SELECT network, pool, '' AS kind, '' AS token0, '' AS token1,
  CAST(NULL AS Nullable(DateTime('UTC'))) AS created_at, toUInt64(0) AS adds, toUInt64(0) AS removes,
  toInt256(0) AS added0, toInt256(0) AS added1, toInt256(0) AS removed0, toInt256(0) AS removed1,
  count() AS swaps, sum(amount0) AS swapped0, sum(amount1) AS swapped1, max(toNullable(block_time)) AS last_seen
FROM swaps_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND pool != ''
GROUP BY network, pool
COMMENT 'States of hot rows above the watermark, in the shape of pool_state';

CREATE VIEW pool_state_all ${on_cluster} AS
SELECT s.network AS network, s.pool AS pool,
  max(s.kind) AS kind,
  max(s.token0) AS token0,
  max(s.token1) AS token1,
  min(s.created_at) AS created_at,
  sum(s.adds) AS adds,
  sum(s.removes) AS removes,
  sum(s.added0) AS added0,
  sum(s.added1) AS added1,
  sum(s.removed0) AS removed0,
  sum(s.removed1) AS removed1,
  sum(s.swaps) AS swaps,
  sum(s.swapped0) AS swapped0,
  sum(s.swapped1) AS swapped1,
  max(s.last_seen) AS last_seen
FROM (
  SELECT network, pool, kind, token0, token1, created_at, adds, removes, added0, added1, removed0, removed1, swaps, swapped0, swapped1, last_seen
  FROM pool_state
  UNION ALL
  SELECT network, pool, kind, token0, token1, created_at, adds, removes, added0, added1, removed0, removed1, swaps, swapped0, swapped1, last_seen
  FROM pool_state_hot
) AS s
GROUP BY s.network, s.pool
COMMENT 'Liquidity and trades of each pool, final and hot merged';
