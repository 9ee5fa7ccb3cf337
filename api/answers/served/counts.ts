/**
 * Served counts: `checked_times`. Counting is memory only; increments leave in aggregated batches, and the base comes
 * from the store with the record's look-up. A counter is kept until what it counted has surely reached the store, so
 * that a record that comes back into memory goes on where it was. A batch that could not be sent, or of which that is
 * not known, is sent again as it is: its id makes it count once.
 */
import { randomUUID } from 'node:crypto'
import type { ServedBatch } from '../../../schema/records/service/served.ts'
import { keyOf, type Subject } from '../providers/provider.ts'
import type { CountKind, ServeCounts } from './bases.ts'

/** Answers about one address. A record in memory holds its counter, so that counting costs no look-up. */
export type Counter = {
  readonly name: string
  readonly kind: CountKind
  readonly subject: Subject
  served: number
  /** Not yet in a batch. */
  pending: number
  /** Milliseconds since the epoch of the last one sent; infinite while a batch waits to be sent. */
  sentAt: number
}

/** Counters of this process. */
export type Counts = {
  /** Counters of subjects, with bases from the store for those not in memory. */
  load: (kind: CountKind, subjects: readonly Subject[], signal: AbortSignal) => Promise<Counter[]>
  /** Counts one answer; returns how many there were with it. */
  count: (counter: Counter) => number
  /** Sends what is pending. Keeps it, batch by batch, when sending fails. */
  flush: () => Promise<void>
}

/** Where bases come from and batches go. `now` is in milliseconds since the epoch. */
export type CountsOptions = {
  store: ServeCounts
  send: (batch: ServedBatch) => Promise<void>
  now: () => number
  /** Counters kept beyond those that must be. @default 100_000 */
  maxIdle?: number
  /** After this long a sent count has reached the store, ms. @default 120_000 */
  settledMs?: number
  /** Counts that are sent at once. @default 5_000 */
  maxBatch?: number
}

/** Sends nothing by itself: the caller calls `flush`. */
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

  const cut = () => {
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
    // Nothing new is cut while old batches wait, so that an outage costs no memory beyond the counters.
    if (unsent.length === 0) cut()
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
        // A record in memory may hold a counter that was forgotten as idle.
        if (!counters.has(counter.name)) counters.set(counter.name, counter)
      }
      return ++counter.served
    },
    flush: async () => {
      // One at a time: what another call has under way is waited for, then what came since is sent.
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
