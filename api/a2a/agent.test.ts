import { expect, test } from 'vitest'
import type { Caller } from '../caller.ts'
import { createAgent, type Performed } from './agent.ts'
import type { Task } from './protocol.ts'

const ONE = { kind: 'key', tier: 'enterprise', id: '1' } as const
const OTHER = { ...ONE, id: '2' }
const ADDRESS = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const record = { message: 'Success', status: 'Not Fraud' }

const agentThat = (perform: (skill: string, input: Record<string, unknown>) => Performed) => {
  const errors: unknown[] = []
  const agent = createAgent({ now: () => 0, onError: (error) => errors.push(error) })
  const handle = (body: unknown, caller: Caller = ONE) =>
    agent.handle(body, caller, async (skill, input) => perform(skill, input))
  const call = async (method: string, params: unknown, caller: Caller = ONE) => {
    const { response, keep } = await handle({ jsonrpc: '2.0', id: 7, method, params }, caller)
    keep?.()
    return response
  }
  const send = (parts: unknown[], more = {}, caller: Caller = ONE) =>
    call('message/send', { message: { role: 'user', messageId: 'm', kind: 'message', parts, ...more } }, caller)
  return { agent, handle, call, send, errors }
}

const taskOf = (response: Awaited<ReturnType<ReturnType<typeof agentThat>['call']>>): Task => {
  if (!('result' in response)) throw new Error(JSON.stringify(response))
  return response.result
}
const codeOf = (response: object) => ('error' in response ? (response.error as { code: number }).code : undefined)

const data = (value: Record<string, unknown>) => [{ kind: 'data', data: value }]
const text = (value: string) => [{ kind: 'text', text: value }]

test.each([
  ['a data part', data({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS }), {}],
  ['nested input', data({ skill: 'fraud_check', input: { network: 'ETH', walletAddress: ADDRESS } }), {}],
  ['metadata', data({ network: 'ETH', walletAddress: ADDRESS }), { metadata: { skillId: 'fraud_check' } }],
  ['JSON text', text(JSON.stringify({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS })), {}],
  ['prose', text(`Is ${ADDRESS} on ETH a scam?`), {}],
])('%s selects the skill and completes with the record as its artifact', async (_, parts, more) => {
  const asked: unknown[] = []
  const { send } = agentThat((skill, input) => {
    asked.push([skill, input])
    return { status: 200, body: record }
  })
  const task = taskOf(await send(parts, more))
  expect(asked).toEqual([['fraud_check', { network: 'ETH', walletAddress: ADDRESS }]])
  expect(task.status.state).toBe('completed')
  expect(task.artifacts).toEqual([
    { artifactId: expect.any(String), name: 'fraud_check', parts: [{ kind: 'data', data: record }] },
  ])
})

test.each([
  [400, 'rejected'],
  [404, 'failed'],
  [403, 'failed'],
  [429, 'failed'],
])('status %i ends the task as %s', async (status, state) => {
  const { send } = agentThat(() => ({ status, body: { message: 'no', error: 'X' } }))
  const response = await send(data({ skill: 'fraud_check' }))
  expect(taskOf(response).status).toMatchObject({
    state,
    message: { parts: [{ kind: 'data', data: { status, message: 'no', error: 'X' } }] },
  })
})

test('an unclear message asks back, and the next one with its task id goes on', async () => {
  const { send } = agentThat(() => ({ status: 200, body: record }))
  const first = taskOf(await send(text('hello')))
  expect(first.status.state).toBe('input-required')
  const second = taskOf(
    await send(data({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS }), { taskId: first.id }),
  )
  expect(second).toMatchObject({ id: first.id, contextId: first.contextId, status: { state: 'completed' } })
  expect(second.history).toHaveLength(2)
  expect(codeOf(await send(text('more'), { taskId: first.id }))).toBe(-32602)
})

