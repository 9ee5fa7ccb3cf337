/** The server's part of the console: who is let in by a cookie, and what pages may do. */
import { expect, test } from 'vitest'
import { createSessions } from '../../../api/console/sessions.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY, startApi, testContext } from './kit.ts'

const WALLET = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }
const OWN = { 'sec-fetch-site': 'same-origin' }

const start = async (overrides: Parameters<typeof startApi>[0] = {}, context = testContext()) => {
  const started = await startApi({ console: {}, ...overrides }, context)
  const send = async (
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    headers: Record<string, string>,
    body?: object,
  ) => {
    const response = await started.app.inject({ method, url, headers, ...(body && { payload: body }) })
    return { status: response.statusCode, headers: response.headers, text: response.body }
  }
  /** Signs in as a page does; the cookie as browsers send it back. */
  const signIn = async (body: object = { key: ENTERPRISE_KEY }, headers: Record<string, string> = OWN) => {
    const { status, headers: given, text } = await send('POST', '/console/session', headers, body)
    const set = String(given['set-cookie'] ?? '')
    return { status, set, cookie: set.split(';')[0] ?? '', answer: JSON.parse(text) }
  }
  const check = async (headers: Record<string, string>, path = '/fraud/check') =>
    (await send('POST', path, headers, WALLET)).status
  return { ...started, send, signIn, check }
}

test('a key is exchanged for an HttpOnly cookie that does not contain the key', async () => {
  const { signIn, check, close } = await start()
  const { status, set, cookie, answer } = await signIn()
  expect([status, answer]).toEqual([
    200,
    { message: 'Success', key: 'key_enterprise', tier: 'enterprise', test: false, operations: null, networks: null },
  ])
  expect(set).toMatch(/^assay=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/)
  expect(Buffer.from(cookie.slice(6), 'base64url').toString('latin1')).not.toContain(ENTERPRISE_KEY)
  expect((await signIn()).cookie).not.toBe(cookie)
  expect(await check({ ...OWN, cookie })).toBe(200)
  await close()
})

