import { readFileSync } from 'node:fs'
import { RetryableError } from '../../platform/errors.ts'
import { boundedStore } from '../../platform/store/bounded.ts'
import type { Store } from '../../platform/store/store.ts'
import { createBatcher } from '../answers/reader/batch.ts'
import { assertMove, type PaymentState, STATES } from './states.ts'

/** One attempt to pay with an authorization, and what became of it; columns of table `payments`. */
export type Payment = {
  /** Chain, asset, payer and nonce: what the chain accepts once. */
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

/** The durable record of payments: what was answered for what, before anything is charged. */
export type Ledger = {
  /** All attempts with an authorization. */
  find: (key: string) => Promise<Payment[]>
  /** Resolves when the state is on disk. @throws what the store throws for this payment; others are not touched by it. */
  write: (payment: Payment) => Promise<void>
  /** Up to `limit` attempts that have been in one of the states since before `before` (ms), oldest first. */
  inState: (states: readonly PaymentState[], before: number, after: Position, limit: number) => Promise<Payment[]>
}

/** Where a page of attempts ended. */
export type Position = Pick<Payment, 'moved' | 'key' | 'attempt'>
/** Where a walk over all attempts begins. */
export const BEGINNING: Position = { moved: 0, key: '', attempt: '' }

/** The payment after a move. `now` in ms. @throws BugError ASSAY_PAYMENT_MOVE */
export const moved = (payment: Payment, state: PaymentState, now: number, change: Partial<Payment> = {}): Payment => {
  assertMove(payment.key, payment.state, state)
  return { ...payment, ...change, state, moved: now }
}

/** Attempts in some states, in pages, so that many of them neither fill the memory nor keep each other from being seen. */
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

/** A statement costs as much for one payment as for many, so those that come while one is under way go together. */
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

/** How long a payer waits for one statement, ms. Less than its lease, so that nobody takes what is still being written for abandoned. */
const DEADLINE_MS = 10_000

/** `now` in milliseconds since the epoch. A store that does not answer is away, and what it was told may be written later. */
export const createLedger = (opened: Store, now: () => number, deadlineMs = DEADLINE_MS): Ledger => {
  const store = boundedStore(opened, deadlineMs)
  let last = 0
  // Strictly rising within the process, so that a later state always wins over an earlier one of the same rank.
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
  /** What became of each row. A row that is refused is parted from its neighbours by halving, so that only it fails. */
  const insert = async (rows: readonly Row[]): Promise<Written[]> => {
    const [first] = rows
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    try {
      await store.insert('payments', lines, {
        token: `payments:${first?.key}:${first?.attempt}:${first?.version}:${rows.length}`,
      })
      return rows.map(() => WRITTEN)
    } catch (error) {
      // A store that is away is no row's fault, and would be asked for each of them.
      if (rows.length <= 1 || error instanceof RetryableError) return rows.map(() => ({ error }))
      const half = Math.ceil(rows.length / 2)
      return [...(await insert(rows.slice(0, half))), ...(await insert(rows.slice(half)))]
    }
  }
  const write = createBatcher<Row, Written>({ ...TOGETHER, load: insert })
  let looks = 0
  return {
    // Never shared with a look-up that is under way: that one may not see what was written since.
    find: (key) => find(`${key}:${++looks}`, key),
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
