import { expect, test } from 'vitest'
import { createBatcher } from './batch.ts'

const recorder = () => {
  const batches: number[][] = []
  const batcher = createBatcher<number, number>({
    windowMs: 1,
    maxBatch: 3,
    load: async (items) => {
      batches.push([...items])
      if (items.includes(13)) throw new Error('unlucky')
      return items.map((item) => item * 2)
    },
  })
  return { batches, ask: (n: number) => batcher(String(n), n) }
}

test('what is asked together goes out once, in batches of at most the maximum, each key once', async () => {
  const { batches, ask } = recorder()
  expect(await Promise.all([1, 2, 2, 3, 4].map(ask))).toEqual([2, 4, 4, 6, 8])
  expect(batches).toEqual([[1, 2, 3], [4]])
  expect(await ask(1)).toBe(2)
  expect(batches).toEqual([[1, 2, 3], [4], [1]])
})

test('a failed batch fails its own askers only and leaves nothing behind', async () => {
  const { ask } = recorder()
  await expect(Promise.all([ask(13), ask(1)])).rejects.toThrow('unlucky')
  await expect(ask(1)).resolves.toBe(2)
})
