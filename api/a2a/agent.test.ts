import { expect, test } from 'vitest'
import type { Caller } from '../keys/caller.ts'
import { createAgent, type Performed } from './agent.ts'
import type { Task } from './protocol.ts'

const ONE = { kind: 'key', tier: 'enterprise', id: '1' } as const
const OTHER = { ...ONE, id: '2' }
const ADDRESS = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
const record = { message: 'Success', status: 'Not Fraud' }

const agentThat = (perform: (skill: string, input: Record<string, unknown>) => Performed) => {
  const errors: unknown[] = []
  const agent = createAgent({ now: () => 0, onError: (error) => errors.push(error) })
  const answer = (body: unknown, caller: Caller = ONE) =>
    agent.handle(body, caller, async (skill, input) => perform(skill, input))
  const handle = async (body: unknown, caller: Caller = ONE) => {
    const answered = await answer(body, caller)
    if (!answered) throw new Error('not answered')
    return answered
  }
  const call = async (method: string, params: unknown, caller: Caller = ONE) => {
    const { response, keep } = await handle({ jsonrpc: '2.0', id: 7, method, params }, caller)
    keep?.()
    return response
  }
  const send = (parts: unknown[], more = {}, caller: Caller = ONE) =>
    call('message/send', { message: { role: 'user', messageId: 'm', kind: 'message', parts, ...more } }, caller)
  return { agent, answer, handle, call, send, errors }
}

const taskOf = (response: Awaited<ReturnType<ReturnType<typeof agentThat>['call']>>): Task => {
  if (!('result' in response)) throw new Error(JSON.stringify(response))
  return response.result
}
const codeOf = (response: object) => ('error' in response ? (response.error as { code: number }).code : undefined)

const data = (value: Record<string, unknown>) => [{ kind: 'data', data: value }]
const text = (value: string) => [{ kind: 'text', text: value }]
const file = { kind: 'file', file: { name: 'a.csv', mimeType: 'text/csv', bytes: 'YQ==' } }
const asked = data({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS })
const neverPerformed = () =>
  agentThat(() => {
    throw new Error('nothing may be performed')
  })

