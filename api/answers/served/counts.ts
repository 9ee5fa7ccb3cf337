/**
 * Served counts (`checked_times`). Counts in memory; increments are sent in aggregated batches, and the base is read from the
 * store with the record. A counter stays in memory until its counts have surely reached the store, so that a record that returns
 * to memory continues the count. A failed batch is repeated unchanged; its id makes it count once.
 */
import { randomUUID } from 'node:crypto'
import type { ServedBatch } from '../../../schema/records/service/served.ts'
import { keyOf, type Subject } from '../providers/provider.ts'
import type { CountKind, ServeCounts } from './bases.ts'

/** Counts the answers about one address. A cached record holds its counter, so that counting needs no look-up. */
export type Counter = {
  readonly name: string
  readonly kind: CountKind
  readonly subject: Subject
  served: number
  /** Not yet in a batch. */
  pending: number
  /** When its last batch was sent, ms since the epoch; infinite while a batch waits to be sent. */
  sentAt: number
}

/** Counters of this process. */
export type Counts = {
  /** Counters of subjects. Reads the base from the store unless the counter is in memory. */
  load: (kind: CountKind, subjects: readonly Subject[], signal: AbortSignal) => Promise<Counter[]>
  /** Counts one answer. Returns the new count. */
  count: (counter: Counter) => number
  /** Sends pending counts. Batches that fail stay pending. */
  flush: () => Promise<void>
}

/** `now` is in milliseconds since the epoch. */
export type CountsOptions = {
  store: ServeCounts
  send: (batch: ServedBatch) => Promise<void>
  now: () => number
  /** Maximum number of idle counters in memory. @default 100_000 */
  maxIdle?: number
  /** Time after which a sent count has surely reached the store, ms. @default 120_000 */
  settledMs?: number
  /** Counts per batch. @default 5_000 */
  maxBatch?: number
}

/** The caller must call `flush` regularly. */
export const createCounts = (options: CountsOptions): Counts => {
  const { store, send, now, maxIdle = 100_000, settledMs = 120_000, maxBatch = 5_000 } = options
  const counters = new Map<string, Counter>()
  let dirty: Counter[] = []
  const unsent: { batch: ServedBatch; counters: Counter[] }[] = []
  let sending: Promise<void> | undefined
  const nameOf = (kind: CountKind, subject: Subject) => `${kind}:${keyOf(subject)}`

  const forget = () => {
    if (counters.size <= maxIdle) return
    const before = now() - settledMs
    for (const [name, counter] of counters) {
      if (counter.pending === 0 && counter.sentAt < before) counters.delete(name)
      if (counters.size <= maxIdle) return
    }
  }

  const prepare = () => {
    const all = dirty
    dirty = []
    const last = Math.floor(now() / 1_000)
    for (let at = 0; at < all.length; at += maxBatch) {
      const counters = all.slice(at, at + maxBatch)
      const counts = counters.map(({ kind, subject: { network, address }, pending }) => ({
        network,
        address,
        kind,
        count: pending,
        last,
      }))
      for (const counter of counters) {
        counter.pending = 0
        counter.sentAt = Number.POSITIVE_INFINITY
      }
      unsent.push({ batch: { batch: randomUUID(), counts }, counters })
    }
  }

  const sendAll = async () => {
    // Old batches first, so that an outage needs no memory beyond the counters.
    if (unsent.length === 0) prepare()
    for (let first = unsent[0]; first; first = unsent[0]) {
      await send(first.batch)
      unsent.shift()
      for (const counter of first.counters) counter.sentAt = now()
    }
  }

  return {
    load: async (kind, subjects, signal) => {
      const missing = subjects.filter((subject) => !counters.has(nameOf(kind, subject)))
      const bases = missing.length > 0 ? await store.load(kind, missing, signal) : []
      missing.forEach((subject, index) => {
        const name = nameOf(kind, subject)
        if (!counters.has(name)) {
          counters.set(name, { name, kind, subject, served: bases[index] ?? 0, pending: 0, sentAt: now() })
        }
      })
      return subjects.flatMap((subject) => counters.get(nameOf(kind, subject)) ?? [])
    },
    count: (counter) => {
      if (counter.pending++ === 0) {
        dirty.push(counter)
        // A cached record may hold a counter that was dropped as idle.
        if (!counters.has(counter.name)) counters.set(counter.name, counter)
      }
      return ++counter.served
    },
    flush: async () => {
      // Waits for a running flush, then sends what was counted since.
      while (sending) await sending.catch(() => undefined)
      const retried = unsent.length > 0
      sending = sendAll().then(() => (retried ? sendAll() : undefined))
      await sending.finally(() => {
        sending = undefined
      })
      forget()
    },
  }
}
