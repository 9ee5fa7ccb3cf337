/**
 * What exactly-once rests on, and the traps beside it, asked of the engine itself: a server or chDB upgrade that changes
 * one of them fails here and not in production.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Store } from '../../../platform/store/store.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'

let kit: TestStore
let store: Store

beforeAll(async () => {
  kit = await openTestStore({ migrated: false })
  store = kit.store
})
afterAll(() => kit.close())

const one = async (sql: string, params = {}) => Object.values((await store.query<object>(sql, params))[0] ?? {})
const lines = (rows: object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('')
const numbers = (count: number, v = 1) => lines(Array.from({ length: count }, (_, k) => ({ k, v })))
let names = 0

/** A base table with a materialized view that counts and sums, both with deduplication windows. */
const withView = async ({ window = 100, viewWindow = 100, select = 'count() AS n, sum(v) AS s' } = {}) => {
  const base = `base${++names}`
  await store.command(
    `CREATE TABLE ${base} (k UInt32, v UInt64) ENGINE = MergeTree ORDER BY k SETTINGS non_replicated_deduplication_window = ${window}`,
  )
  await store.command(
    `CREATE TABLE ${base}_state (n UInt64, s UInt64) ENGINE = SummingMergeTree ORDER BY tuple() SETTINGS non_replicated_deduplication_window = ${viewWindow}`,
  )
  await store.command(`CREATE MATERIALIZED VIEW ${base}_feed TO ${base}_state AS SELECT ${select} FROM ${base}`)
  return {
    base,
    counts: async () =>
      [...(await one(`SELECT count() FROM ${base}`)), ...(await one(`SELECT sum(n) FROM ${base}_state`))].map(Number),
  }
}

test('a token counts once in the base table and the materialized view', async () => {
  const { base, counts } = await withView()
  for (const _ of [1, 2, 3]) await store.insert(base, numbers(50), { token: 'a' })
  expect(await counts()).toEqual([50, 50])
})

test('without a deduplication window on the table a token has no effect (the default of MergeTree)', async () => {
  const { base, counts } = await withView({ window: 0, viewWindow: 0 })
  for (const _ of [1, 2]) await store.insert(base, numbers(50), { token: 'a' })
  expect((await counts())[0]).toBe(100)
})

test('the token decides, not the rows: other rows with a known token are dropped silently', async () => {
  const { base, counts } = await withView()
  await store.insert(base, numbers(50), { token: 'a' })
  await store.insert(base, numbers(70), { token: 'a' })
  expect(await counts()).toEqual([50, 50])
  await store.insert(base, numbers(50), { token: 'b' })
  expect(await counts()).toEqual([100, 100])
})

test('a retry after a failed view repairs the view and does not duplicate the base', async () => {
  const { base, counts } = await withView({ select: "count() AS n, sum(throwIf(v = 13, 'no')) AS s" })
  await expect(store.insert(base, numbers(50, 13), { token: 'a' })).rejects.toThrow()
  await store.command(`DROP VIEW ${base}_feed`)
  await store.command(
    `CREATE MATERIALIZED VIEW ${base}_feed TO ${base}_state AS SELECT count() AS n, sum(v) AS s FROM ${base}`,
  )
  await store.insert(base, numbers(50, 13), { token: 'a' })
  expect(await counts()).toEqual([50, 50])
})

test('a token is inserted again after more inserts than the window holds', async () => {
  const { base, counts } = await withView({ window: 3 })
  await store.insert(base, numbers(1), { token: 'a' })
  for (const token of ['b', 'c', 'd', 'e']) await store.insert(base, numbers(1), { token })
  await store.insert(base, numbers(1), { token: 'a' })
  expect((await counts())[0]).toBe(6)
})

test('after a delete, an insert with the same token inserts nothing but reports success', async () => {
  const { base, counts } = await withView()
  await store.insert(base, numbers(50), { token: 'a' })
  await store.command(`DELETE FROM ${base} WHERE 1`)
  await store.insert(base, numbers(50), { token: 'a' })
  expect((await counts())[0]).toBe(0)
})

test('TRUNCATE and DROP PARTITION do forget tokens', async () => {
  const { base, counts } = await withView()
  await store.insert(base, numbers(50), { token: 'a' })
  await store.command(`TRUNCATE TABLE ${base}`)
  await store.insert(base, numbers(50), { token: 'a' })
  expect((await counts())[0]).toBe(50)
  await store.command(`ALTER TABLE ${base} DROP PARTITION tuple()`)
  await store.insert(base, numbers(50), { token: 'a' })
  expect((await counts())[0]).toBe(50)
})

