import type { StoredRange } from '../../../scorer/ledger/blocks/stored.ts'
import type { BlockRange } from './options.ts'

/** Parts of a range that are not stored, ascending. */
export const missingIn = ({ from, to }: BlockRange, stored: readonly StoredRange[]): BlockRange[] => {
  const missing: BlockRange[] = []
  let next = from
  for (const { first, last } of stored.toSorted((a, b) => a.first - b.first)) {
    if (last < next || first > to) continue
    if (first > next) missing.push({ from: next, to: first - 1 })
    next = Math.max(next, last + 1)
  }
  if (next <= to) missing.push({ from: next, to })
  return missing
}

/** Groups ascending heights into ranges of consecutive heights. */
export const runsOf = (numbers: readonly number[]): BlockRange[] => {
  const runs: BlockRange[] = []
  for (const number of numbers) {
    const last = runs.at(-1)
    if (last?.to === number - 1) last.to = number
    else runs.push({ from: number, to: number })
  }
  return runs
}
