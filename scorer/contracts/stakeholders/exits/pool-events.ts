/** Events that changed the reserves of a token's pools within a month, with their value. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { swapParameters } from '../../../../schema/pairs.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import { coins, findMarkets, isStoredWithoutAmounts, type Market, pairOf } from '../../market/market.ts'
import type { ContractRegistry } from '../../subject/registry.ts'
import type { ListedEvent } from '../events.ts'
import type { TokenContext } from '../stakeholders.ts'
import type { PoolEvent } from './exits.ts'
import { type EventRow, eventsFrom } from './rows.ts'

const EVENTS = readSql(import.meta.url, './sql/pool-events.sql')
const MONTH = 30 * 86_400
/** Maximum number of events per pool, largest first, and of swaps over all pools, by value: a rug shows in few. */
const [MAX_EVENTS, MAX_SWAPS] = [1_000, 100_000]
/** USD price of a native coin of unknown price, for comparisons only. */
const UNPRICED = 1_000

/** Pools against registered assets; all pools when there is none. */
const registeredOnly = (markets: readonly Market[]): readonly Market[] => {
  const vouched = markets.filter(({ base }) => !base.unregistered)
  return vouched.length === 0 || vouched.length === markets.length ? markets : vouched
}

/** Input of the search for exits. */
export type ExitInput = {
  chain: ChainReader
  registry: ContractRegistry
  store: Store | undefined
  network: Network
  known: TokenContext
  /** Root creator, empty when unknown, and the token's creation time (Unix seconds). */
  creator: string
  createdAt: number | undefined
  /** Liquidity events of the pools, newest first, for pools that the tables lack. */
  listed: readonly ListedEvent[]
}

/** USD value of base units of a pool's base asset. */
export type UsdValueOf = (pool: Pick<Market, 'base'>, base: bigint) => number

/**
 * Creates the valuation of pool amounts. The creator of an unregistered asset can set its price, so amounts of it are
 * worth at most the reserves of its deepest pool.
 */
export const readUsdValues = async ({ chain, registry, known }: ExitInput): Promise<UsdValueOf> => {
  const { markets, usdPrices } = known
  const natives = [ZERO, registry.wrappedNative]
  const usdOf = ({ address, stable }: Market['base']) =>
    usdPrices.get(address) ?? (stable ? 1 : natives.includes(address) ? UNPRICED : 0)
  const unregistered = registeredOnly(markets) === markets ? [] : markets.filter(({ base }) => base.unregistered)
  const assets = new Set(unregistered.map(({ base }) => base.address))
  const depths = await Promise.all(
    [...assets].map(async (asset): Promise<[string, number]> => {
      const pools = await findMarkets(chain, registry, asset)
      return [
        asset,
        Math.max(0, ...pools.map(({ base, baseReserve }) => coins(baseReserve, base.decimals) * usdOf(base))),
      ]
    }),
  )
  const depthOf = new Map(depths)
  return ({ base: asset }, base) => {
    const most = depthOf.get(asset.address) ?? Number.POSITIVE_INFINITY
    return Math.min(most, coins(base, asset.decimals) * usdOf(asset))
  }
}

/** Events in chain order: from the tables, and from `listed` when the tables have no amounts or no events. */
export const readPoolEvents = async (input: ExitInput, usdValueOf: UsdValueOf): Promise<PoolEvent[]> => {
  const { chain, store, network, known, listed } = input
  const { subject } = known
  const markets = registeredOnly(known.markets)
  const since = Math.max(0, chain.time - MONTH)
  const announced = markets.map((item) => pairOf(subject.token, item))
  const token_first = announced.filter(({ token0 }) => token0 === subject.token).map(({ id }) => id)
  const limits = { most: MAX_EVENTS, most_swaps: MAX_SWAPS }
  const units = markets.map((item) => usdValueOf(item, 1n))
  const stored =
    (await store?.query<EventRow>(
      EVENTS,
      { network, ...swapParameters(announced), units, token_first, since, ...limits },
      { route: 'contract_pool_events' },
    )) ?? []
  const ofTables = new Set(stored.filter(({ event }) => event !== 'swap').map(({ pool }) => pool))
  const counted = new Set(markets.map(({ id }) => id))
  const elsewhere = listed.filter(
    ({ pool, time }) =>
      counted.has(pool.id) && time >= since && (isStoredWithoutAmounts(pool) || !ofTables.has(pool.id)),
  )
  const measured = new Set(elsewhere.map(({ pool }) => pool.id))
  const events = eventsFrom(stored, { token: subject.token, pools: markets, measured, usdValueOf })
  const others = elsewhere.map(({ event, provider, owner = '', txHash, base, tokens, time, pool }): PoolEvent => {
    const signed = event === 'add' ? base : -base
    return {
      pool: pool.id,
      event,
      actor: provider,
      owner,
      txHash,
      time,
      base: signed,
      tokens,
      value: usdValueOf(pool, signed),
    }
  })
  return others.length === 0 ? events : [...events, ...others.reverse()].sort((one, next) => one.time - next.time)
}
