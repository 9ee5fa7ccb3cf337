import { expect, test } from 'vitest'
import { simulate } from './simulate.ts'

/** Seeds that a test plays, so that a failure names ten and not a hundred. */
const TOGETHER = 10

/** Tests that play `count` seeds. Files with seeds of their own run side by side. */
export const describeSeeds = (from: number, count: number): void => {
  const groups = Array.from({ length: count / TOGETHER }, (_, index) => from + index * TOGETHER)
  test.each(groups)(
    'whatever fails in the pipe, it ends with the tables, records and queue of a fresh index (ten seeds from %i)',
    async (first) => {
      for (let seed = first; seed < first + TOGETHER; seed += 1) {
        const { failure, notes } = await simulate(seed)
        const last = `${notes.slice(-80).join('\n')}\n${failure}\nPlay it again: npm run simulate -- --seed ${seed}`
        expect(failure, last).toBeUndefined()
      }
    },
  )
}
