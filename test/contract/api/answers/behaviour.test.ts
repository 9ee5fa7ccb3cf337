import { describe, expect, test } from 'vitest'
import { agentRoutes } from '../../../../api/a2a/routes.ts'
import type { Provider } from '../../../../api/answers/providers/provider.ts'
import { OPERATIONS } from '../../../../schema/records/operations.ts'
import {
  BUSINESS_KEY,
  bodyOf,
  type Calls,
  ENTERPRISE_KEY,
  memoryProvider,
  startApi,
  testContext,
  UNSEEN,
} from '../kit.ts'

const wallet = (n: number) => `0xaa${n.toString(16).padStart(38, '0')}`
const eth = (n: number, calculate = false) => ({ network: 'ETH', walletAddress: wallet(n), calculate })

const until = async (holds: () => boolean, what: string) => {
  const deadline = Date.now() + 5_000
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`did not come about: ${what}`)
    await new Promise((resolve) => setImmediate(resolve))
  }
}

describe('look-ups', () => {
  test('of concurrent requests are one query, with each address once', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const calls: Calls = { lookups: [], computed: [] }
    const provider = memoryProvider('fraud_check', calls)
    const lookup: Provider['lookup'] = async (subjects, signal) => {
      const found = await provider.lookup(subjects, signal)
      await gate
      return found
    }
    const { ask, close } = await startApi({ providers: { fraud_check: { ...provider, lookup } } })
    const first = ask('/fraud/check', eth(9))
    await until(() => calls.lookups.length === 1, 'a look-up')
    const asked = [1, 2, 3, 2, 1].map((n) => ask('/fraud/check', eth(n)))
    await Promise.all(asked.map(() => ask('/fraud/check', '{')))
    open()
    const answers = await Promise.all([first, ...asked])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200])
    expect(calls.lookups).toEqual([[`ETH:${wallet(9)}`], [`ETH:${wallet(1)}`, `ETH:${wallet(2)}`, `ETH:${wallet(3)}`]])
    await ask('/fraud/check', eth(1))
    expect(calls.lookups).toHaveLength(2)
    await close()
  })

  test('for unseen addresses are cached briefly, or until a record arrives', async () => {
    let now = Date.now()
    const context = testContext()
    const { ask, api, calls, close } = await startApi(
      { tuning: { absentMs: 2_000 } },
      { ...context, clock: { ...context.clock, now: () => now } },
    )
    const unseen = { network: 'ETH', walletAddress: UNSEEN.evm }
    const subject = { network: 'ETH', address: UNSEEN.evm } as const
    const asks = async (path = '/fraud/check') => (await ask(path, unseen)).status
    expect([await asks(), await asks(), calls.computed.length, calls.lookups.length]).toEqual([404, 404, 1, 1])
    expect([await asks('/fraud/audit'), calls.computed.length]).toEqual([404, 2])
    now += 2_000
    expect([await asks(), calls.computed.length]).toEqual([404, 3])
    // That it was withdrawn is no news of it.
    api.reader.refresh('fraud_check', subject, { body: '', version: 1 })
    expect([await asks(), calls.computed.length]).toEqual([404, 3])
    api.reader.refresh('fraud_check', subject, { body: bodyOf('fraud_check', 'ETH'), version: 1 })
    expect([await asks(), await asks('/fraud/audit'), calls.computed.length]).toEqual([404, 404, 5])
    expect((await ask('/fraud/check', { ...unseen, calculate: true })).status).toBe(404)
    expect(calls.computed).toHaveLength(6)
    await close()
  })

  test('stay valid as long as before when the clock is set back', async () => {
    let now = Date.now()
    const context = testContext()
    const { ask, calls, close } = await startApi({}, { ...context, clock: { ...context.clock, now: () => now } })
    const unseen = { network: 'ETH', walletAddress: UNSEEN.evm }
    const lookups = async () => {
      const before = calls.lookups.length
      const statuses = [await ask('/fraud/check', eth(1)), await ask('/fraud/check', unseen)].map((one) => one.status)
      return [...statuses, calls.lookups.length - before]
    }
    expect([await lookups(), await lookups()]).toEqual([
      [200, 404, 2],
      [200, 404, 0],
    ])
    now -= 3_600_000
    expect(await lookups()).toEqual([200, 404, 0])
    now += 360_000
    expect(await lookups()).toEqual([200, 404, 2])
    await close()
  })

  test('of withdrawn records are dropped, with those of other operations for the address', async () => {
    const { ask, api, calls, close } = await startApi()
    const subject = { network: 'ETH', address: wallet(1) } as const
    for (const path of ['/fraud/check', '/fraud/audit']) expect((await ask(path, eth(1))).status).toBe(200)
    const before = calls.lookups.length
    api.reader.refresh('fraud_check', subject, { body: '', version: 9 })
    for (const path of ['/fraud/check', '/fraud/audit']) await ask(path, eth(1))
    expect(calls.lookups).toHaveLength(before + 2)
    await close()
  })

  test('of other operations expire with a newer verdict, not with their own', async () => {
    const { ask, api, calls, close } = await startApi()
    const subject = { network: 'ETH', address: wallet(1) } as const
    const paths = Object.values(OPERATIONS).map(({ path }) => path)
    const lookups = async () => {
      const before = calls.lookups.length
      for (const path of paths) expect((await ask(path, eth(1))).status, path).toBe(200)
      return calls.lookups.length - before
    }
    expect([await lookups(), await lookups()]).toEqual([paths.length, 0])
    const body = bodyOf('fraud_check', 'ETH')
    api.reader.refresh('fraud_check', subject, { body, version: 1 })
    expect(await lookups()).toBe(0)
    api.reader.refresh('fraud_check', subject, { body, version: 2 })
    // The profiles that the store has are older than the verdict here, so that they are looked up until they are not.
    expect([await lookups(), await lookups()]).toEqual([paths.length - 1, paths.length - 2])
    await close()
  })

  test('that fail do not keep a record in memory forever', async () => {
    let now = Date.now()
    let away = false
    const context = testContext()
    const calls: Calls = { lookups: [], computed: [] }
    const provider = memoryProvider('fraud_check', calls)
    const lookup: Provider['lookup'] = async (subjects, signal) => {
      if (away) throw Object.assign(new Error('the store is away'), { name: 'TimeoutError' })
      return provider.lookup(subjects, signal)
    }
    const { ask, close } = await startApi(
      { providers: { fraud_check: { ...provider, lookup } } },
      { ...context, clock: { ...context.clock, now: () => now } },
    )
    const asks = async () => (await ask('/fraud/check', eth(1))).status
    expect(await asks()).toBe(200)
    away = true
    for (const minutes of [2, 4]) {
      now += 2 * 60_000
      expect([minutes, await asks()]).toEqual([minutes, 200])
    }
    now += 2 * 60_000
    expect(await asks()).toBe(503)
    away = false
    expect(await asks()).toBe(200)
    await close()
  })

  test('that are not stored are computed', async () => {
    const { ask, calls, close } = await startApi()
    const walletAddress = `0x${'11'.repeat(20)}`
    expect((await ask('/fraud/check', { network: 'ETH', walletAddress })).status).toBe(200)
    expect(calls.computed).toEqual([`ETH:${walletAddress}`])
    await close()
  })
})

