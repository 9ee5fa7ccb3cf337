/** Faults around a payment: hostile numbers, a ledger that refuses a row, facilitators and nodes that are away or undecided. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createRemoteFacilitator, type Facilitator, type Receipt } from '../../../../api/x402/chain/facilitator.ts'
import { createFateLookup, type Fate } from '../../../../api/x402/chain/fate.ts'
import { createOwnFacilitator } from '../../../../api/x402/chain/own-facilitator.ts'
import { createLedger, type Payment } from '../../../../api/x402/ledger.ts'
import { createLocalReservations } from '../../../../api/x402/reservations.ts'
import { STATES } from '../../../../api/x402/states.ts'
import { secret } from '../../../../platform/config/config.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { RetryableError } from '../../../../platform/errors.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { until } from '../../../kit/until.ts'
import { ENTERPRISE_KEY, startApi, testContext } from '../kit.ts'
import {
  agreeing,
  gateOf,
  memoryLedger,
  payment,
  RECEIVER,
  attemptOf as row,
  secondsFromNow,
  unusedNow,
} from './payments.kit.ts'

const PATH = '/api/fraud/check'
const LIMIT = 3
const BODY = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }
const OTHER = { ...BODY, walletAddress: `0x${'ab'.repeat(19)}aa` }
const AWAY = new RetryableError('ASSAY_STORE_UNAVAILABLE', 'away')

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

/** An API that takes payments by way of `facilitator`, and shuts out an address after `LIMIT` bad ones. */
const selling = async (
  facilitator: Facilitator,
  ledger = memoryLedger(),
  clock = systemClock,
  reservations = createLocalReservations(clock.now),
  receiver = RECEIVER,
) => {
  const context = { ...testContext(), clock }
  const gate = gateOf(facilitator, ledger, context, reservations, receiver)
  const started = await startApi({ payments: gate, tuning: { invalidKeysPerMinute: LIMIT } }, context)
  const pay = async (headers: Record<string, string>, body: unknown = BODY, url = PATH) => {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    const response = await started.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    })
    return { status: response.statusCode, headers: response.headers, body: response.json() }
  }
  return { gate, pay, reservations, close: started.close }
}

const MAX = 2n ** 256n - 1n
test.each([
  ['validBefore', String(MAX), 402],
  ['validBefore', String(2n ** 64n), 402],
  ['validBefore', secondsFromNow(86_500), 402],
  ['validBefore', '9007199254740993', 402],
  ['validAfter', String(MAX), 402],
  ['validAfter', secondsFromNow(600), 402],
  ['value', String(MAX), 402],
  ['value', '0', 402],
  ['validBefore', String(MAX + 1n), 400],
  ['validBefore', '1'.repeat(200), 400],
  ['validBefore', `+${secondsFromNow(300)}`, 400],
  ['validBefore', '-1', 400],
  ['validBefore', '2e9', 400],
  ['validBefore', '0x7fffffff', 400],
  ['validBefore', ` ${secondsFromNow(300)}`, 400],
  ['validBefore', `${secondsFromNow(300)}\n`, 400],
  ['validBefore', `${secondsFromNow(300)}.0`, 400],
  ['validBefore', '', 400],
  ['validBefore', 'Infinity', 400],
  ['validBefore', Number(secondsFromNow(300)), 400],
  ['validBefore', null, 400],
  ['validBefore', '٣'.repeat(10), 400],
  ['value', '0150000', 400],
  ['validAfter', '-0', 400],
])('refuses a payment whose %s is %s with %i, before any other call', async (field, value, status) => {
  const unasked = () => Promise.reject(new Error('must not be asked'))
  const gate = gateOf({ verify: unasked, settle: unasked, fate: unasked })
  const resource = { url: 'http://localhost/', description: '' }
  const purchase = { resource, operation: 'fraud_check', request: BODY, requestId: 'r' }
  const admission = await gate.admit(payment({ [field]: value })['x-payment'], purchase)
  expect(admission.outcome).toBe(status === 400 ? 'malformed' : 'refused')
  if (admission.outcome === 'refused') {
    const name = { value: 'value', validAfter: 'valid_after', validBefore: 'valid_before' }[field]
    expect(admission.offer.body.error).toBe(`invalid_exact_evm_payload_authorization_${name}`)
  }
})

