/**
 * Who holds the liquidity of a V3 pool: positions are NFTs of a position manager, named by the transactions that added
 * the liquidity. What no such transaction names counts as free, since the share is taken of all the pool holds.
 */
import { toEventSelector } from 'viem'
import type { ChainReader } from '../chain.ts'
import { addressOf } from '../code/interpret.ts'
import type { Market } from '../market.ts'
import { wordAt } from '../market.ts'
import { amountsOfPosition } from '../pools/concentrated.ts'
import type { ContractRegistry } from '../registry.ts'
import { isBlackhole } from '../subject.ts'
import { POSITION_LOCKS } from './lockers.ts'
import { dateOf, HORIZON, type LockFacts } from './locks.ts'

const INCREASE: string = toEventSelector(
  'IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
)
const [POSITIONS, OWNER_OF] = ['0x99fbab88', '0x6352211e']

type Position = {
  manager: string
  id: bigint
  owner: string /** Worth in base units of the base asset. */
  worth: number
}

const word = (value: bigint) => value.toString(16).padStart(64, '0')

const positionOf = async (
  chain: ChainReader,
  token: string,
  market: Market,
  manager: string,
  id: bigint,
): Promise<Position | undefined> => {
  const [facts, holder] = await Promise.all(
    [POSITIONS, OWNER_OF].map((selector) => chain.call({ to: manager, data: `${selector}${word(id)}` })),
  )
  const at = (index: number) => wordAt(facts, index) ?? 0n
  const pair = [addressOf(at(2)), addressOf(at(3))]
  const liquidity = at(7)
  const owner = wordAt(holder, 0)
  if (!facts || owner === undefined || liquidity === 0n) return undefined
  if (!pair.includes(token) || !pair.includes(market.base.address) || at(4) !== BigInt(market.fee)) return undefined
  const first = token < market.base.address
  const [lower, upper] = [Number(BigInt.asIntN(24, at(5))), Number(BigInt.asIntN(24, at(6)))]
  const { amount0, amount1 } = amountsOfPosition(first ? market.price : 1 / market.price, lower, upper, liquidity)
  const [tokens, base] = first ? [amount0, amount1] : [amount1, amount0]
  return { manager, id, owner: addressOf(owner), worth: Number(base) + Number(tokens) * market.price }
}

/** `added`: hashes of transactions that added liquidity to the pool, those that added most first. */
export const readPositionLocks = async (
  chain: ChainReader,
  registry: ContractRegistry,
  token: string,
  market: Market,
  added: readonly string[],
  people: () => Promise<string[]>,
): Promise<LockFacts> => {
  const total = Number(market.baseReserve) + Number(market.tokenReserve) * market.price
  if (total === 0 || market.price === 0) return { share: undefined, free: 0n, evidence: [] }
  const receipts = await Promise.all([...new Set(added)].map((hash) => chain.receipt(hash)))
  const named = receipts
    .flatMap((logs) => logs ?? [])
    .filter((log) => log.topics[0] === INCREASE && registry.positions.includes(log.address.toLowerCase()))
    .map((log) => ({ manager: log.address.toLowerCase(), id: BigInt(log.topics[1] ?? '0x0') }))
  const distinct = [...new Map(named.map((item) => [`${item.manager}:${item.id}`, item])).values()]
  const read = await Promise.all(distinct.map(({ manager, id }) => positionOf(chain, token, market, manager, id)))
  const positions = read.filter((position) => position !== undefined)
  const evidence: string[] = []
  const kept = await Promise.all(
    positions.map(async ({ manager, id, owner, worth }) => {
      const part = `${Math.round((worth / total) * 1_000) / 10}% of the liquidity`
      if (isBlackhole(owner)) {
        evidence.push(`position ${id} of ${manager}, ${part}, belongs to ${owner}`)
        return worth
      }
      const locker = registry.lockers.find(({ address }) => address === owner)
      const dates = locker && POSITION_LOCKS[locker.name]
      if (!locker || !dates) return 0
      const locks = await dates(chain, locker.address, manager, await people())
      const lock = locks.find((item) => item.id === id)
      if (!lock) {
        evidence.push(`${owner} (${locker.name}) holds position ${id}, ${part}; no unlock date could be read`)
        return 0
      }
      evidence.push(`${owner} (${locker.name}) holds position ${id}, ${part}, until ${dateOf(lock.unlock)}`)
      return lock.unlock >= chain.time + HORIZON ? worth : 0
    }),
  )
  const share = Math.min(1, kept.reduce((sum, value) => sum + value, 0) / total)
  return { share: Math.round(share * 10_000) / 10_000, free: 0n, evidence }
}
