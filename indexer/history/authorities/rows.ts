/**
 * Converts logs to the rows of table `authority` that the stream would have written. The receipt of each transaction has the
 * sender and the position of the log in it, the block header the time.
 */
import { z } from 'zod'
import { RpcAbsent, RpcInconsistent } from '../../../platform/rpc/errors.ts'
import type { Node } from '../../../platform/rpc/pool.ts'
import type { Call } from '../../../platform/rpc/post.ts'
import { type AuthorityRow, emptyRows, LOG_EVENT_BASE } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { registryOf } from '../../../schema/registry/index.ts'
import { read } from '../../source/answers.ts'
import type { Cursor } from '../../source/evm/decode/cursor.ts'
import { READER_BY_TOPIC } from '../../source/evm/decode/events/table.ts'
import { type RawHead, rawHead, rawReceipt } from '../../source/evm/raw.ts'
import { positionsOf } from '../../source/positions.ts'
import { announces, type FoundLog } from '../logs/logs.ts'

/** Transactions or headers per POST. */
const BATCH_SIZE = 50

const receipt = rawReceipt.extend({ from: z.string().startsWith('0x') })
type Receipt = z.output<typeof receipt>

const same = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const askEach = async <T>(
  node: Node,
  keys: readonly string[],
  call: (key: string) => Call,
  schema: z.ZodType<T | null>,
): Promise<Map<string, T>> => {
  const found = new Map<string, T>()
  for (let at = 0; at < keys.length; at += BATCH_SIZE) {
    const some = keys.slice(at, at + BATCH_SIZE)
    const outcomes = await node.batch(some.map(call))
    some.forEach((key, index) => {
      const value = read(outcomes[index], schema, key)
      if (value === null) throw new RpcAbsent(key)
      found.set(key, value)
    })
  }
  return found
}

/** Index of a log within its transaction, which its position contains. */
const placeOf = (log: FoundLog, { logs, blockHash, transactionHash }: Receipt): number => {
  const place = logs.findIndex(({ logIndex }) => Number(logIndex) === Number(log.logIndex))
  const inReceipt = logs[place]
  const agrees =
    inReceipt !== undefined &&
    same(blockHash, log.blockHash) &&
    same(inReceipt.address, log.address) &&
    inReceipt.data === log.data &&
    inReceipt.topics.join() === log.topics.join()
  if (!agrees) throw new RpcInconsistent('logs', `a log of ${transactionHash} is not the one in its receipt`)
  return place
}

type Rows = { rows: AuthorityRow[]; malformed: number }

/** @throws RpcInconsistent, RpcAbsent, RpcError, RpcTransportError: another node may succeed. */
export const rowsOf = async (
  node: Node,
  network: Network,
  logs: readonly FoundLog[],
  verifyHeader: (header: RawHead) => void,
): Promise<Rows> => {
  const blocks = [...new Set(logs.map(({ blockHash }) => blockHash))]
  const transactions = [...new Set(logs.map(({ transactionHash }) => transactionHash))]
  const headers = await askEach(
    node,
    blocks,
    (hash) => ({ method: 'eth_getBlockByHash', params: [hash, false] }),
    rawHead.nullable(),
  )
  const receipts = await askEach(
    node,
    transactions,
    (hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }),
    receipt.nullable(),
  )
  for (const header of headers.values()) verifyHeader(header)
  const rows = emptyRows()
  const registry = registryOf(network)
  let malformed = 0
  for (const log of logs) {
    const header = headers.get(log.blockHash)
    const its = receipts.get(log.transactionHash)
    if (!header || !its) throw new RpcAbsent(log.transactionHash)
    const number = Number(header.number)
    if (number !== Number(log.blockNumber) || !same(header.hash, log.blockHash)) {
      throw new RpcInconsistent('logs', `block ${log.blockHash} is not block ${Number(log.blockNumber)}`)
    }
    if (!announces(header, log)) throw new RpcInconsistent('logs', `block ${number} does not announce a log of it`)
    const at: Cursor = {
      network,
      number,
      time: Number(header.timestamp),
      registry,
      wrapped: undefined,
      rows,
      txHash: log.transactionHash,
      sender: its.from.toLowerCase(),
      positions: positionsOf(number, Number(its.transactionIndex)),
    }
    const reader = READER_BY_TOPIC.get((log.topics[0] ?? '').toLowerCase())
    const canonical = { ...log, address: log.address.toLowerCase() }
    if (!reader?.(at, canonical, at.positions(LOG_EVENT_BASE + placeOf(log, its)))) malformed += 1
  }
  return { rows: rows.authority, malformed }
}
