/** Statements leave open which tables they read; a tiered store fills in the final ones or those of both tiers. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTieredStore, readByTier, TABLE_NAMES, type TieredStore } from '../../../scorer/ledger/reading/tiers.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
afterAll(() => kit.close())

/** A tiered store that writes down the parameters of its statements. */
const recording = () => {
  const asked: unknown[] = []
  const query: TieredStore['query'] = async (_, params) => {
    asked.push(params)
    return []
  }
  return { asked, store: createTieredStore({ ...kit.store, query }, 'final') }
}

test('the replacement of a view over both tiers has its columns', async () => {
  const columnsOf = async (table: string) => {
    const rows = await kit.store.query<{ name: string }>(
      'SELECT name FROM system.columns WHERE database = currentDatabase() AND table = {table:String}',
      { table },
    )
    return rows.map(({ name }) => name).sort()
  }
  for (const [name, { final, all }] of TABLE_NAMES) {
    const columns = await columnsOf(all)
    expect(columns.length, all).toBeGreaterThan(0)
    // A state as it lies may lack what the view works out of it.
    const expected = name.startsWith('unmerged_') ? columns.filter((name) => name === 'address') : columns
    expect(await columnsOf(final), final).toEqual(expect.arrayContaining(expected))
  }
})

test('inserts names of tables into a statement, and keeps those it was given', async () => {
  const { asked, store } = recording()
  const sql =
    'SELECT 1 FROM {ledger_table:Identifier} JOIN {wallet_edges_table:Identifier} USING address WHERE network = {network:String}'
  await store.query(sql, { network: 'ETH' })
  await store.reading('all').query(sql, { network: 'ETH' })
  await store.query(sql, { network: 'ETH', ledger_table: 'ledger_all' })
  expect(asked).toEqual([
    { network: 'ETH', ledger_table: 'ledger', wallet_edges_table: 'wallet_edges_final' },
    { network: 'ETH', ledger_table: 'ledger_all', wallet_edges_table: 'wallet_edges_all' },
    { network: 'ETH', ledger_table: 'ledger_all', wallet_edges_table: 'wallet_edges_final' },
  ])
})

test('reads wallets with hot rows from both tiers, and all others from the final tier', async () => {
  const { asked, store } = recording()
  const read = (tiered: TieredStore, addresses: string[]) =>
    tiered.query('SELECT 1 FROM {ledger_table:Identifier}', { addresses })
  await readByTier(store, { hot: new Set(['b', 'z']) }, ['a', 'b', 'c'], read)
  await readByTier(store, { hot: new Set() }, ['a'], read)
  await readByTier(store, { hot: new Set() }, [], read)
  expect(asked).toEqual([
    { addresses: ['a', 'c'], ledger_table: 'ledger' },
    { addresses: ['b'], ledger_table: 'ledger_all' },
    { addresses: ['a'], ledger_table: 'ledger' },
  ])
})

test('refuses a statement with a placeholder that is no table', async () => {
  const store = createTieredStore(kit.store, 'final')
  await expect(store.query('SELECT 1 FROM {nonsense_table:Identifier}', {})).rejects.toThrow('nonsense')
})

test('statements of readers have placeholders for ledger tables only', () => {
  const files = ['ledger', 'detection', 'profile', 'scoring'].flatMap((room) =>
    readdirSync(`scorer/${room}`, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.sql'))
      .map((file) => readFileSync(join('scorer', room, file), 'utf8')),
  )
  const open = new Set(files.flatMap((sql) => [...sql.matchAll(/\{(\w+)_table:Identifier\}/g)].map(([, name]) => name)))
  expect(open.size).toBeGreaterThan(10)
  expect([...open].filter((name) => !TABLE_NAMES.has(name!))).toEqual([])
})
