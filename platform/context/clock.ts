import { setTimeout as delay } from 'node:timers/promises'

/** Time as a dependency, so that a simulation can replace it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/**
 * Monotonic time for durations within a process, ms. It continues when the clock is set back: otherwise timeouts would last
 * until the clock has caught up, and old data would seem new.
 */
export const steadyTime = (now: () => number): (() => number) => {
  let last = now()
  let lost = 0
  return () => {
    const time = now()
    if (time < last) lost += last - time
    last = time
    return time + lost
  }
}

/** Maximum delay of a Node timer, ms; longer timers fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** The clock of this machine. It may be set back, so measure durations with `steadyTime`. */
export const systemClock: Clock = {
  now: Date.now,
  sleep: async (ms, signal) => {
    for (let left = ms; ; left -= MAX_TIMER_MS) {
      await delay(Math.min(left, MAX_TIMER_MS), undefined, signal ? { signal } : {})
      if (left <= MAX_TIMER_MS) return
    }
  },
}

/** Whether less than `ms` have passed since a moment. False if the clock was set back since. */
export const isWithin = ({ now }: Pick<Clock, 'now'>, ms: number, since: number): boolean => {
  const passed = now() - since
  return passed >= 0 && passed < ms
}
