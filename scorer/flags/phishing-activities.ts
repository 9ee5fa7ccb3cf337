import { baited } from './baited.ts'
import { drained } from './drained.ts'
import { type Flag, RAISE_AT } from './flag.ts'
import { madeContracts } from './made-contracts.ts'
import { poisoned } from './poisoned.ts'

/**
 * Phishing: lures owners into approvals or permits and empties them. Victims are never flagged: what happens to a wallet
 * by others' transactions is no act of its own.
 */
export const phishingActivities: Flag = {
  name: 'phishing_activities',
  networks: 'all',
  threshold: RAISE_AT,
  labels: ['phishing', 'drainer', 'poisoning'],
  detect: (wallet) => [...drained(wallet), ...poisoned(wallet), ...baited(wallet), ...madeContracts(wallet, ['drainer', 'poisoning'])],
  pending: 'approval drains and address poisoning are evaluated; fake claims are not detected yet',
}
