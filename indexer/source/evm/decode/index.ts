/**
 * Decodes raw EVM blocks to the chain-neutral block. Pure and synchronous: the same raw block gives the same rows, whatever node
 * it came from. Log readers are looked up by topic0 and slice the hex text; there is no ABI decoder.
 *
 * Not visible here: block rewards and beacon withdrawals, which belong to no transaction. Without traces also internal
 * transfers, factory creations and self-destructs (see `sees_traces`).
 */
import { type Block, emptyRows, LOG_EVENT_BASE } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import { registryOf, wrappedNative } from '../../../../schema/registry/index.ts'
import { positionsOf } from '../../positions.ts'
import type { RawBlock, RawLog, RawReceipt, RawTrace } from '../raw.ts'
import { readAuthorizations } from './authorizations.ts'
import type { Cursor } from './cursor.ts'
import { READER_BY_TOPIC } from './events/table.ts'
import { readFrames } from './frames.ts'
import { numberOf } from './hex.ts'
import { tokenPlaces, tokenRow } from './tokens.ts'
import { readTransaction } from './transactions.ts'

/** Called with every log that has a known topic0 but not the event's shape. Such a log gets no row. */
export type OnMalformed = (log: RawLog) => void

const NO_FRAMES: readonly RawTrace[] = []

const readLogs = (at: Cursor, logs: readonly RawLog[], onMalformed: OnMalformed | undefined): void => {
  for (let i = 0; i < logs.length; i += 1) {
    const log = logs[i]
    const topic = log?.topics[0]
    const reader = topic === undefined ? undefined : READER_BY_TOPIC.get(topic)
    if (log === undefined || reader === undefined) continue
    const address = log.address.toLowerCase()
    const canonical = address === log.address ? log : { ...log, address }
    if (!reader(at, canonical, at.positions(LOG_EVENT_BASE + i))) onMalformed?.(log)
  }
}

/** Frames of each transaction, by transaction index. */
const framesByTransaction = (traces: readonly RawTrace[] | undefined): Map<number, readonly RawTrace[]> => {
  const groups = new Map<number, RawTrace[]>()
  for (const frame of traces ?? NO_FRAMES) {
    const group = groups.get(frame.txIndex)
    if (group) group.push(frame)
    else groups.set(frame.txIndex, [frame])
  }
  return groups
}

/** Writes rows of tokens, each at the block's first log of the token. */
const readTokens = (at: Cursor, raw: RawBlock): void => {
  if (raw.tokenMetadata.length === 0) return
  const placeOf = tokenPlaces(at.number, raw.receipts)
  for (const metadata of raw.tokenMetadata) at.rows.tokens.push(tokenRow(at, placeOf(metadata.token), metadata))
}

const startTransaction = (at: Cursor, txHash: string, txIndex: number, sender: string): void => {
  at.txHash = txHash
  at.sender = sender
  at.positions = positionsOf(at.number, txIndex)
}

/**
 * Decodes one block. Malformed logs are skipped and reported to `onMalformed`.
 * @throws RangeError when a block exceeds the range of positions; SyntaxError when a quantity is not a hex number.
 */
export const decodeBlock = (network: Network, raw: RawBlock, onMalformed?: OnMalformed): Block => {
  const { block } = raw
  const rows = emptyRows()
  const number = numberOf(block.number)
  const time = numberOf(block.timestamp)
  const wrapped = wrappedNative(network)?.address
  const registry = registryOf(network)
  const at: Cursor = { network, number, time, registry, wrapped, rows, txHash: '', sender: '', positions: String }

  const receipts = new Map<string, RawReceipt>(raw.receipts.map((receipt) => [receipt.transactionHash, receipt]))
  const frames = framesByTransaction(raw.traces)
  for (const transaction of block.transactions) {
    const index = numberOf(transaction.transactionIndex)
    const receipt = receipts.get(transaction.hash)
    const own = frames.get(index) ?? NO_FRAMES
    startTransaction(at, transaction.hash, index, transaction.from.toLowerCase())
    readTransaction(
      at,
      transaction,
      receipt,
      own.find((frame) => frame.depth === 0),
      raw.codes,
    )
    readAuthorizations(at, transaction)
    readFrames(at, own)
    if (receipt !== undefined) readLogs(at, receipt.logs, onMalformed)
    receipts.delete(transaction.hash)
  }
  // Receipts without a transaction: Bor's state-sync logs, on clients that leave the transaction out of the block.
  for (const receipt of receipts.values()) {
    const sender = typeof receipt.from === 'string' ? receipt.from.toLowerCase() : ''
    startTransaction(at, receipt.transactionHash, numberOf(receipt.transactionIndex), sender)
    readLogs(at, receipt.logs, onMalformed)
  }
  readTokens(at, raw)
  rows.blocks.push({
    network,
    block_number: number,
    block_time: time,
    block_hash: block.hash,
    parent_hash: block.parentHash,
    transaction_count: block.transactions.length,
    sees_traces: raw.traces === undefined ? 0 : 1,
  })
  return { network, number, hash: block.hash, parentHash: block.parentHash, time, rows }
}
