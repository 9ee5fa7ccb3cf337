/** What `assay sql` lets through, and what it refuses: attacks by a list and by chance. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAssayError } from '../../../platform/errors.ts'
import { type Analyst, openAnalyst } from '../../../platform/store/analyst/analyst.ts'
import { openTestStore, type TestStore } from '../../kit/store.ts'

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
const ATTACKS: readonly (readonly [code: RegExp, ...statements: string[]])[] = [
  [
    /^FUNCTION_REFUSED$/,
    `SELECT file('${F}')`,
    `SELECT FILE('${F}')`,
    `SELECT \`file\`('${F}')`,
    `SELECT /* x */ file /* y */ ('${F}')`,
    `SELECT 1 WHERE file('${F}') != ''`,
    `WITH a AS (SELECT 1), b AS (WITH c AS (SELECT file('${F}') AS x) SELECT * FROM c) SELECT * FROM b`,
    `SELECT (SELECT (SELECT (SELECT file('${F}'))))`,
    `SELECT arrayMap(x -> file(x), ['${F}'])`,
    `SELECT 1 ORDER BY file('${F}')`,
    `SELECT count() OVER (ORDER BY file('${F}'))`,
    `SELECT 1 UNION ALL SELECT length(file('${F}'))`,
    `SELECT 1 EXCEPT SELECT length(file('${F}'))`,
    `SELECT * REPLACE (file('${F}') AS network) FROM networks`,
    `SELECT 1 FROM networks ARRAY JOIN [file('${F}')] AS x`,
    `SELECT 1 FROM networks AS a JOIN networks AS b ON a.network = file('${F}')`,
    `SELECT 1 LIMIT length(file('${F}'))`,
    `EXPLAIN SELECT (SELECT file('${F}'))`,
    `EXPLAIN PIPELINE SELECT (SELECT file('${F}'))`,
    `EXPLAIN QUERY TREE SELECT (SELECT file('${F}'))`,
    `DESCRIBE (SELECT file('${F}') AS x)`,
    `SELECT * FROM file('${F}', 'LineAsString')`,
    `DESCRIBE file('${F}')`,
    `DESCRIBE TABLE url('http://127.0.0.1:1/x.csv')`,
    `SELECT * FROM url('http://127.0.0.1:1/x.csv', 'CSV', 'a String')`,
    `SELECT * FROM s3('http://127.0.0.1:1/b/x.csv', 'CSV', 'a String')`,
    `SELECT * FROM s3Cluster('c', 'http://127.0.0.1:1/b/x.csv')`,
    `SELECT * FROM gcs('http://127.0.0.1:1/b/x.csv')`,
    `SELECT * FROM azureBlobStorage('x', 'y', 'z')`,
    `SELECT * FROM hdfs('hdfs://127.0.0.1:1/x', 'CSV', 'a String')`,
    `SELECT * FROM remote('127.0.0.1', system.one)`,
    `SELECT * FROM remoteSecure('127.0.0.1', system.one)`,
    `SELECT * FROM cluster('default', system.one)`,
    `SELECT * FROM clusterAllReplicas('default', 'default', 'api_keys')`,
    `SELECT * FROM mysql('127.0.0.1:1', 'd', 't', 'u', 'p')`,
    `SELECT * FROM postgresql('127.0.0.1:1', 'd', 't', 'u', 'p')`,
    `SELECT * FROM mongodb('127.0.0.1:1', 'd', 't', 'u', 'p', 'a String')`,
    `SELECT * FROM redis('127.0.0.1:1', 'k', 'k String')`,
    `SELECT * FROM sqlite('${F}', 't')`,
    `SELECT * FROM odbc('DSN=x', 'd', 't')`,
    `SELECT * FROM jdbc('x', 'd', 't')`,
    `SELECT * FROM executable('id', 'TSV', 'a String')`,
    `SELECT * FROM input('a String')`,
    `SELECT * FROM dictionary('d')`,
    `SELECT * FROM merge('default', 'api.*')`,
    `SELECT * FROM merge(REGEXP('.*'), 'api.*')`,
    `SELECT * FROM view(SELECT * FROM api_keys)`,
    `SELECT * FROM viewIfPermitted(SELECT * FROM api_keys ELSE null('a String'))`,
    `SELECT * FROM loop(api_keys)`,
    `SELECT * FROM mergeTreeIndex('default', 'api_keys')`,
    `SELECT * FROM iceberg('http://127.0.0.1:1/b/')`,
    `SELECT * FROM deltaLake('http://127.0.0.1:1/b/')`,
    `SELECT * FROM icebergLocal('/etc')`,
    `SELECT * FROM fileCluster('c', '${F}')`,
    `SELECT * FROM format(CSV, '1')`,
    `SELECT * FROM generateRandom('a String')`,
    `SELECT * FROM Python(os)`,
    `SELECT dictGet('d', 'a', 1)`,
    `SELECT joinGet('api_keys', 'id', 1)`,
    `SELECT chdb('SELECT 1')`,
    `SELECT sleep(3)`,
    `SELECT sleepEachRow(3) FROM networks`,
    `SELECT getSetting('readonly')`,
    `SELECT getServerSetting('max_connections')`,
    `SELECT catboostEvaluate('${F}', 1)`,
    `SELECT hasColumnInTable('default', 'api_keys', 'id')`,
    `SELECT showCertificate()`,
    `SELECT getMacro('x')`,
    `SELECT addressToLine(1)`,
    `SELECT aiGenerate('x')`,
    `SELECT formatRow('Protobuf', 1)`,
    `SELECT initializeAggregation('sum', 1)`,
    `SELECT nosuchfunction(1)`,
    `SELECT * FROM numbers_mt(1)`,
  ],
  [
    /^STATEMENT_REFUSED$/,
    '',
    ';',
    'SELECT 1; SELECT 2',
    'SELECT 1; DROP TABLE networks',
    'SELECT 1 /* ; */ ; SELECT * FROM api_keys',
    `SELECT 1 INTO OUTFILE '${outFile}'`,
    `SELECT 1 INTO OUTFILE '${outFile}' TRUNCATE FORMAT CSV`,
    `(SELECT 1) UNION ALL (SELECT 2) INTO OUTFILE '${outFile}' AND STDOUT`,
    'SELECT 1 FORMAT CSV',
    'SELECT 1 SETTINGS readonly = 0',
    'SELECT * FROM (SELECT 1 SETTINGS readonly = 0)',
    'SELECT (SELECT 1 SETTINGS max_execution_time = 0)',
    'EXPLAIN SELECT 1 SETTINGS readonly = 0',
    `EXPLAIN SELECT 1 INTO OUTFILE '${outFile}'`,
    'EXPLAIN INSERT INTO networks SELECT * FROM networks',
    'SET readonly = 0',
    'SET ROLE owner',
    'SET ROLE ALL',
    'SET DEFAULT ROLE owner TO default',
    'EXECUTE AS default SELECT 1',
    'EXECUTE AS default',
    'USE system',
    'KILL QUERY WHERE 1',
    'KILL MUTATION WHERE 1',
    "INSERT INTO networks (network) VALUES ('X')",
    `INSERT INTO networks FROM INFILE '${F}' FORMAT CSV`,
    `INSERT INTO FUNCTION file('${outFile}') SELECT 1`,
    'CREATE TABLE x (a String) ENGINE = Memory',
    'CREATE TEMPORARY TABLE x (a String)',
    'CREATE VIEW x AS SELECT * FROM api_keys',
    'CREATE FUNCTION f AS x -> x',
    "CREATE USER x IDENTIFIED BY 'y'",
    'GRANT owner TO default',
    'DROP TABLE networks',
    'TRUNCATE TABLE networks',
    'ALTER TABLE networks DELETE WHERE 1',
    'DELETE FROM networks WHERE 1',
    'OPTIMIZE TABLE networks',
    'RENAME TABLE networks TO x',
    'EXCHANGE TABLES networks AND blocks',
    'DETACH TABLE networks',
    "ATTACH TABLE x FROM '/tmp' (a String) ENGINE = MergeTree ORDER BY a",
    `BACKUP TABLE api_keys TO File('${outFile}')`,
    'SYSTEM FLUSH LOGS',
    'SYSTEM SHUTDOWN',
    'SHOW CREATE TABLE api_keys',
    'SHOW GRANTS',
    'SHOW USERS',
    'SHOW PROCESSLIST',
    `SHOW TABLES WHERE name = file('${F}')`,
    'SHOW TABLES FROM system',
    `SHOW TABLES INTO OUTFILE '${outFile}'`,
    'CHECK TABLE networks',
    'EXISTS TABLE api_keys',
    'BEGIN TRANSACTION',
    `SELECT * APPLY(file) FROM (SELECT '${F}')`,
    `SELECT COLUMNS('x') APPLY(x -> file(x)) FROM (SELECT '${F}' AS x)`,
    'SELECT `a\n  Foo` FROM networks',
    'SELECT 1 AS `b\nSelectQuery (children 0)`',
    'SELECT 1\0',
  ],
  [
    /^TABLE_REFUSED$/,
    'SELECT * FROM api_keys',
    'SELECT * FROM default.api_keys',
    'SELECT * FROM `api_keys`',
    'SELECT count() FROM payments',
    'SELECT hash FROM api_keys WHERE 1 = 0',
    'SELECT * FROM screen_rows',
    'SELECT * FROM audit_log',
    'SELECT secret FROM audit_secrets',
    'SELECT * FROM audit_anchors',
    'SELECT * FROM usage',
    'SELECT * FROM schema_migrations',
    'SELECT network FROM networks UNION ALL SELECT id FROM api_keys',
    "SELECT 1 WHERE 'x' IN (SELECT id FROM api_keys)",
    "SELECT 1 WHERE ('x', 'y') IN api_keys",
    'SELECT * FROM networks, api_keys',
    'SELECT n.network FROM networks AS n LEFT JOIN payments AS p ON 1',
    'WITH networks AS (SELECT * FROM api_keys) SELECT * FROM networks',
    'WITH RECURSIVE x AS (SELECT id FROM api_keys UNION ALL SELECT id FROM x) SELECT * FROM x',
    'EXPLAIN SELECT * FROM api_keys',
    'DESCRIBE TABLE api_keys',
    'SELECT * FROM system.one',
    'SELECT * FROM system.users',
    'SELECT * FROM system.query_log',
    'SELECT * FROM system.processes',
    'SELECT network FROM networks UNION ALL SELECT name FROM system.settings',
    'SELECT * FROM information_schema.tables',
    'SELECT * FROM INFORMATION_SCHEMA.COLUMNS',
    `SELECT * FROM '${F}'`,
    `SELECT * FROM \`${F}\``,
    "SELECT * FROM 'secret.csv'",
    "SELECT * FROM 'http://127.0.0.1:1/x.csv'",
    'DESCRIBE system.users',
  ],
  [
    /^(INVALID|LIMIT|STATEMENT_REFUSED)$/,
    'VALUES (1)',
    'EXPLAIN DROP TABLE networks',
    'SELECT {x:Identifier}',
    'SELECT * FROM {t:Identifier}',
    'graph = 1 SELECT 1',
    'AST SELECT 1',
    'SELECT 1 PARALLEL WITH SELECT 2',
    '/* SELECT 1',
    "SELECT 'a",
    'SELECT * FROM nosuchtable',
    `SELECT ${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
  ],
]

test('attacks are refused with a code, and nothing is read or written', async () => {
  const wrong: string[] = []
  for (const [code, ...statements] of ATTACKS) {
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
