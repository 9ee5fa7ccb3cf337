/**
 * What registered lockers say of the liquidity they hold, and until when. Layouts: the verified sources of UNCX's token
 * and position lockers, Team Finance's LockToken, PinkLock 1 and 2, and GoPlus's lockers of tokens, V3 and V4 positions;
 * DefiLlama's adapter of UNCX's lockers of V4 positions; Clanker's repository (LockerFactory, LpLocker) and copies of its first version.
 */
import type { Abi } from 'viem'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import type { Locker } from '../../../schema/registry/index.ts'
import type { ChainLog, ChainReader } from '../chain/chain.ts'
import { addressOf } from '../code/abstract/facts.ts'
import { wordAt } from '../market/market.ts'

/** `unlock` in unix seconds: when liquidity can begin to leave. */
export type TokenLock = { amount: bigint; unlock: number }
/** A position NFT that a locker holds. `unlock` in Unix seconds: when it can begin to leave. */
export type PositionLock = { manager: string; id: bigint; unlock: number }
/** Some lockers list locks by the people who made them only. */
export type Locked<T> = (chain: ChainReader, locker: string, asset: string, accounts: string[]) => Promise<T[]>
/** Some announce them with the pool's id only. */
type LockedPositions = (...of: [...Parameters<Locked<PositionLock>>, pool: string]) => Promise<PositionLock[]>

const MOST_LOCKS = 50
/** Blocks of logs asked of a node that does not answer for all: what public endpoints grant. */
const LOG_BLOCKS = 9_000
/** Deposits or locks of one person that are looked at, newest first. */
const MOST_OF_ONE = 20

const uncx = parseAbi([
  'function getNumLocksForToken(address) view returns (uint256)',
  'function tokenLocks(address,uint256) view returns (uint256 lockDate, uint256 amount, uint256 initialAmount, uint256 unlockDate, uint256 lockID, address owner)',
])
const uncxPositions = parseAbi([
  'function getNumUserLocks(address) view returns (uint256)',
  'function getUserLockAtIndex(address,uint256) view returns (bytes32)',
])
const team = parseAbi([
  'function getDepositsByWithdrawalAddress(address) view returns (uint256[])',
  'function getDepositDetails(uint256) view returns (address token, address withdrawal, uint256 amount, uint256 unlockTime, bool withdrawn)',
])
const pink = parseAbi([
  'struct Lock { uint256 id; address token; address owner; uint256 amount; uint256 lockDate; uint256 unlockDate; }',
  'function getLocksForToken(address token, uint256 start, uint256 end) view returns (Lock[])',
])
const pink2 = parseAbi([
  'struct Lock { uint256 id; address token; address owner; uint256 amount; uint256 lockDate; uint256 tgeDate; uint256 tgeBps; uint256 cycle; uint256 cycleBps; uint256 unlockedAmount; string description; }',
  'function getLocksForToken(address token, uint256 start, uint256 end) view returns (Lock[])',
])

const goplus = parseAbi([
  'function tokenLocks(address) view returns (uint256[])',
  'function getUserLocks(address) view returns (uint256[])',
  'function locks(uint256) view returns (uint256)',
  'function getLockInfo(uint256) view returns (uint256)',
])

const uncxV4 = parseAbi(['function locks(uint256) view returns (uint256)'])

const hex = (address: string) => address as `0x${string}`
const addressAt = (data: string | undefined, index: number) => addressOf(wordAt(data, index) ?? 0n)
/** The lock of an answer that names its date; none of one that could not be read. */
const dated = <T extends object>(unlock: bigint | undefined, lock: T): (T & { unlock: number })[] =>
  unlock === undefined ? [] : [{ ...lock, unlock: Number(unlock) }]
/** The last `most` of `count` indexes. */
const newest = (count: bigint, most: number): bigint[] => {
  const shown = Number(count > BigInt(most) ? BigInt(most) : count)
  return Array.from({ length: shown }, (_, i) => count - 1n - BigInt(i))
}

const uncxLocks: Locked<TokenLock> = async (chain, locker, lp) => {
  const counting = encodeFunctionData({ abi: uncx, functionName: 'getNumLocksForToken', args: [hex(lp)] })
  const count = wordAt(await chain.call({ to: locker, data: counting }), 0) ?? 0n
  const answers = await Promise.all(
    newest(count, MOST_LOCKS).map((index) => {
      const data = encodeFunctionData({ abi: uncx, functionName: 'tokenLocks', args: [hex(lp), index] })
      return chain.call({ to: locker, data })
    }),
  )
  return answers.flatMap((answer) => dated(wordAt(answer, 3), { amount: wordAt(answer, 1) ?? 0n }))
}

