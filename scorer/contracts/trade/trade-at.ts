/** Simulates trades in one market and keeps what they prove about the token. */
import type { ChainReader } from '../chain/chain.ts'
import { type Step, ZERO } from '../chain/simulator/script.ts'
import type { Market } from '../market/market.ts'
import { judgeCustomRules } from './custom-rules.ts'
import type { TradeFacts } from './facts.ts'
import { closingOf, soldAnywhere, withRouterSales } from './judged/router.ts'
import type { SimulationSetup } from './simulation-setup.ts'
import { simulateTrades } from './trade.ts'
import { type RouterSales, runFreshWeeks, runHeldWeeks, runRouterSales } from './tried/router-sales.ts'
import type { Variation } from './variation.ts'

/** A trial sale needs a holder with at least this fraction (1/n) of the pool's tokens. */
const MIN_SHARE = 1_000_000n

/** The market and the trials. */
export type TradeAtInput = {
  chain: ChainReader
  /** `undefined`: sales become transfers to a fresh address. */
  market: Market | undefined
  simulation: SimulationSetup
  /** Steps that open trading first; empty for the state as it is. */
  opening: Step[]
  insiders: string[]
  holders: string[]
  /** Whether the token's makers created the market and its custom rules. */
  own: boolean
  /** How far the token's code allows trades to differ over time. */
  variation: Variation
}

/** Pools that behave the same at every moment. */
const STEADY: ReadonlySet<string> = new Set(['none', 'v2', 'v3', 'solidly'])

/**
 * Tries trades with the pool itself and through the exchange's router, if one is registered, because tokens may treat
 * it differently. A sale that works either way counts as working.
 */
export const tradeAt = async ({ market, own, ...rest }: TradeAtInput): Promise<TradeFacts> => {
  const { simulation } = rest
  const { kind } = simulation.setup
  // Fees that vary in a pool of unknown origin prove nothing about the token.
  const byRules = market?.customRules ? { byBlock: true, byTrades: own } : undefined
  const byDesign = STEADY.has(kind) ? rest.variation : { byBlock: true, byTrades: true }
  const variation = byRules ?? byDesign
  const input = { ...rest, variation, minHeld: (market?.tokenReserve ?? 0n) / MIN_SHARE }
  if (!market || market.customRules || market.router === ZERO) {
    const direct = await simulateTrades(input)
    return market?.customRules ? judgeCustomRules(direct, own, rest.variation.byTrades) : direct
  }
  const routing = { chain: input.chain, simulation, market, opening: input.opening, variation }
  const [direct, routed] = await Promise.all([simulateTrades(input), runRouterSales(routing)])
  const withRouted = async (trade: TradeFacts, sold: RouterSales, alone: boolean) => {
    const weeks = variation.byBlock
      ? { held: () => runHeldWeeks(routing), fresh: () => runFreshWeeks(routing) }
      : undefined
    const closing = !trade.closesLater && (await closingOf(sold, trade.atAges, alone, weeks))
    return withRouterSales(trade, sold, alone, closing)
  }
  if (direct.canBuy !== false && direct.canSell !== false) return routed ? withRouted(direct, routed, false) : direct
  // Refused at the pool itself: the router decides.
  const setup = { ...simulation.setup, router: market.router }
  const second = await simulateTrades({ ...input, simulation: { ...simulation, setup } })
  if ((direct.canBuy || second.canBuy) && routed && (second.canSell || soldAnywhere(routed)))
    return withRouted({ ...second, canBuy: true, canSell: true, neverSold: false, seenAllMoments: true }, routed, true)
  return second.canBuy && !direct.canBuy ? second : direct
}

/** Whether one of these accounts sent the transaction that created the market. */
export const isMarketMadeBy = async (
  chain: ChainReader,
  market: Market | undefined,
  people: readonly string[],
): Promise<boolean> => {
  if (!market?.customRules || market.announced === undefined) return false
  const sender = (await chain.transaction(market.announced))?.from.toLowerCase()
  return sender !== undefined && people.includes(sender)
}
