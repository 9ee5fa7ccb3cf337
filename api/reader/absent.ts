/** Remembers for a moment what was never seen, so that asking for it over and over costs one computation, not many. */
import { LRUCache } from 'lru-cache'
import { ageOf } from '../../platform/clock.ts'

export type Absent = {
  add: (key: string) => void
  has: (key: string) => boolean
  delete: (key: string) => void
}

export type AbsentOptions = {
  maxEntries: number
  /** How long an absence is believed, ms. */
  ttlMs: number
  /** Milliseconds since the epoch. */
  now: () => number
}

export const createAbsent = ({ maxEntries, ttlMs, now }: AbsentOptions): Absent => {
  const since = new LRUCache<string, number>({ max: maxEntries })
  return {
    add: (key) => void since.set(key, now()),
    has: (key) => ageOf(now(), since.get(key) ?? Number.NEGATIVE_INFINITY) < ttlMs,
    delete: (key) => void since.delete(key),
  }
}
