/**
 * Lasting losses of trades. Many honest tokens tax the first hour, or the first hour of each buyer, to keep bots out;
 * so a falling tax counts as what it falls to.
 */
import type { TradeOutcome } from '../outcome.ts'
import { DAY, HOUR } from '../tried/moments.ts'

/** Loss (percent) at one moment (seconds after the pinned block). */
export type Loss = { seconds: number; tax: number }

/** Percentage points from which two taxes differ. */
export const LOWER = 10
/** Minimum decrease of a continuously falling tax within an hour, percentage points. */
const FALLING = 2

/** The median; of an even number of values the upper one; 0 for none. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** The loss of a trade; none when the trade did not work. */
export const lossAt = (seconds: number, result: TradeOutcome | undefined): Loss[] =>
  result?.ok ? [{ seconds, tax: result.tax }] : []

const worst = (losses: readonly Loss[]): number | undefined =>
  losses.length > 0 ? Math.max(...losses.map(({ tax }) => tax)) : undefined

/**
 * Lasting loss in percent: `usual`, or the highest later loss when that is lower. Later means from an hour on, and for
 * a continuously falling tax, as in auctions, from half a day on. `undefined` when no later loss is known.
 */
export const lastingTax = (usual: number | undefined, losses: readonly Loss[]): number | undefined => {
  const [first] = losses.filter(({ seconds }) => seconds < HOUR)
  const inAnHour = worst(losses.filter(({ seconds }) => seconds >= HOUR && seconds < 2 * HOUR))
  const falls = first !== undefined && inAnHour !== undefined && first.tax - inAnHour >= FALLING
  const from = falls ? DAY / 2 : HOUR
  const later = worst(losses.filter(({ seconds }) => seconds >= from))
  return usual === undefined || later === undefined ? undefined : Math.min(usual, later)
}

/** The larger of two taxes, or the one that is known. */
export const higherTax = (tax: number | undefined, other: number | undefined): number | undefined =>
  tax === undefined || other === undefined ? (tax ?? other) : Math.max(tax, other)

/** Whether a later tax is lower than the usual or the first one. */
export const fallsLater = (usual: number | undefined, losses: readonly Loss[]): boolean => {
  const later = losses.filter(({ seconds }) => seconds >= HOUR)
  const high = Math.max(usual ?? 0, losses[0]?.tax ?? 0)
  return later.some(({ tax }) => tax + LOWER < high)
}
