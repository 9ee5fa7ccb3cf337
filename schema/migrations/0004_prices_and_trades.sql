-- What the tables know of prices, movements and swaps with their value, and the coins and exchanges of the registry.

CREATE TABLE registered_assets ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code, as in table networks',
  address String COMMENT 'Token contract',
  symbol String COMMENT 'Symbol of the genuine token',
  decimals UInt8 COMMENT 'Decimal places',
  stable UInt8 COMMENT '1 when it is pegged to the US dollar: its price is one dollar by definition',
  wrapped UInt8 COMMENT '1 when it is the wrapped native coin',
  registered UInt8 COMMENT '0 when a later version of Assay took it out of the registry',
  version UInt64 COMMENT 'Milliseconds since the epoch when the row was written; the newest counts'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY (network, address)
COMMENT 'Coins of the registry: those that can have a price. Written at every start. Read through prices';

CREATE TABLE registered_factories ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code, as in table networks',
  address String COMMENT 'Factory or singleton that announces pools',
  name String COMMENT 'Exchange',
  kind LowCardinality(String) COMMENT 'v2, v3, v4 or solidly',
  registered UInt8 COMMENT '0 when a later version of Assay took it out of the registry',
  version UInt64 COMMENT 'Milliseconds since the epoch when the row was written; the newest counts'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY (network, address)
COMMENT 'Exchanges of the registry, by the contract that announces their pools. Written at every start. Read through dex_trades';

CREATE VIEW prices ${on_cluster} (
  network String COMMENT 'Network code, as in table networks',
  asset String COMMENT 'Token contract; empty for the native coin',
  symbol String COMMENT 'Symbol of the coin in the registry',
  hour DateTime('UTC') COMMENT 'Beginning of the hour',
  price_usd Float64 COMMENT 'US dollars of one whole coin',
  source LowCardinality(String) COMMENT 'dollar (pegged, by definition), swaps (paid in dollar coins) or native (paid in the native coin)',
  swaps UInt64 COMMENT 'Swaps it rests on; 0 for dollar coins',
  traded_usd Float64 COMMENT 'US dollars traded in them; 0 for dollar coins. A price with little behind it is easy to move'
) AS
SELECT v.network AS network, arrayJoin(if(v.wrapped = 1, [v.token, ''], [v.token])) AS asset,
  if(asset = '', n.native_symbol, v.symbol) AS symbol, v.hour AS hour,
  v.price_usd AS price_usd, toLowCardinality(v.source) AS source, v.swaps AS swaps, v.traded_usd AS traded_usd
