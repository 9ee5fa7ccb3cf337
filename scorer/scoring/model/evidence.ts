/**
 * Evidence that no training set contains: dealings with flagged addresses, mixers, drained owners. Each term adds log-odds, never
 * subtracts, and never falls as its evidence grows. Dust adds nothing. Weights are set by judgement, not learned:
 * docs/verdicts/model-card.md.
 */

import { networkInfo } from '../../../schema/networks.ts'
import { allProceedsOf, amountTaken, counted, percent, type Stated, victimsTogether } from '../../detection/index.ts'
import type { Contact } from '../../ledger/contacts.ts'
import { WHOLE } from '../../ledger/past/past.ts'
import { amountOf } from '../../ledger/prices/amounts.ts'
import { FLAGS } from '../flags.ts'
import type { Wallet } from '../wallet.ts'
import { inflowEvidence, inflowTitle, inflowValue, isLivedOn } from './inflow.ts'
import type { Contribution } from './model.ts'

/** Part of the model's version. Increment it with every change of a weight below. */
export const EVIDENCE_VERSION = 7

/** Labels that would raise a flag at full confidence. Using a mixer is not an accusation. */
const ACCUSING = new Set(Object.entries(FLAGS).flatMap(([name, { labels }]) => (name === 'mixer' ? [] : labels)))
/** Shares of value below this are dust. */
const DUST_SHARE = 0.01

const share = (part: number, whole: number): number => {
  const value = whole > 0 ? Math.min(1, part / whole) : 0
  return value < DUST_SHARE ? 0 : value
}

/** Maximum number of items that a reason names. */
const SHOWN = 5

/** Flagged counterparties with more than dust; none if contacts were not looked at. */
const contactsOf = ({ network, contacts }: Wallet, side: 'native_in' | 'native_out'): Contact[] => {
  const { dust, decimals } = networkInfo(network).nativeCoin
  const least = Number(dust) / 10 ** decimals
  return (contacts ?? []).filter((contact) => contact[side] >= least)
}

const ownContacts = (wallet: Wallet): Contact[] => contactsOf(wallet, 'native_out').filter(({ own }) => own > 0)

const accusations = ({ known }: Wallet) => known.labels.filter(({ label }) => ACCUSING.has(label))

/** The flagged addresses that received most, with amounts. */
const largestPaid = (wallet: Wallet) => ({
  counterparties: ownContacts(wallet)
    .sort((a, b) => Number(b.paid - a.paid))
    .slice(0, SHOWN)
    .map(({ counterparty, paid }) => ({ address: counterparty, amount: amountOf(wallet.network, '', paid) })),
})

const UNFLAGGED = 'The counterparties are cleared, or more value moves from and to others.'

type Term = {
  code: string
  title: (value: number, wallet: Wallet) => string
  /** Zero or more; higher is worse. */
  value: (wallet: Wallet) => number
  /** Log-odds per unit of value, or of ln(1 + value). */
  weight: number
  scale: 'linear' | 'log'
  most: number
  /** How much of the wallet's past must be known for the value to be complete. */
  past?: 'fresh' | 'whole'
  /** Whether the value, though known, is too uncertain to convict on. */
  uncertain?: (wallet: Wallet) => boolean
  /** Facts that a reader can verify. */
  evidence?: (wallet: Wallet) => Record<string, unknown>
  change: string
}

/** Type-checks that amounts in the evidence of a term are exact. */
const exactEvidence =
  <Evidence extends Record<string, unknown>>(of: (wallet: Wallet) => Evidence & Stated<Evidence>) =>
  (wallet: Wallet): Record<string, unknown> => ({ ...of(wallet) })

