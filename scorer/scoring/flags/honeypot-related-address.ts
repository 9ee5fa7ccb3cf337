import { type Flag, RAISE_AT } from './flag.ts'
import { madeContracts } from './made-contracts.ts'

/** Created a honeypot, by simulation (contract labels) or by history. Who bought one is its victim and not flagged. */
export const honeypotRelatedAddress: Flag = {
  name: 'honeypot_related_address',
  networks: ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'],
  threshold: RAISE_AT,
  labels: ['honeypot'],
  detect: (wallet) => [
    ...(wallet.service
      ? []
      : (wallet.evidence.honeypots ?? []).map(({ transactions, ...found }) => ({
          detector: 'honeypot-history',
          confidence: 0.95,
          evidence: { ...found, transactions },
        }))),
    ...madeContracts(wallet, ['honeypot']),
  ],
}
