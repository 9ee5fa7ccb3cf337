/**
 * Migrations: numbered `.sql` files, applied once, in order, forward only. Applied files are recorded with their checksums.
 * ClickHouse has no transactional DDL, so progress is recorded per statement, and a crashed run resumes where it stopped.
 * CREATE statements may be repeated, because those whose object exists are skipped after a crash; their progress is
 * recorded for many at once.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Clock, systemClock } from '../../context/clock.ts'
import type { Logger } from '../../context/log.ts'
import { messageOf, OperatorError } from '../../errors.ts'
import type { Store } from '../store.ts'
import { writeFacts } from './facts.ts'
import { withMigrationLock } from './migration-lock.ts'
import { expandMacros, type Layout, splitStatements } from './statements.ts'

type Migration = { number: number; name: string; checksum: string; text: string }
type Applied = { number: number; name: string; checksum: string; statements: number; applied: number }

type MigrateOptions = {
  store: Store
  log: Logger
  /** @default { kind: 'single' } */
  layout?: Layout
  /** Folder of the files. @default schema/migrations */
  folder?: string
  /** @default systemClock */
  clock?: Clock
  /** How long to wait for another migrator, in ms. @default 60_000 */
  waitMs?: number
}

const FOLDER = fileURLToPath(new URL('../../../schema/migrations', import.meta.url))
const OWN_TABLES = fileURLToPath(new URL('./migrate.sql', import.meta.url))
const EXISTING = 'SELECT name FROM system.tables WHERE database = currentDatabase()'
const OBJECT_EXISTS = '57'
/** First migration of version 0.2.0. From it on, migrations are frozen and every later version can open the store. */
const BASELINE = '0001_baseline.sql'
/** Number of CREATE statements after which progress is recorded; each may be repeated after a crash. */
const CREATED_AT_A_TIME = 32

const fail = (message: string, cause?: unknown) =>
  new OperatorError('ASSAY_STORE_MIGRATION_FAILED', message, cause === undefined ? undefined : { cause })
const drift = (message: string) => new OperatorError('ASSAY_STORE_SCHEMA_DRIFT', message)

/** Migrations of a folder, in order. @throws OperatorError ASSAY_STORE_MIGRATION_FAILED when two have the same number. */
export const readMigrations = (folder = FOLDER): Migration[] => {
  const migrations = readdirSync(folder)
    .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { number: Number(name.slice(0, 4)), name, text, checksum: createHash('sha256').update(text).digest('hex') }
    })
  const twice = migrations.find(({ number }, index) => migrations[index + 1]?.number === number)
  if (twice) throw fail(`Two migrations have number ${twice.number}. Nothing was applied. Renumber one.`)
  return migrations
}

const readApplied = async (store: Store): Promise<Map<number, Applied>> => {
  const rows = await store.query<Applied>(
    'SELECT number, name, checksum, statements, applied FROM schema_migrations FINAL ORDER BY number',
    undefined,
    { route: 'migrations' },
  )
  return new Map(rows.map((row) => [row.number, row]))
}

const refuseOlder = (applied: ReadonlyMap<number, Applied>): void => {
  const first = applied.get(1)
  if (first === undefined || first.name === BASELINE) return
  throw new OperatorError(
    'ASSAY_STORE_TOO_OLD',
    `The store was written by a version before 0.2.0 (its first migration is ${first.name}), whose tables this version cannot read. Nothing was changed. Set ASSAY_DATA to a new folder, or CLICKHOUSE_URL to a new database, and let Assay index again. The old data is kept.`,
  )
}

const refuseDrift = (migrations: readonly Migration[], applied: ReadonlyMap<number, Applied>): void => {
  const known = new Map(migrations.map((migration) => [migration.number, migration]))
  for (const done of applied.values()) {
    const file = known.get(done.number)
    if (!file) {
      throw drift(
        `The database has migration ${done.name}, which this version does not know. Nothing was started. Run the version that wrote it, or a newer one.`,
      )
    }
    if (file.checksum !== done.checksum) {
      throw drift(
        `Migration ${file.name} was changed after it was applied. Nothing was started. Restore the file and put the change into a new migration.`,
      )
    }
  }
}

const objectExists = (error: unknown): boolean => {
  const cause = error instanceof Error ? error.cause : undefined
  return typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === OBJECT_EXISTS
}

