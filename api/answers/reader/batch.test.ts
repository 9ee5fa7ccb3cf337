import { expect, test } from 'vitest'
import { createBatcher } from './batch.ts'

const recorder = (concurrency = 1) => {
  const batches: number[][] = []
  const gates: (() => void)[] = []
  let gated = false
  const batcher = createBatcher<number, number>({
    concurrency,
    maxBatch: 3,
    load: async (items) => {
      batches.push([...items])
      if (gated) await new Promise<void>((resolve) => gates.push(resolve))
      if (items.includes(13)) throw new Error('unlucky')
      return items.map((item) => item * 2)
    },
  })
  return {
    batches,
    ask: (n: number) => batcher(String(n), n),
    hold: () => {
      gated = true
    },
    release: () => {
      gated = false
      for (const open of gates.splice(0)) open()
    },
  }
}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('reads keys of concurrent requests once, in batches of at most the maximum', async () => {
  const { batches, ask } = recorder()
  expect(await Promise.all([1, 2, 2, 3, 4].map(ask))).toEqual([2, 4, 4, 6, 8])
  expect(batches).toEqual([[1, 2, 3], [4]])
  expect(await ask(1)).toBe(2)
  expect(batches).toEqual([[1, 2, 3], [4], [1]])
})

test('reads keys requested during a batch together in the next one', async () => {
  const { batches, ask, hold, release } = recorder()
  hold()
  const first = ask(1)
  await turn()
  const second = ask(2)
  await turn()
  const third = ask(3)
  await turn()
  expect(batches).toEqual([[1]])
  release()
  expect(await Promise.all([first, second, third])).toEqual([2, 4, 6])
  expect(batches).toEqual([[1], [2, 3]])
})

test('a batch that hangs does not block the next when two may run at once', async () => {
  const { batches, ask, hold, release } = recorder(2)
  hold()
  const first = ask(1)
  await turn()
  const second = ask(2)
  await turn()
  expect(batches).toEqual([[1], [2]])
  release()
  await Promise.all([first, second])
})

test('a failed batch fails only its own callers and leaves nothing behind', async () => {
  const { ask } = recorder()
  await expect(Promise.all([ask(13), ask(1)])).rejects.toThrow('unlucky')
  await expect(ask(1)).resolves.toBe(2)
})
