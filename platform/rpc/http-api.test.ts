import { createServer, type IncomingHttpHeaders } from 'node:http'
import { gzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../context/clock.ts'
import { createMetrics } from '../context/metrics.ts'
import { createHttpApi, type HttpApi } from './http-api.ts'
import { parseExact } from './json.ts'
import { createRpcPool } from './pool.ts'

type Answer = { status?: number; headers?: Record<string, string>; body?: string | Buffer }
type Asked = { path: string; headers: IncomingHttpHeaders; body: string }

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

const node = async (answer: (asked: Asked, count: number) => Answer) => {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString() }
    asked.push(one)
    const { status = 200, headers = {}, body = '{}' } = answer(one, asked.length)
    response.writeHead(status, headers)
    response.end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  open.push(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  return { port: typeof address === 'object' && address ? address.port : 0, asked }
}

const poolOf = (urls: string[], api: HttpApi = {}) => {
  const lines: string[] = []
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })
  const context = { clock: systemClock, log, metrics: createMetrics() }
  const postTo = (url: string) => createHttpApi(url, systemClock.now, api)
  return { pool: createRpcPool({ context, network: 'TRON', urls, random: () => 1, postTo }), lines }
}

test('a call is a POST to its path with its parameter, below the path and with the query of the URL', async () => {
  const { port, asked } = await node(() => ({ body: '{"a":1}' }))
  const { pool } = poolOf([`http://user:pass@127.0.0.1:${port}/v1/SECRET/?key=1`], { headers: { 'x-key': 'K' } })
  expect(await pool.request('wallet/getblockbynum', [{ num: 7 }])).toEqual({ a: 1 })
  expect(asked).toMatchObject([{ path: '/v1/SECRET/wallet/getblockbynum?key=1', body: '{"num":7}' }])
  expect(asked[0]?.headers).toMatchObject({ 'x-key': 'K', authorization: `Basic ${btoa('user:pass')}` })
})

test('fails a compressed response above the limit before buffering it', async () => {
  const bomb = gzipSync(Buffer.alloc(64 << 20, ' '))
  const { port } = await node(() => ({ headers: { 'content-encoding': 'gzip' }, body: bomb }))
  const post = createHttpApi(`http://127.0.0.1:${port}`, systemClock.now, { maxAnswerBytes: 1 << 20 })
  await expect(post([{ method: 'x', params: [] }], 5_000)).rejects.toThrow('larger than 1 MiB')
})

test.each([403, 429, 503])(
  'treats %i as a rate limit: pauses the endpoint as requested, then continues',
  async (status) => {
    const { port, asked } = await node((_, count) => (count === 1 ? { status, headers: { 'retry-after': '0' } } : {}))
    const { pool } = poolOf([`http://127.0.0.1:${port}`], { limitedBy: [403, 503], limitPauseMs: 3_600_000 })
    expect(await pool.request('x', [])).toEqual({})
    expect(asked).toHaveLength(2)
  },
)

test('a rate limit without a stated pause pauses the endpoint for the time of its kind', async () => {
  const { port, asked } = await node(() => ({ status: 403 }))
  const { pool } = poolOf([`http://127.0.0.1:${port}`], { limitedBy: [403], limitPauseMs: 3_600_000 })
  await expect(pool.request('x', [], { deadlineMs: 200 })).rejects.toMatchObject({ code: 'ASSAY_RPC_UNAVAILABLE' })
  expect(asked).toHaveLength(1)
})

test('treats an error in a response with status 200 as an error, and asks the next node', async () => {
  const bad = await node(() => ({ body: '{"Error":"class java.lang.NullPointerException : null"}' }))
  const good = await node(() => ({ body: '{"fine":true}' }))
  const errorIn = (answer: unknown) => (answer as { Error?: string }).Error
  const { pool } = poolOf(
    [bad, good].map(({ port }) => `http://127.0.0.1:${port}`),
    { errorIn },
  )
  expect(await pool.request('x', [])).toEqual({ fine: true })
})

test('never sends a secret header to the target of a redirect, and never logs it', async () => {
  const thief = await node(() => ({ body: '{}' }))
  const { port } = await node(() => ({ status: 307, headers: { location: `http://127.0.0.1:${thief.port}/` } }))
  const { pool, lines } = poolOf([`http://127.0.0.1:${port}`], { headers: { 'x-key': 'hunter2' } })
  await expect(pool.request('x', [], { attempts: 2 })).rejects.toMatchObject({ code: 'ASSAY_RPC_UNAVAILABLE' })
  expect(thief.asked).toEqual([])
  expect(lines.join('')).not.toContain('hunter2')
})

test.each([
  ['{"a":9223372036854775807,"b":-9223372036854775808}', { a: '9223372036854775807', b: '-9223372036854775808' }],
  ['[9007199254740993, 12]', ['9007199254740993', 12]],
  [
    '{"text":"1,9223372036854775807 \\" :9223372036854775807"}',
    { text: '1,9223372036854775807 " :9223372036854775807' },
  ],
  ['{"9223372036854775807":1,"x":[[1234567890123456]]}', { '9223372036854775807': 1, x: [['1234567890123456']] }],
  ['{"f":1234567890123456.5,"e":1}', { f: 1234567890123456.5, e: 1 }],
])('reads integers that are too large for a double as text: %s', (text, value) => {
  expect(parseExact(text)).toEqual(value)
})

test('supports calls with a common path and envelope, and errors in responses of any status', async () => {
  const bodies = ['{"ok":false,"error":"LITE_SERVER_UNKNOWN: nothing there","code":500}', '<html>down</html>']
  const { port, asked } = await node((_, count) => (count <= 2 ? { status: 500, body: bodies[count - 1]! } : {}))
  const errorIn = (answer: unknown) => (answer as { error?: string }).error
  const post = createHttpApi(`http://127.0.0.1:${port}/api/v2`, systemClock.now, {
    errorIn,
    errorsHaveStatus: true,
    requestOf: ({ method, params }) => ({ path: 'jsonRPC', body: { method, params: params[0] } }),
  })
  const call = { method: 'shards', params: [{ seqno: 7 }] }
  expect(await post([call], 5_000)).toMatchObject([{ error: { message: 'LITE_SERVER_UNKNOWN: nothing there' } }])
  await expect(post([call], 5_000)).rejects.toMatchObject({ failure: 'http', message: 'HTTP 500' })
  expect(await post([call], 5_000)).toEqual([{ result: {} }])
  expect(asked[0]).toMatchObject({ path: '/api/v2/jsonRPC', body: '{"method":"shards","params":{"seqno":7}}' })
})
