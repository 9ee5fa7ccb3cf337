-- Pools of PancakeSwap Infinity, Curve and Balancer are followed: what the columns that state a design may hold.

ALTER TABLE pools ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3';

ALTER TABLE pools_hot ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3';

ALTER TABLE pools_past ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3';

ALTER TABLE pools_all ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3';

ALTER TABLE pools_whole ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3';

ALTER TABLE registered_factories ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3';

ALTER TABLE pool_state ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when the creation was not seen';

ALTER TABLE pool_state_hot ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when the creation was not seen';

ALTER TABLE pool_state_final ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when the creation was not seen';

ALTER TABLE pool_state_all ${on_cluster} COMMENT COLUMN kind 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when the creation was not seen';

ALTER TABLE dex_trades ${on_cluster} COMMENT COLUMN version 'Design of the pool: v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when unknown';

-- Prices rest on designs in which both sides of a trade are worth the same, whoever made the pool.
CREATE OR REPLACE VIEW prices ${on_cluster} (
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
        WHERE (a.stable + b.stable = 1 OR (a.stable + b.stable = 0 AND a.wrapped + b.wrapped = 1))
          AND f.kind IN ('v2', 'v3', 'v4', 'solidly', 'infinity-cl', 'infinity-bin') AND q.hooks = ''
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
        WHERE (a.stable + b.stable = 1 OR (a.stable + b.stable = 0 AND a.wrapped + b.wrapped = 1))
          AND f.kind IN ('v2', 'v3', 'v4', 'solidly', 'infinity-cl', 'infinity-bin') AND q.hooks = ''
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
