import { readFileSync } from 'node:fs'
import { RetryableError } from '../../platform/errors.ts'
import type { Store } from '../../platform/store/store.ts'
import { createBatcher } from '../reader/batch.ts'

export type PaymentState = 'settling' | 'settled' | 'failed' | 'unknown'

/** One authorization and what became of it; columns of table `payments`. */
export type Payment = {
  key: string
  state: PaymentState
  payer: string
  nonce: string
  valid_before: number
  amount: string
  asset: string
  network: string
  operation: string
  fingerprint: string
  request_id: string
  transaction: string
  reason: string
  answer: string
}

/** The durable record of payments: what was answered for what, before anything is charged. */
export type Ledger = {
  find: (key: string) => Promise<Payment | undefined>
  /** Resolves when the state is on disk. @throws what the store throws for this payment; others are not touched by it. */
  write: (payment: Payment) => Promise<void>
  /** Payments whose settlement was begun more than `olderThanMs` ago and has no outcome. */
  unsettled: (olderThanMs: number) => Promise<Payment[]>
}

const sql = (name: string) => readFileSync(new URL(`sql/${name}.sql`, import.meta.url), 'utf8')
const FIND = sql('find_payments')
const UNSETTLED = sql('unsettled_payments')

/** A statement costs as much for one payment as for many, so those that come while one is under way go together. */
const TOGETHER = { concurrency: 1, maxBatch: 200 }

type Row = Payment & { version: number }
type Written = { ok: true } | { error: unknown }
const WRITTEN: Written = { ok: true }

/** `now` in milliseconds since the epoch. */
export const createLedger = (store: Store, now: () => number): Ledger => {
  let last = 0
  // Strictly rising within the process, so that a later state always wins over an earlier one.
  const version = () => {
    last = Math.max(last + 1, now() * 1_000)
    return last
  }
  const parse = (row: Payment): Payment => ({ ...row, valid_before: Number(row.valid_before) })
  const find = createBatcher<string, Payment | undefined>({
    ...TOGETHER,
    load: async (keys) => {
      const rows = await store.query<Payment>(FIND, { keys }, { route: 'payments' })
      const found = new Map(rows.map((row) => [row.key, parse(row)]))
      return keys.map((key) => found.get(key))
    },
  })
  /** What became of each row. A row that is refused is parted from its neighbours by halving, so that only it fails. */
  const insert = async (rows: readonly Row[]): Promise<Written[]> => {
    const [first] = rows
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    try {
      await store.insert('payments', lines, { token: `payments:${first?.key}:${first?.version}:${rows.length}` })
      return rows.map(() => WRITTEN)
    } catch (error) {
      // A store that is away is no row's fault, and would be asked for each of them.
      if (rows.length <= 1 || error instanceof RetryableError) return rows.map(() => ({ error }))
      const half = Math.ceil(rows.length / 2)
      return [...(await insert(rows.slice(0, half))), ...(await insert(rows.slice(half)))]
    }
  }
  const write = createBatcher<Row, Written>({ ...TOGETHER, load: insert })
  return {
    find: (key) => find(key, key),
    write: async (payment) => {
      const row = { ...payment, version: version() }
      const written = await write(`${row.key}:${row.version}`, row)
      if ('error' in written) throw written.error
    },
    unsettled: async (olderThanMs) => {
      const before = (now() - olderThanMs) * 1_000
      return (await store.query<Payment>(UNSETTLED, { before }, { route: 'payments_unsettled' })).map(parse)
    },
  }
}
