/**
 * A transaction of one account: the message it handled, and the outcome. Source: TON, `crypto/block/block.tlb` (Transaction,
 * TransactionDescr and its phases).
 */
import { type Cell, hashOf } from './cell/cell.ts'
import { type Slice, sliceOf } from './cell/slice.ts'
import { type Message, readCoins, readMessage } from './message.ts'

type AccountState = 'uninitialized' | 'frozen' | 'active' | 'none'

/** Outcome of a transaction. */
export type Outcome = {
  /** Kind by the chain's four-bit number: 0 is ordinary, 2 and 3 are the system's ticks and tocks. */
  kind: number
  /** `failed`: the code stopped, or its actions were impossible. `unknown`: a kind that is not parsed. */
  result: 'done' | 'failed' | 'unknown'
  /** Whether the message went back to its sender with the rest of its value. */
  bounced: boolean
  gasUsed: bigint
}

/** A parsed transaction. `previous` is the account's previous transaction, which reveals gaps; `time` in seconds. */
export type TonTransaction = {
  hash: string
  /** Account id, 64 hex digits; the workchain is that of its block. */
  account: string
  lt: bigint
  previous: { hash: string; lt: bigint }
  time: number
  before: AccountState
  after: AccountState
  message: Message | undefined
  /** In nanotons. */
  fees: bigint
  outcome: Outcome
}

const STATES: readonly AccountState[] = ['uninitialized', 'frozen', 'active', 'none']
const stateOf = (slice: Slice): AccountState => STATES[slice.uint(2)] ?? 'none'

const KIND = { ordinary: 0, tick: 2, tock: 3 } as const

const skipStorage = (slice: Slice): void => {
  slice.coins()
  if (slice.bit()) slice.coins()
  if (slice.bit()) slice.skip(1)
}

const skipCredit = (slice: Slice): void => {
  if (slice.bit()) slice.coins()
  readCoins(slice)
}

/** `skipped`: the account has no code, or could not pay for running it. Its balance has the message's value all the same. */
const readCompute = (slice: Slice): { ran: 'skipped' | 'done' | 'failed'; gasUsed: bigint } => {
  if (!slice.bit()) {
    // Three reasons have two bits, and one has three.
    if (slice.uint(2) === 3) slice.skip(1)
    return { ran: 'skipped', gasUsed: 0n }
  }
  const success = slice.bit()
  slice.skip(2)
  slice.coins()
  return { ran: success ? 'done' : 'failed', gasUsed: sliceOf(slice.ref()).variable(3) }
}

/** 00: nothing to pay it with. 01: too little. 1: bounced. */
const readBounce = (slice: Slice): boolean => slice.bit() && slice.bit()

const readOutcome = (cell: Cell): Outcome => {
  const slice = sliceOf(cell)
  const kind = slice.uint(4)
  if (kind === KIND.ordinary) {
    slice.skip(1)
    if (slice.bit()) skipStorage(slice)
    if (slice.bit()) skipCredit(slice)
  } else if (kind === KIND.tick || kind === KIND.tock) skipStorage(slice)
  else return { kind, result: 'unknown', bounced: false, gasUsed: 0n }
  const { ran, gasUsed } = readCompute(slice)
  const acted = slice.bit() ? sliceOf(slice.ref()).bit() : true
  slice.skip(1)
  const bounced = kind === KIND.ordinary && readBounce(slice)
  const failed = bounced || ran === 'failed' || !acted
  return { kind, result: failed ? 'failed' : 'done', bounced, gasUsed }
}

/** @throws RangeError when the cell is not a transaction. */
export const readTransaction = (cell: Cell): TonTransaction => {
  const slice = sliceOf(cell)
  if (slice.uint(4) !== 7) throw new RangeError('a cell is not a transaction')
  const account = slice.bytes(32).toString('hex')
  const lt = slice.big(64)
  const previousHash = slice.bytes(32).toString('hex')
  const previousLt = slice.big(64)
  const time = slice.uint(32)
  slice.skip(15)
  const before = stateOf(slice)
  const after = stateOf(slice)
  const fees = readCoins(slice)
  const messages = sliceOf(slice.ref())
  slice.ref()
  const description = slice.ref()
  return {
    hash: hashOf(cell).toString('hex'),
    account,
    lt,
    previous: { hash: previousHash, lt: previousLt },
    time,
    before,
    after,
    message: messages.bit() ? readMessage(messages.ref()) : undefined,
    fees,
    outcome: readOutcome(description),
  }
}