FROM (
  SELECT h.network AS network, h.hour AS hour, route.1 AS token, route.2 AS symbol, route.3 AS wrapped,
    argMax(route.5 * if(route.4 = 1, h.native_usd, 1), route.6 * if(route.4 = 1, h.native_usd, 1)) AS price_usd,
    argMax(if(route.4 = 1, 'native', 'swaps'), route.6 * if(route.4 = 1, h.native_usd, 1)) AS source,
    argMax(route.7, route.6 * if(route.4 = 1, h.native_usd, 1)) AS swaps,
    max(route.6 * if(route.4 = 1, h.native_usd, 1)) AS traded_usd
  FROM (
    SELECT r.network AS network, r.hour AS hour,
      groupArray((r.asset, r.symbol, r.wrapped, r.in_native, r.price, r.traded, r.swaps)) AS routes,
      arrayFirst(x -> x.3 = 1 AND x.4 = 0, routes).5 AS native_usd
    FROM (
      SELECT t.network AS network, t.hour AS hour, t.asset AS asset, t.symbol AS symbol, t.wrapped AS wrapped, t.in_native AS in_native,
        quantileExactWeighted(0.5)(t.paid / t.bought, toUInt64(least(t.paid * 1000, 1e15))) AS price,
        toFloat64(sum(toUInt64(least(t.paid * 1000, 1e15)))) / 1000 AS traded, count() AS swaps
      FROM (
      SELECT toString(s.network) AS network, toStartOfHour(s.block_time) AS hour,
        p.coin.1 AS asset, p.coin.2 AS symbol, p.coin.3 AS wrapped, p.in_native AS in_native,
        toFloat64(abs(if(p.pays0, s.amount0, s.amount1))) / pow(10, if(p.pays0, p.decimals0, p.decimals1)) AS paid,
        toFloat64(abs(if(p.pays0, s.amount1, s.amount0))) / pow(10, if(p.pays0, p.decimals1, p.decimals0)) AS bought
      FROM swaps_all AS s
      INNER JOIN (
        SELECT q.network AS network, q.pool AS pool,
          any(if(a.stable + b.stable > 0, a.stable, a.wrapped)) AS pays0, any(a.stable + b.stable) = 0 AS in_native,
          any(a.decimals) AS decimals0, any(b.decimals) AS decimals1,
          any(if(if(a.stable + b.stable > 0, a.stable, a.wrapped) = 1, (b.address, b.symbol, b.wrapped), (a.address, a.symbol, a.wrapped))) AS coin
        FROM pools_all AS q
        INNER JOIN (SELECT network, address, kind FROM registered_factories FINAL WHERE registered = 1) AS f ON f.network = q.network AND f.address = q.factory
        LEFT JOIN (SELECT network, address FROM registered_assets FINAL WHERE registered = 1 AND wrapped = 1) AS w ON w.network = q.network
        INNER JOIN (SELECT network, address, symbol, decimals, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS a ON a.network = q.network AND a.address = if(q.token0 = '', w.address, q.token0)
        INNER JOIN (SELECT network, address, symbol, decimals, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS b ON b.network = q.network AND b.address = if(q.token1 = '', w.address, q.token1)
        WHERE a.stable + b.stable = 1 OR (a.stable + b.stable = 0 AND a.wrapped + b.wrapped = 1)
        GROUP BY q.network, q.pool
      ) AS p ON p.network = s.network AND p.pool = s.pool
      WHERE ((s.amount0 > 0 AND s.amount1 < 0) OR (s.amount0 < 0 AND s.amount1 > 0))
        AND (s.network, s.pool) IN (SELECT network, pool FROM (
        SELECT q.network AS network, q.pool AS pool,
          any(if(a.stable + b.stable > 0, a.stable, a.wrapped)) AS pays0, any(a.stable + b.stable) = 0 AS in_native,
          any(a.decimals) AS decimals0, any(b.decimals) AS decimals1,
          any(if(if(a.stable + b.stable > 0, a.stable, a.wrapped) = 1, (b.address, b.symbol, b.wrapped), (a.address, a.symbol, a.wrapped))) AS coin
        FROM pools_all AS q
        INNER JOIN (SELECT network, address, kind FROM registered_factories FINAL WHERE registered = 1) AS f ON f.network = q.network AND f.address = q.factory
        LEFT JOIN (SELECT network, address FROM registered_assets FINAL WHERE registered = 1 AND wrapped = 1) AS w ON w.network = q.network
        INNER JOIN (SELECT network, address, symbol, decimals, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS a ON a.network = q.network AND a.address = if(q.token0 = '', w.address, q.token0)
        INNER JOIN (SELECT network, address, symbol, decimals, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS b ON b.network = q.network AND b.address = if(q.token1 = '', w.address, q.token1)
        WHERE a.stable + b.stable = 1 OR (a.stable + b.stable = 0 AND a.wrapped + b.wrapped = 1)
        GROUP BY q.network, q.pool
        ))
      ) AS t
      WHERE t.paid * 1000 >= 1
      GROUP BY t.network, t.hour, t.asset, t.symbol, t.wrapped, t.in_native
    ) AS r
    GROUP BY r.network, r.hour
  ) AS h
  ARRAY JOIN h.routes AS route
  WHERE route.4 = 0 OR h.native_usd > 0
  GROUP BY h.network, h.hour, route.1, route.2, route.3
) AS v
LEFT JOIN (SELECT network, native_symbol FROM networks FINAL) AS n ON n.network = v.network
UNION ALL
SELECT toString(b.network) AS network, d.address AS asset, d.symbol AS symbol, b.hour AS hour,
  toFloat64(1) AS price_usd, toLowCardinality('dollar') AS source, toUInt64(0) AS swaps, toFloat64(0) AS traded_usd
FROM (SELECT DISTINCT network, toStartOfHour(block_time) AS hour FROM blocks_all) AS b
INNER JOIN (SELECT network, address, symbol FROM registered_assets FINAL WHERE registered = 1 AND stable = 1) AS d ON d.network = b.network
COMMENT 'Prices in US dollars, one row for each network, asset and hour in which it was traded: the median of what swaps in pools of registered exchanges paid, weighted by what was paid. Coins of the registry only; dollar coins are one dollar in every hour that has blocks. Fast by network and hour';

CREATE VIEW transfers_usd ${on_cluster} (
  network String COMMENT 'Network code, as in table networks',
  block_number UInt32 COMMENT 'Height of the block',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  block_hour DateTime('UTC') COMMENT 'Beginning of the hour of the block',
  position UInt64 COMMENT 'Sortable position in the network',
  tx_hash String COMMENT 'Hash of the transaction',
  from_address String COMMENT 'Account it moved from',
  to_address String COMMENT 'Account it moved to',
  kind LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible, nft, multi or wrap',
  asset String COMMENT 'Token contract; empty for the native coin',
  symbol String COMMENT 'Symbol of the coin or token as stated; empty when unknown',
  amount Nullable(Decimal(76, 18)) COMMENT 'Amount in whole coins or tokens, as in transfers',
  amount_raw UInt256 COMMENT 'Exact amount in base units',
  price_usd Nullable(Float64) COMMENT 'US dollars of one whole coin in that hour (prices); NULL where nobody traded it then',
  amount_usd Nullable(Float64) COMMENT 'Amount in US dollars at the price of that hour; NULL where there is no price or the decimals are unknown',
  token_id UInt256 COMMENT 'Token id of nft and multi movements, else 0',
  initiator String COMMENT 'Sender of the transaction'
) AS
SELECT t.network AS network, t.block_number AS block_number, t.block_time AS block_time, t.block_hour AS block_hour,
  t.position AS position, t.tx_hash AS tx_hash, t.from_address AS from_address, t.to_address AS to_address, t.kind AS kind,
  t.asset AS asset, t.symbol AS symbol, t.amount AS amount, t.amount_raw AS amount_raw,
  if(p.network = '', NULL, p.price_usd) AS price_usd,
  toFloat64(t.amount) * if(p.network = '', NULL, p.price_usd) AS amount_usd,
  t.token_id AS token_id, t.initiator AS initiator
FROM (SELECT * REPLACE (toString(network) AS network), toStartOfHour(block_time) AS block_hour FROM transfers) AS t
LEFT JOIN prices AS p ON p.network = t.network AND p.asset = t.asset AND p.hour = t.block_hour
COMMENT 'Transfers with their value in US dollars, one row each. Put network and a range of block_hour into WHERE: prices of all other hours are then not computed. Without dollars, transfers is faster';

CREATE VIEW token_transfers ${on_cluster} (
  blockchain String COMMENT 'Network code, as in table networks',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  block_hour DateTime('UTC') COMMENT 'Beginning of the hour of the block',
  block_number UInt32 COMMENT 'Height of the block',
  tx_hash String COMMENT 'Hash of the transaction',
  tx_from String COMMENT 'Sender of the transaction',
  position UInt64 COMMENT 'Sortable position in the network',
  from_address String COMMENT 'Account it moved from',
  to_address String COMMENT 'Account it moved to',
  token_standard LowCardinality(String) COMMENT 'erc20, erc721 or erc1155',
  contract_address String COMMENT 'Token contract',
  symbol String COMMENT 'Symbol of the token as stated; empty when unknown',
  token_id UInt256 COMMENT 'Token id of NFTs, else 0',
  amount_raw UInt256 COMMENT 'Exact amount in base units',
  amount Nullable(Decimal(76, 18)) COMMENT 'Amount in whole coins or tokens; NULL when unknown',
  price_usd Nullable(Float64) COMMENT 'US dollars of one whole coin in that hour (prices); NULL where nobody traded it then',
  amount_usd Nullable(Float64) COMMENT 'Amount in US dollars at the price of that hour; NULL where there is no price or the decimals are unknown'
) AS
SELECT network AS blockchain, block_time, block_hour, block_number, tx_hash, initiator AS tx_from, position, from_address, to_address,
  toLowCardinality(transform(toString(kind), ['nft', 'multi'], ['erc721', 'erc1155'], 'erc20')) AS token_standard,
  asset AS contract_address, symbol, token_id, amount_raw, amount, price_usd, amount_usd
FROM transfers_usd
WHERE asset != ''
COMMENT 'Transfers of tokens, with the column names of Dune and Goldsky. A thin view of transfers_usd: put blockchain and a range of block_hour into WHERE';

CREATE VIEW native_transfers ${on_cluster} (
  blockchain String COMMENT 'Network code, as in table networks',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  block_hour DateTime('UTC') COMMENT 'Beginning of the hour of the block',
  block_number UInt32 COMMENT 'Height of the block',
  tx_hash String COMMENT 'Hash of the transaction',
  tx_from String COMMENT 'Sender of the transaction',
  position UInt64 COMMENT 'Sortable position in the network',
  from_address String COMMENT 'Account it moved from',
  to_address String COMMENT 'Account it moved to',
  internal UInt8 COMMENT '1 when a call inside a transaction moved it',
  symbol String COMMENT 'Symbol of the native coin',
  amount_raw UInt256 COMMENT 'Exact amount in base units',
  amount Nullable(Decimal(76, 18)) COMMENT 'Amount in whole coins or tokens; NULL when unknown',
  price_usd Nullable(Float64) COMMENT 'US dollars of one whole coin in that hour (prices); NULL where nobody traded it then',
  amount_usd Nullable(Float64) COMMENT 'Amount in US dollars at the price of that hour; NULL where there is no price or the decimals are unknown'
) AS
SELECT network AS blockchain, block_time, block_hour, block_number, tx_hash, initiator AS tx_from, position, from_address, to_address,
  toUInt8(kind = 'internal') AS internal, symbol, amount_raw, amount, price_usd, amount_usd
FROM transfers_usd
WHERE asset = ''
COMMENT 'Transfers of the native coin, by transactions and by calls inside them, with the column names of Dune. A thin view of transfers_usd: put blockchain and a range of block_hour into WHERE';

CREATE VIEW dex_trades ${on_cluster} (
  blockchain String COMMENT 'Network code, as in table networks',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  block_hour DateTime('UTC') COMMENT 'Beginning of the hour of the block',
  block_number UInt32 COMMENT 'Height of the block',
  tx_hash String COMMENT 'Hash of the transaction',
  tx_from String COMMENT 'Sender of the transaction',
  position UInt64 COMMENT 'Sortable position in the network',
  project String COMMENT 'Exchange, where the registry knows the factory of the pool; else empty',
  version LowCardinality(String) COMMENT 'Design of the pool: v2, v3, v4 or solidly; empty when unknown',
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
    p.pool != '' AS known, f.name AS project, p.kind AS version, (s.amount0 > 0 OR s.amount1 < 0) AS sold0,
    p.token0 AS token0, if(p.token0 = '', n.native_symbol, t0.symbol) AS symbol0,
    toUInt256(abs(s.amount0)) AS raw0, toFloat64(raw0) / pow(10, if(p.token0 = '', toNullable(toInt16(n.native_decimals)), if(t0.token = '', NULL, t0.decimals))) AS whole0,
    p.token1 AS token1, if(p.token1 = '', n.native_symbol, t1.symbol) AS symbol1,
    toUInt256(abs(s.amount1)) AS raw1, toFloat64(raw1) / pow(10, if(p.token1 = '', toNullable(toInt16(n.native_decimals)), if(t1.token = '', NULL, t1.decimals))) AS whole1,
    multiIf(a0.stable = 1, 3, p.token0 = '' OR a0.wrapped = 1, 2, a0.address != '', 1, 0) >= multiIf(a1.stable = 1, 3, p.token1 = '' OR a1.wrapped = 1, 2, a1.address != '', 1, 0) AS values0,
    if(known, if(values0, p.token0, p.token1), 'unknown') AS valued, if(values0, whole0, whole1) AS valued_amount
  FROM swaps_all AS s
  LEFT JOIN (
    SELECT network, pool, any(q.token0) AS token0, any(q.token1) AS token1, any(q.kind) AS kind, any(q.factory) AS factory
    FROM pools_all AS q
    GROUP BY network, pool
  ) AS p ON p.network = s.network AND p.pool = s.pool
  LEFT JOIN (SELECT network, address, name FROM registered_factories FINAL WHERE registered = 1) AS f ON f.network = s.network AND f.address = p.factory
  LEFT JOIN (SELECT network, native_symbol, native_decimals FROM networks FINAL) AS n ON n.network = s.network
  LEFT JOIN tokens_current AS t0 ON t0.network = s.network AND t0.token = p.token0
  LEFT JOIN (SELECT network, address, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS a0 ON a0.network = s.network AND a0.address = p.token0
  LEFT JOIN tokens_current AS t1 ON t1.network = s.network AND t1.token = p.token1
  LEFT JOIN (SELECT network, address, stable, wrapped FROM registered_assets FINAL WHERE registered = 1) AS a1 ON a1.network = s.network AND a1.address = p.token1
) AS x
LEFT JOIN prices AS u ON u.network = x.network AND u.asset = x.valued AND u.hour = x.block_hour
COMMENT 'Swaps as trades, one row each, with the column names of Dune. Amounts of tokens whose pool or decimals are unknown are NULL. Fast by blockchain and a range of block_hour, faster with project_contract_address (the pool)';
