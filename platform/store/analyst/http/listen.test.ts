/** What the port decides before a statement reaches the engine, and what it does with those that wait. */
import { request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { secret } from '../../../config/config.ts'
import { createLog } from '../../../context/log.ts'
import { OperatorError } from '../../../errors.ts'
import type { Analyst, Answer } from '../analyst.ts'
import { listenForAnalysts } from './listen.ts'

const PASSWORD = 'a-password-of-this-test'
const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const opened = async (answer: Analyst['answer']) => {
  const analyst = { answer } as Analyst
  const listener = await listenForAnalysts({
    analyst: async () => analyst,
    port: 0,
    password: secret(PASSWORD),
    log: createLog('silent'),
  })
  closing.push(listener.close)
  return listener.port
}
const echo = async (statement: string, format: string): Promise<Answer> => ({
  bytes: Buffer.from(statement === 'SELECT timezone()' ? 'UTC\n' : `${format} ${statement}`),
  rowsRead: 3,
})

type Sent = { path?: string; method?: string; headers?: Record<string, string>; body?: string }
const send = (port: number, { path = '/', method = 'POST', headers = {}, body = '' }: Sent) =>
  new Promise<{ status: number; code: string; headers: NodeJS.Dict<string | string[]>; body: string }>(
    (resolve, reject) => {
      request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (response) => {
        let text = ''
        response.on('data', (chunk) => {
          text += chunk
        })
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            code: String(response.headers['x-clickhouse-exception-code'] ?? ''),
            headers: response.headers,
            body: text,
          }),
        )
      })
        .once('error', reject)
        .end(body)
    },
  )
const KEY = { 'x-clickhouse-key': PASSWORD }

test('accepts a statement in URL, body or both, and its format in the statement, URL or a header', async () => {
  const port = await opened(echo)
  const body = async (sent: Sent) => (await send(port, { headers: KEY, ...sent })).body
  expect(await body({ body: 'SELECT 1' })).toBe('TabSeparated SELECT 1')
  expect(await body({ path: '/?query=SELECT%201', method: 'GET' })).toBe('TabSeparated SELECT 1')
  expect(await body({ path: '/?query=SELECT%201', body: 'FROM a' })).toBe('TabSeparated SELECT 1\nFROM a')
  expect(await body({ path: '/?default_format=CSV', body: 'SELECT 1' })).toBe('CSV SELECT 1')
  expect(await body({ path: '/?default_format=CSV', body: 'SELECT (1)FORMAT JSON;' })).toBe('JSON SELECT (1)')
  expect(await body({ headers: { ...KEY, 'x-clickhouse-format': 'Native' }, body: 'SELECT 1' })).toBe('Native SELECT 1')
  expect(await body({ body: "SELECT 'a FORMAT CSV'" })).toBe("TabSeparated SELECT 'a FORMAT CSV'")
  const { headers } = await send(port, { path: '/?query_id=a%0d%0ab', headers: KEY, body: 'SELECT 1 FORMAT CSV' })
  expect(headers).toMatchObject({
    'content-type': 'text/csv; charset=UTF-8',
    'x-clickhouse-format': 'CSV',
    'x-clickhouse-query-id': 'ab',
    'x-clickhouse-timezone': 'UTC',
  })
})