const TERMS: readonly Term[] = [
  {
    code: 'FLAGGED_INFLOW',
    title: (_, { inflow }) => inflowTitle(inflow),
    value: ({ inflow }) => share(inflowValue(inflow), 1),
    weight: 4,
    scale: 'linear',
    most: 3,
    past: 'whole',
    uncertain: (wallet) => !isLivedOn(wallet),
    evidence: exactEvidence(inflowEvidence),
    change: UNFLAGGED,
  },
  {
    code: 'FLAGGED_OUTFLOW',
    title: (value) => `Sent ${percent(value)} of its outgoing funds to flagged addresses`,
    value: (wallet) =>
      share(
        ownContacts(wallet).reduce((sum, { native_out }) => sum + native_out, 0),
        wallet.features.native_out,
      ),
    weight: 3,
    scale: 'linear',
    most: 2.5,
    past: 'fresh',
    evidence: exactEvidence(largestPaid),
    change: UNFLAGGED,
  },
  {
    code: 'FUNDER_FLAGGED',
    title: () => 'Received its first funds from a flagged address',
    value: (wallet) =>
      contactsOf(wallet, 'native_in').some(({ counterparty }) => counterparty === wallet.features.funder) ? 1 : 0,
    weight: 1,
    scale: 'linear',
    most: 1,
    past: 'fresh',
    uncertain: (wallet) => !isLivedOn(wallet),
    evidence: exactEvidence(({ features }) => ({ funder: features.funder })),
    change: 'The funder is cleared.',
  },
  {
    code: 'ACCUSED_BY_LABEL',
    title: (value) => `Accused by a label whose confidence (${value.toFixed(2)}) is too low to raise a flag`,
    value: (wallet) => Math.max(0, ...accusations(wallet).map(({ confidence }) => confidence)),
    weight: 3,
    scale: 'linear',
    most: 3,
    evidence: exactEvidence((wallet) => ({
      labels: accusations(wallet)
        .slice(0, SHOWN)
        .map(({ label, detector, confidence, tx_hash }) => ({ label, detector, confidence, transaction: tx_hash })),
    })),
    change: 'The source of the label retracts it.',
  },
  {
    code: 'MIXER_SHARE',
    title: (value) => `Moved ${percent(value)} of its funds through mixers`,
    value: ({ evidence: { 'mixer-habit': mixing } }) =>
      mixing === undefined || mixing.own === 0 ? 0 : (mixing.share ?? 0),
    weight: 4,
    scale: 'linear',
    most: 2.5,
    past: 'whole',
    evidence: exactEvidence(({ evidence: { 'mixer-habit': mixing } }) => ({
      transactions: (mixing?.moves ?? [])
        .filter(({ own }) => own)
        .slice(0, SHOWN)
        .map(({ tx_hash }) => tx_hash),
    })),
    change: 'The wallet moves more value without mixers.',
  },
  {
    code: 'DRAIN_VICTIMS',
    title: (value) => `Emptied ${counted(value, 'wallet')} through their approvals`,
    value: ({ evidence }) => victimsTogether(allProceedsOf(evidence['approval-drain'] ?? [])),
    weight: 1.5,
    scale: 'linear',
    most: 3,
    evidence: exactEvidence(({ network, evidence }) => ({
      drains: allProceedsOf(evidence['approval-drain'] ?? [])
        .slice(0, SHOWN)
        .map((drain) => ({
          victim: drain.victim,
          asset: drain.asset,
          amount: amountTaken(network, drain),
          transaction: drain.tx_hash,
        })),
    })),
    change: 'Nothing. The events stay on chain.',
  },
  {
    code: 'ACCOUNTS_EMPTIED_TOGETHER',
    title: () => 'Emptied unrelated accounts together, each within an hour of being sent gas',
    value: ({ evidence: { 'key-sweep': keySweep } }) => (keySweep === undefined ? 0 : 1),
    weight: 2,
    scale: 'linear',
    most: 2,
    evidence: exactEvidence(({ evidence: { 'key-sweep': keySweep } }) => ({
      accounts: (keySweep?.accounts ?? [])
        .slice(0, SHOWN)
        .map(({ account, transactions }) => ({ account, transactions })),
    })),
    change: 'Nothing. The events stay on chain.',
  },
  {
    code: 'ACCOUNT_APPROVERS',
    title: (value) => `Moved tokens of ${counted(value, 'wallet')} that had approved it, although it is no contract`,
    value: ({ evidence }) => new Set((evidence.usedApprovals ?? []).map(({ owner }) => owner)).size,
    weight: 0.4,
    scale: 'log',
    most: 1,
    evidence: exactEvidence(({ evidence }) => ({ approvals: (evidence.usedApprovals ?? []).slice(0, SHOWN) })),
    change: 'Nothing. The events stay on chain.',
  },
  {
    code: 'CREATOR_REMOVED_LIQUIDITY',
    title: () => 'Created a contract and withdrew liquidity that it had added',
    value: ({ features: { contracts_created, lp_adds, lp_removes } }) =>
      contracts_created > 0 && lp_adds > 0 ? Math.min(1, lp_removes / lp_adds) : 0,
    weight: 0.7,
    scale: 'linear',
    most: 0.7,
    past: 'fresh',
    change: 'The wallet adds liquidity again.',
  },
]

/** Whether enough of the past is known for a term to be complete. */
const isWhole = ({ past = WHOLE }: Wallet, needed: Term['past']): boolean =>
  needed === undefined || past.kind === 'whole' || (past.kind === 'fresh' && needed === 'fresh')

/**
 * Contributions of the terms that add log-odds. `partial`: the value may not convict, because the past is incomplete or the value is
 * uncertain. Public infrastructure gets none: only authorities judge it.
 */
export const evidenceOf = (wallet: Wallet): (Contribution & { partial: boolean })[] =>
  wallet.service
    ? []
    : TERMS.flatMap(({ code, title, value: of, weight, scale, most, past, uncertain, evidence, change }) => {
        const value = of(wallet)
        const contribution = Math.min(most, weight * (scale === 'log' ? Math.log1p(value) : value))
        const partial = !isWhole(wallet, past) || (uncertain?.(wallet) ?? false)
        return contribution > 0
          ? [
              {
                code,
                title: title(value, wallet),
                value,
                contribution,
                evidence: evidence?.(wallet) ?? {},
                change,
                partial,
              },
            ]
          : []
      })