const decodePink = (abi: Abi, answer: string): TokenLock[] | undefined => {
  try {
    const rows = decodeFunctionResult({ abi, functionName: 'getLocksForToken', data: hex(answer) }) as {
      amount: bigint
      unlockDate?: bigint
      tgeDate?: bigint
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

const pinkLocks: Locked<TokenLock> = async (chain, locker, lp) => {
  const args = [hex(lp), 0n, BigInt(MOST_LOCKS)] as const
  const answer = await chain.call({ to: locker, data: encodeFunctionData({ abi: pink, args }) })
  if (!answer) return []
  return decodePink(pink2, answer) ?? decodePink(pink, answer) ?? []
}

/** Deposits of Team Finance that were not taken back; newer versions add the NFT's id and a flag at words 5 and 6. */
const teamDeposits = async (chain: ChainReader, locker: string, asset: string, accounts: string[]) => {
  const lists = await Promise.all(
    accounts.map(async (who) => {
      const data = encodeFunctionData({ abi: team, functionName: 'getDepositsByWithdrawalAddress', args: [hex(who)] })
      const answer = await chain.call({ to: locker, data })
      return newest(wordAt(answer, 1) ?? 0n, MOST_OF_ONE).flatMap((index) => wordAt(answer, 2 + Number(index)) ?? [])
    }),
  )
  const details = await Promise.all(
    [...new Set(lists.flat())].map((id) => {
      const data = encodeFunctionData({ abi: team, functionName: 'getDepositDetails', args: [id] })
      return chain.call({ to: locker, data })
    }),
  )
  return details
    .filter((answer) => addressAt(answer, 0) === asset && wordAt(answer, 4) === 0n)
    .flatMap((answer) =>
      dated(wordAt(answer, 3), {
        amount: wordAt(answer, 2) ?? 0n,
        nft: wordAt(answer, 6) === 1n ? wordAt(answer, 5) : undefined,
      }),
    )
}

const teamLocks: Locked<TokenLock> = async (...from) =>
  (await teamDeposits(...from)).filter(({ nft }) => nft === undefined)

const teamPositions: Locked<PositionLock> = async (chain, locker, manager, accounts) =>
  (await teamDeposits(chain, locker, manager, accounts)).flatMap(({ nft, unlock }) =>
    nft === undefined ? [] : [{ manager, id: nft, unlock }],
  )

/** The first version's answer has no word for the pool, which moves what follows by one. */
const uncxPositionLocks: Locked<PositionLock> = async (chain, locker, manager, accounts) => {
  const lists = await Promise.all(
    accounts.map(async (who) => {
      const counting = encodeFunctionData({ abi: uncxPositions, functionName: 'getNumUserLocks', args: [hex(who)] })
      const count = wordAt(await chain.call({ to: locker, data: counting }), 0) ?? 0n
      return newest(count, MOST_OF_ONE).map((index) =>
        encodeFunctionData({ abi: uncxPositions, functionName: 'getUserLockAtIndex', args: [hex(who), index] }),
      )
    }),
  )
  const answers = await Promise.all(lists.flat().map((data) => chain.call({ to: locker, data })))
  return answers
    .filter((answer) => addressAt(answer, 1) === manager)
    .flatMap((answer) => {
      const shift = (answer?.length ?? 0) >= 2 + 11 * 64 ? 1 : 0
      return dated(wordAt(answer, 7 + shift), { manager, id: wordAt(answer, 2 + shift) ?? 0n })
    })
}

/** What a locker answers about each of its locks that it lists for somebody, newest first. */
const listed = async (
  chain: ChainReader,
  locker: string,
  list: string,
  describe: (id: bigint) => string,
  most: number,
): Promise<string[]> => {
  const answer = await chain.call({ to: locker, data: list })
  const ids = newest(wordAt(answer, 1) ?? 0n, most).flatMap((index) => wordAt(answer, 2 + Number(index)) ?? [])
  const found = await Promise.all(ids.map((id) => chain.call({ to: locker, data: describe(id) })))
  return found.filter((one) => one !== undefined)
}

const goplusLocks: Locked<TokenLock> = async (chain, locker, lp) => {
  const list = encodeFunctionData({ abi: goplus, functionName: 'tokenLocks', args: [hex(lp)] })
  const one = (id: bigint) => encodeFunctionData({ abi: goplus, functionName: 'locks', args: [id] })
  const answers = await listed(chain, locker, list, one, MOST_LOCKS)
  return answers
    .filter((answer) => addressAt(answer, 1) === lp)
    .flatMap((answer) => {
      const [amount = 0n, out] = [wordAt(answer, 7), wordAt(answer, 11)]
      return out === undefined ? [] : dated(wordAt(answer, 9), { amount: amount > out ? amount - out : 0n })
    })
}

/** `one`: the question about a lock. The V4 locker knows a single manager and does not name it. */
const goplusPositionsOf =
  (one: 'locks' | 'getLockInfo', read: (answer: string, manager: string) => PositionLock[]) =>
  async (chain: ChainReader, locker: string, manager: string, accounts: string[]): Promise<PositionLock[]> => {
    const lists = await Promise.all(
      accounts.map((who) =>
        listed(
          chain,
          locker,
          encodeFunctionData({ abi: goplus, functionName: 'getUserLocks', args: [hex(who)] }),
          (id) => encodeFunctionData({ abi: goplus, functionName: one, args: [id] }),
          MOST_OF_ONE,
        ),
      ),
    )
    return lists.flat().flatMap((answer) => read(answer, manager))
  }

const goplusPositions: Locked<PositionLock> = goplusPositionsOf('locks', (answer, manager) =>
  addressAt(answer, 1) === manager ? dated(wordAt(answer, 9), { manager, id: wordAt(answer, 7) ?? 0n }) : [],
)

/** A lock that was emptied keeps its date. */
const goplusPositionsV4: Locked<PositionLock> = goplusPositionsOf('getLockInfo', (answer, manager) =>
  (wordAt(answer, 12) ?? 0n) > 0n ? dated(wordAt(answer, 13), { manager, id: wordAt(answer, 6) ?? 0n }) : [],
)

/** `LiquidityLocked(uint256 indexed,address indexed,address,uint256,bytes32 indexed,uint256,uint256)`: lock, owner, pool. */
const UNCX_V4_LOCKED = '0x49def1ccceea7771ce91254bcad08254733e55bec4be0b3b47a01b7f2cb53b00'

/**
 * Locks are listed by nobody's name: the locker announced them with the pool, at any time since it was made. A node that does
 * not answer for so many blocks is asked about the newest. What a lock is now, its locker answers.
 */
const uncxPositionsV4: LockedPositions = async (chain, locker, manager, _, pool) => {
  const announced = (fromBlock: number) =>
    chain.logs({ address: locker, topics: [UNCX_V4_LOCKED, null, null, pool], fromBlock })
  const logs = (await announced(0)) ?? (await announced(Math.max(0, chain.height - LOG_BLOCKS))) ?? []
  const ids = logs.filter(({ data }) => addressAt(data, 0) === manager).flatMap(({ topics }) => topics[1] ?? [])
  const describe = (id: string) => encodeFunctionData({ abi: uncxV4, functionName: 'locks', args: [BigInt(id)] })
  const newestIds = [...new Set(ids)].slice(-MOST_LOCKS)
  const answers = await Promise.all(newestIds.map((id) => chain.call({ to: locker, data: describe(id) })))
  // Id, owner, position, five words of the pool's key, amount, date. A lock that was emptied keeps its date.
  return answers.flatMap((answer) =>
    (wordAt(answer, 8) ?? 0n) > 0n ? dated(wordAt(answer, 9), { manager, id: wordAt(answer, 2) ?? 0n }) : [],
  )
}

/** `deployed(address indexed lockerAddress,address indexed owner,uint256 tokenId,uint256 lockingPeriod)` */
const LOCK_MADE = '0x9c1c6b6f338a6c45bf1ec01a0343b92657db1347e118e8ff936f05e1c47d17a5'
/** `end()` */
const END = '0xefbe1c1c'

/** The registered factory that announced the contract as a lock of its own, in the transactions that added liquidity. */
export const makerOf = (lockers: readonly Locker[], made: string, logs: readonly ChainLog[]): Locker | undefined => {
  const announcing = logs.filter(
    ({ topics }) => topics[0] === LOCK_MADE && addressOf(BigInt(topics[1] ?? '0x0')) === made,
  )
  return lockers.find(({ makes, address }) => makes && announcing.some((log) => log.address.toLowerCase() === address))
}

/**
 * Until when such a lock keeps whatever it holds. Its other function that moves tokens, `withdrawERC20`, fails on an NFT, whose
 * `transferFrom` answers nothing.
 */
export const endOfLock = async (chain: ChainReader, made: string): Promise<number | undefined> => {
  const end = wordAt(await chain.call({ to: made, data: END }), 0)
  return end === undefined ? undefined : Number(end)
}

/** By the locker's name in the registry. */
export const TOKEN_LOCKS: Readonly<Record<string, Locked<TokenLock>>> = {
  UNCX: uncxLocks,
  PinkLock: pinkLocks,
  'Team Finance': teamLocks,
  GoPlus: goplusLocks,
}
/**
 * How to read the locks of positions, by the name that the registry gives the locker. One that is missing proves no
 * lock.
 */
export const POSITION_LOCKS: Readonly<Record<string, LockedPositions>> = {
  UNCX: uncxPositionLocks,
  'Team Finance': teamPositions,
  'GoPlus positions': goplusPositions,
  'GoPlus V4': goplusPositionsV4,
  'UNCX V4': uncxPositionsV4,
}
