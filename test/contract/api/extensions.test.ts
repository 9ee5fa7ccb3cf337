/** The reasons of a verdict, and verdicts of many wallets, with the real scorer over a small chain. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExplain } from '../../../api/providers/explain.ts'
import { createFraudProvider } from '../../../api/providers/fraud.ts'
import { createModel } from '../../../deploy/roles/model.ts'
import { loadConfig } from '../../../platform/config.ts'
import { BATCH_OPERATIONS } from '../../../schema/records/batches.ts'
import { explanation } from '../../../schema/records/extensions.ts'
import { fraudRecord } from '../../../schema/records/fraud.ts'
import { OPERATIONS } from '../../../schema/records/operations.ts'
import { SANCTIONS_ORACLES } from '../../../schema/registry/authorities.ts'
import { loadExposureReport } from '../../../scorer/ledger/exposure/load.ts'
import { createRescore } from '../../../scorer/rescore.ts'
import { openTestStore, type TestStore } from '../../kit/store.ts'
import { insertRows, named, rowsOf, type Tx } from '../../kit/world/transactions.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY, startApi, testContext, UNSEEN } from './kit.ts'
import { documentedBy } from './openapi.kit.ts'

const ETH = 10n ** 18n
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0]!
const listing: Tx = {
  from: named('boss'),
  to: ORACLE,
  block: 30,
  call: true,
  actions: [{ do: 'authority', authority: ORACLE, event: 'sanction_add', subject: named('bad') }],
}
const payments = (from: string, to: string): Tx[] =>
  Array.from({ length: 12 }, (_, n) => ({ from: named(from), to: named(to), block: n + 1, value: ETH }))

let kit: TestStore
let started: Awaited<ReturnType<typeof startApi>>
let expectDocumented: Awaited<ReturnType<typeof documentedBy>>
beforeAll(async () => {
  kit = await openTestStore()
  const context = testContext()
  const rescore = createRescore({ context, store: kit.store, model: createModel() })
  started = await startApi(
    {
      providers: {
        fraud_check: createFraudProvider({ store: kit.store, clock: context.clock, rescore, publish: async () => {} }),
      },
      explain: createExplain({
        store: kit.store,
        exposure: ({ network, address }) => loadExposureReport(kit.store, network, address),
      }),
      rateLimits: [{ tier: 'business', limit: 100, windowMs: 3_600_000 }],
    },
    context,
  )
  expectDocumented = await documentedBy(started.app)
  await insertRows(kit.store, rowsOf([...payments('good', 'shop'), ...payments('bad', 'shop')], { head: 20 }))
})
afterAll(async () => {
  await started.close()
  await kit.close()
})

const body = (name: string) => ({ network: 'ETH', walletAddress: named(name) })

test('an explanation has reasons, unknowns and what the verdict was before', async () => {
  const clean = await started.ask('/fraud/explain', body('bad'))
  expect(clean.status).toBe(200)
  expectDocumented('/fraud/explain', 200, clean.body)
  expect(clean.body.status).not.toBe('Fraud')
  expect(clean.body.history).toHaveLength(1)

  await insertRows(kit.store, rowsOf([listing], { from: 21 }))
  expect((await started.ask('/fraud/check', { ...body('bad'), calculate: true })).body.status).toBe('Fraud')
  const { body: found } = await started.ask('/fraud/explain', body('bad'))
  expectDocumented('/fraud/explain', 200, found)
  const { reasons, history, dataHeight, probabilityFraud } = explanation.parse(found)
  expect([probabilityFraud, dataHeight]).toEqual(['1.00', 30])
  expect(reasons[0]).toMatchObject({
    code: 'SANCTIONED',
    title: expect.stringMatching(/^Listed as sanctioned by .+ on ETH$/),
    contribution: null,
  })
  expect(JSON.stringify(reasons[0]?.evidence)).toContain('0x1e-0')
  expect(reasons[0]?.change).toContain('removes the address from its list')
  expect(found.exposure.outgoing).toMatchObject({ total: 12, shares: { unknown: 1 } })
  expect(history.map(({ status }) => status)).toEqual(['Fraud', clean.body.status])
})

test('an explanation is refused like a fraud check is', async () => {
  const refused = async (input: unknown, headers = {}) => {
    const { status, body } = await started.ask('/fraud/explain', input, headers)
    expectDocumented('/fraud/explain', status, body)
    return [status, body.error]
  }
  expect(await refused({ network: 'ETH' })).toEqual([400, 'INVALID_REQUEST'])
  expect(await refused(body('nobody'))).toEqual([404, 'NOT_FOUND'])
  expect(await refused(body('good'), { 'x-api-key': 'wrong' })).toEqual([401, 'KEY_INVALID'])
})

test('a batch answers each wallet as a single call would, bad ones in their own place', async () => {
  const wallets = [body('good'), { network: 'ETH', walletAddress: '0x1' }, body('nobody'), 'text', body('bad')]
  const { status, body: answer } = await started.ask('/fraud/batch', { wallets })
  expect(status).toBe(200)
  expectDocumented('/fraud/batch', 200, answer)
  expect(answer.results.map((item: { index: number; status: number }) => [item.index, item.status])).toEqual([
    [0, 200],
    [1, 400],
    [2, 404],
    [3, 400],
    [4, 200],
  ])
  expect(fraudRecord.parse(answer.results[0].result).walletAddress).toBe(named('good'))
  expect(answer.results[1].result.details[0].field).toBe('walletAddress')
  const lines = await started.app.inject({
    method: 'POST',
    url: '/fraud/batch',
    headers: { 'x-api-key': ENTERPRISE_KEY, accept: 'application/x-ndjson', 'content-type': 'application/json' },
    payload: JSON.stringify({ wallets }),
  })
  expect(lines.headers['content-type']).toContain('application/x-ndjson')
  const parsed = lines.body
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(parsed.map(({ status }) => status)).toEqual([200, 400, 404, 400, 200])
})

test('a batch of a thousand is one answer; more, none or no list is a bad request', async () => {
  const many = (count: number) => ({ wallets: Array.from({ length: count }, () => body('good')) })
  const { status, body: answer } = await started.ask('/fraud/batch', many(1_000))
  expect([status, answer.results.length]).toEqual([200, 1_000])
  for (const bad of [many(1_001), many(0), {}, { wallets: 'x' }, []]) {
    const { status, body } = await started.ask('/fraud/batch', bad)
    expect(status).toBe(400)
    expectDocumented('/fraud/batch', 400, body)
  }
})

test('each wallet of a batch is a call of the limit; a batch that does not fit takes nothing', async () => {
  const key = { 'x-api-key': BUSINESS_KEY }
  const wallets = (count: number) => ({ wallets: Array.from({ length: count }, () => body('good')) })
  const remaining = async (count: number) => {
    const { status, headers } = await started.ask('/fraud/batch', wallets(count), key)
    return [status, headers['ratelimit-remaining']]
  }
  expect(await remaining(40)).toEqual([200, '60'])
  expect((await remaining(70))[0]).toBe(429)
  // The refused call was one call itself.
  expect(await remaining(59)).toEqual([200, '0'])
})

test('a batch that no window has room for is a bad request that names the most, not a limit to wait for', async () => {
  const wallets = Array.from({ length: 101 }, () => body('good'))
  const key = { 'x-api-key': BUSINESS_KEY }
  const { app, ask, close } = await startApi({ rateLimits: [{ tier: 'business', limit: 100, windowMs: 60_000 }] })
  const refused = await ask('/fraud/batch', { wallets }, key)
  expect([refused.status, refused.body.details]).toEqual([
    400,
    [{ field: 'wallets', reason: 'must not have more than 100 items, the calls your tier has in a window' }],
  ])
  ;(await documentedBy(app))('/fraud/batch', 400, refused.body)
  await close()
})

test('with the limits set by default a full batch fits into a window of every tier', async () => {
  const { ASSAY_RATE_LIMITS: rateLimits } = loadConfig({})
  // The longest addresses there are, spelt out as a person would: a full batch fits into the body limit too.
  const wallets = Array.from({ length: 1_000 }, (_, n) => ({
    network: 'TON',
    walletAddress: `0:${n.toString(16).padStart(4, '0')}${'aa'.repeat(30)}`,
    calculate: false,
  }))
  const { ask, close } = await startApi({ rateLimits })
  for (const key of [BUSINESS_KEY, ENTERPRISE_KEY]) {
    const { status, body: answer } = await ask('/fraud/batch', JSON.stringify({ wallets }, null, 2), {
      'x-api-key': key,
    })
    expect([status, answer.results?.filter((item: { status: number }) => item.status === 200).length]).toEqual([
      200, 1_000,
    ])
  }
  await close()
})

test('every operation has a batch that answers as its single calls do, in one shape', async () => {
  const { app, ask, close } = await startApi()
  const documented = await documentedBy(app)
  const good = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }
  const wallets = [good, { ...good, network: 'TON' }, { network: 'ETH', walletAddress: UNSEEN.evm }, null]
  for (const { operation, path } of BATCH_OPERATIONS) {
    const { status, body: answer } = await ask(path, { wallets })
    expect([path, status]).toEqual([path, 200])
    documented(path, 200, answer)
    expect(answer.results.map((item: { status: number }) => item.status)).toEqual([200, 400, 404, 400])
    const single = await ask(OPERATIONS[operation].path, good)
    const { checked_times: _, updatedAt: __, ...record } = single.body
    expect(answer.results[0].result).toMatchObject(record)
  }
  await close()
})

test('a batch whose operation the tier does not cover is refused as a whole, and counts as one call', async () => {
  const { app, ask, close } = await startApi({ rateLimits: [{ tier: 'business', limit: 100, windowMs: 60_000 }] })
  const documented = await documentedBy(app)
  const key = { 'x-api-key': BUSINESS_KEY }
  const wallets = Array.from({ length: 50 }, () => ({ network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }))
  const counted = async (path: string) => {
    const { status, headers, body } = await ask(path, { wallets }, key)
    documented(path, status, body)
    return [path, status, headers['ratelimit-remaining']]
  }
  expect(await counted('/segmentation/wallet-segment/batch')).toEqual(['/segmentation/wallet-segment/batch', 403, '99'])
  expect(await counted('/users/credit-score/batch')).toEqual(['/users/credit-score/batch', 403, '98'])
  expect(await counted('/rug/pull-check/batch')).toEqual(['/rug/pull-check/batch', 200, '48'])
  expect(await counted('/fraud/audit/batch')).toEqual(['/fraud/audit/batch', 429, '47'])
  await close()
})
