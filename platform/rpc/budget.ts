import { type Clock, steadyTime } from '../context/clock.ts'
import { BURST_MS, createRateLimit, type RateLimit } from './rate.ts'

/** Request limits of an endpoint's plan. */
export type Budget = {
  /** Calls in any second. */
  perSecond?: number | undefined
  /** Calls in any 24 hours. */
  perDay?: number | undefined
}

const SECOND_MS = 1_000
const DAY_MS = 86_400_000
/** Share of a day's calls that may be made at once, to catch up; the rest refills evenly over the day. */
const RESERVE = 0.1

/** Timers are sometimes late, which brings calls closer together than they were spaced. */
const SAFETY_FACTOR = 0.95

/** The rate at which no second exceeds `perSecond` calls, including the burst that a rate limit allows. */
const steady = (perSecond: number): number => (SAFETY_FACTOR * perSecond * SECOND_MS) / (SECOND_MS + BURST_MS)

/** A bucket for a day's calls: full at first, and refilled so that bucket and refill together make one day's calls. */
const createDay = (clock: Clock, perDay: number) => {
  const capacity = Math.max(1, Math.floor(perDay * RESERVE))
  const perMs = Math.max(0, perDay - capacity) / DAY_MS
  const time = steadyTime(clock.now)
  let left = capacity
  let since = time()
  const refill = () => {
    const now = time()
    left = Math.min(capacity, left + (now - since) * perMs)
    since = now
  }
  const waitMs = (calls: number) => {
    refill()
    return left >= calls ? 0 : perMs === 0 ? DAY_MS : (calls - left) / perMs
  }
  return {
    waitMs,
    take: async (calls: number, signal?: AbortSignal) => {
      const wait = waitMs(calls)
      left -= calls
      if (wait > 0) await clock.sleep(wait, signal)
    },
  }
}

/**
 * The rate limit of an endpoint with a plan: it adapts to the endpoint, and never exceeds the plan. It counts the calls of
 * this process only, so a restart starts with a full reserve.
 */
export const createBudget = (clock: Clock, { perSecond, perDay }: Budget, start: number): RateLimit => {
  const maxRate = perSecond === undefined ? undefined : steady(perSecond)
  const limit = createRateLimit(
    clock,
    maxRate === undefined ? { start } : { start: Math.min(start, maxRate), cap: maxRate, floor: Math.min(1, maxRate) },
  )
  if (perDay === undefined) return limit
  const day = createDay(clock, perDay)
  return {
    ...limit,
    waitMs: () => Math.max(limit.waitMs(), day.waitMs(1)),
    acquire: async (calls, signal) => {
      await day.take(calls, signal)
      await limit.acquire(calls, signal)
    },
  }
}
