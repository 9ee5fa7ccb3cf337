/** Payments in messages (the x402 extension of A2A): everything that holds for payments in headers, in the words of tasks. */
import * as fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { agentRoutes } from '../../../../api/a2a/routes.ts'
import { RetryableError } from '../../../../platform/errors.ts'
import { ENTERPRISE_KEY, startApi, testContext, UNSEEN } from '../kit.ts'
import { agreeing, gateOf, memoryLedger, payment, RECEIVER, unusedNow } from './payments.kit.ts'

const EXTENSION = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'
const ADDRESS = `0x${'aa'.repeat(20)}`
const ASKED = { skill: 'fraud_check', network: 'ETH', walletAddress: ADDRESS }

const { facilitator, settled } = agreeing()
const ledger = memoryLedger()
/** What the facilitator does instead of agreeing. */
let faults: Partial<typeof facilitator> = {}
const startReplica = () => {
  const context = testContext()
  const payments = gateOf(
    {
      verify: (claim) => (faults.verify ?? facilitator.verify)(claim),
      settle: (claim) => (faults.settle ?? facilitator.settle)(claim),
      fate: (authorization, sight) => (faults.fate ?? facilitator.fate)(authorization, sight),
    },
    ledger,
    context,
  )
  const extensions = [agentRoutes({ receiver: RECEIVER })]
  return startApi({ payments, extensions, tuning: { invalidKeysPerMinute: 1_000_000 } }, context)
}

type Replica = Awaited<ReturnType<typeof startReplica>>
let replica: Replica
let other: Replica
beforeAll(async () => {
  replica = await startReplica()
  other = await startReplica()
})
beforeEach(() => {
  faults = {}
})
afterAll(async () => {
  await replica.close()
  await other.close()
})

type Message = Record<string, unknown>
let requests = 0
const request = (message: Message) => ({
  jsonrpc: '2.0',
  id: ++requests,
  method: 'message/send',
  params: {
    message: {
      kind: 'message',
      role: 'user',
      messageId: `m${requests}`,
      parts: [{ kind: 'text', text: 'pay' }],
      ...message,
    },
  },
})
const post = async (
  payload: object,
  headers: Record<string, string> = { 'x-a2a-extensions': EXTENSION },
  at = replica,
) => {
  const response = await at.app.inject({
    method: 'POST',
    url: '/api/a2a',
    payload: JSON.stringify(payload),
    headers: { 'content-type': 'application/json', ...headers },
  })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}
const ask = async (data: object = ASKED, at = replica) =>
  (await post(request({ parts: [{ kind: 'data', data }] }), undefined, at)).body.result
/** A payment as messages have it, and its header. */
const signed = (change: Record<string, unknown> = {}) => {
  const header = payment(change)
  return { header, payload: JSON.parse(Buffer.from(header['x-payment'], 'base64').toString()) }
}
const submission = (taskId: string, payload: unknown, more: object = {}): Message => ({
  taskId,
  metadata: { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': payload, ...more },
})
const pay = (taskId: string, payload: unknown = signed().payload, at = replica) =>
  post(request(submission(taskId, payload)), undefined, at)
const paymentOf = (task: { status: { message: { metadata: Record<string, unknown> } } }) => task.status.message.metadata
const lookups = () => replica.calls.lookups.length + other.calls.lookups.length

test('a task requests its payment, and completes with a receipt when paid', async () => {
  const asked = await post(request({ contextId: 'mine', parts: [{ kind: 'data', data: ASKED }] }))
  expect([asked.status, asked.headers['x-a2a-extensions']]).toEqual([200, EXTENSION])
  const { result: task } = asked.body
  expect(task).toMatchObject({ kind: 'task', contextId: 'mine', artifacts: [], status: { state: 'input-required' } })
  expect(paymentOf(task)).toEqual({
    'x402.payment.status': 'payment-required',
    'x402.payment.required': {
      x402Version: 1,
      error: 'Payment required',
      accepts: [
        expect.objectContaining({ scheme: 'exact', network: 'base', maxAmountRequired: '150000', payTo: RECEIVER }),
      ],
    },
  })
  const from = `0x${'77'.repeat(20)}`
  const before = settled.length
  const paid = await pay(task.id, signed({ from }).payload)
  expect(paid.headers['x-a2a-extensions']).toBe(EXTENSION)
  const { result } = paid.body
  expect(result).toMatchObject({
    id: task.id,
    contextId: 'mine',
    status: { state: 'completed' },
    artifacts: [{ name: 'fraud_check', parts: [{ data: { message: 'Success', walletAddress: ADDRESS } }] }],
  })
  expect(paymentOf(result)).toEqual({
    'x402.payment.status': 'payment-completed',
    'x402.payment.receipts': [
      { success: true, transaction: expect.stringMatching(/^0x/), network: 'base', payer: from },
    ],
  })
  expect(settled.length).toBe(before + 1)
  // The signature is in no answer, and the payer finds the task as it was sent.
  expect(JSON.stringify(result)).not.toContain('signature')
  const get = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: task.id } }
  expect((await post(get, payment({ from }))).body.result).toEqual(result)
  expect((await post(get, payment())).body.error.code).toBe(-32001)
  expect(settled.length).toBe(before + 1)
})

