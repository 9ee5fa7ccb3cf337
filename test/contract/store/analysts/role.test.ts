/**
 * The role of analysts on a server, as its engine enforces it. No server is at hand, and the embedded engine stores no roles, but it reads a
 * users file: the statements that `assay analysts` prints are put into one, word for word, and its only user is held by them.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTables, roleStatements } from '../../../../platform/store/analyst/role.ts'
import { SCHEMA } from '../../../../schema/tables/index.ts'
import { copyTemplate, storeTemplate } from '../../../kit/store/store-template.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-role-'))
const users = join(folder, 'users.xml')
const CHILD = join(import.meta.dirname, 'role.child.ts')

const [, profile = '', , grant = ''] = roleStatements({ database: 'default' })
/** Settings of the profile and what bounds them, and the grants. */
const xml = () => {
  const [, settings = ''] = /SETTINGS\n([\s\S]*)\n\s+TO /.exec(profile) ?? []
  const bounded = settings.split(',\n').map((line) => {
    const [, name, value, most] = /^\s*(\w+) = '?(\w+)'? (?:CONST|MIN 1 MAX (\d+))$/.exec(line) ?? []
    if (name === undefined) throw new Error(`not a setting with its bound: ${line}`)
    return { name, value, bound: most === undefined ? '<const/>' : `<min>1</min><max>${most}</max>` }
  })
  const [, tables = ''] = /^GRANT\n([\s\S]*)\n\s+TO /.exec(grant) ?? []
  return `<clickhouse>
    <profiles><default>${bounded.map(({ name, value }) => `<${name}>${value}</${name}>`).join('')}
      <constraints>${bounded.map(({ name, bound }) => `<${name}>${bound}</${name}>`).join('')}</constraints></default></profiles>
    <quotas><default/></quotas>
    <users><default><password></password><networks><ip>::/0</ip></networks><profile>default</profile><quota>default</quota>
      <grants>${tables
        .split(',\n')
        .map((table) => `<query>GRANT ${table.trim()}</query>`)
        .join('')}</grants></default></users>
  </clickhouse>`
}

beforeAll(async () => {
  copyTemplate(await storeTemplate(), join(folder, 'store'))
  writeFileSync(users, xml())
  writeFileSync(`${users}.config`, '<clickhouse/>')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const outcomes = async (statements: readonly string[]): Promise<Record<string, string>> => {
  const child = spawn(process.execPath, ['--import', 'tsx', CHILD, join(folder, 'store'), users], {
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.on('data', (text) => (said.out += text))
  child.stderr.on('data', (text) => (said.err += text))
  child.stdin.end(JSON.stringify(statements))
  const code = await new Promise((resolve) => child.once('close', resolve))
  expect({ code, err: code === 0 ? '' : said.err }).toEqual({ code: 0, err: '' })
  const list = JSON.parse(said.out) as string[]
  return Object.fromEntries(statements.map((statement, index) => [statement, list[index] ?? '']))
}

/** What no analyst may do, with the errors that a server gives. */
const REFUSED: Readonly<Record<string, string>> = {
  'SELECT 1 SETTINGS max_execution_time = 0': 'SETTING_CONSTRAINT_VIOLATION',
  'SELECT 1 SETTINGS max_execution_time = 61': 'SETTING_CONSTRAINT_VIOLATION',
  'SELECT 1 SETTINGS max_memory_usage = 4000000000': 'SETTING_CONSTRAINT_VIOLATION',
  'SELECT 1 SETTINGS max_result_rows = 0': 'SETTING_CONSTRAINT_VIOLATION',
  'SELECT 1 SETTINGS max_threads = 64': 'SETTING_CONSTRAINT_VIOLATION',
  "SELECT 1 SETTINGS result_overflow_mode = 'break'": 'SETTING_CONSTRAINT_VIOLATION',
  'SELECT 1 SETTINGS max_concurrent_queries_for_user = 0': 'SETTING_CONSTRAINT_VIOLATION',
  'SELECT 1 SETTINGS allow_ddl = 1': 'QUERY_IS_PROHIBITED',
  'SELECT 1 SETTINGS readonly = 0': 'READONLY',
  'SET readonly = 0': 'READONLY',
  'SELECT groupArray(number) FROM numbers(1e8) SETTINGS max_memory_usage = 20000000': 'MEMORY_LIMIT_EXCEEDED',
  "SELECT * FROM file('/etc/hostname', LineAsString)": 'ACCESS_DENIED',
  "SELECT * FROM url('http://127.0.0.1:1/', LineAsString)": 'ACCESS_DENIED',
  "SELECT * FROM remote('127.0.0.1:1', default.api_keys)": 'ACCESS_DENIED',
  "SELECT * FROM merge('default', '^api_keys$')": 'CANNOT_EXTRACT_TABLE_STRUCTURE',
  "SELECT * FROM executable('id', TabSeparated, 'a String')": 'ACCESS_DENIED',
  'TRUNCATE TABLE networks': 'ACCESS_DENIED',
  'DROP TABLE networks': 'ACCESS_DENIED',
  'CREATE TABLE mine (a Int8) ENGINE = Memory': 'ACCESS_DENIED',
  "INSERT INTO networks (network) VALUES ('X')": 'ACCESS_DENIED',
  'CREATE FUNCTION mine AS (a) -> a': 'ACCESS_DENIED',
  "BACKUP TABLE networks TO File('/tmp/b')": 'ACCESS_DENIED',
  // The last one: the engine gives the rows it had to the next statement.
  'SELECT number FROM numbers(1000001)': 'TOO_MANY_ROWS_OR_BYTES',
}
/** Drivers choose formats and set limits themselves. */
const PASSED: Readonly<Record<string, string>> = {
  'SELECT 1 SETTINGS max_execution_time = 19, max_result_rows = 1000': '1',
  'SELECT 1 SETTINGS output_format_json_quote_64bit_integers = 1': '1',
  'SELECT 1 SETTINGS max_memory_usage = 100000000': '1',
}

test('analysts on a server read exactly the open tables, and cannot raise limits, write, or reach files and hosts', async () => {
  const open = openTables()
  const closed = SCHEMA.map(({ name }) => name).filter((name) => !open.includes(name))
  expect(closed).toEqual(expect.arrayContaining(['api_keys', 'payments', 'audit_log', 'audit_secrets']))
  const read = (table: string) => `SELECT * FROM ${table} LIMIT 0`
  const expected = {
    ...Object.fromEntries(open.map((table) => [read(table), ''])),
    ...Object.fromEntries(closed.map((table) => [read(table), 'ACCESS_DENIED'])),
    ...PASSED,
    ...REFUSED,
  }
  expect(await outcomes(Object.keys(expected))).toEqual(expected)
})
