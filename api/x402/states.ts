/**
 * The life of a payment as one table: its states, and the moves between them. One authorization may be attempted several
 * times; each attempt is a row of the ledger and moves by itself.
 *
 *     reserved -----> settling <----> pending -----> unknown
 *        |              |   |           |  |            |
 *        |              |   +> settled <+  |            |
 *        v              v      |  |  |     v            |
 *     released <--------+------|--|--|-----+            |
 *                              |  |  +--> disputed -----+
 *              confirmed <-----+  v          ^          |
 *               |     |       answered ------+          |
 *               |     |           |                     v
 *               |     +-----> completed ----------> refunded
 *               +-----------------------------------^
 *
 * `settled` and `answered` rest on what a facilitator says, or on a block that may still be replaced. A final block of the
 * chain makes `confirmed` and `completed` of them, or `disputed`.
 *
 * The rank makes the ledger converge whatever order writes arrive in: of two rows of an attempt the one of the higher rank
 * is in force, and of equal ranks the later one. No move leads to a lower rank, so that no late write of a slow replica
 * takes back that money moved or that an answer was given. `settled` and `confirmed` are equals: of a confirmation that
 * is lost behind an `answered`, or behind a late `settled`, the chain is asked again.
 */
import { BugError } from '../../platform/errors.ts'

/** States of an attempt. */
export type PaymentState =
  | 'reserved'
  | 'settling'
  | 'pending'
  | 'released'
  | 'unknown'
  | 'settled'
  | 'confirmed'
  | 'answered'
  | 'completed'
  | 'disputed'
  | 'refunded'

type StateInfo = {
  rank: number
  /** Whether money moved, as far as is known. */
  paid: boolean
  moves: readonly PaymentState[]
  /** What holds in this state. */
  meaning: string
  /** What becomes of it when the process is killed in this state. */
  recovery: string
}

/** Every state with the moves that leave it. */
export const STATES: Readonly<Record<PaymentState, StateInfo>> = {
  reserved: {
    rank: 0,
    paid: false,
    moves: ['settling', 'released'],
    meaning: 'The answer is ready. No facilitator has been asked.',
    recovery: 'Released after two minutes. The payment can be sent again then.',
  },
  settling: {
    rank: 1,
    paid: false,
    moves: ['settling', 'pending', 'settled', 'released', 'unknown'],
    meaning: 'A facilitator is asked to settle.',
    recovery: 'Looked up on chain. A retry settles it again after 90 seconds.',
  },
  pending: {
    rank: 1,
    paid: false,
    moves: ['settling', 'pending', 'settled', 'released', 'unknown'],
    meaning: 'A facilitator was asked, and the chain does not show an outcome yet.',
    recovery: 'Looked up on chain, until its authorization has expired.',
  },
  released: {
    rank: 2,
    paid: false,
    moves: [],
    meaning: 'Nothing was charged, and nothing will be.',
    recovery: 'Nothing to do.',
  },
  unknown: {
    rank: 2,
    paid: false,
    moves: ['settled', 'refunded'],
    meaning: 'The authorization expired, and no chain is configured to look it up on.',
    recovery: 'Nothing to do. An operator looks it up by hand.',
  },
  settled: {
    rank: 3,
    paid: true,
    moves: ['confirmed', 'answered', 'disputed', 'refunded'],
    meaning: 'The facilitator or the chain shows that the money moved. The answer has not been handed over.',
    recovery: 'The payer gets the stored answer when he sends the payment again. An alert names it after ten minutes.',
  },
  confirmed: {
    rank: 3,
    paid: true,
    moves: ['completed', 'refunded'],
    meaning: 'The transfer is in a final block. The answer has not been handed over.',
    recovery: 'The same as in `settled`. `assay payments refund-plan` prints its refund.',
  },
  answered: {
    rank: 4,
    paid: true,
    moves: ['completed', 'disputed', 'refunded'],
    meaning: 'The answer was handed over. The transfer has not been seen in a final block.',
    recovery: 'Looked up on chain, until a final block has the transfer or comes after the authorization expired.',
  },
  completed: {
    rank: 5,
    paid: true,
    moves: ['refunded'],
    meaning: 'The answer was handed over, and the transfer is in a final block.',
    recovery: 'Nothing to do.',
  },
  disputed: {
    rank: 5,
    paid: false,
    moves: ['refunded'],
    meaning: 'It was called settled, and the chain shows that the money did not move and cannot move any more.',
    recovery: 'Nothing to do. An alert names it for a day.',
  },
  refunded: {
    rank: 6,
    paid: true,
    moves: [],
    meaning: 'An operator sent the money back.',
    recovery: 'Nothing to do.',
  },
}

/** @throws BugError ASSAY_PAYMENT_MOVE when the table does not have the move. */
export const assertMove = (key: string, from: PaymentState, to: PaymentState): void => {
  if (STATES[from].moves.includes(to)) return
  throw new BugError(
    'ASSAY_PAYMENT_MOVE',
    `Payment ${key} cannot go from ${from} to ${to}. Nothing was written. Please report it.`,
  )
}

/** Whether money moved in this state, as far as is known. */
export const isPaid = (state: PaymentState): boolean => STATES[state].paid

/** What becomes of a payment when its answer is handed over. Those that are listed here have not been answered. */
export const AFTER_ANSWER: Partial<Record<PaymentState, PaymentState>> = { settled: 'answered', confirmed: 'completed' }

/** What becomes of a payment when a final block has its transfer. Those that are listed here wait for one. */
export const AFTER_FINAL: Partial<Record<PaymentState, PaymentState>> = { settled: 'confirmed', answered: 'completed' }

/** Whether a facilitator was asked and the outcome is not known. */
export const isOpen = (state: PaymentState): boolean => state === 'settling' || state === 'pending'

/** How long an attempt that nobody was asked about keeps others out, and how long a reservation lives, ms. */
export const LEASE_MS = 120_000
/** A facilitator answers within this time, or its answer was lost, ms. */
export const PATIENCE_MS = 90_000

type Standing = { state: PaymentState; attempt: string; begun: number; moved: number }

/** Whether an attempt keeps others of the same authorization out. */
const isLive = ({ state, moved }: Standing, now: number): boolean =>
  state === 'reserved' ? now - moved < LEASE_MS : state !== 'released'

/** The attempt an authorization belongs to: the one that has come furthest, and of several the earliest. */
export const holderOf = <A extends Standing>(attempts: readonly A[], now: number): A | undefined =>
  attempts
    .filter((attempt) => isLive(attempt, now))
    .sort(
      (a, b) => STATES[b.state].rank - STATES[a.state].rank || a.begun - b.begun || (a.attempt < b.attempt ? -1 : 1),
    )[0]
