import { createHash } from 'node:crypto'
import type { RawTronHeader } from '../raw.ts'
import { bytesField, numberField } from './protobuf.ts'

/** SHA-256, which TRON uses for everything but addresses. */
export const sha256 = (...parts: readonly Uint8Array[]): Buffer => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

const HEIGHT_BYTES = 8

/**
 * Id of the block with this header: its height, then the header's hash without its first eight bytes (java-tron,
 * `BlockCapsule.getBlockId`).
 */
export const blockIdOf = (header: RawTronHeader): string => {
  const hash = sha256(
    numberField(1, header.timestamp),
    bytesField(2, Buffer.from(header.txTrieRoot, 'hex')),
    bytesField(3, Buffer.from(header.parentHash, 'hex')),
    numberField(7, header.number),
    numberField(8, header.witness_id),
    bytesField(9, Buffer.from(header.witness_address, 'hex')),
    numberField(10, header.version),
    bytesField(11, Buffer.from(header.accountStateRoot, 'hex')),
  )
  hash.writeBigUInt64BE(header.number)
  return hash.subarray(0, HEIGHT_BYTES).toString('hex') + hash.subarray(HEIGHT_BYTES).toString('hex')
}
