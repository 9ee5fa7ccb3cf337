/** What became of the pools of tokens a wallet created: reserves taken from under others, buyers who cannot sell, feigned trade. */
import { readSql } from '../../../platform/store/sql.ts'
import { deployers, type LoadContext } from './context.ts'
import { findHoneypot, type Honeypot } from './honeypot.ts'
import { findRug, movedOn, type Rug } from './rug.ts'
import { loadWashTrading, type Wash } from './wash-trading.ts'

export type { Honeypot, Rug, Wash }

const OWN_POOLS = readSql(import.meta.url, '../sql/own-pools.sql')
const POOL_EVENTS = readSql(import.meta.url, '../sql/pool-events.sql')
const FAILED_SELLS = readSql(import.meta.url, '../sql/failed-sells.sql')

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
  const rugs = grouped(
    pools.map((pool) => {
      const rug = findRug(pool, events.get(pool) ?? [])
      const others = pools.filter((one) => one.pool !== pool.pool && one.token === pool.token && one.base === pool.base)
      const moved =
        rug !== undefined &&
        movedOn(
          rug,
          pool.address,
          others.map((one) => events.get(one) ?? []),
        )
      return [pool.address, moved ? undefined : rug]
    }),
  )
  const honeypots = grouped(
    pools.map((pool) => [
      pool.address,
      findHoneypot(
        pool,
        events.get(pool) ?? [],
        failed.filter((row) => row.token === pool.token),
        now,
      ),
    ]),
  )
  const washes = grouped(await loadWashTrading(context, events))
  return { rugs, honeypots, washes }
}
