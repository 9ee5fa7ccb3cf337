-- Swaps of vaults whose pools hold any number of tokens state theirs, and why pools of a token may be missing has a column.

ALTER TABLE wallet_pasts ${on_cluster}
  ADD COLUMN pools_why String COMMENT 'Of a token: why pools that exchanges announced with it may be missing; empty where none is, and where they were not looked for (sources has no factories)' AFTER why;

ALTER TABLE swaps ${on_cluster}
  COMMENT COLUMN pool 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool',
  COMMENT COLUMN factory 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools';

ALTER TABLE swaps_hot ${on_cluster}
  COMMENT COLUMN pool 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool',
  COMMENT COLUMN factory 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools';

ALTER TABLE swaps_past ${on_cluster}
  COMMENT COLUMN pool 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool',
  COMMENT COLUMN factory 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools';

ALTER TABLE swaps_all ${on_cluster}
  COMMENT COLUMN pool 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool',
  COMMENT COLUMN factory 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools';

ALTER TABLE swaps_whole ${on_cluster}
  COMMENT COLUMN pool 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool',
  COMMENT COLUMN factory 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools';

ALTER TABLE wallet_swaps ${on_cluster} COMMENT COLUMN factory 'Program or vault of the pool, where the swap itself names its tokens (SOLANA, Balancer); empty elsewhere: see pools';

ALTER TABLE wallet_swaps_all ${on_cluster} COMMENT COLUMN factory 'Program or vault of the pool, where the swap itself names its tokens (SOLANA, Balancer); empty elsewhere: see pools';

ALTER TABLE wallet_swaps_whole ${on_cluster} COMMENT COLUMN factory 'Program or vault of the pool, where the swap itself names its tokens (SOLANA, Balancer); empty elsewhere: see pools';

-- In a vault such a swap names two tokens of any number: the pool is of those that were announced.
ALTER TABLE pool_state_from_swaps ${on_cluster} MODIFY QUERY
SELECT network, pool,
  '' AS kind,
  maxIf(a.token0, NOT startsWith(a.factory, '0x')) AS token0,
  maxIf(a.token1, NOT startsWith(a.factory, '0x')) AS token1,
  CAST(NULL AS Nullable(DateTime('UTC'))) AS created_at,
  toUInt64(0) AS adds,
  toUInt64(0) AS removes,
  toInt256(0) AS added0,
  toInt256(0) AS added1,
  toInt256(0) AS removed0,
  toInt256(0) AS removed1,
  count() AS swaps,
  sum(amount0) AS swapped0,
  sum(amount1) AS swapped1,
  max(toNullable(block_time)) AS last_seen
FROM swaps AS a
WHERE pool != ''
GROUP BY network, pool;

