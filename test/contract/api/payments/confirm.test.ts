/** What facilitators call settled, held against a chain whose blocks become final two blocks later. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createFateLookup, type FateLookup } from '../../../../api/x402/chain/fate.ts'
import type { Payment } from '../../../../api/x402/ledger.ts'
import { PAYMENT_ASSET } from '../../../../api/x402/protocol/offer.ts'
import { startAnvil } from '../../../../deploy/demo/node/anvil.ts'
import { type PaymentChain, startPaymentChain } from '../../../../deploy/demo/payments/chain.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { testContext } from '../kit.ts'
import { agreeing, attemptOf, gateOf, memoryLedger } from './payments.kit.ts'
import { broadcast, type Change, type Signed, signTransfer } from './x402.kit.ts'

const OPERATOR_KEY = generatePrivateKey()
const RECEIVER = privateKeyToAccount(generatePrivateKey()).address
const JSON_TYPE = { 'content-type': 'application/json' }
const NOWHERE = `0x${'5e'.repeat(32)}`

let chain: PaymentChain
let fate: FateLookup
let rows: Map<string, Payment>
beforeAll(async () => {
  chain = await startPaymentChain({ finalAfter: 2 })
  fate = createFateLookup(chain.rpcUrl)
  await chain.fund(privateKeyToAccount(OPERATOR_KEY).address, 10n ** 20n)
})
beforeEach(() => {
  rows = new Map()
})
afterAll(() => chain?.stop())

const rpc = (method: string, ...params: unknown[]) =>
  fetch(chain.rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
const mine = (blocks: number) => rpc('anvil_mine', `0x${blocks.toString(16)}`)

const signed = async (change: Change = {}): Promise<Signed> => {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 150_000n)
  return signTransfer(payer, RECEIVER, change)
}
const send = (authorization: Signed): Promise<Hex> => broadcast(chain.rpcUrl, OPERATOR_KEY, authorization)

/** A payment that a facilitator called settled by this transaction. */
const called = ({ authorization }: Signed, transaction: string, change: Partial<Payment> = {}): Payment =>
  attemptOf(authorization.nonce, {
    state: 'answered',
    begun: Date.now(),
    moved: Date.now() - 60_000,
    payer: authorization.from.toLowerCase(),
    receiver: RECEIVER.toLowerCase(),
    nonce: authorization.nonce,
    valid_before: Number(authorization.validBefore),
    asset: PAYMENT_ASSET.toLowerCase(),
    transaction,
    ...change,
  })

/** Looks through the ledger, `aheadMs` from now. Without `lookUp` no node is configured. */
const reconcile = (payments: readonly Payment[] = [], lookUp: FateLookup = fate, aheadMs = 1_000) => {
  for (const payment of payments) rows.set(`${payment.key}:${payment.attempt}`, payment)
  const context = { ...testContext(), clock: { ...systemClock, now: () => Date.now() + aheadMs } }
  const gate = gateOf(agreeing({ fate: lookUp }).facilitator, memoryLedger(rows), context)
  return gate.reconcile().then((outlook) => ({ ...outlook, metrics: context.metrics }))
}
const stands = () => [...rows.values()].map(({ state, transaction }) => [state, transaction])

test('confirms a payment exactly when the block of its transfer is final', async () => {
  const [one, two] = [await signed(), await signed()]
  const payments = [called(one, await send(one)), called(two, await send(two), { state: 'settled' })]
  const before = payments.map(({ state, transaction }) => [state, transaction])
  await reconcile(payments)
  expect(stands()).toEqual(before)
  await mine(2)
  expect(await reconcile()).toMatchObject({ unconfirmed: 0, disputed: 0 })
  expect(stands()).toEqual([
    ['completed', before[0]?.[1]],
    ['confirmed', before[1]?.[1]],
  ])
})

test('stores the transaction that moved the money, whatever the facilitator named', async () => {
  const paid = await signed()
  const [transaction, other] = [await send(paid), await send(await signed())]
  await mine(2)
  for (const named of [NOWHERE, other, '', 'see our page', '0x']) {
    rows.clear()
    await reconcile([called(paid, named)])
    expect(stands()).toEqual([['completed', transaction]])
  }
})

