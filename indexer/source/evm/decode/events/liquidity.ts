import type { LiquidityRow } from '../../../../../schema/block.ts'
import type { Cursor, LogReader } from '../cursor.ts'
import { addressOfTopic, fitsSigned, intAt, uintAt, WORD } from '../hex.ts'
import { ONE_WORD, word } from './transfers.ts'

/** Writes a change of liquidity. */
export const change = (
  at: Cursor,
  position: string,
  event: LiquidityRow['event'],
  pool: string,
  owner: string,
  amount0: string,
  amount1: string,
  liquidity: string,
): true => {
  at.rows.liquidity.push({
    network: at.network,
    block_number: at.number,
    block_time: at.time,
    position,
    tx_hash: at.txHash,

    pool,
    event,
    provider: at.sender,
    owner,
    amount0,
    amount1,
    liquidity,
  })
  return true
}

/** Whether amounts fit a signed column. No pool holds 2^255 of anything, but anyone can emit such an event. */
const plausible = (data: string, first: number, count: number): boolean => {
  for (let i = first; i < first + count; i += 1) if (!fitsSigned(data, word(i))) return false
  return true
}

const words = (count: number): number => 2 + count * WORD

/**
 * `Mint` of V2 and Solidly pairs: two topics. Compound's cToken `Mint` has the same topic0 with all arguments in the data (one
 * topic, three words), and is not liquidity.
 */
export const readV2Mint: LogReader = (at, { topics, data, address }, position) => {
  if (topics.length === 1) return data.length === words(3)
  const owner = addressOfTopic(topics[1])
  if (topics.length !== 2 || owner === undefined || data.length !== words(2) || !plausible(data, 0, 2)) return false
  return change(at, position, 'add', address, owner, uintAt(data, word(0)), uintAt(data, word(1)), '0')
}

/** `Burn` of V2 and of Solidly: they differ in topic0 and argument order, but have the same topics and data. */
export const readPairBurn: LogReader = (at, { topics, data, address }, position) => {
  const owner = addressOfTopic(topics[2])
  if (topics.length !== 3 || owner === undefined || data.length !== words(2) || !plausible(data, 0, 2)) return false
  return change(at, position, 'remove', address, owner, uintAt(data, word(0)), uintAt(data, word(1)), '0')
}

/** `Mint` of V3 and its forks: the owner is usually a position manager, and the provider is the transaction's sender. */
export const readV3Mint: LogReader = (at, { topics, data, address }, position) => {
  const owner = addressOfTopic(topics[1])
  if (topics.length !== 4 || owner === undefined || data.length !== words(4) || !plausible(data, 1, 3)) return false
  const liquidity = uintAt(data, word(1))
  return change(at, position, 'add', address, owner, uintAt(data, word(2)), uintAt(data, word(3)), liquidity)
}

/** `Burn` of V3. Burns of nothing only settle fees, and are skipped. */
export const readV3Burn: LogReader = (at, { topics, data, address }, position) => {
  const owner = addressOfTopic(topics[1])
  if (topics.length !== 4 || owner === undefined || data.length !== words(3) || !plausible(data, 0, 3)) return false
  const liquidity = uintAt(data, word(0))
  if (liquidity === '0') return true
  return change(at, position, 'remove', address, owner, uintAt(data, word(1)), uintAt(data, word(2)), `-${liquidity}`)
}

/**
 * V4 and PancakeSwap Infinity's concentrated pools: events have the change of liquidity but no amounts, which are 0 here. Only
 * registered singletons count.
 */
export const readV4ModifyLiquidity: LogReader = (at, { topics, data, address }, position) => {
  const kind = at.registry.dexFactories.get(address)?.kind
  if (kind !== 'v4' && kind !== 'infinity-cl') return true
  const pool = topics[1]
  const owner = addressOfTopic(topics[2])
  if (pool?.length !== ONE_WORD || owner === undefined || data.length < words(4)) return false
  const delta = intAt(data, word(2))
  if (delta === 0n) return true
  return change(at, position, delta > 0n ? 'add' : 'remove', pool, owner, '0', '0', delta.toString())
}