test('a payment that is valid for a day is taken', async () => {
  const { facilitator, settled } = agreeing()
  const { pay, close } = await selling(facilitator)
  expect((await pay(payment({ validBefore: secondsFromNow(86_000) }))).status).toBe(200)
  expect(settled).toHaveLength(1)
  await close()
})

test('a row that the store refuses fails alone, not its whole batch', async () => {
  const ledger = createLedger(kit.store, Date.now)
  const rows = Array.from({ length: 40 }, (_, index) => row(`p${index}`))
  for (const bad of [7, 8, 39]) rows[bad] = row(`p${bad}`, { valid_before: 2 ** 256 })
  const written = await Promise.allSettled(rows.map(ledger.write))
  const failed = written.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))
  expect(failed).toEqual([7, 8, 39])
  const found = await Promise.all(rows.map(({ key }) => ledger.find(key)))
  expect(found.flatMap((attempts, index) => (attempts.length > 0 ? [] : [index]))).toEqual(failed)
})

test('a store that is down is called once per batch, and every payment of it fails', async () => {
  let asked = 0
  const store: Store = {
    ...kit.store,
    insert: async () => {
      asked++
      throw AWAY
    },
  }
  const ledger = createLedger(store, Date.now)
  const all = await Promise.allSettled(Array.from({ length: 40 }, (_, index) => ledger.write(row(`p${index}`))))
  expect([asked, new Set(all.map(({ status }) => status))]).toEqual([1, new Set(['rejected'])])
})

test('does not charge a payment that cannot be recorded, and accepts it later', async () => {
  const { facilitator, settled } = agreeing()
  const rows = new Map<string, Payment>()
  let away = true
  const { write, ...rest } = memoryLedger(rows)
  const { pay, close } = await selling(facilitator, {
    ...rest,
    write: async (payment) => {
      if (away) throw AWAY
      await write(payment)
    },
  })
  const headers = payment()
  for (let sent = 0; sent < LIMIT + 2; sent++) {
    const refused = await pay(headers)
    expect([refused.status, refused.body.error, refused.headers['retry-after']]).toEqual([
      503,
      'DEPENDENCY_UNAVAILABLE',
      '5',
    ])
  }
  away = false
  expect([(await pay(headers)).status, settled.length]).toEqual([200, 1])
  await close()
})

test('returns a paid answer even if its outcome could not be written, which is done later', async () => {
  const { facilitator, settled } = agreeing()
  const rows = new Map<string, Payment>()
  const { write, ...rest } = memoryLedger(rows)
  let away = true
  const { gate, pay, close } = await selling(facilitator, {
    ...rest,
    write: async (payment) => {
      if (away && STATES[payment.state].rank > 1) throw AWAY
      await write(payment)
    },
  })
  const states = () => [...rows.values()].map(({ state }) => state)
  const headers = payment()
  expect((await pay(headers)).status).toBe(200)
  expect(states()).toEqual(['settling'])
  expect((await pay(headers)).status).toBe(200)
  away = false
  await gate.reconcile()
  expect([states(), (await pay(headers)).status, settled.length]).toEqual([['answered'], 200, 1])
  await close()
})

