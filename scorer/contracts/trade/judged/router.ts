/**
 * Combines sales through the exchange's router with those at the pool. People sell through the router, so it decides
 * when both differ: a token that refuses or taxes only the router is a trap, and one that only lets the router sell is
 * none.
 */
import type { TradeFacts } from '../facts.ts'
import type { RouterSale, RouterSales } from '../tried/router-sales.ts'
import { OPEN } from '../tried/weeks.ts'
import { returningTax } from './returning.ts'
import { higherTax, LOWER, lastingTax, lossAt, median } from './taxes.ts'

/** Indexes of the age of minutes, and of the first age of a day or more. */
const [MINUTES, LATE] = [1, 3]

/** Whether sales are accepted at a sixth of the hours of a week or more; `undefined` when too few could be run. */
const isOpen = (sales: readonly RouterSale[]): boolean | undefined => {
  const oks = sales.map(({ sale }) => sale?.ok)
  const least = oks.length * OPEN
  if (oks.filter((ok) => ok).length >= least) return true
  return oks.filter((ok) => ok === false).length > oks.length - least ? false : undefined
}

const ALWAYS = "selling through the exchange's router is refused, and buying through it works"
const LATER = "selling through the exchange's router works at first and is refused later"
/** How selling through the router ends, if it does. */
export type RouterClosing = typeof ALWAYS | typeof LATER

/** What the following weeks must show for a closing: those of earlier buyers, and of buyers of then. */
export type RouterWeeks = { held: () => Promise<RouterSale[]>; fresh: () => Promise<RouterSale[]> }

/**
 * How selling through the router ends. False when it does not, or when the router itself may be at fault: a sale counts
 * only when the same account can sell at the pool at that age. `weeks`: tried if late sales were refused and trades can
 * vary, as trading hours are no trap. `undefined` when too few of these could be run.
 */
export const closingOf = async (
  { sales, later, fresh, works }: RouterSales,
  atAges: TradeFacts['atAges'],
  alone: boolean,
  weeks: RouterWeeks | undefined,
): Promise<RouterClosing | false | undefined> => {
  if (!works || sales.length === 0) return false
  const refused = sales.map(({ sale }, i) => sale?.ok === false && (alone || atAges[i]?.ok === true))
  const text = refused.includes(false) ? LATER : ALWAYS
  const laterRefused = later.map(({ sale }) => sale?.ok === false)
  if (!weeks) {
    const ends = !refused.slice(LATE).includes(false) || (laterRefused.length > 0 && !laterRefused.includes(false))
    return ends && text
  }
  if (![...refused, ...laterRefused, ...fresh.map(({ sale }) => sale?.ok === false)].includes(true)) return false
  const held = isOpen(await weeks.held())
  if (held === false) return text
  // Accounts that can never sell minutes after a purchase show nothing about the weeks.
  const ofThen = sales[MINUTES]?.sale?.ok ? isOpen(await weeks.fresh()) : true
  if (ofThen === false) return text
  return held && ofThen ? false : undefined
}

/** Whether every sale could be run. */
const isComplete = ({ sales, later, fresh }: RouterSales): boolean =>
  [...sales, ...later, ...fresh].every(({ sale }) => sale !== undefined)

const lossesOf = (sales: readonly RouterSale[]) => sales.flatMap(({ seconds, sale }) => lossAt(seconds, sale))

/** The larger of the taxes that return, each for one account or one age. */
const returnsOf = ({ sales, later, fresh }: RouterSales): number | undefined =>
  [sales, later, fresh].map((series) => returningTax(lossesOf(series))).reduce(higherTax)

/** Applies sales through the router. `alone`: sales only work through the router. */
export const withRouterSales = (
  trade: TradeFacts,
  routed: RouterSales,
  alone: boolean,
  closing: RouterClosing | false | undefined,
): TradeFacts => {
  const losses = lossesOf(routed.sales)
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
    seenAllMoments: trade.seenAllMoments && isComplete(routed) && closing !== undefined,
    lastingTax: { ...trade.lastingTax, sell: higherTax(lasting, returnsOf(routed)) },
    closesLater: trade.closesLater || Boolean(closing),
    evidence: closing ? [...trade.evidence, closing] : trade.evidence,
  }
}
