import { expect, test } from 'vitest'
import { describeSeeds } from './seeds.suite.ts'
import { simulate } from './simulate.ts'

describeSeeds(1, 100)

test('a seed always plays the same, and another one differently', async () => {
  const first = await simulate(7)
  const again = await simulate(7)
  const other = await simulate(8)
  expect([again.fingerprint, again.notes]).toEqual([first.fingerprint, first.notes])
  expect(other.fingerprint).not.toBe(first.fingerprint)
})
