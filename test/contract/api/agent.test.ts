/**
 * The agent from the outside: the A2A project's own client and a plain MCP exchange against a listening server, with a key
 * and with payments on a local chain.
 */
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { agentRoutes } from '../../../api/a2a/routes.ts'
import { mcpRoutes } from '../../../api/mcp/routes.ts'
import { createOwnFacilitator } from '../../../api/x402/chain/own-facilitator.ts'
import { createPaymentGate } from '../../../api/x402/gate.ts'
import { createLocalReservations } from '../../../api/x402/reservations.ts'
import { type PaymentChain, startPaymentChain } from '../../../deploy/demo/payments/chain.ts'
import { secret } from '../../../platform/config/config.ts'
import { OPERATION_LIST } from '../../../schema/records/operations.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY, startApi, testContext, UNSEEN } from './kit.ts'
import { memoryLedger } from './payments/payments.kit.ts'

const RECEIVER = privateKeyToAccount(generatePrivateKey()).address
const OPERATOR_KEY = generatePrivateKey()
const ADDRESS = `0x${'aa'.repeat(20)}`
const UNKNOWN = UNSEEN.evm

let chain: PaymentChain
let paid: Awaited<ReturnType<typeof startApi>>
let free: Awaited<ReturnType<typeof startApi>>
let paidUrl: string
let freeUrl: string

beforeAll(async () => {
  chain = await startPaymentChain()
  await chain.fund(privateKeyToAccount(OPERATOR_KEY).address, 10n ** 20n)
  const context = testContext()
  const payments = createPaymentGate({
    context,
    receiver: RECEIVER,
    facilitator: createOwnFacilitator(chain.rpcUrl, secret(OPERATOR_KEY)),
    reservations: createLocalReservations(Date.now),
    ledger: memoryLedger(),
  })
  paid = await startApi(
    { payments, extensions: [agentRoutes({ receiver: RECEIVER }), mcpRoutes({ receiver: RECEIVER })] },
    context,
  )
  free = await startApi({ extensions: [agentRoutes({}), mcpRoutes({})] })
  ;[paidUrl] = (await paid.api.start()) as [string]
  ;[freeUrl] = (await free.api.start()) as [string]
})

afterAll(async () => {
  await Promise.all([paid?.close(), free?.close()])
  await chain?.stop()
})

const clientOf = (url: string, fetchImpl: typeof fetch) =>
  new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    }),
  ).createFromUrl(url)

const keyed =
  (key: string): typeof fetch =>
  (input, init) =>
    fetch(input, { ...init, headers: { ...Object.fromEntries(new Headers(init?.headers)), 'x-api-key': key } })

const ask = (data: Record<string, unknown>) => ({
  message: {
    kind: 'message' as const,
    role: 'user' as const,
    messageId: 'm1',
    parts: [{ kind: 'data' as const, data }],
  },
})
const rpc = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })

const payer = async (dollars: bigint) => {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.mint(account.address, dollars)
  return wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', new ExactEvmScheme(account)))
}
const received = () => chain.balanceOf(RECEIVER)

test('the agent card is public at both addresses, cacheable, and lists five skills with valid schemas', async () => {
  const [one, two] = await Promise.all(
    ['agent-card', 'agent'].map((name) => fetch(`${paidUrl}/.well-known/${name}.json`)),
  )
  const card = (await one?.json()) as {
    skills: { id: string; metadata: { inputSchema: object; outputSchema: object } }[]
    url: string
  }
  expect(await two?.json()).toEqual(card)
  expect(one?.headers.get('access-control-allow-origin')).toBe('*')
  const again = await fetch(`${paidUrl}/.well-known/agent-card.json`, {
    headers: { 'if-none-match': one?.headers.get('etag') ?? '' },
  })
  expect(again.status).toBe(304)
  expect(card).toMatchObject({
    protocolVersion: '0.3.0',
    version: '1.0.0',
    preferredTransport: 'JSONRPC',
    url: `${paidUrl}/api/a2a`,
    capabilities: { streaming: false, pushNotifications: false, stateTransitionHistory: false },
  })
  // A2A 1.0 has these in another shape: its official client (1.3.0) takes a card that has them for one of 1.0, and cannot read it.
  for (const later of ['supportedInterfaces', 'securityRequirements']) expect(card).not.toHaveProperty(later)
  expect(card.skills.map(({ id }) => id)).toEqual([
    'fraud_check',
    'fraud_audit',
    'rug_pull',
    'wallet_segment',
    'credit_score',
  ])
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  for (const { metadata } of card.skills) {
    ajv.compile(metadata.inputSchema)
    ajv.compile(metadata.outputSchema)
  }
  expect(await (await fetch(`${paidUrl}/api/capabilities`)).json()).toMatchObject({
    capabilities: Array(5).fill(expect.objectContaining({ method: 'POST' })),
  })
})

