/**
 * EVM addresses: 20 bytes, canonical text `0x` + 40 lower-case hex digits. Checksums follow EIP-55.
 * Ethermint networks also write the same bytes in bech32 (BIP-173), under their own prefix.
 */
import { keccak_256 } from '@noble/hashes/sha3.js'
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { bech32 } from '@scure/base'
import { accepted, decoded, type ParsedAddress, rejected } from './result.ts'

const LOWER = /^0x[0-9a-f]{40}$/
const UPPER = /^0x[0-9A-F]{40}$/
const ANY = /^0x[0-9a-fA-F]{40}$/
const ADDRESS_BYTES = 20

/** Whether the text is canonical: a cheap check for callers that only accept stored notation. */
export const isCanonicalEvm = (text: string): boolean => text.length === 42 && LOWER.test(text)

/** EIP-55 notation of a canonical address. */
export const checksumEvm = (canonical: string): string => {
  const digits = canonical.slice(2)
  const hash = keccak_256(new TextEncoder().encode(digits))
  let text = '0x'
  for (let i = 0; i < digits.length; i += 1) {
    const byte = hash[i >> 1] ?? 0
    const nibble = i & 1 ? byte & 15 : byte >> 4
    text += nibble >= 8 ? digits.charAt(i).toUpperCase() : digits.charAt(i)
  }
  return text
}

/** Parses hex in one case, or in mixed case with a correct EIP-55 checksum. Only the latter needs a hash. */
export const parseEvm = (text: string): ParsedAddress => {
  if (text.length === 42) {
    if (LOWER.test(text)) return accepted(text)
    if (ANY.test(text)) {
      const canonical = text.toLowerCase()
      if (UPPER.test(text) || checksumEvm(canonical) === text) return accepted(canonical)
      return rejected('the mixed-case checksum (EIP-55) is wrong: check for a typing error or send it in lower case')
    }
  }
  return rejected('expected 0x followed by 40 hexadecimal digits')
}

/** Parses bech32 with `prefix`, or hex like `parseEvm`. */
export const parseEvmOrBech32 = (prefix: string, text: string): ParsedAddress => {
  if (!text.toLowerCase().startsWith(`${prefix}1`)) return parseEvm(text)
  const bytes = decoded(() => {
    const { words } = bech32.decode(text as `${string}1${string}`)
    return bech32.fromWords(words)
  })
  if (bytes?.length !== ADDRESS_BYTES) return rejected(`not a valid bech32 address of 20 bytes under "${prefix}"`)
  return accepted(`0x${bytesToHex(bytes)}`)
}

/** Bech32 notation of a canonical address. */
export const bech32Evm = (prefix: string, canonical: string): string =>
  bech32.encode(prefix, bech32.toWords(hexToBytes(canonical.slice(2))))
