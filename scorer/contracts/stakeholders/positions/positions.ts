/**
 * Holders of a V3 or V4 pool's liquidity. Positions are NFTs of a position manager, named by the transactions that
 * added the liquidity. Shares are of the base asset, which a rug pull would take: a burned position full of the token
 * itself protects nobody. Liquidity that no such transaction names counts as free.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { Market } from '../../market/market.ts'
import { amountsOfPosition } from '../../market/pools/concentrated.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import type { ContractRegistry } from '../../subject/registry.ts'
import { gaugesOf, stakerOf } from '../gauges.ts'
import { endOfLock, makerOf, POSITION_LOCKS } from '../lockers.ts'
import { dateOf, HORIZON, type LockedHolding, type LockFacts } from '../locks.ts'
import type { Position } from './position.ts'
import { v3Positions } from './v3.ts'
import { v4Positions } from './v4.ts'

/** Share of the liquidity from which an account counts as a provider. */
export const PROVIDER_SHARE = 0.001

/** Base asset in the position (base units), within the range that the pool's reserves were read from. */
const baseIn = ({ lower, upper, liquidity }: Position, token: string, { base, price, ticks }: Market): number => {
  const [low, high] = [Math.max(lower, ticks?.lower ?? lower), Math.min(upper, ticks?.upper ?? upper)]
  if (low >= high) return 0
  const first = token < base.address
  const { amount0, amount1 } = amountsOfPosition(first ? price : 1 / price, low, high, liquidity)
  return Number(first ? amount1 : amount0)
}

const rounded = (share: number): number => Math.round(Math.min(1, share) * 10_000) / 10_000

/**
 * Reads burned, locked and free positions. `added`: hashes of transactions that added liquidity, largest first. The
 * share is unknown when none of them names a position.
 */
export const readPositionLocks = async (
  chain: ChainReader,
  registry: ContractRegistry,
  token: string,
  market: Market,
  added: readonly string[],
  accounts: () => Promise<string[]>,
): Promise<LockFacts> => {
  const unknown: LockFacts = { share: undefined, undated: 0, free: 0n, holders: [], locked: [], evidence: [] }
  const total = Number(market.baseReserve)
  if (total === 0 || market.price === 0) return unknown
  const receipts = await Promise.all([...new Set(added)].map((hash) => chain.receipt(hash)))
  const find = market.kind === 'v3' ? v3Positions : v4Positions
  const logs = receipts.flatMap((found) => found ?? [])
  const positions = await find({ chain, registry, token, market, logs })
  if (positions.length === 0) return unknown
  const evidence: string[] = []
  const free = new Map<string, number>()
  const gauges = await gaugesOf(chain, registry, market.pool)
  const bound: LockedHolding[] = []
  let undated = 0
  const kept = await Promise.all(
    positions.map(async (position) => {
      const { manager, id, owner } = position
      const share = baseIn(position, token, market) / total
      const part = `${Math.round(share * 1_000) / 10}% of the liquidity`
      if (isBlackhole(owner)) {
        bound.push({ address: owner, share, locks: [] })
        evidence.push(`position ${id} of ${manager}, ${part}, belongs to ${owner}`)
        return share
      }
      const maker = makerOf(registry.lockers, owner, logs)
      const locker = maker ?? registry.lockers.find(({ address }) => address === owner)
      if (!locker) {
        const holder = gauges.includes(owner) ? await stakerOf(chain, owner, id, await accounts()) : owner
        // A position manager that uses the pool itself is not the owner.
        if (holder !== undefined && holder !== manager) free.set(holder, (free.get(holder) ?? 0) + share)
        return 0
      }
      if (locker.forever) {
        bound.push({ address: owner, share, locks: [{ share, unlock: Number.POSITIVE_INFINITY }] })
        evidence.push(`${owner} (${locker.name}) holds position ${id}, ${part}, for ever`)
        return share
      }
      const listed = async () =>
        (await POSITION_LOCKS[locker.name]?.(chain, locker.address, manager, await accounts(), market.id)) ?? []
      const unlock = maker ? await endOfLock(chain, owner) : (await listed()).find((item) => item.id === id)?.unlock
      if (unlock === undefined) {
        bound.push({ address: owner, share, locks: null })
        undated += share
        evidence.push(`${owner} (${locker.name}) holds position ${id}, ${part}; no unlock date could be read`)
        return 0
      }
      bound.push({ address: owner, share, locks: unlock > chain.time ? [{ share, unlock }] : null })
      evidence.push(`${owner} (${locker.name}) holds position ${id}, ${part}, until ${dateOf(unlock)}`)
      return unlock >= chain.time + HORIZON ? share : 0
    }),
  )
  const holders = [...free].map(([address, share]) => ({ address, share: rounded(share) }))
  return {
    share: rounded(kept.reduce((sum, value) => sum + value, 0)),
    undated: rounded(undated),
    free: 0n,
    holders: holders.filter(({ share }) => share > PROVIDER_SHARE).sort((a, b) => b.share - a.share),
    locked: bound,
    evidence,
  }
}
