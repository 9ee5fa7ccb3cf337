/** EVM instructions: results on constants, and effect on the height of the stack. */

/** Mask of an address: 160 bits. */
export const MASK160 = (1n << 160n) - 1n
/** Mask of a word: 256 bits. */
export const WORD = (1n << 256n) - 1n

/** Exponent of a power of two, -1 for anything else. */
export const logOf2 = (value: bigint): number => {
  if (value <= 0n || (value & (value - 1n)) !== 0n) return -1
  return value.toString(2).length - 1
}

/** a to the power of b modulo 2^256, without numbers longer than two words. */
const power = (a: bigint, b: bigint): bigint => {
  let result = 1n
  for (let square = a, left = b; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) & WORD
    square = (square * square) & WORD
  }
  return result
}

/** Result of an instruction on two constants, `a` being the top of the stack; `undefined` for instructions that are not tracked. */
export const arithmetic = (op: number, a: bigint, b: bigint): bigint | undefined => {
  switch (op) {
    case 0x01:
      return (a + b) & WORD
    case 0x02:
      return (a * b) & WORD
    case 0x03:
      return (a - b) & WORD
    case 0x04:
      return b === 0n ? 0n : a / b
    case 0x0a:
      return b > 256n ? undefined : power(a, b)
    case 0x10:
      return a < b ? 1n : 0n
    case 0x11:
      return a > b ? 1n : 0n
    case 0x14:
      return a === b ? 1n : 0n
    case 0x16:
      return a & b
    case 0x17:
      return a | b
    case 0x18:
      return a ^ b
    case 0x1b:
      return a > 255n ? 0n : (b << a) & WORD
    case 0x1c:
      return a > 255n ? 0n : b >> a
    default:
      return undefined
  }
}

/** Number of stack items that an instruction takes and puts. PUSH, DUP, SWAP, POP and jumps are handled elsewhere. */
export const arity = (op: number): [number, number] => {
  if (op === 0x08 || op === 0x09) return [3, 1]
  if (op <= 0x0b && op > 0) return [2, 1]
  if (op >= 0x10 && op <= 0x1d) return op === 0x15 || op === 0x19 ? [1, 1] : [2, 1]
  if (op === 0x1e) return [1, 1]
  if (op === 0x20) return [2, 1]
  if (op === 0x31 || op === 0x35 || op === 0x3b || op === 0x3f || op === 0x40 || op === 0x49) return [1, 1]
  if (op === 0x37 || op === 0x39 || op === 0x3e || op === 0x5e) return [3, 0]
  if (op === 0x3c) return [4, 0]
  if (op >= 0x30 && op <= 0x4a) return [0, 1]
  if (op === 0x51 || op === 0x54 || op === 0x5c) return [1, 1]
  if (op === 0x52 || op === 0x53 || op === 0x55 || op === 0x5d) return [2, 0]
  if (op === 0x58 || op === 0x59 || op === 0x5a) return [0, 1]
  if (op >= 0xa0 && op <= 0xa4) return [op - 0x9e, 0]
  if (op === 0xf0) return [3, 1]
  if (op === 0xf5) return [4, 1]
  if (op === 0xf1 || op === 0xf2) return [7, 1]
  if (op === 0xf4 || op === 0xfa) return [6, 1]
  return [0, 0]
}
