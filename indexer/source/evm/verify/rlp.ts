/**
 * Recursive length prefix (Yellow Paper, appendix B), written from the back: contents come before their lengths, so that
 * one buffer takes a nested structure without copies. Items of a list are therefore written last to first.
 */

const FIRST_BYTES = 1 << 16
/** Up to this many bytes of hex are read digit by digit, which is faster than a call into Node. */
const SHORT_BYTES = 96
const STRING = 0x80
const LIST = 0xc0
const LONG = 55

const NO_DIGIT = 0xff
const DIGITS = new Uint8Array(128).fill(NO_DIGIT)
for (const [at, digit] of [...'0123456789abcdef'].entries()) {
  DIGITS[digit.charCodeAt(0)] = at
  DIGITS[digit.toUpperCase().charCodeAt(0)] = at
}

const digitAt = (hex: string, at: number): number => {
  const digit = DIGITS[hex.charCodeAt(at)] ?? NO_DIGIT
  if (digit === NO_DIGIT) throw new RangeError('a field holds something other than hexadecimal digits')
  return digit
}

/**
 * Writes RLP backwards. Sizes count bytes from the end of what was written, so that they stay true when the buffer grows.
 * Methods that read hex throw RangeError on text that is none.
 */
export type RlpWriter = {
  clear: () => void
  /** Bytes written so far. */
  size: () => number
  /** A byte as it is. */
  byte: (value: number) => void
  /** Bytes as they are. */
  raw: (bytes: Uint8Array) => void
  /** A string of data, given as 0x-hex; empty when there is none. */
  data: (hex: string | null | undefined) => void
  /** An integer given as 0x-hex, without leading zeros; 0 is the empty string. */
  quantity: (hex: string) => void
  /** Makes what was written since `from` the content of a string. */
  closeString: (from: number) => void
  /** Makes what was written since `from` the content of a list. */
  closeList: (from: number) => void
  /** What was written, valid until the next write. */
  view: () => Uint8Array
}

/** A writer with a buffer of its own, which grows and is kept for the next structure. */
export const createRlpWriter = (): RlpWriter => {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES)
  let start = buffer.length

  const size = () => buffer.length - start

  /** Makes room for `bytes` in front of what was written. */
  const take = (bytes: number): number => {
    if (bytes > start) {
      const written = buffer.subarray(start)
      const larger = Buffer.allocUnsafe(2 * (buffer.length + bytes))
      written.copy(larger, larger.length - written.length)
      start = larger.length - written.length
      buffer = larger
    }
    start -= bytes
    return start
  }

  const byte = (value: number) => {
    buffer[take(1)] = value
  }

  const header = (length: number, kind: number) => {
    if (length <= LONG) return byte(kind + length)
    let bytes = 0
    for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) {
      byte(rest % 256)
      bytes += 1
    }
    byte(kind + LONG + bytes)
  }

  const closeString = (from: number) => {
    const length = size() - from
    if (length !== 1 || (buffer[start] ?? 0) >= STRING) header(length, STRING)
  }

  /** Digits of `hex` from `first` on, as bytes; an odd first digit is a byte of its own. */
  const digits = (hex: string, first: number) => {
    const count = hex.length - first
    const bytes = (count + 1) >> 1
    const from = size()
    let at = take(bytes)
    if (bytes > SHORT_BYTES && count % 2 === 0) {
      if (buffer.write(hex.slice(first), at, bytes, 'hex') !== bytes) {
        throw new RangeError('a field holds something other than hexadecimal digits')
      }
    } else {
      let next = first
      if (count % 2 === 1) {
        buffer[at++] = digitAt(hex, next++)
      }
      for (; next < hex.length; next += 2) buffer[at++] = (digitAt(hex, next) << 4) | digitAt(hex, next + 1)
    }
    closeString(from)
  }

  return {
    clear: () => {
      start = buffer.length
    },
    size,
    byte,
    raw: (bytes) => {
      buffer.set(bytes, take(bytes.length))
    },
    data: (hex) => {
      if (hex === null || hex === undefined) return byte(STRING)
      if (hex.length % 2 === 1) throw new RangeError('a field of bytes holds half a byte')
      digits(hex, 2)
    },
    quantity: (hex) => {
      let first = 2
      while (hex.charCodeAt(first) === 48) first += 1
      digits(hex, first)
    },
    closeString,
    closeList: (from) => header(size() - from, LIST),
    view: () => buffer.subarray(start),
  }
}
