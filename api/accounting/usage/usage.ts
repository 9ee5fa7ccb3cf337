/**
 * Counts calls by key, operation and day of the answer, in memory; sums are inserted once a second. A failed insert is repeated
 * with the same token, so calls count once. A killed process loses the last second.
 */
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Metrics } from '../../../platform/context/metrics.ts'
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Operation } from '../../../schema/networks.ts'
import type { Caller } from '../../keys/caller.ts'

const USAGE = readSql(import.meta.url, './sql/usage.sql')
const MAX_BATCH = 5_000

const usageRow = z
  .object({
    on_day: z.string(),
    key: z.string(),
    operation: z.string(),
    status: z.number(),
    sum: z.coerce.number(),
  })
  .transform(({ on_day: day, sum: calls, ...row }) => ({ day, ...row, calls }))
/** Calls of one key to one operation with one status on one day. */
export type UsageRow = z.output<typeof usageRow>

/** Calls by key, counted per process and summed over all replicas in the store. */
export type Usage = {
  /** Counts an answer to a key. Ignores payments, which have their own ledger, and test keys. */
  count: (caller: Caller, operation: Operation, status: number) => void
  /** Stores the counts. On failure they stay pending. */
  flush: () => Promise<void>
  /** Calls of keys within a range of days such as `2026-11-22`, both inclusive. */
  read: (keys: readonly string[], from: string, to: string) => Promise<UsageRow[]>
}

/** `now` is in milliseconds since the epoch. */
export type UsageOptions = { store: Store; metrics: Metrics; now: () => number }

type Sums = Map<string, number>

const DAY_MS = 86_400_000
const nameOfDay = (days: number): string => new Date(days * DAY_MS).toISOString().slice(0, 10)

/** Counts in memory until `flush`. */
export const createUsage = ({ store, metrics, now }: UsageOptions): Usage => {
  const counted = metrics.counter('assay_key_calls_total', 'Calls answered to API keys', ['key', 'operation'])
  let sums = new Map<string, Sums>()
  const unsent: { token: string; lines: string }[] = []
  let sending: Promise<void> = Promise.resolve()

  const prepare = () => {
    const lines: string[] = []
    for (const [key, ofKey] of sums) {
      for (const [name, calls] of ofKey) {
        const [days, operation = '', status] = name.split(' ')
        const day = nameOfDay(Number(days))
        lines.push(`${JSON.stringify({ day, key, operation, status: Number(status), calls })}\n`)
        counted.labels({ key, operation }).inc(calls)
      }
    }
    sums = new Map()
    for (let at = 0; at < lines.length; at += MAX_BATCH) {
      unsent.push({ token: `usage:${randomUUID()}`, lines: lines.slice(at, at + MAX_BATCH).join('') })
    }
  }

  const sendUnsent = async () => {
    for (let first = unsent[0]; first; first = unsent[0]) {
      await store.insert('usage', first.lines, { token: first.token })
      unsent.shift()
    }
  }
  const sendAll = async () => {
    // Old inserts first, so that an outage needs no memory beyond the sums.
    await sendUnsent()
    prepare()
    await sendUnsent()
  }

  return {
    count: ({ kind, id, test }, operation, status) => {
      if (kind !== 'key' || test) return
      let ofKey = sums.get(id)
      if (!ofKey) {
        ofKey = new Map()
        sums.set(id, ofKey)
      }
      const name = `${Math.floor(now() / DAY_MS)} ${operation} ${status}`
      ofKey.set(name, (ofKey.get(name) ?? 0) + 1)
    },
    flush: () => {
      const sent = sending.then(sendAll)
      sending = sent.catch(() => undefined)
      return sent
    },
    read: async (keys, from, to) =>
      z.array(usageRow).parse(await store.query(USAGE, { keys, from, to }, { route: 'usage' })),
  }
}
