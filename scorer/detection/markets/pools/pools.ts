/**
 * Pools of tokens that wallets created, and their events.
 *
 * Anybody can announce his own contract as a pool of somebody else's token and let it emit any event. So events of pools that no
 * registered factory announced count only as far as coins moved.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Network } from '../../../../schema/networks.ts'
import { poolOfPair, swapParameters } from '../../../../schema/pairs.ts'
import { DEX_FACTORIES } from '../../../../schema/registry/contracts.ts'
import { wrappedNative } from '../../../../schema/registry/index.ts'
import { groupedBy, inPieces, type LoadContext } from '../../context.ts'
import { loadDeployers } from '../../shared/contracts/deployers.ts'

const OWN_POOLS = readSql(import.meta.url, './own-pools.sql')
const POOL_EVENTS = readSql(import.meta.url, './pool-events.sql')
const POOL_COINS = readSql(import.meta.url, './pool-coins.sql')
const BROUGHT = readSql(import.meta.url, './brought.sql')

/** Oldest events examined per pool: rugs and honeypots show early. */
const MAX_EVENTS = 5_000
/** Coin movements examined per unregistered pool. */
const MAX_COINS = 2 * MAX_EVENTS
/** Pools examined per creator. */
const MAX_POOLS = 100

/** A pool of a token that wallet `address` created. `base` is the asset it is traded for; `created_at` in Unix seconds. */
export type OwnPool = {
  address: string
  pool: string
  kind: string
  token: string
  token_is_0: 0 | 1
  base: string
  created_at: number
  /** Whether a registered factory announced it with these tokens. */
  registered: 0 | 1
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

/** An event of a pool. Amounts in base units; positive amounts are paid into the pool. */
export type PoolEvent = Pick<EventRow, 'event' | 'actor' | 'tx_hash' | 'time'> & { token: bigint; base: bigint }

/** `nth`: number of the transaction among all of the chain. */
type CoinsRow = { pool: string; nth: string; asset: string; came: string; went: string }

/** Number of a transaction, from the upper bits of a position. */
const nthOf = (position: string): bigint => BigInt(position) >> 19n

/**
 * Limits events to the coins that moved: receipts up to the event, which may have been sent ahead, and payments in the same transaction.
 * Nothing counts twice.
 * @param rows events, and `coins` movements, both in chain order
 */
const limitedToMovements = (pool: OwnPool, rows: readonly EventRow[], coins: readonly CoinsRow[]): PoolEvent[] => {
  const [came, went] = [new Map<string, bigint>(), new Map<string, bigint>()]
  const take = (from: Map<string, bigint>, key: string, amount: bigint): bigint => {
    const available = from.get(key) ?? 0n
    const moved = amount < available ? amount : available
    from.set(key, available - moved)
    return moved
  }
  let next = 0
  return rows.flatMap((row) => {
    const nth = nthOf(row.position)
    for (let coin = coins[next]; coin && BigInt(coin.nth) <= nth; coin = coins[++next]) {
      came.set(coin.asset, (came.get(coin.asset) ?? 0n) + BigInt(coin.came))
      went.set(`${coin.nth} ${coin.asset}`, BigInt(coin.went))
    }
    const limited = (asset: string, amount: bigint) =>
      amount > 0n ? take(came, asset, amount) : -take(went, `${nth} ${asset}`, -amount)
    const event = eventOf(pool, row)
    const [token, base] = [limited(pool.token, event.token), limited(pool.base, event.base)]
    const isNothing = event.event === 'swap' ? token === 0n || base === 0n : token === 0n && base === 0n
    return isNothing ? [] : [{ ...event, token, base }]
  })
}

const eventOf = (pool: OwnPool, { event, actor, tx_hash, time, amount0, amount1 }: EventRow): PoolEvent => ({
  event,
  actor,
  tx_hash,
  time,
  token: BigInt(pool.token_is_0 ? amount0 : amount1),
  base: BigInt(pool.token_is_0 ? amount1 : amount0),
})

/** Pool kinds whose liquidity events state no amounts. */
const UNMEASURED: readonly string[] = ['v4', 'infinity-cl']

/** Sets what creators brought to pools whose liquidity events state no amounts: what their vault took in with that transaction. */
const measureAdds = async (
  { store, network }: LoadContext,
  pools: ReadonlyMap<OwnPool, PoolEvent[]>,
): Promise<void> => {
  const vaults = new Map(
    [...DEX_FACTORIES[network].values()].flatMap(({ kind, address, vault = address }): [string, string][] =>
      UNMEASURED.includes(kind) ? [[kind, vault.toLowerCase()]] : [],
    ),
  )
  const wrapped = wrappedNative(network)?.address
  const keyOf = (vault: string, tx_hash: string, asset: string) =>
    `${vault} ${tx_hash} ${asset === wrapped ? '' : asset}`
  const adds = [...pools].flatMap(([pool, events]) => {
    const vault = vaults.get(pool.kind)
    return vault === undefined
      ? []
      : events.flatMap((event) =>
          event.event === 'add' && event.actor === pool.address ? [{ pool, event, vault }] : [],
        )
  })
  const rows = await inPieces(adds, (some) =>
    store.query<{ vault: string; tx_hash: string; asset: string; amount: string }>(
      BROUGHT,
      {
        network,
        vaults: [...new Set(some.map(({ vault }) => vault))],
        times: [...new Set(some.map(({ event }) => event.time))],
        transactions: [...new Set(some.map(({ event }) => event.tx_hash))],
        assets: [...new Set(['', ...(wrapped === undefined ? [] : [wrapped]), ...some.map(({ pool }) => pool.base)])],
      },
      { route: 'brought' },
    ),
  )
  const brought = new Map<string, bigint>()
  for (const { vault, tx_hash, asset, amount } of rows) {
    const key = keyOf(vault, tx_hash, asset)
    brought.set(key, (brought.get(key) ?? 0n) + BigInt(amount))
  }
  for (const { pool, event, vault } of adds) {
    const key = keyOf(vault, event.tx_hash, pool.base)
    const amount = brought.get(key) ?? 0n
    event.base = amount > 0n ? amount : 0n
    // Several positions of one transaction share it.
    brought.delete(key)
  }
}

const announcedAs = ({ pool: id, token, base, token_is_0 }: OwnPool) =>
  token_is_0 ? { id, token0: token, token1: base } : { id, token0: base, token1: token }

/** Factories of registered exchanges. Pools that none of them announced may emit any event. */
export const factoriesOf = (network: Network): string[] => [...DEX_FACTORIES[network].keys()]

/** Events by pool in chain order. `truncatedAt`: for pools with more events than are examined, the time of the last examined one. */
type PoolHistory = { events: Map<OwnPool, PoolEvent[]>; truncatedAt: Map<OwnPool, number> }

/** Loads at most 5,000 events of each pool, oldest first. Do not draw conclusions from missing events of pools in `truncatedAt`. */
export const loadEvents = async (context: LoadContext, pools: readonly OwnPool[]): Promise<PoolHistory> => {
  const { store, network } = context
  const strange = pools.filter(({ registered }) => !registered)
  const [rows, coins] = await Promise.all([
    store.query<EventRow>(
      POOL_EVENTS,
      { network, ...swapParameters(pools.map(announcedAs)), limit: MAX_EVENTS },
      { route: 'pool_events' },
    ),
    strange.length === 0
      ? []
      : store.query<CoinsRow>(
          POOL_COINS,
          {
            network,
            pools: [...new Set(strange.map(({ pool }) => pool))],
            assets: [...new Set(strange.flatMap(({ token, base }) => [token, base]))],
            limit: MAX_COINS,
          },
          { route: 'pool_coins' },
        ),
  ])
  const [rowsOf, coinsOf] = [groupedBy(rows, ({ pool }) => pool), groupedBy(coins, ({ pool }) => pool)]
  const [events, truncatedAt] = [new Map<OwnPool, PoolEvent[]>(), new Map<OwnPool, number>()]
  for (const pool of pools) {
    const its = rowsOf.get(pool.pool) ?? []
    const moved = pool.registered ? [] : (coinsOf.get(pool.pool) ?? [])
    events.set(pool, pool.registered ? its.map((row) => eventOf(pool, row)) : limitedToMovements(pool, its, moved))
    if (its.length < MAX_EVENTS && moved.length < MAX_COINS) continue
    const nth = BigInt(moved.length < MAX_COINS ? -1 : (moved.at(-1)?.nth ?? -1))
    const last = nth < 0n ? its.at(-1) : its.findLast(({ position }) => nthOf(position) <= nth)
    truncatedAt.set(pool, last?.time ?? pool.created_at)
  }
  await measureAdds(context, events)
  return { events, truncatedAt }
}

/** Pools of the batch's creators with their events in chain order, and all accounts that swapped in them. */
export type OwnPools = Readonly<PoolHistory> & {
  traders: string[]
  /** Creators of more pools than are examined. */
  manyPools: ReadonlySet<string>
}

/** Loads the pools once for all detectors that judge creators by them. Issues no query if nobody created anything. */
export const loadOwnPools = async (context: LoadContext): Promise<OwnPools> => {
  const { addresses } = await context.once(loadDeployers)
  const none: OwnPools = { events: new Map(), truncatedAt: new Map(), traders: [], manyPools: new Set() }
  if (addresses.length === 0) return none
  const { store, network } = context
  const factories = factoriesOf(network)
  const pools = await store.query<OwnPool>(
    OWN_POOLS,
    { network, addresses, factories, limit: MAX_POOLS },
    { route: 'own_pools' },
  )
  if (pools.length === 0) return none
  const { events, truncatedAt } = await loadEvents(context, pools)
  const swaps = [...events.values()].flatMap((its) => its.filter(({ event }) => event === 'swap'))
  const many = [...groupedBy(pools, ({ address }) => address)].filter(([, own]) => own.length >= MAX_POOLS)
  return {
    events,
    truncatedAt,
    traders: [...new Set(swaps.map(({ actor }) => actor))],
    manyPools: new Set(many.map(([address]) => address)),
  }
}

/**
 * Whether the events of a pool determine its reserves. They do not if liquidity events state no amounts, or if the pool has more than two
 * tokens and is represented as pairs (schema/pairs.ts): swaps into a third token are in no event of a pair.
 */
export const isMeasured = ({ pool, kind }: OwnPool, { events }: { events: ReadonlyMap<OwnPool, unknown> }): boolean =>
  !UNMEASURED.includes(kind) &&
  [...events.keys()].every((one) => one.pool === pool || poolOfPair(one.pool).pool !== poolOfPair(pool).pool)

/**
 * Whether a token has more pools, or its pools more events, than are examined. `known`: this is so for the pool itself or a registered one,
 * where events are real trade rather than statements that a maker can hide behind.
 */
export const truncationOf = (
  pool: OwnPool,
  { truncatedAt, manyPools }: Pick<OwnPools, 'truncatedAt' | 'manyPools'>,
): { any: boolean; known: boolean } => {
  const full = [...truncatedAt.keys()].filter(({ token }) => token === pool.token)
  return {
    any: manyPools.has(pool.address) || full.length > 0,
    known: full.some((one) => one.registered || one.pool === pool.pool),
  }
}

/** Events of the other pools of a pool's token, whoever in the batch created them. */
export const otherMarketsOf = (
  pool: OwnPool,
  { events }: Pick<OwnPools, 'events'>,
): { base: string; events: PoolEvent[] }[] =>
  [...events].flatMap(([one, its]) =>
    one.pool !== pool.pool && one.token === pool.token ? [{ base: one.base, events: its }] : [],
  )
