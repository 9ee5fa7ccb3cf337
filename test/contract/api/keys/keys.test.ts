import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createUsage } from '../../../../api/accounting/usage/usage.ts'
import { createFraudLookup } from '../../../../api/answers/providers/fraud.ts'
import { aggregateServed, createServedSender } from '../../../../api/answers/served/aggregate.ts'
import { createServeCounts } from '../../../../api/answers/served/bases.ts'
import { CASES, demonstrationAddress } from '../../../../api/keys/demonstration/addresses.ts'
import { createKeys } from '../../../../api/keys/keys.ts'
import { createKeyRing } from '../../../../api/keys/ring.ts'
import { openBus } from '../../../../platform/bus/index.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createLog } from '../../../../platform/context/log.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { EXPLANATIONS } from '../../../../schema/records/extensions.ts'
import { OPERATION_LIST } from '../../../../schema/records/operations.ts'
import { topics } from '../../../../schema/topics.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { readAll } from '../../bus/helpers.ts'
import { documentedBy } from '../documents/openapi.kit.ts'
import { bodyOf, ENTERPRISE_KEY, startApi, testContext } from '../kit.ts'

const DOCUMENTED = readFileSync(new URL('../../../../docs/use/api.md', import.meta.url), 'utf8')

let kit: TestStore
let now = 1_800_000_000_000
const clock = { ...systemClock, now: () => ++now }
const keysOf = () => createKeys({ store: kit.store, clock })

beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

test('keys are created, listed, used and revoked, and their plain text is never stored', async () => {
  const keys = keysOf()
  const ring = createKeyRing({ clock }, keys)
  const made = await keys.create('business', 'a customer')
  expect(made.key).toMatch(/^assay_business_[\w-]{43}$/)
  await ring.refresh()
  expect(ring.find(made.key)).toEqual({ kind: 'key', tier: 'business', id: made.id })
  expect(ring.find(`${made.key}x`)).toBeUndefined()
  const rows = await kit.store.query<object>('SELECT * FROM api_keys')
  expect(JSON.stringify(rows)).not.toContain(made.key.slice(20))
  await keys.revoke(made.id)
  await ring.refresh()
  expect(ring.find(made.key)).toBeUndefined()
  expect(await keys.list()).toMatchObject([{ id: made.id, label: 'a customer', revoked: true }])
  await expect(keys.revoke(made.id)).rejects.toMatchObject({ code: 'ASSAY_KEYS_UNKNOWN' })
})

test('a rotated key works until its grace period ends', async () => {
  const keys = keysOf()
  const ring = createKeyRing({ clock }, keys)
  const old = await keys.create('enterprise', 'a customer')
  const made = await keys.rotate(old.id, 60_000)
  await ring.refresh()
  expect([ring.find(old.key)?.id, ring.find(made.key)]).toEqual([
    old.id,
    { kind: 'key', tier: 'enterprise', id: made.id },
  ])
  now += 61_000
  expect([ring.find(old.key), ring.find(made.key)?.id]).toEqual([undefined, made.id])
  const last = await keys.rotate(made.id, 0)
  await ring.refresh()
  expect([ring.find(made.key), ring.find(last.key)?.tier]).toEqual([undefined, 'enterprise'])
})

test('a revocation holds also with a clock set back, and successors of a key stay one account', async () => {
  const keys = keysOf()
  const ring = createKeyRing({ clock }, keys)
  const revoked = await keys.create('business', 'a customer')
  const first = await keys.create('business', 'another')
  now -= 3_600_000
  try {
    await keys.revoke(revoked.id)
    const second = await keys.rotate(first.id, 0)
    now -= 3_600_000
    const third = await keys.rotate(second.id, 0)
    await ring.refresh()
    expect([revoked, first, second, third].map(({ key }) => ring.find(key)?.id)).toEqual([
      undefined,
      undefined,
      undefined,
      third.id,
    ])
    expect([first, second, third].map(({ id }) => ring.accountOf(id))).toEqual([first.id, first.id, first.id])
  } finally {
    now += 7_200_000
  }
})

