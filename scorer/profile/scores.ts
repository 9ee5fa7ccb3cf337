/**
 * Scores of a profile as pure functions. The formulas are our own, fitted to the few published answers of comparable services;
 * docs/verdicts/profile.md explains each. Counts are of transactions, amounts in US dollars, ages in days.
 */

const share = (value: number, full: number): number => Math.min(1, Math.max(0, value / full))
const clamp = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value))

type ExperienceInput = {
  ageDays: number
  transactions: number
  protocols: number
  categories: number
}

/** Experience, 0-10: age (full at four years), transactions (full at 1,000), protocols (15) and categories (6). */
export const experienceOf = ({ ageDays, transactions, protocols, categories }: ExperienceInput): number => {
  const weighted =
    0.25 * share(ageDays, 1_460) +
    0.25 * share(Math.log10(1 + transactions), 3) +
    0.3 * share(protocols, 15) +
    0.2 * share(categories, 6)
  return Math.floor(10 * weighted + 1e-9)
}

/** The ten asset buckets of a risk profile, safest first, with the API's names. */
export const RISK_BUCKETS = [
  'Stable Coin',
  '1to10',
  '10to20',
  '20to30',
  '30to50',
  '50to100',
  '100to200',
  '200to300',
  '300+',
  'Meme Token',
] as const
/** Asset bucket by riskiness: bands of market capitalisation rank, dollar coins before them and memecoins after. */
export type RiskBucket = (typeof RISK_BUCKETS)[number]

/** Risk willingness of a wallet without holdings that can be valued. */
const EMPTY_WILLINGNESS = 2

type RiskRow = { Category: string; Balance_age: number }

/**
 * Rows of a risk profile: each bucket's share of the wallet's balance over time (percent, one decimal), then `Risk_Profile`, the risk
 * willingness from 1 to 10 (mean bucket weighted by share).
 */
export const riskProfileOf = (
  balanceAge: Partial<Record<RiskBucket, number>>,
): { rows: RiskRow[]; willingness: number } => {
  const total = RISK_BUCKETS.reduce((sum, bucket) => sum + (balanceAge[bucket] ?? 0), 0)
  const parts = RISK_BUCKETS.map((bucket) => (total > 0 ? (balanceAge[bucket] ?? 0) / total : 0))
  const mean = parts.reduce((sum, part, i) => sum + part * (i + 1), 0)
  const willingness = total > 0 ? clamp(Math.round(mean), 1, 10) : EMPTY_WILLINGNESS
  const rows = RISK_BUCKETS.map((Category, i) => ({ Category, Balance_age: Math.round((parts[i] ?? 0) * 1_000) / 10 }))
  return { rows: [...rows, { Category: 'Risk_Profile', Balance_age: willingness }], willingness }
}

/** Ability to bear a loss, 1-9: geometric mean of means (logarithm of the balance) and willingness. */
export const riskCapabilityOf = (balanceUsd: number, willingness: number): number => {
  const means = Math.min(10, 1 + 1.5 * Math.log10(1 + Math.max(0, balanceUsd)))
  return clamp(Math.floor(Math.sqrt(means * willingness)), 1, 9)
}

/** Input of the quality score. `experience` from 0 to 10, `probability` of fraud from 0 to 1. */
export type QualityInputs = {
  experience: number
  protocols: number
  averageBalanceUsd: number
  /** Months of the last twelve with a transaction. */
  activeMonths: number
  probability: number
  flagged: boolean
}

/** Points that each component contributes, and its maximum. */
export type Points<Code extends string> = Record<Code, { points: number; most: number }>

const pointsOf = <Code extends string>(
  full: number,
  parts: Record<Code, [weight: number, share: number]>,
): Points<Code> => {
  const entries = Object.entries<[number, number]>(parts).map(([code, [weight, part]]) => [
    code,
    { points: full * weight * part, most: full * weight },
  ])
  return Object.fromEntries(entries)
}

/** Components of the quality score, with the codes of /segmentation/explain. */
export type QualityCode = 'EXPERIENCE' | 'PROTOCOLS' | 'BALANCE' | 'REGULARITY' | 'TRUST'

/** Share of the points that remains if a flag is raised. */
const FLAGGED_SHARE = 0.1

/**
 * Quality, 0-100: experience, diversity, balance, regularity and trust; a flag reduces it to a tenth. The score is the sum of the points
 * minus `lost`, the points lost to a flag, rounded.
 */
