import { setTimeout as delay } from 'node:timers/promises'

/** Time as a dependency, so that a simulation can replace it. */
export type Clock = {
  /** Milliseconds since the epoch. */
  now: () => number
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemClock: Clock = {
  now: Date.now,
  sleep: async (ms, signal) => {
    await delay(ms, undefined, signal ? { signal } : {})
  },
}
