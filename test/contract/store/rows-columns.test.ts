import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../../deploy/demo/scenario/random.ts'
import { TABLES } from '../../../schema/block.ts'
import { NETWORK_CODES } from '../../../schema/networks.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { makeBlock } from '../ingest/chain.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
afterAll(() => kit.close())

type Column = { table: string; name: string; type: string; comment: string }
const columns = (where: string) =>
  kit.store.query<Column>(
    `SELECT table, name, type, comment FROM system.columns WHERE database = currentDatabase() AND ${where} ORDER BY table, position`,
  )

test('hot tables have the columns of final ones plus two, views those of final ones', async () => {
  const shape = async (table: string) =>
    (await columns(`table = '${table}'`)).map(({ name, type }) => `${name} ${type}`)
  for (const table of TABLES) {
    const final = await shape(table)
    expect(await shape(`${table}_hot`)).toEqual([...final, 'version UInt64', 'is_deleted UInt8'])
    expect(await shape(`${table}_all`)).toEqual(final)
  }
})

test('every row type fits its table as written', async () => {
  const random = createRandom(3)
  const blocks = NETWORK_CODES.flatMap((network) => [1, 2, 3, 4].map((n) => makeBlock(network, n, '0x', 'x', random)))
  for (const table of TABLES) {
    const rows = blocks.flatMap((block): object[] => block.rows[table])
    await kit.store.insert(table, rows.map((row) => `${JSON.stringify(row)}\n`).join(''), { token: table })
    expect(await kit.store.query(`SELECT count() AS n FROM ${table}`)).toEqual([{ n: String(rows.length) }])
  }
})

test('every table, view and column has a comment', async () => {
  const bare = await columns(
    `comment = '' AND table IN (SELECT name FROM system.tables WHERE database = currentDatabase() AND engine != 'MaterializedView')`,
  )
  expect(bare.map(({ table, name }) => `${table}.${name}`)).toEqual([])
  expect(
    await kit.store.query(
      `SELECT name FROM system.tables WHERE database = currentDatabase() AND comment = '' AND engine != 'MaterializedView'`,
    ),
  ).toEqual([])
})

test('look-ups by key, transaction and block read few granules', async () => {
  await kit.truncate()
  await kit.store.command(
    `INSERT INTO ledger SELECT 'ETH', intDiv(number, 100), number, number * 1000, concat('0x', hex(sipHash64(number))), concat('a', toString(number % 20000)), 'b', 1, 'native', '', 0, 1, 'c' FROM numbers(500000)`,
  )
  const granules = async (where: string) => {
    const [row] = await kit.store.query<{ explain: string }>(
      `EXPLAIN json = 1, indexes = 1 SELECT * FROM ledger_all WHERE network = 'ETH' AND ${where}`,
    )
    const found = [
      ...JSON.stringify(row).matchAll(/Initial Granules\\*":\s*(\d+)[\s\S]*?Selected Granules\\*":\s*(\d+)/g),
    ]
    return found.map((m) => Number(m[2])).at(-1) ?? Number.NaN
  }
  expect(await granules("address = 'a77'")).toBeLessThanOrEqual(2)
  // Of some 490 granules the bloom filter errs about one in a hundred.
  expect(await granules("tx_hash = concat('0x', hex(sipHash64(4242)))")).toBeLessThanOrEqual(10)
})
