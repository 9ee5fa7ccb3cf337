/** Trades in one market, as far as they say something of the token. */
import type { ChainReader } from '../chain/chain.ts'
import { type Step, ZERO } from '../chain/simulator/script.ts'
import type { Market } from '../market/market.ts'
import type { TradeFacts } from './facts.ts'
import { judgedByRouter } from './judged/router.ts'
import { judgedUnderRules } from './ruled.ts'
import type { SimulationSetup } from './simulation-setup.ts'
import { simulateTrades } from './trade.ts'
import { runRouterSales } from './tried/router-sales.ts'
import type { Variation } from './variation.ts'

/** Part of a pool's tokens that a holder has to have for a trial sale to be worth anything. */
const LEAST_SHARE = 1_000_000n

/** The market, and what to try there. */
export type TradeAtInput = {
  chain: ChainReader
  /** `undefined`: without a market, sales are transfers to a fresh address. */
  market: Market | undefined
  simulation: SimulationSetup
  /** Steps that open trading first; empty for the state as it is. */
  opening: Step[]
  insiders: string[]
  holders: string[]
  /** Whether those behind the token made the market, where its maker makes its rules. */
  own: boolean
  /** How far the code of the token lets its trades differ. */
  variation: Variation
}

/** Pools that do the same at every moment. */
const STEADY: ReadonlySet<string> = new Set(['none', 'v2', 'v3', 'solidly'])

/**
 * Tries trades against the pool itself and, where one is registered, through the exchange's router as well, because
 * tokens may treat it otherwise. A sale that works either way works.
 */
export const tradeAt = async ({ market, own, ...rest }: TradeAtInput): Promise<TradeFacts> => {
  const { simulation } = rest
  const { kind } = simulation.setup
  // What a stranger's pool takes from time to time says nothing of the token.
  const byRules = market?.ruled ? { byBlock: true, byTrades: own } : undefined
  const byDesign = STEADY.has(kind) ? rest.variation : { byBlock: true, byTrades: true }
  const variation = byRules ?? byDesign
  const input = { ...rest, variation, leastHeld: (market?.tokenReserve ?? 0n) / LEAST_SHARE }
  if (!market || market.ruled || market.router === ZERO) {
    const direct = await simulateTrades(input)
    return market?.ruled ? judgedUnderRules(direct, own) : direct
  }
  const [direct, routed] = await Promise.all([
    simulateTrades(input),
    runRouterSales({ chain: input.chain, simulation, market, opening: input.opening }),
  ])
  if (direct.canBuy !== false && direct.canSell !== false) return judgedByRouter(direct, routed, false)
  // Refused at the pool itself: the exchange's own router has the last word.
  const setup = { ...simulation.setup, router: market.router }
  const second = await simulateTrades({ ...input, simulation: { ...simulation, setup } })
  const sold = routed?.sales.some(({ sale }) => sale?.ok)
  if ((direct.canBuy || second.canBuy) && routed && sold) {
    const seenAllMoments = routed.sales.every(({ sale }) => sale !== undefined)
    return judgedByRouter({ ...second, canBuy: true, canSell: true, neverSold: false, seenAllMoments }, routed, true)
  }
  return second.canBuy && !direct.canBuy ? second : direct
}

/** Whether one of these people sent the transaction that announced the market. */
export const madeByOne = async (
  chain: ChainReader,
  market: Market | undefined,
  people: readonly string[],
): Promise<boolean> => {
  if (!market?.ruled || market.announced === undefined) return false
  const sender = (await chain.transaction(market.announced))?.from.toLowerCase()
  return sender !== undefined && people.includes(sender)
}