test.each([
  ['a data part', data({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS }), {}],
  ['nested input', data({ skill: 'fraud_check', input: { network: 'ETH', walletAddress: ADDRESS } }), {}],
  ['metadata', data({ network: 'ETH', walletAddress: ADDRESS }), { metadata: { skillId: 'fraud_check' } }],
  ['JSON text', text(JSON.stringify({ skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS })), {}],
  ['prose', text(`Is ${ADDRESS} on ETH a scam?`), {}],
])('%s selects the skill and completes with the record as its artifact', async (_, parts, more) => {
  const performed: unknown[] = []
  const { send } = agentThat((skill, input) => {
    performed.push([skill, input])
    return { status: 200, body: record }
  })
  const task = taskOf(await send(parts, more))
  expect(performed).toEqual([['fraud_check', { network: 'ETH', walletAddress: ADDRESS }]])
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

test('asks for details of an unclear message, and continues with the next message of the task', async () => {
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

test('asks back when prose names two addresses or two networks', async () => {
  const { send } = agentThat(() => ({ status: 200, body: record }))
  const other = ADDRESS.replace('0xd8', '0xd9')
  expect(taskOf(await send(text(`fraud check ${ADDRESS} and ${other} on ETH`))).status.state).toBe('input-required')
  expect(taskOf(await send(text(`fraud check ${ADDRESS} on ETH or BASE`))).status.state).toBe('input-required')
})

test('asks back when a message has two different requests, not when it repeats one', async () => {
  const performed: unknown[] = []
  const { send } = agentThat((_, input) => {
    performed.push(input.walletAddress)
    return { status: 200, body: record }
  })
  const stateOf = async (parts: unknown[]) => taskOf(await send(parts)).status.state
  const other = { skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS.replace('0xd8', '0xd9') }
  expect(await stateOf([...asked, ...data(other)])).toBe('input-required')
  expect(await stateOf([...asked, ...text(JSON.stringify(other))])).toBe('input-required')
  expect(await stateOf([...asked, ...data({ skill: 'rug_pull', network: 'ETH', walletAddress: ADDRESS })])).toBe(
    'input-required',
  )
  expect(performed).toEqual([])
  expect(await stateOf([...asked, ...asked, ...text('please'), ...data({ note: 'of an agent' })])).toBe('completed')
  expect(performed).toEqual([ADDRESS])
})

test('answers two concurrent messages of one task each with its own result', async () => {
  const { agent, send } = agentThat(() => ({ status: 200, body: record }))
  const { id: taskId } = taskOf(await send(text('hello')))
  let finish = () => {}
  const waiting = new Promise<void>((resolve) => {
    finish = resolve
  })
  const sendTo = (messageId: string, walletAddress: string, wait?: Promise<void>) => {
    const parts = data({ skill: 'fraud_check', network: 'ETH', walletAddress })
    const params = { message: { kind: 'message', role: 'user', messageId, taskId, parts } }
    return agent.handle({ jsonrpc: '2.0', id: messageId, method: 'message/send', params }, ONE, async (_, input) => {
      await wait
      return { status: 200, body: { ...record, walletAddress: input.walletAddress } }
    })
  }
  const slow = sendTo('slow', 'a', waiting)
  const fast = await sendTo('fast', 'b')
  finish()
  const artifactOf = (walletAddress: string) => [{ parts: [{ data: { walletAddress } }] }]
  expect(fast?.response).toMatchObject({ id: 'fast', result: { artifacts: artifactOf('b') } })
  expect((await slow)?.response).toMatchObject({ id: 'slow', result: { artifacts: artifactOf('a') } })
})

test('shows a task only to the caller that created it', async () => {
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
  ['{"jsonrpc":"2.0","id":1,"method":""}', -32601],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/list"}', -32601],
  ['{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32601],
  ['{"jsonrpc":"2.0","id":1,"method":"__proto__"}', -32601],
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
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":["x"]}', -32602],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":"x"}', -32600],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/get","params":{"id":"x"}}', -32001],
  ['{"jsonrpc":"2.0","id":1,"method":"message/stream"}', -32004],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/resubscribe"}', -32004],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/pushNotificationConfig/set"}', -32003],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/pushNotificationConfig/get"}', -32003],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/pushNotificationConfig/list"}', -32003],
  ['{"jsonrpc":"2.0","id":1,"method":"tasks/pushNotificationConfig/delete"}', -32003],
  ['{"jsonrpc":"2.0","id":1,"method":"agent/getAuthenticatedExtendedCard"}', -32007],
])('%s answers %i', async (body, code) => {
  const { handle } = neverPerformed()
  const { response, keep } = await handle(JSON.parse(body))
  expect([codeOf(response), keep]).toEqual([code, undefined])
})

test.each([
  ['-32005 for a file beside a request', { parts: [...asked, file] }, {}, -32005, 'message.parts.1'],
  ['-32005 for a file alone', { parts: [file] }, {}, -32005, 'message.parts.0'],
  [
    '-32005 when no accepted output is ours',
    { parts: asked },
    { acceptedOutputModes: ['text/html', 'image/*', 'json'] },
    -32005,
    'configuration.acceptedOutputModes',
  ],
  [
    '-32003 for a push configuration',
    { parts: asked },
    { pushNotificationConfig: { url: 'https://example.org/hook' } },
    -32003,
    'configuration.pushNotificationConfig',
  ],
])('message/send answers %s, and performs nothing', async (_, message, configuration, code, field) => {
  const { call } = neverPerformed()
  const params = { message: { kind: 'message', role: 'user', messageId: 'm', ...message }, configuration }
  const response = await call('message/send', params)
  expect(response).toMatchObject({ error: { code, data: [{ field, message: expect.any(String) }] } })
})

test.each([
  [[]],
  [['image/png', 'application/json']],
  [['Application/JSON; charset=utf-8']],
  [['application/*']],
  [['*/*']],
])('answers of application/json are accepted by %j', async (acceptedOutputModes) => {
  const { call } = agentThat(() => ({ status: 200, body: record }))
  const message = { kind: 'message', role: 'user', messageId: 'm', parts: asked }
  const response = await call('message/send', { message, configuration: { acceptedOutputModes } })
  expect(taskOf(response).status.state).toBe('completed')
})

test('a notification needs no caller and gets no answer, except for an error', async () => {
  const { agent, answer, handle } = neverPerformed()
  const message = { kind: 'message', role: 'user', messageId: 'm', parts: asked }
  const send = { jsonrpc: '2.0', method: 'message/send', params: { message } }
  expect([agent.needsCaller(send), await answer(send)]).toEqual([false, undefined])
  expect(await answer({ jsonrpc: '2.0', method: 'tasks/get', params: { id: 'x' } })).toBeUndefined()
  expect(await answer({ jsonrpc: '2.0', method: 'tasks/cancel', params: { id: 'x' } })).toBeUndefined()
  const wrong: [object, number][] = [
    [{ ...send, method: 'message/ssend' }, -32601],
    [{ ...send, params: {} }, -32602],
    [{ ...send, jsonrpc: '1.0' }, -32600],
    [{ ...send, method: 'message/stream' }, -32004],
  ]
  for (const [body, code] of wrong) {
    expect((await handle(body)).response).toMatchObject({ id: null, error: { code } })
  }
})

test('a request with a null id is performed and answered', async () => {
  const { agent, handle } = agentThat(() => ({ status: 200, body: record }))
  const message = { kind: 'message', role: 'user', messageId: 'm', parts: asked }
  const body = { jsonrpc: '2.0', id: null, method: 'message/send', params: { message } }
  expect(agent.needsCaller(body)).toBe(true)
  expect((await handle(body)).response).toMatchObject({ id: null, result: { status: { state: 'completed' } } })
})

test('refuses an ID that a number cannot represent exactly', async () => {
  const { handle } = neverPerformed()
  const { response } = await handle(JSON.parse('{"jsonrpc":"2.0","id":9007199254740993,"method":"tasks/get"}'))
  expect(response).toMatchObject({ id: null, error: { code: -32600 } })
})

test('a task that waits for input can be canceled once, and then accepts no messages', async () => {
  const { send, call } = agentThat(() => ({ status: 200, body: record }))
  const { id } = taskOf(await send(text('hello')))
  expect(codeOf(await call('tasks/cancel', { id }, OTHER))).toBe(-32001)
  const canceled = taskOf(await call('tasks/cancel', { id }))
  expect(canceled).toMatchObject({ id, status: { state: 'canceled' }, artifacts: [] })
  expect(canceled.status.message).toBeUndefined()
  expect(taskOf(await call('tasks/get', { id }))).toEqual(canceled)
  expect(codeOf(await call('tasks/cancel', { id }))).toBe(-32002)
  expect(codeOf(await send(asked, { taskId: id }))).toBe(-32602)
})

test('a task canceled during its computation stays canceled, and its answer still reaches the paying caller', async () => {
  const { handle, send, call } = agentThat(() => ({ status: 200, body: record }))
  const { id } = taskOf(await send(text('hello')))
  const params = { message: { role: 'user', messageId: 'm', taskId: id, parts: asked } }
  const { response, keep } = await handle({ jsonrpc: '2.0', id: 1, method: 'message/send', params })
  const canceled = taskOf(await call('tasks/cancel', { id }))
  keep?.()
  expect(taskOf(response).status.state).toBe('completed')
  expect(taskOf(await call('tasks/get', { id }))).toEqual(canceled)
})

test('the history contains messages as they were sent', async () => {
  const { send } = agentThat(() => ({ status: 200, body: record }))
  const more = { extensions: ['https://example.org/x'], referenceTaskIds: ['t'], metadata: { a: 1 } }
  const { history } = taskOf(await send(asked, more))
  expect(history).toMatchObject([{ kind: 'message', messageId: 'm', parts: asked, ...more }])
})

test('answers invalid JSON with -32700', async () => {
  const { handle } = agentThat(() => ({ status: 200, body: record }))
  expect(codeOf((await handle(undefined)).response)).toBe(-32700)
})

test('a task can be found only after its answer is stored', async () => {
  const { handle, send, call } = agentThat(() => ({ status: 200, body: record }))
  const { id } = taskOf(await send(text('hello')))
  const params = { message: { role: 'user', messageId: 'm', taskId: id, parts: data({ skill: 'fraud_check' }) } }
  const { response, keep } = await handle({ jsonrpc: '2.0', id: 1, method: 'message/send', params })
  expect(taskOf(response).status.state).toBe('completed')
  expect(taskOf(await call('tasks/get', { id })).status.state).toBe('input-required')
  keep?.()
  expect(taskOf(await call('tasks/get', { id })).status.state).toBe('completed')
})

test('logs internal errors and does not show them to the caller', async () => {
  const { send, errors } = agentThat(() => {
    throw new Error('secret detail')
  })
  const response = await send(data({ skill: 'fraud_check' }))
  expect(response).toEqual({ jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'Internal error' } })
  expect(errors).toHaveLength(1)
})

test('a task that stays unclear keeps only its last messages', async () => {
  const { send } = neverPerformed()
  let task = taskOf(await send(text('hello 0')))
  for (let n = 1; n <= 40; n++) task = taskOf(await send(text(`hello ${n}`), { taskId: task.id }))
  expect(task.history.map(({ parts }) => parts)).toEqual(Array.from({ length: 20 }, (_, n) => text(`hello ${n + 21}`)))
})

test('refuses a message that cannot be serialized before any computation', async () => {
  const { send, errors } = neverPerformed()
  const deep: unknown = JSON.parse(`${'['.repeat(7_500)}${']'.repeat(7_500)}`)
  expect(codeOf(await send(asked, { metadata: { deep } }))).toBe(-32600)
  expect(errors).toEqual([])
})
