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
            confidence: 0.9,
            evidence: { victims: keySweep.accounts.length, accounts: keySweep.accounts.slice(0, 10) },
          },
        ]
      : []),
  ]
}
