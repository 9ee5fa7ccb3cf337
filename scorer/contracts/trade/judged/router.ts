/**
 * Combines sales through the exchange's router with those at the pool. People sell through the router, so it decides
 * when both differ: a token that refuses or taxes only the router is a trap, and one that only lets the router sell is
 * none.
 */
import type { TradeFacts } from '../facts.ts'
import type { RouterSales } from '../tried/router-sales.ts'
import { LOWER, lastingTax, lossAt, median } from './taxes.ts'

/** Index of the first age of a day or more. */
const LATE = 3

/**
 * Describes how selling through the router ends; `undefined` when it does not, or when the router itself may be at
 * fault: a sale counts only when the same account can sell at the pool at that age.
 */
const closingOf = ({ sales, works }: RouterSales, atAges: TradeFacts['atAges'], alone: boolean): string | undefined => {
  if (!works || sales.length === 0) return undefined
  const refused = sales.map(({ sale }, i) => sale?.ok === false && (alone || atAges[i]?.ok === true))
  if (!refused.includes(false)) return "selling through the exchange's router is refused, and buying through it works"
  return refused.slice(LATE).includes(false)
    ? undefined
    : "selling through the exchange's router works at first and is refused later"
}

/** Applies sales through the router. `alone`: sales only work through the router. */
export const withRouterSales = (trade: TradeFacts, routed: RouterSales | undefined, alone: boolean): TradeFacts => {
  if (!routed) return trade
  const closing = closingOf(routed, trade.atAges, alone)
  const losses = routed.sales.flatMap(({ seconds, sale }) => lossAt(seconds, sale))
  const differences = routed.sales.flatMap(({ sale }, i) => {
    const there = trade.atAges[i]
    return sale?.ok && there?.ok ? [Math.abs(sale.tax - there.tax)] : []
  })
  const tax = median(losses.map((loss) => loss.tax))
  const differs = losses.length > 0 && (alone || (differences.length > 0 && median(differences) >= LOWER))
  const sell = differs ? { ok: true, tax, reason: '' } : trade.sell
  const lasting = differs ? (lastingTax(tax, losses) ?? trade.lastingTax.sell) : trade.lastingTax.sell
  return {
    ...trade,
    sell,
    lastingTax: { ...trade.lastingTax, sell: lasting },
    closesLater: trade.closesLater || closing !== undefined,
    evidence: closing === undefined ? trade.evidence : [...trade.evidence, closing],
  }
}