describe('recalculation', () => {
  test('is shared by concurrent requests for one wallet, and replaces the record in memory', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const calls = { lookups: [], computed: [] as string[] }
    const provider = memoryProvider('fraud_check', calls, { compute: () => gate })
    const { ask, api, close } = await startApi({ providers: { fraud_check: provider } })
    const asked = [1, 1, 1, 2].map((n) => ask('/fraud/check', eth(n, true)))
    await until(() => calls.computed.length === 2, 'two computations')
    open()
    const answers = await Promise.all(asked)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.map(({ body }) => body.checked_times).sort()).toEqual([1, 1, 2, 3])
    expect(calls.computed).toHaveLength(2)
    expect(api.reader.cache.size).toBe(2)
    await close()
  })

  test('has its own budget, and a bounded number of requests waits', async () => {
    let open = () => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const calls = { lookups: [], computed: [] as string[] }
    const provider = memoryProvider('fraud_check', calls, { compute: () => gate })
    const { ask, close } = await startApi({
      providers: { fraud_check: provider },
      recalculationLimits: [{ tier: 'business', limit: 1, windowMs: 3_600_000 }],
      tuning: { computeConcurrency: 1, computeMaxWaiting: 1 },
    })
    const business = { 'x-api-key': BUSINESS_KEY }
    const first = ask('/fraud/check', eth(1, true), business)
    const second = await ask('/fraud/check', eth(1, true), business)
    expect([second.status, second.body.error, Number(second.headers['retry-after']) > 0]).toEqual([
      429,
      'RECALCULATION_LIMITED',
      true,
    ])
    const third = ask('/fraud/check', eth(2, true))
    await until(() => calls.computed.length === 1, 'a computation')
    const fourth = await ask('/fraud/check', eth(3, true))
    expect([fourth.status, fourth.body.error, fourth.headers['retry-after']]).toEqual([429, 'OVERLOADED', '1'])
    expect((await ask('/fraud/check', eth(4))).status).toBe(200)
    open()
    expect([(await first).status, (await third).status]).toEqual([200, 200])
    await close()
  })

  test('that takes too long is a 503', async () => {
    const provider: Provider = { lookup: async (all) => all.map(() => undefined), compute: () => new Promise(() => {}) }
    const { ask, close } = await startApi({ providers: { fraud_check: provider }, tuning: { computeDeadlineMs: 20 } })
    const { status, body } = await ask('/fraud/check', eth(1, true))
    expect([status, body.error]).toEqual([503, 'DEPENDENCY_UNAVAILABLE'])
    await close()
  })
})

