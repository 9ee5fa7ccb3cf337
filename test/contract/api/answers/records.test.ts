import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NETWORK_CODES, type Network, networkInfo } from '../../../../schema/networks.ts'
import {
  OPERATION_LIST,
  type OperationInfo,
  SURFACE_PREFIX,
  type Surface,
} from '../../../../schema/records/operations.ts'
import { exampleAddress } from '../../../../schema/records/request.ts'
import { CONTRACT, differences } from '../contract.kit.ts'
import { documentedBy } from '../documents/openapi.kit.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY, memoryProvider, startApi, UNSEEN } from '../kit.ts'

type Started = Awaited<ReturnType<typeof startApi>>

let started: Started
let expectDocumented: Awaited<ReturnType<typeof documentedBy>>

beforeAll(async () => {
  started = await startApi()
  expectDocumented = await documentedBy(started.app)
})
afterAll(() => started.close())

const SURFACES: Surface[] = ['enterprise', 'agent']
const routes = SURFACES.flatMap((surface) =>
  OPERATION_LIST.map((info) => ({ surface, info, path: `${SURFACE_PREFIX[surface]}${info.path}` })),
)
const asks = routes.flatMap((route) => route.info.networks.map((network) => ({ ...route, network })))

const spelling = (info: OperationInfo, body: Record<string, unknown>): unknown =>
  info.id === 'credit_score'
    ? (body.creditData as { walletAddress: string }).walletAddress
    : body[info.framing.addressField]

describe.each(asks)('$path on $network', ({ path, info, network }) => {
  const walletAddress = exampleAddress(network)
  const ask = (body: object | string, headers = {}) => started.ask(path, body, headers)

  test('answers with the documented record and the spelling of the caller', async () => {
    const { status, body } = await ask({ network, walletAddress })
    expect(status).toBe(200)
    expectDocumented(path, status, body)
    expect(spelling(info, body)).toBe(walletAddress)
    if ('chain' in body) expect(body.chain).toBe(network)
    expect(info.record.safeParse(body).error).toBeUndefined()
  })

  test('accepts the network in any case and by its aliases', async () => {
    for (const name of [network.toLowerCase(), ...networkInfo(network).aliases]) {
      const { status } = await ask({ network: name, walletAddress, unknown: 'ignored' })
      expect([name, status]).toEqual([name, 200])
    }
  })

  test('refuses missing fields, wrong types and invalid addresses, naming field and reason', async () => {
    const bad: [object | string, string][] = [
      [{ network }, 'walletAddress'],
      [{ network, walletAddress: 7 }, 'walletAddress'],
      [{ network, walletAddress: '' }, 'walletAddress'],
      [{ network, walletAddress: `${walletAddress}0` }, 'walletAddress'],
      [{ network: 'DOGE', walletAddress }, 'network'],
      [{ network: [network], walletAddress }, 'network'],
      ['[]', 'body'],
      ['{', 'body'],
      ['', 'body'],
      ['"x"', 'body'],
      [`{"network":"${' '.repeat(17_000)}"}`, 'body'],
      ...(info.calculate ? ([[{ network, walletAddress, calculate: 'yes' }, 'calculate']] as [object, string][]) : []),
    ]
    for (const [input, field] of bad) {
      const { status, body } = await ask(input)
      expect([input, status, body.details.map((detail: { field: string }) => detail.field)]).toEqual([
        input,
        400,
        [field],
      ])
      expectDocumented(path, status, body)
    }
    const other = await ask({ network, walletAddress }, { 'content-type': 'text/plain' })
    expect([other.status, other.body.error]).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE'])
  })

  test('refuses callers without a key, with a wrong key, or with the wrong tier', async () => {
    for (const key of ['', 'wrong', 'x'.repeat(300)]) {
      const { status, body, headers } = await ask({ network, walletAddress }, { 'x-api-key': key })
      expect(status).toBe(401)
      expect(headers['www-authenticate']).toContain('x-api-key')
      expectDocumented(path, status, body)
    }
    const { status, body } = await ask({ network, walletAddress }, { 'x-api-key': BUSINESS_KEY })
    expect(status).toBe(info.tiers.includes('business') ? 200 : 403)
    expectDocumented(path, status, body)
  })

  test('answers 404 for an address never seen', async () => {
    const { status, body } = await ask({ network, walletAddress: UNSEEN[networkInfo(network).family] })
    expect([status, body.error]).toEqual([404, 'NOT_FOUND'])
    expectDocumented(path, status, body)
  })
})

