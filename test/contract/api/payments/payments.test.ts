/** What the agent surface says to callers who do not pay, or not well. Payments that work: `x402.test.ts`, `agent.test.ts`. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPaymentGate } from '../../../../api/x402/gate.ts'
import { createLocalReservations } from '../../../../api/x402/reservations.ts'
import { OPERATION_LIST, SURFACE_PREFIX } from '../../../../schema/records/operations.ts'
import { exampleAddress } from '../../../../schema/records/request.ts'
import { documentedBy } from '../documents/openapi.kit.ts'
import { ENTERPRISE_KEY, startApi, testContext } from '../kit.ts'

const LIMIT = 5
const unreachable = async () => {
  throw new Error('nothing that is malformed or does not match the offer may reach the facilitator')
}

let started: Awaited<ReturnType<typeof startApi>>
beforeAll(async () => {
  const context = testContext()
  const payments = createPaymentGate({
    context,
    receiver: `0x${'11'.repeat(20)}`,
    facilitator: { verify: unreachable, settle: unreachable, fate: unreachable },
    reservations: createLocalReservations(Date.now),
    ledger: { find: unreachable, write: unreachable, inState: async () => [] },
  })
  started = await startApi({ payments, tuning: { invalidKeysPerMinute: LIMIT } }, context)
})
afterAll(() => started.close())

const BODY = JSON.stringify({ network: 'ETH', walletAddress: exampleAddress('ETH') })
const post = async (path: string, headers: Record<string, string>) => {
  const response = await started.app.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: BODY,
  })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

test('a call without payment or key gets the documented offer, on the agent surface only', async () => {
  const expectDocumented = await documentedBy(started.app)
  for (const { path } of OPERATION_LIST) {
    const agent = `${SURFACE_PREFIX.agent}${path}`
    const offered = await post(agent, {})
    expect(offered.status).toBe(402)
    expect(offered.headers['payment-required']).toBeTypeOf('string')
    expectDocumented(agent, 402, offered.body)
    const refused = await post(path, {})
    expect(refused.status).toBe(401)
    expectDocumented(path, 401, refused.body)
  }
})

test('an address that sends bad payments is blocked for a while, but keys from there work', async () => {
  const bad = { 'x-payment': 'e30=' }
  expect((await post('/api/fraud/check', { 'x-api-key': ENTERPRISE_KEY })).status).toBe(200)
  for (let sent = 0; sent < LIMIT; sent++) expect((await post('/api/fraud/check', bad)).status).toBe(400)
  const blocked = await post('/api/fraud/check', bad)
  expect(blocked.status).toBe(429)
  expect(Number(blocked.headers['retry-after'])).toBeGreaterThan(0)
  expect((await post('/api/fraud/check', { 'x-api-key': ENTERPRISE_KEY })).status).toBe(200)
})
