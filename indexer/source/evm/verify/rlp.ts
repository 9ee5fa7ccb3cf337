/**
 * Recursive length prefix (Yellow Paper, appendix B), written backwards: contents are written before their lengths, so that one
 * buffer takes a nested structure without copies. The items of a list are therefore written last to first.
 */

const FIRST_BYTES = 1 << 16
/** Hex up to this many bytes is parsed digit by digit, which is faster than a call into Node. */
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
 * Writes RLP backwards. Sizes count bytes from the end of the buffer, so that they stay valid when it grows. Methods that take
 * hex throw RangeError for other text.
 */
export type RlpWriter = {
  clear: () => void
  /** Bytes written so far. */
  size: () => number
  /** One raw byte. */
  byte: (value: number) => void
  /** Raw bytes. */
  raw: (bytes: Uint8Array) => void
  /** A string of data from 0x-hex; empty without it. */
  data: (hex: string | null | undefined) => void
  /** An integer from 0x-hex, without leading zeros; 0 is the empty string. */
  quantity: (hex: string) => void
  /** Turns everything written since `from` into the content of a string. */
  closeString: (from: number) => void
  /** Turns everything written since `from` into the content of a list. */
  closeList: (from: number) => void
  /** The bytes written, valid until the next write. */
  view: () => Uint8Array
}

/** A writer with its own growing buffer, which is reused for the next structure. */
export const createRlpWriter = (): RlpWriter => {
  let buffer = Buffer.allocUnsafe(FIRST_BYTES)
  let start = buffer.length

  const size = () => buffer.length - start

  /** Makes room for `bytes` in front of the written bytes. */
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

  /** Digits of `hex` from `first` on, as bytes; an odd first digit is its own byte. */
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