test('a key is limited to its operations, networks, addresses and time, each with its own error', async () => {
  const keys = keysOf()
  const { ask, app, api, close } = await startApi({ keys }, { ...testContext(), clock })
  const documented = await documentedBy(app)
  const body = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }
  const expires = now + 3_600_000
  const made = await Promise.all([
    keys.create('business', '', { operations: ['fraud_check'], networks: ['ETH'] }),
    keys.create('business', '', { sources: ['127.0.0.0/8', '2001:db8::/32'] }),
    keys.create('business', '', { sources: ['10.1.2.3'] }),
    keys.create('business', '', { expires }),
    keys.create('business', '', { operations: ['of a later version'] }),
  ])
  await api.refreshKeys()
  const [scoped = '', local = '', remote = '', brief = '', later = ''] = made.map(({ key }) => key)
  const asked = async (key: string, path = '/fraud/check', input: unknown = body) => {
    const { status, body } = await ask(path, input, { 'x-api-key': key })
    documented(path, status, body)
    return status === 200 ? 200 : `${status} ${body.error}`
  }
  expect(await asked(scoped)).toBe(200)
  expect(await asked(scoped, '/fraud/audit')).toBe('403 OPERATION_NOT_ALLOWED')
  expect(await asked(scoped, '/fraud/audit/batch', { wallets: [body] })).toBe('403 OPERATION_NOT_ALLOWED')
  expect(await asked(scoped, '/api/fraud/audit')).toBe('403 OPERATION_NOT_ALLOWED')
  expect(await asked(scoped, '/fraud/check', { ...body, network: 'BNB' })).toBe('403 NETWORK_NOT_ALLOWED')
  expect(await asked(scoped, '/fraud/explain', { ...body, network: 'BNB' })).toBe('403 NETWORK_NOT_ALLOWED')
  // Nothing explains verdicts here, which is found out after the key was looked at.
  const explained = async (key: string) =>
    Object.fromEntries(await Promise.all(EXPLANATIONS.map(async ({ path }) => [path, await asked(key, path)])))
  const outOfTier = {
    '/segmentation/explain': '403 TIER_NOT_COVERED',
    '/users/credit-score/explain': '403 TIER_NOT_COVERED',
  }
  expect(await explained(scoped)).toEqual({
    '/fraud/explain': '503 ANALYSIS_NOT_AVAILABLE',
    '/fraud/history': '503 ANALYSIS_NOT_AVAILABLE',
    '/fraud/counterparties': '503 ANALYSIS_NOT_AVAILABLE',
    '/fraud/activity': '503 ANALYSIS_NOT_AVAILABLE',
    '/fraud/creations': '503 ANALYSIS_NOT_AVAILABLE',
    '/rug/explain': '403 OPERATION_NOT_ALLOWED',
    '/rug/history': '403 OPERATION_NOT_ALLOWED',
    ...outOfTier,
  })
  expect(await explained(local)).toEqual({
    '/fraud/explain': '503 ANALYSIS_NOT_AVAILABLE',
    '/fraud/history': '503 ANALYSIS_NOT_AVAILABLE',
    '/fraud/counterparties': '503 ANALYSIS_NOT_AVAILABLE',
    '/fraud/activity': '503 ANALYSIS_NOT_AVAILABLE',
    '/fraud/creations': '503 ANALYSIS_NOT_AVAILABLE',
    '/rug/explain': '503 ANALYSIS_NOT_AVAILABLE',
    '/rug/history': '503 ANALYSIS_NOT_AVAILABLE',
    ...outOfTier,
  })
  const batch = await ask('/fraud/batch', { wallets: [body, { ...body, network: 'BNB' }] }, { 'x-api-key': scoped })
  expect(batch.body.results.map(({ status }: { status: number }) => status)).toEqual([200, 403])
  expect(await asked(later)).toBe('403 OPERATION_NOT_ALLOWED')
  expect([await asked(local), await asked(remote)]).toEqual([200, '403 SOURCE_NOT_ALLOWED'])
  expect(await asked(brief)).toBe(200)
  // A rotated key does not outlive the time it was given.
  const old = await keys.rotate(made[3]?.id ?? '', 7 * 86_400_000)
  await api.refreshKeys()
  now = expires
  expect([await asked(brief), await asked(old.key)]).toEqual(['401 KEY_EXPIRED', '401 KEY_EXPIRED'])
  await close()
})

