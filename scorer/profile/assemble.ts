/** Builds the three profile bodies from a wallet's data. Pure: the same input gives the same bytes. */
import { BugError } from '../../platform/errors.ts'
import { creditBody } from '../../schema/records/credit.ts'
import { behaviourBody } from '../../schema/records/explained/behaviour.ts'
import type { Intention } from '../../schema/records/explained/profile.ts'
import { type FraudBody, fraudBody } from '../../schema/records/fraud.ts'
import { segmentBody } from '../../schema/records/segment.ts'
import type { ProtocolKind } from '../../schema/registry/protocols.ts'
import type { Verdict } from '../scoring/verdict.ts'
import type { ProfileFacts } from './facts.ts'
import { type IntentEvidence, intentionsOf, recommendationsOf } from './intention.ts'
import type { Actions } from './load/actions.ts'
import type { ActivityTotals } from './load/activity-totals.ts'
import type { CreditHistory } from './load/credit-history.ts'
import type { Holding, Valuation } from './load/money.ts'
import { creditReasons, type Explained, type ProfileReasons, qualityReasons } from './reasons.ts'
import { creditRatingOf, experienceOf, qualityOf, riskCapabilityOf, riskProfileOf, segmentOf } from './scores.ts'
import type { Verb } from './verbs.ts'

const DAY = 86_400

/** Input of a profile. Times in Unix seconds. */
export type ProfileInput = {
  scored: Verdict
  totals: ActivityTotals
  facts: ProfileFacts
  actions: Actions
  holdings: readonly Holding[]
  valuation: Valuation
  activeMonths: number
  /** Undefined if the network has no credit score. */
  creditHistory: CreditHistory | undefined
  /** 1 is best, 0 means unranked. */
  rank: number
  /** Time of the newest block. Ages are counted up to it. */
  time: number
}

/** A finished profile: the bodies of three operations and the stored columns. Ages in days, amounts in US dollars. */
export type WalletProfile = {
  scored: Verdict
  /** Bodies as served, without the fields that the API prepends. `credit` is empty if the network has no credit score. */
  audit: string
  segment: string
  credit: string
  letter: 'A' | 'B' | 'C'
  quality: number
  rating: number
  experience: number
  riskCapability: number
  transactions: number
  ageDays: number
  balanceUsd: number
  unknowns: string[]
  /** Reasons of the quality and the credit score. */
  reasons: ProfileReasons
}

const ranked = (counts: ReadonlyMap<string, number>): [string, number][] =>
  [...counts].filter(([, n]) => n > 0).sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))

const segmentInfoOf = ({ protocols, engaged }: Actions): string => {
  const flag = (held: boolean) => (held ? 1 : 0)
  return JSON.stringify({
    Maker: flag(protocols.has('makerdao')),
    Aave_borrow: flag(engaged.has('aave borrow')),
    Aave_lend: flag(engaged.has('aave lend')),
    Lido: flag(engaged.has('lido stake_eth')),
    Uniswap: flag(protocols.has('uniswap')),
    Compound_lend: flag(engaged.has('compound lend')),
    Compound_borrow: flag(engaged.has('compound borrow')),
  })
}

const INTENT_OF: Record<Verb, Intention> = {
  lend: 'Prob_Lend',
  borrow: 'Prob_Borrow',
  trade: 'Prob_Trade',
  stake: 'Prob_Stake',
  stake_eth: 'Prob_Stake_ETH',
  farm: 'Prob_Yield_Farm',
  nft: 'Prob_NFT',
  game: 'Prob_Game',
  gamble: 'Prob_Gamble',
}

/** Verb of the position that a token of this kind of contract represents. */
const POSITION_OF: Partial<Record<ProtocolKind, Verb>> = {
  lending: 'lend',
  savings: 'lend',
  'liquid-staking': 'stake_eth',
  staking: 'stake',
  vault: 'farm',
  farm: 'farm',
}

/** A wallet that was inactive for 90 days is judged by its whole history. */
const evidenceOf = ({ actions, holdings, totals, facts }: ProfileInput): Partial<Record<Intention, IntentEvidence>> => {
  const { recent, before } = actions.total
  const held = new Set<Verb>()
  for (const { asset, balance } of holdings) {
    const kind = facts.protocols.get(asset)?.kind
    const verb = kind && POSITION_OF[kind]
    if (verb && balance > 0) held.add(verb)
  }
  if (totals.liquidity > 0) held.add('farm')
  if (totals.nfts > 0) held.add('nft')
  const evidence: Partial<Record<Intention, IntentEvidence>> = {}
  for (const [verb, intention] of Object.entries(INTENT_OF) as [Verb, Intention][]) {
    const seen = actions.verbs.get(verb) ?? { recent: 0, before: 0 }
    const earlier = before > 0 ? seen.before / before : 0
    const share = recent > 0 ? seen.recent / recent : earlier
    evidence[intention] = { recent: share, trend: Math.max(0, share - earlier), holds: held.has(verb) }
  }
  return evidence
}

/** Coefficient of variation; undefined for fewer than two months. */
const variationOf = (flows: readonly number[]): number | undefined => {
  if (flows.length < 2) return undefined
  const mean = flows.reduce((sum, flow) => sum + flow, 0) / flows.length
  const variance = flows.reduce((sum, flow) => sum + (flow - mean) ** 2, 0) / flows.length
  return mean === 0 ? 1 : Math.sqrt(variance) / Math.abs(mean)
}