test('a repeated payment gets the same answer from any replica, in any wording, and is not charged again', async () => {
  const task = await ask()
  const { payload } = signed()
  const first = await pay(task.id, payload, other)
  const [before, looked] = [settled.length, lookups()]
  for (const at of [replica, other]) {
    const reversed = Object.fromEntries(Object.entries(payload).toReversed())
    const again = await post(request({ ...submission(task.id, reversed), messageId: 'retry' }), {}, at)
    expect(again.body.id).not.toBe(first.body.id)
    expect(again.body.result.artifacts).toEqual(first.body.result.artifacts)
    expect(paymentOf(again.body.result)).toEqual(paymentOf(first.body.result))
  }
  expect([settled.length, lookups()]).toEqual([before, looked])
})

test.each(['a message', 'a header'])(
  'a task of a replica that died unanswered is found again after the payment in %s is sent again',
  async (how) => {
    const from = `0x${'78'.repeat(20)}`
    const { payload, header } = signed({ from })
    const inHeader = how === 'a header'
    const body = request(inHeader ? { parts: [{ kind: 'data', data: ASKED }] } : submission((await ask()).id, payload))
    const send = async (at: Replica) => (await post(body, inHeader ? header : {}, at)).body.result
    // The replica that was paid is gone, with the tasks of its memory.
    const dead = await startReplica()
    const { id } = await send(dead)
    await dead.close()
    const get = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id } }
    const found = async (who = from) => (await post(get, payment({ from: who }))).body
    const before = [settled.length, (await found()).error?.code]
    const again = await send(replica)
    expect([again.status.state, (await found()).result]).toEqual(['completed', again])
    expect([settled.length, (await found(`0x${'79'.repeat(20)}`)).error?.code]).toEqual(before)
  },
)

test('charges at most one of several concurrent copies; the others retry and get its answer', async () => {
  const task = await ask()
  const { payload } = signed()
  const before = settled.length
  // One copy of each replica is looked at by the facilitator when all others have been answered.
  let answered = 0
  let goOn = () => {}
  const othersAnswered = new Promise<void>((resolve) => {
    goOn = resolve
  })
  faults = {
    verify: async () => {
      await othersAnswered
      return { isValid: true }
    },
  }
  const stateOf = (answer: Awaited<ReturnType<typeof pay>>) => paymentOf(answer.body.result)['x402.payment.status']
  const states = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const state = stateOf(await pay(task.id, payload, n % 2 ? other : replica))
      if (++answered === 18) goOn()
      return state
    }),
  )
  const completed = states.filter((state) => state === 'payment-completed').length
  expect(completed).toBeLessThan(2)
  expect(states.filter((state) => state === 'payment-submitted').length).toBe(20 - completed)
  expect(settled.length).toBe(before + completed)
  expect(stateOf(await pay(task.id, payload))).toBe('payment-completed')
  expect(stateOf(await pay(task.id, payload, other))).toBe('payment-completed')
  expect(settled.length).toBe(before + 1)
})

test('a payment buys one task, in a message or a header', async () => {
  const [one, two] = [await ask(), await ask()]
  const { payload, header } = signed()
  await pay(one.id, payload)
  const before = settled.length
  const { result } = (await pay(two.id, payload)).body
  expect(result).toMatchObject({ status: { state: 'input-required' }, artifacts: [] })
  expect(paymentOf(result)).toMatchObject({
    'x402.payment.status': 'payment-failed',
    'x402.payment.error': 'DUPLICATE_NONCE',
    'x402.payment.required': { x402Version: 1 },
    'x402.payment.receipts': [{ success: false, transaction: '', network: 'base' }],
  })
  expect((await post(request({ parts: [{ kind: 'data', data: ASKED }] }), header)).status).toBe(402)
  expect(settled.length).toBe(before)
})

test('a settlement without outcome requests exactly the same payment again', async () => {
  const task = await ask()
  const { payload } = signed()
  faults = {
    settle: async () => ({ success: false, transaction: '', errorReason: 'settlement_pending' }),
    fate: async () => unusedNow(),
  }
  const waiting = await pay(task.id, payload)
  expect(Number(waiting.headers['retry-after'])).toBeGreaterThan(0)
  expect(waiting.body.result).toMatchObject({ status: { state: 'input-required' }, artifacts: [] })
  expect(paymentOf(waiting.body.result)).toEqual({
    'x402.payment.status': 'payment-submitted',
    'x402.payment.receipts': [],
  })
  faults = { fate: async () => ({ at: 'paid', transaction: `0x${'5e'.repeat(32)}` }) }
  const { result } = (await pay(task.id, payload, other)).body
  expect(result).toMatchObject({ id: task.id, status: { state: 'completed' }, artifacts: [{ name: 'fraud_check' }] })
  expect(paymentOf(result)['x402.payment.status']).toBe('payment-completed')
})

