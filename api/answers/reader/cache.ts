import { LRUCache } from 'lru-cache'
import type { StoredRecord } from '../../../schema/records/stored.ts'
import type { Counter } from '../served/counts.ts'

/** When a record was last confirmed to be the newest, and since when its network was complete at that time. */
export type Confirmed = { at: number; settled: number }

/** A stored record in memory, with its counter of answers. */
export type CachedRecord = StoredRecord & {
  counter: Counter | undefined
  /** Start of the last look-up; ms of the reader's clock. */
  loadedAt: number
  /** When it was last confirmed to be the newest. */
  confirmed: Confirmed
}

/** Records in memory, bounded in bytes. */
export type RecordCache = {
  get: (key: string) => CachedRecord | undefined
  /** Keeps the record with the higher version; of equal versions the one confirmed later. Returns the kept one. */
  put: (key: string, entry: CachedRecord) => CachedRecord
  /** Replaces a cached record by a newer one. Does nothing if the record is not cached. */
  refresh: (key: string, stored: StoredRecord, confirmed: Confirmed) => void
  /** Marks a cached record as the newest. */
  confirm: (key: string, confirmed: Confirmed) => void
  delete: (key: string) => void
  /** Removes a record older than `version`. */
  outdate: (key: string, version: number) => void
  readonly bytes: number
  readonly size: number
}

/** Approximate overhead of an entry beside body and key: objects and list links. */
const ENTRY_BYTES = 400

/** Whether `one` is the earlier confirmation. `settled` counts first, because it may change within a millisecond. */
const isBefore = (one: Confirmed, other: Confirmed): boolean =>
  one.settled < other.settled || (one.settled === other.settled && one.at < other.at)

/** An LRU cache of `maxBytes`, which counts keys and overhead too. */
export const createRecordCache = (maxBytes: number): RecordCache => {
  const entries = new LRUCache<string, CachedRecord>({
    maxSize: maxBytes,
    sizeCalculation: (entry, key) => Buffer.byteLength(entry.body) + key.length + ENTRY_BYTES,
  })
  return {
    get: (key) => entries.get(key),
    put: (key, entry) => {
      const known = entries.peek(key)
      const earlier = known && isBefore(entry.confirmed, known.confirmed)
      if (known && (known.version > entry.version || (known.version === entry.version && earlier))) {
        known.loadedAt = Math.max(known.loadedAt, entry.loadedAt)
        if (!earlier) known.confirmed = entry.confirmed
        return known
      }
      entries.set(key, entry)
      return entry
    },
    refresh: (key, { body, version, dataHeight, unsure }, confirmed) => {
      const known = entries.peek(key)
      if (known && known.version < version) {
        entries.set(
          key,
          { ...known, body, version, dataHeight, unsure, loadedAt: confirmed.at, confirmed },
          { noUpdateTTL: true },
        )
      }
    },
    confirm: (key, confirmed) => {
      const known = entries.peek(key)
      if (known && !isBefore(confirmed, known.confirmed)) known.confirmed = confirmed
    },
    delete: (key) => void entries.delete(key),
    outdate: (key, version) => {
      const known = entries.peek(key)
      if (known && known.version < version) entries.delete(key)
    },
    get bytes() {
      return entries.calculatedSize
    },
    get size() {
      return entries.size
    },
  }
}
