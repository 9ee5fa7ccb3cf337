import { MIN_VICTIMS, victimsTogether } from './detectors/drains.ts'
import type { Raised, Wallet } from './flag.ts'

/** Approval drains by the wallet or by its contracts, as a finding. One or two victims are no proof. */
export const drained = (wallet: Wallet): Raised[] => {
  const drains = wallet.evidence.drains ?? []
  const victims = victimsTogether(drains)
  if (wallet.service || victims === 0) return []
  const sameTransaction = drains.some((drain) => drain.granted_in === drain.tx_hash)
  const confidence = (victims >= MIN_VICTIMS ? 0.9 : 0.5) + (sameTransaction ? 0.05 : 0)
  return [
    {
      detector: 'approval-drain',
      confidence,
      evidence: {
        victims,
        spenders: [...new Set(drains.map((drain) => drain.spender))],
        drains: drains.slice(0, 10).map(({ victim, asset, amount, taker, tx_hash, granted_in }) => ({
          victim,
          asset,
          amount,
          taker,
          approvedIn: granted_in,
          transaction: tx_hash,
        })),
      },
    },
  ]
}
