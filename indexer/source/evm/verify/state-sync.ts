/** Bor's transactions for state from Ethereum. Until Madhugiri they stand outside the header's roots and bloom. */

import { keccakHex } from '../../../../platform/keccak.ts'
import type { Fields } from './fields.ts'
import { STATE_SYNC, typeOf } from './transactions.ts'

const PREFIX = Buffer.from('matic-bor-receipt-')

/** Hash of the one transaction of a block that its roots leave out: it is made of the block and of nothing else. */
export const uncommittedHash = (block: { number: string; hash: string }): string => {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(BigInt(block.number))
  return keccakHex(Buffer.concat([PREFIX, number, Buffer.from(block.hash.slice(2), 'hex')]))
}

/** Whether the transaction is one for state from Ethereum, of either time. */
export const isStateSync = (block: { number: string; hash: string }, transaction: Fields): boolean =>
  typeOf(transaction) === STATE_SYNC || String(transaction.hash).toLowerCase() === uncommittedHash(block)

/** Whether the block holds a transaction that is in its root and that nobody can serialise from what nodes answer. */
export const holdsStateSync = (transactions: readonly Fields[]): boolean => {
  const last = transactions.at(-1)
  return last !== undefined && typeOf(last) === STATE_SYNC
}
