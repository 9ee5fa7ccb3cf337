/** Bor's transactions with state from Ethereum. Before Madhugiri they are not in the header's roots and bloom. */

import { keccakHex } from '../../../../platform/keccak.ts'
import type { Fields } from './fields.ts'
import { STATE_SYNC, typeOf } from './transactions.ts'

const PREFIX = Buffer.from('matic-bor-receipt-')

/** Hash of the transaction that a block's roots leave out. It depends on the block only. */
export const uncommittedHash = (block: { number: string; hash: string }): string => {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(block.number))
  return keccakHex(Buffer.concat([PREFIX, number, Buffer.from(block.hash.slice(2), 'hex')]))
}

/** Whether the transaction brings state from Ethereum, before or after Madhugiri. */
export const isStateSync = (block: { number: string; hash: string }, transaction: Fields): boolean =>
  typeOf(transaction) === STATE_SYNC || String(transaction.hash).toLowerCase() === uncommittedHash(block)

/** Whether the block's root contains a state-sync transaction, which cannot be encoded from what nodes answer. */
export const holdsStateSync = (transactions: readonly Fields[]): boolean => {
  const last = transactions.at(-1)
  return last !== undefined && typeOf(last) === STATE_SYNC
}
