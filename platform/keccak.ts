/**
 * Keccak-256 in WebAssembly: about ten times as fast as in JavaScript, and it is what checking blocks costs. Node's own
 * OpenSSL offers the function from version 3.2 on, later than the oldest Node we run on.
 */
import { createKeccak } from 'hash-wasm'

const hasher = await createKeccak(256)

/** Keccak-256, 32 bytes of their own. */
export const keccak256 = (bytes: Uint8Array): Uint8Array => hasher.init().update(bytes).digest('binary')

/** Keccak-256 as lower-case 0x-hex. */
export const keccakHex = (bytes: Uint8Array): string => `0x${hasher.init().update(bytes).digest('hex')}`
