import { expect, test } from 'vitest'
import { untilKnown } from './known.ts'

const QUESTION_MS = 12_000
const LIMIT_MS = 20_000

/** A clock that only advances while something waits or asks. */
const createTime = () => {
  let now = 0
  return {
    now: () => now,
    sleep: async (ms: number) => {
      now += ms
    },
  }
}

test('gives up on silent brokers at the deadline', async () => {
  const clock = createTime()
  const isKnown = async () => {
    await clock.sleep(QUESTION_MS)
    return false
  }
  await expect(untilKnown(clock, 'head.ETH', isKnown, LIMIT_MS)).rejects.toMatchObject({
    code: 'ASSAY_BUS_UNAVAILABLE',
  })
  expect(clock.now()).toBeLessThanOrEqual(LIMIT_MS + QUESTION_MS)
})

test('waits for a topic that brokers learn of later', async () => {
  const clock = createTime()
  let questions = 0
  await untilKnown(clock, 'head.ETH', async () => ++questions === 3, LIMIT_MS)
  expect(questions).toBe(3)
})
