/**
 * Decodes TON blocks to the chain-neutral block. Pure and synchronous. A transaction belongs to one account: what a wallet
 * initiates continues as messages, each handled in a transaction of its receiver. Rows are written where a message is
 * handled, so that each exists once.
 *
 * Not visible here: items at the time collections create them, rewards of validators before payout, and jetton names on web pages.
 */
import { type Block, emptyRows, LOG_EVENT_BASE } from '../../../../schema/block.ts'
import type { Network } from '../../../../schema/networks.ts'
import { registryOf } from '../../../../schema/registry/index.ts'
import { type Cursor, headOf } from '../../evm/decode/cursor.ts'
import { messageOf } from '../../evm/decode/message.ts'
import { positionsOf } from '../../positions.ts'
import { acceptedMessageOf, commentOf, OP, opOf, payloadCommentOf } from '../bodies.ts'
import type { Slice } from '../cell/slice.ts'
import { WALLET_CODES } from '../contracts/wallet-codes.ts'
import { codeHashOf } from '../message.ts'
import type { Contracts, PlacedTransaction, RawTon } from '../raw.ts'
import { moveCoins, moveTokens } from './movements.ts'

const STATUS = { done: 1, failed: 0, unknown: 2 } as const

/** Transactions with an index of their own in positions; later ones share the last, which has room for 65,000. */
const NUMBERED = 2 ** 15 - 1
const ROOM = 8

/** Positions of a transaction. Those beyond the range of indexes use events of the last index. */
export const txPositionsOf = (number: number, index: number): ((event: number) => string) => {
  if (index < NUMBERED) return positionsOf(number, index)
  const last = positionsOf(number, NUMBERED)
  const from = (index - NUMBERED) * ROOM
  return (event) => last(from + (event >= LOG_EVENT_BASE ? event - LOG_EVENT_BASE + 1 : event))
}

const bodyOf = ({ message }: PlacedTransaction): Slice | undefined => message?.body

/** The sender's text: with coins, jettons or an item. */
const textOf = (body: Slice): string => {
  const comment = commentOf(body) ?? payloadCommentOf(body)
  return comment ? messageOf(`0x${comment.toString('hex')}`) : ''
}

const record = (at: Cursor, transaction: PlacedTransaction): void => {
  const { message, outcome, address, fees } = transaction
  const body = bodyOf(transaction)
  const internal = message?.kind === 'internal' && !message.bounced ? message : undefined
  const op = body && internal ? opOf(body) : undefined
  at.rows.transactions.push({
    network: at.network,
    block_number: at.number,
    block_time: at.time,
    position: at.positions(0),
    tx_hash: at.txHash,
    sender: at.sender,
    receiver: address,
    value: (internal?.value ?? 0n).toString(),
    fee: fees.toString(),
    nonce: '0',
    type: outcome.kind,
    status: STATUS[outcome.result],
    gas_used: outcome.gasUsed.toString(),
    selector: op === undefined ? '' : `0x${op.toString(16).padStart(8, '0')}`,
    input_size: body ? body.bitsLeft() >> 3 : 0,
    message: internal ? textOf(internal.body) : '',
    deeds: '',
  })
}

/**
 * Records a contract deployed by a message of another contract. Two kinds are skipped: jetton wallets, thousands of which are
 * deployed with the first jettons that somebody sends, and which belong to the jetton; and wallets, which belong to whoever has
 * their key. An account that was frozen for its debts existed before: anybody can pay them.
 */
const recordCreation = (at: Cursor, transaction: PlacedTransaction): void => {
  const message = acceptedMessageOf(transaction)
  const { before, after } = transaction
  if (!message?.init || before === 'active' || before === 'frozen' || after !== 'active') return
  if (opOf(message.body) === OP.jettonInternalTransfer || WALLET_CODES.has(codeHashOf(message.init))) return
  at.rows.creations.push({
    ...headOf(at, at.positions(0)),
    contract: transaction.address,
    event: 'create',
    creator: message.source,
    root_creator: message.source,
    code_hash: codeHashOf(message.init),
    code_size: 0,
  })
}

/** Names of jettons, each at the first movement of it. */
const readNames = (at: Cursor, { jettons }: Contracts): void => {
  const first = new Map<string, Block['rows']['ledger'][number]>()
  for (const row of at.rows.ledger) if (row.kind === 'fungible' && !first.has(row.asset)) first.set(row.asset, row)
  for (const [token, { name, symbol, decimals }] of jettons) {
    const row = first.get(token)
    if (!row) continue
    at.rows.tokens.push({
      network: at.network,
      block_number: at.number,
      block_time: at.time,
      position: row.position,
      tx_hash: row.tx_hash,
      token,
      standard: 'erc20',
      name,
      symbol,
      decimals,
    })
  }
}

/** Decodes one masterchain block with all shard blocks it made final. */
export const decodeTonBlock = (network: Network, raw: RawTon, contracts: Contracts): Block => {
  const { number, hash, parentHash, time } = raw
  const rows = emptyRows()
  const registry = registryOf(network)
  const at: Cursor = {
    network,
    number,
    time,
    registry,
    wrapped: undefined,
    rows,
    txHash: '',
    sender: '',
    positions: String,
  }
  raw.transactions.forEach((transaction, index) => {
    const { message } = transaction
    at.txHash = transaction.hash
    // A message from outside was signed by the account's owner.
    at.sender = message?.kind === 'internal' ? message.source : transaction.address
    at.positions = txPositionsOf(number, index)
    record(at, transaction)
    moveCoins(at, transaction)
    recordCreation(at, transaction)
    moveTokens(at, transaction, contracts)
  })
  readNames(at, contracts)
  rows.blocks.push({
    network,
    block_number: number,
    block_time: time,
    block_hash: hash,
    parent_hash: parentHash,
    transaction_count: raw.transactions.length,
    sees_traces: 1,
  })
  return { network, number, hash, parentHash, time, rows }
}
