import { expect, test } from 'vitest'
import type { Clock } from '../context/clock.ts'
import { createBudget } from './budget.ts'

const SECOND = 1_000
const DAY = 86_400_000

/** Time that passes only while something waits for it. */
const testClock = (): Clock & { at: number } => {
  const clock = {
    at: 1_000_000,
    now: () => clock.at,
    sleep: async (ms: number) => {
      clock.at += ms
    },
  }
  return clock
}

/** Maximum number of calls in any period of this length. */
const densest = (times: readonly number[], span: number): number => {
  let most = 0
  let first = 0
  times.forEach((time, index) => {
    while (time - (times[first] ?? 0) >= span) first += 1
    most = Math.max(most, index - first + 1)
  })
  return most
}

/** Times at which calls go out that are made as fast as the budget lets them, the endpoint never complaining. */
const greedy = async (budget: Parameters<typeof createBudget>[1], calls: number, idle = 0) => {
  const clock = testClock()
  const limit = createBudget(clock, budget, 2_000)
  const times: number[] = []
  clock.at += idle
  for (let call = 0; call < calls; call += 1) {
    await limit.acquire(1)
    times.push(clock.at)
    limit.answered()
  }
  return times
}

test.each([1, 2, 7, 15, 50])('allows at most %i calls in any second', async (perSecond) => {
  const times = await greedy({ perSecond }, 40 * perSecond, 10_000)
  expect(densest(times, SECOND)).toBeLessThanOrEqual(perSecond)
  // It is used, too: one that never sent would pass.
  expect(times.length / ((times.at(-1)! - times[0]!) / SECOND)).toBeGreaterThan(0.8 * perSecond)
})

test.each([10, 1_000, 100_000])('allows at most %i calls in any day, also after an idle one', async (perDay) => {
  const times = await greedy({ perDay }, 3 * perDay, 2 * DAY)
  expect(densest(times, DAY)).toBeLessThanOrEqual(perDay)
  expect(times.length / ((times.at(-1)! - times[0]!) / DAY)).toBeGreaterThan(0.85 * perDay)
})

test('a clock set back delays no call', async () => {
  const clock = testClock()
  const limit = createBudget(clock, { perSecond: 10, perDay: 100_000 }, 2_000)
  for (let call = 0; call < 20; call += 1) await limit.acquire(1)
  clock.at -= 3_600_000
  const before = clock.at
  expect(limit.waitMs()).toBeLessThan(SECOND)
  for (let call = 0; call < 20; call += 1) await limit.acquire(1)
  expect(clock.at - before).toBeLessThan(3 * SECOND)
})

test('a rate limit response slows calls down within the plan, which applies again afterwards', async () => {
  const clock = testClock()
  const limit = createBudget(clock, { perSecond: 10, perDay: 100_000 }, 2_000)
  const full = limit.rate()
  limit.limited()
  expect(limit.rate()).toBeCloseTo(full / 2)
  for (let call = 0; call < 500; call += 1) {
    await limit.acquire(1)
    limit.answered()
  }
  expect(limit.rate()).toBeLessThanOrEqual(full)
})
