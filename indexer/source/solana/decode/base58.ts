/**
 * Base58 of any length (Bitcoin's alphabet). A block has thousands of instructions with hundreds of characters each, so four
 * characters at a time go into limbs of 24 bits, which keeps all values exact.
 */
const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const BASE = 58
const LIMB = 2 ** 24
const NO_DIGIT = 0xff
const DIGITS = new Uint8Array(128).fill(NO_DIGIT)
for (const [value, digit] of [...ALPHABET].entries()) DIGITS[digit.charCodeAt(0)] = value

/** @throws RangeError for other characters. */
export const decodeBase58 = (text: string): Buffer => {
  let zeros = 0
  while (zeros < text.length && text.charCodeAt(zeros) === 0x31) zeros += 1
  /** Least significant first. */
  const limbs: number[] = []
  for (let at = zeros; at < text.length; ) {
    let carry = 0
    let scale = 1
    for (let end = Math.min(at + 4, text.length); at < end; at += 1) {
      const digit = DIGITS[text.charCodeAt(at)] ?? NO_DIGIT
      if (digit === NO_DIGIT) throw new RangeError('a character that base58 does not have')
      carry = carry * BASE + digit
      scale *= BASE
    }
    for (let limb = 0; limb < limbs.length; limb += 1) {
      const value = (limbs[limb] ?? 0) * scale + carry
      carry = Math.floor(value / LIMB)
      limbs[limb] = value - carry * LIMB
    }
    if (carry > 0) limbs.push(carry)
  }
  const top = limbs.at(-1) ?? 0
  const topBytes = top === 0 ? 0 : top < 0x100 ? 1 : top < 0x10000 ? 2 : 3
  const bytes = Buffer.alloc(zeros + (limbs.length === 0 ? 0 : 3 * (limbs.length - 1) + topBytes))
  let end = bytes.length
  for (const limb of limbs) {
    for (let shift = 0; shift < 24 && end > zeros; shift += 8) {
      end -= 1
      bytes[end] = (limb >> shift) & 0xff
    }
  }
  return bytes
}
