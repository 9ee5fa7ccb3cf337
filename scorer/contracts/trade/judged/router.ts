/**
 * Combines sales through the exchange's router with those at the pool. People sell through the router, so it decides
 * when both differ: a token that refuses or taxes only the router is a trap, and one that only lets the router sell is
 * none.
 */
import type { TradeFacts } from '../facts.ts'
import type { RouterSale, RouterSales } from '../tried/router-sales.ts'
import { isOpen } from '../tried/weeks.ts'
import { returningTax, returnsAsLost } from './returning.ts'
import { higherTax, LOWER, type Loss, lastingTax, lossAt, median } from './taxes.ts'

/** Indexes of the age of minutes, and of the first age of a day or more. */
const [MINUTES, LATE] = [1, 3]

const isOpenAt = (sales: readonly RouterSale[]) => isOpen(sales.map(({ sale }) => sale?.ok))

const ALWAYS = "selling through the exchange's router is refused, and buying through it works"
const LATER = "selling through the exchange's router works at first and is refused later"
/** How selling through the router ends, if it does. */
export type RouterClosing = typeof ALWAYS | typeof LATER

/** Whether any of the sales worked. */
export const soldAnywhere = ({ sales, later, fresh }: Omit<RouterSales, 'works'>): boolean =>
  [...sales, ...later, ...fresh].some(({ sale }) => sale?.ok)

/** What the following weeks must show for a closing: those of earlier buyers, and of buyers of then. */
export type RouterWeeks = { held: () => Promise<RouterSale[]>; fresh: () => Promise<RouterSale[]> }

/**
 * How selling through the router ends; false when it does not. A sale counts only when the same account can sell at the
 * pool at that age. `weeks`: tried if late sales were refused and trades can vary, as trading hours are no trap.
 * `undefined` when too few of these could be run, or the router itself may have refused.
 */
export const closingOf = async (
  { sales, later, fresh, works }: RouterSales,
  atAges: TradeFacts['atAges'],
  alone: boolean,
  weeks: RouterWeeks | undefined,
): Promise<RouterClosing | false | undefined> => {
  // Whoever cannot sell at the pool either, such as a buyer caught as a bot, shows nothing about the router.
  if (!alone && !atAges.some((sale) => sale?.ok)) return false
  const refused = sales.map(({ sale }, i) => sale?.ok === false && (alone || atAges[i]?.ok === true))
  const text = refused.includes(false) ? LATER : ALWAYS
  const laterRefused = later.map(({ sale }) => sale?.ok === false)
  // A refusal may be the router's own fault.
  if (!works) return [...refused, ...laterRefused].includes(true) ? undefined : false
  if (!weeks) {
    const ends = !refused.slice(LATE).includes(false) || (laterRefused.length > 0 && !laterRefused.includes(false))
    return ends && text
  }
  if (![...refused, ...laterRefused, ...fresh.map(({ sale }) => sale?.ok === false)].includes(true)) return false
  const held = isOpenAt(await weeks.held())
  if (held === false) return text
  // Accounts that can never sell minutes after a purchase show nothing about the weeks.
  const ofThen = sales[MINUTES]?.sale?.ok ? isOpenAt(await weeks.fresh()) : true
  if (ofThen === false) return text
  return held && ofThen ? false : undefined
}

/** Whether every sale could be run. */
const isComplete = ({ sales, later, fresh }: RouterSales): boolean =>
  [...sales, ...later, ...fresh].every(({ sale }) => sale !== undefined)

const lossesOf = (sales: readonly RouterSale[]) => sales.flatMap(({ seconds, sale }) => lossAt(seconds, sale))

/** Losses of sales, each list of one account or one age. */
const seriesOf = ({ sales, later, fresh }: RouterSales): Loss[][] => [sales, later, fresh].map(lossesOf)

/** Applies sales through the router. `alone`: sales only work through the router. */
export const withRouterSales = (
  trade: TradeFacts,
  routed: RouterSales,
  alone: boolean,
  closing: RouterClosing | false | undefined,
): TradeFacts => {
  const losses = seriesOf(routed).find((series) => series.length > 0) ?? []
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
    lastingTax: { ...trade.lastingTax, sell: higherTax(lasting, seriesOf(routed).map(returningTax).reduce(higherTax)) },
    closesLater: trade.closesLater || Boolean(closing),
    lostAtTimes: trade.lostAtTimes || seriesOf(routed).some(returnsAsLost),
    evidence: closing ? [...trade.evidence, closing] : trade.evidence,
  }
}
