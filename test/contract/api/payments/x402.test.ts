/**
 * Payments on a local chain under Base's id: real signatures, a real facilitator, real settlement. The gate runs behind
 * a plain HTTP server here, so that what is tested is the payment and not the API around it.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ExactEvmScheme } from '@x402/evm/exact/client'
import { wrapFetchWithPayment, x402Client } from '@x402/fetch'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Facilitator } from '../../../../api/x402/chain/facilitator.ts'
import { createOwnFacilitator } from '../../../../api/x402/chain/own-facilitator.ts'
import { createPaymentGate, type PaymentGate, type Purchase } from '../../../../api/x402/gate.ts'
import type { Payment } from '../../../../api/x402/ledger.ts'
import { PAYMENT_ASSET } from '../../../../api/x402/protocol/offer.ts'
import { createLocalReservations } from '../../../../api/x402/reservations.ts'
import { type PaymentChain, startPaymentChain } from '../../../../deploy/demo/payments/chain.ts'
import { secret } from '../../../../platform/config/config.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createLog } from '../../../../platform/context/log.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import { memoryLedger, unusedNow } from './payments.kit.ts'
import { type Account, broadcast, type Change, signTransfer } from './x402.kit.ts'

const RECEIVER = privateKeyToAccount(generatePrivateKey()).address
const OPERATOR_KEY = generatePrivateKey()

let chain: PaymentChain
let facilitator: Facilitator
let gate: PaymentGate
let rows: Map<string, Payment>
let handled: number
/** How far the gate's clock is ahead, ms. */
let ahead: number
let status: number
let url: string
const server = createServer((request, response) => void serve(request, response))

const createGate = (overrides: Partial<Facilitator> = {}) =>
  createPaymentGate({
    context: {
      log: createLog('silent'),
      metrics: createMetrics(),
      clock: { ...systemClock, now: () => Date.now() + ahead },
    },
    receiver: RECEIVER,
    facilitator: { ...facilitator, ...overrides },
    reservations: createLocalReservations(Date.now),
    ledger: memoryLedger(rows),
  })

const serve = async (request: IncomingMessage, response: ServerResponse) => {
  const reply = (code: number, body: unknown, headers = {}) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const resource = { url: `${url}${request.url}`, description: 'Fraud check' }
  const purchase: Purchase = { resource, operation: 'fraud_check', request: request.url ?? '', requestId: 'r' }
  const header = request.headers['payment-signature'] ?? request.headers['x-payment']
  if (typeof header !== 'string') {
    const { headers, body } = gate.offer(resource)
    return reply(402, body, headers)
  }
  const admission = await gate.admit(header, purchase)
  if (admission.outcome === 'malformed') return reply(400, { message: admission.reason })
  if (admission.outcome === 'refused' || admission.outcome === 'pending') {
    return reply(402, admission.offer.body, admission.offer.headers)
  }
  if (admission.outcome === 'replay') {
    admission.answered()
    return reply(200, admission.answer, admission.headers)
  }
  handled++
  if (status >= 400) {
    await admission.release()
    return reply(status, { message: 'not found' })
  }
  const settled = await admission.settle(JSON.stringify({ answer: handled }))
  if (settled.outcome !== 'settled') return reply(402, settled.offer.body, settled.offer.headers)
  settled.answered()
  return reply(200, { answer: handled }, settled.headers)
}

beforeAll(async () => {
  chain = await startPaymentChain()
  facilitator = createOwnFacilitator(chain.rpcUrl, secret(OPERATOR_KEY))
  await chain.fund(privateKeyToAccount(OPERATOR_KEY).address, 10n ** 20n)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await chain?.stop()
})

beforeEach(() => {
  rows = new Map()
  handled = 0
  ahead = 0
  status = 200
  gate = createGate()
})

const payerWith = async (value: bigint) => {
  const account = privateKeyToAccount(generatePrivateKey())
  if (value > 0n) await chain.mint(account.address, value)
  return account
}
const sign = (account: Account, change: Change = {}) => signTransfer(account, RECEIVER, change)

