/** Batches: their size, their share of the limits, and their shape, over providers in memory. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadConfig } from '../../../../platform/config/config.ts'
import { OPERATIONS } from '../../../../schema/records/operations.ts'
import { BATCH_OPERATIONS } from '../../../../schema/records/service/batches.ts'
import { documentedBy } from '../documents/openapi.kit.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY, startApi, UNSEEN } from '../kit.ts'

const WALLET = { network: 'ETH', walletAddress: `0x${'aa'.repeat(20)}` }

let started: Awaited<ReturnType<typeof startApi>>
let expectDocumented: Awaited<ReturnType<typeof documentedBy>>
beforeAll(async () => {
  started = await startApi({ rateLimits: [{ tier: 'business', limit: 100, windowMs: 3_600_000 }] })
  expectDocumented = await documentedBy(started.app)
})
afterAll(() => started.close())

test('answers a batch of a thousand, and refuses more, none, or anything but a list', async () => {
  const many = (count: number) => ({ wallets: Array.from({ length: count }, () => WALLET) })
  const { status, body: answer } = await started.ask('/fraud/batch', many(1_000))
  expect([status, answer.results.length]).toEqual([200, 1_000])
  for (const bad of [many(1_001), many(0), {}, { wallets: 'x' }, []]) {
    const { status, body } = await started.ask('/fraud/batch', bad)
    expect(status).toBe(400)
    expectDocumented('/fraud/batch', 400, body)
  }
})

test('each wallet of a batch counts towards the limit; a batch that does not fit counts nothing', async () => {
  const key = { 'x-api-key': BUSINESS_KEY }
  const wallets = (count: number) => ({ wallets: Array.from({ length: count }, () => WALLET) })
  const remaining = async (count: number) => {
    const { status, headers } = await started.ask('/fraud/batch', wallets(count), key)
    return [status, headers['ratelimit-remaining']]
  }
  expect(await remaining(40)).toEqual([200, '60'])
  expect((await remaining(70))[0]).toBe(429)
  // The refused call was one call itself.
  expect(await remaining(59)).toEqual([200, '0'])
})

test('answers 400 with the maximum to a batch larger than any window, instead of 429', async () => {
  const wallets = Array.from({ length: 101 }, () => WALLET)
  const key = { 'x-api-key': BUSINESS_KEY }
  const { app, ask, close } = await startApi({ rateLimits: [{ tier: 'business', limit: 100, windowMs: 60_000 }] })
  const refused = await ask('/fraud/batch', { wallets }, key)
  expect([refused.status, refused.body.details]).toEqual([
    400,
    [{ field: 'wallets', reason: 'must not have more than 100 items, the rate limit of your tier' }],
  ])
  ;(await documentedBy(app))('/fraud/batch', 400, refused.body)
  await close()
})

test('with default limits a full batch fits into a window of every tier', async () => {
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

test('every operation has a batch that answers like its single calls', async () => {
  const { app, ask, close } = await startApi()
  const documented = await documentedBy(app)
  const good = WALLET
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

test('refuses as a whole a batch of an operation that the tier does not cover, and counts one call', async () => {
  const { app, ask, close } = await startApi({ rateLimits: [{ tier: 'business', limit: 100, windowMs: 60_000 }] })
  const documented = await documentedBy(app)
  const key = { 'x-api-key': BUSINESS_KEY }
  const wallets = Array.from({ length: 50 }, () => WALLET)
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
