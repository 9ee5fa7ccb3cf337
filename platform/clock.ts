import { setTimeout as delay } from 'node:timers/promises'

/** Time as a dependency, so that a simulation can replace it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/**
 * Milliseconds since a time of the same clock. Endless for one that is still to come: the clock was set back since, and what is that
 * old must not pass for new until the clock has caught up.
 */
export const ageOf = (now: number, since: number): number => (since > now ? Number.POSITIVE_INFINITY : now - since)

/** Longest time that a timer of Node can wait, ms; it fires at once for a longer one. */
const LONGEST_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: Date.now,
  sleep: async (ms, signal) => {
    for (let left = ms; ; left -= LONGEST_MS) {
      await delay(Math.min(left, LONGEST_MS), undefined, signal ? { signal } : {})
      if (left <= LONGEST_MS) return
    }
  },
}
