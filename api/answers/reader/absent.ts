/** Short-lived negative cache: repeated requests for an unknown address cost one computation. */
import { LRUCache } from 'lru-cache'

/** Addresses without activity, by record key. */
export type Absent = {
  add: (key: string) => void
  has: (key: string) => boolean
  delete: (key: string) => void
}

/** Limits of the cache. */
export type AbsentOptions = {
  maxEntries: number
  /** Lifetime of an entry, ms. */
  ttlMs: number
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Evicts expired entries, and the least recently used one when full. */
export const createAbsent = ({ maxEntries, ttlMs, now }: AbsentOptions): Absent => {
  const until = new LRUCache<string, number>({ max: maxEntries })
  return {
    add: (key) => void until.set(key, now() + ttlMs),
    has: (key) => (until.get(key) ?? 0) > now(),
    delete: (key) => void until.delete(key),
  }
}
