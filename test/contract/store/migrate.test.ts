/** What a migrator does with a store that others wrote, died over, or hold. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '../../../platform/context/log.ts'
import { migrate } from '../../../platform/store/migrate/migrate.ts'
import type { Store } from '../../../platform/store/store.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'

const log = createLog('silent')
const folder = mkdtempSync(join(tmpdir(), 'assay-migrations-'))
let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore({ migrated: false })
  await migrate({ store: kit.store, log, folder: emptyFolder() })
})
beforeEach(async () => {
  for (const table of ['schema_migrations', 'schema_locks']) await kit.store.command(`TRUNCATE TABLE ${table}`)
  for (const table of ['one', 'two', 'three']) await kit.store.command(`DROP TABLE IF EXISTS ${table} SYNC`)
})
afterAll(async () => {
  await kit.close()
  rmSync(folder, { recursive: true, force: true })
})

const emptyFolder = () => mkdtempSync(join(folder, 'of-'))
const folderOf = (files: Record<string, string>) => {
  const path = emptyFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return path
}
const table = (name: string) => `CREATE TABLE ${name} (n UInt8) ENGINE = \${engine:MergeTree} ORDER BY n;\n`
const applied = (row: object) =>
  kit.store.insert(
    'schema_migrations',
    JSON.stringify({
      number: 1,
      name: '0001_baseline.sql',
      checksum: 'x'.repeat(64),
      statements: 1,
      applied: 1,
      ...row,
    }),
  )

/** A store whose process dies before the statement that `dies` names. */
const dying = (dies: Pick<RegExp, 'test'>): Store => {
  let dead = false
  const alive = (sql: string) => {
    dead ||= dies.test(sql)
    if (dead) throw new Error('killed')
  }
  return {
    ...kit.store,
    command: async (sql, ...rest) => {
      alive(sql)
      await kit.store.command(sql, ...rest)
    },
    insert: async (name, rows, ...rest) => {
      if (dead) throw new Error('killed')
      await kit.store.insert(name, rows, ...rest)
    },
  }
}
const count = async (name: string) =>
  Number((await kit.store.query<{ n: string }>(`SELECT count() AS n FROM ${name}`))[0]?.n)

test.each([/^ALTER TABLE one_feed/, /^RENAME TABLE one_feed TO/, /^RENAME TABLE IF EXISTS one_feed_renamed/])(
  'counts rows once that were partly inserted before a view changed, also if the migration was killed before %s',
  async (dies) => {
    const counting = (name: string) =>
      `CREATE TABLE ${name} (n UInt8) ENGINE = \${engine:MergeTree} ORDER BY n SETTINGS \${deduplication_window:9};\n`
    const feed = 'SELECT n FROM one'
    const files = {
      '0001_baseline.sql': `${counting('one')}${counting('two')}CREATE MATERIALIZED VIEW one_feed \${on_cluster} TO two AS ${feed};\n`,
    }
    await migrate({ store: kit.store, log, folder: folderOf(files) })
    const insert = () => kit.store.insert('one', '{"n":1}\n', { token: 'half' })
    await insert()
    const changed = {
      ...files,
      '0002_change.sql': `ALTER TABLE one_feed \${on_cluster} MODIFY QUERY ${feed} WHERE n > 0;\n`,
    }
    const path = folderOf(changed)
    let seen = 0
    // The second of the renames back, where there are two.
    const last = { test: (sql: string) => dies.test(sql) && ++seen === (dies.source.includes('IF EXISTS') ? 2 : 1) }
    await expect(migrate({ store: dying(last), log, folder: path })).rejects.toThrow()
    await kit.store.command('TRUNCATE TABLE schema_locks')
    expect(await migrate({ store: kit.store, log, folder: path })).toEqual(['0002_change.sql'])
    await insert()
    expect([await count('one'), await count('two')]).toEqual([1, 1])
    await kit.store.command('DROP TABLE one_feed SYNC')
  },
)

