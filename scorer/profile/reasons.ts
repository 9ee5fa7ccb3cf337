/** Explains the quality and the credit score: each component's facts, points and what would raise it. Stored with the profile. */
import type { CreditExplanation, SegmentExplanation } from '../../schema/records/explained/explanations.ts'
import { dollarsOf } from '../ledger/prices/amounts.ts'
import {
  type CreditCode,
  type CreditInputs,
  creditRatingOf,
  NEW_ADDRESS_CAP,
  type Points,
  type QualityCode,
  type QualityInputs,
  qualityOf,
  UNKNOWN_TRUST,
} from './scores.ts'

type Component = SegmentExplanation['reasons'][number] & CreditExplanation['reasons'][number]

/** Reasons and unknowns of one score. */
export type Explained = { reasons: Component[]; unknowns: string[] }

/** Reasons stored with a profile. `credit` is undefined if the network has no credit score. */
export type ProfileReasons = { segment: Explained; credit?: Explained | undefined }

/** Texts of a component. */
type Words = Pick<Component, 'title' | 'evidence'> & { change: string }

const NINE_DIGITS = 1e9
const rounded = (points: number): number => Math.round(points * NINE_DIGITS) / NINE_DIGITS

const components = <Code extends string>(points: Points<Code>, words: Record<Code, Words>): Component[] =>
  (Object.keys(words) as Code[]).map((code) => {
    const { points: adds, most } = points[code]
    const { title, evidence, change } = words[code]
    const full = rounded(adds) >= rounded(most)
    return { code, title, contribution: rounded(adds), most: rounded(most), evidence, change: full ? null : change }
  })

const deduction = (code: string, title: string, lost: number, evidence: object, change: string): Component[] =>
  lost > 0 ? [{ code, title, contribution: rounded(-lost), most: 0, evidence: { ...evidence }, change }] : []

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
const percent = (share: number): string => `${Math.round(100 * share)} %`

const CLEARED = 'The removal of every flag. The reasons of the flags are in /fraud/explain.'

const trustWords = (probability: number): Words => ({
  title: `Probability of fraud ${probability.toFixed(4)}`,
  evidence: { probabilityFraud: probability },
  change: 'A lower probability of fraud; its reasons are in /fraud/explain.',
})

const flagWords = (flags: readonly string[]): string => flags.map((flag) => flag.replaceAll('_', ' ')).join(', ')

type QualityFacts = QualityInputs & {
  ageDays: number
  transactions: number
  categories: number
  /** Raised fields of the fraud record, including `sanctionData`. */
  flags: readonly string[]
}

/** Components of the quality score. Their rounded sum is the score. */
export const qualityReasons = (facts: QualityFacts): Component[] => {
  const { points, lost } = qualityOf(facts)
  const { experience, ageDays, transactions, protocols, categories, averageBalanceUsd, activeMonths, flags } = facts
  const known = counted(protocols, 'known protocol')
  return [
    ...components<QualityCode>(points, {
      EXPERIENCE: {
        title: `Experience ${experience} of 10: ${counted(ageDays, 'day')} old, ${counted(transactions, 'transaction')}, ${known}, ${counted(categories, 'kind')} of activity`,
        evidence: { experience, ageDays, transactions, protocols, categories },
        change: 'A longer history with more transactions, protocols and kinds of activity.',
      },
      PROTOCOLS: {
        title: `Used ${known}`,
        evidence: { protocols },
        change: 'The use of 15 or more known protocols.',
      },
      BALANCE: {
        title: `Held ${dollarsOf(averageBalanceUsd).amount} US dollars on average over the last year`,
        evidence: { averageBalance: dollarsOf(averageBalanceUsd) },
        change: 'A higher average balance of priced assets; about 100,000 US dollars earn all points.',
      },
      REGULARITY: {
        title: `Sent transactions in ${activeMonths} of the last 12 months`,
        evidence: { activeMonths, ofMonths: 12 },
        change: 'A transaction in each of 12 months.',
      },
      TRUST: trustWords(facts.probability),
    }),
    ...deduction('FLAGGED', `Lost nine tenths of the points because of: ${flagWords(flags)}`, lost, { flags }, CLEARED),
  ]
}

type CreditFacts = CreditInputs & {
  flags: readonly string[]
  /** Net flow in US dollars by month, oldest first. */
  netFlows: readonly number[]
  borrowed: boolean
  /** Undefined if the value of the borrowed assets is unknown, which counts as half repaid. */
  knownRepaidShare: number | undefined
}

const repaymentWords = ({ borrowed, knownRepaidShare, repaidShare }: CreditFacts): Words => ({
  title: !borrowed
    ? 'Borrowed nothing'
    : knownRepaidShare === undefined
      ? `Borrowed assets without a known price; counted as ${percent(repaidShare)} repaid`
      : `Repaid ${percent(knownRepaidShare)} of what it borrowed, by value`,
  evidence: { borrowed, repaidShare: knownRepaidShare ?? null },
  change: 'The repayment of what is still owed.',
})

/** Components of the credit rating, which is 1 plus their rounded sum. */
export const creditReasons = (facts: CreditFacts): Component[] => {
  const { points, lost } = creditRatingOf(facts)
  const { inflowMonths, netFlowVariation, netFlows, liquidations, counterpartyTrust, flags, flagged } = facts
  return [
    ...components<CreditCode>(points, {
      TRUST: trustWords(facts.probability),
      INFLOWS: {
        title: `Received value in ${inflowMonths} of the last 12 months`,
        evidence: { inflowMonths, ofMonths: 12 },
        change: 'Incoming value in each of 12 months.',
      },
      STEADINESS: {
        title:
          netFlowVariation === undefined
            ? 'Fewer than two months with movements: how steady its flows are is not known and adds nothing'
            : `Monthly net flow varies by ${percent(netFlowVariation)} of its mean`,
        evidence: { netFlowVariation: netFlowVariation ?? null, netFlows: netFlows.map(dollarsOf) },
        change: 'Net flows that differ less from month to month.',
      },
      REPAYMENT: repaymentWords(facts),
      LIQUIDATIONS: {
        title: liquidations > 0 ? `Was liquidated ${counted(liquidations, 'time')}` : 'No liquidation is known',
        evidence: { liquidations },
        change: 'Nothing: a liquidation stays on chain.',
      },
      COUNTERPARTIES: {
        title:
          counterpartyTrust === undefined
            ? `Fewer than five of its counterparties have a record; their trust is counted as ${UNKNOWN_TRUST}`
            : `Its main counterparties are trusted to ${percent(counterpartyTrust)}, weighted by value`,
        evidence: { counterpartyTrust: counterpartyTrust ?? null },
        change: 'Dealings with more counterparties of low fraud probability.',
      },
    }),
    ...(flagged
      ? deduction('FLAGGED', `Rated 1 because of: ${flagWords(flags)}`, lost, { flags }, CLEARED)
      : deduction(
          'NEW_ADDRESS',
          `Rated ${NEW_ADDRESS_CAP} at most: there is too little history to judge`,
          lost,
          { cap: NEW_ADDRESS_CAP },
          'A longer history.',
        )),
  ]
}
