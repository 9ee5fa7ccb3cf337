/**
 * Decodes TRON blocks to the chain-neutral block. Pure and synchronous. TRON's virtual machine is Ethereum's, so the same readers
 * decode its logs.
 *
 * Not visible here: block and voting rewards, fees burnt, and payouts of the exchanges built into the chain. Staking moves
 * nothing: staked coins still belong to their owner.
 */
import { type Block, emptyRows, LOG_EVENT_BASE } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import { type Cursor, headOf, type Log, move, NO_TOKEN_ID } from '../../evm/decode/cursor.ts'
import { writeAuthority } from '../../evm/decode/events/powers.ts'
import { READER_BY_TOPIC } from '../../evm/decode/events/table.ts'
import { recordCreation } from '../../evm/decode/frames.ts'
import { messageOf } from '../../evm/decode/message.ts'
import type { TokenMetadata } from '../../evm/raw.ts'
import { positionsOf } from '../../positions.ts'
import type { RawTron, RawTronInfo, RawTronLog, RawTronTransaction } from '../raw.ts'
import { spellRows } from './addresses.ts'
import { type Request, readRequest } from './contracts.ts'
import { readInternal } from './internal.ts'
import { registryInHex } from './registry.ts'

/** Contract types that run code, whose internal transactions only some nodes keep. */
const RUNS_CODE = new Set([30, 31])
const SELECTOR_BYTES = 4

/** A TRON log in Ethereum's notation. */
export const logOf = ({ address, topics, data }: RawTronLog): Log => ({
  address,
  topics: topics.map((topic) => `0x${topic}`),
  data: `0x${data}`,
})

/** The result that the block commits to. Early blocks state none, and only include transactions that worked. */
const statusOf = ({ ret: [first] }: RawTronTransaction): 0 | 1 => {
  const result = first?.contractRet
  if (first?.ret === 'FAILED') return 0
  return result === undefined || result === 'SUCCESS' || result === 'DEFAULT' ? 1 : 0
}

const record = (at: Cursor, request: Request, info: RawTronInfo, status: 0 | 1): void => {
  const { data, memo } = request
  at.rows.transactions.push({
    network: at.network,
    block_number: at.number,
    block_time: at.time,
    position: at.positions(0),
    tx_hash: at.txHash,
    sender: request.sender,
    receiver: request.receiver,
    value: request.value.toString(),
    fee: info.fee.toString(),
    nonce: '0',
    type: request.type,
    status,
    gas_used: info.receipt.energy_usage_total.toString(),
    selector: !request.creates && data.length >= SELECTOR_BYTES ? `0x${data.toString('hex', 0, SELECTOR_BYTES)}` : '',
    input_size: data.length,
    message: messageOf(`0x${memo.toString('hex')}`),
    deeds: '',
  })
}

/** Writes the transaction's own movements and changes, before any code ran. */
const applyRequest = (at: Cursor, request: Request, created: string): void => {
  const { sender, value, token, keys } = request
  const position = at.positions(0)
  const beneficiary = request.creates ? created : request.receiver
  if (value > 0n && beneficiary !== '')
    move(at, position, 'native', sender, beneficiary, '', NO_TOKEN_ID, value.toString())
  if (token && token.amount > 0n && beneficiary !== '') {
    const apart = at.positions(LOG_EVENT_BASE - 1)
    move(at, apart, 'fungible', sender, beneficiary, token.id, NO_TOKEN_ID, token.amount.toString())
  }
  if (created !== '') recordCreation(at, position, created, sender, undefined)
  for (const { address, permission, weight, threshold } of keys ?? []) {
    const event = permission === 'owner' ? 'owner_change' : 'role_grant'
    writeAuthority(at, position, sender, event, address, '0', `${permission} ${weight}/${threshold}`)
  }
}

const readLogs = (at: Cursor, logs: readonly RawTronLog[]): void => {
  logs.forEach((log, index) => {
    const reader = READER_BY_TOPIC.get(`0x${log.topics[0] ?? ''}`)
    reader?.(at, logOf(log), at.positions(LOG_EVENT_BASE + index))
  })
}

const readTokens = (at: Cursor, infos: readonly RawTronInfo[], tokens: readonly TokenMetadata[]): void => {
  for (const { token, standard, name, symbol, decimals } of tokens) {
    const txIndex = infos.findIndex((info) => info.log.some((log) => log.address === token))
    const info = infos[txIndex]
    const place = info?.log.findIndex((log) => log.address === token)
    const position = positionsOf(at.number, Math.max(0, txIndex))(place === undefined ? 0 : LOG_EVENT_BASE + place)
    at.rows.tokens.push({ ...headOf(at, position), tx_hash: info?.id ?? '', token, standard, name, symbol, decimals })
  }
}

/**
 * Decodes one block. Logs with a known topic but not the event's shape get no row.
 * @throws RangeError when a transaction's bytes are invalid.
 */
export const decodeTronBlock = (network: Network, raw: RawTron, tokens: readonly TokenMetadata[] = []): Block => {
  const { block, infos } = raw
  const { raw_data: header } = block.block_header
  const number = Number(header.number)
  const time = Math.floor(Number(header.timestamp) / 1_000)
  const rows = emptyRows()
  const { registry, wrapped } = registryInHex(network)
  const at: Cursor = { network, number, time, registry, wrapped, rows, txHash: '', sender: '', positions: String }
  let runsCode = false
  block.transactions.forEach((transaction, index) => {
    const info = infos[index]
    if (!info) return
    const request = readRequest(transaction.raw_data_hex)
    const status = statusOf(transaction)
    at.txHash = transaction.txID
    at.sender = request.sender
    at.positions = positionsOf(number, index)
    runsCode ||= RUNS_CODE.has(request.type)
    record(at, request, info, status)
    if (status === 0) return
    applyRequest(at, request, request.creates ? (info.contract_address ?? '') : '')
    readInternal(at, info.internal_transactions)
    readLogs(at, info.log)
  })
  readTokens(at, infos, tokens)
  spellRows(rows)
  rows.blocks.push({
    network,
    block_number: number,
    block_time: time,
    block_hash: block.blockID,
    parent_hash: header.parentHash,
    transaction_count: block.transactions.length,
    sees_traces: raw.showsInternal || !runsCode ? 1 : 0,
  })
  return { network, number, hash: block.blockID, parentHash: header.parentHash, time, rows }
}