/**
 * Statements that change the query of a view. After the change the engine identifies the view differently until it is
 * renamed or loaded again, and deduplication depends on that identity: chunks half inserted before the change, or before
 * the next restart, would be counted twice. So the view is renamed and renamed back; it feeds its table under either name.
 */
const changingView = (statement: string): string[] => {
  const [, view, onCluster = ''] = /^ALTER TABLE (\w+)\s+(ON CLUSTER '[^']+'\s+)?MODIFY QUERY\b/.exec(statement) ?? []
  if (view === undefined) return [statement]
  const back = `RENAME TABLE IF EXISTS ${view}_renamed TO ${view} ${onCluster}`
  // A crashed run may have left the view renamed.
  return [back, statement, `RENAME TABLE ${view} TO ${view}_renamed ${onCluster}`, back]
}

const isCreate = (statement: string): boolean => /^CREATE\b(?!\s+OR\s+REPLACE)/i.test(statement)

const applyOne = async (store: Store, migration: Migration, before: Applied | undefined, layout: Layout) => {
  const statements = splitStatements(expandMacros(migration.text, layout))
  const { number, name, checksum } = migration
  let recorded = before?.applied ?? -1
  const record = async (applied: number) => {
    if (applied === recorded) return
    recorded = applied
    await store.insert(
      'schema_migrations',
      `${JSON.stringify({ number, name, checksum, statements: statements.length, applied })}\n`,
    )
  }
  const mayExist = (index: number) =>
    before !== undefined && (index === before.applied || isCreate(statements[index] ?? ''))
  if (!before) await record(0)
  for (const [index, statement] of statements.entries()) {
    if (index < (before?.applied ?? 0)) continue
    if (!isCreate(statement)) await record(index)
    try {
      for (const part of changingView(statement)) await store.command(part)
    } catch (error) {
      if (!mayExist(index) || !objectExists(error)) {
        await record(index)
        throw fail(
          `Migration ${name} failed at statement ${index + 1}: ${messageOf(error)} Earlier statements stay applied; the next start continues with this one.`,
          error,
        )
      }
    }
    if (!isCreate(statement) || (index + 1) % CREATED_AT_A_TIME === 0) await record(index + 1)
  }
  await record(statements.length)
}

/** On a cluster a statement waits for all replicas, and one that is down must not keep processes from starting. */
const createOwnTables = async (store: Store, layout: Layout): Promise<void> => {
  const names = layout.kind === 'cluster' ? await store.query<{ name: string }>(EXISTING) : []
  const existing = new Set(names.map(({ name }) => name))
  for (const statement of splitStatements(expandMacros(readFileSync(OWN_TABLES, 'utf8'), layout))) {
    const [, name = ''] = /^CREATE TABLE IF NOT EXISTS (\w+)/.exec(statement) ?? []
    if (!existing.has(name)) await store.command(statement)
  }
}

/**
 * Migrates the database to this version, and updates tables such as `networks` to what code defines. Safe to call from
 * several processes at once and after a crash.
 * @returns names of the migrations applied by this call.
 * @throws OperatorError ASSAY_STORE_TOO_OLD when the store is older than 0.2.0, ASSAY_STORE_SCHEMA_DRIFT when an applied
 *   file was changed or the database is newer, ASSAY_STORE_MIGRATION_FAILED when a statement fails; RetryableError
 *   ASSAY_STORE_MIGRATION_LOCKED.
 */
export const migrate = async (options: MigrateOptions): Promise<string[]> => {
  const { store, log, layout = { kind: 'single' }, folder, clock = systemClock, waitMs = 60_000 } = options
  const migrations = readMigrations(folder)
  await createOwnTables(store, layout)
  return withMigrationLock(store, clock, waitMs, async () => {
    const applied = await readApplied(store)
    refuseOlder(applied)
    refuseDrift(migrations, applied)
    const pending = migrations.filter(({ number }) => {
      const done = applied.get(number)
      return !done || done.applied < done.statements
    })
    for (const migration of pending) {
      await applyOne(store, migration, applied.get(migration.number), layout)
      log.info({ migration: migration.name }, 'applied a migration')
    }
    // Databases of other folders lack these tables.
    if (folder === undefined) await writeFacts(store, clock)
    return pending.map(({ name }) => name)
  })
}
