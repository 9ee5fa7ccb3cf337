/** Migrations, `schema/tables` and the committed dump are one schema; migrations that were released stay as they are. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeData } from '../../../deploy/docs/data-dictionary.ts'
import { dumpSchema } from '../../../deploy/docs/schema-dump.ts'
import { OWN_FUNCTIONS } from '../../../platform/store/analyst/own-functions.ts'
import { openTables, roleStatements } from '../../../platform/store/analyst/role.ts'
import { checkShape } from '../../../platform/store/cluster/shape.ts'
import { readMigrations } from '../../../platform/store/migrate/migrate.ts'
import { expandMacros, splitStatements } from '../../../platform/store/migrate/statements.ts'
import { NETWORK_CODES, networkInfo } from '../../../schema/networks.ts'
import { createStatement } from '../../../schema/tables/ddl.ts'
import { SCHEMA } from '../../../schema/tables/index.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
afterAll(() => kit.close())

const macro = (text: string) => `\${${text}}`
const committed = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test('released migrations match their checksums: a change needs a new migration', () => {
  const lines = readMigrations().map(
    ({ name, text }) => `${createHash('sha256').update(text).digest('hex')}  ${name}\n`,
  )
  expect(committed('schema/migrations/SHA256SUMS')).toBe(lines.join(''))
})

test('a fresh migration gives schema/schema.sql', async () => {
  expect(await dumpSchema(kit.store)).toBe(committed('schema/schema.sql'))
})

test('table networks matches schema/networks.ts, and analysts can join it', async () => {
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

test('EXPLAIN works for every table and reading view', async () => {
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
    "ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, is_deleted) replicated_deduplication_window = 7, replicated_deduplication_window_seconds = 315360000",
  )
  expect(() => expandMacros(macro('no_such'), layout)).toThrow(/no_such/)
  expect(() => expandMacros('', { kind: 'cluster', cluster: "x'; DROP" })).toThrow(/cluster name/)
})

/** What the engine makes of the text of statements, in any order. */
const parsed = async (...statements: string[]): Promise<string[]> => {
  const rows = await kit.store.query<{ text: string }>(
    'SELECT formatQuerySingleLine(arrayJoin({statements:Array(String)})) AS text',
    { statements },
  )
  return rows.map(({ text }) => text)
}

test('the engine parses every cluster statement; tables are created on a Keeper with Docker only (docs/operate/clickhouse-cluster.md)', async () => {
  const layout = { kind: 'cluster' as const, cluster: 'prod' }
  const own = committed('platform/store/migrate/migrate.sql') + committed('platform/store/cluster/sql/create-home.sql')
  const texts = [...readMigrations().map(({ text }) => text), own]
  const statements = texts.flatMap((text) => splitStatements(expandMacros(text, layout)))
  const read = await parsed(...statements)
  expect(read).toHaveLength(statements.length)
  expect(read.filter((statement) => !statement.includes(' ON CLUSTER prod'))).toEqual([])
})

test('the query for the shape of a server runs, and this store is a single server', async () => {
  expect(await checkShape(kit.store, { kind: 'single' })).toBe('')
  await expect(checkShape(kit.store, { kind: 'cluster', cluster: 'prod' })).rejects.toMatchObject({
    code: 'ASSAY_STORE_CLUSTER_SHAPE',
  })
})

test('analysts on a server have the grants of role analyst of the embedded store', async () => {
  const granted = (
    await kit.store.query<Record<string, string>>('SHOW GRANTS FOR analyst', undefined, { route: 'grants' })
  ).map((row) =>
    Object.values(row)[0]
      ?.replace(/ TO analyst$/, '')
      .replace(/`/g, ''),
  )
  const statements = roleStatements({ database: 'default' })
  const [grant = ''] = await parsed(statements[3] ?? '')
  const [, list = ''] = /^GRANT (.*) TO default_analyst WITH REPLACE OPTION$/.exec(grant) ?? []
  expect(
    list
      .split(', ')
      .map((one) => `GRANT ${one}`)
      .toSorted(),
  ).toEqual(granted.toSorted())
  expect(granted).toHaveLength(openTables().length)
  for (const closed of [
    'api_keys',
    'audit_log',
    'audit_secrets',
    'payments',
    'usage',
    'webhook_endpoints',
    'screen_rows',
  ]) {
    expect(openTables()).not.toContain(closed)
  }
  const existing = new Set(
    (await kit.store.query<{ name: string }>('SELECT name FROM system.tables WHERE database = currentDatabase()')).map(
      ({ name }) => name,
    ),
  )
  expect(openTables().filter((table) => !existing.has(table))).toEqual([])
})

test('the analyst role has fixed limits, and its statements run on a cluster', async () => {
  const [role = '', profile = '', quota = '', grant = '', ...functions] = await parsed(
    ...roleStatements({ database: 'assay', cluster: 'prod' }),
  )
  expect(role).toBe('CREATE ROLE IF NOT EXISTS assay_analyst ON CLUSTER prod')
  const [, settings = ''] = / ON CLUSTER prod SETTINGS (.*) TO assay_analyst$/.exec(profile) ?? []
  const limits = settings.split(', ').map((text) => /^(\w+) = (\S+) (.*)$/.exec(text)?.slice(1) ?? [])
  expect(limits.length).toBeGreaterThan(8)
  const names = limits.map(([name = '']) => name)
  const known = await kit.store.query('SELECT name FROM system.settings WHERE name IN {names:Array(String)}', { names })
  expect(known).toHaveLength(names.length)
  for (const [name, value, bound] of limits) {
    expect([`MIN 1 MAX ${value}`, 'CONST'], name).toContain(bound)
  }
  expect(limits).toContainEqual(['readonly', '2', 'CONST'])
  expect(quota).toMatch(/ON CLUSTER prod KEYED BY user_name FOR INTERVAL 1 HOUR MAX queries = /i)
  expect(grant).toMatch(/^GRANT ON CLUSTER prod SELECT ON assay\.address_labels, /)
  expect(functions.map((text) => /^CREATE OR REPLACE FUNCTION (\w+) ON CLUSTER prod AS /.exec(text)?.[1])).toEqual(
    OWN_FUNCTIONS.map(({ name }) => name),
  )
  for (const name of ['x; DROP ROLE y', 'a-b', "q'"])
    expect(() => roleStatements({ database: name })).toThrow(/Names of/)
  expect(() => roleStatements({ database: 'a', cluster: "c'" })).toThrow(/Names of/)
  expect(() => openTables('<analyst> <grants><query>GRANT SELECT ON *.*</query></grants>')).toThrow(/not a grant/)
})

test('docs/use/data-dictionary.md matches schema/tables (npm run docs)', () => {
  expect(committed('docs/use/data-dictionary.md')).toBe(describeData())
})

test('schema/schema.sql matches schema/tables (npm run schema)', async () => {
  const names = `SELECT name FROM system.tables WHERE database = currentDatabase() AND name NOT LIKE 'schema_%' ORDER BY engine LIKE '%View' DESC`
  for (const { name } of await kit.store.query<{ name: string }>(names)) {
    await kit.store.command('DROP TABLE {name:Identifier} SYNC', { name })
  }
  for (const object of SCHEMA) await kit.store.command(expandMacros(createStatement(object), { kind: 'single' }))
  expect(await dumpSchema(kit.store)).toBe(committed('schema/schema.sql'))
})
