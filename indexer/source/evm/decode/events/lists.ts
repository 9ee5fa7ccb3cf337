import { sizeAt, WORD } from '../hex.ts'
import { word } from './transfers.ts'

/** More coins than any pool has: Balancer's largest have fifty. */
const MAX_ITEMS = 64

/**
 * Offsets of the items of a dynamic list, whose own offset is in word `headWord`; items have `size` words each. `undefined` if
 * the list exceeds the data or `maxItems` items.
 */
export const itemsOf = (data: string, headWord: number, size = 1, maxItems = MAX_ITEMS): number[] | undefined => {
  const offset = sizeAt(data, word(headWord))
  if (offset === undefined) return undefined
  const start = 2 + 2 * offset
  const length = sizeAt(data, start)
  if (length === undefined || length > maxItems || data.length < start + WORD * (1 + length * size)) return undefined
  return Array.from({ length }, (_, i) => start + WORD * (1 + i * size))
}
