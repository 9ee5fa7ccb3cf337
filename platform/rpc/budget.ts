import { type Clock, steadyTime } from '../context/clock.ts'
import { BURST_MS, createRateLimit, type RateLimit } from './rate.ts'

/** What an endpoint may be asked at most, as its plan states it. */
export type Budget = {
  /** Calls in any second. */
  perSecond?: number | undefined
  /** Calls in any 24 hours. */
  perDay?: number | undefined
}

const SECOND_MS = 1_000
const DAY_MS = 86_400_000
/** Share of a day's calls that may be made at any time, to catch up; the rest comes back evenly over the day. */
const RESERVE = 0.1

/** Timers are late now and then, and calls then travel closer together than they were spaced. */
const CAUTION = 0.95

/** The rate at which no second holds more than `perSecond` calls, the burst that a rate limit allows included. */
const steady = (perSecond: number): number => (CAUTION * perSecond * SECOND_MS) / (SECOND_MS + BURST_MS)

/** A day's calls as a bucket: full at first, refilled so slowly that bucket and refill together are one day's calls. */
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
 * The rate limit of an endpoint within its plan: it learns what the endpoint bears, and never exceeds the plan whatever the
 * endpoint bears. Counted by this process alone: a restart begins a new day's reserve.
 */
export const createBudget = (clock: Clock, { perSecond, perDay }: Budget, start: number): RateLimit => {
  const most = perSecond === undefined ? undefined : steady(perSecond)
  const limit = createRateLimit(
    clock,
    most === undefined ? { start } : { start: Math.min(start, most), cap: most, floor: Math.min(1, most) },
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
