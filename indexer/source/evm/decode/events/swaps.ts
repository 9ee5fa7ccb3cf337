import type { Cursor, LogReader } from '../cursor.ts'
import { addressOfTopic, fitsSigned, intAt, isZeroAt, uintAt, WORD } from '../hex.ts'
import { ONE_WORD, word } from './transfers.ts'

/** The tokens of a swap in the order of its amounts, and the registered contract that states them. */
export type Stated = { factory: string; token0: string; token1: string }

const UNSTATED: Stated = { factory: '', token0: '', token1: '' }

/** Writes a swap. Amounts are from the pool's view: positive came in. */
export const swap = (
  at: Cursor,
  position: string,
  pool: string,
  sender: string,
  recipient: string,
  amount0: string,
  amount1: string,
  stated = UNSTATED,
): true => {
  at.rows.swaps.push({
    network: at.network,
    block_number: at.number,
    block_time: at.time,
    position,
    tx_hash: at.txHash,
    pool,
    initiator: at.sender,
    sender,
    recipient,
    amount0,
    amount1,
    ...stated,
  })
  return true
}

/** In minus out of one token. One of them is almost always zero. */
const net = (data: string, inWord: number, outWord: number): string => {
  if (isZeroAt(data, word(outWord))) return uintAt(data, word(inWord))
  if (isZeroAt(data, word(inWord))) return `-${uintAt(data, word(outWord))}`
  return (BigInt(uintAt(data, word(inWord))) - BigInt(uintAt(data, word(outWord)))).toString()
}

/** V2 and Solidly: amounts in and out of both tokens, sender and receiver indexed. */
export const readPairSwap: LogReader = (at, { topics, data, address }, position) => {
  const sender = addressOfTopic(topics[1])
  const recipient = addressOfTopic(topics[2])
  if (topics.length !== 3 || sender === undefined || recipient === undefined) return false
  if (data.length !== 2 + 4 * WORD || ![0, 1, 2, 3].every((i) => fitsSigned(data, word(i)))) return false
  return swap(at, position, address, sender, recipient, net(data, 0, 2), net(data, 1, 3))
}

/** V3 (five words) and PancakeSwap V3 (two more, protocol fees): signed amounts from the pool's view. */
const v3Reader =
  (wordCount: number): LogReader =>
  (at, { topics, data, address }, position) => {
    const sender = addressOfTopic(topics[1])
    const recipient = addressOfTopic(topics[2])
    if (topics.length !== 3 || sender === undefined || recipient === undefined) return false
    if (data.length !== 2 + wordCount * WORD) return false
    const amount0 = intAt(data, word(0)).toString()
    return swap(at, position, address, sender, recipient, amount0, intAt(data, word(1)).toString())
  }

/** `Swap` of V3 and of forks that kept its event. */
export const readV3Swap = v3Reader(5)
/** `Swap` of PancakeSwap V3. */
export const readPancakeV3Swap = v3Reader(7)

/** `Swap` of V4. Amounts are from the swapper's view (paid amounts are negative), so both signs are flipped. */
export const readV4Swap: LogReader = (at, { topics, data, address }, position) => {
  if (at.registry.dexFactories.get(address)?.kind !== 'v4') return true
  const pool = topics[1]
  const sender = addressOfTopic(topics[2])
  if (pool?.length !== ONE_WORD || sender === undefined || data.length !== 2 + 6 * WORD) return false
  const amount0 = intAt(data, word(0))
  const amount1 = intAt(data, word(1))
  return swap(at, position, pool, sender, sender, (-amount0).toString(), (-amount1).toString())
}
