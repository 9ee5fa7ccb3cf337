import { setImmediate } from 'node:timers/promises'

/** How long a loop may block the event loop, ms. */
const SLICE_MS = 4

/** Returns a function that yields to the event loop if the caller has blocked it for a while. */
export const createPause = (): (() => Promise<void>) => {
  let begun = performance.now()
  return async () => {
    if (performance.now() - begun < SLICE_MS) return
    await setImmediate()
    begun = performance.now()
  }
}
