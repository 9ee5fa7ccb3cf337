import fc from 'fast-check'
import { expect, test } from 'vitest'
import { auc, averagePrecision, brier, calibrationError, precisionAt, recallAtFalsePositiveRate } from './metrics.ts'

const rows = [
  { label: 1, score: 0.9 },
  { label: 0, score: 0.8 },
  { label: 1, score: 0.7 },
  { label: 0, score: 0.2 },
]

test('a small ranking worked out by hand', () => {
  expect(auc(rows)).toBe(0.75)
  expect(averagePrecision(rows)).toBeCloseTo(0.5 * 1 + 0.5 * (2 / 3), 12)
  expect(recallAtFalsePositiveRate(rows, 0)).toBe(0.5)
  expect(recallAtFalsePositiveRate(rows, 0.5)).toBe(1)
  expect(precisionAt(rows, 0.75, 0.01)).toBeCloseTo((0.5 * 0.01) / (0.5 * 0.01 + 0.5 * 0.99), 12)
  expect(precisionAt(rows, 0.95, 0.01)).toBeNull()
  expect(brier(rows)).toBeCloseTo((0.01 + 0.64 + 0.09 + 0.04) / 4, 12)
  expect(calibrationError(rows)).toBeCloseTo((0.1 + 0.8 + 0.3 + 0.2) / 4, 12)
})

test('the AUC is the probability that a positive outranks a negative, with ties counting half', () => {
  const row = fc.record({ label: fc.constantFrom(0, 1), score: fc.integer({ min: 0, max: 5 }).map((n) => n / 5) })
  fc.assert(
    fc.property(fc.array(row, { minLength: 2, maxLength: 40 }), (sample) => {
      const positives = sample.filter((r) => r.label === 1)
      const negatives = sample.filter((r) => r.label === 0)
      fc.pre(positives.length > 0 && negatives.length > 0)
      const wins = positives.flatMap((p) =>
        negatives.map((n): number => (p.score > n.score ? 1 : p.score === n.score ? 0.5 : 0)),
      )
      expect(auc(sample)).toBeCloseTo(wins.reduce((a, b) => a + b, 0) / wins.length, 10)
    }),
  )
})
