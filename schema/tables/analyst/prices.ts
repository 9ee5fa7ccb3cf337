/**
 * Hourly prices, from swaps in pools of registered exchanges. Only registered coins have one, because anybody can trade a token
 * of their own with themselves at any price.
 */
import { PRICED_KINDS } from '../../registry/contracts.ts'
import { column, float64, text, time, uint64, word } from '../column.ts'
import type { View } from '../ddl.ts'

/** Rows of `table` that are still in the registry. */
export const registered = (table: string, columns: string): string =>
  `(SELECT network, address, ${columns} FROM ${table} FINAL WHERE registered = 1)`

const ASSETS = registered('registered_assets', 'symbol, decimals, stable, wrapped')
const WRAPPED = '(SELECT network, address FROM registered_assets FINAL WHERE registered = 1 AND wrapped = 1)'

/** A token of a pool, the native coin in its wrapped form. */
const tokenOf = (side: 0 | 1) => `if(q.token${side} = '', w.address, q.token${side})`

/** Whether the first token of a pool is the one to pay with. */
const PAYS0 = 'if(a.stable + b.stable > 0, a.stable, a.wrapped)'

const PRICED = PRICED_KINDS.map((kind) => `'${kind}'`).join(', ')

/** Pools of registered exchanges that trade a registered coin for a dollar coin or the wrapped native coin. */
const POOLS = `
        SELECT q.network AS network, q.pool AS pool,
          any(${PAYS0}) AS pays0, any(a.stable + b.stable) = 0 AS in_native,
          any(a.decimals) AS decimals0, any(b.decimals) AS decimals1,
          any(if(${PAYS0} = 1, (b.address, b.symbol, b.wrapped), (a.address, a.symbol, a.wrapped))) AS coin
        FROM pools_all AS q
        INNER JOIN ${registered('registered_factories', 'kind')} AS f ON f.network = q.network AND f.address = q.factory
        LEFT JOIN ${WRAPPED} AS w ON w.network = q.network
        INNER JOIN ${ASSETS} AS a ON a.network = q.network AND a.address = ${tokenOf(0)}
        INNER JOIN ${ASSETS} AS b ON b.network = q.network AND b.address = ${tokenOf(1)}
        WHERE (a.stable + b.stable = 1 OR (a.stable + b.stable = 0 AND a.wrapped + b.wrapped = 1))
          AND f.kind IN (${PRICED}) AND q.hooks = ''
        GROUP BY q.network, q.pool`

/** Payments of swaps in these pools, in whole coins. Pools are named twice: IN prunes granules, a join does not. */
const TRADES = `
      SELECT toString(s.network) AS network, toStartOfHour(s.block_time) AS hour,
        p.coin.1 AS asset, p.coin.2 AS symbol, p.coin.3 AS wrapped, p.in_native AS in_native,
        toFloat64(abs(if(p.pays0, s.amount0, s.amount1))) / pow(10, if(p.pays0, p.decimals0, p.decimals1)) AS paid,
        toFloat64(abs(if(p.pays0, s.amount1, s.amount0))) / pow(10, if(p.pays0, p.decimals1, p.decimals0)) AS bought
      FROM swaps_all AS s
      INNER JOIN (${POOLS}
      ) AS p ON p.network = s.network AND p.pool = s.pool
      WHERE ((s.amount0 > 0 AND s.amount1 < 0) OR (s.amount0 < 0 AND s.amount1 > 0))
        AND (s.network, s.pool) IN (SELECT network, pool FROM (${POOLS}
        ))`

/** Thousandths of the payment: large trades count more, and dust does not count. */
const WEIGHT = 'toUInt64(least(t.paid * 1000, 1e15))'

/** Median price per hour and route, in dollars or in the native coin, as an array of tuples. */
const HOURS = `
    SELECT r.network AS network, r.hour AS hour,
      groupArray((r.asset, r.symbol, r.wrapped, r.in_native, r.price, r.traded, r.swaps)) AS routes,
      arrayFirst(x -> x.3 = 1 AND x.4 = 0, routes).5 AS native_usd
    FROM (
      SELECT t.network AS network, t.hour AS hour, t.asset AS asset, t.symbol AS symbol, t.wrapped AS wrapped, t.in_native AS in_native,
        quantileExactWeighted(0.5)(t.paid / t.bought, ${WEIGHT}) AS price,
        toFloat64(sum(${WEIGHT})) / 1000 AS traded, count() AS swaps
      FROM (${TRADES}
      ) AS t
      WHERE t.paid * 1000 >= 1
      GROUP BY t.network, t.hour, t.asset, t.symbol, t.wrapped, t.in_native
    ) AS r
    GROUP BY r.network, r.hour`

/** US dollars per unit of a route's payment. */
const UNIT = 'if(route.4 = 1, h.native_usd, 1)'

/** Prefers the route with more dollars traded; a route through the native coin needs its price of that hour. */
const TRADED = `
  SELECT h.network AS network, h.hour AS hour, route.1 AS token, route.2 AS symbol, route.3 AS wrapped,
    argMax(route.5 * ${UNIT}, route.6 * ${UNIT}) AS price_usd,
    argMax(if(route.4 = 1, 'native', 'swaps'), route.6 * ${UNIT}) AS source,
    argMax(route.7, route.6 * ${UNIT}) AS swaps,
    max(route.6 * ${UNIT}) AS traded_usd
  FROM (${HOURS}
  ) AS h
  ARRAY JOIN h.routes AS route
  WHERE route.4 = 0 OR h.native_usd > 0
  GROUP BY h.network, h.hour, route.1, route.2, route.3`

/** Hourly prices. */
export const pricesView: View = {
  kind: 'view',
  name: 'prices',
  comment:
    'Prices in US dollars, one row for each network, asset and hour in which it was traded: the median of what swaps in pools of registered exchanges paid, weighted by what was paid. Coins of the registry only; dollar coins are one dollar in every hour that has blocks. Fast by network and hour',
  columns: {
    network: column('String', 'Network code, as in table networks'),
    asset: text('Token contract; empty for the native coin'),
    symbol: text('Symbol of the coin in the registry'),
    hour: time('Beginning of the hour'),
    price_usd: float64('US dollars of one whole coin'),
    source: word('dollar (pegged, by definition), swaps (paid in dollar coins) or native (paid in the native coin)'),
    swaps: uint64('Swaps it rests on; 0 for dollar coins'),
    traded_usd: float64('US dollars traded in them; 0 for dollar coins. A price with little behind it is easy to move'),
  },
  select: `SELECT v.network AS network, arrayJoin(if(v.wrapped = 1, [v.token, ''], [v.token])) AS asset,
  if(asset = '', n.native_symbol, v.symbol) AS symbol, v.hour AS hour,
  v.price_usd AS price_usd, toLowCardinality(v.source) AS source, v.swaps AS swaps, v.traded_usd AS traded_usd
FROM (${TRADED}
) AS v
LEFT JOIN (SELECT network, native_symbol FROM networks FINAL) AS n ON n.network = v.network
UNION ALL
SELECT toString(b.network) AS network, d.address AS asset, d.symbol AS symbol, b.hour AS hour,
  toFloat64(1) AS price_usd, toLowCardinality('dollar') AS source, toUInt64(0) AS swaps, toFloat64(0) AS traded_usd
FROM (SELECT DISTINCT network, toStartOfHour(block_time) AS hour FROM blocks_all) AS b
INNER JOIN (SELECT network, address, symbol FROM registered_assets FINAL WHERE registered = 1 AND stable = 1) AS d ON d.network = b.network`,
}
