import { type Clock, steadyTime } from '../context/clock.ts'

/**
 * Calls per second to one endpoint: additive increase, multiplicative decrease (Chiu and Jain, 1989), after an initial
 * phase of doubling, as in TCP, until the first refusal. Spacing follows a generic cell rate algorithm: a short burst
 * passes, then calls are spread evenly.
 */
export type RateLimit = {
  /** Resolves when `calls` may be sent. @throws the signal's reason when aborted first. */
  acquire: (calls: number, signal?: AbortSignal) => Promise<void>
  /** Current wait of a call, ms. */
  waitMs: () => number
  /** Calls were answered. The rate grows if the limit had been the bottleneck. */
  answered: () => void
  /** Calls were refused as too many. Halves the rate, at most once per second. */
  limited: () => void
  /** Current calls per second. */
  rate: () => number
}

const WINDOW_MS = 250
/** Length of a burst: calls of this time may be sent at once. */
export const BURST_MS = 100
const DECREASE_PAUSE_MS = 1_000

/** A limit between `floor` and `cap` calls per second that starts at `start`. Callers have to report answers, which move it. */
export const createRateLimit = (
  clock: Clock,
  { start, floor = 1, cap = 20_000 }: { start: number; floor?: number; cap?: number },
): RateLimit => {
  const time = steadyTime(clock.now)
  let rate = start
  let doubling = true
  /** Rate of the last refusal: growth is fast well below it and slow near it. */
  let ceiling = cap
  let held = false
  let windowStart = time()
  let lastDecrease = Number.NEGATIVE_INFINITY
  /** When the last admitted call would be sent if calls were spread evenly. */
  let line = 0

  const waitMs = () => Math.max(0, line - time() - BURST_MS)

  return {
    waitMs,
    rate: () => rate,
    acquire: async (calls, signal) => {
      const wait = waitMs()
      line = Math.max(line, time()) + (calls * 1_000) / rate
      if (wait <= 0) return
      held = true
      await clock.sleep(wait, signal)
    },
    answered: () => {
      const now = time()
      if (now - windowStart < WINDOW_MS) return
      if (held) rate = Math.min(cap, rate * (doubling ? 2 : rate < ceiling * 0.8 ? 1.3 : 1.05))
      windowStart = now
      held = false
    },
    limited: () => {
      const now = time()
      doubling = false
      held = false
      if (now - lastDecrease < DECREASE_PAUSE_MS) return
      lastDecrease = now
      ceiling = rate
      rate = Math.max(floor, rate / 2)
    },
  }
}