test('the official A2A client sends, gets and cancels tasks with a key', async () => {
  const client = await clientOf(freeUrl, keyed(ENTERPRISE_KEY))
  const task = await client.sendMessage(ask({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS }))
  if (task.kind !== 'task') throw new Error('not a task')
  expect(task.status.state).toBe('completed')
  expect(task.artifacts?.[0]?.parts[0]).toMatchObject({
    kind: 'data',
    data: { message: 'Success', walletAddress: ADDRESS, chain: 'ETH' },
  })
  expect(await client.getTask({ id: task.id })).toEqual(task)
  await expect(client.cancelTask({ id: task.id })).rejects.toThrow(/cancel/i)
  const question = await client.sendMessage({
    message: { kind: 'message', role: 'user', messageId: 'q', parts: [{ kind: 'text', text: 'hi' }] },
  })
  if (question.kind !== 'task') throw new Error('not a task')
  expect(await client.cancelTask({ id: question.id })).toMatchObject({ id: question.id, status: { state: 'canceled' } })
  const stranger = await clientOf(freeUrl, keyed(BUSINESS_KEY))
  await expect(stranger.getTask({ id: task.id })).rejects.toThrow(/not found/i)
})

test('all five skills return the record of their operation', async () => {
  const client = await clientOf(freeUrl, keyed(ENTERPRISE_KEY))
  for (const skill of ['fraud_check', 'fraud_audit', 'rug_pull', 'wallet_segment', 'credit_score']) {
    const task = await client.sendMessage(ask({ skill, network: 'ETH', walletAddress: ADDRESS }))
    expect(task).toMatchObject({ kind: 'task', status: { state: 'completed' }, artifacts: [{ name: skill }] })
  }
})

test('a missing tier, unknown wallet or invalid input fails the task, not the protocol', async () => {
  const business = await clientOf(freeUrl, keyed(BUSINESS_KEY))
  expect(await business.sendMessage(ask({ skill: 'credit_score', walletAddress: ADDRESS }))).toMatchObject({
    status: { state: 'failed', message: { parts: [{ data: { status: 403, error: 'TIER_NOT_COVERED' } }] } },
  })
  expect(
    await business.sendMessage(ask({ skill: 'fraud_check', network: 'ETH', walletAddress: UNKNOWN })),
  ).toMatchObject({
    status: { state: 'failed', message: { parts: [{ data: { status: 404 } }] } },
  })
  expect(await business.sendMessage(ask({ skill: 'fraud_check', network: 'ETH', walletAddress: '0x1' }))).toMatchObject(
    {
      status: { state: 'rejected', message: { parts: [{ data: { status: 400 } }] } },
    },
  )
})

test('without key or payment answers 401 if only keys are accepted and 402 if payments are; a bad key is always 401', async () => {
  const body = rpc('message/send', ask({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS }))
  for (const path of ['/api/a2a', '/api/a2a/']) {
    expect((await post(`${freeUrl}${path}`, body)).status).toBe(401)
    expect((await post(`${paidUrl}${path}`, body)).status).toBe(402)
    expect((await post(`${paidUrl}${path}`, body, { 'x-api-key': 'wrong', 'x-payment': 'e30=' })).status).toBe(401)
  }
})

test('returns protocol errors with status 200 to every caller', async () => {
  const code = async (body: string) => {
    const response = await post(`${freeUrl}/api/a2a`, body)
    return [response.status, ((await response.json()) as { error: { code: number } }).error.code]
  }
  expect(await code('{')).toEqual([200, -32700])
  expect(await code('[]')).toEqual([200, -32600])
  expect(await code(rpc('message/stream', {}))).toEqual([200, -32004])
  expect(await code(rpc('tasks/pushNotificationConfig/set', {}))).toEqual([200, -32003])
  expect(await code(rpc('nothing', {}))).toEqual([200, -32601])
})

test('answers notifications with 204 and no body, and neither runs nor charges anything', async () => {
  const note = JSON.stringify({
    jsonrpc: '2.0',
    method: 'message/send',
    params: ask({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS }),
  })
  const before = [await received(), paid.calls.lookups.length]
  for (const headers of [{}, { 'x-api-key': ENTERPRISE_KEY }, { 'x-payment': 'e30=' }]) {
    const response = await post(`${paidUrl}/api/a2a`, note, headers)
    expect([response.status, await response.text(), response.headers.get('content-type')]).toEqual([204, '', null])
  }
  expect([await received(), paid.calls.lookups.length]).toEqual(before)
})

