/**
 * Reads which liquidity registered lockers hold, and until when. Layouts: the verified sources of UNCX's token and
 * position lockers, Team Finance's LockToken, PinkLock 1 and 2, and GoPlus's lockers of tokens, V3 and V4 positions;
 * DefiLlama's adapter of UNCX's lockers of V4 positions; Clanker's repository (LockerFactory, LpLocker) and copies of
 * its first version.
 */
import type { Abi } from 'viem'
import { decodeFunctionResult, encodeFunctionData, parseAbi } from 'viem/utils'
import type { Locker } from '../../../schema/registry/index.ts'
import type { ChainLog, ChainReader } from '../chain/chain.ts'
import { addressOf } from '../code/abstract/facts.ts'
import { wordAt } from '../market/market.ts'
import { LOG_BLOCKS } from './events.ts'

/** A lock of liquidity tokens. `unlock`: Unix seconds from which liquidity can leave. */
export type TokenLock = { amount: bigint; unlock: number }
/** A position NFT in a locker. `unlock`: Unix seconds from which it can leave. */
export type PositionLock = { manager: string; id: bigint; unlock: number }
/** Reads locks of an asset. Some lockers only list locks by the accounts that made them. */
export type Locked<T> = (chain: ChainReader, locker: string, asset: string, accounts: string[]) => Promise<T[]>
/** Reads position locks. Some lockers only emit them with the pool's id. */
type LockedPositions = (...of: [...Parameters<Locked<PositionLock>>, pool: string]) => Promise<PositionLock[]>

const MAX_LOCKS = 50
/** Maximum number of deposits or locks read per account, newest first. */
const MAX_PER_ACCOUNT = 20

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
/** The lock with its unlock date; none when the date could not be read. */
const dated = <T extends object>(unlock: bigint | undefined, lock: T): (T & { unlock: number })[] =>
  unlock === undefined ? [] : [{ ...lock, unlock: Number(unlock) }]
/** The last `most` of `count` indexes, newest first. */
const newest = (count: bigint, most: number): bigint[] => {
  const shown = Number(count > BigInt(most) ? BigInt(most) : count)
  return Array.from({ length: shown }, (_, i) => count - 1n - BigInt(i))
}

const uncxLocks: Locked<TokenLock> = async (chain, locker, lp) => {
  const counting = encodeFunctionData({ abi: uncx, functionName: 'getNumLocksForToken', args: [hex(lp)] })
  const count = wordAt(await chain.call({ to: locker, data: counting }), 0) ?? 0n
  const answers = await Promise.all(
    newest(count, MAX_LOCKS).map((index) => {
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
      // A vesting lock releases its first part at this date.
      unlock: Number(row.unlockDate ?? row.tgeDate ?? 0n),
    }))
  } catch {
    return undefined
  }
}

const pinkLocks: Locked<TokenLock> = async (chain, locker, lp) => {
  const args = [hex(lp), 0n, BigInt(MAX_LOCKS)] as const
  const answer = await chain.call({ to: locker, data: encodeFunctionData({ abi: pink, args }) })
  if (!answer) return []
  return decodePink(pink2, answer) ?? decodePink(pink, answer) ?? []
}

