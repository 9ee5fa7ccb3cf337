/** Liquidity that cannot leave: burned, or in a registered locker until a known date. */
import type { ChainReader } from '../chain/chain.ts'
import { ZERO } from '../chain/simulator/script.ts'
import { balanceCall } from '../market/market.ts'
import { DEAD } from '../subject/blackhole.ts'
import type { ContractRegistry } from '../subject/registry.ts'
import { TOKEN_LOCKS } from './lockers.ts'

/**
 * Liquidity that is burned or in a registered locker. Shares are parts of all liquidity, 0..1; `unlock` is Unix
 * seconds; `locks` is null when no date is known.
 */
export type LockedHolding = { address: string; share: number; locks: { share: number; unlock: number }[] | null }

/** How much of a pool's liquidity cannot leave, and who holds the rest. */
export type LockFacts = {
  /** Share of the liquidity that is burned or locked beyond the horizon, 0..1; `undefined` when unknown. */
  share: number | undefined
  /** Share that registered lockers hold without a known unlock date, 0..1. */
  undated: number
  /** Liquidity tokens neither burned nor locked; 0 when liquidity is not a token. */
  free: bigint
  /** Holders of free position NFTs, largest share (0..1) first; empty when liquidity is a token. */
  holders: { address: string; share: number }[]
  /** Burned liquidity and liquidity in registered lockers. */
  locked: LockedHolding[]
  evidence: string[]
}

/** Minimum share without a known unlock date that makes the locked share unknown. */
const MIN_DOUBTFUL = 0.001
/** Share of the liquidity that must be locked. */
export const LOCKED_SHARE = 0.8
/** Minimum remaining time of a lock, seconds. */
export const HORIZON = 30 * 86_400

/** ISO 8601 time of Unix seconds, capped at the last date JavaScript supports: permanent locks use later ones. */
export const dateOf = (seconds: number): string => new Date(Math.min(seconds, 8e12) * 1_000).toISOString()

/** The locked share for the verdict. Unknown when a lock without a readable date decides whether enough is locked. */
export const lockedOf = (
  facts: LockFacts | undefined,
): { lockedShare: number | undefined; lockedWhy: string | undefined } => {
  const { share, undated = 0 } = facts ?? {}
  if (share === undefined) return { lockedShare: undefined, lockedWhy: 'the holders of the liquidity are unknown' }
  const decides = undated >= MIN_DOUBTFUL && share < LOCKED_SHARE && share + undated >= LOCKED_SHARE
  return decides
    ? { lockedShare: undefined, lockedWhy: 'a locker holds liquidity whose unlock date could not be read' }
    : { lockedShare: share, lockedWhy: undefined }
}

const sumOf = (locks: readonly { amount: bigint }[]): bigint => locks.reduce((sum, { amount }) => sum + amount, 0n)

/**
 * Locks of a pool's liquidity token (V2, Solidly). A contract that merely holds liquidity is not a lock. `accounts` are
 * those that may have locked some; they are only loaded when a locker holds some.
 */
export const readTokenLocks = async (
  chain: ChainReader,
  registry: ContractRegistry,
  lp: string,
  accounts: () => Promise<string[]>,
): Promise<LockFacts> => {
  const holders = [ZERO, DEAD, ...registry.lockers.map((locker) => locker.address)]
  const [supply = 0n, atZero = 0n, atDead = 0n, ...holdings] = await chain.words([
    { to: lp, data: '0x18160ddd' },
    ...holders.map((holder) => balanceCall(lp, holder)),
  ])
  const burned = atZero + atDead
  const evidence =
    burned * 1_000n > supply ? [`${Number((burned * 1_000n) / (supply || 1n)) / 10}% of the liquidity is burned`] : []
  const partOf = (amount: bigint) => (supply > 0n ? Number((amount * 1_000_000n) / supply) / 1_000_000 : 0)
  const locked: LockedHolding[] = [
    { address: ZERO, share: partOf(atZero), locks: [] },
    { address: DEAD, share: partOf(atDead), locks: [] },
  ]
  let undated = 0n
  const found = await Promise.all(
    registry.lockers.map(async ({ address, name }, i) => {
      const held = holdings[i] ?? 0n
      if (held === 0n) return 0n
      const read = TOKEN_LOCKS[name]
      const all = read ? await read(chain, address, lp, await accounts()) : []
      const running = all.filter(({ amount, unlock }) => amount > 0n && unlock > chain.time)
      const entry: LockedHolding = { address, share: partOf(held), locks: null }
      locked.push(entry)
      // A lock that could not be read, or liquidity sent to the locker without one.
      const unlisted = held - sumOf(all)
      if (unlisted > 0n) {
        undated += unlisted
        if (partOf(unlisted) >= MIN_DOUBTFUL)
          evidence.push(`${address} (${name}) holds liquidity; no unlock date could be read`)
      }
      // Some listed liquidity already left, and it is unknown from which lock.
      if (sumOf(running) > held) {
        undated += held
        evidence.push(`${address} (${name}) lists more locked liquidity than it holds; no unlock date is known`)
        return 0n
      }
      if (running.length > 0) entry.locks = running.map(({ amount, unlock }) => ({ share: partOf(amount), unlock }))
      const locks = running.filter(({ unlock }) => unlock >= chain.time + HORIZON)
      for (const lock of locks.slice(0, 3))
        evidence.push(`${address} (${name}) holds ${lock.amount} until ${dateOf(lock.unlock)}`)
      return sumOf(locks)
    }),
  )
  const bound = burned + found.reduce((sum, value) => sum + value, 0n)
  const share = supply > 0n ? Number((bound * 10_000n) / supply) / 10_000 : undefined
  return { share, undated: partOf(undated), free: supply - bound, holders: [], locked, evidence }
}
