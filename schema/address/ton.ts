/**
 * TON addresses: workchain and 32-byte account id. Canonical text is the raw form `workchain:hex` in lower case.
 * The friendly form is base64 of flags, workchain, account id and CRC-16/XMODEM (TEP-2).
 */
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js'
import { base64, base64url } from '@scure/base'
import { accepted, decoded, type ParsedAddress, rejected } from './result.ts'

const RAW = /^(?:0|-1):[0-9a-fA-F]{64}$/
const FRIENDLY = /^[A-Za-z0-9+/_-]{48}$/
const BOUNCEABLE = 0x11
const NON_BOUNCEABLE = 0x51
const TEST_ONLY = 0x80
const MASTERCHAIN_BYTE = 0xff
const PAYLOAD = 34
const CRC_POLYNOMIAL = 0x1021

const crc16 = (bytes: Uint8Array): number => {
  let crc = 0
  for (const byte of bytes) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000 ? (crc << 1) ^ CRC_POLYNOMIAL : crc << 1) & 0xffff
  }
  return crc
}

const parseFriendly = (text: string): ParsedAddress => {
  const bytes = decoded(() => base64.decode(text.replaceAll('-', '+').replaceAll('_', '/')))
  if (bytes?.length !== PAYLOAD + 2) return rejected('not base64 of 36 bytes')
  const crc = ((bytes[PAYLOAD] ?? 0) << 8) | (bytes[PAYLOAD + 1] ?? 0)
  if (crc16(bytes.subarray(0, PAYLOAD)) !== crc) return rejected('the checksum (CRC-16) is wrong')
  const flags = bytes[0] ?? 0
  if (flags & TEST_ONLY)
    return rejected('the address is marked as test-only, and records are those of the main network')
  if (flags !== BOUNCEABLE && flags !== NON_BOUNCEABLE) return rejected('the flags byte is none TON defines')
  const workchain = bytes[1]
  if (workchain !== 0 && workchain !== MASTERCHAIN_BYTE) return rejected('there is no such workchain')
  return accepted(`${workchain === 0 ? '0' : '-1'}:${bytesToHex(bytes.subarray(2, PAYLOAD))}`)
}

/** Parses the raw or the friendly form. The bounceable flag does not change the account; test-only addresses are refused. */
export const parseTon = (text: string): ParsedAddress => {
  if (RAW.test(text)) return accepted(text.toLowerCase())
  if (FRIENDLY.test(text)) return parseFriendly(text)
  return rejected('expected 48 base64 characters (friendly form) or workchain:64 hexadecimal digits (raw form)')
}

/** Friendly, bounceable, base64url form of a canonical address. */
export const friendlyTon = (canonical: string): string => {
  const colon = canonical.indexOf(':')
  const bytes = new Uint8Array(PAYLOAD + 2)
  bytes[0] = BOUNCEABLE
  bytes[1] = canonical.startsWith('-1') ? MASTERCHAIN_BYTE : 0
  bytes.set(hexToBytes(canonical.slice(colon + 1)), 2)
  const crc = crc16(bytes.subarray(0, PAYLOAD))
  bytes[PAYLOAD] = crc >> 8
  bytes[PAYLOAD + 1] = crc & 0xff
  return base64url.encode(bytes)
}
