/** Trades of the contract that is examined: where they are simulated, by whom, and what is believed of them. */
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
import type { People } from './people.ts'

/** Vaults, farms and lockers have no market: wrapped coins are what their people may have left with them. */
const withAssets = (simulation: SimulationSetup, wrapped: string): SimulationSetup => ({
  ...simulation,
  setup: { ...simulation.setup, base: wrapped, small: 10n ** 15n },
  funding: [{ op: 'call', actor: simulation.director, target: wrapped, data: '0xd0e30db0', value: 10n ** 18n }],
})

/** What was bought cannot be sold again, or for next to nothing. */
const isTrap = ({ canBuy, canSell, closesLater, lastingTax }: TradeFacts): boolean =>
  canBuy === true && (canSell === false || closesLater || (lastingTax.sell ?? 0) >= TRAP_TAX)

/** A token that refuses contracts only is sold by people: then the simulator's actors could not tell. */
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

/** Of trades in two markets and a sale by a plain account, what counts. `inOwn`: in a deeper pool whose rules the token's makers made. */
export const believed = (tried: TradeFacts, inOwn: TradeFacts | undefined, plain: EoaSell | undefined): TradeFacts =>
  inOwn && isTrap(inOwn) ? inOwn : withEoaSell(tried, plain)

/** Where and how a contract's trades are simulated. */
export type Trades = {
  /** The market trades are simulated on; `undefined` where there is none that is believed, or nothing to pay with. */
  traded: Market | undefined
  /** Whether that is the curve of a launchpad, on which people trade and no actor of the simulator's. */
  onCurve: boolean
  /** For calls. */
  simulation: SimulationSetup
  /** The same with insiders and holders who act. */
  tradeSetup: SimulationSetup
  /** Trades in the market, after steps that open it. */
  trade: (setup: SimulationSetup, opening: Step[]) => Promise<TradeFacts>
  /** Trades where most trade, if that is another pool, whose rules those behind the token made. */
  inOwnPool: () => Promise<TradeFacts | undefined>
}

/** Sets the scene for trades. Who has no base asset trades nowhere: everybody would be refused. */
export const tradesOf = async (input: {
  chain: ChainReader
  registry: ContractRegistry
  subject: Subject
  people: People
  balances: BalanceSlot | undefined
  /** The deepest market, and whether it is worth anything. */
  market: Market | undefined
  listed: boolean
  /** The one whose trades are believed. */
  trusted: Market | undefined
  /** Existing holders of the token, and how many of them sell. */
  holders: readonly string[]
  most: number
}): Promise<Trades> => {
  const { chain, registry, subject, people, market, trusted, listed, balances } = input
  const { insiders, notPeople, own } = people
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
  // Contracts that play a part of their own keep their code; only plain accounts are made to act for trades.
  const codes = await Promise.all(insiders.map((insider) => chain.code(insider)))
  const traders = insiders.filter((_, i) => (codes[i]?.length ?? 2) <= 2).slice(0, 2)
  const sellers = input.holders
    .filter((holder) => !notPeople.has(holder) && !insiders.includes(holder))
    .slice(0, input.most)
  const withPeople = (place: SimulationSetup) => withActors(place, [...traders, ...sellers])
  // Code that stands before the token's own may look at the clock as well.
  const variation = variationOf(subject.functions, subject.facts.complete && subject.proxy.hops.length === 0)
  const tradeOn = (on: Market | undefined, place: SimulationSetup, opening: Step[]): Promise<TradeFacts> =>
    on?.curve
      ? tradeOnCurve({ chain, token, market: on, curve: on.curve, simulation: place, baseBalances })
      : tradeAt({
          chain,
          market: on,
          simulation: place,
          opening,
          own: own && on === market,
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
      if (!own || !listed || !market || market === traded || market.base.unvouched) return undefined
      const place = await setupOn(market)
      return place.funded ? tradeOn(market, withPeople(place), []) : undefined
    },
  }
}
