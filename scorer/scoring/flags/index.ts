/** The flags of the wallet record, and what they make of a wallet. */
import type { ForensicDetails } from '../../../schema/records/common.ts'
import { blacklistDoubt } from './blacklist-doubt.ts'
import { blackmailActivities } from './blackmail-activities.ts'
import { cybercrime } from './cybercrime.ts'
import { darkwebTransactions } from './darkweb-transactions.ts'
import { fakeKyc } from './fake-kyc.ts'
import { fakeStandardInterface } from './fake-standard-interface.ts'
import { fakeToken } from './fake-token.ts'
import { financialCrime } from './financial-crime.ts'
import { evaluateFlag, type Flag, type FlagName, type FlagPolicy, type Raised, type Wallet } from './flag.ts'
import { gasAbuse } from './gas-abuse.ts'
import { honeypotRelatedAddress } from './honeypot-related-address.ts'
import { maliciousContractsCreated } from './malicious-contracts-created.ts'
import { maliciousMiningActivities } from './malicious-mining-activities.ts'
import { mixer } from './mixer.ts'
import { moneyLaundering } from './money-laundering.ts'
import { phishingActivities } from './phishing-activities.ts'
import { reinit } from './reinit.ts'
import { sanctioned } from './sanctioned.ts'
import { stealingAttack } from './stealing-attack.ts'

export const FLAGS: Readonly<Record<FlagName, Flag>> = {
  cybercrime,
  money_laundering: moneyLaundering,
  gas_abuse: gasAbuse,
  financial_crime: financialCrime,
  darkweb_transactions: darkwebTransactions,
  reinit,
  phishing_activities: phishingActivities,
  fake_kyc: fakeKyc,
  blacklist_doubt: blacklistDoubt,
  fake_standard_interface: fakeStandardInterface,
  stealing_attack: stealingAttack,
  blackmail_activities: blackmailActivities,
  sanctioned,
  malicious_mining_activities: maliciousMiningActivities,
  mixer,
  fake_token: fakeToken,
  honeypot_related_address: honeypotRelatedAddress,
}

const COUNT = 'number_of_malicious_contracts_created'

export type Forensics = {
  details: ForensicDetails
  /** Findings by field of the record. */
  raised: { field: keyof ForensicDetails; by: Raised[] }[]
  /** `flag: why`, for flags that could not be fully evaluated and are shown as 0. */
  unknowns: string[]
}

/** Evaluates every flag. Unknown is kept apart and shown as 0, never as 1. */
export const evaluateFlags = (wallet: Wallet, policy: FlagPolicy): Forensics => {
  const raised: Forensics['raised'] = []
  const unknowns: string[] = []
  const shown = (name: FlagName): '0' | '1' => {
    const outcome = evaluateFlag(FLAGS[name], wallet, policy)
    if (outcome.kind === 'raised') raised.push({ field: name, by: outcome.by })
    if (outcome.kind === 'unknown') unknowns.push(`${name}: ${outcome.why}`)
    return outcome.kind === 'raised' ? '1' : '0'
  }
  const created = maliciousContractsCreated(wallet)
  const details: ForensicDetails = {
    cybercrime: shown('cybercrime'),
    money_laundering: shown('money_laundering'),
    number_of_malicious_contracts_created: String(created.count),
    gas_abuse: shown('gas_abuse'),
    financial_crime: shown('financial_crime'),
    darkweb_transactions: shown('darkweb_transactions'),
    reinit: shown('reinit'),
    phishing_activities: shown('phishing_activities'),
    fake_kyc: shown('fake_kyc'),
    blacklist_doubt: shown('blacklist_doubt'),
    fake_standard_interface: shown('fake_standard_interface'),
    data_source: '',
    stealing_attack: shown('stealing_attack'),
    blackmail_activities: shown('blackmail_activities'),
    sanctioned: shown('sanctioned'),
    malicious_mining_activities: shown('malicious_mining_activities'),
    mixer: shown('mixer'),
    fake_token: shown('fake_token'),
    honeypot_related_address: shown('honeypot_related_address'),
  }
  if (created.count > 0) raised.push({ field: COUNT, by: created.by })
  const detectors = new Set(raised.flatMap(({ by }) => by.map(({ detector }) => detector)))
  return { details: { ...details, data_source: [...detectors].sort().join(',') }, raised, unknowns }
}
