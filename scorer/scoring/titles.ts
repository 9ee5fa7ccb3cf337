/**
 * Titles of reasons based on labels: sentences about the wallet without their subject, as a compliance officer would write them.
 * Detectors word the titles of their own findings.
 */
import type { Label } from '../ledger/labels/known.ts'
import { type Accusation, isAccusation } from '../ledger/labels/vocabulary.ts'

/** The noun for each label, to follow `as`. */
const NOUN_OF_LABEL: Readonly<Record<Accusation, string>> = {
  sanctioned: 'sanctioned',
  blacklist: 'frozen by an issuer',
  theft: 'a thief',
  drainer: 'a drainer',
  drainer_operator: 'the operator of a drainer',
  sweeper: 'a sweeper of stolen accounts',
  exploiter: 'an exploiter',
  cybercrime: 'an address of cybercrime',
  reinit: 'a contract whose code was replaced',
  phishing: 'a phishing address',
  poisoning: 'an address used for address poisoning',
  blackmail: 'a blackmailer',
  extortion: 'an extortionist',
  ransomware: 'a ransomware address',
  darknet: 'a dark-web service',
  money_laundering: 'a money launderer',
  financial_crime: 'an address of financial crime',
  ponzi: 'a Ponzi scheme',
  rug_puller: 'a rug puller',
  rug_executed: 'a rug pull',
  honeypot: 'a honeypot',
  fake_token: 'a counterfeit token',
  fake_standard_interface: 'a token that fakes its standard',
  malicious_mining: 'a fake mining scheme',
  gas_abuse: 'a token that abuses the gas of its callers',
  fake_kyc: 'a user or seller of false identities',
  mixer: 'a mixer',
}

const nounOf = (label: string): string => (isAccusation(label) ? NOUN_OF_LABEL[label] : label.replaceAll('_', ' '))

const VERBS: Readonly<Record<Label['class'], string>> = {
  asserted: 'Listed',
  reported: 'Reported',
  detected: 'Identified',
  propagated: 'Classified',
}

/** `Reported as a phishing address by scam-list`. */
export const labelTitle = ({ class: kind, label, detector }: Pick<Label, 'class' | 'label' | 'detector'>): string =>
  `${VERBS[kind]} as ${nounOf(label)} by ${detector}`

/** `Created the contract 0x..., identified as a honeypot by honeypot-simulation`. */
export const contractTitle = (contract: string, label: string, by: string): string =>
  `Created the contract ${contract}, identified as ${nounOf(label)} by ${by}`

/** `Attacked in 2 ways: phishing activities, stealing attack`. */
export const combinationTitle = (flags: readonly string[]): string =>
  `Attacked in ${flags.length} ways: ${flags.map((flag) => flag.replaceAll('_', ' ')).join(', ')}`
