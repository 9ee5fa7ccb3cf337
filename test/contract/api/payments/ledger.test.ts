/** The ledger of payments on a real store: which row of an attempt is in force, and how attempts are found. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLedger, moved, type Payment, pagesOf } from '../../../../api/x402/ledger.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { attemptOf } from './payments.kit.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const NOW = 1_790_000_000_123
const row = (key: string, change: Partial<Payment> = {}): Payment =>
  attemptOf(key, { attempt: 'a', state: 'reserved', begun: NOW, moved: NOW, answer: '{"a":"\\n"}', ...change })

const collect = async <T>(pages: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const page of pages) all.push(page)
  return all
}

test('reads all attempts of an authorization as they were written', async () => {
  const ledger = createLedger(kit.store, () => NOW)
  const attempts = [row('k'), row('k', { attempt: 'b', state: 'released', moved: NOW + 1, reason: 'interrupted' })]
  for (const attempt of [...attempts, row('other')]) await ledger.write(attempt)
  const found = await ledger.find('k')
  expect(found.sort((a, b) => (a.attempt < b.attempt ? -1 : 1))).toEqual(attempts)
})

test('a late write of a slow replica does not revert a later state', async () => {
  const [fast, slow] = [createLedger(kit.store, () => NOW), createLedger(kit.store, () => NOW + 60_000)]
  const settling = moved(row('k'), 'settling', NOW)
  const settled = moved(settling, 'settled', NOW, { transaction: '0x5' })
  await fast.write(settled)
  await slow.write(moved(settling, 'pending', NOW + 60_000))
  await slow.write(row('k'))
  expect([await fast.find('k'), await slow.find('k')]).toEqual([[settled], [settled]])
  const open = await collect(pagesOf(fast, ['reserved', 'settling', 'pending'], NOW + 100_000))
  expect(open).toEqual([])
})

test('the later of two states with equal rank is in force', async () => {
  const ledger = createLedger(kit.store, () => NOW)
  const settling = moved(row('k'), 'settling', NOW)
  const pending = moved(settling, 'pending', NOW + 1)
  const again = moved(pending, 'settling', NOW + 2)
  for (const state of [settling, pending, again]) await ledger.write(state)
  expect(await ledger.find('k')).toEqual([again])
})

test('reads attempts of a state in pages, oldest first, each exactly once', async () => {
  const ledger = createLedger(kit.store, () => NOW)
  const keys = Array.from({ length: 1_203 }, (_, index) => `k${String(index).padStart(4, '0')}`)
  await Promise.all(keys.map((key, index) => ledger.write(row(key, { moved: NOW + Math.floor(index / 400) }))))
  await ledger.write(row('young', { moved: NOW + 10 }))
  await ledger.write(row('gone', { state: 'released' }))
  const pages = await collect(pagesOf(ledger, ['reserved'], NOW + 10))
  expect(pages.flat().map(({ key }) => key)).toEqual(keys)
  expect(pages.length).toBe(3)
})
