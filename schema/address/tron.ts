/**
 * TRON addresses: byte 0x41 and the last 20 bytes of a Keccak hash, as base58check (`T...`, canonical) or 42 hex digits.
 * The same key has the same 20 bytes on EVM networks, so that labels can be joined.
 */
import { hash } from 'node:crypto'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { createBase58check } from '@scure/base'
import { accepted, decoded, type ParsedAddress, rejected } from './result.ts'

const VERSION = 0x41
const BYTES = 21
const sha256 = (data: Uint8Array): Uint8Array => hash('sha256', data, 'buffer')
const base58check = createBase58check(sha256)
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const DIGITS = 34
/** Number of base58 digits that a JavaScript number holds exactly. */
const DIGITS_AT_ONCE = 9
const UNIT = 58n ** BigInt(DIGITS_AT_ONCE)
const HEX = /^41[0-9a-fA-F]{40}$/
const BASE58 = /^T[1-9A-HJ-NP-Za-km-z]{33}$/

/** Parses base58check or hex with `41`. */
export const parseTron = (text: string): ParsedAddress => {
  if (HEX.test(text)) return accepted(base58check.encode(hexToBytes(text)))
  if (!BASE58.test(text))
    return rejected('expected 34 base58 characters starting with T, or 41 and 40 hexadecimal digits')
  const bytes = decoded(() => base58check.decode(text))
  if (bytes?.length !== BYTES || bytes[0] !== VERSION) return rejected('the base58check checksum is wrong')
  return accepted(text)
}

/** Base58 of the 25 bytes of an address, given as hex: always 34 digits, because the first byte is fixed. */
const encoded = (hex: string): string => {
  let left = BigInt(`0x${hex}`)
  let text = ''
  while (text.length < DIGITS) {
    let part = Number(left % UNIT)
    left /= UNIT
    for (let digit = 0; digit < DIGITS_AT_ONCE && text.length < DIGITS; digit++) {
      const rest = part % 58
      text = ALPHABET.charAt(rest) + text
      part = (part - rest) / 58
    }
  }
  return text
}

/** TRON address of an EVM address's 20 bytes. Hand-written for speed: it runs for every wallet scored on an EVM network. */
export const tronFromEvm = (evm: string): string => {
  const payload = `41${evm.slice(2)}`
  const checksum = bytesToHex(sha256(sha256(Buffer.from(payload, 'hex'))).subarray(0, 4))
  return encoded(payload + checksum)
}

/**
 * Canonical EVM text of a TRON address's 20 bytes.
 * @throws Error when the text is not a canonical TRON address.
 */
export const evmFromTron = (tron: string): string => `0x${bytesToHex(base58check.decode(tron).subarray(1))}`
