import { setImmediate } from 'node:timers/promises'

/** How long a loop may keep the thread before others get a turn, ms. */
const SLICE_MS = 4

/** Lets others have a turn when the caller has kept the thread for a while. */
export const createPause = (): (() => Promise<void>) => {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE_MS) return
    await setImmediate()
    begun = performance.now()
  }
}