const v1 = (payload: object, network = 'base') => ({ x402Version: 1, scheme: 'exact', network, payload })
const v2 = (payload: object, accepted = {}) => ({
  x402Version: 2,
  accepted: {
    scheme: 'exact',
    network: 'eip155:8453',
    amount: '150000',
    asset: PAYMENT_ASSET,
    payTo: RECEIVER,
    maxTimeoutSeconds: 300,
    extra: { name: 'USD Coin', version: '2' },
    ...accepted,
  },
  payload,
})
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64')
const pay = (payment: unknown, header = 'x-payment', path = '/a') =>
  fetch(`${url}${path}`, { method: 'POST', headers: { [header]: encode(payment) } })
const received = () => chain.balanceOf(RECEIVER as Hex)

test('a call without payment gets offers of both versions, each in its format', async () => {
  const response = await fetch(`${url}/a`, { method: 'POST' })
  expect(response.status).toBe(402)
  const header = JSON.parse(Buffer.from(response.headers.get('payment-required') ?? '', 'base64').toString())
  expect(header).toMatchObject({
    x402Version: 2,
    accepts: [{ scheme: 'exact', network: 'eip155:8453', amount: '150000', payTo: RECEIVER }],
  })
  expect(await response.json()).toMatchObject({
    x402Version: 1,
    accepts: [{ network: 'base', maxAmountRequired: '150000', resource: `${url}/a` }],
  })
})

test('the standard version 2 client pays and is answered', async () => {
  const before = await received()
  const account = await payerWith(1_000_000n)
  const client = new x402Client().register('eip155:8453', new ExactEvmScheme(account))
  const response = await wrapFetchWithPayment(fetch, client)(`${url}/a`, { method: 'POST' })
  expect(response.status).toBe(200)
  expect(await received()).toBe(before + 150_000n)
  const receipt = JSON.parse(Buffer.from(response.headers.get('payment-response') ?? '', 'base64').toString())
  expect(receipt).toEqual({
    success: true,
    network: 'eip155:8453',
    payer: account.address.toLowerCase(),
    transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
  })
  expect(response.headers.get('x-payment-response')).toBe(response.headers.get('payment-response'))
})

test.each([
  ['version 1, base', 'x-payment', (p: object) => v1(p)],
  ['version 1, CAIP-2 network', 'x-payment', (p: object) => v1(p, 'eip155:8453')],
  ['version 2 under X-PAYMENT', 'x-payment', (p: object) => v2(p)],
  ['version 2', 'payment-signature', (p: object) => v2(p)],
])('%s is taken and charged once', async (_, header, wrap) => {
  const before = await received()
  const response = await pay(wrap(await sign(await payerWith(150_000n))), header)
  expect([response.status, await received()]).toEqual([200, before + 150_000n])
})

const hour = () => Math.floor(Date.now() / 1_000) + 3_600
test.each([
  ['a smaller amount', async (a: Account) => v1(await sign(a, { value: '149999' })), /value/],
  ['a larger amount', async (a: Account) => v1(await sign(a, { value: '150001' })), /value/],
  ['another recipient', async (a: Account) => v1(await sign(a, { to: PAYMENT_ASSET })), /recipient/],
  [
    'an expired authorization',
    async (a: Account) => v1(await sign(a, { validBefore: String(hour() - 7_200) })),
    /valid_before|expired/,
  ],
  ['one not yet valid', async (a: Account) => v1(await sign(a, { validAfter: String(hour()) })), /valid_after/],
  ['a signature for another chain', async (a: Account) => v1(await sign(a, { chainId: 1 })), /signature|simulation/],
  [
    'a signature for another token name',
    async (a: Account) => v2(await sign(a, { name: 'USDC' })),
    /signature|simulation/,
  ],
  ['another network', async (a: Account) => v1(await sign(a), 'ethereum'), /network/],
  ['another scheme', async (a: Account) => ({ ...v1(await sign(a)), scheme: 'upto' }), /scheme/],
  ['an altered offer', async (a: Account) => v2(await sign(a), { amount: '1' }), /requirements/],
  [
    'a tampered nonce',
    async (a: Account) => {
      const signed = await sign(a)
      return v1({ ...signed, authorization: { ...signed.authorization, nonce: generatePrivateKey() } })
    },
    /signature|simulation/,
  ],
])('refuses %s with its reason, unanswered and uncharged', async (_, make, reason) => {
  const before = await received()
  const response = await pay(await make(await payerWith(1_000_000n)))
  expect(response.status).toBe(402)
  expect(((await response.json()) as { error: string }).error).toMatch(reason)
  expect([handled, await received()]).toEqual([0, before])
})

