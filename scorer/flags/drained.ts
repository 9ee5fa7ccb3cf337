import { type Drain, MIN_VICTIMS, victimsTogether } from './detectors/drains.ts'
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

/** NFTs of several owners that came to one taker; a raffle or a marketplace hands them to many. */
const largestHaul = (drains: readonly Drain[]): { drains: Drain[]; victims: number } => {
  const hauls = [...new Set(drains.map((drain) => drain.taker))].map((taker) => {
    const taken = drains.filter((drain) => drain.taker === taker)
    return { drains: taken, victims: victimsTogether(taken) }
  })
  return hauls.sort((a, b) => b.victims - a.victims)[0] ?? { drains: [], victims: 0 }
}

/** Drains by the wallet or by its contracts, as findings. */
export const drained = (wallet: Wallet): Raised[] => {
  if (wallet.service) return []
  const drains = wallet.evidence.drains ?? []
  const fungible = drains.filter((drain) => drain.kind === 'fungible')
  const haul = largestHaul(drains.filter((drain) => drain.kind === 'nft'))
  const victims = victimsTogether(fungible)
  return [
    ...(victims > 0 ? [finding('approval-drain', fungible, victims)] : []),
    ...(haul.victims > 0 ? [finding('nft-drain', haul.drains, haul.victims)] : []),
  ]
}
