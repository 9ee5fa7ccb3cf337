/** What changed the reserves of a token's pools within a month, and what it was worth. */
import { readSql } from '../../../../platform/store/sql.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Network } from '../../../../schema/networks.ts'
import { swapParameters } from '../../../../schema/pairs.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { ZERO } from '../../chain/simulator/script.ts'
import { announcedAs, coins, findMarkets, isUnmeasured, type Market } from '../../market/market.ts'
import type { ContractRegistry } from '../../subject/registry.ts'
import type { ListedEvent } from '../events.ts'
import type { Known } from '../stakeholders.ts'
import type { PoolEvent } from './exits.ts'
import { type EventRow, eventsFrom } from './rows.ts'

const EVENTS = readSql(import.meta.url, './sql/pool-events.sql')
const MONTH = 30 * 86_400
/** Largest events of each pool, and swaps of all pools that are looked through, those of most value: a rug shows in few. */
const [MOST_EVENTS, MOST_SWAPS] = [1_000, 100_000]
/** Dollars of a native coin of unknown price, for comparisons only. */
const UNPRICED = 1_000

/** Pools against assets that somebody vouches for; all where there is none. */
const vouchedOf = (markets: readonly Market[]): readonly Market[] => {
  const vouched = markets.filter(({ base }) => !base.unvouched)
  return vouched.length === 0 || vouched.length === markets.length ? markets : vouched
}

/** What exits are looked for in. */
export type ExitInput = {
  chain: ChainReader
  registry: ContractRegistry
  store: Store | undefined
  network: Network
  known: Known
  /** Root creator, empty when unknown, and when the token was made (Unix seconds). */
  creator: string
  createdAt: number | undefined
  /** Liquidity events of the pools, newest first, for what the tables do not know. */
  listed: readonly ListedEvent[]
}

/** Dollars of base units of a pool's base asset. */
export type WorthOf = (pool: Pick<Market, 'base'>, base: bigint) => number

/**
 * Values of what lies in pools. Whoever made an asset names its price, so what nobody vouches for is worth at most what the deepest
 * pool of that asset could pay for it.
 */
export const readWorth = async ({ chain, registry, known }: ExitInput): Promise<WorthOf> => {
  const { markets, dollars } = known
  const natives = [ZERO, registry.wrappedNative]
  const usdOf = ({ address, stable }: Market['base']) =>
    dollars.get(address) ?? (stable ? 1 : natives.includes(address) ? UNPRICED : 0)
  const strange = vouchedOf(markets) === markets ? [] : markets.filter(({ base }) => base.unvouched)
  const assets = new Set(strange.map(({ base }) => base.address))
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

/** Events in chain order: from the tables, and from `listed` where the tables have no amounts or nothing at all. */
export const readPoolEvents = async (input: ExitInput, worthOf: WorthOf): Promise<PoolEvent[]> => {
  const { chain, store, network, known, listed } = input
  const { subject } = known
  const markets = vouchedOf(known.markets)
  const since = Math.max(0, chain.time - MONTH)
  const announced = markets.map((item) => announcedAs(subject.token, item))
  const token_first = announced.filter(({ token0 }) => token0 === subject.token).map(({ id }) => id)
  const limits = { most: MOST_EVENTS, most_swaps: MOST_SWAPS }
  const units = markets.map((item) => worthOf(item, 1n))
  const stored =
    (await store?.query<EventRow>(
      EVENTS,
      { network, ...swapParameters(announced), units, token_first, since, ...limits },
      { route: 'contract_pool_events' },
    )) ?? []
  const ofTables = new Set(stored.filter(({ event }) => event !== 'swap').map(({ pool }) => pool))
  const counted = new Set(markets.map(({ id }) => id))
  const elsewhere = listed.filter(
    ({ pool, time }) => counted.has(pool.id) && time >= since && (isUnmeasured(pool) || !ofTables.has(pool.id)),
  )
  const measured = new Set(elsewhere.map(({ pool }) => pool.id))
  const events = eventsFrom(stored, { token: subject.token, pools: markets, measured, worthOf })
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
      value: worthOf(pool, signed),
    }
  })
  return others.length === 0 ? events : [...events, ...others.reverse()].sort((one, next) => one.time - next.time)
}
