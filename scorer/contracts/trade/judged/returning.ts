/**
 * Detects returning taxes and markets that are rarely open, from many later sales of one account. A tax that falls for
 * good is usual for honest tokens.
 */
import { MIN_UNITS, TRAP_TAX, type TradeOutcome } from '../outcome.ts'
import type { LaterSales, LaterTrade } from '../tried/later-sales.ts'
import { DAY, HOUR } from '../tried/moments.ts'
import { LOWER, type Loss, lossAt } from './taxes.ts'

/** Share of the moments needed for a conclusion. */
const SHARE = 1 / 8

/** Conclusions from many later sales. */
export type LaterVerdict = {
  /** Loss of a sale that was cheaper before, percent; `undefined` when no tax returned. */
  sellTax: number | undefined
  /** The same for purchases. */
  buyTax: number | undefined
  /** Whether a later trade lost nearly everything after a cheaper one, but too few did to count as lost. */
  lostAtTimes: boolean
  /** Whether sales work at some hours after the first day; `undefined` when too few could be run. */
  open: boolean | undefined
  /** Whether sales are refused at half of those hours or more. */
  mostlyRefused: boolean
  /** Whether every sale could be run, or there was nothing to sell. */
  complete: boolean
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** Losses that are higher than an earlier one. */
const returning = (losses: readonly Loss[]): Loss[] => {
  let least = Number.POSITIVE_INFINITY
  return losses.filter(({ tax }) => {
    least = Math.min(least, tax)
    return tax >= least + LOWER
  })
}

/** Whether a later trade lost nearly everything after a cheaper one. */
export const returnsAsLost = (losses: readonly Loss[]): boolean =>
  returning(losses).some(({ seconds, tax }) => seconds >= HOUR && tax >= TRAP_TAX)

/** Loss of later trades, if one ever exceeds an earlier one. */
export const returningTax = (losses: readonly Loss[]): number | undefined => {
  const late = losses.filter(({ seconds }) => seconds >= HOUR).map(({ tax }) => tax)
  if (returning(losses).length === 0 || late.length === 0) return undefined
  const lost = late.filter((tax) => tax >= TRAP_TAX)
  return lost.length >= late.length * SHARE ? mean(lost) : mean(late)
}

/**
 * Interprets later sales, given the losses of the first minutes (`soon`). They prove nothing when the purchase is too
 * small to sell in parts.
 */
export const judgeLaterSales = ({ tried, held }: LaterSales, soon: readonly Loss[]): LaterVerdict => {
  const losses = (pick: (one: LaterTrade) => TradeOutcome | undefined) =>
    tried.flatMap((one) => lossAt(one.seconds, pick(one)))
  const sold = held < MIN_UNITS ? [] : [...soon, ...losses(({ sale }) => sale)]
  const bought = losses(({ buy }) => buy)
  const days = tried.filter(({ seconds }) => seconds >= DAY).map(({ sale }) => sale?.ok)
  const open =
    held < MIN_UNITS || days.includes(undefined) ? undefined : days.filter((ok) => ok).length >= days.length * SHARE
  const complete = held < MIN_UNITS || tried.every(({ sale }) => sale !== undefined)
  const mostlyRefused = held >= MIN_UNITS && 2 * days.filter((ok) => ok === false).length >= days.length
  return {
    sellTax: returningTax(sold),
    buyTax: returningTax(bought),
    lostAtTimes: returnsAsLost(sold) || returnsAsLost(bought),
    open,
    mostlyRefused,
    complete,
  }
}
