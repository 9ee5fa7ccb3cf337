/** Finds the pools of a token and chooses the one that counts. */
import type { ChainReader } from '../chain/chain.ts'
import type { ContractRegistry } from '../subject/registry.ts'
import { deepest, findMarkets, isWorth, type Market, shownPool, type V4Pool } from './market.ts'
import { announcedMarkets } from './pools/announced.ts'
import { type CurveState, readCurve } from './pools/curves.ts'
import type { AnnouncedPool } from './pools/venues.ts'
import type { Prices } from './prices.ts'

/** Pools of a token that were announced. `missing`: why there may be others. */
export type KnownPools = { v4: V4Pool[]; contracts: AnnouncedPool[]; missing?: string | undefined }

/** The token whose market is looked for. A pool that the caller asked about wins over deeper ones. */
export type FindInput = {
  chain: ChainReader
  registry: ContractRegistry
  prices: Prices
  subject: { token: string; isToken: boolean; askedPool: string | undefined }
  pools: KnownPools
}

/** Markets of a token, and which of them counts for what. */
export type Found = {
  /** The deepest market, however small. */
  market: Market | undefined
  /**
   * The market whose trades are believed: the one that was asked about, else the deepest in which nobody makes the rules, else the
   * deepest. `undefined` where none is worth anything.
   */
  trusted: Market | undefined
  markets: Market[]
  /** What the registered launchpads state of the token. */
  curve: CurveState
  /** Dollars for a coin of the base asset of each market, by address. */
  dollars: ReadonlyMap<string, number | undefined>
  /** The market, if it is worth anything. */
  worth: (market: Market | undefined) => Market | undefined
}

/**
 * The pool that counts. Whoever makes the rules of a pool may state any price and refuse any trade, so its trades are believed only
 * where there is no other. Pools against assets that nobody vouches for are looked at only where no other is worth anything:
 * whoever made the asset may have made its price.
 */
export const findMarket = async (input: FindInput): Promise<Found> => {
  const { chain, registry, prices, pools } = input
  const { token, isToken, askedPool } = input.subject
  const dollars = new Map<string, number | undefined>()
  const usdOf = (item: Market) => dollars.get(item.base.address)
  const worth: Found['worth'] = (item) => (item && isWorth(item.baseReserve, item.base, usdOf(item)) ? item : undefined)
  const priced = async (found: Market[]) => {
    const bases = new Map(found.map(({ base }) => [base.address, base]))
    const read = [...bases.values()].filter(({ address }) => !dollars.has(address))
    const usd = await Promise.all(read.map((base) => prices(chain, base)))
    read.forEach(({ address }, i) => {
      dollars.set(address, usd[i])
    })
    return found
  }
  const announced = (strangers: boolean) =>
    announcedMarkets({ chain, registry, token, pools: pools.contracts, strangers })
  if (!isToken) return { market: undefined, trusted: undefined, markets: [], curve: { stage: 'none' }, dollars, worth }
  const [asked, registered, curve] = await Promise.all([
    findMarkets(chain, registry, token, pools.v4),
    announced(false),
    readCurve(chain, registry, token),
  ])
  const markets = await priced([...asked, ...registered, ...(curve.market ? [curve.market] : [])])
  const isAsked = (item: Market) => shownPool(item) === askedPool
  if (!markets.some(worth)) markets.push(...(await priced(await announced(true))))
  const chosen = worth(markets.find((item) => isAsked(item) && item.baseReserve > 0n))
  const market = chosen ?? deepest(markets, usdOf)
  const vouched = markets.filter(({ base }) => !base.unvouched)
  const unruled = worth(
    deepest(
      vouched.filter(({ ruled }) => !ruled),
      usdOf,
    ),
  )
  return { market, trusted: chosen ?? unruled ?? worth(deepest(vouched, usdOf)), markets, curve, dollars, worth }
}
