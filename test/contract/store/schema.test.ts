/** Migrations, `schema/tables` and the committed dump are one schema; migrations that were released stay as they are. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeData } from '../../../deploy/docs/data-dictionary.ts'
import { dumpSchema } from '../../../deploy/docs/schema-dump.ts'
import { readMigrations } from '../../../platform/store/migrate.ts'
import { expandMacros, splitStatements } from '../../../platform/store/statements.ts'
import { NETWORK_CODES, networkInfo } from '../../../schema/networks.ts'
import { createStatement } from '../../../schema/tables/ddl.ts'
import { SCHEMA } from '../../../schema/tables/index.ts'
import { openTestStore, type TestStore } from '../../kit/store.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
afterAll(() => kit.close())

const macro = (text: string) => `\${${text}}`
const committed = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('released migrations are as their checksums state: a change is a new migration', () => {
  const lines = readMigrations().map(
    ({ name, text }) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`,
  )
  expect(committed('schema/migrations/SHA256SUMS')).toBe(lines.join(''))
})

test('a fresh migration gives schema/schema.sql', async () => {
  expect(await dumpSchema(kit.store)).toBe(committed('schema/schema.sql'))
})

test('table networks is schema/networks.ts, and analysts can join it', async () => {
  const rows = await kit.store.query(
    'SELECT network, family, native_dust, token_dust FROM networks FINAL ORDER BY network',
  )
  expect(rows).toEqual(
    NETWORK_CODES.toSorted().map((network) => {
      const { family, nativeCoin, tokenDust } = networkInfo(network)
      return { network, family, native_dust: String(nativeCoin.dust), token_dust: String(tokenDust) }
    }),
  )
  const joined =
    'SELECT native_symbol FROM blocks_all RIGHT JOIN networks USING network WHERE network = {network:String}'
  expect(await kit.store.query(joined, { network: 'POLYGON' })).toEqual([{ native_symbol: 'POL' }])
})

test('every table and view that reads can be planned', async () => {
  for (const object of SCHEMA.filter(({ kind }) => kind === 'view')) {
    expect(await kit.store.query(`SELECT * FROM ${object.name} LIMIT 0`), object.name).toEqual([])
  }
})

test('on a cluster every table is replicated and every statement runs on all nodes', () => {
  const layout = { kind: 'cluster' as const, cluster: 'prod' }
  const statements = readMigrations().flatMap(({ text }) => splitStatements(expandMacros(text, layout)))
  expect(statements.length).toBeGreaterThanOrEqual(SCHEMA.length)
  for (const statement of statements) {
    const [head = ''] = statement.split('\n')
    expect(head).toContain("ON CLUSTER 'prod'")
    expect(statement).not.toMatch(/\$\{/)
    expect(statement).not.toMatch(/\bnon_replicated/)
    if (/^CREATE TABLE (?!wallet_facts )/.test(head)) {
      expect(statement).toMatch(
        /ENGINE = Replicated\w*MergeTree\('\/clickhouse\/tables\/\{shard\}\/\{database\}\/\{table\}', '\{replica\}'/,
      )
    }
  }
  expect(
    expandMacros(
      `${macro('engine:ReplacingMergeTree(version, is_deleted)')} ${macro('deduplication_window:7')}`,
      layout,
    ),
  ).toBe(
    "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted) replicated_deduplication_window = 7, replicated_deduplication_window_seconds = 604800",
  )
  expect(() => expandMacros(macro('no_such'), layout)).toThrow(/no_such/)
  expect(() => expandMacros('', { kind: 'cluster', cluster: "x'; DROP" })).toThrow(/cluster name/)
})

test('docs/data-dictionary.md is what schema/tables states (npm run docs)', () => {
  expect(committed('docs/data-dictionary.md')).toBe(describeData())
})

test('schema/tables gives schema/schema.sql (npm run schema)', async () => {
  const names = `SELECT name FROM system.tables WHERE database = currentDatabase() AND name NOT LIKE 'schema_%' ORDER BY engine LIKE '%View' DESC`
  for (const { name } of await kit.store.query<{ name: string }>(names)) {
    await kit.store.command('DROP TABLE {name:Identifier} SYNC', { name })
  }
  for (const object of SCHEMA) await kit.store.command(expandMacros(createStatement(object), { kind: 'single' }))
  expect(await dumpSchema(kit.store)).toBe(committed('schema/schema.sql'))
})
