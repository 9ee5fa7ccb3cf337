/** The shape of a forensic flag and of what it looks at. One file per flag; `index.ts` lists them in the record's order. */

import type { Network } from '../../../schema/networks.ts'
import type { ForensicDetails } from '../../../schema/records/common.ts'
import type { Contact } from '../../ledger/contacts.ts'
import type { WalletFeatures } from '../../ledger/features/wallet.ts'
import type { Known, Label } from '../../ledger/labels/known.ts'
import type { Evidence } from './evidence.ts'

export type FlagName = Exclude<keyof ForensicDetails, 'data_source' | 'number_of_malicious_contracts_created'>

/** Everything loaded about one wallet. */
export type Wallet = {
  network: Network
  address: string
  features: WalletFeatures
  /** Direct dealings with flagged addresses; `null` when not looked at. */
  contacts: Contact[] | null
  known: Known
  /** Public infrastructure, which no detector flags (scorer/ledger/labels/guard.ts). */
  service: boolean
  /** It is known as such by its numbers alone: lists that name it still count. */
  popular?: boolean
  evidence: Evidence
}

export type Raised = { detector: string; confidence: number; evidence: Record<string, unknown> }

/** What was found, strongest first; `unknown` when the flag could not be evaluated; `clear` otherwise. */
export type Outcome =
  | { kind: 'raised'; by: [Raised, ...Raised[]] }
  | { kind: 'clear' }
  | { kind: 'unknown'; why: string }

/** What an operator decides about flags. */
export type FlagPolicy = {
  /** `strict`: is, or habitually uses, a mixer. `interaction`: ever used one by its own act. */
  mixer: 'strict' | 'interaction'
}

export const DEFAULT_POLICY: FlagPolicy = { mixer: 'strict' }

export type Flag = {
  name: FlagName
  /** Networks on which the flag can see something. Elsewhere it is clear of signals, not of guilt: it is unknown. */
  networks: readonly Network[] | 'all'
  /** Findings of at least this confidence raise the flag (precision 0.9, because one flag forces probability 1). */
  threshold: number
  /** Labels on the address itself that raise the flag. */
  labels: readonly string[]
  /** Findings of the flag's own detectors; undefined when it has none yet. */
  detect?: (wallet: Wallet, policy: FlagPolicy) => Raised[]
  /** Why the flag is not fully evaluated, where it is not. */
  pending?: string
}

/** Confidence from which a finding raises a flag. */
export const RAISE_AT = 0.9

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const fromLabel = (label: Label): Raised => ({
  detector: label.detector,
  confidence: label.confidence,
  evidence: {
    label: label.label,
    class: label.class,
    network: label.network,
    ...(label.tx_hash === '' ? {} : { transaction: label.tx_hash }),
    ...(label.evidence === '' ? {} : { found: json(label.evidence) }),
  },
})

/** Detectors that pass on what an authority, or the registry of mixers, says of the address itself. */
const AUTHORITIES: readonly string[] = ['sanctions-oracle', 'issuer-freeze', 'mixer-registry']

/** Whether a label counts: about public infrastructure only an authority's does, or a list's where numbers alone say so. */
const counts = ({ service, popular }: Wallet, label: Label): boolean =>
  !service || label.class === 'asserted' || (popular === true && label.class === 'reported')

/** Applies a flag to a wallet: labels first, then its own detectors. Services are flagged by authorities only. */
export const evaluateFlag = (flag: Flag, wallet: Wallet, policy: FlagPolicy): Outcome => {
  const labels = wallet.known.labels.filter((label) => flag.labels.includes(label.label))
  const said = [
    ...labels.map((label) => ({ raised: fromLabel(label), stands: counts(wallet, label) })),
    ...(flag.detect?.(wallet, policy) ?? []).map((raised) => ({
      raised,
      stands: !wallet.service || AUTHORITIES.includes(raised.detector),
    })),
  ].filter(({ raised }) => raised.confidence >= flag.threshold)
  const found = said
    .filter(({ stands }) => stands)
    .map(({ raised }) => raised)
    .sort((a, b) => b.confidence - a.confidence || (a.detector < b.detector ? -1 : 1))
  const [first, ...rest] = found
  if (first) return { kind: 'raised', by: [first, ...rest] }
  if (said.length > 0) {
    const who = [...new Set(said.map(({ raised }) => raised.detector))].sort().join(', ')
    return { kind: 'unknown', why: `${who} says so of public infrastructure, which only authorities flag` }
  }
  if (flag.networks !== 'all' && !flag.networks.includes(wallet.network)) {
    return { kind: 'unknown', why: `no source on ${wallet.network}` }
  }
  return flag.pending === undefined ? { kind: 'clear' } : { kind: 'unknown', why: flag.pending }
}
