import type { Poisoning } from '../../detection/deceit/address-poisoning/poisoning.ts'
import type { Raised, Wallet } from './flag.ts'

/**
 * A random pair agrees once in 33 million, so that one pair convicts. Who sends for many addresses, or made the token, is
 * surer still than the look-alike itself (semantics 2.3.2).
 */
const CONFIDENCE: Record<Poisoning['role'], number> = {
  lookalike: 0.95,
  sender: 0.97,
  supplier: 0.95,
  'token-maker': 0.95,
}

/** Address poisoning by the wallet, as findings. */
export const poisoned = (wallet: Wallet): Raised[] =>
  wallet.service
    ? []
    : (wallet.evidence.poisoning ?? []).map(({ role, pairs }) => ({
        detector: 'address-poisoning',
        confidence: CONFIDENCE[role],
        evidence: {
          role,
          victims: new Set(pairs.map(({ victim }) => victim)).size,
          pairs: pairs.slice(0, 10),
        },
      }))
