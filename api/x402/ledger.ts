import { readFileSync } from 'node:fs'
import { RetryableError } from '../../platform/errors.ts'
import { boundedStore } from '../../platform/store/bounded.ts'
import type { Store } from '../../platform/store/store.ts'
import { createBatcher } from '../answers/reader/batch.ts'
import { assertMove, type PaymentState, STATES } from './states.ts'

/** One attempt to pay with an authorization, and its state: the columns of table `payments`. */
export type Payment = {
  /** Chain, asset, payer and nonce, which the chain accepts only once. */
  key: string
  attempt: string
  state: PaymentState
  /** When the answer was ready, ms since the epoch. */
  begun: number
  /** When this state was reached, ms since the epoch. */
  moved: number
  payer: string
  receiver: string
  nonce: string
  /** Unix seconds. */
  valid_before: number
  amount: string
  asset: string
  network: string
  operation: string
  fingerprint: string
  proof: string
  request_id: string
  transaction: string
  reason: string
  answer: string
}

/** The durable record of payments, written before anything is charged. */
export type Ledger = {
  /** All attempts with an authorization. */
  find: (key: string) => Promise<Payment[]>
  /** Resolves when the state is on disk. @throws errors of the store for this payment; other payments of the batch are not affected */
  write: (payment: Payment) => Promise<void>
  /** Up to `limit` attempts that have been in one of the states since before `before` (ms), oldest first. */
  inState: (states: readonly PaymentState[], before: number, after: Position, limit: number) => Promise<Payment[]>
}

/** Cursor: the last attempt of a page. */
export type Position = Pick<Payment, 'moved' | 'key' | 'attempt'>
/** Cursor before all attempts. */
export const BEGINNING: Position = { moved: 0, key: '', attempt: '' }

/** The payment after a move. `now` in ms. @throws BugError ASSAY_PAYMENT_MOVE */
export const moved = (payment: Payment, state: PaymentState, now: number, change: Partial<Payment> = {}): Payment => {
  assertMove(payment.key, payment.state, state)
  return { ...payment, ...change, state, moved: now }
}

/** Attempts in some states, in pages of bounded size. */
export async function* pagesOf(
  ledger: Pick<Ledger, 'inState'>,
  states: readonly PaymentState[],
  before: number,
  from: Position = BEGINNING,
) {
  const size = 500
  let after = from
  for (;;) {
    const page = await ledger.inState(states, before, after, size)
    if (page.length > 0) yield page
    const last = page.at(-1)
    if (!last || page.length < size) return
    after = last
  }
}

const sql = (name: string) => readFileSync(new URL(`sql/${name}.sql`, import.meta.url), 'utf8')
const FIND = sql('find_payments')
const IN_STATE = sql('payments_in_state')

/** A statement costs the same for one payment as for many, so payments that arrive during a statement form the next batch. */
const TOGETHER = { concurrency: 1, maxBatch: 200 }

const RANK_BITS = 52n

type Row = Omit<Payment, 'begun' | 'moved'> & { begun: string; moved: string; version: string }
type Written = { ok: true } | { error: unknown }
const WRITTEN: Written = { ok: true }

type Found = Omit<Payment, 'begun' | 'moved'> & { begun_ms: string; moved_ms: string }
const parse = ({ begun_ms, moved_ms, ...row }: Found): Payment => ({
  ...row,
  begun: Number(begun_ms),
  moved: Number(moved_ms),
  valid_before: Number(row.valid_before),
})

const seconds = (ms: number): string => (ms / 1_000).toFixed(3)

/** Timeout of a statement, ms. Below the lease, so that an attempt that is still being written does not count as abandoned. */
const DEADLINE_MS = 10_000

/** `now` in milliseconds since the epoch. A statement that times out may still be executed later. */
export const createLedger = (opened: Store, now: () => number, deadlineMs = DEADLINE_MS): Ledger => {
  const store = boundedStore(opened, deadlineMs)
  let last = 0
  // Strictly increasing within the process, so that a later state wins over an earlier one of the same rank.
  const version = (state: PaymentState): string => {
    last = Math.max(last + 1, now() * 1_000)
    return String((BigInt(STATES[state].rank) << RANK_BITS) | BigInt(last))
  }
  const find = createBatcher<string, Payment[]>({
    ...TOGETHER,
    load: async (keys) => {
      const rows = (await store.query<Found>(FIND, { keys }, { route: 'payments' })).map(parse)
      return keys.map((key) => rows.filter((row) => row.key === key))
    },
  })
  /** Outcome of each row. A refused batch is halved until only the invalid row fails. */
  const insert = async (rows: readonly Row[]): Promise<Written[]> => {
    const [first] = rows
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    try {
      await store.insert('payments', lines, {
        token: `payments:${first?.key}:${first?.attempt}:${first?.version}:${rows.length}`,
      })
      return rows.map(() => WRITTEN)
    } catch (error) {
      // An outage of the store is not caused by a row: do not halve.
      if (rows.length <= 1 || error instanceof RetryableError) return rows.map(() => ({ error }))
      const half = Math.ceil(rows.length / 2)
      return [...(await insert(rows.slice(0, half))), ...(await insert(rows.slice(half)))]
    }
  }
  const write = createBatcher<Row, Written>({ ...TOGETHER, load: insert })
  let lookUps = 0
  return {
    // Never shares a look-up in progress, which may not see what was written since.
    find: (key) => find(`${key}:${++lookUps}`, key),
    write: async (payment) => {
      const row: Row = {
        ...payment,
        begun: seconds(payment.begun),
        moved: seconds(payment.moved),
        version: version(payment.state),
      }
      const written = await write(`${row.key}:${row.attempt}:${row.version}`, row)
      if ('error' in written) throw written.error
    },
    inState: async (states, before, after, limit) => {
      const parameters = {
        states,
        before,
        after_moved: after.moved,
        after_key: after.key,
        after_attempt: after.attempt,
        limit,
      }
      return (await store.query<Found>(IN_STATE, parameters, { route: 'payments_in_state' })).map(parse)
    },
  }
}
