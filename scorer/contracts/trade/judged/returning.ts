/**
 * Taxes that come back, and markets that hardly ever open, by many later sales of one person. A tax that falls for good is
 * what honest tokens do at first.
 */
import { FEW_UNITS, type TradeOutcome } from '../outcome.ts'
import type { LaterSales, LaterTrade } from '../tried/later-sales.ts'
import { DAY, HOUR } from '../tried/moments.ts'
import { LOWER, type Loss, lossAt } from './taxes.ts'

/** Percent lost from which a sale is one into a trap. */
const LOST = 90
/** Part of the moments that has to differ before a token is judged by it. */
const SHARE = 1 / 8

/** What many later sales show together. */
export type LaterVerdict = {
  /** What a sale loses that was once cheaper, percent; `undefined` where nothing came back. */
  sellTax: number | undefined
  /** The same of purchases. */
  buyTax: number | undefined
  /** Whether sales work at some hours of the days after the first; `undefined` where too few could be run. */
  open: boolean | undefined
  /** Whether they are refused at half of those hours or more. */
  seldom: boolean
  /** Whether every sale could be run, if there was anything to sell. */
  whole: boolean
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)

/** What is lost later, if it is ever more than it was before. */
export const returningTax = (losses: readonly Loss[]): number | undefined => {
  let least = Number.POSITIVE_INFINITY
  const returns = losses.some(({ tax }) => {
    least = Math.min(least, tax)
    return tax >= least + LOWER
  })
  const late = losses.filter(({ seconds }) => seconds >= HOUR).map(({ tax }) => tax)
  if (!returns || late.length === 0) return undefined
  const lost = late.filter((tax) => tax >= LOST)
  return lost.length >= late.length * SHARE ? mean(lost) : mean(late)
}

/**
 * What such sales say, after what the person lost in its first minutes. They accuse nobody where nothing was bought that can be
 * sold in parts.
 */
export const judgeLaterSales = ({ tried, held }: LaterSales, soon: readonly Loss[]): LaterVerdict => {
  const losses = (pick: (one: LaterTrade) => TradeOutcome | undefined) =>
    tried.flatMap((one) => lossAt(one.seconds, pick(one)))
  const sellTax = held < FEW_UNITS ? undefined : returningTax([...soon, ...losses(({ sale }) => sale)])
  const buyTax = returningTax(losses(({ buy }) => buy))
  const days = tried.filter(({ seconds }) => seconds >= DAY).map(({ sale }) => sale?.ok)
  const open =
    held < FEW_UNITS || days.includes(undefined) ? undefined : days.filter((ok) => ok).length >= days.length * SHARE
  const whole = held < FEW_UNITS || tried.every(({ sale }) => sale !== undefined)
  const seldom = held >= FEW_UNITS && 2 * days.filter((ok) => ok === false).length >= days.length
  return { sellTax, buyTax, open, seldom, whole }
}
