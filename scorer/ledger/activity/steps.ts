/** Splits a period into days, weeks or months (UTC), so that it has few enough steps to draw and send. */

/** Length of a step. Weeks begin on Monday. */
export type Step = 'day' | 'week' | 'month'

/** Maximum number of steps, except for months, which have no coarser unit. */
export const MAX_STEPS = 400
const DAY_S = 86_400
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY = 4
const WEEK_DAYS = 7

/** The finest step with at most `MAX_STEPS` steps in the period. @param from @param to Unix seconds */
export const stepFor = (from: number, to: number): Step => {
  const days = (to - from) / DAY_S + 2
  if (days <= MAX_STEPS) return 'day'
  return days <= (MAX_STEPS - 1) * WEEK_DAYS ? 'week' : 'month'
}

/** Start of the step that contains a time, as the statements compute it. @param time Unix seconds */
export const stepStart = (time: number, step: Step): number => {
  const day = Math.floor(time / DAY_S)
  if (step === 'day') return day * DAY_S
  if (step === 'week') return (day - ((((day - FIRST_MONDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS)) * DAY_S
  const date = new Date(time * 1_000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1_000
}

/** Formats a day as `2026-11-23`. @param time Unix seconds */
export const dayOf = (time: number): string => new Date(time * 1_000).toISOString().slice(0, 10)
