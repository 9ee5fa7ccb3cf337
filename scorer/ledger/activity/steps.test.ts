/** Computations over periods and balances, without a store. */
import { expect, test } from 'vitest'
import { decimalText } from '../prices/amounts.ts'
import { balancesOf, type StepMovements } from './balances.ts'
import { dayOf, stepFor, stepStart } from './steps.ts'

const at = (day: string) => Date.parse(day) / 1_000

test('a period has few enough steps, whatever its length', () => {
  const DAY = 86_400
  for (const [days, step] of [
    [1, 'day'],
    [365, 'day'],
    [398, 'day'],
    [399, 'week'],
    [2_700, 'week'],
    [4_200, 'month'],
  ] as const)
    expect([days, stepFor(0, days * DAY)]).toEqual([days, step])
})

test('steps begin at midnight, on Mondays and on the first of a month, whatever the hour', () => {
  const noon = at('2026-03-01') + 43_200
  expect((['day', 'week', 'month'] as const).map((step) => dayOf(stepStart(noon, step)))).toEqual([
    '2026-03-01',
    '2026-02-23',
    '2026-03-01',
  ])
  expect(dayOf(stepStart(at('2026-02-23'), 'week'))).toBe('2026-02-23')
  expect(dayOf(stepStart(at('1970-01-01'), 'week'))).toBe('1969-12-29')
})

const moved = (day: string, received: bigint, sent: bigint, fees = 0n): StepMovements => ({
  at: day,
  received,
  sent,
  fees,
})

test('balances go from the opening to the sum of all movements', () => {
  const steps = [moved('2026-01-01', 10n, 3n, 1n), moved('2026-01-05', 0n, 4n)]
  const { opening, steps: kept } = balancesOf(steps, 7n)
  expect([opening, kept.map(({ change, balance }) => [change, balance])]).toEqual([
    5n,
    [
      [6n, 11n],
      [2n, 7n],
    ],
  ])
})

test('no balance is given if movements are missing or would lead below zero', () => {
  const steps = [moved('2026-01-01', 0n, 9n), moved('2026-01-02', 9n, 0n)]
  for (const last of [undefined, 0n, 8n]) {
    const { opening, steps: kept } = balancesOf(steps, last)
    expect([opening, kept.map(({ change, balance }) => [change, balance])]).toEqual([
      undefined,
      [
        [-9n, undefined],
        [0n, undefined],
      ],
    ])
  }
  expect(balancesOf(steps, 9n).opening).toBe(9n)
  expect(balancesOf([], undefined)).toEqual({ opening: undefined, steps: [] })
})

test('base units become exact decimal text, also negative ones', () => {
  expect([
    decimalText(-1n, 18),
    decimalText(15n * 10n ** 17n, 18),
    decimalText(-12n, 0),
    decimalText(0n, 6),
    decimalText(100n, 0),
  ]).toEqual(['-0.000000000000000001', '1.5', '-12', '0', '100'])
})
