import { base58 } from '@scure/base'
import { decodeBase58 } from './base58.ts'

/** Decodes instruction data, which is at most a packet. Empty when it is not base58. */
export const bytesOf = (data: string): Buffer => {
  try {
    return decodeBase58(data)
  } catch {
    return Buffer.alloc(0)
  }
}

const KEY_BYTES = 32
const WORD_BYTES = 8

/** Unsigned 64-bit number, little-endian; undefined if the data is too short. */
export const amountAt = (data: Buffer, at: number): bigint | undefined =>
  data.length >= at + WORD_BYTES ? data.readBigUInt64LE(at) : undefined

/** Unsigned 32-bit number, little-endian; undefined if the data is too short. */
export const numberAt = (data: Buffer, at: number): number | undefined =>
  data.length >= at + 4 ? data.readUInt32LE(at) : undefined

/** A public key; undefined if the data is too short. */
export const keyAt = (data: Buffer, at: number): string | undefined =>
  data.length >= at + KEY_BYTES ? base58.encode(data.subarray(at, at + KEY_BYTES)) : undefined
