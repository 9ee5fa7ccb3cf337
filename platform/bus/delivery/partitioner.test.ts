import { expect, test } from 'vitest'
import { createPartitioner } from './partitioner.ts'

test('uses a named partition, else one by key, else round robin', () => {
  const partition = createPartitioner()
  expect(partition({ key: 'a', partition: 7 }, 3)).toBe(7)
  // FNV-1a of "a" is 0xe40c292c (test vectors of the FNV page).
  expect(partition({ key: 'a' }, 2 ** 32)).toBe(0xe40c292c)
  expect([0, 0, 0, 0].map(() => partition({}, 3))).toEqual([0, 1, 2, 0])
})
