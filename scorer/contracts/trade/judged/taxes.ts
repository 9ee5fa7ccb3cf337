/**
 * What trades lose for good. Many honest tokens tax the first hour, or the first hour of each buyer, to keep bots out; so a tax
 * that falls weighs what it falls to.
 */
import type { TradeOutcome } from '../outcome.ts'
import { DAY, HOUR } from '../tried/moments.ts'

/** What was lost at one moment, percent, seconds after the block that is looked at. */
export type Loss = { seconds: number; tax: number }

/** Difference from which one tax is lower than another, percent. */
export const LOWER = 10
/** What a tax that falls all the time loses within an hour at least, percent. */
const FALLING = 2

/** The middle value, of an even number the upper one; 0 of none. */
export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** `undefined` where the trade did not work. */
export const lossAt = (seconds: number, result: TradeOutcome | undefined): Loss[] =>
  result?.ok ? [{ seconds, tax: result.tax }] : []

const worst = (losses: readonly Loss[]): number | undefined =>
  losses.length > 0 ? Math.max(...losses.map(({ tax }) => tax)) : undefined

/**
 * What is lost by whoever has patience, percent: `usual` unless it is less than that at every later moment. Those are from an
 * hour on, and for a tax that falls all the time, as auctions let it, from half a day on. `undefined` where none was seen.
 */
export const lastingTax = (usual: number | undefined, losses: readonly Loss[]): number | undefined => {
  const [first] = losses.filter(({ seconds }) => seconds < HOUR)
  const inAnHour = worst(losses.filter(({ seconds }) => seconds >= HOUR && seconds < 2 * HOUR))
  const falls = first !== undefined && inAnHour !== undefined && first.tax - inAnHour >= FALLING
  const from = falls ? DAY / 2 : HOUR
  const later = worst(losses.filter(({ seconds }) => seconds >= from))
  return usual === undefined || later === undefined ? undefined : Math.min(usual, later)
}

/** Whether a tax is lower later on than it usually is or was at first. */
export const fallsLater = (usual: number | undefined, losses: readonly Loss[]): boolean => {
  const later = losses.filter(({ seconds }) => seconds >= HOUR)
  const high = Math.max(usual ?? 0, losses[0]?.tax ?? 0)
  return later.some(({ tax }) => tax + LOWER < high)
}
