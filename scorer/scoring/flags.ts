/**
 * The flags of the wallet record as a table: which labels and findings raise each flag, from which confidence, and what would remove
 * it. `evaluate-flags.ts` applies it.
 */
import type { ForensicDetails } from '../../schema/records/common.ts'
import type { DetectorId } from '../detection/index.ts'
import { ESTABLISHED_AT } from '../ledger/labels/vocabulary.ts'

/** Record fields that are 0 or 1. `data_source` and the number of contracts are not flags. */
export type FlagName = Exclude<keyof ForensicDetails, 'data_source' | 'number_of_malicious_contracts_created'>

/** Operator settings that affect flags. */
export type FlagPolicy = {
  /** `strict`: is a mixer, or uses one habitually. `interaction`: ever used one by its own act. */
  mixer: 'strict' | 'interaction'
}

/** Strict by default: using a mixer once is no accusation, and a flag forces probability 1. */
export const DEFAULT_POLICY: FlagPolicy = { mixer: 'strict' }

/** Findings of a detector that raise a flag. Default: all grades, under any policy. */
export type Source = { detector: DetectorId; grades?: readonly string[]; only?: FlagPolicy }

/** A flag: what raises it, and its texts for readers. A raised flag forces probability 1. */
export type Flag = {
  /** Meaning of the flag, for the documentation. */
  summary: string
  /** Labels on the address itself that raise the flag. */
  labels: readonly string[]
  sources: readonly Source[]
  /** Labels on contracts made by the wallet that raise the flag. */
  madeContracts: readonly string[]
  /** Raised by findings for at least `least` of these flags. Entries that lists merely assert do not count. */
  combination?: { of: readonly FlagName[]; least: number }
  /** Minimum confidence of findings and labels. */
  from: number
  /** Why the flag is only partly evaluated. Served in `unknowns`. */
  partial?: string
  /** What would remove the flag, for the reader of its reasons. Served. */
  change: string
}

/** Requires a precision of 0.9, because one flag forces probability 1. */
const RAISE_AT = ESTABLISHED_AT

const HISTORY =
  'Nothing the wallet does can remove this, because the events stay on chain. A correction of the rule or of its evidence removes it.'
const LABEL = 'The source of the label retracts it.'

