/**
 * TRON addresses: byte 0x41 and the last 20 bytes of a Keccak hash, as base58check (`T...`, canonical) or 42 hex digits.
 * The 20 bytes are those the same key has on EVM networks, which is what lets labels be joined across.
 */
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import { accepted, decoded, type ParsedAddress, rejected } from './result.ts'

const VERSION = 0x41
const BYTES = 21
const base58check = createBase58check(sha256)
const HEX = /^41[0-9a-fA-F]{40}$/
const BASE58 = /^T[1-9A-HJ-NP-Za-km-z]{33}$/

/** Reads base58check or `41` hex. */
export const parseTron = (text: string): ParsedAddress => {
  if (HEX.test(text)) return accepted(base58check.encode(hexToBytes(text)))
  if (!BASE58.test(text))
    return rejected('expected 34 base58 characters starting with T, or 41 and 40 hexadecimal digits')
  const bytes = decoded(() => base58check.decode(text))
  if (bytes?.length !== BYTES || bytes[0] !== VERSION) return rejected('the base58check checksum is wrong')
  return accepted(text)
}

/** TRON address of an EVM address's 20 bytes. */
export const tronFromEvm = (evm: string): string => base58check.encode(hexToBytes(`41${evm.slice(2)}`))

/**
 * Canonical EVM text of a TRON address's 20 bytes.
 * @throws Error when the text is no canonical TRON address.
 */
export const evmFromTron = (tron: string): string => `0x${bytesToHex(base58check.decode(tron).subarray(1))}`
