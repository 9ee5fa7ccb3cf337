/** One operation, one unit of limit, one payment: on every transport, whatever the body looks like. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentRoutes } from '../../../../api/a2a/routes.ts'
import { mcpRoutes } from '../../../../api/mcp/routes.ts'
import { OPERATION_LIST } from '../../../../schema/records/operations.ts'
import { BUSINESS_KEY, bodyOf, ENTERPRISE_KEY, startApi, testContext, UNSEEN } from '../kit.ts'
import { agreeing, gateOf, payment, unusedNow } from './payments.kit.ts'

const ADDRESS = `0x${'aa'.repeat(20)}`
const MCP_HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
const LIMIT = 1_000_000

/** Operations that were looked up, whoever asked. */
let performed = 0
let settleFails = false
let events: string[] = []
const { facilitator, settled } = agreeing()

let started: Awaited<ReturnType<typeof startApi>>
beforeAll(async () => {
  const context = testContext()
  const payments = gateOf({
    ...facilitator,
    settle: async (claim) => {
      events.push('settle')
      if (settleFails) return { success: false, transaction: '', errorReason: 'insufficient_funds' }
      return facilitator.settle(claim)
    },
    fate: async () => unusedNow(),
  })
  const count = (id: (typeof OPERATION_LIST)[number]['id']) => ({
    lookup: async () => [undefined],
    // Nothing is stored and nothing kept, so that every operation comes by here.
    compute: async ({ network, address }: { network: 'ETH'; address: string }) => {
      if (address === UNSEEN.evm) return undefined
      performed++
      events.push('perform')
      return { body: bodyOf(id, network), version: Date.now() }
    },
  })
  started = await startApi(
    {
      payments,
      providers: Object.fromEntries(OPERATION_LIST.map(({ id }) => [id, count(id)])) as never,
      rateLimits: [{ tier: 'business', limit: LIMIT, windowMs: 3_600_000 }],
      recalculationLimits: [],
      extensions: [agentRoutes({}), mcpRoutes({})],
    },
    context,
  )
})
afterAll(() => started.close())

const post = async (url: string, payload: string | Buffer, headers: Record<string, string>) => {
  const response = await started.app.inject({
    method: 'POST',
    url,
    payload,
    headers: { ...MCP_HEADERS, ...headers },
  })
  return { status: response.statusCode, headers: response.headers, text: response.body }
}
/** Asked for anew each time, so that the record in memory does not hide an operation. */
const input = { network: 'ETH', walletAddress: ADDRESS, calculate: true }
const call = (id: unknown = 1, args: object = input) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'fraud_audit', arguments: args },
})
const send = (data: object, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'message/send',
  params: { message: { role: 'user', messageId: 'm', parts: [{ kind: 'data', data }], ...more } },
})

test.each([
  ['/api/mcp', 400],
  ['/api/a2a', 200],
])('refuses a batch at %s, without running or charging anything, with payment or key', async (path, status) => {
  const batch = JSON.stringify(Array.from({ length: 20 }, (_, id) => (path === '/api/mcp' ? call(id) : send(input))))
  const before = [performed, settled.length]
  for (const headers of [payment(), { 'x-api-key': ENTERPRISE_KEY }, {}]) {
    const answer = await post(path, batch, headers)
    expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
      status,
      { jsonrpc: '2.0', id: null, error: { code: -32600 } },
    ])
  }
  expect([performed, settled.length]).toEqual(before)
})

test('tasks/get does not return an answer whose payment was not settled', async () => {
  const from = `0x${'ab'.repeat(20)}`
  const pay = () => payment({ from })
  const asked = await post('/api/a2a', JSON.stringify(send({ hello: 1 })), pay())
  const { id } = JSON.parse(asked.text).result
  settleFails = true
  const refused = await post('/api/a2a', JSON.stringify(send({ skill: 'fraud_check', input }, { taskId: id })), pay())
  settleFails = false
  expect(refused.status).toBe(402)
  const get = { jsonrpc: '2.0', id: 2, method: 'tasks/get', params: { id } }
  const found = JSON.parse((await post('/api/a2a', JSON.stringify(get), pay())).text)
  expect(found.result.status.state).toBe('input-required')
})