test('deletes do not affect materialized views, so final tables are append-only', async () => {
  const { base, counts } = await withView()
  await store.insert(base, numbers(50), { token: 'a' })
  await store.command(`DELETE FROM ${base} WHERE k < 25`)
  expect(await counts()).toEqual([25, 50])
})

test('an ordered INSERT SELECT with a token counts once over many blocks, in base and view', async () => {
  const { base, counts } = await withView()
  await store.command('CREATE TABLE source (k UInt32, v UInt64) ENGINE = MergeTree ORDER BY k')
  await store.command('INSERT INTO source SELECT number, 1 FROM numbers(3000000)')
  const move = `INSERT INTO ${base} SELECT * FROM source ORDER BY ALL`
  await store.command(move, {}, { token: 'move' })
  await store.command(move, {}, { token: 'move' })
  expect(await counts()).toEqual([3_000_000, 3_000_000])
  await store.command(move, {}, { token: 'another' })
  expect(await counts()).toEqual([6_000_000, 6_000_000])
})

test('exactly one of two racing inserts with one token is kept: compare-and-set', async () => {
  const { base } = await withView()
  await Promise.all([1, 2, 3, 4].map((v) => store.insert(base, lines([{ k: 0, v }]), { token: 'cas' })))
  expect(Number((await one(`SELECT count() FROM ${base}`))[0])).toBe(1)
})

test('ReplacingMergeTree does not correct a view, which has counted both versions', async () => {
  await store.command(
    'CREATE TABLE replaced (k UInt32, v UInt64, ver UInt8) ENGINE = ReplacingMergeTree(ver) ORDER BY k',
  )
  await store.command('CREATE TABLE replaced_state (s UInt64) ENGINE = SummingMergeTree ORDER BY tuple()')
  await store.command('CREATE MATERIALIZED VIEW replaced_feed TO replaced_state AS SELECT sum(v) AS s FROM replaced')
  await store.insert('replaced', lines([{ k: 1, v: 100, ver: 1 }]))
  await store.insert('replaced', lines([{ k: 1, v: 60, ver: 2 }]))
  expect((await one('SELECT sum(v) FROM replaced FINAL')).map(Number)).toEqual([60])
  expect((await one('SELECT sum(s) FROM replaced_state')).map(Number)).toEqual([160])
})

test('a tombstone hides a row under FINAL, a newer version restores it, an older one does not', async () => {
  await store.command(
    'CREATE TABLE hot (k UInt32, version UInt64, is_deleted UInt8 DEFAULT 0) ENGINE = ReplacingMergeTree(version, is_deleted) ORDER BY k',
  )
  const add = (version: number, is_deleted = 0) => store.insert('hot', lines([{ k: 1, version, is_deleted }]))
  const seen = async () => Number((await one('SELECT count() FROM hot FINAL'))[0])
  await add(1)
  await add(2, 1)
  expect(await seen()).toBe(0)
  await add(1)
  expect(await seen()).toBe(0)
  await add(3)
  expect(await seen()).toBe(1)
  await store.command('OPTIMIZE TABLE hot FINAL')
  expect(await seen()).toBe(1)
})

test('an alias takes precedence over a column of its name in WHERE, so tombstones need another alias', async () => {
  await store.command('CREATE TABLE aliased (version UInt64) ENGINE = MergeTree ORDER BY version')
  await store.insert('aliased', lines([{ version: 1 }]))
  expect(await store.query('SELECT 10 AS version FROM aliased WHERE version < 10')).toEqual([])
  expect(await store.query('SELECT 10 AS undone_by FROM aliased WHERE version < 10')).toEqual([{ undone_by: 10 }])
})

test('FINAL returns one key of two partitions twice if partitions are not merged, so the partition must depend on the key', async () => {
  await store.command(
    'CREATE TABLE parted (k UInt32, p UInt8, ver UInt8) ENGINE = ReplacingMergeTree(ver) PARTITION BY p ORDER BY k',
  )
  await store.insert('parted', lines([{ k: 1, p: 1, ver: 1 }]))
  await store.insert('parted', lines([{ k: 1, p: 2, ver: 2 }]))
  const count = (value: 0 | 1) =>
    one(`SELECT count() FROM parted FINAL SETTINGS do_not_merge_across_partitions_select_final = ${value}`)
  expect([Number((await count(0))[0]), Number((await count(1))[0])]).toEqual([1, 2])
})

