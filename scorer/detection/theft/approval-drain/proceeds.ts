/**
 * Selects the drains that are proceeds: those of the single taker with the most victims, without payments carried for a fee. Relayers,
 * raffles and marketplaces hand things to many, or keep a little of what they carry.
 */
import type { Network } from '../../../../schema/networks.ts'
import type { Amount } from '../../../../schema/records/explained/explanations.ts'
import { amountOf, nftsOf } from '../../../ledger/prices/amounts.ts'
import { counted } from '../../wording.ts'
import { type Drain, MIN_VICTIMS, victimsTogether } from './drain.ts'

/**
 * A smaller share of an owner's loss in a transaction is a fee for carrying the owner's payment: thieves take everything, and affiliates
 * leave operators at least a tenth (semantics 2.3.1).
 */
const FEE_SHARE = 0.1
/** Minimum share of the victims whose assets went to the main taker. A carrier of payments pays many. */
const MAIN_TAKER_SHARE = 1 / 3

type Proceeds = { drains: Drain[]; victims: number }

const lossOf = ({ victim, tx_hash, asset }: Drain): string => `${victim} ${tx_hash} ${asset}`

/** Proceeds among drains of one kind, which are in time order. */
const largestProceeds = (drains: readonly Drain[]): Proceeds => {
  const lost = new Map<string, number>()
  for (const drain of drains) lost.set(lossOf(drain), (lost.get(lossOf(drain)) ?? 0) + Number(drain.amount))
  const isFee = (drain: Drain) => Number(drain.amount) < FEE_SHARE * (lost.get(lossOf(drain)) ?? 0)
  const carried = new Set(drains.filter(isFee).map(lossOf))
  const real = drains.filter((drain) => !carried.has(lossOf(drain)))
  const byTaker = [...new Set(real.map((drain) => drain.taker))].map((taker) => {
    const taken = real.filter((drain) => drain.taker === taker)
    return { drains: taken, victims: victimsTogether(taken) }
  })
  const [main] = byTaker.sort((a, b) => b.victims - a.victims)
  const everyone = new Set(real.map((drain) => drain.victim)).size
  return main && main.victims >= MAIN_TAKER_SHARE * everyone ? main : { drains: [], victims: 0 }
}

/** Proceeds of tokens and of NFTs, separately. */
export const proceedsOf = (drains: readonly Drain[]): Record<Drain['kind'], Proceeds> => ({
  fungible: largestProceeds(drains.filter(({ kind }) => kind === 'fungible')),
  nft: largestProceeds(drains.filter(({ kind }) => kind === 'nft')),
})

/** All proceeds, in time order. */
export const allProceedsOf = (drains: readonly Drain[]): Drain[] => {
  const { fungible, nft } = proceedsOf(drains)
  return [...fungible.drains, ...nft.drains].sort((a, b) => a.time - b.time)
}

/** Proceeds of wallets with enough victims to be drainers. */
export const confirmedProceeds = (drains: ReadonlyMap<string, readonly Drain[]>): Map<string, Drain[]> =>
  new Map(
    [...drains].flatMap(([address, list]) => {
      const thefts = Object.values(proceedsOf(list)).filter(({ victims }) => victims >= MIN_VICTIMS)
      const confirmed = thefts.flatMap(({ drains }) => drains).sort((a, b) => a.time - b.time)
      return confirmed.length > 0 ? [[address, confirmed] as const] : []
    }),
  )

/** Whether the proceeds of one kind come from enough victims. */
export const provesDrainer = (drains: readonly Drain[]): boolean =>
  Object.values(proceedsOf(drains)).some(({ victims }) => victims >= MIN_VICTIMS)

/** The exact amount taken. */
export const amountTaken = (network: Network, { kind, asset, amount }: Drain): Amount =>
  kind === 'nft' ? nftsOf(BigInt(amount)) : amountOf(network, asset, BigInt(amount))

/** The finding for proceeds of one kind; none without victims. */
export const drainEvidence = (network: Network, { drains, victims }: Proceeds) => {
  if (victims === 0) return []
  const atOnce = drains.some((drain) => drain.granted_in === drain.tx_hash)
  const grade =
    victims >= MIN_VICTIMS
      ? atOnce
        ? ('victims-at-once' as const)
        : ('victims' as const)
      : atOnce
        ? ('few-at-once' as const)
        : ('few' as const)
  const wallets = counted(victims, 'wallet')
  const title =
    drains[0]?.kind === 'nft'
      ? `Took the NFTs of ${wallets} through their approvals`
      : `Drained ${wallets} through their token approvals`
  const shown = drains.slice(0, 10).map((drain) => ({
    victim: drain.victim,
    asset: drain.asset,
    amount: amountTaken(network, drain),
    taker: drain.taker,
    approvedIn: drain.granted_in,
    transaction: drain.tx_hash,
    time: drain.time,
  }))
  return [
    {
      grade,
      title,
      evidence: { victims, spenders: [...new Set(drains.map(({ spender }) => spender))], drains: shown },
    },
  ]
}
