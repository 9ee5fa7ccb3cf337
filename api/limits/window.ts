/**
 * Sliding windows: however calls are spread, no stretch of a window's length has more than the limit. Calls of a twentieth
 * of the window are counted together, and leave the window with the last of them.
 */
export type Window = {
  /** Whether the units were taken. Refused ones are not counted, so that whoever keeps asking is let in again in time. */
  taken: boolean
  /** Taken in this window, these included. */
  used: number
  /** Milliseconds until the oldest units of the window are free again. */
  resetMs: number
}

/** So many units in a window. */
export type WindowLimit = { limit: number; windowMs: number }

/** Where windows are counted. */
export type WindowStore = {
  /** Takes `units` from the window that ends at `now` (ms since the epoch), if they fit. */
  take: (key: string, limit: WindowLimit, now: number, units: number) => Window | Promise<Window>
}

const SLOTS = 20

/** Calls that come in the same slot leave the window together. Aligned to the epoch, so that replicas agree on them. */
export const slotAt = (windowMs: number, now: number): number => Math.floor((now * SLOTS) / windowMs)

/** `last` is when the latest units of the slot were taken. */
type Counted = { slot: number; units: number; last: number }[]

/** Windows of one process. Memory is bounded: when it is full, windows that ended are forgotten, then the oldest ones. */
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
    // What was taken before the clock was set back counts as taken now, or it would stay until the clock has caught up.
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
