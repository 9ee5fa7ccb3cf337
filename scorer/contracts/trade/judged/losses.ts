/** What a usual purchase and a usual sale lose, and what was lost at which moment. */
import { type Outcome, type TradeOutcome, worked } from '../outcome.ts'
import type { Ages } from '../tried/ages.ts'
import { DAY } from '../tried/moments.ts'
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'
import { type Loss, lossAt, median } from './taxes.ts'

/** Pools whose swaps do not show what arrived. (Those of V3 refuse a sale of which less arrives.) */
const UNSEEN: ReadonlySet<string> = new Set(['curve', 'balancer-v2'])
/** What these were sent is only seen in a plain transfer. */
export const isUnseen = (kind: string): boolean => UNSEEN.has(kind)

/** What trades lose, in percent, as measured. */
export type Losses = {
  buy: Outcome
  /** A usual sale, of those that worked. */
  sell: Outcome
  /** Percent a usual sale loses, 0 where none worked. */
  usual: number
  buyLosses: Loss[]
  sellLosses: Loss[]
  /** Sales are measured as plain transfers to the pool. */
  byTransfer: boolean
  /** Of a sale, where one was refused. */
  refusal: Outcome
}

const byTax = (a: TradeOutcome, b: TradeOutcome) => b.tax - a.tax

/** What the sales of a person lose, one at each age of its purchase. */
const atAges = ({ ages, sales = [] }: Ages): Loss[] => sales.flatMap((sale, i) => lossAt(ages[i]?.seconds ?? 0, sale))

/**
 * Picks the trades that stand for usual ones: those of people where there are some, because contracts may be taxed as
 * bots.
 */
export const judgeLosses = (trials: Trials, people: People, kind: string, canBuy: boolean | undefined): Losses => {
  const { buys, freshSells, injectedSells, moments, over } = trials
  const { first, lived } = people
  const [buy = buys[0]] = worked([buys.find((one) => one?.ok), first?.bought ?? lived?.bought]).sort(byTax)
  const refusal = [...freshSells, ...injectedSells].find((sale) => sale?.ok === false)
  const sold = [freshSells, lived?.sales ?? []].map(worked).find((sales) => sales.length > 0) ?? worked(injectedSells)
  const transfers = isUnseen(kind) ? worked(over('poolTax', 1)) : []
  const byTransfer = transfers.length > 0
  const personalLosses = byTransfer || !lived ? [] : atAges(lived)
  const late = byTransfer ? [] : lossAt(DAY, lived?.lateSale)
  const groups = [byTransfer ? transfers : sold, personalLosses, late]
  const usual = Math.max(...groups.map((group) => median(group.map(({ tax }) => tax))))
  const seen = (results: readonly Outcome[]) => results.flatMap((result, i) => lossAt(moments[i]?.seconds ?? 0, result))
  // Contracts buy and sell at once, which may be taxed as bots are: they count where people have nothing to sell in parts.
  const ofContracts =
    (!byTransfer && lived?.sales) || !lived ? [] : seen(byTransfer ? over('poolTax', 1) : over('half', 1))
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