describe('checked_times', () => {
  test('counts check and audit together, contracts separately, and continues after a restart', async () => {
    const first = await startApi()
    const times = async (api: typeof first, path: string, n: number) => (await api.ask(path, eth(n))).body.checked_times
    expect([
      await times(first, '/fraud/check', 1),
      await times(first, '/fraud/audit', 1),
      await times(first, '/api/fraud/check', 1),
      await times(first, '/rug/pull-check', 1),
    ]).toEqual([1, 2, 3, 1])
    await first.close()
    const { counts, send, totals } = first.served
    expect(Object.fromEntries(totals)).toEqual({ [`wallet:ETH:${wallet(1)}`]: 3, [`contract:ETH:${wallet(1)}`]: 1 })
    const second = await startApi({ serveCounts: counts, sendServed: send })
    expect(await times(second, '/fraud/audit', 1)).toBe(4)
    await second.close()
  })

  test('resends an unacknowledged message unchanged, so that its ID makes it count once', async () => {
    let fail = true
    const sent: [id: string, count: number | undefined][] = []
    const { ask, api, close } = await startApi({
      tuning: { servedFlushMs: 3_600_000 },
      sendServed: async ({ batch, counts }) => {
        sent.push([batch, counts[0]?.count])
        if (fail) throw new Error('bus is away')
      },
    })
    await ask('/fraud/check', eth(1))
    await expect(api.flush()).rejects.toThrow('bus is away')
    await ask('/fraud/check', eth(1))
    await ask('/fraud/check', eth(1))
    await expect(api.flush()).rejects.toThrow('bus is away')
    fail = false
    await Promise.all([api.flush(), api.flush()])
    await api.flush()
    const [[first] = []] = sent
    expect(sent).toEqual([
      [first, 1],
      [first, 1],
      [first, 1],
      [expect.not.stringMatching(first ?? ''), 2],
    ])
    await close()
  })
})

test('a newer record replaces the one in memory, an older one does not', async () => {
  const { ask, api, close } = await startApi()
  await ask('/fraud/check', eth(1))
  const subject = { network: 'ETH', address: wallet(1) } as const
  const newer = bodyOf('fraud_check', 'ETH').replace('Not Fraud', 'Fraud')
  api.reader.refresh('fraud_check', subject, { body: newer, version: 9 })
  api.reader.refresh('fraud_check', subject, { body: bodyOf('fraud_check', 'ETH'), version: 8 })
  api.reader.refresh('fraud_check', { network: 'ETH', address: wallet(2) }, { body: newer, version: 9 })
  expect((await ask('/fraud/check', eth(1))).body.status).toBe('Fraud')
  expect(api.reader.cache.size).toBe(1)
  await close()
})

test('memory is bounded in bytes', async () => {
  const { ask, api, close } = await startApi({ tuning: { memoryBytes: 20_000 } })
  for (let n = 0; n < 60; n++) await ask('/fraud/check', eth(n))
  expect(api.reader.cache.bytes).toBeLessThanOrEqual(20_000)
  expect(api.reader.cache.size).toBeGreaterThan(3)
  await close()
})

test('serves an old record from memory at once and refreshes it in the background', async () => {
  let now = Date.now()
  const context = testContext()
  const { ask, calls, close } = await startApi(
    { tuning: { memoryMaxAgeMs: 1_000 } },
    { ...context, clock: { ...context.clock, now: () => now } },
  )
  await ask('/fraud/check', eth(1))
  now += 5_000
  await ask('/fraud/check', eth(1))
  await until(() => calls.lookups.length === 2, 'a second look-up')
  await ask('/fraud/check', eth(1))
  expect(calls.lookups).toHaveLength(2)
  await close()
})

describe('rate limits', () => {
  test('apply per key and tier, with headers, and refused calls do not count', async () => {
    let now = 1_800_000_000_000
    const context = testContext()
    const { ask, calls, close } = await startApi(
      {
        rateLimits: [
          { tier: 'business', limit: 2, windowMs: 60_000 },
          { tier: 'enterprise', limit: 0, windowMs: 60_000 },
        ],
      },
      { ...context, clock: { ...context.clock, now: () => now } },
    )
    const business = { 'x-api-key': BUSINESS_KEY }
    const one = await ask('/fraud/check', eth(1), business)
    expect(one.headers).toMatchObject({ 'ratelimit-limit': '2', 'ratelimit-remaining': '1', 'ratelimit-reset': '60' })
    expect((await ask('/fraud/check', '{', business)).status).toBe(400)
    const three = await ask('/fraud/check', eth(2), business)
    expect([three.status, three.body.error]).toEqual([429, 'RATE_LIMITED'])
    expect(three.headers).toMatchObject({ 'ratelimit-remaining': '0', 'retry-after': '60' })
    expect(calls.lookups).toHaveLength(1)
    const other = await ask('/fraud/check', eth(1), { 'x-api-key': ENTERPRISE_KEY })
    expect([other.status, other.headers['ratelimit-limit']]).toEqual([200, undefined])
    now += 60_000
    expect((await ask('/fraud/check', eth(2), business)).status).toBe(200)
    await close()
  })
})