test.each([/TABLE one/, /TABLE two/, /INSERT INTO one/, /TABLE three/])(
  'a migration killed before %s continues and repeats nothing',
  async (dies) => {
    const path = folderOf({
      '0001_baseline.sql': `${table('one')}${table('two')}INSERT INTO one VALUES (1);\n${table('three')}`,
    })
    await expect(migrate({ store: dying(dies), log, folder: path })).rejects.toThrow()
    // The lock of the dead: older than a process that starts now.
    await kit.store.command('TRUNCATE TABLE schema_locks')
    expect(await migrate({ store: kit.store, log, folder: path })).toEqual(['0001_baseline.sql'])
    expect(await count('one')).toBe(1)
    expect(await count('three')).toBe(0)
    expect(await migrate({ store: kit.store, log, folder: path })).toEqual([])
  },
)

test('does not take over a foreign object with the same name', async () => {
  await kit.store.command('CREATE TABLE one (other String) ENGINE = MergeTree ORDER BY other')
  const path = folderOf({ '0001_baseline.sql': table('one') })
  await expect(migrate({ store: kit.store, log, folder: path })).rejects.toMatchObject({
    code: 'ASSAY_STORE_MIGRATION_FAILED',
  })
})

test('refuses a store from before 0.2.0 with a remedy', async () => {
  await applied({ name: '0001_ingest.sql' })
  const failure = migrate({ store: kit.store, log })
  await expect(failure).rejects.toMatchObject({ code: 'ASSAY_STORE_TOO_OLD', exitCode: 1 })
  await expect(failure).rejects.toThrow(/before 0\.2\.0.*ASSAY_DATA.*CLICKHOUSE_URL/)
  expect(
    await kit.store.query(`SELECT name FROM system.tables WHERE database = currentDatabase() AND name = 'ledger'`),
  ).toEqual([])
})

test('refuses a store of a newer version and a changed migration', async () => {
  const path = folderOf({ '0001_baseline.sql': table('one') })
  await applied({})
  await expect(migrate({ store: kit.store, log, folder: path })).rejects.toThrow(/was changed after it was applied/)
  await kit.store.command('TRUNCATE TABLE schema_migrations')
  await migrate({ store: kit.store, log, folder: path })
  await applied({ number: 9, name: '0009_newer.sql' })
  await expect(migrate({ store: kit.store, log, folder: path })).rejects.toMatchObject({
    code: 'ASSAY_STORE_SCHEMA_DRIFT',
  })
})

const lockTaken = (ago: number) =>
  kit.store.insert(
    'schema_locks',
    JSON.stringify({
      generation: 1,
      owner: 'dead',
      released: 0,
      taken_at: new Date(Date.now() - ago).toISOString().replace('T', ' ').replace('Z', ''),
    }),
  )

test('on an embedded store the lock of a killed process blocks no other', async () => {
  await lockTaken(process.uptime() * 1_000 + 1_000)
  const path = folderOf({ '0001_baseline.sql': table('one') })
  expect(await migrate({ store: kit.store, log, folder: path, waitMs: 0 })).toEqual(['0001_baseline.sql'])
})

test('waits for a lock of this process, or of any process on a server', async () => {
  const path = folderOf({ '0001_baseline.sql': table('one') })
  await lockTaken(0)
  await expect(migrate({ store: kit.store, log, folder: path, waitMs: 0 })).rejects.toMatchObject({
    code: 'ASSAY_STORE_MIGRATION_LOCKED',
  })
  await kit.store.command('TRUNCATE TABLE schema_locks')
  await lockTaken(300_000)
  const server = { ...kit.store, embedded: false }
  await expect(migrate({ store: server, log, folder: path, waitMs: 0 })).rejects.toMatchObject({
    code: 'ASSAY_STORE_MIGRATION_LOCKED',
  })
})

test('on a cluster a start with all tables needs no other replica', async () => {
  // chDB refuses every statement that is for a cluster.
  const layout = { kind: 'cluster' as const, cluster: 'assay' }
  expect(await migrate({ store: kit.store, log, folder: emptyFolder(), layout })).toEqual([])
  await kit.store.command('DROP TABLE schema_locks SYNC')
  await expect(migrate({ store: kit.store, log, folder: emptyFolder(), layout })).rejects.toThrow(
    /ON CLUSTER|Replicated DDL|CREATE TABLE IF/,
  )
  await migrate({ store: kit.store, log, folder: emptyFolder() })
})
