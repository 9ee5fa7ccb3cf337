/** What `assay sql` lets through, and what it refuses: attacks by a list and by chance. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { secret } from '../../../../platform/config/config.ts'
import { createLog } from '../../../../platform/context/log.ts'
import { isAssayError } from '../../../../platform/errors.ts'
import { type Analyst, openAnalyst } from '../../../../platform/store/analyst/analyst.ts'
import { allowedFunctions, type EngineFunction } from '../../../../platform/store/analyst/functions.ts'
import { type AnalystListener, listenForAnalysts } from '../../../../platform/store/analyst/http/listen.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { until } from '../../../kit/until.ts'
import { attacks, PLACES, SECRET, SECRET_KEY } from './attacks.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-analyst-'))
const secretFile = join(folder, 'secret.csv')
const outFile = join(folder, 'out.csv')

let kit: TestStore
let analyst: Analyst
let listener: AnalystListener
const PASSWORD = 'a-password-of-this-test'
beforeAll(async () => {
  kit = await openTestStore()
  writeFileSync(secretFile, `${SECRET}\n`)
  await kit.store.insert('api_keys', SECRET_KEY)
  analyst = await openAnalyst(kit.path)
  listener = await listenForAnalysts({
    analyst: async () => analyst,
    port: 0,
    password: secret(PASSWORD),
    log: createLog('silent'),
  })
})
afterAll(async () => {
  await listener.close()
  await analyst.close()
  await kit.close()
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (statement: string) => (await analyst.ask(statement, 'ndjson')).toString()
/** Code of the refusal, or what was answered. */
const outcome = (statement: string): Promise<string> =>
  ask(statement).then(
    (answer) => `ANSWERED ${answer.slice(0, 100)}`,
    (error: unknown) => {
      expect(String(error)).not.toContain(SECRET)
      return isAssayError(error) ? error.code.replace('ASSAY_SQL_', '') : `UNCODED ${error}`
    },
  )

const F = secretFile

test('refuses attacks with a code, and nothing is read or written', async () => {
  const wrong: string[] = []
  for (const [code, ...statements] of attacks(F, outFile)) {
    for (const statement of statements) {
      const is = await outcome(statement)
      if (!code.test(is)) wrong.push(`${statement.slice(0, 90)} -> ${is}`)
    }
  }
  expect(wrong).toEqual([])
  expect(existsSync(outFile)).toBe(false)
  expect(readFileSync(secretFile, 'utf8')).toBe(`${SECRET}\n`)
  expect(await kit.store.query('SELECT count() AS n FROM api_keys')).toEqual([{ n: '1' }])
})

test('rows of a failed statement do not leak into the next result', async () => {
  for (const failing of [
    'SELECT number FROM numbers(1000001)',
    'SELECT number FROM numbers(400000) WHERE throwIf(number = 390000) = 0',
  ]) {
    expect(await outcome(failing)).toMatch(/^LIMIT$|^INVALID$/)
    expect(await ask('SELECT 2 AS two')).toBe('{"two":2}\n')
    await outcome(failing)
    expect(await ask('SHOW TABLES')).toMatch(/^{"name":"address_labels"}\n/)
    // What the product reads has connections of the same kind.
    for (let reader = 0; reader < 3; reader++) {
      await kit.store
        .query('SELECT number FROM numbers(400000) WHERE throwIf(number = 390000) = 0')
        .catch(() => undefined)
      expect(await kit.store.query('SELECT 3 AS three')).toEqual([{ three: 3 }])
    }
  }
})

test('refuses what is not allowed in every part of a statement', async () => {
  const forbidden = [
    `file('${F}')`,
    '(SELECT max(id) FROM api_keys)',
    `(SELECT max(line) FROM file('${F}', LineAsString))`,
  ]
  const passed: string[] = []
  for (const place of PLACES) {
    for (const what of forbidden) {
      const is = await outcome(place.replaceAll('§', what))
      // EXPLAIN AST and EXPLAIN SYNTAX of a closed table only print the statement.
      const prints = /^EXPLAIN (AST|SYNTAX)/.test(place) && what.includes('api_keys')
      if (is.startsWith('UNCODED') || is.includes(SECRET) || (is.startsWith('ANSWERED') && !prints)) {
        passed.push(`${place} ${what} -> ${is}`)
      }
    }
  }
  expect(passed).toEqual([])
})

test('the allowed functions are the reviewed ones: an engine with others needs a new review', async () => {
  const engine = await kit.store.query<EngineFunction>(
    "SELECT name, is_aggregate, case_insensitive, alias_to, categories FROM system.functions WHERE origin = 'System' ORDER BY name",
  )
  const { allows } = allowedFunctions(engine, [])
  const open = engine.filter(({ name }) => allows(name)).map(({ name }) => name)
  expect([open.length, createHash('sha256').update(open.join(' ')).digest('hex').slice(0, 16)]).toEqual([
    1543,
    '53dcff8da9fa1348',
  ])
})

