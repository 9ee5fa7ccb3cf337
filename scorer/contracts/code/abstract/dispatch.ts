/**
 * Functions found through tables in the code, as Vyper writes them: by default the selector's bucket names the place to go
 * on, where selectors are compared one by one; with the size optimised, rows hold selector, place and flags.
 */
import type { Value } from './values.ts'

/** Bytes of a row: selector, place, and what the function expects to be called with. */
const ROWS = [7, 8, 9]
/** The longest of them. */
export const MAX_ENTRY_BYTES = 9

const numberAt = (code: Uint8Array, at: number, width: number): number => {
  let value = 0
  for (let i = 0; i < width; i++) value = value * 256 + (code[at + i] ?? 0)
  return value
}

/** Places a cell of a table of buckets may name; empty when these are no places of the code. */
export const bucketTargets = (code: Uint8Array, destinations: Uint8Array, cell: Value): number[] => {
  if (cell.t !== 'cell' || cell.width > 3) return []
  const found = Array.from({ length: cell.count }, (_, i) => numberAt(code, cell.base + i * cell.width, cell.width))
  return found.every((place) => destinations[place] === 1) ? [...new Set(found)] : []
}

/** A function as a table names it: its selector, and where its code begins. */
export type DispatchEntry = { selector: string; destination: number }

/** Rows of functions anywhere in the code, `most` at most, two in line at least, of the width that most have. */
export const dispatchEntries = (code: Uint8Array, destinations: Uint8Array, most: number): DispatchEntry[] => {
  let best: DispatchEntry[] = []
  for (const width of ROWS) {
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