test('an empty wallet is refused', async () => {
  const response = await pay(v1(await sign(await payerWith(0n))))
  expect(response.status).toBe(402)
  expect(((await response.json()) as { error: string }).error).toMatch(/balance|funds|simulation/)
  expect(handled).toBe(0)
})

test('answers 400 to a header that is not a payment', async () => {
  for (const header of ['%%%', encode({ x402Version: 3 }), encode([]), 'AAAA'.repeat(1_000)]) {
    expect((await fetch(`${url}/a`, { method: 'POST', headers: { 'x-payment': header } })).status).toBe(400)
  }
})

test('does not charge for an error, and the same authorization buys the next answer', async () => {
  const before = await received()
  const payment = v1(await sign(await payerWith(150_000n)))
  status = 404
  expect((await pay(payment)).status).toBe(404)
  expect(await received()).toBe(before)
  status = 200
  expect((await pay(payment)).status).toBe(200)
  expect(await received()).toBe(before + 150_000n)
})

test('a retry gets the stored answer, another request gets nothing, and neither is charged', async () => {
  const payment = v1(await sign(await payerWith(1_000_000n)))
  const first = await pay(payment)
  const paid = await received()
  const again = await pay(payment)
  expect([again.status, await again.json(), again.headers.get('x-payment-response')]).toEqual([
    200,
    await first.json(),
    first.headers.get('x-payment-response'),
  ])
  expect((await pay(payment, 'x-payment', '/b')).status).toBe(402)
  expect([handled, await received()]).toEqual([1, paid])
})

test('computes and charges one of eight concurrent copies; a late copy gets the same answer', async () => {
  const before = await received()
  const payment = v1(await sign(await payerWith(10_000_000n)))
  const answers = await Promise.all(Array.from({ length: 8 }, () => pay(payment)))
  const served = answers.filter((answer) => answer.status === 200)
  expect(served.length).toBeGreaterThan(0)
  for (const answer of served) expect(await answer.json()).toEqual({ answer: 1 })
  for (const answer of answers) expect([200, 402]).toContain(answer.status)
  expect([handled, await received()]).toEqual([1, before + 150_000n])
})

test('serves and charges twenty concurrent payers', async () => {
  const before = await received()
  const payments: object[] = []
  for (let i = 0; i < 20; i++) payments.push(v1(await sign(await payerWith(150_000n))))
  const answers = await Promise.all(payments.map((payment) => pay(payment)))
  expect(answers.map((answer) => answer.status)).toEqual(Array(20).fill(200))
  expect(await received()).toBe(before + 20n * 150_000n)
})

const away = async () => {
  throw new Error('connection lost')
}
const states = () => [...rows.values()].map(({ state }) => state)

test('looks up an unconfirmed settlement on chain, and still owes its answer', async () => {
  const lost = async () => {
    const payment = v1(await sign(await payerWith(150_000n)))
    gate = createGate({ settle: (claim) => facilitator.settle(claim).then(away), fate: away })
    const pending = await pay(payment)
    expect([pending.status, await pending.json()]).toMatchObject([402, { error: 'settlement_pending' }])
    return payment
  }
  const retried = await lost()
  expect(states()).toEqual(['pending'])
  gate = createGate({ fate: async () => unusedNow() })
  expect((await pay(retried)).status).toBe(402)
  gate = createGate()
  expect(await (await pay(retried)).json()).toEqual({ answer: 1 })
  const left = await lost()
  gate = createGate()
  expect(await gate.reconcile()).toMatchObject({ decided: 0 })
  ahead = 100_000
  expect(await gate.reconcile()).toMatchObject({ decided: 1, open: 0, unanswered: 0 })
  expect(states()).toEqual(['completed', 'settled'])
  ahead = 800_000
  expect(await gate.reconcile()).toMatchObject({ decided: 0, open: 0, unanswered: 1 })
  expect([await (await pay(left)).json(), handled]).toEqual([{ answer: 2 }, 2])
  expect(await gate.reconcile()).toMatchObject({ decided: 0, open: 0, unanswered: 0 })
})

