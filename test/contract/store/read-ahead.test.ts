import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../platform/store/store.ts'
import { createReadAhead, type Heights } from '../../../scorer/ledger/reading/settled.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { insertRows, named, rowsOf, settle } from '../../kit/world/transactions.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const addBlock = async (block: number) => {
  await insertRows(kit.store, rowsOf([{ from: named('ann'), to: named('bob'), block, value: 1n }]))
  await settle(kit.store, 'ETH', block)
}
const count = async (): Promise<number> => {
  const [row] = await kit.store.query<{ n: string }>('SELECT count() AS n FROM transactions')
  return Number(row?.n)
}
const both = async ({ settled }: Heights, ahead: Promise<number>) => ({ settled, rows: await ahead })

test('drops a read that began before a move when its heights are newer', async () => {
  // Heights are not answered before the first read has ended and a block has moved.
  let moved: Promise<void> | undefined
  const late: Store = {
    ...kit.store,
    query: async (sql, params, options) => {
      if (options?.route === 'heights') await moved
      return kit.store.query(sql, params, options)
    },
  }
  const readAhead = createReadAhead(late)
  await addBlock(1)
  expect(await readAhead('ETH', count, both)).toEqual({ settled: 1, rows: 1 })
  const seen: number[] = []
  const begin = async () => {
    const reading = count()
    moved ??= reading.then(() => addBlock(2))
    seen.push(await reading)
    return reading
  }
  expect(await readAhead('ETH', begin, both)).toEqual({ settled: 2, rows: 2 })
  expect(seen).toEqual([1, 2])
})

test('without moves, a read begun ahead is the result, and is read once', async () => {
  const readAhead = createReadAhead(kit.store)
  await addBlock(1)
  let begun = 0
  const begin = () => {
    begun++
    return count()
  }
  for (let n = 1; n <= 3; n++) expect(await readAhead('ETH', begin, both)).toEqual({ settled: 1, rows: 1 })
  expect(begun).toBe(3)
})

test('a move between two reads repeats the second, and a failed read ahead is repeated', async () => {
  const readAhead = createReadAhead(kit.store)
  await addBlock(1)
  await readAhead('ETH', count, both)
  await addBlock(2)
  let tries = 0
  const failing = async () => {
    if (tries++ === 0) throw new Error('first')
    return count()
  }
  expect(await readAhead('ETH', failing, both)).toEqual({ settled: 2, rows: 2 })
  await expect(readAhead('ETH', () => Promise.reject(new Error('broken')), both)).rejects.toThrow('broken')
})
