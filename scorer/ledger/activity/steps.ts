/** Days, weeks and months (UTC) that a stretch of time is cut into, so that it has few enough of them to be drawn and sent. */

/** How long a step is. Weeks begin on Monday. */
export type Step = 'day' | 'week' | 'month'

/** Most steps of a stretch, but for months: those have no coarser ones. */
export const MAX_STEPS = 400
const DAY_S = 86_400
/** 1970-01-05 was a Monday. */
const FIRST_MONDAY = 4
const WEEK_DAYS = 7

/** The finest step of which a stretch has at most `MAX_STEPS`. @param from @param to Unix seconds */
export const stepFor = (from: number, to: number): Step => {
  const days = (to - from) / DAY_S + 2
  if (days <= MAX_STEPS) return 'day'
  return days <= (MAX_STEPS - 1) * WEEK_DAYS ? 'week' : 'month'
}

/** When the step begins that a time falls into, as the statements cut it. @param time Unix seconds */
export const stepStart = (time: number, step: Step): number => {
  const day = Math.floor(time / DAY_S)
  if (step === 'day') return day * DAY_S
  if (step === 'week') return (day - ((((day - FIRST_MONDAY) % WEEK_DAYS) + WEEK_DAYS) % WEEK_DAYS)) * DAY_S
  const date = new Date(time * 1_000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1) / 1_000
}

/** A day as it is written: `2026-11-23`. @param time Unix seconds */
export const dayOf = (time: number): string => new Date(time * 1_000).toISOString().slice(0, 10)