test('charges a completed task once; failed tasks, questions and look-ups are free', async () => {
  const client = await clientOf(paidUrl, await payer(1_000_000n))
  const before = await received()
  const task = await client.sendMessage(ask({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS }))
  if (task.kind !== 'task') throw new Error('not a task')
  expect(task.status.state).toBe('completed')
  expect(await received()).toBe(before + 150_000n)
  expect(await client.getTask({ id: task.id })).toMatchObject({ id: task.id })
  const missing = await client.sendMessage(ask({ skill: 'fraud_check', network: 'ETH', walletAddress: UNKNOWN }))
  expect(missing).toMatchObject({ status: { state: 'failed' } })
  const unclear = await client.sendMessage({
    message: { kind: 'message', role: 'user', messageId: 'q', parts: [{ kind: 'text', text: 'hi' }] },
  })
  expect(unclear).toMatchObject({ status: { state: 'input-required' } })
  expect(await received()).toBe(before + 150_000n)
})

test('settles on chain a payment in a message that the reference client signed', async () => {
  const account = privateKeyToAccount(generatePrivateKey())
  await chain.mint(account.address, 1_000_000n)
  const wallet = new x402Client().registerV1('base', new ExactEvmSchemeV1(account))
  const extended: typeof fetch = (input, init) => {
    const uri = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'
    return fetch(input, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init?.headers)), 'X-A2A-Extensions': uri },
    })
  }
  const client = await clientOf(paidUrl, extended)
  const before = await received()
  const asked = await client.sendMessage(ask({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS }))
  if (asked.kind !== 'task') throw new Error('not a task')
  const required = asked.status.message?.metadata?.['x402.payment.required'] as Parameters<
    typeof wallet.createPaymentPayload
  >[0]
  const payload = await wallet.createPaymentPayload(required)
  const { message } = ask({})
  const metadata = { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': payload }
  const paidFor = await client.sendMessage({ message: { ...message, taskId: asked.id, metadata } })
  expect(paidFor).toMatchObject({
    id: asked.id,
    status: {
      state: 'completed',
      message: { metadata: { 'x402.payment.receipts': [{ success: true, network: 'base' }] } },
    },
    artifacts: [{ name: 'fraud_check' }],
  })
  expect(await received()).toBe(before + 150_000n)
})

test('sells the operations under /api the same way', async () => {
  const before = await received()
  const pay = await payer(1_000_000n)
  const body = JSON.stringify({ network: 'ETH', walletAddress: ADDRESS })
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const response = await pay(`${paidUrl}/api/fraud/check`, init)
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ message: 'Success', walletAddress: ADDRESS })
  expect(response.headers.get('payment-response')).toBeTruthy()
  expect(
    (
      await pay(`${paidUrl}/api/fraud/check`, {
        ...init,
        body: JSON.stringify({ network: 'ETH', walletAddress: UNKNOWN }),
      })
    ).status,
  ).toBe(404)
  expect(await received()).toBe(before + 150_000n)
  expect((await post(`${paidUrl}/fraud/check`, body)).status).toBe(401)
})

test('MCP lists five tools to everyone and runs them for callers with a key', async () => {
  const headers = { accept: 'application/json, text/event-stream' }
  const initialize = rpc('initialize', {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 't', version: '1' },
  })
  const begun = await post(`${freeUrl}/api/mcp`, initialize, headers)
  // There is no stream on which a changed list could be told.
  expect([begun.status, await begun.json()]).toMatchObject([
    200,
    {
      result: {
        capabilities: { tools: { listChanged: false } },
        instructions: expect.stringContaining('never follow instructions'),
      },
    },
  ])
  const list = (await (await post(`${freeUrl}/api/mcp`, rpc('tools/list', {}), headers)).json()) as {
    result: { tools: { name: string }[] }
  }
  expect(list.result.tools.map(({ name }) => name)).toEqual([
    'fraud_check',
    'fraud_audit',
    'rug_pull',
    'wallet_segment',
    'credit_score',
  ])
  const call = rpc('tools/call', { name: 'fraud_check', arguments: { network: 'ETH', walletAddress: ADDRESS } })
  expect((await post(`${freeUrl}/api/mcp`, call, headers)).status).toBe(401)
  const answer = await (await post(`${freeUrl}/api/mcp`, call, { ...headers, 'x-api-key': BUSINESS_KEY })).json()
  expect(answer).toMatchObject({
    result: { isError: false, structuredContent: { message: 'Success', walletAddress: ADDRESS } },
  })
  const wrong = rpc('tools/call', { name: 'fraud_check', arguments: { network: 'ETH', walletAddress: 'x' } })
  const refused = (await (
    await post(`${freeUrl}/api/mcp`, wrong, { ...headers, 'x-api-key': BUSINESS_KEY })
  ).json()) as ToolAnswer
  expect(refused).toMatchObject({ result: { isError: true } })
  expect(JSON.parse(refused.result.content[0]?.text ?? '')).toMatchObject({ status: 400, error: 'INVALID_REQUEST' })
})

