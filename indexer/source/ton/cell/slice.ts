/** Reads the bits and references of a cell in order. Source of the encodings: TON, `crypto/block/block.tlb`. */
import type { Cell } from './cell.ts'

/** A reader. The remaining references and bits show whether something follows. */
export type Slice = {
  bitsLeft: () => number
  refsLeft: () => number
  bit: () => boolean
  /** Up to 48 bits. */
  uint: (bits: number) => number
  int: (bits: number) => number
  big: (bits: number) => bigint
  /** Whole bytes, at any bit offset. */
  bytes: (count: number) => Buffer
  ref: () => Cell
  skip: (bits: number) => void
  /** VarUInteger 16, the type of amounts. */
  coins: () => bigint
  /** VarUInteger n. */
  variable: (limitBits: number) => bigint
  /** `workchain:hex`; empty for no address. External and variable addresses are skipped and also give the empty text. */
  address: () => string
  /** Another reader at the same position. */
  copy: () => Slice
  /** Everything that is left, including references. */
  rest: () => { bits: Slice; refs: readonly Cell[] }
}

const ADDRESS = { none: 0, extern: 1, standard: 2, variable: 3 } as const

const ended = () => new RangeError('a cell ends too early')

/** Reads a cell from its beginning, or from a bit and a reference. Every read throws RangeError if the cell is too short. */
export const sliceOf = (cell: Cell, from = 0, fromRef = 0): Slice => {
  const { data, length, refs } = cell
  let at = from
  let ref = fromRef

  const take = (bits: number): number => {
    const start = at
    if (bits < 0 || start + bits > length) throw ended()
    at += bits
    return start
  }
  const uint = (bits: number): number => {
    const start = take(bits)
    let value = 0
    let left = bits
    let place = start
    while (left > 0) {
      const offset = place & 7
      const taken = Math.min(8 - offset, left)
      const part = ((data[place >> 3] ?? 0) >> (8 - offset - taken)) & ((1 << taken) - 1)
      value = value * 2 ** taken + part
      place += taken
      left -= taken
    }
    return value
  }
  const bytes = (count: number): Buffer => {
    const start = take(count * 8)
    const offset = start & 7
    const first = start >> 3
    if (offset === 0) return data.subarray(first, first + count)
    const shifted = Buffer.allocUnsafe(count)
    for (let index = 0; index < count; index += 1) {
      const high = (data[first + index] ?? 0) << offset
      const low = (data[first + index + 1] ?? 0) >> (8 - offset)
      shifted[index] = (high | low) & 0xff
    }
    return shifted
  }
  const big = (bits: number): bigint => {
    let value = 0n
    let left = bits
    while (left > 32) {
      value = (value << 32n) | BigInt(uint(32))
      left -= 32
    }
    return (value << BigInt(left)) | BigInt(uint(left))
  }
  const bit = (): boolean => uint(1) === 1

  const standard = (): string => {
    if (bit()) {
      // Anycast: the first bits of the address are stored separately.
      const depth = uint(5)
      const prefix = big(depth)
      const workchain = int(8)
      const own = big(256)
      const shift = BigInt(256 - depth)
      const account = (prefix << shift) | (own & ((1n << shift) - 1n))
      return `${workchain}:${account.toString(16).padStart(64, '0')}`
    }
    const workchain = int(8)
    return `${workchain}:${bytes(32).toString('hex')}`
  }
  const int = (bits: number): number => {
    const value = uint(bits)
    return value >= 2 ** (bits - 1) ? value - 2 ** bits : value
  }
  const address = (): string => {
    switch (uint(2)) {
      case ADDRESS.standard:
        return standard()
      case ADDRESS.extern:
        take(uint(9))
        return ''
      case ADDRESS.variable: {
        if (bit()) take(uint(5))
        const size = uint(9)
        take(32 + size)
        return ''
      }
      default:
        return ''
    }
  }
  const variable = (limitBits: number): bigint => big(8 * uint(limitBits))

  return {
    bitsLeft: () => length - at,
    refsLeft: () => refs.length - ref,
    bit,
    uint,
    int,
    big,
    bytes,
    ref: () => {
      const found = refs[ref]
      if (!found) throw ended()
      ref += 1
      return found
    },
    skip: (bits) => void take(bits),
    coins: () => variable(4),
    variable,
    address,
    copy: () => sliceOf(cell, at, ref),
    rest: () => ({ bits: sliceOf(cell, at, refs.length), refs: refs.slice(ref) }),
  }
}
