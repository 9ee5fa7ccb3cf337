/** Solana addresses: base58 of exactly 32 bytes (a public key or a program-derived address). The text is canonical. */
import { base58 } from '@scure/base'
import { accepted, decoded, type ParsedAddress, rejected } from './result.ts'

/** 32 bytes take 32 (all zero) to 44 base58 characters; the limit protects the quadratic decoder from long input. */
const TEXT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** Parses a Solana address, case-sensitively. It need not be on the curve, because program-derived addresses are not. */
export const parseSolana = (text: string): ParsedAddress => {
  if (!TEXT.test(text)) return rejected('expected 32 to 44 base58 characters')
  const bytes = decoded(() => base58.decode(text))
  return bytes?.length === 32 ? accepted(text) : rejected('not base58 of exactly 32 bytes')
}