/** In the order of the record's fields. */
export const FLAGS: Readonly<Record<FlagName, Flag>> = {
  cybercrime: {
    summary: 'Technical attacks: operators of sweepers and drainers, exploiters, and attackers in more than one way.',
    labels: ['cybercrime', 'exploiter', 'sweeper', 'drainer_operator'],
    sources: [
      { detector: 'sweeper-delegate' },
      { detector: 'drainer-split', grades: ['operator'] },
      { detector: 'contract-exploit' },
    ],
    madeContracts: [],
    combination: {
      of: ['phishing_activities', 'stealing_attack', 'blackmail_activities', 'malicious_mining_activities'],
      least: 2,
    },
    from: RAISE_AT,
    partial:
      'sweeper and drainer operators, exploits with borrowed money and multiple attackers are evaluated; other exploits are not',
    change: HISTORY,
  },
  money_laundering: {
    summary: 'Passes on proceeds of crimes at once. Receiving them is not enough.',
    labels: ['money_laundering'],
    sources: [{ detector: 'layering' }],
    madeContracts: [],
    from: RAISE_AT,
    partial:
      'the native coin and dollar coins are followed from flagged sources and own victims; swaps on the way are not',
    change: HISTORY,
  },
  gas_abuse: {
    summary: 'Made a token whose calls mint gas tokens or XEN at the cost of the caller.',
    labels: ['gas_abuse'],
    sources: [{ detector: 'gas-minting' }],
    madeContracts: ['gas_abuse'],
    from: RAISE_AT,
    partial: 'mints of gas tokens and XEN are evaluated; proxies created at the cost of callers are not',
    change: HISTORY,
  },
  financial_crime: {
    summary: 'Economic fraud: rug pulls, Ponzi contracts and wash trading.',
    labels: ['financial_crime', 'ponzi', 'rug_puller'],
    sources: [
      { detector: 'rug-executed' },
      { detector: 'paused-exit' },
      { detector: 'ponzi-contract' },
      { detector: 'wash-trading' },
      { detector: 'nft-wash-ring' },
    ],
    madeContracts: ['rug_executed'],
    from: RAISE_AT,
    partial:
      'rugs, dumps, chain-paying Ponzi contracts, wash trading of own tokens and rings around an NFT are evaluated; schemes whose investors withdraw their interest themselves are not',
    change: HISTORY,
  },
  darkweb_transactions: {
    summary: 'Is a dark-web service, or paid one.',
    labels: ['darknet'],
    sources: [{ detector: 'darknet-payment' }],
    madeContracts: [],
    from: RAISE_AT,
    partial:
      'dark-web services cannot be identified on chain; only loaded darknet labels and direct payments to them are evaluated',
    change: LABEL,
  },
  reinit: {
    summary: 'Is, or made, a contract that was destroyed and created again with other code.',
    labels: ['reinit'],
    sources: [{ detector: 'redeployed-contract' }],
    madeContracts: [],
    from: RAISE_AT,
    change: HISTORY,
  },
  phishing_activities: {
    summary: 'Lures owners into approvals, permits, payments or wrong recipients.',
    labels: ['phishing', 'drainer', 'poisoning'],
    sources: [
      { detector: 'approval-drain' },
      { detector: 'nft-drain' },
      { detector: 'drainer-split' },
      { detector: 'address-poisoning' },
      { detector: 'fake-claim' },
      { detector: 'airdrop-phish' },
      { detector: 'lure-message' },
    ],
    madeContracts: ['drainer', 'poisoning'],
    from: RAISE_AT,
    change: HISTORY,
  },
  fake_kyc: {
    summary: 'Uses or sells false identities. Nothing on chain shows it: labels only.',
    labels: ['fake_kyc'],
    sources: [],
    madeContracts: [],
    from: RAISE_AT,
    partial: 'only loaded labels are evaluated; attestation registries are not indexed',
    change: LABEL,
  },
  blacklist_doubt: {
    summary: 'An issuer of a stablecoin has frozen the address.',
    labels: ['blacklist'],
    sources: [{ detector: 'issuer-freeze' }],
    madeContracts: [],
    from: RAISE_AT,
    change: 'The issuer that froze the address releases it.',
  },
  fake_standard_interface: {
    summary: 'Is, or made, a token that fakes its standard: its events report impossible transfers.',
    labels: ['fake_standard_interface'],
    sources: [{ detector: 'forged-events' }],
    madeContracts: ['fake_standard_interface'],
    from: RAISE_AT,
    partial: 'forged transfers are evaluated; what only contract calls reveal is known from labels',
    change: HISTORY,
  },
  stealing_attack: {
    summary: 'Takes assets in transactions their owners did not sign, or with stolen keys.',
    labels: ['theft', 'drainer'],
    sources: [
      { detector: 'approval-drain' },
      { detector: 'nft-drain' },
      { detector: 'sweeper-delegate' },
      { detector: 'key-sweep' },
      { detector: 'permission-takeover' },
      { detector: 'contract-exploit' },
    ],
    madeContracts: [],
    from: RAISE_AT,
    partial:
      'drains, sweeper delegates, sweeps of unrelated accounts and exploits with borrowed money are evaluated; other exploits are not',
    change: HISTORY,
  },
  blackmail_activities: {
    summary: 'Extorts by messages in calldata.',
    labels: ['blackmail', 'extortion', 'ransomware'],
    sources: [{ detector: 'extortion-message' }],
    madeContracts: [],
    from: RAISE_AT,
    partial: 'English messages are evaluated for their authors; payees that are only named in them are not',
    change: HISTORY,
  },
  sanctioned: {
    summary: 'A sanctions oracle lists the address now.',
    labels: ['sanctioned'],
    sources: [{ detector: 'sanctions-oracle' }],
    madeContracts: [],
    from: RAISE_AT,
    change: 'The authority removes the address from its list, or the imported list entry is retracted.',
  },
  malicious_mining_activities: {
    summary: 'Pays owners who approved it small sums, then takes everything.',
    labels: ['malicious_mining'],
    sources: [{ detector: 'fake-mining' }],
    madeContracts: [],
    from: RAISE_AT,
    change: HISTORY,
  },
  mixer: {
    summary: 'Is a mixer, or habitually uses one. With `ASSAY_MIXER_MODE=interaction`: ever used one by its own act.',
    labels: ['mixer'],
    sources: [
      { detector: 'mixer-registry' },
      { detector: 'mixer-habit' },
      { detector: 'mixer-interaction', only: { mixer: 'interaction' } },
    ],
    madeContracts: [],
    from: RAISE_AT,
    change: 'The wallet moves more value without mixers, until the mixed share of its flow is below the threshold.',
  },
  fake_token: {
    summary: 'Is, or made, a token that passes for a canonical asset.',
    labels: ['fake_token'],
    sources: [{ detector: 'counterfeit-token' }],
    madeContracts: ['fake_token'],
    from: RAISE_AT,
    change: HISTORY,
  },
  honeypot_related_address: {
    summary: 'Made a token that nobody can sell, by history or by simulation (docs/verdicts/contract-risk.md).',
    labels: ['honeypot'],
    sources: [{ detector: 'honeypot-history' }],
    madeContracts: ['honeypot'],
    from: RAISE_AT,
    change: HISTORY,
  },
}

/** `number_of_malicious_contracts_created`: distinct contracts that have a malicious label or a finding of these detectors. */
export const CONTRACT_COUNT = {
  field: 'number_of_malicious_contracts_created',
  summary: 'Distinct malicious contracts that go back to the wallet.',
  sources: [
    'rug-executed',
    'paused-exit',
    'honeypot-history',
    'counterfeit-token',
    'forged-events',
    'gas-minting',
    'approval-drain',
  ],
  from: RAISE_AT,
  change: HISTORY,
} as const satisfies { field: string; summary: string; sources: readonly DetectorId[]; from: number; change: string }

/** What would remove a raised field. */
export const changeOf = (field: FlagName | typeof CONTRACT_COUNT.field): string =>
  field === CONTRACT_COUNT.field ? CONTRACT_COUNT.change : FLAGS[field].change