test('a silent store delays no payer: nothing is charged before it is recorded, and what is charged is answered', async () => {
  const { facilitator, settled } = agreeing()
  let stalls: (rows: string) => boolean = () => true
  const waiting: (() => void)[] = []
  const store: Store = {
    ...kit.store,
    insert: async (table, rows, options) => {
      if (stalls(String(rows))) await new Promise<void>((resolve) => waiting.push(resolve))
      await kit.store.insert(table, rows, options)
    },
  }
  const recover = () => {
    stalls = () => false
    for (const goOn of waiting.splice(0)) goOn()
  }
  const { gate, pay, close } = await selling(facilitator, createLedger(store, Date.now, 5_000))
  const states = async () =>
    (await kit.store.query<{ state: string }>('SELECT state FROM payments FINAL')).map(({ state }) => state)
  const headers = payment()
  const refused = await pay(headers)
  expect([refused.status, refused.body.error, settled.length]).toEqual([503, 'DEPENDENCY_UNAVAILABLE', 0])
  recover()
  // Between the two late rows the authorization is that of an attempt under way, and a payer is told to come again.
  await until('the attempt is given back', async () => (await states()).join() === 'released')
  expect([(await pay(headers)).status, settled.length]).toEqual([200, 1])
  // The money moves, and then nothing can be written.
  stalls = (rows) => rows.includes('"settled"') || rows.includes('"answered"')
  const other = payment()
  expect([(await pay(other, OTHER)).status, settled.length]).toEqual([200, 2])
  recover()
  await gate.reconcile()
  await until('both are answered', async () => (await states()).filter((state) => state === 'answered').length === 2)
  expect([(await pay(other, OTHER)).status, (await pay(headers)).status, settled.length]).toEqual([200, 200, 2])
  await close()
})

test.each([
  ['says it is pending', { success: false, transaction: '0xabc', errorReason: 'settlement_pending' }],
  ['falls silent', undefined],
  ['calls it a failure', { success: false, transaction: '', errorReason: 'unexpected_settle_error' }],
])('a settlement that the facilitator %s, but that succeeded, is answered on retry', async (_, receipt) => {
  const used = new Set<string>()
  let onChain = false
  let ahead = 0
  const clock = { ...systemClock, now: () => Date.now() + ahead }
  const { pay, gate, close } = await selling(
    {
      verify: async () => ({ isValid: true }),
      settle: async ({ paymentPayload }) => {
        used.add(paymentPayload.payload.authorization.nonce)
        if (!receipt) throw new Error('silent')
        return receipt
      },
      // Where the facilitator calls it a failure only the chain knows better, and it is away.
      fate: async ({ nonce }) => {
        if (!onChain && receipt?.errorReason === 'unexpected_settle_error') throw AWAY
        return onChain && used.has(nonce) ? { at: 'paid', transaction: '0xdef' } : unusedNow(clock.now())
      },
    },
    memoryLedger(),
    clock,
  )
  const headers = payment()
  const pending = await pay(headers)
  expect([pending.status, pending.body.error, pending.headers['retry-after']]).toEqual([402, 'settlement_pending', '5'])
  // It is nobody's fault: asking again and again shuts nobody out.
  for (let sent = 0; sent < LIMIT + 2; sent++) expect((await pay(headers)).body.error).toBe('settlement_pending')
  ahead = 100_000
  expect(await gate.reconcile()).toMatchObject({ decided: 0, open: 1 })
  onChain = true
  // The same request, however it is written; another one gets nothing.
  const again = await pay(headers, `{ "walletAddress":"${BODY.walletAddress}",\n"network":"ETH"}`)
  expect([again.status, again.body.walletAddress]).toEqual([200, BODY.walletAddress])
  expect((await pay(headers, OTHER)).body.error).toBe('invalid_exact_evm_nonce_already_used')
  expect((await pay(headers)).body).toEqual(again.body)
  await close()
})

const expiring = async (receipt: Receipt, fate: (now: number) => Fate | undefined) => {
  let now = Date.now()
  const rows = new Map<string, Payment>()
  const { facilitator } = agreeing({ settle: async () => receipt, fate: async () => fate(now) })
  const { pay, gate, close } = await selling(facilitator, memoryLedger(rows), { ...systemClock, now: () => now })
  await pay(payment())
  now += 310_000
  // Expired, but the chain may replace its last blocks.
  expect(await gate.reconcile()).toMatchObject({ decided: 0 })
  now += 130_000
  await gate.reconcile()
  await close()
  return [...rows.values()].map(({ state }) => state)
}
const undecided = { success: false, transaction: '0xabc', errorReason: 'settlement_pending' }

