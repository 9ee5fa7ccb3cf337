/** Ranges of linked blocks: each block of a range is the parent of the next one. */
import type { BlockRef } from '../../../schema/block.ts'

/** A block with the hash of its parent. */
export type Linked = Pick<BlockRef, 'number' | 'hash' | 'parentHash'> & { traces: 0 | 1 }

/** Consecutive linked blocks, both ends inclusive. */
export type Range = {
  first: number
  last: number
  /** Hash of the block below the range. */
  parentHash: string
  lastHash: string
  /** 1 if every block has its traces. */
  traces: 0 | 1
}

/** Neighbouring blocks on different branches: the upper one names another parent. */
export class BrokenLink extends Error {
  readonly number: number
  constructor(number: number, parentHash: string, below: string) {
    super(`block ${number} has parent ${parentHash}, but block ${number - 1} is ${below}`)
    this.number = number
  }
}

const rangeOf = ({ number, hash, parentHash, traces }: Linked): Range => ({
  first: number,
  last: number,
  parentHash,
  lastHash: hash,
  traces,
})

/**
 * Joins ranges into as few as possible, ascending. Ranges with and without traces stay separate.
 * @throws BrokenLink if neighbours are not linked
 */
const joined = (ranges: readonly Range[]): Range[] => {
  const result: Range[] = []
  for (const range of ranges.toSorted((a, b) => a.first - b.first)) {
    const below = result.at(-1)
    if (below?.last !== range.first - 1) {
      result.push(range)
      continue
    }
    if (below.lastHash !== range.parentHash) throw new BrokenLink(range.first, range.parentHash, below.lastHash)
    if (below.traces === range.traces) {
      result[result.length - 1] = { ...below, last: range.last, lastHash: range.lastHash }
    } else result.push(range)
  }
  return result
}

/** Adds blocks that are not in the ranges. @throws BrokenLink */
export const withBlocks = (ranges: readonly Range[], blocks: readonly Linked[]): Range[] =>
  joined([...ranges, ...blocks.map(rangeOf)])

/** Whether a range contains the block. */
export const holds = (ranges: readonly Pick<Range, 'first' | 'last'>[], number: number): boolean =>
  ranges.some(({ first, last }) => first <= number && number <= last)

/** The parts of `from..to` that no range contains, ascending. */
export const holesOf = (
  ranges: readonly Pick<Range, 'first' | 'last'>[],
  from: number,
  to: number,
): { first: number; last: number }[] => {
  const holes: { first: number; last: number }[] = []
  let next = from
  for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
    if (last < next || next > to) continue
    if (first > next) holes.push({ first: next, last: Math.min(first - 1, to) })
    next = last + 1
  }
  if (next <= to) holes.push({ first: next, last: to })
  return holes
}

/** Groups numbers into ascending runs. */
export const runsOf = (numbers: readonly number[]): { first: number; last: number }[] => {
  const runs: { first: number; last: number }[] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const run = runs.at(-1)
    if (run && run.last === number - 1) run.last = number
    else runs.push({ first: number, last: number })
  }
  return runs
}
