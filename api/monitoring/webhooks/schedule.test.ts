import { expect, test } from 'vitest'
import { DISABLE_MS, endpointPause, GIVE_UP_MS, isDue, retryAfterPause, retryPause } from './schedule.ts'

const HOUR = 3_600_000

test('tries a delivery nine times within 36 hours, then gives up', () => {
  const pauses = Array.from({ length: 9 }, (_, n) => retryPause(n + 1, () => 0.5))
  expect(pauses).toEqual([5_000, 60_000, 300_000, 1_800_000, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, undefined])
  const total = pauses.reduce<number>((sum, pause) => sum + (pause ?? 0), 0)
  expect(total * 1.2).toBeLessThan(Math.min(GIVE_UP_MS, DISABLE_MS))
  expect([retryPause(1, () => 0), retryPause(1, () => 1)]).toEqual([4_000, 6_000])
})

test('tries a failing endpoint less and less often, but at least every six minutes', () => {
  expect([0, 1, 2, 5, 50, 5_000].map((failures) => endpointPause(failures, () => 0.5))).toEqual([
    0, 1_000, 2_000, 16_000, 300_000, 300_000,
  ])
})

test('Retry-After is kept to within bounds', () => {
  expect(
    ['7', '0', '-5', '99999999', 'soon', null, new Date(60_000).toUTCString()].map((one) => retryAfterPause(one, 0)),
  ).toEqual([7_000, 0, 0, HOUR, 0, 0, 60_000])
})

test('after the clock is set back, due deliveries are due now and the longest pause is kept', () => {
  const now = 1_700_000_000_000
  const longest = retryPause(8, () => 1) ?? 0
  expect(isDue({ begun: now - HOUR, due: now }, now)).toBe(true)
  expect(isDue({ begun: now - HOUR, due: now + longest }, now)).toBe(false)
  expect(isDue({ begun: now + 1, due: now + 5_000 }, now)).toBe(true)
  expect(isDue({ begun: now - HOUR, due: now + 30 * HOUR }, now)).toBe(true)
})
