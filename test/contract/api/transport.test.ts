import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentRoutes } from '../../../api/a2a/routes.ts'
import { mcpRoutes } from '../../../api/mcp/routes.ts'
import { ENTERPRISE_KEY, startApi } from './kit.ts'
import { agreeing, gateOf } from './payments/payments.kit.ts'

const BODY = JSON.stringify({ network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` })
const HEADERS = { 'content-type': 'application/json', 'x-api-key': ENTERPRISE_KEY }

const folder = mkdtempSync(join(tmpdir(), 'assay-tls-'))
const files = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
const makeCertificate = (name: string, into = files) =>
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '1',
      '-subj',
      `/CN=${name}`,
      '-keyout',
      into.key,
      '-out',
      into.cert,
    ],
    { stdio: 'ignore' },
  )

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'])
    return true
  } catch {
    return false
  }
})()

beforeAll(() => {
  if (hasOpenssl) makeCertificate('first')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** One request over a socket of our own, so that nothing but what is written is sent. */
const raw = (socket: ReturnType<typeof connect>, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = ''
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('end', () => resolve(received))
    socket.on('error', reject)
    socket.write(text)
  })

const post = (extra = '') =>
  `POST /fraud/check HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json\r\nx-api-key: ${ENTERPRISE_KEY}\r\n${extra}content-length: ${BODY.length}\r\n\r\n${BODY}`

const portOf = (url: string | undefined): number => Number(new URL(url ?? '').port)

test('answers plain HTTP between loopback addresses only, and never behind an unknown proxy', async () => {
  const { app, calls, close } = await startApi()
  const ask = (remoteAddress: string, headers = {}) =>
    app.inject({
      method: 'POST',
      url: '/fraud/check',
      remoteAddress,
      headers: { ...HEADERS, ...headers },
      payload: BODY,
    })
  const from = async (...args: Parameters<typeof ask>) => {
    const { statusCode, body } = await ask(...args)
    return statusCode === 200 ? 200 : `${statusCode} ${JSON.parse(body).error}`
  }
  expect(await from('127.0.0.1')).toBe(200)
  expect(await from('::1')).toBe(200)
  const looked = calls.lookups.length
  expect(await from('10.0.0.7')).toBe('403 HTTPS_REQUIRED')
  expect(await from('127.0.0.1', { 'x-forwarded-proto': 'https' })).toBe('403 HTTPS_REQUIRED')
  expect(await from('127.0.0.1', { 'x-forwarded-for': '203.0.113.9' })).toBe('403 HTTPS_REQUIRED')
  expect(calls.lookups).toHaveLength(looked)
  for (const url of ['/health', '/health?probe=1', '/ready', '/ready?', '/metrics']) {
    expect((await app.inject({ url, remoteAddress: '10.0.0.7' })).statusCode).toBe(200)
  }
  await close()
})

test('refuses plain HTTP also on loopback unless it is configured', async () => {
  const { app, close } = await startApi({ server: { plainHttp: false } })
  const answer = await app.inject({ method: 'POST', url: '/fraud/check', headers: HEADERS, payload: BODY })
  expect([answer.statusCode, answer.json().error]).toEqual([403, 'HTTPS_REQUIRED'])
  expect((await app.inject({ url: '/health' })).statusCode).toBe(200)
  await close()
})

test('serves metrics to this machine and its network, but not through an unlisted proxy', async () => {
  const { app, close } = await startApi({ server: { trustProxy: ['10.0.0.0/8'] } })
  const status = async (remoteAddress: string, headers: Record<string, string> = {}) =>
    (await app.inject({ url: '/metrics', remoteAddress, headers })).statusCode
  expect(await status('127.0.0.1')).toBe(200)
  expect(await status('127.0.0.1', { 'x-forwarded-for': '10.0.0.9' })).toBe(404)
  expect(await status('127.0.0.1', { forwarded: 'for=203.0.113.9' })).toBe(404)
  expect(await status('10.0.0.7', { 'x-forwarded-for': '203.0.113.9' })).toBe(404)
  expect(await status('10.0.0.7', { 'x-forwarded-for': '192.168.0.9' })).toBe(200)
  expect(await status('203.0.113.9', { 'x-forwarded-for': '127.0.0.1' })).toBe(404)
  await close()
})

test('repeats a made-up host name in no public document and no offer', async () => {
  const extensions = [agentRoutes({}), mcpRoutes({})]
  const { app, close } = await startApi({ extensions, payments: gateOf(agreeing().facilitator) })
  const texts = await Promise.all(
    ['/.well-known/agent-card.json', '/api/capabilities', '/api/fraud/check', '/api/a2a'].map(async (url) => {
      const method = url.startsWith('/api/') && url !== '/api/capabilities' ? 'POST' : 'GET'
      const payload = '{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x"}}'
      const headers = { 'content-type': 'application/json', host: 'evil.example:81' }
      const answer = await app.inject({ method, url, headers, ...(method === 'POST' && { payload }) })
      const offer = String(answer.headers['payment-required'] ?? '')
      return answer.body + Buffer.from(offer, 'base64').toString()
    }),
  )
  for (const text of texts) expect(text).not.toContain('evil')
  expect(texts.join('')).toContain('http://localhost')
  const local = await app.inject({ url: '/.well-known/agent-card.json', headers: { host: '127.0.0.1:8080' } })
  expect(local.json().url).toBe('http://127.0.0.1:8080/api/a2a')
  await close()
})

test('rate limits an address without a key, but not its neighbours, keys or this machine', async () => {
  const tuning = { keylessPerMinute: 5 }
  const { app, close } = await startApi({ server: { trustProxy: ['10.0.0.0/8'] }, tuning })
  const ask = async (from: string, headers: Record<string, string> = {}) => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-for': from }
    return app.inject({ url: '/openapi.json', remoteAddress: '10.0.0.7', headers: { ...forwarded, ...headers } })
  }
  for (let sent = 0; sent < 5; sent++) expect((await ask('203.0.113.9')).statusCode).toBe(200)
  const refused = await ask('203.0.113.9')
  expect([refused.statusCode, refused.json().error]).toEqual([429, 'RATE_LIMITED'])
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect((await ask('203.0.113.9', { 'x-api-key': 'made up' })).statusCode).toBe(429)
  const headers = { ...HEADERS, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }
  const keyed = { method: 'POST', url: '/fraud/check', remoteAddress: '10.0.0.7', headers, payload: BODY } as const
  expect((await app.inject(keyed)).statusCode).toBe(200)
  expect((await ask('203.0.113.10')).statusCode).toBe(200)
  for (let sent = 0; sent < 7; sent++) expect((await app.inject('/openapi.json')).statusCode).toBe(200)
  await close()
})

test('ignored headers do not lift limits', async () => {
  const { app, close } = await startApi({
    server: { trustProxy: ['10.0.0.0/8'] },
    tuning: { keylessPerMinute: 3 },
    extensions: [agentRoutes({}), mcpRoutes({})],
    payments: gateOf(agreeing().facilitator),
  })
  let address = 0
  /** Statuses of five requests from an address of their own. */
  const five = async (url: string, headers: Record<string, string>, payload: object = {}) => {
    address++
    const statuses: number[] = []
    for (let sent = 0; sent < 5; sent++) {
      const { statusCode } = await app.inject({
        method: 'POST',
        url,
        remoteAddress: '10.0.0.7',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'x-forwarded-proto': 'https',
          'x-forwarded-for': `203.0.113.${address}`,
          ...headers,
        },
        payload: JSON.stringify(payload),
      })
      statuses.push(statusCode)
    }
    return statuses
  }
  const rpc = (method: string) => ({ jsonrpc: '2.0', id: 1, method })
  const made = { 'x-payment': 'made up' }
  expect(await five('/api/mcp', made, rpc('tools/list'))).toEqual([200, 200, 200, 429, 429])
  expect(await five('/api/mcp', { 'payment-signature': 'made up' }, rpc('ping'))).toEqual([200, 200, 200, 429, 429])
  expect(await five('/api/a2a', made, rpc('nonsense'))).toEqual([200, 200, 200, 429, 429])
  expect(await five('/fraud/check', made)).toEqual([401, 401, 401, 429, 429])
  expect(await five('/nowhere', made)).toEqual([404, 404, 404, 429, 429])
  expect(await five('/nowhere', { 'x-api-key': 'made up' })).toEqual([404, 404, 404, 429, 429])
  // Where they are looked at, they have a limit of their own.
  expect(await five('/api/fraud/check', made)).toEqual([400, 400, 400, 400, 400])
  expect(await five('/fraud/check', { 'x-api-key': ENTERPRISE_KEY })).toEqual([400, 400, 400, 400, 400])
  await close()
})

test('closes a connection that sends nothing, or its headers too slowly, within seconds', async () => {
  const { api, close } = await startApi()
  const [url] = await api.start()
  const closed = async (text: string): Promise<number> => {
    const began = performance.now()
    await raw(connect(portOf(url), '127.0.0.1'), text)
    return performance.now() - began
  }
  const times = await Promise.all(['', 'POST /fraud/check HTTP/1.1\r\nhost: x\r\nx-slow: '].map(closed))
  for (const ms of times) expect(ms).toBeLessThan(20_000)
  await close()
})

test('closes connections beyond the limit, and keeps the others', async () => {
  const { api, close } = await startApi({ server: { maxConnections: 2 } })
  const [url] = await api.start()
  const open = () =>
    new Promise<ReturnType<typeof connect>>((resolve) => {
      const socket = connect(portOf(url), '127.0.0.1', () => resolve(socket))
    })
  const held = await open()
  const health = 'GET /health HTTP/1.1\r\nhost: x\r\n'
  const first = await new Promise<string>((resolve) => {
    held.once('data', (chunk) => resolve(String(chunk)))
    held.write(`${health}\r\n`)
  })
  expect(first).toContain('200 OK')
  const other = await open()
  const third = await raw(connect(portOf(url), '127.0.0.1'), `${health}\r\n`).catch(() => '')
  expect(third).toBe('')
  expect(await raw(other, `${health}connection: close\r\n\r\n`)).toContain('200 OK')
  held.destroy()
  await close()
})

test('accepts https from a trusted proxy only', async () => {
  const { app, close } = await startApi({ server: { trustProxy: ['10.0.0.0/8'] } })
  const from = async (remoteAddress: string, proto: string) =>
    (
      await app.inject({
        method: 'POST',
        url: '/fraud/check',
        remoteAddress,
        headers: { ...HEADERS, 'x-forwarded-proto': proto, 'x-forwarded-for': '203.0.113.9' },
        payload: BODY,
      })
    ).statusCode
  expect(await from('10.0.0.7', 'https')).toBe(200)
  expect(await from('10.0.0.7', 'http')).toBe(403)
  expect(await from('203.0.113.7', 'https')).toBe(403)
  await close()
})

const ownAddress = Object.values(networkInterfaces())
  .flat()
  .find((it) => it && it.family === 'IPv4' && !it.internal)?.address

test.skipIf(!ownAddress)(
  'refuses a real connection from another address than loopback (needs a network interface)',
  async () => {
    const { api, close } = await startApi({ listeners: [{ host: '0.0.0.0', port: 0, surfaces: ['enterprise'] }] })
    const [url] = await api.start()
    const answer = await raw(connect(portOf(url), ownAddress ?? ''), post())
    expect(answer).toContain('HTTP/1.1 403')
    expect(answer).not.toContain('location:')
    await close()
  },
)

test('bytes that are no HTTP get an error body', async () => {
  const { api, close } = await startApi()
  const [url] = await api.start()
  const answer = await raw(connect(portOf(url), '127.0.0.1'), 'nonsense\r\n\r\n')
  expect(answer).toContain('HTTP/1.1 400')
  expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toMatchObject({ error: 'INVALID_REQUEST', details: [] })
  await close()
})

test('answers a request without a required Host header with an error body', async () => {
  const { api, close } = await startApi()
  const [url] = await api.start()
  const ask = (text: string) => raw(connect(portOf(url), '127.0.0.1'), text)
  const refused = await ask(post().replace(/host: [^\r]*\r\n/, ''))
  expect(refused).toMatch(/^HTTP\/1\.1 400 /)
  expect(refused).toContain('x-request-id')
  expect(JSON.parse(refused.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    error: 'INVALID_REQUEST',
    details: [{ field: 'host', reason: 'is required' }],
  })
  expect(
    await ask(
      post()
        .replace(/host: [^\r]*\r\n/, '')
        .replace('HTTP/1.1', 'HTTP/1.0'),
    ),
  ).toContain(' 200 OK')
  await close()
})

test('refuses two Host headers, because a proxy may have used the other', async () => {
  const { api, close } = await startApi()
  const [url] = await api.start()
  const refused = await raw(
    connect(portOf(url), '127.0.0.1'),
    post().replace(/(host: [^\r]*\r\n)/, '$1Host: other\r\n'),
  )
  expect(refused).toMatch(/^HTTP\/1\.1 400 /)
  expect(JSON.parse(refused.split('\r\n\r\n')[1] ?? '')).toMatchObject({
    error: 'INVALID_REQUEST',
    details: [{ field: 'host', reason: 'must be given once' }],
  })
  await close()
})

test('treats body fields with names from JavaScript as unknown fields', async () => {
  const { app, close } = await startApi()
  for (const name of ['__proto__', 'constructor']) {
    const payload = BODY.replace('{', `{"${name}":{"prototype":{"calculate":1},"calculate":1},`)
    const { statusCode } = await app.inject({ method: 'POST', url: '/fraud/check', headers: HEADERS, payload })
    expect([name, statusCode]).toEqual([name, 200])
  }
  await close()
})

test('survives a header with invalid characters', async () => {
  const { app, close } = await startApi({ extensions: [mcpRoutes({})] })
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const accept = 'application/json, text/event-stream'
  for (const odd of ['\u0000', '\u202e', 'a\u0001b']) {
    const headers = { 'content-type': 'application/json', accept, 'x-request-id': odd, 'mcp-session-id': odd }
    const { statusCode } = await app.inject({ method: 'POST', url: '/api/mcp', headers, payload: ping })
    expect([odd, statusCode]).toEqual([odd, 200])
  }
  await close()
})

test('refuses a compressed body as such, not as invalid JSON', async () => {
  const api = await startApi()
  const headers = { ...HEADERS, 'content-encoding': 'gzip' }
  const answer = await api.app.inject({ method: 'POST', url: '/fraud/check', headers, payload: gzipSync(BODY) })
  expect([answer.statusCode, answer.json()]).toMatchObject([
    400,
    { error: 'UNSUPPORTED_CONTENT_TYPE', details: [{ field: 'content-encoding' }] },
  ])
  await api.close()
})

test('ignores an unknown Expect header', async () => {
  const { api, close } = await startApi()
  const [url] = await api.start()
  const answer = await raw(connect(portOf(url), '127.0.0.1'), post('expect: the-unexpected\r\n'))
  expect(answer).toContain('HTTP/1.1 200 OK')
  expect(answer).toContain('x-request-id')
  await close()
})

test('answers a wrong method with the allowed ones', async () => {
  const { app, close } = await startApi({ extensions: [agentRoutes({}), mcpRoutes({})] })
  const ask = async (method: 'GET' | 'PUT' | 'POST' | 'OPTIONS' | 'TRACE' | 'HEAD', url: string) => {
    const { statusCode, headers, body } = await app.inject({ method, url } as never)
    return [statusCode, headers.allow, body === '' ? '' : JSON.parse(body).error]
  }
  expect(await ask('GET', '/fraud/check')).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED'])
  expect(await ask('TRACE', '/api/fraud/check?x')).toEqual([405, 'POST', 'METHOD_NOT_ALLOWED'])
  expect(await ask('HEAD', '/fraud/check')).toEqual([405, 'POST', ''])
  expect(await ask('POST', '/docs/errors/NOT_FOUND')).toEqual([405, 'GET, HEAD', 'METHOD_NOT_ALLOWED'])
  expect(await ask('PUT', '/api/a2a')).toEqual([405, 'GET, HEAD, POST', 'METHOD_NOT_ALLOWED'])
  for (const url of ['/fraud', '/fraud/check/', '/fraud/checks', '/Fraud/Check', '/docs/errors/NOT_FOUND/x']) {
    expect([url, ...(await ask('GET', url))]).toEqual([url, 404, undefined, 'UNKNOWN_ROUTE'])
  }
  await close()
})

test('refuses an undecodable or very long path with an error body', async () => {
  const { app, close } = await startApi()
  const ask = async (url: string) => {
    const { statusCode, headers, body } = await app.inject({ url, headers: { 'x-request-id': 'mine' } })
    expect(headers).toMatchObject({
      'x-request-id': 'mine',
      'x-content-type-options': 'nosniff',
      link: expect.stringContaining('help'),
    })
    return [statusCode, JSON.parse(body).error, JSON.parse(body).details]
  }
  const undecodable = [{ field: 'path', reason: 'cannot be decoded' }]
  for (const url of ['/%zz', '/docs/errors/%e0%a4', '/fraud/check%']) {
    expect(await ask(url)).toEqual([400, 'INVALID_REQUEST', undecodable])
  }
  expect((await ask(`/docs/errors/${'A'.repeat(5_000)}`)).slice(0, 2)).toEqual([404, 'UNKNOWN_ROUTE'])
  await close()
})

test('surfaces with separate addresses listen separately', async () => {
  const { api, close } = await startApi({
    listeners: [
      { host: '127.0.0.1', port: 0, surfaces: ['enterprise'] },
      { host: '127.0.0.1', port: 0, surfaces: ['agent'] },
    ],
  })
  const [enterprise, agent] = await api.start()
  const status = async (url: string) => (await fetch(url, { method: 'POST', headers: HEADERS, body: BODY })).status
  expect(
    await Promise.all(
      [
        `${enterprise}/fraud/check`,
        `${enterprise}/api/fraud/check`,
        `${agent}/fraud/check`,
        `${agent}/api/fraud/check`,
      ].map(status),
    ),
  ).toEqual([200, 404, 404, 200])
  await close()
})

test.skipIf(!hasOpenssl)(
  'serves TLS from certificate files and reloads a renewed certificate without a restart (needs openssl)',
  async () => {
    const { api, close } = await startApi({ server: { tls: files, tlsReloadMs: 20 } })
    const [url] = await api.start()
    const handshake = () =>
      new Promise<{ name: string; answer: string }>((resolve, reject) => {
        const socket = connectTls({ port: portOf(url), host: '127.0.0.1', rejectUnauthorized: false }, () => {
          const name = String(socket.getPeerCertificate().subject.CN)
          raw(socket, post()).then((answer) => resolve({ name, answer }), reject)
        })
        socket.on('error', reject)
      })
    const first = await handshake()
    expect(first.name).toBe('first')
    expect(first.answer).toContain('HTTP/1.1 200')
    expect(first.answer.toLowerCase()).toContain('strict-transport-security: max-age=31536000')
    // A balancer of connections has a private address, whoever asks through it.
    const metrics = await new Promise<string>((resolve, reject) => {
      const socket = connectTls({ port: portOf(url), host: '127.0.0.1', rejectUnauthorized: false }, () =>
        raw(socket, 'GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n').then(resolve, reject),
      )
    })
    expect(metrics).toContain('HTTP/1.1 404')
    makeCertificate('second')
    const deadline = Date.now() + 10_000
    while ((await handshake()).name !== 'second') {
      if (Date.now() > deadline) throw new Error('the renewed certificate was not taken')
    }
    writeFileSync(files.cert, 'broken')
    expect((await handshake()).answer).toContain('HTTP/1.1 200')
    await close()
  },
)

test.skipIf(!hasOpenssl)('refuses to start with an unusable certificate, with its code (needs openssl)', async () => {
  const broken = { cert: join(folder, 'absent.pem'), key: files.key }
  await expect(startApi({ server: { tls: broken } })).rejects.toMatchObject({ code: 'ASSAY_API_CERTIFICATE' })
})

test('draining finishes open requests and accepts no more', async () => {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  let begun = () => {}
  const asked = new Promise<void>((resolve) => {
    begun = resolve
  })
  const { api, close, served } = await startApi({
    providers: {
      fraud_check: {
        lookup: async (all) => {
          begun()
          await gate
          return all.map(() => ({ body: '{"message":"Success"}', version: 1 }))
        },
        compute: async () => undefined,
      },
    },
  })
  const [url] = await api.start()
  const answer = fetch(`${url}/fraud/check`, { method: 'POST', headers: HEADERS, body: BODY })
  await asked
  const closed = close()
  open()
  expect((await answer).status).toBe(200)
  expect(await closed).toEqual({ failed: [], late: [] })
  expect([...served.totals.values()]).toEqual([1])
  await expect(fetch(`${url}/health`)).rejects.toThrow()
})
