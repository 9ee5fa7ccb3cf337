-- Which coins a pool holds is what its registered factory says, whoever else announced it.

CREATE OR REPLACE VIEW dex_trades ${on_cluster} (
  blockchain String COMMENT 'Network code, as in table networks',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  block_hour DateTime('UTC') COMMENT 'Beginning of the hour of the block',
  block_number UInt32 COMMENT 'Height of the block',
  tx_hash String COMMENT 'Hash of the transaction',
  tx_from String COMMENT 'Sender of the transaction',
  position UInt64 COMMENT 'Sortable position in the network',
  project String COMMENT 'Exchange, where the registry knows the factory of the pool; else empty',
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
  SELECT toString(s.network) AS network, s.block_time AS block_time, toStartOfHour(s.block_time) AS block_hour,
    s.block_number AS block_number, s.tx_hash AS tx_hash, s.initiator AS initiator, s.position AS position, s.pool AS pool,
    p.pool != '' AS known, p.project AS project, p.kind AS version, (s.amount0 > 0 OR s.amount1 < 0) AS sold0,
    p.token0 AS token0, if(p.token0 = '', n.native_symbol, t0.symbol) AS symbol0,
    toUInt256(abs(s.amount0)) AS raw0, toFloat64(raw0) / pow(10, if(p.token0 = '', toNullable(toInt16(n.native_decimals)), if(t0.token = '', NULL, t0.decimals))) AS whole0,
    p.token1 AS token1, if(p.token1 = '', n.native_symbol, t1.symbol) AS symbol1,
    toUInt256(abs(s.amount1)) AS raw1, toFloat64(raw1) / pow(10, if(p.token1 = '', toNullable(toInt16(n.native_decimals)), if(t1.token = '', NULL, t1.decimals))) AS whole1,
    multiIf(a0.stable = 1, 3, p.token0 = '' OR a0.wrapped = 1, 2, a0.address != '', 1, 0) >= multiIf(a1.stable = 1, 3, p.token1 = '' OR a1.wrapped = 1, 2, a1.address != '', 1, 0) AS values0,
    if(known, if(values0, p.token0, p.token1), 'unknown') AS valued, if(values0, whole0, whole1) AS valued_amount
  FROM swaps_all AS s
  LEFT JOIN (
    SELECT t.network AS network, t.pool AS pool, t.told.1 AS token0, t.told.2 AS token1, t.told.3 AS kind, t.told.4 AS project
    FROM (
      SELECT q.network AS network, q.pool AS pool,
        argMin((q.token0, q.token1, toString(q.kind), f.name), (f.address = '', q.position)) AS told
      FROM pools_all AS q
      LEFT JOIN (SELECT network, address, name FROM registered_factories FINAL WHERE registered = 1) AS f ON f.network = q.network AND f.address = q.factory
      GROUP BY q.network, q.pool
    ) AS t
  ) AS p ON p.network = s.network AND p.pool = s.pool
  LEFT JOIN (SELECT network, native_symbol, native_decimals FROM networks FINAL) AS n ON n.network = s.network
  LEFT JOIN tokens_current AS t0 ON t0.network = s.network AND t0.token = p.token0
  LEFT JOIN (SELECT network, address, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS a0 ON a0.network = s.network AND a0.address = p.token0
  LEFT JOIN tokens_current AS t1 ON t1.network = s.network AND t1.token = p.token1
  LEFT JOIN (SELECT network, address, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS a1 ON a1.network = s.network AND a1.address = p.token1
) AS x
LEFT JOIN prices AS u ON u.network = x.network AND u.asset = x.valued AND u.hour = x.block_hour
COMMENT 'Swaps as trades, one row each, with the column names of Dune. Amounts of tokens whose pool or decimals are unknown are NULL. Fast by blockchain and a range of block_hour, faster with project_contract_address (the pool)';
