import { expect, test } from 'vitest'
import { DAY, HOUR } from '../tried/moments.ts'
import { judgeLaterSales } from './returning.ts'

const TIMES = [600, 2 * HOUR, 9 * HOUR, ...Array.from({ length: 12 }, (_, i) => (i + 1) * DAY)]
const SOON = [{ seconds: 13, tax: 0 }]
/** Sales with these taxes; `no` is a refusal. */
const sold = (taxes: (number | 'no' | undefined)[], held = 10n ** 20n) => ({
  held,
  steps: [],
  tried: TIMES.map((seconds, i) => {
    const tax = taxes[i]
    return {
      seconds,
      buy: undefined,
      sale: tax === undefined ? undefined : { ok: tax !== 'no', tax: Number(tax) || 0, reason: '' },
    }
  }),
})
const judged = (taxes: (number | 'no' | undefined)[], soon = SOON) => judgeLaterSales(sold(taxes), soon)
const always = (value: number | 'no' | undefined, first: number[] = []) =>
  [...first, ...Array(15).fill(value)].slice(0, 15)

test('a tax that falls for good does not count as returning', () => {
  for (const falling of [always(0, [95, 60, 20]), always(5, [30, 30, 30, 15, 15]), always(3, [9, 0, 9])])
    expect(judged(falling, [{ seconds: 13, tax: 97 }]).sellTax).toBeUndefined()
})

test('a returning tax counts with its mean, or with its peaks when they take nearly everything', () => {
  const half = (tax: number) => TIMES.map((_, i) => (i % 2 ? tax : 0))
  expect(judged(half(97)).sellTax).toBeCloseTo(97)
  expect(judged(half(40)).sellTax).toBeCloseTo(20, -1)
  expect(judged(always(97, [97, 97, 97])).sellTax).toBeCloseTo(97)
  // A peak in one of fifteen sales is rare, and counts with its mean.
  expect(judged(always(0, [0, 0, 97])).sellTax).toBeCloseTo(97 / 14)
})

test('a single sale that loses nearly everything after a cheaper one is seen, and not one that comes first', () => {
  expect(judged(always(0, [0, 0, 97])).lostAtTimes).toBe(true)
  expect(judged(always(0, [0, 0, 60])).lostAtTimes).toBe(false)
  expect(judged(always(0, [97, 97, 97]), []).lostAtTimes).toBe(false)
})

test('a market is open with sales on an eighth of the days, not with fewer, and unknown when too few could be run', () => {
  expect(judged(always('no', [0, 0, 0, 0, 0])).open).toBe(true)
  expect(judged(always('no', [0, 0, 0, 0])).open).toBe(false)
  expect(judged(always(undefined, [0, 0, 0, 0, 0]))).toMatchObject({ open: undefined, complete: false })
  expect([5, 6, 7, 8, 9].map((first) => judged(always('no', Array(first).fill(0))).mostlyRefused)).toEqual([
    true,
    true,
    true,
    true,
    true,
  ])
  expect([10, 15].map((first) => judged(always('no', Array(first).fill(0))).mostlyRefused)).toEqual([false, false])
  expect(judgeLaterSales(sold(always(97), 5n), SOON)).toEqual({
    sellTax: undefined,
    buyTax: undefined,
    lostAtTimes: false,
    open: undefined,
    mostlyRefused: false,
    complete: true,
  })
})
