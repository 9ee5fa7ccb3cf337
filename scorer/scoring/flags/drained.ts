import { type Drain, MIN_VICTIMS } from '../../detection/theft/approval-drain/drains.ts'
import { haulsOf } from '../../detection/theft/approval-drain/proceeds.ts'
import type { Raised, Wallet } from './flag.ts'

/** Victims of one detector, its drains, and how sure they make us. One or two victims are no proof (semantics 2.3.1). */
const finding = (detector: string, drains: readonly Drain[], victims: number): Raised => {
  const sameTransaction = drains.some((drain) => drain.granted_in === drain.tx_hash)
  return {
    detector,
    confidence: (victims >= MIN_VICTIMS ? 0.9 : 0.5) + (sameTransaction ? 0.05 : 0),
    evidence: {
      victims,
      spenders: [...new Set(drains.map((drain) => drain.spender))],
      drains: drains.slice(0, 10).map(({ victim, asset, amount, taker, tx_hash, granted_in, time }) => ({
        victim,
        asset,
        amount,
        taker,
        approvedIn: granted_in,
        transaction: tx_hash,
        time,
      })),
    },
  }
}

/** Drains by the wallet or by its contracts, as findings. */
export const drained = (wallet: Wallet): Raised[] => {
  const { drains } = wallet.evidence
  if (wallet.service || drains === undefined) return []
  const { fungible, nft: nfts } = haulsOf(drains)
  return [
    ...(fungible.victims > 0 ? [finding('approval-drain', fungible.drains, fungible.victims)] : []),
    ...(nfts.victims > 0 ? [finding('nft-drain', nfts.drains, nfts.victims)] : []),
  ]
}
