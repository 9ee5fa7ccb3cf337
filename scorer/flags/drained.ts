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

/**
 * Who takes less than this part of what an owner lost in a transaction takes a fee, and carried the owner's payment:
 * thieves take all, and affiliates leave operators a tenth at least (semantics 2.3.1).
 */
const FEE_SHARE = 0.1
/** Part of the victims whose assets came to the main taker: who carries payments for many pays many. */
const MAIN_TAKER_SHARE = 1 / 3

const lossOf = ({ victim, tx_hash, asset }: Drain): string => `${victim} ${tx_hash} ${asset}`

/** What came to the one taker with the most victims; relayers, raffles and marketplaces hand things to many. */
const largestHaul = (drains: readonly Drain[]): { drains: Drain[]; victims: number } => {
  const lost = new Map<string, number>()
  for (const drain of drains) lost.set(lossOf(drain), (lost.get(lossOf(drain)) ?? 0) + Number(drain.amount))
  const isFee = (drain: Drain) => Number(drain.amount) < FEE_SHARE * (lost.get(lossOf(drain)) ?? 0)
  const carried = new Set(drains.filter(isFee).map(lossOf))
  const real = drains.filter((drain) => !carried.has(lossOf(drain)))
  const hauls = [...new Set(real.map((drain) => drain.taker))].map((taker) => {
    const taken = real.filter((drain) => drain.taker === taker)
    return { drains: taken, victims: victimsTogether(taken) }
  })
  const [main] = hauls.sort((a, b) => b.victims - a.victims)
  const everyone = new Set(real.map((drain) => drain.victim)).size
  return main && main.victims >= MAIN_TAKER_SHARE * everyone ? main : { drains: [], victims: 0 }
}

/** Drains by the wallet or by its contracts, as findings. */
export const drained = (wallet: Wallet): Raised[] => {
  if (wallet.service) return []
  const drains = wallet.evidence.drains ?? []
  const fungible = largestHaul(drains.filter((drain) => drain.kind === 'fungible'))
  const nfts = largestHaul(drains.filter((drain) => drain.kind === 'nft'))
  return [
    ...(fungible.victims > 0 ? [finding('approval-drain', fungible.drains, fungible.victims)] : []),
    ...(nfts.victims > 0 ? [finding('nft-drain', nfts.drains, nfts.victims)] : []),
  ]
}