/** Deposits of Team Finance that were not withdrawn. Newer versions add the NFT's id and a flag in words 5 and 6. */
const teamDeposits = async (chain: ChainReader, locker: string, asset: string, accounts: string[]) => {
  const lists = await Promise.all(
    accounts.map(async (who) => {
      const data = encodeFunctionData({ abi: team, functionName: 'getDepositsByWithdrawalAddress', args: [hex(who)] })
      const answer = await chain.call({ to: locker, data })
      return newest(wordAt(answer, 1) ?? 0n, MAX_PER_ACCOUNT).flatMap(
        (index) => wordAt(answer, 2 + Number(index)) ?? [],
      )
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

/** The first version has no word for the pool, which shifts the following words by one. */
const uncxPositionLocks: Locked<PositionLock> = async (chain, locker, manager, accounts) => {
  const lists = await Promise.all(
    accounts.map(async (who) => {
      const counting = encodeFunctionData({ abi: uncxPositions, functionName: 'getNumUserLocks', args: [hex(who)] })
      const count = wordAt(await chain.call({ to: locker, data: counting }), 0) ?? 0n
      return newest(count, MAX_PER_ACCOUNT).map((index) =>
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

/** Answers of a locker about each lock that it lists for an account, newest first. */
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
  const answers = await listed(chain, locker, list, one, MAX_LOCKS)
  return answers
    .filter((answer) => addressAt(answer, 1) === lp)
    .flatMap((answer) => {
      const [amount = 0n, out] = [wordAt(answer, 7), wordAt(answer, 11)]
      return out === undefined ? [] : dated(wordAt(answer, 9), { amount: amount > out ? amount - out : 0n })
    })
}

/** `one`: function that describes a lock. The V4 locker serves a single manager and does not name it. */
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
          MAX_PER_ACCOUNT,
        ),
      ),
    )
    return lists.flat().flatMap((answer) => read(answer, manager))
  }

const goplusPositions: Locked<PositionLock> = goplusPositionsOf('locks', (answer, manager) =>
  addressAt(answer, 1) === manager ? dated(wordAt(answer, 9), { manager, id: wordAt(answer, 7) ?? 0n }) : [],
)

/** An emptied lock keeps its date. */
const goplusPositionsV4: Locked<PositionLock> = goplusPositionsOf('getLockInfo', (answer, manager) =>
  (wordAt(answer, 12) ?? 0n) > 0n ? dated(wordAt(answer, 13), { manager, id: wordAt(answer, 6) ?? 0n }) : [],
)

/** `LiquidityLocked(uint256 indexed,address indexed,address,uint256,bytes32 indexed,uint256,uint256)`: lock, owner, pool. */
const UNCX_V4_LOCKED = '0x49def1ccceea7771ce91254bcad08254733e55bec4be0b3b47a01b7f2cb53b00'

/**
 * The locker does not list locks by account; it emits them with the pool's id, possibly long ago. A node that does not
 * answer for all blocks is asked for the newest. The current state of each lock is read from the locker.
 */
const uncxPositionsV4: LockedPositions = async (chain, locker, manager, _, pool) => {
  const announced = (fromBlock: number) =>
    chain.logs({ address: locker, topics: [UNCX_V4_LOCKED, null, null, pool], fromBlock })
  const logs = (await announced(0)) ?? (await announced(Math.max(0, chain.height - LOG_BLOCKS))) ?? []
  const ids = logs.filter(({ data }) => addressAt(data, 0) === manager).flatMap(({ topics }) => topics[1] ?? [])
  const describe = (id: string) => encodeFunctionData({ abi: uncxV4, functionName: 'locks', args: [BigInt(id)] })
  const newestIds = [...new Set(ids)].slice(-MAX_LOCKS)
  const answers = await Promise.all(newestIds.map((id) => chain.call({ to: locker, data: describe(id) })))
  // Words: id, owner, position, five of the pool's key, amount, date. An emptied lock keeps its date.
  return answers.flatMap((answer) =>
    (wordAt(answer, 8) ?? 0n) > 0n ? dated(wordAt(answer, 9), { manager, id: wordAt(answer, 2) ?? 0n }) : [],
  )
}

/** `deployed(address indexed lockerAddress,address indexed owner,uint256 tokenId,uint256 lockingPeriod)` */
const LOCK_MADE = '0x9c1c6b6f338a6c45bf1ec01a0343b92657db1347e118e8ff936f05e1c47d17a5'
/** `end()` */
const END = '0xefbe1c1c'

/**
 * The registered factory that created the contract as one of its locks, by the logs of transactions that added
 * liquidity.
 */
export const makerOf = (lockers: readonly Locker[], made: string, logs: readonly ChainLog[]): Locker | undefined => {
  const announcing = logs.filter(
    ({ topics }) => topics[0] === LOCK_MADE && addressOf(BigInt(topics[1] ?? '0x0')) === made,
  )
  return lockers.find(({ makes, address }) => makes && announcing.some((log) => log.address.toLowerCase() === address))
}

/**
 * End of such a lock, Unix seconds. Its other function that moves tokens, `withdrawERC20`, fails on an NFT, whose
 * `transferFrom` returns nothing.
 */
export const endOfLock = async (chain: ChainReader, made: string): Promise<number | undefined> => {
  const end = wordAt(await chain.call({ to: made, data: END }), 0)
  return end === undefined ? undefined : Number(end)
}

/** Readers of token locks by the locker's name in the registry. */
export const TOKEN_LOCKS: Readonly<Record<string, Locked<TokenLock>>> = {
  UNCX: uncxLocks,
  PinkLock: pinkLocks,
  'Team Finance': teamLocks,
  GoPlus: goplusLocks,
}
/** Readers of position locks by the locker's name in the registry. A locker without a reader proves no lock. */
export const POSITION_LOCKS: Readonly<Record<string, LockedPositions>> = {
  UNCX: uncxPositionLocks,
  'Team Finance': teamPositions,
  'GoPlus positions': goplusPositions,
  'GoPlus V4': goplusPositionsV4,
  'UNCX V4': uncxPositionsV4,
}