test('an address that sends many invalid keys is blocked with further ones, but not with a valid key', async () => {
  const { app, close } = await startApi({ tuning: { invalidKeysPerMinute: 3 }, extensions: [agentRoutes({})] })
  const from = async (remoteAddress: string, key: string | undefined, url = '/fraud/check') => {
    const { statusCode, headers, json } = await app.inject({
      method: 'POST',
      url,
      remoteAddress,
      headers: { 'content-type': 'application/json', ...(key && { 'x-api-key': key }) },
      payload: JSON.stringify({ ...eth(1), jsonrpc: '2.0', id: 1, method: 'message/send' }),
    })
    return { status: statusCode, error: json().error, retryAfter: headers['retry-after'] }
  }
  expect((await from('127.0.0.2', ENTERPRISE_KEY)).status).toBe(200)
  for (const guess of ['guess-1', 'guess-2', 'x'.repeat(300)]) expect((await from('127.0.0.2', guess)).status).toBe(401)
  const { status, error, retryAfter } = await from('127.0.0.2', 'guess-3')
  expect([status, error, Number(retryAfter) > 0 && Number(retryAfter) <= 60]).toEqual([429, 'RATE_LIMITED', true])
  expect((await from('127.0.0.2', 'guess-4', '/api/a2a')).status).toBe(429)
  // Valid and new behind this address: its neighbour's failures are not its own.
  expect((await from('127.0.0.2', BUSINESS_KEY)).status).toBe(200)
  expect((await from('127.0.0.2', 'guess-5')).status).toBe(429)
  expect((await from('127.0.0.2', ENTERPRISE_KEY)).status).toBe(200)
  expect((await from('127.0.0.2', undefined)).status).toBe(401)
  expect((await from('127.0.0.3', BUSINESS_KEY)).status).toBe(200)
  await close()
})

test('an overloaded server answers from memory, refuses the rest with 429, and stays healthy', async () => {
  let overloaded = false
  const { app, ask, calls, close } = await startApi({
    server: { isOverloaded: () => overloaded },
    extensions: [agentRoutes({})],
  })
  const message = (n: number) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'message/send',
    params: {
      message: {
        role: 'user',
        messageId: 'm',
        kind: 'message',
        parts: [{ kind: 'data', data: { skill: 'fraud_check', ...eth(n) } }],
      },
    },
  })
  for (const n of [1, 2]) expect((await ask('/fraud/check', eth(n))).status).toBe(200)
  const unseen = { network: 'ETH', walletAddress: UNSEEN.evm }
  expect((await ask('/fraud/check', unseen)).status).toBe(404)
  const { lookups, computed } = structuredClone(calls)
  overloaded = true
  const of = async (path: string, body: unknown) => (await ask(path, body)).status
  expect({
    known: await of('/fraud/check', eth(1)),
    paid: await of('/api/fraud/check', eth(2)),
    absent: await of('/fraud/check', unseen),
    test: (await app.inject('/health')).statusCode,
    asked: (await ask('/api/a2a', message(1))).body.result.status.state,
    invalid: await of('/fraud/check', { network: 'ETH' }),
  }).toEqual({ known: 200, paid: 200, absent: 404, test: 200, asked: 'completed', invalid: 400 })
  const shed = await ask('/fraud/check', eth(3))
  expect([shed.status, shed.body.error, shed.headers['retry-after'], shed.headers['x-content-type-options']]).toEqual([
    429,
    'OVERLOADED',
    '1',
    'nosniff',
  ])
  expect({
    recalculated: await of('/fraud/check', eth(1, true)),
    other: await of('/fraud/audit', eth(1)),
    batch: await of('/fraud/batch', { wallets: [eth(1)] }),
    explained: await of('/fraud/explain', eth(1)),
    asked: (await ask('/api/a2a', message(3))).body.result.status.state,
  }).toEqual({ recalculated: 429, other: 429, batch: 429, explained: 429, asked: 'failed' })
  expect(calls).toEqual({ lookups, computed })
  overloaded = false
  expect(await of('/fraud/check', eth(3))).toBe(200)
  await close()
})