test.each(CONTRACT.flatMap((operation) => SURFACES.map((surface) => ({ ...operation, surface }))))(
  '$surface $path matches the contract field by field, on its networks and tiers only',
  async ({ path, skill, surface, networks, tier, calculate, record }) => {
    expect(OPERATION_LIST.find(({ id }) => id === skill)?.path).toBe(path)
    const at = `${SURFACE_PREFIX[surface]}${path}`
    const ask = (body: object, key = ENTERPRISE_KEY) => started.ask(at, body, { 'x-api-key': key })
    const listed = networks.split(' ')
    for (const network of NETWORK_CODES) {
      const { status, body } = await ask({ network, walletAddress: exampleAddress(network) })
      expect([network, status]).toEqual([network, listed.includes(network) ? 200 : 400])
      if (status === 200) expect([network, ...differences(record, body)]).toEqual([network])
    }
    const about = { network: 'ETH', walletAddress: exampleAddress('ETH') }
    expect((await ask(about, BUSINESS_KEY)).status).toBe(tier === 'business' ? 200 : 403)
    expect((await ask({ ...about, calculate: null })).status).toBe(calculate ? 400 : 200)
    for (const missing of ['walletAddress', 'network']) {
      const without = Object.fromEntries(Object.entries(about).filter(([name]) => name !== missing))
      const mayBeLeftOut = missing === 'network' && surface === 'agent' && path === '/users/credit-score'
      expect([missing, (await ask(without)).status]).toEqual([missing, mayBeLeftOut ? 200 : 400])
    }
    expect((await ask({ ...about, walletAddress: UNSEEN.evm })).status).toBe(404)
    expect((await ask({}, 'wrong')).status).toBe(401)
  },
)

test('refuses networks that an operation does not support', async () => {
  for (const { path, info } of routes) {
    for (const network of NETWORK_CODES.filter((code) => !info.networks.includes(code))) {
      const { status } = await started.ask(path, { network, walletAddress: exampleAddress(network) })
      expect([path, network, status]).toEqual([path, network, 400])
    }
  }
})

test('the network is optional in the credit score for agents, but not in the enterprise one', async () => {
  const body = { walletAddress: exampleAddress('ETH') }
  expect((await started.ask('/api/users/credit-score', body)).status).toBe(200)
  expect((await started.ask('/users/credit-score', body)).status).toBe(400)
})

test('operations without a provider answer with an error instead of a made-up result', async () => {
  const calls = { lookups: [], computed: [] }
  const alone = await startApi({ providers: { fraud_check: memoryProvider('fraud_check', calls) } })
  for (const { path, info } of routes) {
    const network = info.networks[0] as Network
    const { status, body } = await alone.ask(path, { network, walletAddress: exampleAddress(network) })
    expect([path, status]).toEqual([path, info.id === 'fraud_check' ? 200 : 503])
    expectDocumented(path, status, body)
    expect((await alone.ask(path, { network })).status).toBe(400)
  }
  await alone.close()
})

test('internal failures give a documented 500 or 503 without details', async () => {
  const failing = (error: Error) => ({
    fraud_check: {
      lookup: async () => {
        throw error
      },
      compute: async () => undefined,
    },
  })
  const timeout = Object.assign(new Error('secret'), { name: 'TimeoutError' })
  for (const [error, expected] of [
    [new Error('secret'), 500],
    [timeout, 503],
  ] as const) {
    const broken = await startApi({ providers: failing(error) })
    const { status, body } = await broken.ask('/fraud/check', { network: 'ETH', walletAddress: exampleAddress('ETH') })
    expect(status).toBe(expected)
    expect(JSON.stringify(body)).not.toContain('secret')
    expectDocumented('/fraud/check', status, body)
    await broken.close()
  }
})

test('random bodies never cause a 5xx or an undocumented answer', async () => {
  const field = fc.oneof(
    fc.constantFrom<unknown>(...NETWORK_CODES, 'bsc', exampleAddress('ETH'), exampleAddress('TON'), true, null),
    fc.jsonValue({ maxDepth: 2 }),
    fc.string(),
  )
  const body = fc.oneof(
    fc
      .record({ network: field, walletAddress: field, calculate: field }, { requiredKeys: [] })
      .map((value) => JSON.stringify(value)),
    fc.json({ maxDepth: 3 }),
    fc.string(),
  )
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...routes), body, async ({ path }, text) => {
      const answer = await started.ask(path, text)
      expect(answer.status).toBeLessThan(500)
      expectDocumented(path, answer.status, answer.body)
    }),
    { numRuns: 1_500 },
  )
})

test('unknown routes answer 404 with an error body', async () => {
  for (const [method, url] of [
    ['POST', '/fraud/check/'],
    ['DELETE', '/nope'],
    ['POST', '/api/nope?x=1'],
  ] as const) {
    const { statusCode, body } = await started.app.inject({ method, url })
    expect([url, statusCode, JSON.parse(body).error]).toEqual([url, 404, 'UNKNOWN_ROUTE'])
  }
})
