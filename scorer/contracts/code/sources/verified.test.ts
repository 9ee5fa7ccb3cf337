import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { testContext } from '../../../../test/kit/context.ts'
import { createVerifiedSources } from './verified.ts'

const ADDRESS = `0x${'ab'.repeat(20)}`
const asked = { chainId: 8_453, address: ADDRESS, code: '0x6001600155' }
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

/** A service that gives the answers in order and repeats the last one. */
const serve = async (...answers: ((response: ServerResponse) => void)[]) => {
  const paths: string[] = []
  const server = createServer((request, response) => {
    const reply = answers[Math.min(paths.length, answers.length - 1)]
    paths.push(request.url ?? '')
    reply?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/server/`, paths }
}
const json = (status: number, body: unknown) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
const silence = () => {}

const sourcesAt = (url: string, deadlineMs = 2_000) => {
  let now = 1_000_000
  const base = testContext()
  const context = { ...base, clock: { now: () => now, sleep: async () => {} } }
  const outcomes = async () => {
    const { values } = await base.metrics.counter('assay_source_lookups_total', '', ['outcome']).get()
    return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]))
  }
  const pass = (ms: number) => {
    now += ms
  }
  return { ask: createVerifiedSources({ context, url, deadlineMs }), outcomes, pass }
}

test.each([
  ['an exact match', json(200, { match: 'exact_match' }), true],
  ['a match', json(200, { match: 'match', chainId: '8453', compilation: { name: 'Vault' } }), true],
  ['no match', json(200, { match: null }), false],
  ['a contract that is not verified', json(404, { match: null }), false],
])('%s', async (_, reply, published) => {
  const { url, paths } = await serve(reply)
  const { ask, outcomes } = sourcesAt(url)
  expect(await ask(asked)).toMatchObject({ published })
  expect(paths).toEqual([`/server/v2/contract/8453/${ADDRESS}?fields=compilation`])
  expect(await outcomes()).toEqual({ [published ? 'verified' : 'unverified']: 1 })
})

test('caches verified for good and not verified for an hour, by code', async () => {
  const { url, paths } = await serve(json(404, {}), json(200, { match: 'match' }))
  const { ask, pass } = sourcesAt(url)
  expect([await ask(asked), await ask(asked)].map(({ published }) => published)).toEqual([false, false])
  expect(paths).toHaveLength(1)
  pass(3_600_001)
  expect((await ask(asked)).published).toBe(true)
  pass(1e12)
  expect((await ask(asked)).published).toBe(true)
  expect(paths).toHaveLength(2)
  await ask({ ...asked, code: '0x6002600255' })
  expect(paths).toHaveLength(3)
})

test('concurrent look-ups share one request', async () => {
  const { url, paths } = await serve(json(200, { match: 'match' }))
  const { ask } = sourcesAt(url)
  await Promise.all([ask(asked), ask(asked), ask(asked)])
  expect(paths).toHaveLength(1)
})

test('a temporary failure is retried', async () => {
  const { url, paths } = await serve(json(503, {}), json(429, {}), json(200, { match: 'match' }))
  expect((await sourcesAt(url).ask(asked)).published).toBe(true)
  expect(paths).toHaveLength(3)
})

test.each([
  ['keeps failing', json(500, {}), 3],
  ['refuses', json(401, {}), 1],
  ['answers with HTML', (response: ServerResponse) => void response.end('<html>'), 1],
  ['is silent', silence, 1],
  ['stops in the middle of an answer', (response: ServerResponse) => void response.write('{'), 1],
])('a service that %s leaves the contract unknown and is not called again for a while', async (_, reply, requests) => {
  const { url, paths } = await serve(reply)
  const { ask, outcomes, pass } = sourcesAt(url)
  expect((await ask(asked)).published).toBeUndefined()
  expect((await ask({ ...asked, address: `0x${'cd'.repeat(20)}` })).published).toBeUndefined()
  expect(paths).toHaveLength(requests)
  expect(await outcomes()).toEqual({ failed: 1 })
  pass(30_001)
  await ask(asked)
  expect(paths.length).toBeGreaterThan(requests)
})

test.each([
  ['is too long', (response: ServerResponse) => void response.end(`"${'x'.repeat(9 * 2 ** 20)}"`)],
  ['is long and exceeds the deadline', (response: ServerResponse) => void response.write(Buffer.alloc(2 ** 21))],
  ['has an unknown value', json(200, { match: 'perhaps' })],
  ['has no match', json(200, { chainId: '8453', address: ADDRESS })],
  ['is a status 400', json(400, {})],
])('an answer that %s leaves only that contract unknown', async (_, reply) => {
  const { url, paths } = await serve(reply, json(200, { match: 'match' }))
  const { ask, outcomes, pass } = sourcesAt(url)
  expect((await ask(asked)).published).toBeUndefined()
  expect((await ask({ ...asked, address: `0x${'cd'.repeat(20)}` })).published).toBe(true)
  expect((await ask(asked)).published).toBeUndefined()
  expect(paths).toHaveLength(2)
  expect(await outcomes()).toEqual({ failed: 1, verified: 1 })
  pass(3_600_001)
  expect((await ask(asked)).published).toBe(true)
})

const etherscan = (SourceCode: string, ContractName: string) =>
  json(200, { status: '1', message: 'OK', result: [{ SourceCode, ABI: '[]', ContractName }] })
const refusal = (result: string) => json(200, { status: '0', message: 'NOTOK', result })

test.each([
  ['a verified contract', [etherscan('contract Vault {}', 'Vault')], { published: true, name: 'Vault' }],
  ['one without a source', [etherscan('', '')], { published: false }],
  ['an invalid name', [etherscan('contract A {}', '<img src=x>')], { published: true }],
  [
    'a rate limit, then an answer',
    [refusal('Max rate limit reached'), etherscan('contract A {}', 'A')],
    { published: true },
  ],
  ['a wrong key', [refusal('Invalid API Key')], { published: undefined }],
  ['HTML', [(response: ServerResponse) => void response.end('<html>')], { published: undefined }],
])('an Etherscan-compatible service answers: %s', async (_, answers, expected) => {
  const { url, paths } = await serve(...answers)
  const { ask } = sourcesAt(url.replace('/server/', '/v2/api?apikey=secret'))
  const told = await ask(asked)
  expect(told).toMatchObject(expected)
  expect(told.name).toBe('name' in expected ? expected.name : told.name?.match(/^A$/)?.[0])
  expect(told.evidence).not.toContain('secret')
  expect(paths[0]).toBe(`/v2/api?apikey=secret&chainid=8453&module=contract&action=getsourcecode&address=${ADDRESS}`)
})

test('returns the name of the contract in its source', async () => {
  const { url } = await serve(json(200, { match: 'match', compilation: { name: 'Vault' } }))
  expect(await sourcesAt(url).ask(asked)).toMatchObject({ name: 'Vault', evidence: expect.stringMatching(/as Vault$/) })
})
