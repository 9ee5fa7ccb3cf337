/**
 * Behaviour features of a wallet: the one definition that serving uses, equal to `training/features.py` (stored vectors
 * hold them equal). None depends on the unit of value, so one model serves networks whose coins differ. An aggregate that
 * is not known is NaN and so is every feature that needs it.
 */

/** History of one account's own transactions. Span in minutes, values in any one unit, counts of transactions. */
export type Aggregates = {
  /** From the first transaction, sent or received, to the last. */
  span: number
  /** Transactions signed, failed ones and calls without value included. */
  sent: number
  /** Transactions that name the account as receiver. */
  received: number
  unique_from: number
  /** Distinct receivers; all creations of contracts count as one. */
  unique_to: number
  max_received: number
  avg_received: number
  max_sent: number
  avg_sent: number
  total_sent: number
  total_received: number
}

/** Aggregates of a wallet of which nothing is known. NaN and not 0, which would claim that it did nothing. */
export const UNKNOWN_AGGREGATES: Aggregates = {
  span: NaN,
  sent: NaN,
  received: NaN,
  unique_from: NaN,
  unique_to: NaN,
  max_received: NaN,
  avg_received: NaN,
  max_sent: NaN,
  avg_sent: NaN,
  total_sent: NaN,
  total_received: NaN,
}

const DAY_MINUTES = 1_440

const log = (value: number): number => finite(Math.log1p(value))
const finite = (value: number): number => (Number.isFinite(value) ? value : NaN)
const ratio = (part: number, whole: number): number => (whole > 0 ? finite(part / whole) : NaN)
const clip = (value: number, low: number, high: number): number =>
  Number.isNaN(value) ? NaN : Math.min(high, Math.max(low, value))

/** Name of each feature and how it follows from the aggregates, in the artifact's order. */
const BEHAVIOUR = {
  span: (a) => log(a.span),
  sent: (a) => log(a.sent),
  received: (a) => log(a.received),
  sent_share: (a) => ratio(a.sent, a.sent + a.received),
  rate: (a) => log(ratio((a.sent + a.received) * DAY_MINUTES, a.span)),
  unique_from: (a) => log(a.unique_from),
  unique_to: (a) => log(a.unique_to),
  from_ratio: (a) => ratio(a.unique_from, a.received),
  to_ratio: (a) => ratio(a.unique_to, a.sent),
  avg_max_received: (a) => ratio(a.avg_received, a.max_received),
  avg_max_sent: (a) => ratio(a.avg_sent, a.max_sent),
  pass_through: (a) => clip(ratio(a.total_sent, a.total_received), 0, 2),
  largest_sent: (a) => clip(ratio(a.max_sent, a.total_received), 0, 2),
  sent_received_size: (a) => finite(Math.log(clip(ratio(a.avg_sent, a.avg_received), 1e-4, 1e4))),
} as const satisfies Record<string, (a: Aggregates) => number>

/** A feature of the artifact, so that groups of features in reasons cannot name one that is not there. */
export type BehaviourName = keyof typeof BEHAVIOUR

/** Names of the features in the order of the vector and of the trained artifact, of which a test holds them equal. */
export const BEHAVIOUR_NAMES = Object.keys(BEHAVIOUR)
const FORMULAS = Object.values(BEHAVIOUR)

/** The feature vector in the order of BEHAVIOUR_NAMES; NaN where not known. */
export const behaviourFeatures = (aggregates: Aggregates): Float64Array =>
  Float64Array.from(FORMULAS, (formula) => formula(aggregates))