test('an outage charges nothing and is not reported as an error of the caller', async () => {
  const task = await ask()
  const { payload } = signed()
  const before = settled.length
  faults = {
    verify: async () => {
      throw new RetryableError('ASSAY_STORE_UNAVAILABLE', 'away')
    },
  }
  const down = await pay(task.id, payload)
  expect([down.status, down.headers['retry-after']]).toEqual([503, '5'])
  expect(settled.length).toBe(before)
  faults = {}
  expect((await pay(task.id, payload)).body.result.status.state).toBe('completed')
})

test('does not charge for a failed task, and says so', async () => {
  const task = await ask({ ...ASKED, walletAddress: UNSEEN.evm })
  const before = settled.length
  const { result } = (await pay(task.id)).body
  expect(result.status).toMatchObject({ state: 'failed', message: { parts: [{ data: { status: 404 } }] } })
  expect(paymentOf(result)).toEqual({ 'x402.payment.status': 'payment-verified', 'x402.payment.receipts': [] })
  expect(settled.length).toBe(before)
})

test.each([
  [{ value: '149999' }, 'INVALID_AMOUNT'],
  [{ validBefore: '99999999999' }, 'EXPIRED_PAYMENT'],
])('a payment with %o fails as %s, and another one can be sent', async (change, code) => {
  const task = await ask()
  const { result } = (await pay(task.id, signed(change).payload)).body
  expect(paymentOf(result)).toMatchObject({ 'x402.payment.status': 'payment-failed', 'x402.payment.error': code })
  expect((await pay(task.id)).body.result.status.state).toBe('completed')
})

test('refuses requests that cannot be answered before payment', async () => {
  const invalid = await ask({ ...ASKED, walletAddress: 'x' })
  expect(invalid.status).toMatchObject({ state: 'rejected', message: { parts: [{ data: { status: 400 } }] } })
  const codeOf = async (message: Message) => (await post(request(message))).body.error.code
  const task = await ask()
  const { payload } = signed()
  expect(await codeOf({ parts: [{ kind: 'text', text: 'hello' }] })).toBe(-32602)
  expect(await codeOf({ parts: [{ kind: 'data', data: ASKED }], metadata: { 'x402.payment.payload': payload } })).toBe(
    -32602,
  )
  expect(await codeOf(submission('unknown', payload))).toBe(-32001)
  expect(await codeOf(submission(task.id, 'text'))).toBe(-32602)
  expect(await codeOf(submission(task.id, { x402Version: 1 }))).toBe(-32602)
  expect(await codeOf({ ...submission(task.id, payload), contextId: 'another' })).toBe(-32602)
  const rejected = (await post(request({ taskId: task.id, metadata: { 'x402.payment.status': 'payment-rejected' } })))
    .body
  expect(rejected.result.status.state).toBe('canceled')
})

test('headers and keys take precedence over messages; without the extension the offer is a 402', async () => {
  const message = { parts: [{ kind: 'data', data: ASKED }] }
  expect((await post(request(message), {})).status).toBe(402)
  expect((await post(request(message), { 'x-a2a-extensions': 'https://example.org/other' })).status).toBe(402)
  const task = await ask()
  const before = settled.length
  const keyed = await post(request(submission(task.id, signed().payload)), { 'x-api-key': ENTERPRISE_KEY })
  expect(keyed.body.result).toMatchObject({ id: task.id, status: { state: 'completed' } })
  expect(settled.length).toBe(before)
  const card = (await replica.app.inject('/.well-known/agent-card.json')).json()
  expect(card.capabilities.extensions).toContainEqual({
    uri: EXTENSION,
    description: expect.any(String),
    required: false,
  })
})

test('a made-up ID runs nothing unpaid and breaks nothing', async () => {
  const [before, looked] = [settled.length, lookups()]
  const made = fc.oneof(
    fc.string({ maxLength: 40 }),
    fc.json({ maxDepth: 2 }).map((text) => Buffer.from(text).toString('base64url')),
    fc
      .tuple(
        fc.string({ maxLength: 8 }),
        fc.string({ maxLength: 8 }),
        fc.constantFrom('fraud_check', 'x'),
        fc.object({ maxKeys: 3, maxDepth: 1 }),
      )
      .map((tuple) => Buffer.from(JSON.stringify(tuple)).toString('base64url')),
  )
  await fc.assert(
    fc.asyncProperty(made, fc.option(fc.jsonValue({ maxDepth: 2 })), async (text, payload) => {
      const message = payload === null ? { taskId: `pay.${text}` } : submission(`pay.${text}`, payload)
      const { status, body } = await post(request(message))
      expect(status).toBe(200)
      expect(body.error?.code ?? body.result.status.state).not.toBe('completed')
    }),
    { numRuns: 200 },
  )
  expect([settled.length, lookups()]).toEqual([before, looked])
})