test.each([
  ['a transfer to himself', (account: Account) => ({ to: account.address })],
  ['a smaller one to us', () => ({ value: '1' })],
])('a payer that spends the nonce on %s during settlement gets nothing', async (_, change) => {
  const account = await payerWith(150_000n)
  const signed = await sign(account)
  const other = await sign(account, { ...change(account), nonce: signed.authorization.nonce })
  gate = createGate({
    settle: async (claim) => {
      await broadcast(chain.rpcUrl, OPERATOR_KEY, other)
      return facilitator.settle(claim)
    },
  })
  for (let sent = 0; sent < 2; sent++) {
    const refused = await pay(v1(signed))
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      402,
      expect.stringMatching(/nonce_already_used|simulation/),
    ])
  }
  expect(states()).toEqual(['released'])
})

test('answers a payment once, whoever submitted the transfer', async () => {
  const signed = await sign(await payerWith(150_000n))
  const before = await received()
  gate = createGate({
    settle: async (claim) => {
      await broadcast(chain.rpcUrl, OPERATOR_KEY, signed)
      return facilitator.settle(claim)
    },
  })
  const response = await pay(v1(signed))
  expect([response.status, await received()]).toEqual([200, before + 150_000n])
  const receipt = JSON.parse(Buffer.from(response.headers.get('payment-response') ?? '', 'base64').toString())
  expect(receipt.transaction).toMatch(/^0x[0-9a-f]{64}$/)
})

test.each([
  ['without its signature', (signed: { signature: Hex }) => ({ ...signed, signature: `0x${'00'.repeat(65)}` as Hex })],
  [
    'with a signature of his own',
    async (signed: Awaited<ReturnType<typeof sign>>) => ({
      ...signed,
      signature: (await sign(await payerWith(0n), { nonce: signed.authorization.nonce })).signature,
    }),
  ],
])('a copied nonce of a settled payment %s does not get its answer', async (_, forge) => {
  const signed = await sign(await payerWith(150_000n))
  expect((await pay(v1(signed))).status).toBe(200)
  const copied = await pay(v1(await forge(signed)))
  expect([copied.status, ((await copied.json()) as { error: string }).error]).toEqual([
    402,
    'invalid_exact_evm_nonce_already_used',
  ])
  expect((await pay(v1(signed))).status).toBe(200)
})

test('a delivered answer can be fetched again for a day', async () => {
  const signed = v1(await sign(await payerWith(150_000n)))
  expect((await pay(signed)).status).toBe(200)
  ahead = 23 * 3_600_000
  expect((await pay(signed)).status).toBe(200)
  ahead = 25 * 3_600_000
  expect((await pay(signed)).status).toBe(402)
})

const rpc = (body: string) =>
  fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })

/** A node that takes transactions and hangs up instead of answering. */
const startDeafNode = async () => {
  const deaf = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const text = await (await rpc(body)).text()
    if (body.includes('eth_sendRawTransaction')) response.destroy()
    else response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => deaf.listen(0, '127.0.0.1', resolve))
  const { port } = deaf.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      deaf.closeAllConnections()
      await new Promise((resolve) => deaf.close(resolve))
    },
  }
}

test('a transaction that the node accepted without a response is no failure: it is found, and its answer is owed', async () => {
  const deaf = await startDeafNode()
  const mineAtOnce = async (on: boolean) => {
    await rpc(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_setAutomine', params: [on] }))
    if (on) await rpc(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }))
  }
  try {
    gate = createGate(createOwnFacilitator(deaf.url, secret(OPERATOR_KEY)))
    const before = await received()
    for (const payment of [v1(await sign(await payerWith(150_000n))), v2(await sign(await payerWith(150_000n)))]) {
      // It is not in a block when the outcome is looked up first, as on a chain whose blocks take their time.
      await mineAtOnce(false)
      const pending = await pay(payment)
      expect([pending.status, ((await pending.json()) as { error: string }).error]).toEqual([402, 'settlement_pending'])
      expect(Number(pending.headers.get('retry-after'))).toBeGreaterThan(0)
      await mineAtOnce(true)
      expect((await pay(payment)).status).toBe(200)
    }
    expect([states(), await received(), handled]).toEqual([['answered', 'answered'], before + 300_000n, 2])
  } finally {
    await mineAtOnce(true)
    await deaf.stop()
  }
})
