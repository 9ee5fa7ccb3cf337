/** While nothing is hot, statements are asked of the final tables instead of the views over both tiers. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { FINAL_OF } from '../../schema/tables/index.ts'
import { finalOnly } from '../../scorer/ledger/tiers.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
afterAll(() => kit.close())

test('what stands for a view over both tiers has its columns', async () => {
  const columnsOf = async (table: string) => {
    const rows = await kit.store.query<{ name: string }>(
      'SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}',
      { table },
    )
    return rows.map(({ name }) => name).sort()
  }
  for (const [view, final] of FINAL_OF) {
    const columns = await columnsOf(view)
    expect(columns.length, view).toBeGreaterThan(0)
    expect(await columnsOf(final), view).toEqual(expect.arrayContaining(columns))
  }
})

test('a statement names final tables, and names that only look like views stay', async () => {
  const asked: string[] = []
  const store = finalOnly({
    ...kit.store,
    query: async (sql) => {
      asked.push(sql)
      return []
    },
  })
  await store.query(
    'SELECT 1 FROM ledger_all AS l JOIN wallet_edges_all USING address JOIN my_ledger_all USING address',
  )
  expect(asked).toEqual([
    'SELECT 1 FROM ledger AS l JOIN wallet_edges_final USING address JOIN my_ledger_all USING address',
  ])
})
