/** What every engine behind the Store port holds. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLog } from '../../../platform/context/log.ts'
import { migrate, readMigrations } from '../../../platform/store/migrate/migrate.ts'
import type { Store } from '../../../platform/store/store.ts'

export type SuiteStore = { store: Store; close: () => Promise<void> }

const block = (number: number, more: object = {}) =>
  `${JSON.stringify({ network: 'ETH', block_number: number, block_time: 1_700_000_000, block_hash: `0x${number}`, parent_hash: '0x', transaction_count: 1, sees_traces: 1, ...more })}\n`

export const describeStore = (open: () => Promise<SuiteStore>): void => {
  let store: Store
  let close: () => Promise<void>
  const log = createLog('silent')
  const count = async (where: string) =>
    Number((await store.query<{ n: string }>(`SELECT count() AS n FROM blocks WHERE ${where}`))[0]?.n)

  beforeAll(async () => {
    ;({ store, close } = await open())
    await migrate({ store, log })
  })
  afterAll(() => close())

  test('runs migrations once, also when two migrators start together', async () => {
    expect(await migrate({ store, log })).toEqual([])
    expect(await Promise.all([migrate({ store, log }), migrate({ store, log })])).toEqual([[], []])
    const [row] = await store.query<{ n: string }>(
      'SELECT count() AS n FROM schema_migrations FINAL WHERE applied = statements',
    )
    expect(Number(row?.n)).toBe(readMigrations().length)
  })

  test.each([
    ['String', "it's \\ a\ttab\nnewline \u{1f600} {x:String} ?"],
    ['String', ''],
    ['String', "\\'; DROP TABLE blocks; --"],
    ['UInt256', (2n ** 256n - 1n).toString()],
    ['Int256', (-(2n ** 255n)).toString()],
    ['UInt64', '18446744073709551615'],
    ['Array(String)', ["a'b", 'c\\d', '', 'e,f]']],
    ['Array(UInt32)', [1, 2, 4_294_967_295]],
    ['Float64', 0.1],
    ['Bool', true],
  ])('a bound %s comes back as it went: %j', async (type, value) => {
    expect(await store.query(`SELECT {value:${type}} AS value`, { value })).toEqual([{ value }])
  })

  test('binds lists of any length, anywhere in a statement', async () => {
    const many = Array.from({ length: 20_000 }, (_, n) => `0x${n.toString(16).padStart(39, '0')}'`)
    const numbers = many.map((_, n) => 4_000_000_000 + n)
    const [row] = await store.query(
      `SELECT countIf(item IN {many:Array(String)}) AS found, uniqExact(item, number) AS pairs, sum(number) AS sum,
        length({many:Array(String)}) AS length, {none:Array(String)} AS none
      FROM (SELECT arrayJoin(arrayZip({many:Array(String)}, {numbers:Array(UInt32)})) AS pair, pair.1 AS item, pair.2 AS number)`,
      { many, numbers, none: [] },
    )
    const sum = String(numbers.reduce((total, number) => total + number, 0))
    expect(row).toEqual({ found: '20000', pairs: '20000', sum, length: '20000', none: [] })
  })

  test('returns 64-bit and wider integers as text, narrower ones as numbers', async () => {
    expect(
      await store.query("SELECT toUInt64(7) AS a, toInt256(-7) AS b, toUInt32(7) AS c, toDateTime(7, 'UTC') AS d"),
    ).toEqual([{ a: '7', b: '-7', c: 7, d: '1970-01-01 00:00:07' }])
  })

  test('a token makes a repeated insert count once, and applies to its statement only', async () => {
    await store.insert('blocks', block(1), { token: 'once' })
    await store.insert('blocks', block(1), { token: 'once' })
    expect(await count('block_number = 1')).toBe(1)
    await store.insert('blocks', block(2))
    await store.insert('blocks', block(2))
    expect(await count('block_number = 2')).toBe(2)
    const copy =
      'INSERT INTO blocks SELECT * REPLACE (9 AS block_number) FROM blocks WHERE block_hash = {hash:String} ORDER BY ALL'
    await store.command(copy, { hash: '0x1' }, { token: 'copy' })
    await store.command(copy, { hash: '0x1' }, { token: 'copy' })
    expect(await count('block_number = 9')).toBe(1)
  })

  test('stores large inserts completely, during many reads', async () => {
    const rows = Buffer.from(Array.from({ length: 50_000 }, (_, index) => block(1_000_000 + index)).join(''))
    const [, ...reads] = await Promise.all([
      store.insert('blocks', rows, { token: 'large' }),
      ...Array.from({ length: 40 }, (_, n) => store.query('SELECT {n:UInt32} AS n', { n })),
    ])
    expect(reads).toEqual(Array.from({ length: 40 }, (_, n) => [{ n }]))
    expect(await count('block_number >= 1000000')).toBe(50_000)
  })

  test.each([
    ['unknown field', block(3, { surprise: 1 })],
    ['text in a number', block(3, { transaction_count: 'many' })],
    ['no JSON', '{"network": oops}\n'],
  ])('refuses invalid rows as a whole (%s), without quoting them', async (_, bad) => {
    const failure = store.insert('blocks', block(3) + bad, { token: `bad ${_}` })
    await expect(failure).rejects.toMatchObject({ code: 'ASSAY_STORE_ROWS_REFUSED' })
    await expect(failure).rejects.not.toThrow(/many|oops|surprise/)
    expect(await count('block_number = 3')).toBe(0)
  })

  test('stores rows with unpaired surrogates, as truncated names have', async () => {
    await store.insert('blocks', block(4) + block(5, { block_hash: 'a\ud83d' }) + block(6), { token: 'half' })
    expect(await count('block_number BETWEEN 4 AND 6')).toBe(3)
  })

  test('a missing table is an operator error, an invalid statement a bug', async () => {
    await expect(store.query('SELECT * FROM no_such_table')).rejects.toMatchObject({
      code: 'ASSAY_STORE_SCHEMA_MISMATCH',
    })
    await expect(store.query('SELEC 1')).rejects.toMatchObject({ code: 'ASSAY_STORE_STATEMENT_REFUSED' })
  })

  test('an aborted read rejects with the reason of its signal', async () => {
    const reason = new Error('caller left')
    await expect(store.query('SELECT 1', {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })

  test('answers when asked whether it does', async () => {
    expect(await store.healthy()).toBe(true)
  })
}
