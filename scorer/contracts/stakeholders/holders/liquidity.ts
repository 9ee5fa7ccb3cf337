/** Holders of the deepest pool's liquidity, for the explanation. */
import type { LiquidityHolders } from '../../../../schema/records/explained/token-facts.ts'
import type { ChainReader } from '../../chain/chain.ts'
import { sharesOf } from '../../market/market.ts'
import type { LockFacts } from '../locks.ts'
import { PROVIDER_SHARE } from '../positions/positions.ts'
import { lockUntil, type RolesInput, rolesOf } from './holders.ts'

const TOP = 10

const rounded = (share: number): number => Math.min(1, Math.round(share * 10_000) / 10_000)

/** Facts about the liquidity, from locks and from transfers. */
export type LiquidityInput = RolesInput & {
  chain: ChainReader
  locks: LockFacts | undefined
  /** Holders of liquidity that is neither burned nor locked, with their share of it. */
  providers: readonly { address: string; share: number }[]
}

/** The ten largest holders of the liquidity, including burned and locked parts, with their locks. */
export const readLiquidityHolders = async (input: LiquidityInput): Promise<LiquidityHolders> => {
  const { chain, known, locks, providers } = input
  const { market } = known
  if (!market) return { top: [], why: 'there is no pool' }
  if (locks?.share === undefined) return { top: [], why: 'the holders of the liquidity are unknown' }
  const { share: kept } = locks
  // Shares of a liquidity token are relative to the free part; shares of positions are relative to all liquidity.
  const whole = sharesOf(market) === undefined
  const ofToken = locks.free > 0n ? providers : []
  const free = whole ? locks.holders : ofToken.map(({ address, share }) => ({ address, share: share * (1 - kept) }))
  const top = [...locks.locked, ...free.map((one) => ({ ...one, locks: [] }))]
    .map((one) => ({ ...one, share: rounded(one.share) }))
    .filter(({ share }) => share >= PROVIDER_SHARE)
    .sort((a, b) => b.share - a.share)
    .slice(0, TOP)
  const codes = await Promise.all(top.map(({ address }) => chain.code(address)))
  return {
    top: top.map(({ address, share, locks: held }, i) => ({
      address,
      share,
      contract: (codes[i]?.length ?? 2) > 2,
      tags: rolesOf(address, input),
      locks: held?.map((lock) => ({ share: rounded(lock.share), until: lockUntil(lock.unlock) })) ?? null,
    })),
    why: null,
  }
}
