/**
 * Served counts: `checked_times`. Counting is memory only; increments leave in aggregated batches, and the base comes
 * from the store with the record's look-up. A counter is kept until what it counted has surely reached the store, so
 * that a record that comes back into memory goes on where it was.
 */
import { randomUUID } from 'node:crypto'
import type { ServedBatch } from '../../schema/records/served.ts'
import { type CountKind, keyOf, type ServeCounts, type Subject } from './port.ts'

export type Counter = {
  readonly name: string
  readonly kind: CountKind
  readonly subject: Subject
  served: number
  /** Not yet sent. */
  pending: number
  /** Milliseconds since the epoch of the last one sent. */
  sentAt: number
}

export type Counts = {
  /** Counters of subjects, with bases from the store for those not in memory. */
  load: (kind: CountKind, subjects: readonly Subject[], signal: AbortSignal) => Promise<Counter[]>
  /** Counts one answer; returns how many there were with it. */
  count: (counter: Counter) => number
  /** Sends what is pending. Keeps it when sending fails. */
  flush: () => Promise<void>
}

export type CountsOptions = {
  store: ServeCounts
  send: (batch: ServedBatch) => Promise<void>
  now: () => number
  /** Counters kept beyond those that must be. */
  maxIdle?: number
  /** After this long a sent count has reached the store, ms. */
  settledMs?: number
  maxBatch?: number
}

export const createCounts = (options: CountsOptions): Counts => {
  const { store, send, now, maxIdle = 100_000, settledMs = 120_000, maxBatch = 5_000 } = options
  const counters = new Map<string, Counter>()
  let dirty: Counter[] = []
  const nameOf = (kind: CountKind, subject: Subject) => `${kind}:${keyOf(subject)}`

  const forget = () => {
    if (counters.size <= maxIdle) return
    const before = now() - settledMs
    for (const [name, counter] of counters) {
      if (counter.pending === 0 && counter.sentAt < before) counters.delete(name)
      if (counters.size <= maxIdle) return
    }
  }

  const sendOne = async (batch: Counter[]) => {
    const at = now()
    const counts = batch.map(({ kind, subject, pending }) => ({
      ...subject,
      kind,
      count: pending,
      last: Math.floor(at / 1_000),
    }))
    await send({ batch: randomUUID(), counts })
    batch.forEach((counter, index) => {
      counter.pending -= counts[index]?.count ?? 0
      counter.sentAt = at
      if (counter.pending > 0) dirty.push(counter)
    })
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
      const all = dirty
      dirty = []
      for (let at = 0; at < all.length; at += maxBatch) {
        try {
          await sendOne(all.slice(at, at + maxBatch))
        } catch (error) {
          dirty.push(...all.slice(at))
          throw error
        }
      }
      forget()
    },
  }
}