CREATE OR REPLACE VIEW pool_state_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code, as in table networks',
  pool String COMMENT 'Pool contract or id',
  kind String COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when the creation was not seen',
  token0 String COMMENT 'First token',
  token1 String COMMENT 'Second token',
  created_at Nullable(DateTime('UTC')) COMMENT 'Time the pool was announced',
  adds UInt64 COMMENT 'Liquidity additions',
  removes UInt64 COMMENT 'Liquidity removals',
  added0 Int256 COMMENT 'First token added, base units',
  added1 Int256 COMMENT 'Second token added, base units',
  removed0 Int256 COMMENT 'First token removed, base units',
  removed1 Int256 COMMENT 'Second token removed, base units',
  swaps UInt64 COMMENT 'Swaps',
  swapped0 Int256 COMMENT 'First token that came in by swaps less what went out, base units',
  swapped1 Int256 COMMENT 'Second token that came in by swaps less what went out, base units',
  last_seen Nullable(DateTime('UTC')) COMMENT 'Time of the last event'
) AS
WITH
  (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, pool,
  max(toString(a.kind)) AS kind,
  max(a.token0) AS token0,
  max(a.token1) AS token1,
  min(toNullable(block_time)) AS created_at,
  toUInt64(0) AS adds,
  toUInt64(0) AS removes,
  toInt256(0) AS added0,
  toInt256(0) AS added1,
  toInt256(0) AS removed0,
  toInt256(0) AS removed1,
  toUInt64(0) AS swaps,
  toInt256(0) AS swapped0,
  toInt256(0) AS swapped1,
  max(toNullable(block_time)) AS last_seen
FROM pools_hot AS a FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND pool != ''
GROUP BY network, pool
UNION ALL
WITH
  (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, pool,
  '' AS kind,
  '' AS token0,
  '' AS token1,
  CAST(NULL AS Nullable(DateTime('UTC'))) AS created_at,
  countIf(event = 'add') AS adds,
  countIf(event = 'remove') AS removes,
  sumIf(amount0, event = 'add') AS added0,
  sumIf(amount1, event = 'add') AS added1,
  sumIf(if(amount0 < 0, -amount0, amount0), event = 'remove') AS removed0,
  sumIf(if(amount1 < 0, -amount1, amount1), event = 'remove') AS removed1,
  toUInt64(0) AS swaps,
  toInt256(0) AS swapped0,
  toInt256(0) AS swapped1,
  max(toNullable(block_time)) AS last_seen
FROM liquidity_hot AS a FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND pool != ''
GROUP BY network, pool
UNION ALL
WITH
  (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, pool,
  '' AS kind,
  maxIf(a.token0, NOT startsWith(a.factory, '0x')) AS token0,
  maxIf(a.token1, NOT startsWith(a.factory, '0x')) AS token1,
  CAST(NULL AS Nullable(DateTime('UTC'))) AS created_at,
  toUInt64(0) AS adds,
  toUInt64(0) AS removes,
  toInt256(0) AS added0,
  toInt256(0) AS added1,
  toInt256(0) AS removed0,
  toInt256(0) AS removed1,
  count() AS swaps,
  sum(amount0) AS swapped0,
  sum(amount1) AS swapped1,
  max(toNullable(block_time)) AS last_seen
FROM swaps_hot AS a FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND pool != ''
GROUP BY network, pool
COMMENT 'States of hot rows above the watermark, in the shape of pool_state';

CREATE OR REPLACE VIEW dex_trades ${on_cluster} (
  blockchain String COMMENT 'Network code, as in table networks',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  block_hour DateTime('UTC') COMMENT 'Beginning of the hour of the block',
  block_number UInt32 COMMENT 'Height of the block',
  tx_hash String COMMENT 'Hash of the transaction',
  tx_from String COMMENT 'Sender of the transaction',
  position UInt64 COMMENT 'Sortable position in the network',
  project String COMMENT 'Exchange, where the registry knows the factory or program of the pool; else empty',
  version LowCardinality(String) COMMENT 'Design of the pool: v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when unknown',
  project_contract_address String COMMENT 'Pool contract, or the pool id of singleton designs',
  taker String COMMENT 'Sender of the transaction',
  token_bought_address Nullable(String) COMMENT 'Token that came out of the pool; empty for the native coin, NULL when unknown',
  token_sold_address Nullable(String) COMMENT 'Token that went into the pool; empty for the native coin, NULL when unknown',
  token_bought_symbol Nullable(String) COMMENT 'Symbol of the token bought, as stated',
  token_sold_symbol Nullable(String) COMMENT 'Symbol of the token sold, as stated',
  token_bought_amount Nullable(Float64) COMMENT 'Whole tokens bought',
  token_sold_amount Nullable(Float64) COMMENT 'Whole tokens sold',
  token_bought_amount_raw UInt256 COMMENT 'Base units bought',
  token_sold_amount_raw UInt256 COMMENT 'Base units sold',
  amount_usd Nullable(Float64) COMMENT 'US dollars of the side that is easier to value, at the price of that hour; NULL where neither side has a price'
) AS
SELECT x.network AS blockchain, x.block_time AS block_time, x.block_hour AS block_hour, x.block_number AS block_number,
  x.tx_hash AS tx_hash, x.initiator AS tx_from, x.position AS position,
  x.project AS project, x.version AS version, x.pool AS project_contract_address, x.initiator AS taker,
  if(x.known, if(x.sold0, x.token1, x.token0), NULL) AS token_bought_address,
  if(x.known, if(x.sold0, x.token0, x.token1), NULL) AS token_sold_address,
  if(x.known, if(x.sold0, x.symbol1, x.symbol0), NULL) AS token_bought_symbol,
  if(x.known, if(x.sold0, x.symbol0, x.symbol1), NULL) AS token_sold_symbol,
  if(x.known, if(x.sold0, x.whole1, x.whole0), NULL) AS token_bought_amount,
  if(x.known, if(x.sold0, x.whole0, x.whole1), NULL) AS token_sold_amount,
  if(x.sold0, x.raw1, x.raw0) AS token_bought_amount_raw,
  if(x.sold0, x.raw0, x.raw1) AS token_sold_amount_raw,
  if(u.network = '', NULL, x.valued_amount * u.price_usd) AS amount_usd
FROM (
  SELECT s.network AS network, s.block_time AS block_time, s.block_hour AS block_hour,
    s.block_number AS block_number, s.tx_hash AS tx_hash, s.initiator AS initiator, s.position AS position, s.pool AS pool,
    s.known AS known, s.project AS project, s.kind AS version, (s.amount0 > 0 OR s.amount1 < 0) AS sold0,
    s.token0 AS token0, multiIf(s.token0 = '', n.native_symbol, t0.token != '', t0.symbol, a0.symbol) AS symbol0,
    toUInt256(abs(s.amount0)) AS raw0, toFloat64(raw0) / pow(10, multiIf(s.token0 = '', toNullable(toInt16(n.native_decimals)), t0.token != '', toNullable(t0.decimals),
      a0.address != '', toNullable(toInt16(a0.decimals)), NULL)) AS whole0,
    s.token1 AS token1, multiIf(s.token1 = '', n.native_symbol, t1.token != '', t1.symbol, a1.symbol) AS symbol1,
    toUInt256(abs(s.amount1)) AS raw1, toFloat64(raw1) / pow(10, multiIf(s.token1 = '', toNullable(toInt16(n.native_decimals)), t1.token != '', toNullable(t1.decimals),
      a1.address != '', toNullable(toInt16(a1.decimals)), NULL)) AS whole1,
    multiIf(a0.stable = 1, 3, s.token0 = '' OR a0.wrapped = 1, 2, a0.address != '', 1, 0) >= multiIf(a1.stable = 1, 3, s.token1 = '' OR a1.wrapped = 1, 2, a1.address != '', 1, 0) AS values0,
    if(known, if(values0, s.token0, s.token1), 'unknown') AS valued, if(values0, whole0, whole1) AS valued_amount
  FROM (
    SELECT toString(w.network) AS network, w.block_time AS block_time, toStartOfHour(w.block_time) AS block_hour,
      w.block_number AS block_number, w.tx_hash AS tx_hash, w.initiator AS initiator, w.position AS position, w.pool AS pool,
      w.amount0 AS amount0, w.amount1 AS amount1, w.factory != '' AS stated, stated OR p.pool != '' AS known,
      if(stated, f.name, p.project) AS project, if(stated, f.kind, toString(p.kind)) AS kind,
      if(stated, w.token0, p.token0) AS token0, if(stated, w.token1, p.token1) AS token1
    FROM swaps_all AS w
    LEFT JOIN (
      SELECT t.network AS network, t.pool AS pool, t.told.1 AS token0, t.told.2 AS token1, t.told.3 AS kind, t.told.4 AS project
      FROM (
        SELECT q.network AS network, q.pool AS pool,
          argMin((q.token0, q.token1, toString(q.kind), f.name), (f.address = '', q.position)) AS told
        FROM pools_all AS q
        LEFT JOIN (SELECT network, address, name FROM registered_factories FINAL WHERE registered = 1) AS f ON f.network = q.network AND f.address = q.factory
        GROUP BY q.network, q.pool
      ) AS t
    ) AS p ON p.network = w.network AND p.pool = w.pool
    LEFT JOIN (SELECT network, address, name, kind FROM registered_factories FINAL WHERE registered = 1) AS f ON f.network = w.network AND f.address = w.factory
  ) AS s
  LEFT JOIN (SELECT network, native_symbol, native_decimals FROM networks FINAL) AS n ON n.network = s.network
  LEFT JOIN tokens_current AS t0 ON t0.network = s.network AND t0.token = s.token0
  LEFT JOIN (SELECT network, address, symbol, decimals, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS a0 ON a0.network = s.network AND a0.address = s.token0
  LEFT JOIN tokens_current AS t1 ON t1.network = s.network AND t1.token = s.token1
  LEFT JOIN (SELECT network, address, symbol, decimals, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS a1 ON a1.network = s.network AND a1.address = s.token1
) AS x
LEFT JOIN prices AS u ON u.network = x.network AND u.asset = x.valued AND u.hour = x.block_hour
COMMENT 'Swaps as trades, one row each, with the column names of Dune. Amounts of tokens whose pool or decimals are unknown are NULL. Fast by blockchain and a range of block_hour, faster with project_contract_address (the pool)';
