/**
 * Positions of V4 pools and of Infinity's ranges, which share a layout. The pool manager emits changes of ranges, and
 * position managers use the NFT's id as salt (`PositionManager` of v4-periphery). The current liquidity of a range is
 * read from the pool manager.
 */
import { EVENTS } from '../../../../schema/registry/index.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import { managerOf, wordAt } from '../../market/market.ts'
import { readV4Ranges } from '../../market/pools/v4.ts'
import { type FindPositions, ownerOf } from './position.ts'

/**
 * Finds positions with liquidity that ModifyLiquidity events of the pool name. Positions of a registered manager belong
 * to the NFT's owner; any other caller owns its positions itself.
 */
export const v4Positions: FindPositions = async ({ chain, registry, market, logs }) => {
  const poolManager = managerOf(market)
  const named = logs.flatMap((log) => {
    const [topic, pool, sender] = log.topics
    const ours = topic === EVENTS.v4ModifyLiquidity.topic && pool === market.id && sender !== undefined
    if (!ours || log.address.toLowerCase() !== poolManager) return []
    const tick = (index: number) => Number(BigInt.asIntN(24, wordAt(log.data, index) ?? 0n))
    return [{ manager: addressOf(BigInt(sender)), id: wordAt(log.data, 3) ?? 0n, lower: tick(0), upper: tick(1) }]
  })
  const distinct = [...new Map(named.map((item) => [Object.values(item).join(':'), item])).values()]
  const held = await readV4Ranges(chain, market.kind === 'v4' ? 'v4' : 'infinity-cl', poolManager, market.id, distinct)
  const read = distinct.map(async (range, i) => {
    const liquidity = held[i] ?? 0n
    if (liquidity === 0n) return undefined
    const { manager, id } = range
    const owner = registry.positions.includes(manager) ? await ownerOf(chain, manager, id) : manager
    return owner === undefined ? undefined : { ...range, owner, liquidity }
  })
  return (await Promise.all(read)).filter((position) => position !== undefined)
}
