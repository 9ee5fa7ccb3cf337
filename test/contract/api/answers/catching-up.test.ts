import { expect, test } from 'vitest'
import type { Provider } from '../../../../api/answers/providers/provider.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import type { Network } from '../../../../schema/networks.ts'
import { OPERATIONS } from '../../../../schema/records/operations.ts'
import { until } from '../../../kit/until.ts'
import { bodyOf, memoryProvider, startApi, testContext, UNSEEN } from '../kit.ts'

const CLEAN = `0xaa${'1'.padStart(38, '0')}`
const LISTED = `0xaa${'2'.padStart(38, '0')}`
const BEHIND = { reason: 'is 1200 blocks behind its nodes', retryAfterSeconds: 7 }

const FROZEN = `0xaa${'3'.padStart(38, '0')}`
const FLAGGED: Readonly<Record<string, object>> = {
  [LISTED]: { sanctioned: '1', data_source: 'ofac,sanctions-oracle' },
  [FROZEN]: { sanctioned: '1', blacklist_doubt: '1', data_source: 'issuer-freeze,sanctions-oracle' },
}

/** Verdicts of which some have flags: of a list and an authority, and of authorities alone. */
const provider = (whileComputing?: () => Promise<void>): Provider => {
  const calls = { lookups: [], computed: [] }
  const flagged = (subject: { address: string }, body: string) => {
    const raised = FLAGGED[subject.address]
    if (!raised) return body
    const record = JSON.parse(body)
    return JSON.stringify({
      ...record,
      status: 'Fraud',
      forensic_details: { ...record.forensic_details, ...raised },
    })
  }
  const { lookup, compute } = memoryProvider('fraud_check', calls, whileComputing ? { compute: whileComputing } : {})
  return {
    lookup: async (subjects, signal) =>
      (await lookup(subjects, signal)).map(
        (stored, index) => stored && { ...stored, body: flagged(subjects[index]!, stored.body) },
      ),
    compute: async (subject, signal) => {
      const stored = await compute(subject, signal)
      return stored && { ...stored, body: flagged(subject, stored.body) }
    },
  }
}

const start = async (whileComputing?: () => Promise<void>) => {
  const behind = new Map<Network, typeof BEHIND>([['ETH', BEHIND]])
  const calls = { lookups: [], computed: [] }
  const others = Object.fromEntries(Object.values(OPERATIONS).map(({ id }) => [id, memoryProvider(id, calls)]))
  const api = await startApi({
    providers: { ...others, fraud_check: provider(whileComputing) },
    catchingUp: (network) => behind.get(network),
  })
  const check = async (walletAddress: string, more: object = {}, path = '/fraud/check') => {
    const { status, body, headers } = await api.ask(path, { network: 'ETH', walletAddress, ...more })
    return { status, error: body.error, message: body.message, retry: headers['retry-after'] }
  }
  return { ...api, behind, check }
}

const REFUSED = {
  status: 503,
  error: 'CATCHING_UP',
  message: 'ETH is 1200 blocks behind its nodes. A verdict now would rest on incomplete data. Try again later.',
  retry: '7',
}

test('a network that is catching up answers no operation, without effect on others', async () => {
  const { check, close, behind } = await start()
  const paths = Object.values(OPERATIONS).map(({ path }) => path)
  for (const path of paths) expect(await check(CLEAN, {}, path), path).toEqual(REFUSED)
  expect(await check(CLEAN, { calculate: true })).toEqual(REFUSED)
  expect(await check(CLEAN, {}, '/api/fraud/check')).toEqual(REFUSED)
  expect(await check(CLEAN, { network: 'POLYGON' })).toMatchObject({ status: 200 })
  behind.clear()
  for (const path of paths) expect(await check(CLEAN, {}, path), path).toMatchObject({ status: 200 })
  await close()
})

test('answers a raised flag while the network catches up, from memory, from the store and computed', async () => {
  const { check, close } = await start()
  expect(await check(LISTED)).toMatchObject({ status: 200 })
  expect(await check(LISTED)).toMatchObject({ status: 200 })
  expect(await check(LISTED, { calculate: true })).toMatchObject({ status: 200 })
  await close()
})

test('does not answer from authorities alone, because missing logs may revoke a listing', async () => {
  const { check, close, behind } = await start()
  expect(await check(FROZEN)).toEqual(REFUSED)
  expect(await check(FROZEN, { calculate: true })).toEqual(REFUSED)
  behind.clear()
  expect(await check(FROZEN)).toMatchObject({ status: 200 })
  await close()
})

test('discards a record that was computed while blocks were missing', async () => {
  const { behind, close, check } = await start(async () => behind.clear())
  expect(await check(CLEAN, { calculate: true })).toEqual(REFUSED)
  behind.set('ETH', BEHIND)
  expect(await check(UNSEEN.evm)).toEqual(REFUSED)
  expect(await check(CLEAN, { calculate: true })).toMatchObject({ status: 200 })
  await close()
})

