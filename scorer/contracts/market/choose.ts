/** Finds the pools of a token and chooses the market to use. */
import type { ChainReader } from '../chain/chain.ts'
import type { ContractRegistry } from '../subject/registry.ts'
import { deepest, findMarkets, isAboveDust, type Market, poolAddressOf, type V4Pool } from './market.ts'
import { announcedMarkets } from './pools/announced.ts'
import { type CurveState, readCurve } from './pools/curves.ts'
import type { AnnouncedPool } from './pools/venues.ts'
import type { Prices } from './prices.ts'

/** Pools of a token from events. `missing`: why there may be others. */
export type KnownPools = { v4: V4Pool[]; contracts: AnnouncedPool[]; missing?: string | undefined }

/** The token to find a market for. A pool that the caller asked about takes precedence over deeper ones. */
export type FindInput = {
  chain: ChainReader
  registry: ContractRegistry
  prices: Prices
  subject: { token: string; isToken: boolean; askedPool: string | undefined }
  pools: KnownPools
}

/** Markets of a token, and the chosen ones. */
export type Found = {
  /** The deepest market, however small. */
  market: Market | undefined
  /**
   * The market whose trades are trusted: the one that was asked about, else the deepest without custom rules, else the
   * deepest. `undefined` when none holds enough value.
   */
  trusted: Market | undefined
  markets: Market[]
  /** State of the token's bonding curve, from registered launchpads. */
  curve: CurveState
  /** USD price of each market's base asset, by address. */
  usdPrices: ReadonlyMap<string, number | undefined>
  /** The given market if it holds enough value to count (`isAboveDust`). */
  ifAboveDust: (market: Market | undefined) => Market | undefined
}

/**
 * Chooses the market. The creator of a pool with custom rules can state any price and refuse any trade, so such a pool
 * is trusted only when there is no other. Pools against unregistered assets are read only when no other pool holds
 * enough value, because the asset's creator may have made its price.
 */
export const findMarket = async (input: FindInput): Promise<Found> => {
  const { chain, registry, prices, pools } = input
  const { token, isToken, askedPool } = input.subject
  const usdPrices = new Map<string, number | undefined>()
  const usdOf = (item: Market) => usdPrices.get(item.base.address)
  const ifAboveDust: Found['ifAboveDust'] = (item) =>
    item && isAboveDust(item.baseReserve, item.base, usdOf(item)) ? item : undefined
  const priced = async (found: Market[]) => {
    const bases = new Map(found.map(({ base }) => [base.address, base]))
    const read = [...bases.values()].filter(({ address }) => !usdPrices.has(address))
    const usd = await Promise.all(read.map((base) => prices(chain, base)))
    read.forEach(({ address }, i) => {
      usdPrices.set(address, usd[i])
    })
    return found
  }
  const announced = (unregistered: boolean) =>
    announcedMarkets({ chain, registry, token, pools: pools.contracts, unregistered })
  if (!isToken)
    return { market: undefined, trusted: undefined, markets: [], curve: { stage: 'none' }, usdPrices, ifAboveDust }
  const [asked, known, curve] = await Promise.all([
    findMarkets(chain, registry, token, pools.v4),
    announced(false),
    readCurve(chain, registry, token),
  ])
  const markets = await priced([...asked, ...known, ...(curve.market ? [curve.market] : [])])
  const isAsked = (item: Market) => poolAddressOf(item) === askedPool
  if (!markets.some(ifAboveDust)) markets.push(...(await priced(await announced(true))))
  const chosen = ifAboveDust(markets.find((item) => isAsked(item) && item.baseReserve > 0n))
  const market = chosen ?? deepest(markets, usdOf)
  const registered = markets.filter(({ base }) => !base.unregistered)
  const withoutRules = ifAboveDust(
    deepest(
      registered.filter(({ customRules }) => !customRules),
      usdOf,
    ),
  )
  return {
    market,
    trusted: chosen ?? withoutRules ?? ifAboveDust(deepest(registered, usdOf)),
    markets,
    curve,
    usdPrices,
    ifAboveDust,
  }
}