test.each([
  ['released when the chain passed its end without it', undecided, unusedNow, 'released'],
  ['unknown where there is no chain to ask', undecided, () => undefined, 'unknown'],
  [
    'released without a chain when the facilitator refused it',
    { ...undecided, errorReason: 'insufficient_funds' },
    () => undefined,
    'released',
  ],
  ['open while the node is behind', undecided, () => unusedNow(Date.now()), 'pending'],
] as const)('a settlement without an outcome ends as %s', async (_, receipt, fate, state) => {
  expect(await expiring(receipt, fate)).toEqual([state])
})

test('one settlement that cannot be looked up or written does not block the others', async () => {
  const names = ['a', 'bad', 'c', 'refused', 'e']
  const rows = new Map(names.map((name) => [`${name}:${name}`, row(name, { nonce: name })]))
  const { write, ...rest } = memoryLedger(rows)
  const gate = gateOf(
    agreeing({
      fate: async ({ nonce }) => {
        if (nonce === 'bad') throw new Error('no such nonce')
        return { at: 'paid', transaction: '0x1' }
      },
    }).facilitator,
    {
      ...rest,
      write: async (payment) => {
        if (payment.key === 'refused') throw new Error('refused')
        await write(payment)
      },
    },
  )
  expect(await gate.reconcile()).toMatchObject({ decided: 4, open: 1 })
  expect([...rows.values()].map(({ state }) => state)).toEqual([
    'settled',
    'settling',
    'settled',
    'settling',
    'settled',
  ])
})

test('while the node is down no settlement is given up, however long ago its authorization expired', async () => {
  const open = row('a', {
    valid_before: 1_000,
    payer: `0x${'11'.repeat(20)}`,
    nonce: `0x${'22'.repeat(32)}`,
    asset: `0x${'33'.repeat(20)}`,
  })
  const rows = new Map([['a:a', open]])
  const fate = createFateLookup('http://127.0.0.1:1')
  await expect(fate(open, 'latest')).rejects.toMatchObject({ code: 'ASSAY_PAYMENT_NODE' })
  const gate = gateOf(agreeing({ fate }).facilitator, memoryLedger(rows))
  expect([await gate.reconcile(), rows.get('a:a')?.state]).toMatchObject([
    { decided: 0, open: 1, unanswered: 0 },
    'settling',
  ])
})

