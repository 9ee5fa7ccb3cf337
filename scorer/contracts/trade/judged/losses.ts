/** Losses of usual purchases and sales, and when they occurred. */
import { type Outcome, type TradeOutcome, worked } from '../outcome.ts'
import type { Ages } from '../tried/ages.ts'
import { DAY } from '../tried/moments.ts'
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'
import { type Loss, lossAt, median } from './taxes.ts'

/** Pools whose swaps do not show received amounts. (V3 pools reject a sale when less arrives.) */
const HIDING_KINDS: ReadonlySet<string> = new Set(['curve', 'balancer-v2'])
/** Whether a pool's swaps hide received amounts, so that only plain transfers to it show them. */
export const hidesReceived = (kind: string): boolean => HIDING_KINDS.has(kind)

/** Measured losses of trades, percent. */
export type Losses = {
  buy: Outcome
  /** A usual sale, of those that worked. */
  sell: Outcome
  /** Loss of a usual sale, percent; 0 when none worked. */
  usual: number
  buyLosses: Loss[]
  sellLosses: Loss[]
  /** Whether sales are measured as plain transfers to the pool. */
  byTransfer: boolean
  /** Outcome of a refused sale, if there was one. */
  refusal: Outcome
}

const byTax = (a: TradeOutcome, b: TradeOutcome) => b.tax - a.tax

/** Losses of a person's sales at each age of the purchase. */
const atAges = ({ ages, sales = [] }: Ages): Loss[] => sales.flatMap((sale, i) => lossAt(ages[i]?.seconds ?? 0, sale))

/**
 * Picks the usual trades: those of accounts without code when there are some, because contracts may be taxed as bots.
 */
export const judgeLosses = (trials: Trials, people: People, kind: string, canBuy: boolean | undefined): Losses => {
  const { buys, visits, freshSells, injectedSells, moments, over } = trials
  const { first, counted } = people
  const [buy = buys[0]] = worked([
    buys.find((one) => one?.ok),
    first?.bought ?? counted?.bought,
    visits.find((one) => one?.ok),
  ]).sort(byTax)
  const refusal = [...freshSells, ...injectedSells].find((sale) => sale?.ok === false)
  const sold = [freshSells, counted?.sales ?? []].map(worked).find((sales) => sales.length > 0) ?? worked(injectedSells)
  const transfers = hidesReceived(kind) ? worked(over('poolTax', 1)) : []
  const byTransfer = transfers.length > 0
  const personalLosses = byTransfer || !counted ? [] : atAges(counted)
  const late = byTransfer ? [] : lossAt(DAY, counted?.lateSale)
  const groups = [byTransfer ? transfers : sold, personalLosses, late]
  const usual = Math.max(...groups.map((group) => median(group.map(({ tax }) => tax))))
  const seen = (results: readonly Outcome[]) => results.flatMap((result, i) => lossAt(moments[i]?.seconds ?? 0, result))
  // Contracts buy and sell at once and may be taxed as bots: they only count when people have nothing to sell in parts.
  const ofContracts =
    (!byTransfer && counted?.sales) || !counted ? [] : seen(byTransfer ? over('poolTax', 1) : over('half', 1))
  return {
    buy,
    sell: sold.length > 0 ? { ok: true, tax: usual, reason: '' } : canBuy === false ? undefined : refusal,
    usual,
    buyLosses: [...lossAt(0, buy), ...seen(buys)],
    sellLosses: [...personalLosses, ...ofContracts, ...late],
    byTransfer,
    refusal,
  }
}
