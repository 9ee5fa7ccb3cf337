import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Store } from '../../../platform/store/store.ts'
import { createHotTier } from '../../../scorer/ingest/hot-tier.ts'
import { openTestStore, type TestStore } from '../../kit/store.ts'
import { insertRows, named, rowsOf } from '../../kit/world/transactions.ts'
import { hotTierDeps } from './mover.kit.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const payment = (block: number) => rowsOf([{ from: named('ann'), to: named('bob'), block, value: 1n }], { from: block })
const begin = (store: Store, onStep: (step: string) => void) => {
  const deps = hotTierDeps(store, 'ETH', onStep)
  return { watermarks: deps.watermarks, hot: createHotTier(deps) }
}
const rowsIn = async (table: string) =>
  Number((await kit.store.query<{ n: string }>('SELECT count() AS n FROM {table:Identifier}', { table }))[0]?.n)

test('while a move keeps readers waiting it copies only tables that hold rows of its blocks, blocks last', async () => {
  const steps: string[] = []
  const { watermarks, hot } = begin(kit.store, (step) => steps.push(step))
  const start = await watermarks.enter(undefined, { state: 'settled', settled: 0, target: 0 })
  await insertRows(kit.store, payment(1), 'hot')
  // A token that appears above the target stays where it is.
  const later = rowsOf(
    [
      {
        from: named('ann'),
        to: named('coin'),
        block: 2,
        actions: [{ do: 'token-name', token: named('coin'), symbol: 'C', name: 'Coin' }],
      },
    ],
    { from: 2 },
  )
  await insertRows(kit.store, later, 'hot')
  const mark = await hot.move(start, 1)
  expect(mark).toMatchObject({ state: 'settled', settled: 1 })
  expect([steps.slice(0, 2), steps.slice(2, 4).sort(), steps.slice(4)]).toEqual([
    ['moving', 'claimed'],
    ['moved ledger', 'moved transactions'],
    ['moved blocks', 'covered', 'settled'],
  ])
  await hot.move(mark, 2)
  expect(await rowsIn('tokens')).toBe(1)
})

test('a move is repeated only after every statement of it has ended', async () => {
  let open = 0
  let failed = 0
  const store: Store = {
    ...kit.store,
    command: async (sql, params, options) => {
      if (params?.final === 'transactions') {
        failed++
        throw new Error('lost')
      }
      open++
      await kit.store.command(sql, params, options)
      open--
    },
  }
  const { watermarks, hot } = begin(store, () => undefined)
  const start = await watermarks.enter(undefined, { state: 'settled', settled: 0, target: 0 })
  await insertRows(kit.store, payment(1), 'hot')
  await expect(hot.move(start, 1)).rejects.toThrow('lost')
  expect({ open, failed, ledger: await rowsIn('ledger') }).toEqual({ open: 0, failed: 1, ledger: 2 })
  const again = begin(kit.store, () => undefined)
  const moving = await again.watermarks.current()
  expect(moving?.state).toBe('moving')
  expect(await again.hot.move(moving ?? start, 1)).toMatchObject({ state: 'settled', settled: 1 })
  expect([await rowsIn('transactions'), await rowsIn('ledger'), await rowsIn('blocks')]).toEqual([1, 2, 1])
})
