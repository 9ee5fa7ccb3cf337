import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createLocalWindows } from './window.ts'

const LIMIT = { limit: 10, windowMs: 60_000 }

test('no interval of the window length contains more calls than the limit', () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat({ max: 20_000 }), fc.integer({ min: 1, max: 4 })), { maxLength: 200 }),
      (calls) => {
        const windows = createLocalWindows()
        const taken: { at: number; units: number }[] = []
        let now = 1_790_000_000_000
        for (const [pause, units] of calls) {
          now += pause
          if (windows.take('k', LIMIT, now, units).taken) taken.push({ at: now, units })
        }
        for (const { at } of taken) {
          const inside = taken.filter((call) => call.at >= at && call.at < at + LIMIT.windowMs)
          expect(inside.reduce((sum, { units }) => sum + units, 0)).toBeLessThanOrEqual(LIMIT.limit)
        }
      },
    ),
  ))

test('a burst at the end of a window leaves nothing for the start of the next', () => {
  const windows = createLocalWindows()
  const edge = 60_000 * 29_833_333
  for (let n = 0; n < 10; n++) expect(windows.take('k', LIMIT, edge - 1, 1).taken).toBe(true)
  const refused = windows.take('k', LIMIT, edge + 1, 1)
  expect(refused).toMatchObject({ taken: false, used: 10 })
  expect(windows.take('other', LIMIT, edge + 1, 1).taken).toBe(true)
  expect(windows.take('k', LIMIT, edge + 1 + refused.resetMs, 1).taken).toBe(true)
})

test('admits a caller that kept asking over the limit as soon as the window allows it', () => {
  const windows = createLocalWindows()
  let now = 1_790_000_000_000
  for (let n = 0; n < 10; n++) windows.take('k', LIMIT, now, 1)
  const end = now + 64_000
  let admitted = 0
  for (; now < end; now += 100) admitted += Number(windows.take('k', LIMIT, now, 1).taken)
  expect(admitted).toBe(10)
})

test('a clock set back blocks a caller for one window at most', () => {
  const windows = createLocalWindows()
  let now = 1_790_000_000_000
  for (let n = 0; n < 5; n++, now += 1_000) windows.take('k', LIMIT, now, 1)
  now -= 3_600_000
  expect(windows.take('k', LIMIT, now, 5)).toMatchObject({ taken: true, used: 10 })
  const refused = windows.take('k', LIMIT, now, 1)
  expect(refused).toMatchObject({ taken: false, used: 10 })
  expect(refused.resetMs).toBeLessThanOrEqual(LIMIT.windowMs)
  expect(windows.take('k', LIMIT, now + LIMIT.windowMs, 10)).toMatchObject({ taken: true, used: 10 })
})

test('refuses units that do not fit as a whole', () => {
  const windows = createLocalWindows()
  const now = 1_790_000_000_000
  expect(windows.take('k', LIMIT, now, 8)).toMatchObject({ taken: true, used: 8 })
  expect(windows.take('k', LIMIT, now, 3)).toMatchObject({ taken: false, used: 8 })
  expect(windows.take('k', LIMIT, now, 2)).toMatchObject({ taken: true, used: 10 })
})

test('bounds memory by dropping the oldest callers', () => {
  const windows = createLocalWindows(3)
  const now = 1_790_000_000_000
  for (const key of ['a', 'b', 'c', 'd']) windows.take(key, LIMIT, now, 1)
  expect([windows.take('d', LIMIT, now, 1).used, windows.take('a', LIMIT, now, 1).used]).toEqual([2, 1])
})