test('refuses requests without the password, with another host name, or with another method', async () => {
  const port = await opened(async () => {
    throw new Error('it was run')
  })
  const refusal = async (sent: Sent) => {
    const { status, code } = await send(port, { body: 'SELECT 1', ...sent })
    return `${status} ${code}`
  }
  const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
  for (const headers of [
    {},
    { 'x-clickhouse-key': '' },
    { 'x-clickhouse-key': `${PASSWORD}x` },
    basic('default:'),
    basic(PASSWORD),
  ]) {
    expect(await refusal({ headers }), JSON.stringify(headers)).toBe('401 516')
  }
  expect(await refusal({ path: '/?password=x' })).toBe('401 516')
  expect(await refusal({ headers: { ...KEY, host: 'evil.example:8123' } })).toBe('403 497')
  expect(await refusal({ headers: { ...KEY, host: '127.0.0.1.evil.example' } })).toBe('403 497')
  expect(await refusal({ headers: KEY, method: 'OPTIONS' })).toBe('404 48')
  expect(await refusal({ headers: KEY, path: '/play' })).toBe('404 48')
  expect(await refusal({ headers: { ...KEY, 'content-type': 'multipart/form-data; boundary=x' } })).toBe('400 48')
  expect(await refusal({ headers: { ...KEY, 'content-encoding': 'gzip' } })).toBe('400 432')
  // What fails inside is not shown.
  const inside = await send(port, { headers: KEY, body: 'SELECT 1' })
  expect([inside.status, inside.body.includes('it was run')]).toEqual([500, false])
  for (const headers of [basic(`anybody:${PASSWORD}`), KEY]) expect(await refusal({ headers })).toBe('500 1001')
  expect((await send(port, { path: '/ping', method: 'GET' })).body).toBe('Ok.\n')
  expect((await send(port, { headers: KEY, body: 'x'.repeat(1_000_001) }).catch(() => ({ status: 413 }))).status).toBe(
    413,
  )
})

test('refuses more than eight concurrent statements, and skips one whose client left', async () => {
  const release: (() => void)[] = []
  let begun = 0
  const signals: AbortSignal[] = []
  const port = await opened(async (statement, format, signal) => {
    if (statement !== 'SELECT timezone()') {
      begun += 1
      if (signal) signals.push(signal)
      await new Promise<void>((resolve) => release.push(resolve))
    }
    return echo(statement, format)
  })
  const left = request({ host: '127.0.0.1', port, path: '/', method: 'POST', headers: KEY, agent: false })
  left.once('error', () => undefined).end('SELECT 0')
  await expect.poll(() => begun).toBe(1)
  left.destroy()
  await expect.poll(() => signals[0]?.aborted).toBe(true)
  const waiting = Array.from({ length: 8 }, () => send(port, { headers: KEY, body: 'SELECT 1' }))
  await expect.poll(() => begun).toBe(9)
  expect(await send(port, { headers: KEY, body: 'SELECT 2' })).toMatchObject({ status: 503, code: '202' })
  for (const one of release) one()
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(Array(8).fill(200))
})

test('returns errors with the status, code and text that drivers expect', async () => {
  const refusals: Record<string, Error> = {
    a: new OperatorError('ASSAY_SQL_TABLE_REFUSED', 'It is closed.'),
    b: new OperatorError('ASSAY_SQL_INVALID', 'It does not run.', {
      cause: new Error('Code: 60. DB::Exception: Unknown table. (UNKNOWN_TABLE)'),
    }),
  }
  const port = await opened(async (statement, format) => {
    const refusal = refusals[statement]
    if (refusal) throw refusal
    return echo(statement, format)
  })
  const bodies = async (statement: string) => {
    const { status, code, body } = await send(port, { headers: KEY, body: statement })
    return [status, code, body]
  }
  expect(await bodies('a')).toEqual([
    403,
    '497',
    'Code: 497. DB::Exception: It is closed. [ASSAY_SQL_TABLE_REFUSED] (ACCESS_DENIED)\n',
  ])
  expect(await bodies('b')).toEqual([
    404,
    '60',
    'Code: 60. DB::Exception: It does not run. [ASSAY_SQL_INVALID] (UNKNOWN_TABLE)\n',
  ])
})

test('parses any statement quickly, and limits its length with parameter values', async () => {
  const port = await opened(echo)
  const begun = performance.now()
  const spaces = await send(port, { path: '/?param_a=1', headers: KEY, body: `SELECT {a:${' '.repeat(900_000)}` })
  expect([spaces.status, performance.now() - begun < 5_000]).toEqual([200, true])
  const bomb = `SELECT ${Array.from({ length: 80_000 }, () => '{a:String}').join()}`
  const refused = await send(port, { path: `/?param_a=${'x'.repeat(5_000)}`, headers: KEY, body: bomb })
  expect([refused.status, refused.code, refused.body]).toEqual([413, '62', expect.stringContaining('1000000 bytes')])
})