test('does not call an unseen address unknown while blocks are missing', async () => {
  const { check, close } = await start()
  expect(await check(UNSEEN.evm)).toEqual(REFUSED)
  await close()
})

test('a batch decides for each wallet, and explanations wait as well', async () => {
  const { ask, close } = await start()
  const wallets = [CLEAN, LISTED].map((walletAddress) => ({ network: 'ETH', walletAddress }))
  const { body } = await ask('/fraud/batch', { wallets })
  expect(body.results.map(({ status }: { status: number }) => status)).toEqual([503, 200])
  await close()
})

/** Verdicts that a scorer stored, and a network that settles when it is told to. `now`: the clock of the API and of who computes. */
const late = async (unknowns: boolean, now = Date.now) => {
  const state = { since: 0, logsKnown: false, behind: true, stored: 0, lookups: 0, computed: 0 }
  const begun: (() => void)[] = []
  const record = (version: number, unsure: boolean) => ({ body: bodyOf('fraud_check', 'ETH'), version, unsure })
  const overrides = {
    catchingUp: () => (state.behind ? BEHIND : undefined),
    settled: () => state,
    providers: {
      fraud_check: {
        lookup: async (subjects: readonly unknown[]) => {
          state.lookups += 1
          return subjects.map(() => (state.stored ? record(state.stored, unknowns) : undefined))
        },
        compute: async () => {
          state.computed += 1
          const version = now()
          if (state.behind) await new Promise<void>((resolve) => begun.push(resolve))
          return record(version, unknowns && !state.logsKnown)
        },
      },
    },
  }
  const api = await startApi(overrides, { ...testContext(), clock: { ...systemClock, now } })
  const check = async (more: object = {}) =>
    (await api.ask('/fraud/check', { network: 'ETH', walletAddress: CLEAN, ...more })).status
  const settle = () => Object.assign(state, { behind: false, logsKnown: true, since: now() })
  return { ...api, state, begun, check, settle }
}

const FROZEN_AT = Date.now()
test.each([
  ['', Date.now],
  // A network may settle, and two computations may begin, within one millisecond.
  [' by a clock that stands still', () => FROZEN_AT],
])('does not share or keep a computation that started while the network caught up%s', async (_, now) => {
  const { begun, check, close, settle, state } = await late(true, now)
  const early = check({ calculate: true })
  await until('it is computed', () => begun.length === 1)
  settle()
  // Neither waits for the first computation, which is still under way.
  expect(await check({ calculate: true })).toBe(200)
  expect(await check()).toBe(200)
  expect(state.computed).toBe(2)
  begun[0]?.()
  expect(await early).toBe(503)
  expect(await check()).toBe(200)
  expect(state.computed).toBe(2)
  await close()
})

test('recomputes a verdict from before all logs were known that another replica stores late', async () => {
  const { check, close, settle, state } = await late(true)
  settle()
  state.stored = state.since - 1_000
  expect(await check()).toBe(200)
  expect([state.lookups, state.computed]).toEqual([1, 1])
  await check()
  expect([state.lookups, state.computed]).toEqual([1, 1])
  await close()
  for (const [unsure, logsKnown] of [
    [false, true],
    [true, false],
  ] as const) {
    const other = await late(unsure)
    Object.assign(other.state, { behind: false, logsKnown, since: Date.now(), stored: 1 })
    expect(await other.check()).toBe(200)
    expect([other.state.lookups, other.state.computed]).toEqual([1, 0])
    await other.close()
  }
})

test('looks up records again, once, that were cached before a network caught up', async () => {
  const { check, close, settle, state } = await late(false)
  Object.assign(state, { behind: false, stored: 1 })
  await check()
  await check()
  expect(state.lookups).toBe(1)
  // It falls behind, and catches up.
  settle()
  await check()
  await check()
  expect(state.lookups).toBe(2)
  await close()
})

test('a late message with a verdict from before all logs were known does not replace the record in memory', async () => {
  const { api, check, close, settle, state } = await late(true)
  settle()
  await check()
  const subject = { network: 'ETH' as const, address: CLEAN }
  const stored = { body: bodyOf('fraud_check', 'ETH'), version: Date.now() + 1, unsure: true }
  api.reader.refresh('fraud_check', subject, stored)
  expect(await check()).toBe(200)
  expect(state.computed).toBe(2)
  await close()
})

test('readiness turns off before the listener closes, and requests are answered until then', async () => {
  const context = testContext()
  const { app, ask, close } = await startApi({ drainMs: 200 }, context)
  expect((await app.inject('/ready')).statusCode).toBe(200)
  const closing = close()
  const ready = await app.inject('/ready')
  expect([ready.statusCode, ready.json().reasons]).toEqual([503, ['this replica is shutting down']])
  expect((await ask('/fraud/check', { network: 'ETH', walletAddress: CLEAN })).status).toBe(200)
  await closing
})