export const qualityOf = (inputs: QualityInputs): { quality: number; points: Points<QualityCode>; lost: number } => {
  const parts: Record<QualityCode, [weight: number, share: number]> = {
    EXPERIENCE: [0.3, share(inputs.experience, 10)],
    PROTOCOLS: [0.2, share(inputs.protocols, 15)],
    BALANCE: [0.2, share(Math.log10(1 + Math.max(0, inputs.averageBalanceUsd)), 5)],
    REGULARITY: [0.15, share(inputs.activeMonths, 12)],
    TRUST: [0.15, 1 - inputs.probability],
  }
  const sum = Object.values(parts).reduce((total, [weight, part]) => total + weight * part, 0)
  const factor = inputs.flagged ? FLAGGED_SHARE : 1
  return {
    quality: Math.round(100 * sum * factor),
    points: pointsOf(100, parts),
    lost: 100 * sum * (1 - factor),
  }
}

/** Minimum quality of segments A and B. */
export const SEGMENT_FROM = { A: 70, B: 40 } as const

/** Segment letter of a quality score; stored, but not part of the answer. */
export const segmentOf = (quality: number): 'A' | 'B' | 'C' =>
  quality >= SEGMENT_FROM.A ? 'A' : quality >= SEGMENT_FROM.B ? 'B' : 'C'

/** Input of the credit rating. `probability` (of fraud), shares and trust from 0 to 1. */
export type CreditInputs = {
  probability: number
  flagged: boolean
  newAddress: boolean
  /** Months of the last twelve with an inflow. */
  inflowMonths: number
  /** Coefficient of variation of the monthly net flow; undefined for fewer than two months. */
  netFlowVariation: number | undefined
  /** Repaid over borrowed; 1 if nothing was borrowed. */
  repaidShare: number
  liquidations: number
  /** Mean trust (1 - probability) in the main counterparties, weighted by value; undefined for fewer than five. */
  counterpartyTrust: number | undefined
}

/** Trust assumed if too few counterparties are known. */
export const UNKNOWN_TRUST = 0.5
/** Maximum rating of a wallet with too little history. */
export const NEW_ADDRESS_CAP = 5

/** Base rating, to which the components add. */
export const LEAST_RATING = 1

/** Components of the credit rating, with the codes of /users/credit-score/explain. */
export type CreditCode = 'TRUST' | 'INFLOWS' | 'STEADINESS' | 'REPAYMENT' | 'LIQUIDATIONS' | 'COUNTERPARTIES'

/**
 * Credit rating, 1-9: fraud 45 %, steadiness of flows 30 %, counterparty quality 25 %. Flagged wallets get 1, new ones at most 5. The
 * rating is 1 plus the sum of the points minus those lost to a flag or to a short history, rounded.
 */
export const creditRatingOf = (inputs: CreditInputs): { rating: number; points: Points<CreditCode>; lost: number } => {
  const inflows = share(inputs.inflowMonths, 12)
  const steady = inputs.netFlowVariation === undefined ? 0 : clamp(1 - inputs.netFlowVariation, 0, 1)
  const repaid = clamp(inputs.repaidShare, 0, 1)
  const unliquidated = inputs.liquidations > 0 ? 0 : 1
  const counterparties = inputs.counterpartyTrust ?? UNKNOWN_TRUST
  const steadily = 0.4 * inflows + 0.3 * steady + 0.2 * repaid + 0.1 * unliquidated
  const trust = 0.45 * (1 - inputs.probability) + 0.3 * steadily + 0.25 * counterparties
  const whole = LEAST_RATING + 8 * trust
  const most = inputs.flagged ? LEAST_RATING : inputs.newAddress ? NEW_ADDRESS_CAP : 9
  return {
    rating: Math.min(most, LEAST_RATING + Math.round(8 * trust)),
    points: pointsOf(8, {
      TRUST: [0.45, 1 - inputs.probability],
      INFLOWS: [0.3 * 0.4, inflows],
      STEADINESS: [0.3 * 0.3, steady],
      REPAYMENT: [0.3 * 0.2, repaid],
      LIQUIDATIONS: [0.3 * 0.1, unliquidated],
      COUNTERPARTIES: [0.25, counterparties],
    }),
    lost: Math.max(0, whole - most),
  }
}
