/** Trades of the examined contract: where and by whom they are simulated, and which results count. */
import type { ChainReader } from '../chain/chain.ts'
import type { Step } from '../chain/simulator/script.ts'
import type { Market } from '../market/market.ts'
import type { BaseAsset, ContractRegistry } from '../subject/registry.ts'
import type { Subject } from '../subject/subject.ts'
import { tradeOnCurve } from '../trade/curve.ts'
import type { EoaSell } from '../trade/eoa-sell.ts'
import type { TradeFacts } from '../trade/facts.ts'
import { TRAP_TAX } from '../trade/outcome.ts'
import {
  type BalanceSlot,
  buildSetup,
  findBalanceSlot,
  type SimulationSetup,
  withActors,
} from '../trade/simulation-setup.ts'
import { tradeAt } from '../trade/trade-at.ts'
import { variationOf } from '../trade/variation.ts'
import type { Actors } from './actors.ts'

/** Vaults, farms and lockers have no market; wrapped coins stand for the deposits of their users. */
const withAssets = (simulation: SimulationSetup, wrapped: string): SimulationSetup => ({
  ...simulation,
  setup: { ...simulation.setup, base: wrapped, small: 10n ** 15n },
  funding: [{ op: 'call', actor: simulation.director, target: wrapped, data: '0xd0e30db0', value: 10n ** 18n }],
})

/** Whether purchased tokens cannot be sold, or lose at least `TRAP_TAX` when sold. */
const isTrap = ({ canBuy, canSell, closesLater, lastingTax }: TradeFacts): boolean =>
  canBuy === true && (canSell === false || closesLater || (lastingTax.sell ?? 0) >= TRAP_TAX)

/**
 * Overrides a refusal when an account without code sold: the token refuses contracts only, as the simulator's actors
 * are.
 */
const withEoaSell = (trade: TradeFacts, plain: EoaSell | undefined): TradeFacts => {
  if (plain?.outcome !== 'sold' || trade.canSell !== false) return trade
  const sell = plain.tax === undefined ? undefined : { ok: true, tax: plain.tax, reason: '' }
  const evidence = trade.evidence.filter((line) => !line.startsWith('selling is refused'))
  const lastingTax = { ...trade.lastingTax, sell: plain.lastingTax }
  return {
    ...trade,
    canSell: true,
    neverSold: false,
    sell,
    lastingTax,
    evidence: [...evidence, 'contracts may not sell'],
  }
}

/**
 * Combines trades of the chosen market, trades of a deeper pool with rules by the token's makers (`inOwn`), and sales
 * of an account without code.
 */
export const combineTrades = (
  tried: TradeFacts,
  inOwn: TradeFacts | undefined,
  plain: EoaSell | undefined,
): TradeFacts => (inOwn && isTrap(inOwn) ? inOwn : withEoaSell(tried, plain))

/** How trades of a contract are simulated. */
export type Trades = {
  /** Market on which trades are simulated; `undefined` when none is trusted or its base asset cannot be provided. */
  traded: Market | undefined
  /** Whether that market is a bonding curve, on which accounts without code trade instead of the simulator's actors. */
  onCurve: boolean
  /** Setup for calls. */
  simulation: SimulationSetup
  /** The same setup with insiders and holders as actors. */
  tradeSetup: SimulationSetup
  /** Simulates trades in the market after the opening steps. */
  trade: (setup: SimulationSetup, opening: Step[]) => Promise<TradeFacts>
  /** Simulates trades in the deepest pool, if that is another pool whose rules the token's makers set. */
  inOwnPool: () => Promise<TradeFacts | undefined>
}

/**
 * Prepares the simulation of trades. A market whose base asset cannot be provided is not used: every trade would be
 * refused.
 */
export const tradesOf = async (input: {
  chain: ChainReader
  registry: ContractRegistry
  subject: Subject
  people: Actors
  balances: BalanceSlot | undefined
  /** The deepest market, and whether it holds enough value to count. */
  market: Market | undefined
  listed: boolean
  /** The market whose trades are trusted. */
  trusted: Market | undefined
  /** Existing holders, and the maximum number of them that sell. */
  holders: readonly string[]
  most: number
}): Promise<Trades> => {
  const { chain, registry, subject, people, market, trusted, listed, balances } = input
  const { insiders, infrastructure, ownMarket } = people
  const { token, supply } = subject
  const { wrappedNative } = registry
  const baseBalances = (base: BaseAsset) => findBalanceSlot(chain, base.address, [])
  const setupOn = (on: Market | undefined) =>
    buildSetup({ chain, token, market: on, wrappedNative, balances, supply, baseBalances })
  const onCurve = trusted?.curve !== undefined
  const first = await setupOn(onCurve ? undefined : trusted)
  const traded = first.funded ? trusted : undefined
  const built = first.funded ? first : await setupOn(undefined)
  const simulation = traded && !onCurve ? built : withAssets(built, wrappedNative)
  // Contracts keep their own code; only accounts without code act as traders.
  const codes = await Promise.all(insiders.map((insider) => chain.code(insider)))
  const traders = insiders.filter((_, i) => (codes[i]?.length ?? 2) <= 2).slice(0, 2)
  const sellers = input.holders
    .filter((holder) => !infrastructure.has(holder) && !insiders.includes(holder))
    .slice(0, input.most)
  const withPeople = (place: SimulationSetup) => withActors(place, [...traders, ...sellers])
  // A proxy's own code may read the clock as well.
  const variation = variationOf(subject.functions, subject.facts.complete && subject.proxy.hops.length === 0)
  const tradeOn = (on: Market | undefined, place: SimulationSetup, opening: Step[]): Promise<TradeFacts> =>
    on?.curve
      ? tradeOnCurve({ chain, token, market: on, curve: on.curve, simulation: place, baseBalances })
      : tradeAt({
          chain,
          market: on,
          simulation: place,
          opening,
          own: ownMarket && on === market,
          variation,
          insiders: traders,
          holders: sellers,
        })
  return {
    traded,
    onCurve,
    simulation,
    tradeSetup: withPeople(simulation),
    trade: (setup, opening) => tradeOn(traded, setup, opening),
    inOwnPool: async () => {
      if (!ownMarket || !listed || !market || market === traded || market.base.unregistered) return undefined
      const place = await setupOn(market)
      return place.funded ? tradeOn(market, withPeople(place), []) : undefined
    },
  }
}
