/** Fixed windows aligned to the epoch, so that replicas agree on them without talking. */
export type Window = {
  /** Taken in this window, these included. */
  used: number
  /** Milliseconds until the window ends. */
  resetMs: number
}

export type WindowStore = {
  /** Takes `units` from the window that `now` (ms since the epoch) falls in; negative ones are given back. */
  take: (key: string, windowMs: number, now: number, units: number) => Window | Promise<Window>
}

/** Windows of one process. Memory is bounded by the callers of the current and the last window. */
export const createLocalWindows = (maxKeys = 200_000): WindowStore => {
  const windows = new Map<string, { index: number; used: number; end: number }>()
  const sweep = (now: number) => {
    for (const [key, { end }] of windows) if (end <= now) windows.delete(key)
  }
  return {
    take: (key, windowMs, now, units) => {
      const index = Math.floor(now / windowMs)
      const end = (index + 1) * windowMs
      const known = windows.get(key)
      if (known && known.index === index) {
        known.used += units
        return { used: known.used, resetMs: end - now }
      }
      if (windows.size >= maxKeys) sweep(now)
      windows.set(key, { index, used: units, end })
      return { used: units, resetMs: end - now }
    },
  }
}
