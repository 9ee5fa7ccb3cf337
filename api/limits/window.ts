/**
 * Sliding windows: no interval of the window's length has more calls than the limit. A window has 20 slots; the calls of a slot
 * leave the window together, with the last of them.
 */
export type Window = {
  /** Whether the units were taken. Refused units are not counted, so that a caller that keeps retrying recovers. */
  taken: boolean
  /** Units taken in this window, including these. */
  used: number
  /** Milliseconds until the oldest units leave the window. */
  resetMs: number
}

/** Units per window. */
export type WindowLimit = { limit: number; windowMs: number }

/** Counts windows. */
export type WindowStore = {
  /** Takes `units` from the window that ends at `now` (ms since the epoch), if they fit. */
  take: (key: string, limit: WindowLimit, now: number, units: number) => Window | Promise<Window>
}

const SLOTS = 20

/** Index of the slot of a time. Slots are aligned to the epoch, so that replicas agree on them. */
export const slotAt = (windowMs: number, now: number): number => Math.floor((now * SLOTS) / windowMs)

/** `last`: when the latest units of the slot were taken. */
type Counted = { slot: number; units: number; last: number }[]

/** Windows of one process, bounded in number: when full, ended windows are dropped first, then the oldest. */
export const createLocalWindows = (maxKeys = 200_000) => {
  const windows = new Map<string, { counted: Counted; end: number }>()
  const makeRoom = (now: number) => {
    for (const [key, { end }] of windows) if (end <= now) windows.delete(key)
    for (const key of windows.keys()) {
      if (windows.size < maxKeys) break
      windows.delete(key)
    }
  }
  const take = (key: string, { limit, windowMs }: WindowLimit, now: number, units: number): Window => {
    const slot = slotAt(windowMs, now)
    const known = windows.get(key)
    const counted = known?.counted ?? []
    // If the clock was set back, earlier units count as taken now. Otherwise they would stay until the clock catches up.
    if ((counted.at(-1)?.last ?? now) > now) for (const one of counted) one.last = Math.min(one.last, now)
    while (counted[0] && counted[0].last + windowMs <= now) counted.shift()
    const before = counted.reduce((sum, { units }) => sum + units, 0)
    const taken = before + units <= limit
    const last = counted.at(-1)
    if (taken && last?.slot === slot) {
      last.units += units
      last.last = now
    } else if (taken) counted.push({ slot, units, last: now })
    if (!known && windows.size >= maxKeys) makeRoom(now)
    if (counted.length > 0) windows.set(key, { counted, end: now + windowMs })
    return {
      taken,
      used: taken ? before + units : before,
      resetMs: (counted[0]?.last ?? now) + windowMs - now,
    }
  }
  return { take }
}