test('a test key answers for demonstration addresses only, says so, and computes and counts nothing', async () => {
  const keys = keysOf()
  const { ask, app, api, calls, served, close } = await startApi({ keys, usage: kit.store })
  const documented = await documentedBy(app)
  const made = await keys.create('enterprise', 'a trial', { test: true })
  expect(made.key).toMatch(/^assay_test_/)
  const successor = await keys.rotate(made.id, 60_000)
  await api.refreshKeys()
  for (const { id, path, networks, record } of OPERATION_LIST) {
    for (const network of networks) {
      for (const name of CASES) {
        const walletAddress = demonstrationAddress(network, name)
        const input = { network, walletAddress }
        const { status, headers, body } = await ask(path, input, { 'x-api-key': successor.key })
        expect([id, network, status, headers['x-assay-demonstration']]).toEqual([id, network, 200, 'true'])
        documented(path, 200, body)
        if (id === 'fraud_check') {
          expect(body.forensic_details.data_source).toBe('demonstration')
          expect(body.status).toBe({ clean: 'Not Fraud', fraud: 'Fraud', new: 'New Address' }[name])
          expect(DOCUMENTED).toContain(walletAddress)
        }
        expect(record.safeParse(body).success).toBe(true)
      }
    }
  }
  const real = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}`, calculate: true }
  for (const path of ['/fraud/check', ...EXPLANATIONS.map(({ path }) => path)]) {
    const { status, body } = await ask(path, real, { 'x-api-key': made.key })
    documented(path, status, body)
    expect([status, body.details]).toEqual([
      404,
      [{ field: 'walletAddress', reason: 'is not a demonstration address' }],
    ])
  }
  await api.flush()
  expect([calls, served.totals.size]).toEqual([{ lookups: [], computed: [] }, 0])
  expect(await kit.store.query('SELECT key FROM usage')).toEqual([])
  // To a real key a demonstration address is one like any other.
  const known = { network: 'ETH', walletAddress: demonstrationAddress('ETH', 'clean') }
  const usual = await keys.create('business', '')
  await api.refreshKeys()
  const { headers } = await ask('/fraud/check', known, { 'x-api-key': usual.key })
  expect(headers['x-assay-demonstration']).toBeUndefined()
  await close()
})

test('counts calls by key, operation, day and status, and shows a caller those of its rotation chain', async () => {
  const keys = keysOf()
  let broken = 2
  const store = {
    ...kit.store,
    insert: async (...given: Parameters<typeof kit.store.insert>) => {
      await kit.store.insert(...given)
      // The rows arrive, the answer does not.
      if (given[0] === 'usage' && broken-- > 0) throw new Error('connection lost')
    },
  }
  const { ask, app, api, close, context } = await startApi(
    { keys, usage: store, tuning: { servedFlushMs: 3_600_000 } },
    { ...testContext(), clock },
  )
  const owner = await keys.create('business', '')
  const other = await keys.create('business', '')
  await api.refreshKeys()
  const good = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }
  const bad = { network: 'ETH', walletAddress: '0x1' }
  for (const input of [good, good, bad]) await ask('/fraud/check', input, { 'x-api-key': owner.key })
  await ask('/api/fraud/audit/', good, { 'x-api-key': owner.key })
  await ask('/fraud/audit', good, { 'x-api-key': owner.key })
  for (let flush = 0; flush < 2; flush++) await expect(api.flush()).rejects.toThrow('connection lost')
  await ask('/fraud/batch', { wallets: [good, bad, bad] }, { 'x-api-key': other.key })
  const successor = await keys.rotate(owner.id, 60_000)
  await api.refreshKeys()
  await ask('/fraud/check', good, { 'x-api-key': successor.key })
  const read = async (key: string, query = '') => {
    const { statusCode, json } = await app.inject({ url: `/usage${query}`, headers: { 'x-api-key': key } })
    ;(await documentedBy(app))('/usage', statusCode, json())
    return json()
  }
  const day = new Date(now).toISOString().slice(0, 10)
  const row = (key: string, operation: string, status: number, calls: number) => ({
    day,
    key,
    operation,
    status,
    calls,
  })
  const { usage } = await read(successor.key)
  expect(usage).toHaveLength(4)
  expect(usage).toEqual(
    expect.arrayContaining([
      row(owner.id, 'fraud_audit', 200, 1),
      row(owner.id, 'fraud_check', 200, 2),
      row(owner.id, 'fraud_check', 400, 1),
      row(successor.id, 'fraud_check', 200, 1),
    ]),
  )
  expect((await read(other.key)).usage).toEqual([
    row(other.id, 'fraud_check', 200, 1),
    row(other.id, 'fraud_check', 400, 2),
  ])
  expect((await read(other.key, '?from=2020-01-01&to=2020-02-01')).usage).toEqual([])
  for (const wrong of ['?from=soon', '?from=2026-02-01&to=2026-01-01', '?from=2000-01-01']) {
    expect((await read(other.key, wrong)).error).toBe('INVALID_REQUEST')
  }
  expect((await context.metrics.text()).match(/assay_key_calls_total{.*key_.*/g)?.length).toBeGreaterThan(3)
  // What was counted last is stored when the process ends.
  await ask('/fraud/check', good, { 'x-api-key': other.key })
  await close()
  const stored = await kit.store.query('SELECT sum(calls) AS calls FROM usage WHERE key = {key:String}', {
    key: other.id,
  })
  expect(stored).toEqual([{ calls: '4' }])
})

test('stores read counts at most once a second, and still counts all reads', async () => {
  const inserts: string[] = []
  const store: Store = {
    ...kit.store,
    insert: async (table, ...rest) => {
      inserts.push(table)
      await kit.store.insert(table, ...rest)
    },
  }
  const { app, ask, close } = await startApi({ usage: store, tuning: { servedFlushMs: 3_600_000 } })
  const readings = []
  for (let n = 0; n < 20; n++) {
    await ask('/fraud/check', { network: 'ETH', walletAddress: `0x${'ab'.repeat(20)}` })
    const reading = app.inject({ url: '/usage', headers: { 'x-api-key': ENTERPRISE_KEY } })
    readings.push(reading.then((answer) => answer.json().usage[0].calls as number))
  }
  const counted = await Promise.all(readings)
  await close()
  expect([inserts.length <= 3, counted.at(-1)]).toEqual([true, 20])
})

test('a call counts on the day of its answer, however late it is stored', async () => {
  let away = true
  const store = {
    ...kit.store,
    insert: async (...given: Parameters<typeof kit.store.insert>) => {
      if (away) throw new Error('connection refused')
      await kit.store.insert(...given)
    },
  }
  let at = Date.parse('2026-11-21T23:00:00Z')
  const usage = createUsage({ store, metrics: createMetrics(), now: () => at })
  const caller = { kind: 'key', tier: 'business', id: 'key_x' } as const
  usage.count(caller, 'fraud_check', 200)
  await expect(usage.flush()).rejects.toThrow('connection refused')
  usage.count(caller, 'fraud_check', 200)
  at += 2 * 3_600_000
  usage.count(caller, 'fraud_check', 200)
  away = false
  await usage.flush()
  expect((await usage.read(['key_x'], '2026-11-21', '2026-11-22')).map(({ day, calls }) => [day, calls])).toEqual([
    ['2026-11-21', 2],
    ['2026-11-22', 1],
  ])
})

test('behind a proxy, checks the address of the caller that a trusted proxy reports', async () => {
  const keys = keysOf()
  const { key } = await keys.create('business', '', { sources: ['10.1.2.0/24'] })
  const asked = async (trustProxy: string[] | undefined, forwarded: string) => {
    const { ask, close } = await startApi({ keys, server: { trustProxy } }, { ...testContext(), clock })
    const body = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }
    const headers = { 'x-api-key': key, 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' }
    const { status, body: answer } = await ask('/fraud/check', body, headers)
    await close()
    return status === 200 ? 200 : answer.error
  }
  expect(await asked(['127.0.0.1'], '10.1.2.3')).toBe(200)
  expect(await asked(['127.0.0.1'], '10.1.3.3')).toBe('SOURCE_NOT_ALLOWED')
  // What the caller wrote itself stands left of what the proxy added.
  expect(await asked(['127.0.0.1'], '10.1.2.3, 192.0.2.7')).toBe('SOURCE_NOT_ALLOWED')
  // Nobody is trusted: the header is anybody's word.
  for (const trusted of [undefined, ['192.0.2.1']]) expect(await asked(trusted, '10.1.2.3')).not.toBe(200)
})

test('keys of the configuration exist once, and a revoked one stays revoked', async () => {
  const keys = keysOf()
  const wanted = [{ tier: 'business', key: 'a-key-from-the-environment' }] as const
  await keys.ensure(wanted)
  await keys.ensure(wanted)
  const [row, ...others] = await keys.list()
  expect([row?.tier, others]).toEqual(['business', []])
  await keys.revoke(row?.id ?? '')
  await keys.ensure(wanted)
  expect((await keys.list()).map(({ revoked }) => revoked)).toEqual([true])
})

test('a key created or revoked elsewhere takes effect within seconds, without a restart', async () => {
  const keys = createKeys({ store: kit.store, clock: systemClock })
  const { ask, close } = await startApi({ keys, tuning: { keysRefreshMs: 20 } })
  const body = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }
  const made = await createKeys({ store: kit.store, clock: systemClock }).create('business', '')
  const status = async () => (await ask('/fraud/check', body, { 'x-api-key': made.key })).status
  const becomes = async (expected: number) => {
    const deadline = Date.now() + 5_000
    // Injected calls run without a turn of the event loop, on which the refresh depends.
    while ((await status()) !== expected) {
      if (Date.now() > deadline) throw new Error(`did not become ${expected}`)
      await setImmediate()
    }
  }
  await becomes(200)
  await keys.revoke(made.id)
  await becomes(401)
  await close()
})

test('records and served counts come from the store, and counts survive a restart through the bus', async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-api-bus-'))
  const bus = await openBus({ path, log: createLog('silent') })
  const sender = await createServedSender(bus)
  const folding = await aggregateServed({ context: testContext(), bus, store: kit.store })
  const address = `0x${'ab'.repeat(20)}`
  const time = 1_777_896_000
  const row = {
    network: 'ETH',
    address,
    version: 7,
    status: 'Not Fraud',
    probability: 0.04,
    body: bodyOf('fraud_check', 'ETH'),
    reasons: '[]',
    unknowns: [],
    model_version: 't',
    data_height: 1,
    created_at: time,
    computed_at: time,
  }
  const older = { ...row, version: 6, body: '{}' }
  await kit.store.insert('wallet_records', `${JSON.stringify(row)}\n${JSON.stringify(older)}`)
  const options = () => ({
    providers: { fraud_check: { lookup: createFraudLookup(kit.store), compute: async () => undefined } },
    serveCounts: createServeCounts(kit.store),
    sendServed: sender.send,
  })
  const first = await startApi(options())
  for (const walletAddress of [address, address.replace('0xab', '0xAB')].slice(0, 1)) {
    await first.ask('/fraud/check', { network: 'ETH', walletAddress })
    const { body } = await first.ask('/fraud/check', { network: 'ETH', walletAddress })
    expect([body.checked_times, body.probabilityFraud]).toEqual([2, '0.0421858616'])
  }
  await first.close()
  const stored = async () =>
    (await createServeCounts(kit.store).load('wallet', [{ network: 'ETH', address }], AbortSignal.timeout(5_000)))[0]
  const deadline = Date.now() + 10_000
  while ((await stored()) !== 2) if (Date.now() > deadline) throw new Error('counts did not arrive')
  const second = await startApi(options())
  expect((await second.ask('/fraud/check', { network: 'ETH', walletAddress: address })).body.checked_times).toBe(3)
  expect((await second.ask('/fraud/check', { network: 'ETH', walletAddress: `0x${'cd'.repeat(20)}` })).status).toBe(404)
  await second.close()
  await folding.close()
  await folding.done
  await sender.close()
  await bus.close()
  rmSync(path, { recursive: true, force: true })
})

test('counts a repeated batch of served counts once, and sets an unreadable one aside', async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-api-bus-'))
  const bus = await openBus({ path, log: createLog('silent') })
  const sender = await createServedSender(bus)
  const subject = { network: 'ETH', address: `0x${'ef'.repeat(20)}` } as const
  const batch = (id: string, count: number) => ({
    batch: id,
    counts: [{ ...subject, kind: 'wallet' as const, count, last: 1_777_896_000 }],
  })
  for (const [id, count] of [
    ['a', 2],
    ['b', 2],
    ['a', 2],
    ['c', 5],
    ['b', 2],
  ] as const)
    await sender.send(batch(id, count))
  await (await bus.producer()).send([{ topic: topics.served, messages: [{ value: Buffer.from('{"batch":1}') }] }])
  await sender.send(batch('d', 1))
  await bus.createTopics([{ topic: topics.dlq, partitions: 1 }])
  const folding = await aggregateServed({ context: testContext(), bus, store: kit.store })
  const deadline = Date.now() + 10_000
  while ((await bus.lag('served-counts', 'served')) > 0n) {
    if (Date.now() > deadline) throw new Error('counts did not arrive')
    await setImmediate()
  }
  expect(await createServeCounts(kit.store).load('wallet', [subject], AbortSignal.timeout(5_000))).toEqual([10])
  const letters = await readAll(bus, topics.dlq)
  expect(letters.map(({ value, headers }) => `${headers.topic} ${headers.offset} ${value}`)).toEqual([
    'served 5 {"batch":1}',
  ])
  await folding.close()
  await folding.done
  await sender.close()
  await bus.close()
  rmSync(path, { recursive: true, force: true })
})