/** Raised fields of the fraud record. */
const flagsOf = ({ forensic_details, sanctionData }: FraudBody): string[] => {
  const raised = Object.entries(forensic_details).filter(
    ([field, value]) => field !== 'data_source' && Number(value) > 0,
  )
  const listed = sanctionData.some((entry) => entry.isSanctioned)
  return [...new Set([...raised.map(([field]) => field), ...(listed ? ['sanctioned'] : [])])]
}

/** Credit rating with reasons; undefined if the network has no credit score. */
const creditOf = (
  { scored, valuation, creditHistory }: ProfileInput,
  flags: readonly string[],
): ({ rating: number } & Explained) | undefined => {
  if (!creditHistory) return undefined
  const { counterpartyTrust, repaidShare, borrowed } = creditHistory
  const unknowns = [
    ...(counterpartyTrust === undefined ? ['counterparties: fewer than five with a record of their own'] : []),
    ...(borrowed ? ['liquidations: not detectable, because liquidators act through contracts of their own'] : []),
    ...(repaidShare === undefined ? ['repayment: the borrowed assets have no known price'] : []),
  ]
  const netFlows = valuation.netFlows.slice(-12)
  const facts = {
    probability: scored.probability,
    flagged: flags.length > 0,
    flags,
    newAddress: scored.status === 'New Address',
    inflowMonths: valuation.inflowMonths,
    netFlows,
    netFlowVariation: variationOf(netFlows),
    borrowed,
    knownRepaidShare: repaidShare,
    repaidShare: repaidShare ?? 0.5,
    liquidations: 0,
    counterpartyTrust,
  }
  return { rating: creditRatingOf(facts).rating, reasons: creditReasons(facts), unknowns }
}

/** @throws BugError ASSAY_PROFILE_INVALID if the body does not match its schema. */
const validated = (
  name: string,
  schema: { safeParse: (value: unknown) => { success: boolean; data?: unknown } },
  value: unknown,
) => {
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    throw new BugError(
      'ASSAY_PROFILE_INVALID',
      `The computed ${name} body does not match its schema. Nothing was stored or served. Please report it.`,
    )
  }
  return JSON.stringify(parsed.data)
}

/** Builds the profile. @throws BugError ASSAY_PROFILE_INVALID */
export const assemble = (input: ProfileInput): WalletProfile => {
  const { scored, totals, actions, valuation, activeMonths, rank, time } = input
  const { transactions } = totals
  const fraud = fraudBody.parse(JSON.parse(scored.body))
  const flags = flagsOf(fraud)
  const ageDays = Math.max(0, Math.floor((time - (totals.first_seen ?? time)) / DAY))
  const protocols = ranked(actions.protocols)
  const categories = ranked(actions.categories)
  const experience = experienceOf({ ageDays, transactions, protocols: protocols.length, categories: categories.length })
  const { rows: riskProfile, willingness } = riskProfileOf(valuation.balanceAge)
  const riskCapability = riskCapabilityOf(valuation.balanceUsd, willingness)
  const intention = intentionsOf(evidenceOf(input), experience)
  const qualityFacts = {
    experience,
    ageDays,
    transactions,
    categories: categories.length,
    protocols: protocols.length,
    averageBalanceUsd: valuation.averageBalanceUsd,
    activeMonths,
    probability: scored.probability,
    flagged: flags.length > 0,
    flags,
  }
  const { quality } = qualityOf(qualityFacts)
  const credit = creditOf(input, flags)
  const unknowns = [...new Set([...scored.unknowns, ...valuation.unknowns])]
  const profile = {
    categories: categories.map(([Category, Count]) => ({ Category, Count })),
    riskProfile,
    segmentInfo: segmentInfoOf(actions),
    experience: { Type: 'Experience', Value: experience },
    intention: { Type: 'Intentions', Value: intention },
    protocols: protocols.map(([Protocol, Count]) => ({ Protocol, Count })),
    userDetails: {
      wallet_age_days: ageDays,
      total_balance_usd: valuation.balanceUsd,
      transaction_count: transactions,
      wallet_rank: rank,
    },
  }
  const recommendation = {
    Type: 'Recommendation',
    Value: recommendationsOf({ experience, riskCapability, willingness, stakesEth: intention.Prob_Stake_ETH }),
  }
  const segment = {
    message: 'Wallet segment retrieved',
    walletQuality: quality,
    ...profile,
    recommendation,
    sanctionData: fraud.sanctionData,
  }
  return {
    scored,
    audit: validated('behaviour', behaviourBody, { ...fraud, ...profile, riskCapability, recommendation }),
    segment: validated('segment', segmentBody, segment),
    credit: credit ? validated('credit', creditBody, { riskRating: credit.rating }) : '',
    letter: segmentOf(quality),
    quality,
    rating: credit?.rating ?? 0,
    experience,
    riskCapability,
    transactions,
    ageDays,
    balanceUsd: valuation.balanceUsd,
    unknowns: [...unknowns, ...(credit?.unknowns ?? [])],
    reasons: {
      segment: { reasons: qualityReasons(qualityFacts), unknowns },
      ...(credit && { credit: { reasons: credit.reasons, unknowns: [...unknowns, ...credit.unknowns] } }),
    },
  }
}
