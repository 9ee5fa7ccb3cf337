import { expect, test } from 'vitest'
import { createWatchFilter } from './filter.ts'

const addressOf = (n: number) => `0x${(BigInt(n) * 0x9e3779b97f4a7c15n).toString(16).padStart(40, '0').slice(-40)}`

test('finds every added address, and few others, with a few bytes per address', () => {
  const filter = createWatchFilter()
  for (let n = 0; n < 20_000; n++) filter.add('ETH', addressOf(n))
  let found = 0
  for (let n = 0; n < 20_000; n++) if (filter.mayHave('ETH', addressOf(n))) found++
  expect(found).toBe(20_000)
  let mistaken = 0
  for (let n = 20_000; n < 220_000; n++) if (filter.mayHave('ETH', addressOf(n))) mistaken++
  for (let n = 0; n < 20_000; n++) if (filter.mayHave('BNB', addressOf(n))) mistaken++
  // One in 215,000 by chance.
  expect(mistaken).toBeLessThan(20)
  expect(filter.bytes).toBe(256 * 1024)
})

test('adding an address again changes nothing', () => {
  const filter = createWatchFilter()
  for (let n = 0; n < 5_000; n++) filter.add('ETH', addressOf(n % 10))
  expect([filter.size, filter.bytes]).toEqual([10, 4_096])
})
