import { expect, test } from 'vitest'
import { SEEDS } from './seeds.ts'
import { simulate } from './simulate.ts'

/** Seeds that a test plays, so that a failure names ten and not all. */
const TOGETHER = 10

test.each(Array.from({ length: SEEDS / TOGETHER }, (_, index) => 1 + index * TOGETHER))(
  'ends with the tables, records and queue of a fresh index after any failures (ten seeds from %i)',
  async (first) => {
    for (let seed = first; seed < first + TOGETHER; seed += 1) {
      const { failure, notes } = await simulate(seed)
      const last = `${notes.slice(-80).join('\n')}\n${failure}\nPlay it again: npm run simulate -- --seed ${seed}`
      expect(failure, last).toBeUndefined()
    }
  },
)

test('a seed is deterministic, and another seed plays differently', async () => {
  const first = await simulate(7)
  const again = await simulate(7)
  const other = await simulate(8)
  expect([again.fingerprint, again.notes]).toEqual([first.fingerprint, first.notes])
  expect(other.fingerprint).not.toBe(first.fingerprint)
})