const text = JSON.stringify(call())
const odd: [string, string | Buffer][] = [
  ['a byte order mark', Buffer.from(`\ufeff${text}`)],
  ['whitespace', `\n\t ${text} \r\n`],
  ['a method named twice, the call last', text.replace('"method"', '"method":"tools/list","method"')],
  [
    'a method named twice, the call first',
    text.replace('}}', '}},').replace(/,$/, '').replace(/}$/, ',"method":"ping"}'),
  ],
  ['an escaped method', text.replace('tools/call', 'tools\\u002fcall')],
  ['no id', JSON.stringify({ ...call(), id: undefined })],
  ['a null id', JSON.stringify(call(null))],
  ['an array in an array', `[[${text}]]`],
  ['a call within the arguments', JSON.stringify(call(1, { ...input, call: call() }))],
  ['two bodies', `${text}\n${text}`],
  ['UTF-16', Buffer.from(text, 'utf16le')],
  ['a response', '{"jsonrpc":"2.0","id":1,"result":{}}'],
  ['a call that is a response too', JSON.stringify({ ...call(), result: { isError: true } })],
  ['an own __proto__', text.replace('{', '{"__proto__":{"method":"ping"},')],
  ['text after the call', `${text}[]`],
  ['null', 'null'],
  ['as many brackets as fit', text.replace('"ETH"', `${'['.repeat(7_900)}${']'.repeat(7_900)}`)],
  ['nothing', ''],
]
const types = ['application/json', 'application/json; charset=utf-16', 'text/plain', 'text/event-stream', 'x/y']

test.each(odd)('%s in an MCP body: charges what runs once, before the response', async (_, body) => {
  for (const type of types) {
    const before = [performed, settled.length] as const
    events = []
    const { status, text: answered } = await post('/api/mcp', body, { ...payment(), 'content-type': type })
    const ran = performed - before[0]
    expect([ran <= 1, settled.length - before[1]]).toEqual([true, ran])
    expect(events).toEqual(ran ? ['perform', 'settle'] : [])
    expect(answered.includes('probabilityFraud')).toBe(ran === 1)
    expect(status).toBeLessThan(500)
    // Nobody runs anything without a payment or a key.
    await post('/api/mcp', body, { 'content-type': type })
    expect(performed - before[0]).toBe(ran)
  }
})

const value = fc.oneof(
  { depthSize: 'small' },
  fc.constant(call()),
  fc.constant(send({ skill: 'fraud_check', input })),
  fc.constant(send({ skill: 'fraud_check', input: { ...input, walletAddress: UNSEEN.evm } })),
  fc.constant({ jsonrpc: '2.0', id: 3, method: 'tools/list' }),
  fc.constant(input),
  fc.jsonValue(),
)
const changed = fc
  .tuple(
    fc.oneof(value, fc.array(value, { maxLength: 4 })),
    fc.dictionary(
      fc.constantFrom('id', 'method', 'params', 'jsonrpc', 'result', 'error', '_meta', 'toJSON', '__proto__'),
      fc.oneof(fc.constantFrom('tools/call', 'message/send', 'tasks/get', 1, null), fc.jsonValue()),
      { maxKeys: 2 },
    ),
    fc.boolean(),
  )
  .map(([base, extra, first]) =>
    typeof base === 'object' && base !== null && !Array.isArray(base)
      ? JSON.stringify(first ? { ...extra, ...base } : { ...base, ...extra })
      : JSON.stringify(base),
  )

/** A probability with its value, also inside a text of JSON; schemas name it too. */
const VERDICT = /probabilityFraud\\?":\s*\\?["\d]/

test('settles every successful operation exactly once before its answer leaves, and nothing else', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom('/api/mcp', '/api/a2a', '/api/a2a/', '/api/fraud/check', '/api/fraud/audit'),
      changed,
      async (path, body) => {
        const before = [performed, settled.length] as const
        events = []
        const { status, headers, text: answered } = await post(path, body, payment())
        const ran = performed - before[0]
        expect(settled.length - before[1]).toBe(ran)
        expect(events).toEqual(ran ? ['perform', 'settle'] : [])
        expect(VERDICT.test(answered)).toBe(ran === 1)
        expect(headers['payment-response'] !== undefined).toBe(ran === 1)
        expect(status).toBeLessThan(500)
      },
    ),
    { numRuns: 400 },
  ))

test('with a key every operation costs one unit on every transport', async () => {
  const business = { 'x-api-key': BUSINESS_KEY }
  const plain = { ...input, calculate: false }
  const left = async (path: string, body: object) =>
    Number((await post(path, JSON.stringify(body), business)).headers['ratelimit-remaining'])
  const first = await left('/api/fraud/check', plain)
  const rest = [
    await left('/fraud/check', plain),
    await left('/api/mcp', { ...call(1, plain), params: { name: 'fraud_check', arguments: plain } }),
    await left('/api/a2a', send({ skill: 'fraud_check', input: plain })),
    await left('/api/mcp', [call(), call(), call()]),
  ]
  expect(rest.map((remaining) => first - remaining)).toEqual([1, 2, 3, 4])
})