test('two addresses or two networks in prose are in doubt', async () => {
  const { send } = agentThat(() => ({ status: 200, body: record }))
  const other = ADDRESS.replace('0xd8', '0xd9')
  expect(taskOf(await send(text(`fraud check ${ADDRESS} and ${other} on ETH`))).status.state).toBe('input-required')
  expect(taskOf(await send(text(`fraud check ${ADDRESS} on ETH or BASE`))).status.state).toBe('input-required')
})

test('a task exists for the caller who made it and for nobody else', async () => {
  const { send, call } = agentThat(() => ({ status: 200, body: record }))
  const task = taskOf(await send(data({ skill: 'fraud_check' })))
  expect(taskOf(await call('tasks/get', { id: task.id }))).toEqual(task)
  expect(taskOf(await call('tasks/get', { id: task.id, historyLength: 0 })).history).toEqual([])
  expect(codeOf(await call('tasks/get', { id: task.id }, OTHER))).toBe(-32001)
  expect(codeOf(await call('tasks/cancel', { id: task.id }, OTHER))).toBe(-32001)
  expect(codeOf(await call('tasks/cancel', { id: task.id }))).toBe(-32002)
})

test.each([
  ['[]', -32600],
  ['{"jsonrpc":"1.0","id":1,"method":"tasks/get"}', -32600],
  ['{"jsonrpc":"2.0","id":{},"method":"message/send","params":{}}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":""}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/list"}', -32601],
  ['{"jsonrpc":"2.0","id":1,"method":"message/send","params":{}}', -32602],
  [
    '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","messageId":"m","parts":[]}}}',
    -32602,
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"user","messageId":"m","parts":[{"kind":"x"}]}}}',
    -32602,
  ],
  [
    '{"jsonrpc":"2.0","id":1,"method":"message/send","params":{"message":{"role":"agent","messageId":"m","parts":[{"kind":"text","text":"a"}]}}}',
    -32602,
  ],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x","historyLength":-1}}', -32602],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x"}}', -32001],
  ['{"jsonrpc":"2.0","id":1,"method":"message/stream"}', -32004],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/resubscribe"}', -32004],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/pushNotificationConfig/set"}', -32003],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/pushNotificationConfig/get"}', -32003],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/pushNotificationConfig/list"}', -32003],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/pushNotificationConfig/delete"}', -32003],
  ['{"jsonrpc":"2.0","id":1,"method":"agent/getAuthenticatedExtendedCard"}', -32007],
])('%s answers %i', async (body, code) => {
  const { handle } = agentThat(() => {
    throw new Error('nothing may be performed')
  })
  const { response, keep } = await handle(JSON.parse(body))
  expect([codeOf(response), keep]).toEqual([code, undefined])
})

test('what is no JSON answers -32700', async () => {
  const { handle } = agentThat(() => ({ status: 200, body: record }))
  expect(codeOf((await handle(undefined)).response)).toBe(-32700)
})

test('a task is found once its answer is kept, and not before', async () => {
  const { handle, send, call } = agentThat(() => ({ status: 200, body: record }))
  const { id } = taskOf(await send(text('hello')))
  const params = { message: { role: 'user', messageId: 'm', taskId: id, parts: data({ skill: 'fraud_check' }) } }
  const { response, keep } = await handle({ jsonrpc: '2.0', id: 1, method: 'message/send', params })
  expect(taskOf(response).status.state).toBe('completed')
  expect(taskOf(await call('tasks/get', { id })).status.state).toBe('input-required')
  keep?.()
  expect(taskOf(await call('tasks/get', { id })).status.state).toBe('completed')
})

test('what goes wrong inside is told to us, not to the caller', async () => {
  const { send, errors } = agentThat(() => {
    throw new Error('secret detail')
  })
  const response = await send(data({ skill: 'fraud_check' }))
  expect(response).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'Internal error' } })
  expect(errors).toHaveLength(1)
})
