/**
 * Behaviour features of a wallet: the one definition that serving uses, equal to `training/features.py` (stored vectors
 * hold them equal). Aggregates are what the tables of every network can give; an aggregate that is not known is NaN and
 * so is every feature that needs it.
 */

/** Native-coin history of one account. Times in minutes, values in whole coins, counts of transactions. */
export type Aggregates = {
  gap_sent: number
  gap_received: number
  span: number
  sent: number
  received: number
  created: number
  unique_from: number
  unique_to: number
  min_received: number
  max_received: number
  avg_received: number
  min_sent: number
  max_sent: number
  avg_sent: number
  total_sent: number
  total_received: number
}

export const UNKNOWN_AGGREGATES: Aggregates = {
  gap_sent: NaN,
  gap_received: NaN,
  span: NaN,
  sent: NaN,
  received: NaN,
  created: NaN,
  unique_from: NaN,
  unique_to: NaN,
  min_received: NaN,
  max_received: NaN,
  avg_received: NaN,
  min_sent: NaN,
  max_sent: NaN,
  avg_sent: NaN,
  total_sent: NaN,
  total_received: NaN,
}

const log = (value: number): number => finite(Math.log1p(value))
const finite = (value: number): number => (Number.isFinite(value) ? value : NaN)
const ratio = (part: number, whole: number): number => (whole > 0 ? finite(part / whole) : NaN)
const clip = (value: number, low: number, high: number): number =>
  Number.isNaN(value) ? NaN : Math.min(high, Math.max(low, value))

/** Name of each feature and how it follows from the aggregates, in the artifact's order. */
export const BEHAVIOUR: Record<string, (a: Aggregates) => number> = {
  span: (a) => log(a.span),
  sent: (a) => log(a.sent),
  received: (a) => log(a.received),
  sent_share: (a) => ratio(a.sent, a.sent + a.received),
  unique_from: (a) => log(a.unique_from),
  unique_to: (a) => log(a.unique_to),
  from_ratio: (a) => ratio(a.unique_from, a.received),
  to_ratio: (a) => ratio(a.unique_to, a.sent),
  gap_sent: (a) => (a.sent > 1 ? log(a.gap_sent) : NaN),
  gap_received: (a) => (a.received > 1 ? log(a.gap_received) : NaN),
  sending_span: (a) => ratio(a.gap_sent * a.sent, a.span),
  receiving_span: (a) => ratio(a.gap_received * a.received, a.span),
  avg_max_received: (a) => ratio(a.avg_received, a.max_received),
  min_avg_received: (a) => ratio(a.min_received, a.avg_received),
  avg_max_sent: (a) => ratio(a.avg_sent, a.max_sent),
  min_avg_sent: (a) => ratio(a.min_sent, a.avg_sent),
  pass_through: (a) => clip(ratio(a.total_sent, a.total_received), 0, 2),
  kept: (a) => clip(ratio(a.total_received - a.total_sent, a.total_received), -1, 1),
  created: (a) => log(a.created),
  rate: (a) => log(ratio((a.sent + a.received) * 1440, a.span)),
  sent_received_size: (a) => finite(Math.log(clip(ratio(a.avg_sent, a.avg_received), 1e-4, 1e4))),
  largest_sent: (a) => clip(ratio(a.max_sent, a.total_received), 0, 2),
  value_avg_received: (a) => log(a.avg_received),
  value_max_received: (a) => log(a.max_received),
  value_min_received: (a) => log(a.min_received),
  value_avg_sent: (a) => log(a.avg_sent),
  value_max_sent: (a) => log(a.max_sent),
  value_min_sent: (a) => log(a.min_sent),
  value_total_sent: (a) => log(a.total_sent),
  value_total_received: (a) => log(a.total_received),
}

export const BEHAVIOUR_NAMES = Object.keys(BEHAVIOUR)
const FORMULAS = Object.values(BEHAVIOUR)

/** The feature vector in the order of BEHAVIOUR_NAMES; NaN where not known. */
export const behaviourFeatures = (aggregates: Aggregates): Float64Array =>
  Float64Array.from(FORMULAS, (formula) => formula(aggregates))
