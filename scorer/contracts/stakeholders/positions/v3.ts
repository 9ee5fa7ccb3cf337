/** Positions of V3 pools, from their managers: `NonfungiblePositionManager` of Uniswap and its forks. */
import { toEventSelector } from 'viem/utils'
import type { ChainReader } from '../../chain/chain.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import { type Market, wordAt } from '../../market/market.ts'
import { type FindPositions, ownerOf, type Position } from './position.ts'

const INCREASE: string = toEventSelector(
  'IncreaseLiquidity(uint256 indexed tokenId, uint128 liquidity, uint256 amount0, uint256 amount1)',
)
/** `positions(uint256)` */
const POSITIONS = '0x99fbab88'

const describe = async (
  chain: ChainReader,
  token: string,
  { base, fee }: Market,
  manager: string,
  id: bigint,
): Promise<Position | undefined> => {
  const [facts, owner] = await Promise.all([
    chain.call({ to: manager, data: `${POSITIONS}${id.toString(16).padStart(64, '0')}` }),
    ownerOf(chain, manager, id),
  ])
  const at = (index: number) => wordAt(facts, index) ?? 0n
  const pair = [addressOf(at(2)), addressOf(at(3))]
  const liquidity = at(7)
  if (!facts || owner === undefined || liquidity === 0n) return undefined
  if (!pair.includes(token) || !pair.includes(base.address) || at(4) !== BigInt(fee)) return undefined
  const [lower, upper] = [Number(BigInt.asIntN(24, at(5))), Number(BigInt.asIntN(24, at(6)))]
  return { manager, id, owner, lower, upper, liquidity }
}

/** Finds positions with liquidity that IncreaseLiquidity events of registered managers name. */
export const v3Positions: FindPositions = async ({ chain, registry, token, market, logs }) => {
  const named = logs
    .filter((log) => log.topics[0] === INCREASE && registry.positions.includes(log.address.toLowerCase()))
    .map((log) => ({ manager: log.address.toLowerCase(), id: BigInt(log.topics[1] ?? '0x0') }))
  const distinct = [...new Map(named.map((item) => [`${item.manager}:${item.id}`, item])).values()]
  const read = await Promise.all(distinct.map(({ manager, id }) => describe(chain, token, market, manager, id)))
  return read.filter((position) => position !== undefined)
}
