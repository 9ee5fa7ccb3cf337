/** Dictionaries: trees whose edges are parts of keys. Source: TON, `crypto/block/block.tlb` (Hashmap, HmLabel). */
import { type Builder, createBuilder } from './builder.ts'
import type { Cell } from './cell.ts'
import { type Slice, sliceOf } from './slice.ts'

/** Maximum number of entries read of one dictionary. */
const MAX_ENTRIES = 64

/** The part of the key on an edge, as text of bits. */
const labelOf = (slice: Slice, limit: number): string => {
  const width = Math.ceil(Math.log2(limit + 1))
  const bits = (count: number) => Array.from({ length: count }, () => (slice.bit() ? '1' : '0')).join('')
  if (!slice.bit()) {
    let length = 0
    while (slice.bit()) length += 1
    return bits(length)
  }
  if (!slice.bit()) return bits(slice.uint(width))
  const same = slice.bit() ? '1' : '0'
  return same.repeat(slice.uint(width))
}

const hexOf = (bits: string): string =>
  BigInt(`0b${bits}`)
    .toString(16)
    .padStart(bits.length / 4, '0')

/** Values of a dictionary by their keys in hex, at most 64. @throws RangeError when the cells are not a dictionary. */
export const readDictionary = (root: Cell, keyBits: number): Map<string, Slice> => {
  const found = new Map<string, Slice>()
  const visit = (cell: Cell, prefix: string): void => {
    if (found.size >= MAX_ENTRIES) return
    const slice = sliceOf(cell)
    const key = prefix + labelOf(slice, keyBits - prefix.length)
    if (key.length > keyBits) throw new RangeError('a dictionary with a key that is too long')
    if (key.length === keyBits) {
      found.set(hexOf(key), slice)
      return
    }
    visit(slice.ref(), `${key}0`)
    visit(slice.ref(), `${key}1`)
  }
  visit(root, '')
  return found
}

/** A part of a key in the shortest of the three forms, as the chain writes it. Source: `crypto/vm/dict.cpp` (append_dict_label). */
const writeLabel = (label: string, limit: number): Builder => {
  const builder = createBuilder()
  const width = Math.ceil(Math.log2(limit + 1))
  const { length } = label
  const bits = () => builder.uint(length === 0 ? 0n : BigInt(`0b${label}`), length)
  if (length > 1 && width < 2 * length - 1 && /^(0+|1+)$/.test(label)) {
    return builder.uint(0b11, 2).bit(label.startsWith('1')).uint(length, width)
  }
  if (width < length) {
    builder.uint(0b10, 2).uint(length, width)
    return bits()
  }
  builder.bit(false).uint((1n << BigInt(length + 1)) - 2n, length + 1)
  return bits()
}

const sharedLength = (first: string, last: string): number => {
  let length = 0
  while (length < first.length && first[length] === last[length]) length += 1
  return length
}

/** Writes a dictionary of numbered values, each with its own function; `undefined` if there are none. */
export const writeDictionary = (
  entries: ReadonlyMap<number, (builder: Builder) => unknown>,
  keyBits: number,
): Cell | undefined => {
  const keys = [...entries].map(([key, write]) => ({ key: key.toString(2).padStart(keyBits, '0'), write }))
  keys.sort((a, b) => (a.key < b.key ? -1 : 1))
  const edge = (some: readonly (typeof keys)[number][], from: number): Cell => {
    const [first, last] = [some[0]?.key ?? '', some.at(-1)?.key ?? '']
    const to = some.length === 1 ? keyBits : sharedLength(first, last)
    const builder = writeLabel(first.slice(from, to), keyBits - from)
    if (to === keyBits) some[0]?.write(builder)
    else {
      builder.ref(
        edge(
          some.filter(({ key }) => key[to] === '0'),
          to + 1,
        ),
      )
      builder.ref(
        edge(
          some.filter(({ key }) => key[to] === '1'),
          to + 1,
        ),
      )
    }
    return builder.end()
  }
  return keys.length === 0 ? undefined : edge(keys, 0)
}
