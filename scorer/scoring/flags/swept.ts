import type { Raised, Wallet } from './flag.ts'

/** Sweeps into the wallet: of accounts whose code was taken over, and of accounts whose keys were. */
export const swept = (wallet: Wallet, kinds: readonly ('delegate' | 'key')[]): Raised[] => {
  const { sweeps = [], keySweep } = wallet.evidence
  if (wallet.service) return []
  return [
    ...(kinds.includes('delegate')
      ? sweeps.map((evidence) => ({ detector: 'sweeper-delegate', confidence: 0.97, evidence }))
      : []),
    ...(kinds.includes('key') && keySweep
      ? [
          {
            detector: 'key-sweep',
            // Custodians that move their users' wallets look the same, but have nothing to do with mixers.
            confidence: keySweep.mixed.length > 0 ? 0.92 : 0.7,
            evidence: {
              victims: keySweep.accounts.length,
              mixed: keySweep.mixed.slice(0, 10),
              accounts: keySweep.accounts.slice(0, 10),
            },
          },
        ]
      : []),
  ]
}
