/**
 * Dispatch tables in code, as Vyper generates them. By default, the selector's hash bucket gives a jump destination where
 * selectors are compared one by one. Code optimized for size has entries of selector, destination and flags.
 */
import type { Value } from './values.ts'

/** Bytes of an entry: selector, destination, and what the function expects of calldata and value. */
const ENTRY_BYTES = [7, 8, 9]
/** Bytes of the longest entry. */
export const MAX_ENTRY_BYTES = 9

const numberAt = (code: Uint8Array, at: number, width: number): number => {
  let value = 0
  for (let i = 0; i < width; i++) value = value * 256 + (code[at + i] ?? 0)
  return value
}

/** Jump destinations in a table of buckets; empty if any is not a JUMPDEST. */
export const bucketTargets = (code: Uint8Array, destinations: Uint8Array, cell: Value): number[] => {
  if (cell.t !== 'cell' || cell.width > 3) return []
  const found = Array.from({ length: cell.count }, (_, i) => numberAt(code, cell.base + i * cell.width, cell.width))
  return found.every((place) => destinations[place] === 1) ? [...new Set(found)] : []
}

/** A function in a table: its selector, and where its code starts. */
export type DispatchEntry = { selector: string; destination: number }

/** The longest table of at least two consecutive entries of one width, anywhere in the code; at most `most` entries. */
export const dispatchEntries = (code: Uint8Array, destinations: Uint8Array, most: number): DispatchEntry[] => {
  let best: DispatchEntry[] = []
  for (const width of ENTRY_BYTES) {
    const isRow = (at: number) =>
      at >= 0 && at + width <= code.length && numberAt(code, at, 2) > 0 && destinations[numberAt(code, at + 4, 2)] === 1
    const rows: DispatchEntry[] = []
    for (let at = 0; at + width <= code.length && rows.length < most; at++) {
      if (!isRow(at) || !(isRow(at - width) || isRow(at + width))) continue
      const selector = `0x${numberAt(code, at, 4).toString(16).padStart(8, '0')}`
      rows.push({ selector, destination: numberAt(code, at + 4, 2) })
    }
    if (rows.length > best.length) best = rows
  }
  return best
}
