/** Remembers for a moment what was never seen, so that asking for it over and over costs one computation, not many. */
import { LRUCache } from 'lru-cache'

/** Addresses that nobody has seen, by the key of their record. */
export type Absent = {
  add: (key: string) => void
  has: (key: string) => boolean
  delete: (key: string) => void
}

/** Bounds of that memory. */
export type AbsentOptions = {
  maxEntries: number
  /** How long an absence is believed, ms. */
  ttlMs: number
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Forgets by itself: the oldest when it is full, each after its time. */
export const createAbsent = ({ maxEntries, ttlMs, now }: AbsentOptions): Absent => {
  const until = new LRUCache<string, number>({ max: maxEntries })
  return {
    add: (key) => void until.set(key, now() + ttlMs),
    has: (key) => (until.get(key) ?? 0) > now(),
    delete: (key) => void until.delete(key),
  }
}
