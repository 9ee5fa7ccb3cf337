import { setTimeout as delay } from 'node:timers/promises'

/** Time as a dependency, so that a simulation can replace it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/**
 * Time for spans within a process, ms. It goes on from where it was when the clock is set back: otherwise what was to end in a moment
 * would last until the clock has caught up, and what is old would pass for new.
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

/** Longest time that a timer of Node can wait, ms; it fires at once for a longer one. */
const LONGEST_MS = 2 ** 31 - 1

/** The clock of this machine, which may be set back: spans are measured with `steadyTime`. */
export const systemClock: Clock = {
  now: Date.now,
  sleep: async (ms, signal) => {
    for (let left = ms; ; left -= LONGEST_MS) {
      await delay(Math.min(left, LONGEST_MS), undefined, signal ? { signal } : {})
      if (left <= LONGEST_MS) return
    }
  },
}

/** Whether less than `ms` have passed since a moment. A clock that was set back makes anything long ago. */
export const isWithin = ({ now }: Pick<Clock, 'now'>, ms: number, since: number): boolean => {
  const passed = now() - since
  return passed >= 0 && passed < ms
}
