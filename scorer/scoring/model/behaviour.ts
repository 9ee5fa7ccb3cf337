/**
 * Behaviour features of a wallet. Equal to `training/features.py`; stored vectors test that. No feature depends on the unit of value,
 * so one model serves networks with different coins. An unknown aggregate is NaN, as is every feature that needs it.
 */

/** Aggregates of an account's transactions. Span in minutes, values in any single unit. */
export type Aggregates = {
  /** From the first transaction, sent or received, to the last. */
  span: number
  /** Signed transactions, including failed ones and calls without value. */
  sent: number
  /** Transactions with the account as receiver. */
  received: number
  unique_from: number
  /** Distinct receivers. All contract creations count as one. */
  unique_to: number
  max_received: number
  avg_received: number
  max_sent: number
  avg_sent: number
  total_sent: number
  total_received: number
}

/** Aggregates of a wallet without known transactions: NaN, because 0 would claim that it did nothing. */
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

/** Formula of each feature, in the order of the artifact. */
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

/** Name of a feature. */
export type BehaviourName = keyof typeof BEHAVIOUR

/** Names of the features in the order of the vector and the artifact; a test checks that they are equal. */
export const BEHAVIOUR_NAMES = Object.keys(BEHAVIOUR)
const FORMULAS = Object.values(BEHAVIOUR)

/** Feature vector in the order of BEHAVIOUR_NAMES. NaN means unknown. */
export const behaviourFeatures = (aggregates: Aggregates): Float64Array =>
  Float64Array.from(FORMULAS, (formula) => formula(aggregates))