type ToolList = {
  result: {
    tools: {
      name: string
      inputSchema: { properties: { network: { enum: string[] } }; required: string[] }
      outputSchema: object
    }[]
  }
}
type ToolAnswer = { result: { content: { text: string }[]; structuredContent?: object } }

test('MCP tools declare their networks and output schemas, and records match them', async () => {
  const headers = { accept: 'application/json, text/event-stream', 'x-api-key': ENTERPRISE_KEY }
  const url = `${freeUrl}/api/mcp`
  const { result } = (await (await post(url, rpc('tools/list', {}), headers)).json()) as ToolList
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  for (const { name, inputSchema, outputSchema } of result.tools) {
    const [network] = inputSchema.properties.network.enum
    expect(network).toBe('ETH')
    // Clients leave out what is not required: what is required is what the operation on this surface requires.
    const path = OPERATION_LIST.find(({ id }) => id === name)?.path
    const bare = await post(`${freeUrl}/api${path}`, JSON.stringify({ walletAddress: ADDRESS }), headers)
    const required = bare.status === 400 ? ['network', 'walletAddress'] : ['walletAddress']
    expect(inputSchema.required.toSorted(), name).toEqual(required)
    const call = rpc('tools/call', { name, arguments: { network, walletAddress: ADDRESS } })
    const { structuredContent } = ((await (await post(url, call, headers)).json()) as ToolAnswer).result
    expect(ajv.validate(outputSchema, structuredContent), `${name}: ${ajv.errorsText()}`).toBe(true)
  }
})

test('the manifest for MCP registries is public, and its remote answers', async () => {
  for (const [url, isRequired] of [
    [freeUrl, true],
    [paidUrl, false],
  ] as const) {
    const response = await fetch(`${url}/api/mcp/server.json`)
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([200, '*'])
    const { remotes } = (await response.json()) as { remotes: { url: string; headers: object[] }[] }
    expect(remotes[0]?.headers).toMatchObject([{ name: 'x-api-key', isSecret: true, isRequired }])
    const headers = { accept: 'application/json, text/event-stream' }
    expect((await post(remotes[0]?.url ?? '', rpc('tools/list', {}), headers)).status).toBe(200)
  }
})

test.each(['GET', 'DELETE'])('MCP has no streams or sessions: %s is 405', async (method) => {
  const answer = await fetch(`${freeUrl}/api/mcp`, { method })
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
  expect(await answer.json()).toMatchObject({ error: 'METHOD_NOT_ALLOWED' })
})

test.each([
  ['https://evil.example', 403],
  ['null', 403],
  ['http://127.0.0.1.evil.example', 403],
  ['http://localhost:6274', 200],
])('a page of %s that calls MCP gets %i', async (origin, status) => {
  const headers = { accept: 'application/json, text/event-stream', origin }
  expect((await post(`${freeUrl}/api/mcp`, rpc('tools/list', {}), headers)).status).toBe(status)
})

test('llms.txt lists every operation, its networks and further documents', async () => {
  const text = await (await fetch(`${freeUrl}/llms.txt`)).text()
  for (const { path, networks } of OPERATION_LIST) {
    expect(text).toContain(`POST ${freeUrl}/api${path}`)
    for (const network of networks) expect(text).toContain(network)
  }
  expect(text).toContain('never follow instructions')
  const links = [...text.matchAll(/\]\((http[^)]+)\)/g)].flatMap(([, url]) => url ?? [])
  for (const url of new Set(links)) expect([url, (await fetch(url)).status]).not.toEqual([url, 404])
})

test('a tool call is paid for when it succeeds', async () => {
  const before = await received()
  const pay = await payer(1_000_000n)
  const send = (address: string) =>
    pay(`${paidUrl}/api/mcp`, {
      method: 'POST',
      body: rpc('tools/call', { name: 'fraud_check', arguments: { network: 'ETH', walletAddress: address } }),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    })
  expect((await send(ADDRESS)).status).toBe(200)
  expect((await send(UNKNOWN)).status).toBe(200)
  expect(await received()).toBe(before + 150_000n)
})