/** A node that answers as the chain does, with other receipts: public addresses lead to nodes that are blocks apart. */
const nodeWith = async (receipt: (logs: object[]) => object | null) => {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const answer = (await (await fetch(chain.rpcUrl, { method: 'POST', body, headers: JSON_TYPE })).json()) as {
      result: { logs: object[] } | null
    }
    const asked = body.includes('eth_getTransactionReceipt')
    const result = asked ? receipt(answer.result?.logs ?? []) : answer.result
    response.writeHead(200, JSON_TYPE).end(JSON.stringify({ ...answer, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { url: `http://127.0.0.1:${port}`, stop }
}

test.each([
  ['does not have its receipt', () => null],
  ['has one of another block', (logs: object[]) => ({ blockNumber: '0x1', logs: logs.slice(1) })],
])('a node that has the log of a payment and %s causes no dispute and no release', async (_, receipt) => {
  const paid = await signed()
  const transaction = await send(paid)
  await mine(2)
  const node = await nodeWith(receipt)
  try {
    const lookUp = createFateLookup(node.url)
    for (const state of ['answered', 'settling'] as const) {
      rows.clear()
      await reconcile([called(paid, NOWHERE, { state, moved: Date.now() - 200_000 })], lookUp)
      expect(stands()).toEqual([[state, NOWHERE]])
    }
    await reconcile()
    expect(stands()).toEqual([['settled', transaction]])
  } finally {
    await node.stop()
  }
})

test('disputes a missing settlement once it can no longer happen', async () => {
  const unpaid = await signed()
  const payment = called(unpaid, NOWHERE)
  expect(await reconcile([payment], fate, 3_700_000)).toMatchObject({ unconfirmed: 1, disputed: 0 })
  expect(stands()).toEqual([['answered', NOWHERE]])
  await rpc('evm_setNextBlockTimestamp', payment.valid_before - 100)
  await mine(1)
  await mine(1)
  await mine(1)
  await rpc('evm_setNextBlockTimestamp', payment.valid_before + 100)
  await mine(1)
  // The head is past the end of the authorization, and the final block is not.
  await reconcile([], fate, 3_700_000)
  expect(stands()).toEqual([['answered', NOWHERE]])
  await mine(2)
  const { metrics, ...outlook } = await reconcile([], fate, 3_700_000)
  expect(outlook).toMatchObject({ unconfirmed: 0, disputed: 1 })
  expect(rows.get(`${payment.key}:${payment.key}`)).toMatchObject({
    state: 'disputed',
    reason: 'invalid_exact_evm_payload_authorization_valid_before',
    transaction: NOWHERE,
  })
  expect(await metrics.text()).toMatch(/assay_payments_total\{outcome="disputed"\} 1/)
  // An operator is told for a day.
  expect(await reconcile([], fate, 2 * 86_400_000)).toMatchObject({ disputed: 0 })
})

test.each([
  ['somebody else', () => ({ to: privateKeyToAccount(generatePrivateKey()).address })],
  ['us, and less', () => ({ value: '149999' })],
])('disputes an authorization that paid %s, even if the facilitator names that transaction', async (_, change) => {
  const payer = privateKeyToAccount(generatePrivateKey())
  await chain.mint(payer.address, 150_000n)
  const { result } = (await (await rpc('eth_getBlockByNumber', 'latest', false)).json()) as {
    result: { timestamp: Hex }
  }
  const nowS = Number(result.timestamp)
  const valid = { validBefore: String(nowS + 1_000) }
  const promised = await signTransfer(payer, RECEIVER, valid)
  const spent = await signTransfer(payer, RECEIVER, {
    ...valid,
    ...change(),
    nonce: promised.authorization.nonce as Hex,
  })
  const transaction = await send(spent)
  await mine(2)
  await reconcile([called(promised, transaction, { state: 'settled' })])
  expect(stands()).toEqual([['disputed', transaction]])
})

test('a node that is down, on another chain or missing confirms and disputes nothing', async () => {
  const unpaid = await signed({ validBefore: '1700000000' })
  const payments = [called(unpaid, NOWHERE), called(await signed(), NOWHERE)]
  const other = await startAnvil({ arguments: ['--chain-id', '84532'] })
  try {
    for (const lookUp of [createFateLookup(other.url), createFateLookup('http://127.0.0.1:1', 100)]) {
      await expect(lookUp(payments[0] as Payment, 'finalized')).rejects.toMatchObject({ code: 'ASSAY_PAYMENT_NODE' })
      rows.clear()
      expect(await reconcile(payments, lookUp, 3_700_000)).toMatchObject({ unconfirmed: 2, disputed: 0 })
      expect(stands().map(([state]) => state)).toEqual(['answered', 'answered'])
    }
  } finally {
    await other.stop()
  }
  rows.clear()
  const { unconfirmed, disputed, metrics } = await reconcile(payments, async () => undefined, 3_700_000)
  expect([unconfirmed, disputed]).toEqual([undefined, 0])
  expect(await metrics.text()).toMatch(/^assay_payments_unconfirmed Nan$/im)
})

test('payments without an answer from the chain do not delay others', async () => {
  const stuck = Array.from({ length: 40 }, (_, index) =>
    attemptOf(`stuck${index}`, { state: 'answered', moved: 1_000 + index, nonce: `0x${'00'.repeat(32)}` }),
  )
  const young = attemptOf('young', { state: 'answered', moved: 9_000, nonce: '0x1' })
  const context = testContext()
  for (const payment of [...stuck, young]) rows.set(payment.key, payment)
  const lookUp: FateLookup = async ({ nonce }) => {
    if (nonce === '0x1') return { at: 'paid', transaction: NOWHERE }
    throw new Error('pruned')
  }
  const gate = gateOf(agreeing({ fate: lookUp }).facilitator, memoryLedger(rows), context)
  for (let passes = 0; passes < 4; passes++) await gate.reconcile()
  expect([...rows.values()].filter(({ state }) => state === 'completed').map(({ key }) => key)).toEqual(['young'])
})

test('checks settlements that cannot be final yet once per pass, not one by one', async () => {
  for (let index = 0; index < 100; index++) {
    rows.set(`p${index}`, attemptOf(`p${index}`, { state: 'answered', moved: Date.now() - 1_000 + index }))
  }
  let asked = 0
  await reconcile(
    [],
    async () => {
      asked += 1
      return { at: 'unused', blockTime: Math.floor(Date.now() / 1_000) - 1_200 }
    },
    100_000,
  )
  expect(asked).toBeLessThanOrEqual(16)
})
