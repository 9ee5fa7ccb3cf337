/** Dictionaries: trees whose edges are pieces of keys. Source: TON, `crypto/block/block.tlb` (Hashmap, HmLabel). */
import type { Cell } from './cell.ts'
import { type Slice, sliceOf } from './slice.ts'

/** Entries of one dictionary that are read. */
const MOST = 64

/** The piece of the key that an edge holds, as bits in text. */
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

/** Values of a dictionary by their keys in hex. At most 64 are read. @throws RangeError when the cells are no dictionary. */
export const readDictionary = (root: Cell, keyBits: number): Map<string, Slice> => {
  const found = new Map<string, Slice>()
  const visit = (cell: Cell, prefix: string): void => {
    if (found.size >= MOST) return
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
