import { LOG_EVENT_BASE } from '../../../../schema/block.ts'
import type { RawReceipt, RawTrace, RawTransaction } from '../raw.ts'
import { type Cursor, move, NO_TOKEN_ID } from './cursor.ts'

import { recordCreation } from './frames.ts'
import { bigintOf, decimalOf, numberOf } from './hex.ts'
import { messageOf } from './message.ts'
import { statusOf, tookEffect } from './outcome.ts'

const ZERO_ADDRESS = `0x${'0'.repeat(40)}`
/** Types of transactions with blobs (EIP-4844), and of deposits of the OP stack. */
const BLOB = 0x3
const DEPOSIT = 0x7e
/** Selector's length in characters, `0x` included. */
const SELECTOR = 10

/**
 * Fee paid by the sender: gas at the effective price, blobs (EIP-4844) and the L1 data fee (OP stack). Old nodes do not state
 * the effective price; it is then the transaction's gas price, which holds for all types of that time.
 */
const feeOf = (transaction: RawTransaction, receipt: RawReceipt | undefined): string => {
  if (receipt === undefined) return '0'
  const gas = bigintOf(receipt.gasUsed) * bigintOf(receipt.effectiveGasPrice ?? transaction.gasPrice)
  const blobs =
    numberOf(transaction.type) === BLOB && receipt.blobGasUsed
      ? bigintOf(receipt.blobGasUsed) * bigintOf(receipt.blobGasPrice)
      : 0n
  return (gas + blobs + bigintOf(receipt.l1Fee)).toString()
}

/** Writes the transaction, its native transfer and its direct creation. */
export const readTransaction = (
  at: Cursor,
  transaction: RawTransaction,
  receipt: RawReceipt | undefined,
  root: RawTrace | undefined,
  codes: ReadonlyMap<string, string>,
): void => {
  const position = at.positions(0)
  const receiver = transaction.to?.toLowerCase() ?? ''
  const value = decimalOf(transaction.value)
  const { input } = transaction
  at.rows.transactions.push({
    network: at.network,
    block_number: at.number,
    block_time: at.time,
    position,
    tx_hash: at.txHash,

    sender: at.sender,
    receiver,
    value,
    fee: feeOf(transaction, receipt),
    nonce: decimalOf(transaction.nonce),
    type: numberOf(transaction.type),
    status: statusOf(receipt),
    gas_used: decimalOf(receipt?.gasUsed),
    selector: input.length >= SELECTOR ? input.slice(0, SELECTOR) : '',
    input_size: Math.max(input.length - 2, 0) / 2,
    message: receiver === '' ? '' : messageOf(input),
    deeds: '',
  })
  // An OP-stack deposit mints on this chain what was locked on L1, even if the transaction then fails.
  const isDeposit = numberOf(transaction.type) === DEPOSIT
  const minted = isDeposit && typeof transaction.mint === 'string' ? decimalOf(transaction.mint) : '0'
  if (minted !== '0')
    move(at, at.positions(LOG_EVENT_BASE - 1), 'native', ZERO_ADDRESS, at.sender, '', NO_TOKEN_ID, minted)
  if (!tookEffect(transaction, receipt, root)) return
  const created = receiver === '' ? (receipt?.contractAddress ?? root?.to ?? '').toLowerCase() : ''
  const beneficiary = receiver === '' ? created : receiver
  if (value !== '0' && beneficiary !== '') move(at, position, 'native', at.sender, beneficiary, '', NO_TOKEN_ID, value)
  if (created !== '') recordCreation(at, position, created, at.sender, root?.output ?? codes.get(created))
}
