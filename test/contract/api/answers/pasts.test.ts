/** Callers who have the past of a wallet fetched: how long they wait, for whom, and what they are told where nobody knows it. */
import { expect, test } from 'vitest'
import { createPasts, type Pasts } from '../../../../api/answers/providers/pasts.ts'
import type { Provider } from '../../../../api/answers/providers/provider.ts'
import type { Clock } from '../../../../platform/context/clock.ts'
import type { Store } from '../../../../platform/store/store.ts'
import type { Coverage } from '../../../../schema/records/explained/coverage.ts'
import { OPERATIONS } from '../../../../schema/records/operations.ts'
import { decodePastRequest, topics } from '../../../../schema/topics.ts'
import type { FetchedPast } from '../../../../scorer/ledger/past/fetched.ts'
import { testContext } from '../../../kit/context.ts'
import { startApi } from '../kit.ts'

const WALLET = `0x${'ab'.repeat(20)}`
const BUDGET_MS = 1_000

/** Tables that know of one wallet what `fetched` says, asked with a clock that runs by sleeping. */
const world = ({
  first = 100,
  answersAfter = Number.POSITIVE_INFINITY,
  done = 1,
  complete = 1,
  setBackAfter = Number.POSITIVE_INFINITY,
} = {}) => {
  let now = 1_700_000_000_000
  let slept = 0
  let asked: number | undefined
  const sent: { topic: string; address: string }[] = []
  const clock: Clock = {
    now: () => now,
    sleep: async (ms) => {
      now += ms
      const before = slept
      slept += ms
      if (before < setBackAfter && slept >= setBackAfter) now -= 3_600_000
    },
  }
  const fetched = (): FetchedPast[] =>
    asked === undefined || (answersAfter > 0 && now - asked < answersAfter)
      ? []
      : [
          {
            address: WALLET,
            to_block: first - 1,
            sent: 0,
            native: 0,
            tokens: 0,
            complete: complete as 0 | 1,
            done: done as 0 | 1,
            transactions: 0,
            blocks: 1,
            sources: 'logs',
            why: complete ? '' : 'no endpoint has it',
            pools_why: '',
            version: asked + answersAfter,
          },
        ]
  const store = {
    query: async (_: string, __: unknown, options?: { route?: string }) => {
      if (options?.route === 'first_covered') return [{ first }]
      return options?.route === 'fetched_pasts' ? fetched() : []
    },
  } as unknown as Store
  const producer = {
    send: async (sends: readonly { topic: string; messages: readonly { value: Buffer }[] }[]) => {
      asked = now
      for (const { topic, messages } of sends) {
        for (const { value } of messages) sent.push({ topic, ...decodePastRequest(value) })
      }
    },
  }
  const pasts = createPasts({ context: testContext(clock), store, producer, budgetMs: BUDGET_MS })
  return {
    sent,
    fetch: async (address = WALLET, network: 'ETH' | 'TRON' = 'ETH') => {
      const began = now
      const { why } = await pasts.fetch({ network, address })
      return { why, waited: now - began }
    },
    findPools: (address = WALLET) => pasts.findPools('ETH', address),
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('requests the pools of a token along with its history, once for concurrent callers', async () => {
  const { fetch, findPools, sent } = world({ answersAfter: 300 })
  await findPools()
  await findPools()
  await fetch()
  const topic = topics.pasts('ETH')
  expect(sent).toEqual([{ topic, address: WALLET, pools: true }])
})

test('requests a history and waits exactly until it is there', async () => {
  const { fetch, sent } = world({ answersAfter: 300 })
  const { why, waited } = await fetch()
  expect(why).toBeUndefined()
  expect(waited).toBeLessThan(BUDGET_MS)
  expect(sent).toEqual([{ topic: topics.pasts('ETH'), address: WALLET }])
  expect((await fetch()).waited).toBe(0)
  expect(sent.length).toBe(1)
})

test('does not wait again for a while for a history that could not be completed', async () => {
  const { fetch, sent, pass } = world({ answersAfter: 0, complete: 0 })
  expect((await fetch()).why).toBe('no endpoint has it')
  expect(await fetch()).toEqual({ why: 'no endpoint has it', waited: 0 })
  expect(sent.length).toBe(1)
  pass(3_600_000)
  await fetch()
  expect(sent.length).toBe(2)
})

test('waits within the budget for a history that is being fetched', async () => {
  const { fetch } = world({ answersAfter: 0, done: 0, complete: 0 })
  expect((await fetch()).waited).toBe(BUDGET_MS)
})

test('a silent indexer costs three callers their budget, and then no caller for a while', async () => {
  const { fetch, sent, pass } = world()
  const waits: number[] = []
  for (const digit of '12345') waits.push((await fetch(`0x${digit.repeat(40)}`)).waited)
  expect(waits).toEqual([BUDGET_MS, BUDGET_MS, BUDGET_MS, 0, 0])
  expect(sent.length).toBe(5)
  // Who asks again within a minute does not ask twice; the first question is on its topic.
  await fetch(`0x${'1'.repeat(40)}`)
  expect(sent.length).toBe(5)
  pass(60_000)
  expect((await fetch(`0x${'9'.repeat(40)}`)).waited).toBe(BUDGET_MS)
})

test('after the clock is set back, histories are requested again and no caller waits longer than the budget', async () => {
  const HOUR = 3_600_000
  const partial = world({ answersAfter: 0, complete: 0 })
  await partial.fetch()
  partial.pass(-HOUR)
  await partial.fetch()
  expect(partial.sent.length).toBe(1)
  partial.pass(61_000)
  await partial.fetch()
  expect(partial.sent.length).toBe(2)

  const silent = world()
  for (const digit of '123') await silent.fetch(`0x${digit.repeat(40)}`)
  silent.pass(-HOUR)
  expect((await silent.fetch(`0x${'4'.repeat(40)}`)).waited).toBe(0)
  silent.pass(60_001)
  expect((await silent.fetch(`0x${'9'.repeat(40)}`)).waited).toBe(BUDGET_MS)
  await silent.fetch(`0x${'1'.repeat(40)}`)
  expect(silent.sent.length).toBe(6)

  // While a caller waits: what passed between two looks at the clock is lost, no more.
  const falling = world({ setBackAfter: 300 })
  expect((await falling.fetch()).waited + HOUR).toBeLessThanOrEqual(BUDGET_MS + 400)
})

test('requests no history if the index starts at genesis or no source can fetch one', async () => {
  const whole = world({ first: 1 })
  expect(await whole.fetch()).toEqual({ why: undefined, waited: 0 })
  const tron = world()
  expect(await tron.fetch('T', 'TRON')).toEqual({ why: undefined, waited: 0 })
  expect([...whole.sent, ...tron.sent]).toEqual([])
})

const LATE: Coverage = {
  firstBlock: 100,
  firstBlockTime: null,
  storedBlock: 200,
  authorities: { complete: true, missing: {} },
}

const api = async (coverage: Coverage | undefined, pasts?: Pick<Pasts, 'fetch'>) => {
  const nothing: Provider = {
    lookup: async (subjects) => subjects.map(() => undefined),
    compute: async () => undefined,
  }
  const providers = Object.fromEntries(Object.values(OPERATIONS).map(({ id }) => [id, nothing]))
  const { ask, close } = await startApi({ providers, coverage: () => coverage, ...(pasts && { pasts }) })
  const said = async (path: string, more: object = {}) => {
    const { status, body } = await ask(path, { network: 'ETH', walletAddress: WALLET, ...more })
    return [status, body.error, body.message]
  }
  return { said, close }
}

test('a wallet without any coverage has its own error code, until it is known to be inactive', async () => {
  const known = { why: undefined as string | undefined }
  const { said, close } = await api(LATE, { fetch: async () => known })
  for (const { path, subject } of Object.values(OPERATIONS)) {
    if (subject !== 'wallet') continue
    expect(await said(path), path).toEqual([404, 'NOT_COVERED', expect.stringContaining('set calculate to true')])
  }
  known.why = 'no endpoint has the state of block 99'
  expect(await said('/fraud/check', { calculate: true })).toEqual([
    404,
    'NOT_COVERED',
    'Wallet not found on ETH, which is indexed since block 100. Its earlier activity is not known: no endpoint has the state of block 99.',
  ])
  known.why = undefined
  expect(await said('/fraud/check', { calculate: true })).toEqual([
    404,
    'NOT_FOUND',
    expect.stringContaining('Wallet not found on ETH'),
  ])
  await close()
  const whole = await api({ ...LATE, firstBlock: 1 })
  expect(await whole.said('/fraud/check')).toEqual([
    404,
    'NOT_FOUND',
    expect.stringContaining('Wallet not found on ETH'),
  ])
  await whole.close()
})
