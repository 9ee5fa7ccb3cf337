/**
 * The life of a payment as one table: its states, and the moves between them. One authorization may be attempted several
 * times; each attempt is a row of the ledger and moves by itself.
 *
 *     reserved -----> settling <----> pending -----> unknown
 *        |              | |             | |             |
 *        |              | +--> settled <+ |             |
 *        |              |       |    |    |             |
 *        |              |       v    |    |             |
 *        |              |   answered |    |             |
 *        v              v       |    v    v             |
 *     released <--------+-------|--------+    refunded <+
 *                               +---------------^
 *
 * The rank makes the ledger converge whatever order writes arrive in: of two rows of an attempt the one of the higher rank
 * is in force, and of equal ranks the later one. No move leads to a lower rank, so that no late write of a slow replica
 * takes back that money moved or that an answer was given.
 */
import { BugError } from '../../platform/errors.ts'

export type PaymentState =
  | 'reserved'
  | 'settling'
  | 'pending'
  | 'released'
  | 'unknown'
  | 'settled'
  | 'answered'
  | 'refunded'

type StateInfo = {
  rank: number
  moves: readonly PaymentState[]
  /** What holds in this state. */
  meaning: string
  /** What becomes of it when the process is killed in this state. */
  recovery: string
}

export const STATES: Readonly<Record<PaymentState, StateInfo>> = {
  reserved: {
    rank: 0,
    moves: ['settling', 'released'],
    meaning: 'The answer is ready. No facilitator has been asked.',
    recovery: 'Released after two minutes. The payment can be sent again then.',
  },
  settling: {
    rank: 1,
    moves: ['settling', 'pending', 'settled', 'released', 'unknown'],
    meaning: 'A facilitator is asked to settle.',
    recovery: 'Looked up on chain. A retry settles it again after 90 seconds.',
  },
  pending: {
    rank: 1,
    moves: ['settling', 'pending', 'settled', 'released', 'unknown'],
    meaning: 'A facilitator was asked, and the chain does not show an outcome yet.',
    recovery: 'Looked up on chain, until its authorization has expired.',
  },
  released: {
    rank: 2,
    moves: [],
    meaning: 'Nothing was charged, and nothing will be.',
    recovery: 'Nothing to do.',
  },
  unknown: {
    rank: 2,
    moves: ['settled', 'refunded'],
    meaning: 'The authorization expired, and no chain is configured to look it up on.',
    recovery: 'Nothing to do. An operator looks it up by hand.',
  },
  settled: {
    rank: 3,
    moves: ['answered', 'refunded'],
    meaning: 'The money moved. The answer has not been handed over.',
    recovery: 'The payer gets the stored answer when he sends the payment again. An alert names it after ten minutes.',
  },
  answered: {
    rank: 4,
    moves: ['refunded'],
    meaning: 'The answer was handed over. The payer can get it again for a day.',
    recovery: 'Nothing to do.',
  },
  refunded: {
    rank: 5,
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

/** Whether money moved for good in this state. */
export const isPaid = (state: PaymentState): boolean => STATES[state].rank >= STATES.settled.rank

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
