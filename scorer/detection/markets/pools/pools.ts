/** Pools of the tokens that wallets created, and what happened in them. */
import { readSql } from '../../../../platform/store/sql.ts'
import { deployers, type LoadContext } from '../../context.ts'

const OWN_POOLS = readSql(import.meta.url, './own-pools.sql')
const POOL_EVENTS = readSql(import.meta.url, './pool-events.sql')

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
  amount0: string
  amount1: string
}

/** An event of a pool, amounts in base units from the pool's view: positive came in. */
export type PoolEvent = Pick<EventRow, 'event' | 'actor' | 'tx_hash' | 'time'> & { token: bigint; base: bigint }

const seenFrom = (pool: OwnPool, rows: readonly EventRow[]): PoolEvent[] =>
  rows
    .filter((row) => row.pool === pool.pool)
    .map(({ event, actor, tx_hash, time, amount0, amount1 }) => ({
      event,
      actor,
      tx_hash,
      time,
      token: BigInt(pool.token_is_0 ? amount0 : amount1),
      base: BigInt(pool.token_is_0 ? amount1 : amount0),
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

/** Pools of the batch's creators with their events in chain order, and everybody who swapped in them. */
export type OwnPools = { events: ReadonlyMap<OwnPool, PoolEvent[]>; traders: string[] }

/** Read once for all detectors that judge creators by their pools; nothing is asked when nobody created anything. */
export const loadOwnPools = async (context: LoadContext): Promise<OwnPools> => {
  const addresses = deployers(context)
  const none: OwnPools = { events: new Map(), traders: [] }
  if (addresses.length === 0) return none
  const { store, network } = context
  const pools = await store.query<OwnPool>(OWN_POOLS, { network, addresses }, { route: 'own_pools' })
  if (pools.length === 0) return none
  const rows = await loadRows(context, pools)
  return {
    events: new Map(pools.map((pool) => [pool, seenFrom(pool, rows)])),
    traders: [...new Set(rows.filter((row) => row.event === 'swap').map((row) => row.actor))],
  }
}

/** What happened in the other pools of a pool's token, whoever of the batch created them. */
export const otherMarketsOf = (pool: OwnPool, { events }: OwnPools): { base: string; events: PoolEvent[] }[] =>
  [...events].flatMap(([one, its]) =>
    one.pool !== pool.pool && one.token === pool.token ? [{ base: one.base, events: its }] : [],
  )
