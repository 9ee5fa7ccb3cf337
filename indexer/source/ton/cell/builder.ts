/** Writes the bits and references of a cell in order: the inverse of `slice.ts`. */
import { type Cell, makeCell } from './cell.ts'

const MAX_BYTES = 128
const TAG = { none: 0b00, standard: 0b100 } as const

/** Each call appends its argument and returns the builder. @throws RangeError when it does not fit. */
export type Builder = {
  bit: (value: boolean) => Builder
  uint: (value: number | bigint, bits: number) => Builder
  /** 32 bytes in hex. */
  hash: (hex: string) => Builder
  /** VarUInteger whose length has `lengthBits` bits. */
  variable: (value: bigint, lengthBits: number) => Builder
  /** VarUInteger 16, the type of amounts. */
  coins: (value: bigint) => Builder
  /** `workchain:hex`; empty for no address. */
  address: (address: string) => Builder
  ref: (cell: Cell) => Builder
  /** A set bit followed by the value, or an unset bit. */
  maybe: <T>(value: T | undefined, write: (builder: Builder, value: T) => unknown) => Builder
  /** Bits and references of another cell. */
  append: (cell: Cell) => Builder
  end: () => Cell
}

/** A builder of one ordinary cell, which `end` returns. */
export const createBuilder = (): Builder => {
  const data = Buffer.alloc(MAX_BYTES)
  const refs: Cell[] = []
  let length = 0

  const push = (value: number, bits: number): void => {
    if (length + bits > MAX_BYTES * 8) throw new RangeError('a cell that holds more than 1023 bits')
    for (let left = bits; left > 0; ) {
      const offset = length & 7
      const taken = Math.min(8 - offset, left)
      const part = (value >>> (left - taken)) & ((1 << taken) - 1)
      data[length >> 3] = (data[length >> 3] ?? 0) | (part << (8 - offset - taken))
      length += taken
      left -= taken
    }
  }
  const uint = (value: number | bigint, bits: number): Builder => {
    const whole = BigInt.asUintN(bits, BigInt(value))
    for (let left = bits; left > 0; ) {
      const taken = Math.min(24, left)
      left -= taken
      push(Number((whole >> BigInt(left)) & 0xff_ffffn), taken)
    }
    return builder
  }
  const variable = (value: bigint, lengthBits: number): Builder => {
    const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
    if (value < 0n || bytes >= 2 ** lengthBits) throw new RangeError('an amount does not fit into a cell')
    return uint(bytes, lengthBits).uint(value, bytes * 8)
  }

  const builder: Builder = {
    bit: (value) => uint(value ? 1 : 0, 1),
    uint,
    hash: (hex) => uint(BigInt(`0x${hex}`), 256),
    variable,
    coins: (value) => variable(value, 4),
    address: (address) => {
      if (address === '') return uint(TAG.none, 2)
      const [workchain = '', account = ''] = address.split(':')
      return uint(TAG.standard, 3).uint(BigInt(workchain), 8).hash(account)
    },
    ref: (cell) => {
      refs.push(cell)
      return builder
    },
    maybe: (value, write) => {
      builder.bit(value !== undefined)
      if (value !== undefined) write(builder, value)
      return builder
    },
    append: (cell) => {
      const whole = cell.length >> 3
      for (let at = 0; at < whole; at += 1) push(cell.data[at] ?? 0, 8)
      const rest = cell.length & 7
      if (rest > 0) push((cell.data[whole] ?? 0) >> (8 - rest), rest)
      refs.push(...cell.refs)
      return builder
    },
    end: () => makeCell(data.subarray(0, (length + 7) >> 3), length, refs),
  }
  return builder
}
