import { LRUCache } from 'lru-cache'
import type { StoredRecord } from '../../../schema/records/stored.ts'
import type { Counter } from '../served/counts.ts'

/** When something was known to be the newest, and since when its network could be relied on then. */
export type Confirmed = { at: number; settled: number }

/** A stored record in memory, with its counter of answers. */
export type CachedRecord = StoredRecord & {
  counter: Counter | undefined
  /** When it was looked up last, or began to be; ms of the reader's time. */
  loadedAt: number
  /** When it was last known to be the newest. */
  confirmed: Confirmed
}

/** Records in memory, bounded in bytes. */
export type RecordCache = {
  get: (key: string) => CachedRecord | undefined
  /** Keeps the newer of what is there and what comes, of two of one moment the one confirmed later; returns what is kept. */
  put: (key: string, entry: CachedRecord) => CachedRecord
  /** Replaces the body of a record that is in memory by a newer one; leaves others alone. */
  refresh: (key: string, stored: StoredRecord, confirmed: Confirmed) => void
  /** It was looked up, and is the newest. */
  confirm: (key: string, confirmed: Confirmed) => void
  delete: (key: string) => void
  /** Forgets a record older than `version`. */
  outdate: (key: string, version: number) => void
  readonly bytes: number
  readonly size: number
}

/** Rough cost of an entry beside its body: key, entry, list links. */
const ENTRY_BYTES = 400

/** Whether one says less than another: a network can be relied on anew, or time has passed. Both may happen within a millisecond. */
const isBefore = (one: Confirmed, other: Confirmed): boolean =>
  one.settled < other.settled || (one.settled === other.settled && one.at < other.at)

/** Holds the records that were asked for last, as far as `maxBytes` go. Keys and entries are counted with bodies. */
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
