/** Swaps as trades, with the column names of Dune's `dex.trades`. */
import { POOL_KIND } from '../chain/chain.ts'
import { column, text, uint256, word } from '../column.ts'
import type { View } from '../ddl.ts'
import { registered } from './prices.ts'
import { duneHead } from './transfers.ts'

const nullable = (comment: string) => column<string | null>('Nullable(String)', comment)
const amount = (comment: string) => column<string | null>('Nullable(Float64)', comment)

/** What a taker got came out of the pool; if both amounts came in, the first was sold. */
const SOLD0 = '(s.amount0 > 0 OR s.amount1 < 0)'

/** How reliably a side can be valued: a dollar coin, then the native coin and its wrapped form, then a registered coin. */
const sureness = (side: 0 | 1) =>
  `multiIf(a${side}.stable = 1, 3, s.token${side} = '' OR a${side}.wrapped = 1, 2, a${side}.address != '', 1, 0)`

/** Decimals of a side; NULL if neither the token nor the registry states them. */
const decimals = (side: 0 | 1) =>
  `multiIf(s.token${side} = '', toNullable(toInt16(n.native_decimals)), t${side}.token != '', toNullable(t${side}.decimals),
      a${side}.address != '', toNullable(toInt16(a${side}.decimals)), NULL)`

const side = (side: 0 | 1) =>
  `s.token${side} AS token${side}, multiIf(s.token${side} = '', n.native_symbol, t${side}.token != '', t${side}.symbol, a${side}.symbol) AS symbol${side},
    toUInt256(abs(s.amount${side})) AS raw${side}, toFloat64(raw${side}) / pow(10, ${decimals(side)}) AS whole${side}`

const joins = (side: 0 | 1) => `
  LEFT JOIN tokens_current AS t${side} ON t${side}.network = s.network AND t${side}.token = s.token${side}
  LEFT JOIN ${registered('registered_assets', 'symbol, decimals, stable, wrapped')} AS a${side} ON a${side}.network = s.network AND a${side}.address = s.token${side}`

const picked = (name: string, bought: string, sold: string, from: string) =>
  `if(x.known, if(x.sold0, x.${from}${bought}, x.${from}${sold}), NULL) AS ${name}`

/** Swaps with their tokens: from the swap itself, else from the pool's announcement. */
const SWAPS = `
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
        LEFT JOIN ${registered('registered_factories', 'name')} AS f ON f.network = q.network AND f.address = q.factory
        GROUP BY q.network, q.pool
      ) AS t
    ) AS p ON p.network = w.network AND p.pool = w.pool
    LEFT JOIN ${registered('registered_factories', 'name, kind')} AS f ON f.network = w.network AND f.address = w.factory`

/** Trades on exchanges. */
export const dexTradesView: View = {
  kind: 'view',
  name: 'dex_trades',
  comment:
    'Swaps as trades, one row each, with the column names of Dune. Amounts of tokens whose pool or decimals are unknown are NULL. Fast by blockchain and a range of block_hour, faster with project_contract_address (the pool)',
  columns: {
    ...duneHead,
    project: text('Exchange, where the registry knows the factory or program of the pool; else empty'),
    version: word(`Design of the pool: ${POOL_KIND}; empty when unknown`),
    project_contract_address: text('Pool contract, or the pool id of singleton designs'),
    taker: text('Sender of the transaction'),
    token_bought_address: nullable('Token that came out of the pool; empty for the native coin, NULL when unknown'),
    token_sold_address: nullable('Token that went into the pool; empty for the native coin, NULL when unknown'),
    token_bought_symbol: nullable('Symbol of the token bought, as stated'),
    token_sold_symbol: nullable('Symbol of the token sold, as stated'),
    token_bought_amount: amount('Whole tokens bought'),
    token_sold_amount: amount('Whole tokens sold'),
    token_bought_amount_raw: uint256('Base units bought'),
    token_sold_amount_raw: uint256('Base units sold'),
    amount_usd: amount(
      'US dollars of the side that is easier to value, at the price of that hour; NULL where neither side has a price',
    ),
  },
  select: `SELECT x.network AS blockchain, x.block_time AS block_time, x.block_hour AS block_hour, x.block_number AS block_number,
  x.tx_hash AS tx_hash, x.initiator AS tx_from, x.position AS position,
  x.project AS project, x.version AS version, x.pool AS project_contract_address, x.initiator AS taker,
  ${picked('token_bought_address', '1', '0', 'token')},
  ${picked('token_sold_address', '0', '1', 'token')},
  ${picked('token_bought_symbol', '1', '0', 'symbol')},
  ${picked('token_sold_symbol', '0', '1', 'symbol')},
  ${picked('token_bought_amount', '1', '0', 'whole')},
  ${picked('token_sold_amount', '0', '1', 'whole')},
  if(x.sold0, x.raw1, x.raw0) AS token_bought_amount_raw,
  if(x.sold0, x.raw0, x.raw1) AS token_sold_amount_raw,
  if(u.network = '', NULL, x.valued_amount * u.price_usd) AS amount_usd
FROM (
  SELECT s.network AS network, s.block_time AS block_time, s.block_hour AS block_hour,
    s.block_number AS block_number, s.tx_hash AS tx_hash, s.initiator AS initiator, s.position AS position, s.pool AS pool,
    s.known AS known, s.project AS project, s.kind AS version, ${SOLD0} AS sold0,
    ${side(0)},
    ${side(1)},
    ${sureness(0)} >= ${sureness(1)} AS values0,
    if(known, if(values0, s.token0, s.token1), 'unknown') AS valued, if(values0, whole0, whole1) AS valued_amount
  FROM (${SWAPS}
  ) AS s
  LEFT JOIN (SELECT network, native_symbol, native_decimals FROM networks FINAL) AS n ON n.network = s.network${joins(0)}${joins(1)}
) AS x
LEFT JOIN prices AS u ON u.network = x.network AND u.asset = x.valued AND u.hour = x.block_hour`,
}
