import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BrokenLink, holds, holesOf, type Linked, type Range, runsOf, withBlocks } from './ranges.ts'
import { changedSlots, type Slot, slotOf } from './slots.ts'

const block = (number: number, branch = 'a'): Linked => ({
  number,
  hash: `${branch}${number}`,
  parentHash: `${branch}${number - 1}`,
  traces: number < 20 ? 1 : 0,
})

const groups = fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 10 }), { maxLength: 12 })

test('blocks in any order form as few ranges as possible, and the rest are holes', () => {
  fc.assert(
    fc.property(groups, (given) => {
      let ranges: Range[] = []
      const all = new Set<number>()
      for (const numbers of given) {
        const fresh = numbers.filter((number) => !holds(ranges, number))
        ranges = withBlocks(
          ranges,
          fresh.map((number) => block(number)),
        )
        for (const number of numbers) all.add(number)
      }
      for (let number = 0; number <= 41; number += 1) expect(holds(ranges, number)).toBe(all.has(number))
      const missing = Array.from({ length: 40 }, (_, index) => index + 1).filter((number) => !all.has(number))
      expect(holesOf(ranges, 1, 40)).toEqual(runsOf(missing))
      for (const [index, range] of ranges.entries()) {
        const next = ranges[index + 1]
        if (next?.first === range.last + 1) expect(next.traces).not.toBe(range.traces)
        expect(range).toMatchObject({ parentHash: `a${range.first - 1}`, lastHash: `a${range.last}` })
      }
    }),
  )
})

test.each([
  ['above a range', [block(1), block(2)], block(3, 'b')],
  ['below a range', [block(4), block(5)], block(3, 'b')],
])('a block of another branch %s is refused', (_, known, other) => {
  expect(() => withBlocks(withBlocks([], known), [other])).toThrow(BrokenLink)
})

test('a growing head changes one row, and written rows restore the ranges', () => {
  fc.assert(
    fc.property(groups, (given) => {
      const rows = new Map<number, ReturnType<typeof changedSlots>[number]>()
      let slots: Slot[] = []
      for (const [index, numbers] of given.entries()) {
        const fresh = numbers.filter((number) => !holds(slots, number)).map((number) => block(number))
        const claims = withBlocks([], fresh).map((range) => ({ ...range, claimedBy: `chunk ${index}`, claimedAt: 7n }))
        const covered = withBlocks(slots, fresh).map((range) => ({ ...range, claimedBy: '', claimedAt: 0n }))
        for (const next of [[...slots, ...claims], covered]) {
          for (const row of changedSlots(slots, next)) rows.set(row.slot, row)
          slots = [...rows.values()]
            .filter(({ is_deleted }) => is_deleted === 0)
            .map((row) => slotOf({ ...row, inserts: '0', version: '0' }))
          const plain = (list: readonly Slot[]) =>
            list.map(({ slot: _, ...rest }) => rest).toSorted((a, b) => a.first - b.first)
          expect(plain(slots)).toEqual(plain(next))
        }
      }
    }),
  )
  const one: Slot = { ...withBlocks([], [block(1)])[0]!, claimedBy: '', claimedAt: 0n, slot: 0 }
  const grown = withBlocks([one], [block(2)]).map((range) => ({ ...range, claimedBy: '', claimedAt: 0n }))
  expect(changedSlots([one], grown)).toHaveLength(1)
})
