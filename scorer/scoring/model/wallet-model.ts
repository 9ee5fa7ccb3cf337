/**
 * The production model: behaviour (trees) plus evidence, on top of a stated prior.
 *
 *   margin = logit(prior) + min(MAX, history * (trees - logit(share of fraud in training))) + evidence
 *
 * Missing data is not evidence: with little history the trees count for little, and without history the prior is the answer. Contracts
 * and public infrastructure have no behaviour of their own. Behaviour alone never convicts, because a donation address looks like
 * a giveaway scam: a Fraud verdict also needs evidence.
 *
 * If part of the wallet's life precedes the first covered block, its behaviour cannot convict either: the covered part looks young,
 * hurried or one-sided. Shares computed over a part of a life are bounded like behaviour.
 */

import { isContract, transactionCount } from '../../ledger/features/wallet.ts'
import { WHOLE } from '../../ledger/past/past.ts'
import type { Wallet } from '../wallet.ts'
import { aggregatesOf } from './aggregates.ts'
import { type Aggregates, BEHAVIOUR_NAMES, type BehaviourName, behaviourFeatures } from './behaviour.ts'
import { EVIDENCE_VERSION, evidenceOf } from './evidence.ts'
import { livesWhollyOnFlagged, PROBABILITY_OF_FLAGGED_LIFE } from './inflow.ts'
import type { Contribution, Model } from './model.ts'
import { loadTrees, logit, sigmoid, type Trees } from './trees.ts'

/** Number of transactions from which the trees count in full; equal to the bound of New Address. */
const FULL_HISTORY = 10
/** Highest probability that behaviour alone can reach. */
const MAX_BY_BEHAVIOUR = 0.45
const DAY_MINUTES = 1_440

type Group = { code: string; title: string; names: readonly BehaviourName[]; value: (a: Aggregates) => number }

/** Features grouped by the question a reader asks. Each feature is in exactly one group, so contributions still sum up. */
const GROUPS: readonly Group[] = [
  {
    code: 'LIFETIME',
    title: 'Time between its first and its last transaction',
    names: ['span'],
    value: (a) => a.span / DAY_MINUTES,
  },
  {
    code: 'ACTIVITY',
    title: 'Number and frequency of its transactions',
    names: ['sent', 'received', 'sent_share', 'rate'],
    value: (a) => a.sent + a.received,
  },
  {
    code: 'COUNTERPARTIES',
    title: 'Number of its counterparties, compared with its transactions',
    names: ['unique_from', 'unique_to', 'from_ratio', 'to_ratio'],
    value: (a) => a.unique_from + a.unique_to,
  },
  {
    code: 'PASSED_ON',
    title: 'Share of its received funds that it sends on, and in what portions',
    names: ['pass_through', 'largest_sent', 'sent_received_size'],
    value: (a) => a.total_sent / a.total_received,
  },
  {
    code: 'PAYMENT_SIZES',
    title: 'Similarity of the amounts that it receives and of those that it sends',
    names: ['avg_max_received', 'avg_max_sent'],
    value: (a) => a.avg_received / a.max_received,
  },
]
const PLACES = GROUPS.map(({ names }) => names.map((name) => BEHAVIOUR_NAMES.indexOf(name)))

const known = (value: number): number | null => (Number.isFinite(value) ? value : null)

/** Contributions of the trees; none if there is no behaviour to judge. */
const behaviourOf = (trees: Trees, most: number, wallet: Wallet): Contribution[] => {
  const { network, features, service, past = WHOLE } = wallet
  const transactions = transactionCount(features)
  if (service || past.kind === 'unknown' || transactions === 0 || isContract(features)) return []
  const aggregates = aggregatesOf(network, features)
  const x = behaviourFeatures(aggregates)
  const phi = trees.explain(x)
  const start = trees.base - logit(trees.trainingPrior)
  const all = phi.reduce((sum, one) => sum + one, start)
  const history = Math.min(1, transactions / FULL_HISTORY)
  const weight = all * history > most ? most / all : history
  return [
    {
      code: 'COMPARABLE_HISTORY',
      title: 'Has enough history to compare; most accounts with a history are honest',
      value: transactions,
      contribution: weight * start,
    },
    ...GROUPS.map(({ code, title, value }, nth) => ({
      code,
      title,
      value: known(value(aggregates)),
      contribution: weight * (PLACES[nth] ?? []).reduce((sum, place) => sum + (phi[place] ?? 0), 0),
    })),
  ]
}

/** Scales partial contributions so that they raise the margin to at most `most`; to zero if the others exceed it already. */
const bounded = (all: readonly (Contribution & { partial: boolean })[], most: number): Contribution[] => {
  const sum = (partial: boolean) =>
    all.reduce((total, one) => total + (one.partial === partial ? one.contribution : 0), 0)
  const [part, rest] = [sum(true), sum(false)]
  const left = Math.max(0, most - rest)
  const weight = part > left ? left / part : 1
  return all.map(({ partial, ...one }) => (partial ? { ...one, contribution: weight * one.contribution } : one))
}

/** Raises FLAGGED_INFLOW of a wallet that lives wholly on funds of flagged wallets until the margin reaches `least`. */
const withFlaggedLife = (
  all: readonly Contribution[],
  wallet: Wallet,
  prior: number,
  least: number,
): Contribution[] => {
  const margin = all.reduce((sum, { contribution }) => sum + contribution, prior)
  const lacking = livesWhollyOnFlagged(wallet) ? Math.max(0, least - margin) : 0
  return all.map((one) => (one.code === 'FLAGGED_INFLOW' ? { ...one, contribution: one.contribution + lacking } : one))
}

const ARTIFACT = new URL('./artifacts/wallet-trees.json', import.meta.url)

/** @throws BugError ASSAY_MODEL_CORRUPT */
export const createWalletModel = (trees: Trees = loadTrees(ARTIFACT)): Model => {
  const prior = logit(trees.servingPrior)
  const most = logit(MAX_BY_BEHAVIOUR) - prior
  const least = logit(PROBABILITY_OF_FLAGGED_LIFE)
  return {
    version: `${trees.version}+${EVIDENCE_VERSION}`,
    predict: (wallet) => {
      const { past = WHOLE } = wallet
      const behaviour = behaviourOf(trees, most, wallet).map((one) => ({ ...one, partial: past.kind !== 'whole' }))
      const counted = bounded([...behaviour, ...evidenceOf(wallet)], most)
      const contributions = withFlaggedLife(counted, wallet, prior, least).filter(
        ({ contribution }) => contribution !== 0,
      )
      const margin = contributions.reduce((sum, { contribution }) => sum + contribution, prior)
      contributions.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution) || (a.code < b.code ? -1 : 1))
      return { margin, probability: sigmoid(margin), contributions }
    },
  }
}
