import { sizeAt, WORD } from '../hex.ts'
import { word } from './transfers.ts'

/** More coins than any pool has: Balancer's largest hold fifty. */
const MOST_ITEMS = 64

/**
 * Offsets of the items of a dynamic list, whose own offset is in word `headWord`; items are `size` words each. `undefined` where the
 * list reaches beyond the data or is longer than any we read.
 */
export const itemsOf = (data: string, headWord: number, size = 1, most = MOST_ITEMS): number[] | undefined => {
  const offset = sizeAt(data, word(headWord))
  if (offset === undefined) return undefined
  const start = 2 + 2 * offset
  const length = sizeAt(data, start)
  if (length === undefined || length > most || data.length < start + WORD * (1 + length * size)) return undefined
  return Array.from({ length }, (_, i) => start + WORD * (1 + i * size))
}
