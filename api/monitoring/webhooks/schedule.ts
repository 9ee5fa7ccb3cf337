/** When a delivery is tried again, and when it is given up. */

const MINUTE = 60_000
const HOUR = 3_600_000

/** Pauses after each failed attempt, ms; a delivery is given up after the last one. */
const PAUSES = [5_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR]
/** A delivery that waited so long is given up, however often it was tried, ms. */
export const GIVE_UP_MS = 72 * HOUR
/** An endpoint that failed for so long, without a success in between, is disabled, ms. */
export const DISABLE_MS = 72 * HOUR
/** What a server may ask us to wait, ms. */
const MOST_RETRY_AFTER_MS = HOUR
/** Pause between attempts at an endpoint that fails: doubled with each failure up to a bound, ms. */
const FIRST_PAUSE_MS = 1_000
const MOST_PAUSE_MS = 5 * MINUTE
/** Pauses differ by this share, so that what failed together does not come back together. */
const JITTER = 0.2

/** The longest a delivery waits between two attempts, ms. */
const LONGEST_PAUSE_MS = 14 * HOUR * (1 + JITTER)

/** Whether a delivery is to be sent. What is made or due so late was so by a clock that has been set back since. All times in ms. */
export const isDue = ({ begun, due }: { begun: number; due: number }, now: number): boolean =>
  due <= now || begun > now || due > now + LONGEST_PAUSE_MS

const jittered = (ms: number, random: () => number): number => Math.round(ms * (1 - JITTER + 2 * JITTER * random()))

/** Pause before the next attempt at a delivery after so many failed ones, ms; `undefined` when it is given up. */
export const retryPause = (attempts: number, random = Math.random): number | undefined => {
  const pause = PAUSES[attempts - 1]
  return pause === undefined ? undefined : jittered(pause, random)
}

/** Pause before anything is sent to an endpoint that failed so many times in a row, ms. */
export const endpointPause = (failures: number, random = Math.random): number =>
  failures === 0 ? 0 : jittered(Math.min(MOST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, failures - 1)), random)

/** What a header `Retry-After` asks for, ms, within bounds. */
export const askedPause = (header: string | null, now: number): number => {
  if (header === null) return 0
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.min(MOST_RETRY_AFTER_MS, Math.max(0, ms)) : 0
}