test('optimize_on_insert collapses rows of one insert; with 0 every row is kept', async () => {
  await store.command(
    'CREATE TABLE signed (k UInt32, v Int64, sign Int8) ENGINE = CollapsingMergeTree(sign) ORDER BY k',
  )
  const cancel = lines([
    { k: 1, v: 5, sign: -1 },
    { k: 1, v: 5, sign: -1 },
  ])
  await store.insert('signed', cancel)
  expect((await one('SELECT count() FROM signed')).map(Number)).toEqual([2])
  await store.command('INSERT INTO signed SETTINGS optimize_on_insert = 1 SELECT 2, 5, arrayJoin([-1, -1])')
  expect((await one('SELECT count() FROM signed WHERE k = 2')).map(Number)).toEqual([1])
})

test('a signed row cannot subtract from states of min, max and uniq, only from sums', async () => {
  await store.command('CREATE TABLE signs (v UInt64, sign Int8) ENGINE = Memory')
  await store.insert(
    'signs',
    lines([
      { v: 100, sign: 1 },
      { v: 90, sign: 1 },
      { v: 90, sign: -1 },
    ]),
  )
  expect((await one('SELECT sum(v * sign), sum(sign), min(v), uniqExact(v) FROM signs')).map(Number)).toEqual([
    100, 1, 90, 2,
  ])
})

test('integers out of range wrap silently, so sources must not send them', async () => {
  await store.command('CREATE TABLE wide (v UInt256, n UInt64) ENGINE = MergeTree ORDER BY n')
  await store.insert('wide', lines([{ v: (2n ** 256n + 3n).toString(), n: (2n ** 64n + 5n).toString() }]))
  expect(await store.query('SELECT * FROM wide')).toEqual([{ v: '3', n: '5' }])
})

test('settings of one statement do not affect the next', async () => {
  const { base, counts } = await withView()
  await store.insert(base, numbers(1), { token: 'sticky' })
  await store.insert(base, numbers(1))
  await store.command(`INSERT INTO ${base} SELECT 1, 1`)
  expect((await counts())[0]).toBe(3)
  expect(await one("SELECT value FROM system.settings WHERE name = 'async_insert'")).toEqual(['0'])
})

test('servers from 26 on drop an insert equal to an earlier one despite insert_deduplicate 0, unless it has a unique token', async () => {
  const { base, counts } = await withView()
  for (const _ of [1, 2])
    await store.command(
      `INSERT INTO ${base} SETTINGS insert_deduplicate = 0, insert_deduplication_token = '' VALUES (1, 1)`,
    )
  expect((await counts())[0]).toBe(1)
  for (const _ of [1, 2]) await store.insert(base, numbers(3))
  expect((await counts())[0]).toBe(7)
})

test('a view sees the token of its insert, also of INSERT ... SELECT, and may return nothing for it', async () => {
  const { base, counts } = await withView()
  const only = `NOT endsWith(getSetting('insert_deduplication_token'), ':apart')`
  await store.command(
    `ALTER TABLE ${base}_feed MODIFY QUERY SELECT count() AS n, sum(v) AS s FROM ${base} WHERE ${only}`,
  )
  await store.insert(base, numbers(50), { token: 'a:apart' })
  expect(await counts()).toEqual([50, 0])
  await store.insert(base, numbers(50), { token: 'a' })
  expect(await counts()).toEqual([100, 50])
  const copied = `INSERT INTO ${base} SELECT * FROM ${base} ORDER BY ALL`
  await store.command(copied, {}, { token: 'b:apart' })
  expect(await counts()).toEqual([200, 50])
  await store.command(copied, {}, { token: 'b' })
  expect(await counts()).toEqual([400, 250])
})

test('a view with a changed query forgets its tokens until it is renamed', async () => {
  const { base, counts } = await withView()
  const insert = () => store.insert(base, numbers(50), { token: 'a' })
  await insert()
  await store.command(`ALTER TABLE ${base}_feed MODIFY QUERY SELECT count() AS n, sum(v) AS s FROM ${base}`)
  await store.command(`RENAME TABLE ${base}_feed TO ${base}_renamed`)
  await store.command(`RENAME TABLE ${base}_renamed TO ${base}_feed`)
  await insert()
  expect(await counts()).toEqual([50, 50])
  await store.command(`ALTER TABLE ${base}_feed MODIFY QUERY SELECT count() AS n, sum(v) AS s FROM ${base}`)
  await insert()
  expect(await counts()).toEqual([50, 100])
})
