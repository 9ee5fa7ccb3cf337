import type { Share } from '../../detection/theft/drainer-split/splits.ts'
import type { Raised, Wallet } from './flag.ts'

/** Semantics 2.3.1: an operator serves many affiliates and is surer than any of them. */
const CONFIDENCE: Record<Share['role'], number> = { operator: 0.97, affiliate: 0.95 }

/** Parts of drained loot the wallet got in fixed ratios, as findings. */
export const sharedLoot = (wallet: Wallet, roles: readonly Share['role'][]): Raised[] =>
  wallet.service
    ? []
    : (wallet.evidence.shares ?? [])
        .filter(({ role }) => roles.includes(role))
        .map(({ role, operators, affiliates, splits }) => ({
          detector: 'drainer-split',
          confidence: CONFIDENCE[role],
          evidence: {
            role,
            operators,
            affiliates: affiliates.slice(0, 10),
            victims: new Set(splits.map(({ victim }) => victim)).size,
            splits: splits.slice(0, 10),
          },
        }))
