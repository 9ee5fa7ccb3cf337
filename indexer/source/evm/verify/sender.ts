/** Recovers the signer of a transaction. */
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { hexToBytes } from '@noble/hashes/utils.js'
import { keccak256, keccakHex } from '../../../../platform/keccak.ts'
import type { Fields } from './fields.ts'
import type { RlpWriter } from './rlp.ts'
import { writeSigned } from './transactions.ts'

const word = (quantity: unknown): string => String(quantity).slice(2).padStart(64, '0')

/**
 * Address of a transaction's signer, in lower case; `undefined` for unsigned types. Takes about a millisecond.
 * @throws Error when the signature is invalid.
 */
export const signerOf = (transaction: Fields, writer: RlpWriter): string | undefined => {
  writer.clear()
  const parity = writeSigned(writer, transaction)
  if (parity === undefined) return undefined
  const compact = hexToBytes(word(transaction.r) + word(transaction.s))
  const signature = secp256k1.Signature.fromBytes(compact, 'compact').addRecoveryBit(parity)
  const key = signature.recoverPublicKey(keccak256(writer.view())).toBytes(false).subarray(1)
  return `0x${keccakHex(key).slice(-40)}`
}

/** Address of the contract that a transaction creates (Yellow Paper, section 7), in lower case. */
export const createdBy = (sender: string, nonce: string, writer: RlpWriter): string => {
  writer.clear()
  writer.quantity(nonce)
  writer.data(sender)
  writer.closeList(0)
  return `0x${keccakHex(writer.view()).slice(-40)}`
}
