/** Liquidity that cannot leave: burned, or held by a registered locker until a date that can be read from it. */
import type { ChainReader } from '../chain/chain.ts'
import { ZERO } from '../chain/simulator/script.ts'
import { balanceCall } from '../market/market.ts'
import type { ContractRegistry } from '../subject/registry.ts'
import { TOKEN_LOCKS } from './lockers.ts'

/** Shares are parts of all liquidity, 0..1; `unlock` is Unix seconds. */
export type Kept = { address: string; share: number; locks: { share: number; unlock: number }[] | null }

/** What of a pool's liquidity cannot leave, and who holds the rest. */
export type LockFacts = {
  /** Share of the liquidity burned or locked beyond the horizon, 0..1; `undefined` when it could not be told. */
  share: number | undefined
  /** Liquidity tokens neither burned nor locked; 0 where liquidity is not a token. */
  free: bigint
  /** Who holds the NFTs of free positions, largest share (0..1) first; empty where liquidity is a token. */
  holders: { address: string; share: number }[]
  /** Who holds what is burned or in a registered locker, with what it keeps until when; `null` where it names no date. */
  kept: Kept[]
  evidence: string[]
}

const DEAD = '0x000000000000000000000000000000000000dead'
/** Seconds a lock must still run to count. */
export const HORIZON = 30 * 86_400

/**
 * ISO 8601 time of Unix seconds; lockers that lock for ever name later ones than JavaScript has, which become its last.
 */
export const dateOf = (seconds: number): string => new Date(Math.min(seconds, 8e12) * 1_000).toISOString()

/** Locks that run still; `null` where a locker names none, or more than it holds. */
const runningOf = (
  locks: readonly { amount: bigint; unlock: number }[],
  now: number,
  held: bigint,
  partOf: (amount: bigint) => number,
): Kept['locks'] => {
  const running = locks.filter(({ amount, unlock }) => amount > 0n && unlock > now)
  const sum = running.reduce((total, { amount }) => total + amount, 0n)
  return running.length === 0 || sum > held
    ? null
    : running.map(({ amount, unlock }) => ({ share: partOf(amount), unlock }))
}

/**
 * Locks of a pool's own token (V2, Solidly). A contract that merely holds liquidity is not a lock. `accounts` are asked for
 * only where a locker holds some of it: those who may have locked it.
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
  const kept: Kept[] = [
    { address: ZERO, share: partOf(atZero), locks: [] },
    { address: DEAD, share: partOf(atDead), locks: [] },
  ]
  const found = await Promise.all(
    registry.lockers.map(async ({ address, name }, i) => {
      const held = holdings[i] ?? 0n
      if (held === 0n) return 0n
      const read = TOKEN_LOCKS[name]
      const all = read ? await read(chain, address, lp, await accounts()) : []
      kept.push({ address, share: partOf(held), locks: runningOf(all, chain.time, held, partOf) })
      const locks = all.filter((lock) => lock.unlock >= chain.time + HORIZON)
      if (all.length === 0) evidence.push(`${address} (${name}) holds liquidity; no unlock date could be read`)
      for (const lock of locks.slice(0, 3))
        evidence.push(`${address} (${name}) holds ${lock.amount} until ${dateOf(lock.unlock)}`)
      const sum = locks.reduce((total, lock) => total + lock.amount, 0n)
      // A locker cannot have locked more than it holds.
      if (sum > held) return held
      return sum
    }),
  )
  const bound = burned + found.reduce((sum, value) => sum + value, 0n)
  const share = supply > 0n ? Number((bound * 10_000n) / supply) / 10_000 : undefined
  return { share, free: supply - bound, holders: [], kept, evidence }
}
