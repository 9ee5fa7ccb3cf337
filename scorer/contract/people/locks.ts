/** Liquidity that cannot leave: burned, or held by a known locker until a date that can be read from it. */
import { type Abi, decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem'
import type { ChainReader } from '../chain.ts'
import { balanceOf, wordAt } from '../market.ts'
import type { ContractRegistry, LockerKind } from '../registry.ts'
import { ZERO } from '../simulator/script.ts'

export type LockFacts = {
  /** Liquidity tokens in existence. */
  supply: bigint
  burned: bigint
  /** Held by lockers with an unlock date beyond the horizon. */
  locked: bigint
  evidence: string[]
}

const DEAD = '0x000000000000000000000000000000000000dead'
/** Seconds a lock must still run to count. */
const HORIZON = 30 * 86_400
const MOST_LOCKS = 50n

const uncx = parseAbi([
  'function getNumLocksForToken(address) view returns (uint256)',
  'function tokenLocks(address,uint256) view returns (uint256 lockDate, uint256 amount, uint256 initialAmount, uint256 unlockDate, uint256 lockID, address owner)',
])
const pink = parseAbi([
  'struct Lock { uint256 id; address token; address owner; uint256 amount; uint256 lockDate; uint256 unlockDate; }',
  'function getLocksForToken(address token, uint256 start, uint256 end) view returns (Lock[])',
])
const pink2 = parseAbi([
  'struct Lock { uint256 id; address token; address owner; uint256 amount; uint256 lockDate; uint256 tgeDate; uint256 tgeBps; uint256 cycle; uint256 cycleBps; uint256 unlockedAmount; string description; }',
  'function getLocksForToken(address token, uint256 start, uint256 end) view returns (Lock[])',
])

type Lock = { amount: bigint; unlock: number }
const hex = (address: string) => address as `0x${string}`

const uncxLocks = async (chain: ChainReader, locker: string, lp: string): Promise<Lock[]> => {
  const count =
    wordAt(
      await chain.call({
        to: locker,
        data: encodeFunctionData({ abi: uncx, functionName: 'getNumLocksForToken', args: [hex(lp)] }),
      }),
      0,
    ) ?? 0n
  const indexes = Array.from({ length: Number(count > MOST_LOCKS ? MOST_LOCKS : count) }, (_, i) => BigInt(i))
  const answers = await Promise.all(
    indexes.map((i) =>
      chain.call({
        to: locker,
        data: encodeFunctionData({ abi: uncx, functionName: 'tokenLocks', args: [hex(lp), i] }),
      }),
    ),
  )
  return answers.map((answer) => ({ amount: wordAt(answer, 1) ?? 0n, unlock: Number(wordAt(answer, 3) ?? 0n) }))
}

const decodeLocks = (abi: Abi, answer: string): Lock[] | undefined => {
  try {
    const rows = decodeFunctionResult({ abi, functionName: 'getLocksForToken', data: hex(answer) }) as {
      amount: bigint
      unlockDate?: bigint
      tgeDate?: bigint
      tgeBps?: bigint
      unlockedAmount?: bigint
    }[]
    return rows.map((row) => ({
      amount: row.amount - (row.unlockedAmount ?? 0n),
      // A vesting lock releases its first part at the first date: that is when liquidity can begin to leave.
      unlock: Number(row.unlockDate ?? row.tgeDate ?? 0n),
    }))
  } catch {
    return undefined
  }
}

const pinkLocks = async (chain: ChainReader, locker: string, lp: string): Promise<Lock[]> => {
  const data = encodeFunctionData({ abi: pink, functionName: 'getLocksForToken', args: [hex(lp), 0n, MOST_LOCKS] })
  const answer = await chain.call({ to: locker, data })
  if (!answer) return []
  return decodeLocks(pink2, answer) ?? decodeLocks(pink, answer) ?? []
}

const READERS: Record<LockerKind, ((chain: ChainReader, locker: string, lp: string) => Promise<Lock[]>) | undefined> = {
  'uncx-v2': uncxLocks,
  pinklock: pinkLocks,
  'team-finance': undefined,
}

/** Locks of a V2-style pool's own token. A contract that merely holds liquidity is not a lock. */
export const readLocks = async (chain: ChainReader, registry: ContractRegistry, lp: string): Promise<LockFacts> => {
  const [supplyAnswer, atZero, atDead] = await Promise.all([
    chain.call({ to: lp, data: '0x18160ddd' }),
    balanceOf(chain, lp, ZERO),
    balanceOf(chain, lp, DEAD),
  ])
  const supply = wordAt(supplyAnswer, 0) ?? 0n
  const burned = atZero + atDead
  const evidence =
    burned * 1_000n > supply ? [`${Number((burned * 1_000n) / (supply || 1n)) / 10}% of the liquidity is burned`] : []
  const found = await Promise.all(
    registry.lockers.map(async ({ address, kind }) => {
      const held = await balanceOf(chain, lp, address)
      if (held === 0n) return 0n
      const read = READERS[kind]
      if (!read) {
        evidence.push(`${address} (${kind}) holds liquidity; its unlock dates cannot be read`)
        return 0n
      }
      const locks = (await read(chain, address, lp)).filter((lock) => lock.unlock >= chain.time + HORIZON)
      const sum = locks.reduce((total, lock) => total + lock.amount, 0n)
      for (const lock of locks.slice(0, 3)) {
        evidence.push(
          `${address} (${kind}) holds ${lock.amount} until ${new Date(Math.min(lock.unlock, 8e12) * 1_000).toISOString()}`,
        )
      }
      // A locker cannot have locked more than it holds.
      if (sum > held) return held
      return sum
    }),
  )
  return { supply, burned, locked: found.reduce((sum, value) => sum + value, 0n), evidence }
}
