/** What became of the pools of tokens a wallet created: reserves taken from under others, buyers who cannot sell, feigned trade. */
import { readSql } from '../../../../platform/store/sql.ts'
import { deployers, inPieces, type LoadContext } from '../../context.ts'
import { floorsOf } from '../../shared/usd-thresholds.ts'
import { findHoneypot, type Honeypot } from '../honeypot-history/honeypot.ts'
import { buyersOf, findRug, movedOn, type Rug, refunded } from '../rug-executed/rug.ts'
import { loadWashTrading, type Wash } from '../wash-trading/wash-trading.ts'

export type { Honeypot, Rug, Wash }

const OWN_POOLS = readSql(import.meta.url, './own-pools.sql')
const POOL_EVENTS = readSql(import.meta.url, './pool-events.sql')
const REFUNDS = readSql(import.meta.url, '../rug-executed/refunds.sql')
const FAILED_SELLS = readSql(import.meta.url, '../honeypot-history/failed-sells.sql')

/** Buyers of one pool whose refunds are looked for, and pools in one question. */
const MOST_REFUNDED = 500
const REFUNDS_AT_ONCE = 5
/** From a creator's take until it has paid its buyers back, s. Our choice. */
const REFUNDED_WITHIN_S = 7 * 86_400
/** Events of a pool looked at, oldest first: rugs and honeypots show early. */
const MOST_EVENTS = 5_000

export type OwnPool = {
  address: string
  pool: string
  kind: string
  token: string
  token_is_0: 0 | 1
  base: string
  created_at: number
}

type EventRow = {
  pool: string
  event: 'add' | 'remove' | 'swap'
  actor: string
  position: string
  tx_hash: string
  time: number
  amount0: number
  amount1: number
}

/** An event of a pool, amounts from the pool's view: positive came in. */
export type PoolEvent = Pick<EventRow, 'event' | 'actor' | 'tx_hash' | 'time'> & { token: number; base: number }

const seenFrom = (pool: OwnPool, rows: readonly EventRow[]): PoolEvent[] =>
  rows
    .filter((row) => row.pool === pool.pool)
    .map(({ event, actor, tx_hash, time, amount0, amount1 }) => ({
      event,
      actor,
      tx_hash,
      time,
      token: pool.token_is_0 ? amount0 : amount1,
      base: pool.token_is_0 ? amount1 : amount0,
    }))

const loadRows = ({ store, network }: LoadContext, pools: readonly OwnPool[]): Promise<EventRow[]> =>
  store.query<EventRow>(
    POOL_EVENTS,
    { network, pools: [...new Set(pools.map((pool) => pool.pool))], limit: MOST_EVENTS },
    { route: 'pool_events' },
  )

/** What happened in some pools, in chain order. */
export const loadEvents = async (
  context: LoadContext,
  pools: readonly OwnPool[],
): Promise<Map<OwnPool, PoolEvent[]>> => {
  const rows = await loadRows(context, pools)
  return new Map(pools.map((pool) => [pool, seenFrom(pool, rows)]))
}

const grouped = <T>(pairs: readonly (readonly [string, T | undefined])[]): Map<string, T[]> => {
  const map = new Map<string, T[]>()
  for (const [key, value] of pairs) if (value !== undefined) map.set(key, [...(map.get(key) ?? []), value])
  return map
}

type Refund = { maker: string; since: number; receiver: string; asset: string; amount: number }

/** Leaves out rugs whose creators gave the buyers back what they had earned. */
const unrefunded = async (
  { store, network }: LoadContext,
  rugs: readonly { pool: OwnPool; rug: Rug }[],
  events: ReadonlyMap<OwnPool, readonly PoolEvent[]>,
): Promise<(readonly [string, Rug])[]> => {
  const buyers = new Map(
    rugs.map(({ pool }) => {
      const all = buyersOf(pool.address, events.get(pool) ?? [])
      return [pool, new Set([...all].slice(0, MOST_REFUNDED))]
    }),
  )
  const rows = await inPieces(
    rugs,
    (some) =>
      store.query<Refund>(
        REFUNDS,
        {
          network,
          makers: some.map(({ pool }) => pool.address),
          since: some.map(({ rug }) => rug.time),
          buyers: [...new Set(some.flatMap(({ pool }) => [...(buyers.get(pool) ?? [])]))],
          within: REFUNDED_WITHIN_S,
        },
        { route: 'refunds' },
      ),
    REFUNDS_AT_ONCE,
  )
  const coins = floorsOf(network, 1)
  const coin = coins.get('')
  return rugs
    .filter(({ pool, rug }) => {
      const money = new Set([rug.base, ...(coins.get(rug.base) === coin ? [''] : [])])
      const mine = rows.filter(
        ({ maker, since, asset }) => maker === pool.address && since === rug.time && money.has(asset),
      )
      return !refunded(rug, buyers.get(pool) ?? new Set(), mine)
    })
    .map(({ pool, rug }) => [pool.address, rug] as const)
}

export const loadPools = async (
  context: LoadContext,
): Promise<{ rugs: Map<string, Rug[]>; honeypots: Map<string, Honeypot[]>; washes: Map<string, Wash[]> }> => {
  const { store, network, now } = context
  const addresses = deployers(context)
  if (addresses.length === 0) return { rugs: new Map(), honeypots: new Map(), washes: new Map() }
  const pools = await store.query<OwnPool>(OWN_POOLS, { network, addresses }, { route: 'own_pools' })
  if (pools.length === 0) return { rugs: new Map(), honeypots: new Map(), washes: new Map() }
  const rows = await loadRows(context, pools)
  const events = new Map(pools.map((pool) => [pool, seenFrom(pool, rows)]))
  const holders = [...new Set(rows.filter((row) => row.event === 'swap').map((row) => row.actor))]
  const tokens = [...new Set(pools.map((pool) => pool.token))]
  const failed =
    holders.length === 0
      ? []
      : await store.query<{ token: string; holder: string; tx_hash: string }>(
          FAILED_SELLS,
          { network, holders, tokens },
          { route: 'failed_sells' },
        )
  const dollar = floorsOf(network, 1)
  const suspected = pools.flatMap((pool) => {
    const rug = findRug(pool, events.get(pool) ?? [])
    const others = pools.filter((one) => one.pool !== pool.pool && one.token === pool.token)
    const markets = others.map((one) => ({ base: one.base, events: events.get(one) ?? [] }))
    return rug && !movedOn(rug, pool.address, markets, dollar) ? [{ pool, rug }] : []
  })
  const rugs = grouped(await unrefunded(context, suspected, events))
  const honeypots = grouped(
    pools.map((pool) => [
      pool.address,
      findHoneypot(
        pool,
        events.get(pool) ?? [],
        failed.filter((row) => row.token === pool.token),
        now,
        pools.flatMap((one) => (one.token === pool.token && one.pool !== pool.pool ? (events.get(one) ?? []) : [])),
      ),
    ]),
  )
  const washes = grouped(await loadWashTrading(context, events))
  return { rugs, honeypots, washes }
}
