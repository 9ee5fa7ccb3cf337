import { expect, test } from 'vitest'
import { createGather } from './gather.ts'

/** A gatherer whose waiting time ends when the test decides. */
const start = () => {
  let end = () => {}
  const gather = createGather({
    sleep: () =>
      new Promise((resolve) => {
        end = resolve
      }),
  })
  const calls: string[][] = []
  const work =
    (name: string, bad?: string) =>
    async (wallets: string[]): Promise<void> => {
      calls.push([name, ...wallets])
      if (bad !== undefined && wallets.includes(bad)) throw new Error(`cannot score ${bad}`)
    }
  return { gather, calls, work, end: () => end() }
}

test('batches that arrive at the same moment are processed once, together, and by network', async () => {
  const { gather, calls, work, end } = start()
  const first = gather('ETH', ['a', 'b'], work('first'))
  const second = gather('ETH', ['b', 'c'], work('second'))
  end()
  await Promise.all([first, second])
  const third = gather('ETH', ['d'], work('third'))
  end()
  await third
  const other = gather('BASE', ['e'], work('other'))
  end()
  await other
  expect(calls).toEqual([
    ['first', 'a', 'b', 'c'],
    ['third', 'd'],
    ['other', 'e'],
  ])
})

test('a caller whose wallets fail gets the error and delays no other caller', async () => {
  const { gather, calls, work, end } = start()
  const bad = gather('ETH', ['x'], work('bad', 'x'))
  const good = gather('ETH', ['a'], work('good', 'x'))
  end()
  await expect(bad).rejects.toThrow('cannot score x')
  await expect(good).resolves.toBeUndefined()
  expect(calls).toEqual([
    ['bad', 'x', 'a'],
    ['bad', 'x'],
    ['good', 'a'],
  ])
})

test('a large batch starts at once', async () => {
  const { gather, calls, work } = start()
  const many = Array.from({ length: 51 }, (_, nth) => `wallet ${nth}`)
  await gather('ETH', many, work('many'))
  expect(calls).toEqual([['many', ...many]])
})
