/**
 * Keccak-256 in WebAssembly, about ten times as fast as in JavaScript: hashing dominates the verification of blocks. Node has
 * the function since OpenSSL 3.2, which our oldest supported Node lacks.
 */
import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/** Keccak-256, in a new array of 32 bytes. */
export const keccak256 = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary')

/** Keccak-256 as lower-case 0x-hex. */
export const keccakHex = (bytes: Uint8Array): string => `0x${hasher.init().update(bytes).digest('hex')}`
