/** What a service answers beside its operations: headers, health, status, pages and versions. */
import { expect, test } from 'vitest'
import { agentRoutes } from '../../../../api/a2a/routes.ts'
import { OPERATIONS } from '../../../../schema/records/operations.ts'
import { startApi, UNSEEN } from '../kit.ts'

const eth = { network: 'ETH', walletAddress: `0xaa${'1'.padStart(38, '0')}`, calculate: false }

test('answers have security headers and a request ID, taken from the caller if it is valid', async () => {
  const { ask, close } = await startApi()
  const { headers } = await ask('/fraud/check', eth, { 'x-request-id': 'mine-1' })
  expect(headers).toMatchObject({
    'x-request-id': 'mine-1',
    'strict-transport-security': expect.stringContaining('max-age=31536000'),
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
  })
  const odd = await ask('/fraud/check', eth, { 'x-request-id': 'a b<script>' })
  expect(odd.headers['x-request-id']).toMatch(/^[\w-]+$/)
  await close()
})

test('health, readiness and metrics answer, and readiness names what is missing', async () => {
  let ready = false
  const { app, ask, close } = await startApi({
    server: { readiness: () => ({ ready, reasons: ready ? [] : ['ETH stalls'] }) },
  })
  expect((await app.inject('/health')).statusCode).toBe(200)
  const no = await app.inject('/ready')
  expect([no.statusCode, no.json()]).toEqual([503, { ready: false, reasons: ['ETH stalls'] }])
  ready = true
  expect((await app.inject('/ready')).statusCode).toBe(200)
  await ask('/fraud/check', eth)
  const metrics = (await app.inject('/metrics')).body
  expect(metrics).toContain('assay_http_seconds_count{operation="fraud_check",status="200",outcome="store"} 1')
  expect((await app.inject({ url: '/metrics', remoteAddress: '203.0.113.9' })).statusCode).toBe(404)
  await close()
})

test('status shows each network; hosts and error texts only to private addresses', async () => {
  const error = { code: 'ASSAY_SOURCE_WRONG_CHAIN', message: 'The node rpc.example is on chain 5', since: '2026-01-01' }
  const part = { part: 'indexing', role: 'indexer', instance: 'host-1', state: 'stopped', since: '2026-01-01' }
  const network = { network: 'ETH', ready: false, state: 'stopped', reasons: ['indexing of ETH is stopped'], stored: 7 }
  const { app, close } = await startApi({
    server: {
      readiness: () => ({ ready: true, reasons: [] }),
      status: async () => [{ ...network, error, parts: [{ ...part, reportedAt: '2026-01-01', error }] }],
    },
  })
  const ask = async (remoteAddress: string) => (await app.inject({ url: '/status', remoteAddress })).json()
  expect(await ask('127.0.0.1')).toEqual({
    networks: [{ ...network, error, parts: [{ ...part, reportedAt: '2026-01-01', error }] }],
  })
  const { message: _, ...bare } = error
  const { instance: __, ...anonymous } = part
  expect(await ask('203.0.113.9')).toEqual({
    networks: [{ ...network, error: bare, parts: [{ ...anonymous, reportedAt: '2026-01-01', error: bare }] }],
  })
  await close()
})

test('the documentation page lists every operation and loads nothing from other hosts', async () => {
  const { app, close } = await startApi()
  const { body, headers } = await app.inject('/docs')
  for (const { path, title } of Object.values(OPERATIONS)) {
    expect(body).toContain(path)
    expect(body).toContain(title)
  }
  // Whatever is loaded is a path of ours, and nothing is inline.
  expect(
    body.match(/(?:src|href)="(?!#|\/)[^"]*"|<style|style=|<script(?! type="module" src="\/)|\son\w+=/g),
  ).toBeNull()
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  for (const [, path = ''] of body.matchAll(/(?:src|href)="(\/[^"#]*)"/g)) {
    expect([path, (await app.inject(path)).statusCode]).toEqual([path, 200])
  }
  expect((await app.inject('/docs/errors/NO_SUCH')).statusCode).toBe(404)
  await close()
})

test('an error links to its page, and a version can be requested by date', async () => {
  const { ask, app, close } = await startApi({ extensions: [agentRoutes({})] })
  const refused = await ask('/fraud/check', { network: 'ETH' })
  expect(refused.headers.link).toBe('</docs/errors/INVALID_REQUEST>; rel="help"')
  expect((await app.inject('/docs/errors/INVALID_REQUEST')).body).toContain('What to do')
  const answered = await ask('/fraud/check', eth)
  const version = String(answered.headers['assay-version'])
  expect([version, answered.headers.link]).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d$/), undefined])
  expect((await ask('/fraud/check', eth, { 'assay-version': version })).status).toBe(200)
  const unknown = await ask('/fraud/check', eth, { 'assay-version': '2020-01-01' })
  expect([unknown.status, unknown.body.details]).toEqual([
    400,
    [{ field: 'assay-version', reason: `is not a version: send ${version}, or omit the header` }],
  ])
  const old = (await app.inject('/.well-known/agent.json')).headers
  expect([old.deprecation, old.sunset]).toEqual(['@1795305600', 'Mon, 22 Nov 2027 00:00:00 GMT'])
  expect(old.link).toBe('</.well-known/agent-card.json>; rel="successor-version"')
  await close()
})

test('an unknown address is 404 on an indexed network, otherwise 503', async () => {
  const { ask, close } = await startApi({ indexed: ['ETH'] })
  const answer = async (network: string, path = '/fraud/check') => {
    const { status, body } = await ask(path, { network, walletAddress: UNSEEN.evm })
    return [status, body.error]
  }
  expect(await answer('ETH')).toEqual([404, 'NOT_FOUND'])
  expect(await answer('BASE')).toEqual([503, 'ANALYSIS_NOT_AVAILABLE'])
  expect(await answer('BASE', '/rug/pull-check')).toEqual([503, 'ANALYSIS_NOT_AVAILABLE'])
  await close()
})
