/**
 * The states of a payment and the moves between them. One authorization may have several attempts; each attempt is a row of the
 * ledger with its own state.
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
 * `settled` and `answered` rest on the report of a facilitator, or on a block that may still be replaced. A final block turns
 * them into `confirmed` and `completed`, or into `disputed`.
 *
 * Ranks make the ledger converge independent of the order of writes: of two rows of an attempt the one with the higher rank counts,
 * and of equal ranks the later one. No move leads to a lower rank, so a late write of a slow replica cannot undo that money moved or
 * that an answer was sent. `settled` and `confirmed` have equal ranks: a confirmation that is overwritten by `answered` or a late
 * `settled` is looked up again.
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
  /** Meaning of the state. */
  meaning: string
  /** What happens to the payment if the process is killed in this state. */
  recovery: string
}

/** All states with their outgoing moves. */
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
    meaning: 'The authorization expired, and no node is configured to look it up.',
    recovery: 'Nothing to do. An operator looks it up by hand.',
  },
  settled: {
    rank: 3,
    paid: true,
    moves: ['confirmed', 'answered', 'disputed', 'refunded'],
    meaning: 'The facilitator or the chain reports that the money moved. The answer has not been sent.',
    recovery: 'The payer gets the stored answer by sending the payment again. After ten minutes an alert reports it.',
  },
  confirmed: {
    rank: 3,
    paid: true,
    moves: ['completed', 'refunded'],
    meaning: 'The transfer is in a final block. The answer has not been sent.',
    recovery: 'The same as in `settled`. `assay payments refund-plan` prints its refund.',
  },
  answered: {
    rank: 4,
    paid: true,
    moves: ['completed', 'disputed', 'refunded'],
    meaning: 'The answer was sent. The transfer is not in a final block yet.',
    recovery:
      'Looked up on chain until a final block has the transfer, or is later than the expiry of the authorization.',
  },
  completed: {
    rank: 5,
    paid: true,
    moves: ['refunded'],
    meaning: 'The answer was sent, and the transfer is in a final block.',
    recovery: 'Nothing to do.',
  },
  disputed: {
    rank: 5,
    paid: false,
    moves: ['refunded'],
    meaning: 'It was reported as settled, but the chain shows that the money did not move and can no longer move.',
    recovery: 'Nothing to do. An alert reports it for a day.',
  },
  refunded: {
    rank: 6,
    paid: true,
    moves: [],
    meaning: 'An operator sent the money back.',
    recovery: 'Nothing to do.',
  },
}

/** @throws BugError ASSAY_PAYMENT_MOVE for a move that is not in the table */
export const assertMove = (key: string, from: PaymentState, to: PaymentState): void => {
  if (STATES[from].moves.includes(to)) return
  throw new BugError(
    'ASSAY_PAYMENT_MOVE',
    `Payment ${key} cannot go from ${from} to ${to}. Nothing was written. Please report it.`,
  )
}

/** Whether money moved in this state, as far as is known. */
export const isPaid = (state: PaymentState): boolean => STATES[state].paid

/** The state after the answer was sent, for unanswered states. */
export const AFTER_ANSWER: Partial<Record<PaymentState, PaymentState>> = { settled: 'answered', confirmed: 'completed' }

/** The state after a final block confirmed the transfer, for unconfirmed states. */
export const AFTER_FINAL: Partial<Record<PaymentState, PaymentState>> = { settled: 'confirmed', answered: 'completed' }

/** Whether a facilitator was asked and the outcome is unknown. */
export const isOpen = (state: PaymentState): boolean => state === 'settling' || state === 'pending'

/** How long a `reserved` attempt blocks others, and lifetime of a reservation, ms. */
export const LEASE_MS = 120_000
/** After this time without an answer of the facilitator the answer counts as lost, ms. */
export const PATIENCE_MS = 90_000

type Standing = { state: PaymentState; attempt: string; begun: number; moved: number }

/** Whether an attempt blocks others with the same authorization. */
const isLive = ({ state, moved }: Standing, now: number): boolean =>
  state === 'reserved' ? now - moved < LEASE_MS : state !== 'released'

/** The attempt that owns the authorization: the one with the highest rank, and of several the earliest. */
export const holderOf = <A extends Standing>(attempts: readonly A[], now: number): A | undefined =>
  attempts
    .filter((attempt) => isLive(attempt, now))
    .sort(
      (a, b) => STATES[b.state].rank - STATES[a.state].rank || a.begun - b.begun || (a.attempt < b.attempt ? -1 : 1),
    )[0]
