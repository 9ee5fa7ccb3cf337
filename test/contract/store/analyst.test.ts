/** What `assay sql` lets through, and what it refuses: attacks by a list and by chance. */
import { createHash } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAssayError } from '../../../platform/errors.ts'
import { type Analyst, openAnalyst } from '../../../platform/store/analyst/analyst.ts'
import { allowedFunctions, type EngineFunction } from '../../../platform/store/analyst/functions.ts'
import { openTestStore, type TestStore } from '../../kit/store.ts'
import { attacks, PLACES } from './attacks.ts'

const SECRET = 'the-secret-of-this-test'
const folder = mkdtempSync(join(tmpdir(), 'assay-analyst-'))
const secretFile = join(folder, 'secret.csv')
const outFile = join(folder, 'out.csv')

let kit: TestStore
let analyst: Analyst
beforeAll(async () => {
  kit = await openTestStore()
  writeFileSync(secretFile, `${SECRET}\n`)
  await kit.store.insert(
    'api_keys',
    `${JSON.stringify({ id: SECRET, version: '1', tier: 'business', label: SECRET, hash: 'f'.repeat(64), prefix: SECRET, created: '2026-01-01', expires: '2026-01-01', revoked: 0, replaced: '', operations: [], networks: [], sources: [], test: 0 })}\n`,
  )
  analyst = await openAnalyst(kit.path)
})
afterAll(async () => {
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

test('attacks are refused with a code, and nothing is read or written', async () => {
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

test('no place of a statement lets through what must not run there', async () => {
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

test('the open functions are those that were looked through: an engine with others has to be looked at again', async () => {
  const engine = await kit.store.query<EngineFunction>(
    "SELECT name, is_aggregate, case_insensitive, alias_to, categories FROM system.functions WHERE origin = 'System' ORDER BY name",
  )
  const { allows } = allowedFunctions(engine, [])
  const open = engine.filter(({ name }) => allows(name)).map(({ name }) => name)
  expect([open.length, createHash('sha256').update(open.join(' ')).digest('hex').slice(0, 16)]).toEqual([
    1537,
    '2cd6ad656fe51756',
  ])
})

test('the engine itself refuses tables, files and addresses to the role, without the guard', async () => {
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

test('what analysts write runs: joins, windows, aggregates with combinators, JSON, arrays, every open view', async () => {
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

test('a statement ends at its limits of time, memory and rows, and the next one runs', async () => {
  const small = await openAnalyst(kit.path, { seconds: 1, memory: 50_000_000, rows: 10 })
  const limited = (statement: string) =>
    expect(small.ask(statement, 'csv'), statement).rejects.toMatchObject({ code: 'ASSAY_SQL_LIMIT' })
  await limited('SELECT number FROM numbers(11)')
  await limited('SELECT sum(sipHash64(number)) FROM numbers(100000000000)')
  await limited('SELECT length(groupArray(number)) FROM numbers(50000000)')
  expect((await small.ask('SELECT 1', 'csv')).toString()).toBe('"1"\n1\n')
  await small.close()
})
