/**
 * Identity of runtime code. Compilers append a CBOR map (solc: metadata hash and version), whose length is in the last two
 * bytes. Two builds of the same source only differ in it, so it is removed before hashing (Solidity docs, "Contract
 * Metadata: Encoding of the Metadata Hash in the Bytecode").
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex } from '@noble/hashes/utils.js'

const LENGTH_BYTES = 2
/** CBOR maps of one to four pairs. */
const MAP = /^a[1-4]$/
/** First keys that solc writes, as CBOR text: ipfs, solc, bzzr0, bzzr1, experimental. */
const KEYS = ['6469706673', '64736f6c63', '65627a7a7230', '65627a7a7231', '6c6578706572696d656e74616c']

/** Runtime code as `0x`-hex without its metadata trailer, if it has one. */
export const stripMetadata = (code: string): string => {
  const lengthAt = code.length - 2 * LENGTH_BYTES
  if (lengthAt < 2) return code
  const start = lengthAt - 2 * Number.parseInt(code.slice(lengthAt), 16)
  if (!(start >= 2) || !MAP.test(code.slice(start, start + 2))) return code
  return KEYS.some((key) => code.startsWith(key, start + 2)) ? code.slice(0, start) : code
}

/** Keccak-256 of the code without metadata, and the size in bytes with it. */
export const codeIdentity = (code: string): { hash: string; size: number } => ({
  hash: `0x${bytesToHex(keccak_256(Buffer.from(stripMetadata(code).slice(2), 'hex')))}`,
  size: (code.length - 2) / 2,
})
