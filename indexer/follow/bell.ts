/** A wait that a notification ends early. */
export type Bell = {
  ring: () => void
  /** Resolves when rung since the last wait, or when `other` settles. The signal then aborts `other`. */
  wait: (other: (signal: AbortSignal) => Promise<void>) => Promise<void>
}

/** A bell for one waiter at a time. A ring while nobody waits ends the next wait at once, so that no head is missed. */
export const createBell = (): Bell => {
  let rung = false
  let ring: (() => void) | undefined
  return {
    ring: () => {
      rung = true
      ring?.()
    },
    wait: async (other) => {
      const stop = new AbortController()
      const ringing = new Promise<void>((resolve) => {
        ring = resolve
        if (rung) resolve()
      })
      await Promise.race([ringing, other(stop.signal).catch(() => undefined)])
      stop.abort()
      rung = false
    },
  }
}
