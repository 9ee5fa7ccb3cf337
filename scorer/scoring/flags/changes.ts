/** What would take a flag away again, said to whoever reads the reasons of a verdict. */
import type { ForensicDetails } from '../../../schema/records/common.ts'

const HISTORY =
  'Nothing the wallet does later: the events stay on chain. A correction of the rule or of its evidence does.'
const LABEL = 'A retraction of the label by whoever gave it.'

/** By field of the record. */
export const CHANGES: Readonly<Record<Exclude<keyof ForensicDetails, 'data_source'>, string>> = {
  sanctioned: 'A removal by the listing authority, or a retraction of the imported list entry.',
  blacklist_doubt: 'A release by the issuer that froze the address.',
  mixer: 'Other dealings of the wallet, until the mixed share of its flow is below the threshold.',
  darkweb_transactions: LABEL,
  fake_kyc: LABEL,
  cybercrime: HISTORY,
  money_laundering: HISTORY,
  number_of_malicious_contracts_created: HISTORY,
  gas_abuse: HISTORY,
  financial_crime: HISTORY,
  reinit: HISTORY,
  phishing_activities: HISTORY,
  fake_standard_interface: HISTORY,
  stealing_attack: HISTORY,
  blackmail_activities: HISTORY,
  malicious_mining_activities: HISTORY,
  fake_token: HISTORY,
  honeypot_related_address: HISTORY,
}
