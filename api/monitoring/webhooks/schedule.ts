/** When a delivery is retried, and when it is given up. */

const MINUTE = 60_000
const HOUR = 3_600_000

/** Pauses after failed attempts, ms. A delivery is given up after the last one. */
const PAUSES = [5_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR]
/** Age at which a waiting delivery is given up, whatever the number of attempts, ms. */
export const GIVE_UP_MS = 72 * HOUR
/** An endpoint that fails for this long without a success is disabled, ms. */
export const DISABLE_MS = 72 * HOUR
/** Upper bound of a server's Retry-After, ms. */
const MAX_RETRY_AFTER_MS = HOUR
/** First and longest pause between attempts at a failing endpoint, ms. It doubles with each failure. */
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 5 * MINUTE
/** Random variation of pauses, so that deliveries that failed together are not retried together. */
const JITTER = 0.2

/** Longest pause between two attempts at a delivery, ms. */
const LONGEST_PAUSE_MS = 14 * HOUR * (1 + JITTER)

/** Whether a delivery is due. Times too far in the future come from a clock that was set back since, and count as due. In ms. */
export const isDue = ({ begun, due }: { begun: number; due: number }, now: number): boolean =>
  due <= now || begun > now || due > now + LONGEST_PAUSE_MS

const jittered = (ms: number, random: () => number): number => Math.round(ms * (1 - JITTER + 2 * JITTER * random()))

/** Pause after a number of failed attempts, ms; `undefined` if the delivery is given up. */
export const retryPause = (attempts: number, random = Math.random): number | undefined => {
  const pause = PAUSES[attempts - 1]
  return pause === undefined ? undefined : jittered(pause, random)
}

/** Pause of an endpoint after consecutive failures, ms. */
export const endpointPause = (failures: number, random = Math.random): number =>
  failures === 0 ? 0 : jittered(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(20, failures - 1)), random)

/** The bounded value of a `Retry-After` header, ms. */
export const retryAfterPause = (header: string | null, now: number): number => {
  if (header === null) return 0
  const seconds = Number(header)
  const ms = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(header) - now
  return Number.isFinite(ms) ? Math.min(MAX_RETRY_AFTER_MS, Math.max(0, ms)) : 0
}