const facilitatorThat = async (answer: (path: string) => [number, string]) => {
  const server = createServer((request, response) => {
    const [status, text] = answer(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    facilitator: createRemoteFacilitator(`http://127.0.0.1:${port}`, async () => undefined),
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}

test('answers 503 with Retry-After while the facilitator is down, without blaming the payer', async () => {
  const answers: [number, string][] = [
    [500, 'oops'],
    [503, '{"isValid":false,"invalidReason":"unexpected_verify_error"}'],
    [200, '<html>'],
    [200, '{}'],
  ]
  let answer = answers[0] ?? [500, '']
  const { facilitator, stop } = await facilitatorThat(() => answer)
  const away = createRemoteFacilitator('http://127.0.0.1:1', async () => undefined)
  for (const [one, headers] of [
    [facilitator, payment()],
    [away, payment()],
  ] as const) {
    const { pay, close } = await selling(one)
    for (answer of answers) {
      const refused = await pay(headers)
      expect([refused.status, refused.body.error]).toEqual([503, 'DEPENDENCY_UNAVAILABLE'])
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    }
    expect((await pay({ 'x-api-key': ENTERPRISE_KEY })).status).toBe(200)
    await close()
  }
  await stop()
})

test('answers 503 without blaming the payer while our node is down', async () => {
  const { pay, close } = await selling(createOwnFacilitator('http://127.0.0.1:1', secret(generatePrivateKey())))
  const answers = await Promise.all(Array.from({ length: LIMIT + 1 }, () => pay(payment())))
  expect([...new Set(answers.map(({ status }) => status))]).toEqual([503])
  expect((await pay(payment())).status).toBe(503)
  await close()
})

test('copies of a payment in flight have to wait, and do not lock out the payer', async () => {
  let done: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    done = resolve
  })
  const { facilitator, settled } = agreeing()
  const { pay, close } = await selling({
    ...facilitator,
    verify: async () => {
      await held
      return { isValid: true }
    },
  })
  const headers = payment()
  const first = pay(headers)
  while (!(await setImmediate(true))) {}
  for (let sent = 0; sent < LIMIT + 2; sent++) {
    const copy = await pay(headers)
    expect([copy.status, copy.body.error]).toEqual([402, 'payment_in_progress'])
  }
  done()
  expect([(await first).status, settled.length]).toEqual([200, 1])
  await close()
})

test('a process that died between ledger and settlement answers nothing unpaid, and its successor continues', async () => {
  const rows = new Map<string, Payment>()
  const dead = agreeing({ settle: () => new Promise(() => undefined) })
  const first = await selling(dead.facilitator, memoryLedger(rows))
  const headers = payment()
  void first.pay(headers)
  while (rows.size === 0) await setImmediate()
  const { facilitator, settled } = agreeing()
  const { pay, close } = await selling(facilitator, memoryLedger(rows))
  expect((await pay(headers)).body.error).toBe('settlement_pending')
  expect([(await pay(payment())).status, settled.length]).toEqual([200, 1])
  await close()
})

test('two replicas with one ledger and one reservation store answer a payment once', async () => {
  const rows = new Map<string, Payment>()
  const { facilitator, settled } = agreeing()
  const reservations = createLocalReservations(Date.now)
  const replicas = [
    await selling(facilitator, memoryLedger(rows), systemClock, reservations),
    await selling(facilitator, memoryLedger(rows), systemClock, reservations),
  ]
  const headers = payment()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) => replicas[index % 2]!.pay(headers, index % 3 ? BODY : OTHER)),
  )
  const answered = answers.filter(({ status }) => status === 200).map(({ body }) => body.walletAddress)
  expect([new Set(answered).size, settled.length]).toEqual([1, 1])
  for (const replica of replicas) await replica.close()
})

test('does not repeat a refusal that is not a code, because responses with long headers get lost', async () => {
  const reason = `insufficient funds\r\n${'x'.repeat(20_000)}`
  const { facilitator } = agreeing({ verify: async () => ({ isValid: false, invalidReason: reason }) })
  const { pay, close } = await selling(facilitator)
  const { status, headers, body } = await pay(payment())
  expect([status, body.error, String(headers['payment-required']).length < 2_000]).toEqual([
    402,
    'unexpected_verify_error',
    true,
  ])
  await close()
})

test('answers payments to the previous receiver after the receiver was changed', async () => {
  const rows = new Map<string, Payment>()
  let pending = false
  const { facilitator, settled } = agreeing()
  const settle: Facilitator['settle'] = async (claim) =>
    pending ? { success: false, transaction: '', errorReason: 'settlement_pending' } : facilitator.settle(claim)
  const before = await selling({ ...facilitator, settle }, memoryLedger(rows))
  const reservations = createLocalReservations(Date.now)
  const other = `0x${'22'.repeat(20)}`
  const after = await selling(facilitator, memoryLedger(rows), systemClock, reservations, other)
  const [paid, open] = [payment(), payment()]
  const answer = await before.pay(paid)
  pending = true
  await before.pay(open)
  for (let sent = 0; sent < LIMIT + 2; sent++) {
    const again = await after.pay(paid)
    expect([again.status, again.body]).toEqual([200, answer.body])
    expect((await after.pay(open)).body.error).toBe('settlement_pending')
  }
  expect((await after.pay(paid, OTHER)).body.error).toBe('invalid_exact_evm_payload_recipient_mismatch')
  expect((await after.pay(payment())).body.error).toBe('invalid_exact_evm_payload_recipient_mismatch')
  expect([(await after.pay(payment({ to: other }))).status, settled.length]).toEqual([200, 2])
  await before.close()
  await after.close()
})
