import type { Raised, Wallet } from './flag.ts'

/** Fake claims and lure tokens of the wallet, as findings. */
export const baited = (wallet: Wallet): Raised[] =>
  wallet.service
    ? []
    : [
        ...(wallet.evidence.claims ?? []).map((claim) => ({
          detector: 'fake-claim',
          confidence: 0.95,
          evidence: claim,
        })),
        ...(wallet.evidence.lures ?? []).map((lure) => ({
          detector: 'airdrop-phish',
          confidence: 0.92,
          evidence: lure,
        })),
      ]
