/**
 * Pools of the tokens that wallets created, and what happened in them.
 *
 * Anybody can announce a contract of his as a pool of somebody else's token, and have it state what he likes. So where no registered
 * factory announced it, an event counts as far as coins moved.
 */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Network } from '../../../../schema/networks.ts'
import { poolOfPair, swapParameters } from '../../../../schema/pairs.ts'
import { DEX_FACTORIES } from '../../../../schema/registry/contracts.ts'
import { groupedBy, type LoadContext } from '../../context.ts'
import { loadDeployers } from '../../shared/contracts/deployers.ts'

const OWN_POOLS = readSql(import.meta.url, './own-pools.sql')
const POOL_EVENTS = readSql(import.meta.url, './pool-events.sql')
const POOL_COINS = readSql(import.meta.url, './pool-coins.sql')

/** Events of a pool looked at, oldest first: rugs and honeypots show early. */
const MAX_EVENTS = 5_000
/** Rows of coins of a strange pool looked at. */
const MAX_COINS = 2 * MAX_EVENTS
/** Pools of one creator looked at. */
const MAX_POOLS = 100

/**
 * A pool of a token that the wallet `address` created. `base` is what the token is traded for, `created_at` in Unix
 * seconds.
 */
export type OwnPool = {
  address: string
  pool: string
  kind: string
  token: string
  token_is_0: 0 | 1
  base: string
  created_at: number
  /** Whether a factory of the registry announced it, with these tokens. */
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

/** An event of a pool, amounts in base units from the pool's view: positive came in. */
export type PoolEvent = Pick<EventRow, 'event' | 'actor' | 'tx_hash' | 'time'> & { token: bigint; base: bigint }

/** `nth`: of the transaction, among all of the chain. */
type CoinsRow = { pool: string; nth: string; asset: string; came: string; went: string }

/** Transactions are numbered by the upper bits of a position. */
const nthOf = (position: string): bigint => BigInt(position) >> 19n

/**
 * Events as far as coins moved: what came in by then, which may have been sent ahead, and what left in the same transaction. Nothing
 * counts twice.
 * @param rows those of the events, and `coins`, both in chain order
 */
const asMoved = (pool: OwnPool, rows: readonly EventRow[], coins: readonly CoinsRow[]): PoolEvent[] => {
  const [came, went] = [new Map<string, bigint>(), new Map<string, bigint>()]
  const take = (from: Map<string, bigint>, key: string, amount: bigint): bigint => {
    const held = from.get(key) ?? 0n
    const moved = amount < held ? amount : held
    from.set(key, held - moved)
    return moved
  }
  let next = 0
  return rows.flatMap((row) => {
    const nth = nthOf(row.position)
    for (let coin = coins[next]; coin && BigInt(coin.nth) <= nth; coin = coins[++next]) {
      came.set(coin.asset, (came.get(coin.asset) ?? 0n) + BigInt(coin.came))
      went.set(`${coin.nth} ${coin.asset}`, BigInt(coin.went))
    }
    const asIt = (asset: string, amount: bigint) =>
      amount > 0n ? take(came, asset, amount) : -take(went, `${nth} ${asset}`, -amount)
    const event = eventOf(pool, row)
    const [token, base] = [asIt(pool.token, event.token), asIt(pool.base, event.base)]
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

const announcedAs = ({ pool: id, token, base, token_is_0 }: OwnPool) =>
  token_is_0 ? { id, token0: token, token1: base } : { id, token0: base, token1: token }

/** Addresses of the registered exchanges; a pool that none of them announced may state whatever its maker likes. */
export const factoriesOf = (network: Network): string[] => [...DEX_FACTORIES[network].keys()]

/** What happened in some pools, in chain order, and of which of them more happened than is looked at: the time of the last that is. */
type Happened = { events: Map<OwnPool, PoolEvent[]>; until: Map<OwnPool, number> }

/**
 * Reads at most 5,000 events of each pool, the oldest first. `until` has the pools with more, so that nothing is
 * concluded from what is missing.
 */
export const loadEvents = async ({ store, network }: LoadContext, pools: readonly OwnPool[]): Promise<Happened> => {
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
  const [events, until] = [new Map<OwnPool, PoolEvent[]>(), new Map<OwnPool, number>()]
  for (const pool of pools) {
    const its = rowsOf.get(pool.pool) ?? []
    const moved = pool.registered ? [] : (coinsOf.get(pool.pool) ?? [])
    events.set(pool, pool.registered ? its.map((row) => eventOf(pool, row)) : asMoved(pool, its, moved))
    if (its.length < MAX_EVENTS && moved.length < MAX_COINS) continue
    const nth = BigInt(moved.length < MAX_COINS ? -1 : (moved.at(-1)?.nth ?? -1))
    const last = nth < 0n ? its.at(-1) : its.findLast(({ position }) => nthOf(position) <= nth)
    until.set(pool, last?.time ?? pool.created_at)
  }
  return { events, until }
}

/** Pools of the batch's creators with their events in chain order, and everybody who swapped in them. */
export type OwnPools = Readonly<Happened> & {
  traders: string[]
  /** Creators of more pools than are looked at. */
  many: ReadonlySet<string>
}

/** Read once for all detectors that judge creators by their pools; nothing is asked when nobody created anything. */
export const loadOwnPools = async (context: LoadContext): Promise<OwnPools> => {
  const { addresses } = await context.once(loadDeployers)
  const none: OwnPools = { events: new Map(), until: new Map(), traders: [], many: new Set() }
  if (addresses.length === 0) return none
  const { store, network } = context
  const factories = factoriesOf(network)
  const pools = await store.query<OwnPool>(
    OWN_POOLS,
    { network, addresses, factories, limit: MAX_POOLS },
    { route: 'own_pools' },
  )
  if (pools.length === 0) return none
  const { events, until } = await loadEvents(context, pools)
  const swaps = [...events.values()].flatMap((its) => its.filter(({ event }) => event === 'swap'))
  const many = [...groupedBy(pools, ({ address }) => address)].filter(([, own]) => own.length >= MAX_POOLS)
  return {
    events,
    until,
    traders: [...new Set(swaps.map(({ actor }) => actor))],
    many: new Set(many.map(([address]) => address)),
  }
}

/** Designs whose changes of liquidity state no amounts. */
const UNMEASURED: readonly string[] = ['v4', 'infinity-cl']

/**
 * Whether events of a pool say what lies in it: not where changes of liquidity state no amounts, nor in a pool of more than two tokens,
 * which is stated as its pairs (schema/pairs.ts): what others changed into a third token is in none of the events of one pair.
 */
export const isMeasured = ({ pool, kind }: OwnPool, { events }: Pick<OwnPools, 'events'>): boolean =>
  !UNMEASURED.includes(kind) &&
  [...events.keys()].every((one) => one.pool === pool || poolOfPair(one.pool).pool !== poolOfPair(pool).pool)

/**
 * Whether more happened in the pools of a pool's token, or in more pools of it, than is looked at. `known`: in this pool or in one of a registered
 * factory, where that is somebody's trade and not what a maker may state to hide behind.
 */
export const floodOf = (
  pool: OwnPool,
  { until, many }: Pick<OwnPools, 'until' | 'many'>,
): { any: boolean; known: boolean } => {
  const full = [...until.keys()].filter(({ token }) => token === pool.token)
  return {
    any: many.has(pool.address) || full.length > 0,
    known: full.some((one) => one.registered || one.pool === pool.pool),
  }
}

/** What happened in the other pools of a pool's token, whoever of the batch created them. */
export const otherMarketsOf = (
  pool: OwnPool,
  { events }: Pick<OwnPools, 'events'>,
): { base: string; events: PoolEvent[] }[] =>
  [...events].flatMap(([one, its]) =>
    one.pool !== pool.pool && one.token === pool.token ? [{ base: one.base, events: its }] : [],
  )