test('the engine itself refuses tables, files and hosts to the role, without the guard', async () => {
  const { createChdbConnection } = await import('chdb/connection')
  const connection = createChdbConnection({ path: kit.path })
  const run = (sql: string) =>
    connection.chdb.queryAsync(sql, { format: 'TSV' }).then(
      (result) => result.text(),
      (error: unknown) => /\(([A-Z_]+)\)\s*$/.exec(String(error))?.[1],
    )
  await run('SET ROLE analyst')
  for (const statement of [
    'SELECT * FROM api_keys',
    'SELECT * FROM payments',
    `SELECT * FROM file('${F}', 'LineAsString')`,
    "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'a String')",
    'SELECT * FROM system.users',
    'TRUNCATE TABLE networks',
    'CREATE TABLE x (a String) ENGINE = Memory',
  ]) {
    expect(await run(statement), statement).toBe('ACCESS_DENIED')
  }
  await connection.close()
  // Other connections keep their rights.
  expect(await kit.store.query('SELECT id FROM api_keys')).toEqual([{ id: SECRET }])
})

test('runs typical statements: joins, windows, aggregates with combinators, JSON, arrays, every open view', async () => {
  const rows = async (statement: string) => (await ask(statement)).trimEnd().split('\n').filter(Boolean).length
  expect(
    JSON.parse(
      await ask(`WITH top AS (SELECT number AS n FROM numbers(10))
        SELECT countIf(n > 4) AS c, argMaxIf(n, n, n < 8) AS a, quantile(0.5)(n) AS q, uniqExact(n) AS u,
          arraySum(arrayMap(x -> x + 1, groupArray(n))) AS s, count(DISTINCT n % 3) AS d,
          CASE WHEN max(n) > 3 THEN 'more' ELSE 'less' END AS w, toString(max(n))::String AS t
        FROM top WHERE n IN (SELECT number FROM numbers(100)) AND EXISTS (SELECT 1) -- a comment
        ;`),
    ),
  ).toEqual({ c: '5', a: '7', q: 4.5, u: '10', s: '55', d: '3', w: 'more', t: '9' })
  expect(await rows('SELECT number, row_number() OVER (PARTITION BY number % 2 ORDER BY number) FROM numbers(6)')).toBe(
    6,
  )
  expect(
    await rows(
      "SELECT toStartOfDay(now() - INTERVAL 1 DAY) AS d, dateDiff('day', d, now()) AS x WHERE d BETWEEN d AND now()",
    ),
  ).toBe(1)
  expect(
    await rows('SELECT a.network FROM networks AS a FINAL LEFT JOIN networks AS b USING (network) ORDER BY 1 LIMIT 3'),
  ).toBe(3)
  expect(await rows('SELECT * EXCEPT (version) FROM networks LIMIT 2')).toBe(2)
  expect(await rows('EXPLAIN SELECT 1')).toBeGreaterThan(0)
  const open = (await ask('SHOW TABLES'))
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { name: string }).name)
  expect(open).not.toContain('api_keys')
  expect(open).toEqual(
    expect.arrayContaining([
      'tokens_current',
      'transfers',
      'wallets_current',
      'contracts_current',
      'ledger_all',
      'current_labels',
    ]),
  )
  for (const table of open) {
    if (/^(wallet_facts|.*_from_.*)$/.test(table)) continue
    expect(await rows(`SELECT * FROM ${table} LIMIT 0`), table).toBe(0)
    expect(await rows(`DESCRIBE ${table}`), table).toBeGreaterThan(0)
  }
  expect((await analyst.ask('SELECT 1 AS a', 'csv')).toString()).toBe('"a"\n1\n')
  expect((await analyst.ask('SELECT 1 AS a', 'parquet')).subarray(0, 4).toString()).toBe('PAR1')
  expect((await analyst.ask('SELECT 1 AS a', 'table')).toString()).toContain('│ 1 │')
  expect(JSON.parse((await analyst.ask('SELECT 1 AS a', 'json')).toString()).data).toEqual([{ a: 1 }])
})

test('system tables that drivers query show nothing closed', async () => {
  for (const table of ['tables', 'columns']) {
    const closed = `SELECT count() AS n FROM system.${table} WHERE ${table === 'tables' ? 'name' : 'table'} IN ('api_keys', 'payments', 'audit_log')`
    expect(await ask(closed)).toBe('{"n":"0"}\n')
    expect(await ask(`SELECT count() > 0 AS n FROM system.${table} WHERE database = 'default'`)).toBe('{"n":1}\n')
  }
  expect(await ask("SELECT value FROM system.settings WHERE name = 'readonly'")).toBe('{"value":"1"}\n')
})