test('accepts the cookie from pages of the same origin only', async () => {
  const { signIn, check, send, close } = await start()
  const { cookie } = await signIn()
  for (const site of ['cross-site', 'same-site', 'none', 'Same-Origin'])
    expect(await check({ cookie, 'sec-fetch-site': site })).toBe(401)
  expect(await check({ cookie })).toBe(401)
  // Of another page no sign-in is taken either, and no signing out.
  expect((await signIn({ key: ENTERPRISE_KEY }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await send('DELETE', '/console/session', { cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  // Agents have keys and payments, no pages.
  expect(await check({ ...OWN, cookie }, '/api/fraud/check')).toBe(401)
  await close()
})

test('refuses a foreign cookie, a changed one and one of an earlier start', async () => {
  const { signIn, check, close } = await start()
  const { cookie } = await signIn()
  // In the middle: the last character of base64 has bits that mean nothing.
  const [head, middle, tail] = [cookie.slice(0, 40), cookie[40], cookie.slice(41)]
  const changed = `${head}${middle === 'A' ? 'B' : 'A'}${tail}`
  const foreign = `assay=${createSessions({ now: Date.now }).seal(ENTERPRISE_KEY)}`
  for (const wrong of [changed, foreign, 'assay=', 'assay=%00', `assay=${'A'.repeat(5_000)}`, `x${cookie}`])
    expect(await check({ ...OWN, cookie: wrong }), wrong.slice(0, 80)).toBe(401)
  expect(await check({ ...OWN, cookie: `other=1; ${cookie}; more=2` })).toBe(200)
  await close()
})

test('replicas with the same secret accept the same sessions', async () => {
  const [one, two, three] = [
    await start({ console: { secret: 's' } }),
    await start({ console: { secret: 's' } }),
    await start({ console: { secret: 't' } }),
  ]
  const { cookie } = await one.signIn()
  expect(await two.check({ ...OWN, cookie })).toBe(200)
  expect(await three.check({ ...OWN, cookie })).toBe(401)
  for (const { close } of [one, two, three]) await close()
})

test('a session ends after twelve hours, and immediately when its key is revoked', async () => {
  let now = Date.parse('2026-11-22T12:00:00Z')
  const context = testContext()
  const { signIn, check, keys, api, close } = await start(
    {},
    { ...context, clock: { ...context.clock, now: () => now } },
  )
  const { cookie } = await signIn()
  now += 12 * 3_600_000 - 1
  expect(await check({ ...OWN, cookie })).toBe(200)
  now += 1
  expect(await check({ ...OWN, cookie })).toBe(401)
  const { cookie: fresh } = await signIn()
  for (const row of keys.rows) row.revoked = true
  await api.refreshKeys()
  expect(await check({ ...OWN, cookie: fresh })).toBe(401)
  await close()
})

test('a sign-in link works once, within ten minutes, and its token is not in the path', async () => {
  let now = Date.parse('2026-11-22T12:00:00Z')
  const context = testContext()
  const { signIn, api, close } = await start({}, { ...context, clock: { ...context.clock, now: () => now } })
  const linkOf = () => {
    const url = new URL(api.consoleLink(BUSINESS_KEY) ?? '', 'http://x')
    expect([url.pathname, url.search]).toEqual(['/console/', ''])
    return { link: url.hash.replace('#link=', '') }
  }
  const link = linkOf()
  // Somebody else's page uses none up.
  expect((await signIn(link, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  expect((await signIn(link)).answer).toMatchObject({ tier: 'business' })
  expect(await signIn(link)).toMatchObject({ status: 401, set: '', answer: { error: 'KEY_INVALID' } })
  const late = linkOf()
  now += 10 * 60_000
  expect((await signIn(late)).status).toBe(401)
  expect((await signIn({ link: 'guess' })).status).toBe(401)
  await close()
})

test('tiers and limits apply to the console as to programs', async () => {
  const { signIn, check, close } = await start({ rateLimits: [{ tier: 'business', limit: 3, windowMs: 60_000 }] })
  const { cookie } = await signIn({ key: BUSINESS_KEY })
  expect(await check({ ...OWN, cookie }, '/users/credit-score')).toBe(403)
  expect(await check({ ...OWN, cookie })).toBe(200)
  expect(await check({ ...OWN, cookie })).toBe(429)
  // A key in the header is the one that counts.
  expect(await check({ ...OWN, cookie, 'x-api-key': ENTERPRISE_KEY }, '/users/credit-score')).toBe(200)
  await close()
})

test('refuses and counts wrong keys like other requests', async () => {
  const { signIn, close } = await start({ tuning: { invalidKeysPerMinute: 2 } })
  expect((await signIn({ key: 'wrong' })).status).toBe(401)
  expect((await signIn({ key: 'wrong again' })).status).toBe(401)
  expect((await signIn({ key: 'and again' })).status).toBe(429)
  expect((await signIn({})).status).toBe(400)
  expect((await signIn({ key: 'x'.repeat(300) })).status).toBe(400)
  await close()
})

test('over HTTPS the cookie is bound to the host and never sent in plain text', async () => {
  const { send, close } = await start({ server: { trustProxy: ['127.0.0.1'] } })
  const headers = { ...OWN, 'x-forwarded-proto': 'https', 'x-forwarded-for': '203.0.113.9' }
  const { headers: given } = await send('POST', '/console/session', headers, { key: ENTERPRISE_KEY })
  const set = String(given['set-cookie'])
  expect(set).toMatch(/^__Host-assay=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/)
  const cookie = set.split(';')[0] ?? ''
  expect((await send('POST', '/fraud/check', { ...headers, cookie }, WALLET)).status).toBe(200)
  // A cookie that plain HTTP could have set is not taken.
  expect(
    (await send('POST', '/fraud/check', { ...headers, cookie: cookie.replace('__Host-', '') }, WALLET)).status,
  ).toBe(401)
  await close()
})

test('console and documentation have one content security policy, without exceptions', async () => {
  const { send, close } = await start()
  const [console, docs] = [await send('GET', '/console/ETH/0xab', {}), await send('GET', '/docs', {})]
  expect(console.status).toBe(200)
  expect(console.headers['content-security-policy']).toBe(docs.headers['content-security-policy'])
  expect(docs.headers['content-security-policy']).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  )
  for (const { text } of [console, docs])
    expect(text).not.toMatch(
      /<style|style=|<script(?! type="module" src="\/)|<[^>]* on\w+=|(?:src|href|action)="(?!#|\/)/,
    )
  expect((await send('GET', '/console', {})).headers.location).toBe('/console/')
  await close()
})

test('serves files compressed and immutable under a hashed name; names of other versions are 404', async () => {
  const { send, close } = await start()
  const { text } = await send('GET', '/console/', {})
  const script = /src="([^"]+main\.js)"/.exec(text)?.[1] ?? ''
  const plain = await send('GET', script, {})
  expect(plain).toMatchObject({
    status: 200,
    headers: { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' },
  })
  const zipped = await send('GET', script, { 'accept-encoding': 'gzip, br' })
  expect(zipped.headers['content-encoding']).toBe('gzip')
  const old = script.replace(/assets\/\w+/, 'assets/0123456789abcdef')
  expect((await send('GET', old, {})).status).toBe(404)
  // Each file that is imported is there.
  const folder = script.replace('main.js', '')
  const files = [
    'main.js',
    'pages/search.js',
    'pages/wallet.js',
    'pages/token.js',
    'base/table.js',
    'pages/batch.js',
    'pages/status.js',
    'pages/account.js',
  ]
  for (const file of files) {
    const { text: source } = await send('GET', `${folder}${file}`, {})
    for (const [, path = ''] of source.matchAll(/^(?:import .*|\} )from '(\.[^']+)'/gm)) {
      expect(
        (await send('GET', new URL(path, `http://x${folder}${file}`).pathname, {})).status,
        `${file}: ${path}`,
      ).toBe(200)
    }
  }
  await close()
})

test('serves no console without the option, or on a surface for agents only', async () => {
  const off = await start({ console: undefined })
  expect((await off.send('GET', '/console/', {})).status).toBe(404)
  expect(off.api.consoleLink(BUSINESS_KEY)).toBeUndefined()
  await off.close()
  const agents = await start({ listeners: [{ host: '127.0.0.1', port: 0, surfaces: ['agent'] }] })
  expect((await agents.send('GET', '/console/', {})).status).toBe(404)
  await agents.close()
})
