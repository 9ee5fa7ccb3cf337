import { baited } from './baited.ts'
import { drained } from './drained.ts'
import { type Flag, RAISE_AT } from './flag.ts'
import { madeContracts } from './made-contracts.ts'
import { poisoned } from './poisoned.ts'
import { sharedLoot } from './shared-loot.ts'

/**
 * Phishing: lures owners into approvals, permits, payments or wrong recipients (semantics 2.3). Victims are never flagged:
 * what happens to a wallet by others' transactions is no act of its own.
 */
export const phishingActivities: Flag = {
  name: 'phishing_activities',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['phishing', 'drainer', 'poisoning'],
  detect: (wallet) => [
    ...drained(wallet),
    ...sharedLoot(wallet, ['operator', 'affiliate']),
    ...poisoned(wallet),
    ...baited(wallet),
    ...madeContracts(wallet, ['drainer', 'poisoning']),
  ],
}