/** Over HTTP: the body of an answer, or of a refusal. */
const asked = async (statement: string, search = '') => {
  const response = await fetch(`http://127.0.0.1:${listener.port}/?${search}`, {
    method: 'POST',
    headers: { 'x-clickhouse-key': PASSWORD },
    body: statement,
  })
  const body = await response.text()
  expect(body).not.toContain(SECRET)
  return { status: response.status, code: Number(response.headers.get('x-clickhouse-exception-code')), body }
}

test('the client of ClickHouse asks over HTTP', async () => {
  const client = createClient({
    url: `http://127.0.0.1:${listener.port}`,
    username: 'analyst',
    password: PASSWORD,
    log: { level: ClickHouseLogLevel.OFF },
  })
  expect(await client.ping()).toMatchObject({ success: true })
  const result = await client.query({
    query:
      'SELECT {text:String} AS text, {list:Array(String)} AS list, {none:Nullable(UInt8)} AS none, {n:UInt64} AS n',
    query_params: { text: "it's\ta \\ {n:UInt64}", list: ["o'", 'b'], none: null, n: '18446744073709551615' },
    format: 'JSONEachRow',
    clickhouse_settings: { max_execution_time: 1, readonly: '0' },
  })
  expect(await result.json()).toEqual([
    { text: "it's\ta \\ {n:UInt64}", list: ["o'", 'b'], none: null, n: '18446744073709551615' },
  ])
  const stream = await client.query({ query: 'SELECT number FROM numbers(100000)', format: 'JSONCompactEachRow' })
  let rows = 0
  for await (const chunk of stream.stream()) rows += chunk.length
  expect(rows).toBe(100_000)
  await expect(client.query({ query: 'SELECT * FROM api_keys' })).rejects.toMatchObject({
    code: '497',
    type: 'ACCESS_DENIED',
  })
  await expect(client.query({ query: 'SELECT nosuch FROM networks' })).rejects.toMatchObject({
    code: '47',
    type: 'UNKNOWN_IDENTIFIER',
  })
  await expect(client.insert({ table: 'networks', values: [{ network: 'X' }] })).rejects.toMatchObject({ code: '497' })
  await expect(client.command({ query: 'DROP TABLE networks' })).rejects.toMatchObject({ code: '497' })
  await client.close()
})

test('Native output has the frames that clients of a protocol version expect', async () => {
  const types = [
    "toNullable('a')",
    '[[toNullable(toUInt16(1)), NULL], []]',
    "map('k', [toUInt8(1), 2], 'l', [])",
    "CAST((1, 'x'), 'Tuple(a UInt8, `b c` String)')",
    "CAST('a,(', 'Enum8(\\'a,(\\' = 1)')",
    "CAST('1.5', 'Decimal(76, 18)')",
    'toDecimal32(1, 2)',
    "toDateTime64('2026-01-05 00:00:00.123', 3, 'UTC')",
    "toFixedString('abc', 3)",
    "toLowCardinality('low')",
    "[toLowCardinality(toNullable('low')), NULL]",
    "CAST([], 'Array(LowCardinality(String))')",
    "CAST(map('k', ('v', 1)), 'Map(LowCardinality(String), Tuple(LowCardinality(String), UInt8))')",
    'toLowCardinality(toString(number % 300))',
    'generateUUIDv4()',
    "toIPv6('::1')",
    'true',
    'INTERVAL 1 DAY',
    'NULL',
    'toDate32(1)',
    'toUInt256(number)',
    "repeat('x', 300)",
  ]
  const native = async (columns: readonly string[], rows: number, protocol: number) => {
    const response = await fetch(`http://127.0.0.1:${listener.port}/?client_protocol_version=${protocol}`, {
      method: 'POST',
      headers: { 'x-clickhouse-key': PASSWORD },
      body: `SELECT ${columns.map((column, index) => `${column} AS c${index}`).join(', ')} FROM numbers(${rows}) FORMAT Native`,
    })
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const plain = await native(types, 3, 0)
  const old = await native(types, 3, 54_405)
  const full = await native(types, 3, 54_460)
  expect([plain.status, old.status, full.status]).toEqual([200, 200, 200])
  expect(old.bytes.subarray(0, 8).toString('hex')).toBe('010002ffffffff00')
  expect(old.bytes.length).toBe(plain.bytes.length + 8)
  expect(full.bytes.length).toBe(plain.bytes.length + 8 + types.length)
  const many = await native(['toLowCardinality(toString(number))', 'toString(number)'], 200_000, 54_460)
  expect([many.status, many.bytes.length > 2_000_000]).toEqual([200, true])
  expect((await native(['sumState(number)'], 3, 54_460)).status).toBe(400)
})

test('HTTP refuses what assay sql refuses, and HTTP parameters allow nothing more', async () => {
  const passed: string[] = []
  const refused = async (statement: string, search = '') => {
    const { status } = await asked(statement, search)
    if (status < 400) passed.push(`${statement} ${search}`)
  }
  for (const [, ...statements] of attacks(F, outFile)) {
    // Over HTTP a statement may end with its format.
    for (const statement of statements) if (statement !== 'SELECT 1 FORMAT CSV') await refused(statement)
  }
  for (const place of PLACES) {
    if (!/^EXPLAIN (AST|SYNTAX)/.test(place)) await refused(place.replaceAll('§', '(SELECT max(id) FROM api_keys)'))
    await refused(`${place.replaceAll('§', `file('${F}')`)} FORMAT JSONEachRow`)
  }
  const url = (params: Record<string, string>) => new URLSearchParams(params).toString()
  await refused('SELECT * FROM {t:Identifier}', url({ param_t: 'api_keys' }))
  await refused(`SELECT {x:String), file('${F}')}`, url({ param_x: 'a' }))
  await refused(`SELECT {x:Nullable(String)'), file('${F}}`, url({ param_x: '\\N' }))
  await refused('SELECT {x:String', url({ param_x: 'a' }))
  await refused('api_keys', url({ query: 'SELECT * FROM' }))
  await refused(`'${F}')`, url({ query: 'SELECT file(' }))
  await refused('{"network":"X"}', url({ query: 'INSERT INTO networks FORMAT JSONEachRow' }))
  for (const format of ['Template', 'Protobuf', 'CapnProto', 'Npy', 'Avro', 'nosuch']) {
    await refused('SELECT 1', url({ default_format: format }))
    await refused(`SELECT 1 FORMAT ${format}`)
  }
  for (const search of ['compress=1', 'decompress=1', 'database=system']) await refused('SELECT 1', search)
  for (const search of ['readonly=0', 'role=owner', 'user=default', 'session_id=1', 'allow_ddl=1&readonly=2']) {
    expect((await asked("SELECT currentUser(), value FROM system.settings WHERE name = 'readonly'", search)).body).toBe(
      'default\t1\n',
    )
    await refused('SELECT * FROM api_keys', search)
  }
  // A value of a parameter stays a value.
  expect((await asked('SELECT {x:String}', url({ param_x: `'), file('${F}` }))).body).toBe(`\\'), file(\\'${F}\n`)
  expect(passed).toEqual([])
  expect(existsSync(outFile)).toBe(false)
})

test('stops a statement at its limits of time, memory and rows, and runs the next one', async () => {
  const small = await openAnalyst(kit.path, { seconds: 1, memory: 50_000_000, rows: 10 })
  const limited = (statement: string) =>
    expect(small.ask(statement, 'csv'), statement).rejects.toMatchObject({ code: 'ASSAY_SQL_LIMIT' })
  await limited('SELECT number FROM numbers(11)')
  await limited('SELECT sum(sipHash64(number)) FROM numbers(100000000000)')
  await limited('SELECT length(groupArray(number)) FROM numbers(50000000)')
  expect((await small.ask('SELECT 1', 'csv')).toString()).toBe('"1"\n1\n')
  await small.close()
})

test('answers at the limit for a statement that cannot be interrupted; only later statements wait', async () => {
  const small = await openAnalyst(kit.path, { seconds: 1 }, 200)
  const began = Date.now()
  const compare = (rows: number) =>
    `SELECT sum(damerauLevenshteinDistance(repeat('a', 3000), concat(repeat('b', 3000), toString(number)))) FROM numbers(${rows})`
  const [first, second] = await Promise.allSettled([small.ask(compare(150), 'csv'), small.ask('SELECT 1', 'csv')])
  const refused = { status: 'rejected', reason: expect.objectContaining({ code: 'ASSAY_SQL_LIMIT' }) }
  expect([first, second]).toEqual([refused, refused])
  const answeredMs = Date.now() - began
  // The API does not wait for it.
  expect(await kit.store.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  const isFree = () =>
    small.ask('SELECT 1', 'csv').then(
      () => true,
      () => false,
    )
  await until('the statement has ended', isFree)
  // The machine takes its time for the statement, and nobody waited for it.
  expect(answeredMs).toBeLessThan(0.75 * (Date.now() - began))
  await small.close()
})
