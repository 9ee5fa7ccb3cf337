/** What a list takes before it is started, and its results as Parquet, over a real store. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { PaymentGate } from '../../../../api/x402/gate.ts'
import { screenQuote } from '../../../../schema/records/service/screening.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { until } from '../../../kit/until.ts'
import { documentedBy } from '../documents/openapi.kit.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY, startApi, testContext, UNSEEN } from '../kit.ts'
import { call } from './screen.kit.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

type Options = Parameters<typeof startApi>[0]
const start = (options: Options = {}) =>
  startApi({ screening: { store: kit.store }, ...options, tuning: { screenPauseMs: 5 } }, testContext())
type Started = Awaited<ReturnType<typeof start>>

const address = (n: number) => `0x${n.toString(16).padStart(8, '0')}${'aa'.repeat(16)}`

const post = async (
  { app }: Started,
  url: string,
  payload: string | Buffer,
  { key = ENTERPRISE_KEY, type = 'text/csv' } = {},
) => {
  const response = await app.inject({
    method: 'POST',
    url,
    headers: { 'x-api-key': key, 'content-type': type },
    payload,
  })
  return { status: response.statusCode, body: response.json() }
}
const quoted = async (...given: Parameters<typeof post>) => {
  const { status, body } = await post(...given)
  expect(status).toBe(200)
  return screenQuote.parse(body)
}
const finished = async ({ app }: Started, id: string) => {
  const headers = { 'x-api-key': ENTERPRISE_KEY }
  await until('the job is done', async () =>
    ['finished', 'stopped'].includes((await app.inject({ url: `/screen/${id}`, headers })).json().state),
  )
}

const LIST = [
  'Reference;Wallet Address;Network',
  `"=1+1";${address(1)};ETH`,
  '',
  `b;${address(2)};`,
  'c;;ETH',
  `"d;${address(3)};ETH`,
].join('\r\n')

test('a quote parses and accepts a list like an upload, and stores nothing', async () => {
  const started = await start({ rateLimits: [{ tier: 'enterprise', limit: 100, windowMs: 86_400_000 }] })
  const documented = await documentedBy(started.app)
  const before = await quoted(started, '/screen/quote?network=BNB', LIST)
  documented('/screen/quote', 200, before)
  expect(before).toMatchObject({
    operation: 'fraud_check',
    rows: 4,
    limits: { rowsPerDay: 100, left: 100 },
    leftAfter: 96,
    refusal: null,
    retryAfterSeconds: null,
    priceOfCalls: null,
    isNamed: true,
    looked: 4,
    malformed: 2,
    problems: [
      { row: 3, problem: 'walletAddress: is required' },
      { row: 4, problem: 'row: has a quotation mark that is not closed' },
    ],
  })
  expect(before.firstRows.map(({ network, walletAddress, reference }) => [network, walletAddress, reference])).toEqual([
    ['ETH', address(1), '=1+1'],
    ['BNB', address(2), 'b'],
    ['ETH', '', 'c'],
    ['', '', ''],
  ])
  expect(await kit.store.query('SELECT count() AS rows FROM screen_rows')).toEqual([{ rows: '0' }])
  const { body: job } = await post(started, '/screen?network=BNB', LIST)
  expect([job.rows, job.malformed, job.limits.left]).toEqual([before.rows, before.malformed, before.leftAfter])
  expect((await quoted(started, '/screen/quote', address(1))).limits.left).toBe(96)
  await started.close()
})

test.each([
  ['its mark', Buffer.from(`\ufeff${LIST}`, 'utf16le'), 'text/csv'],
  ['its name', Buffer.from(LIST, 'utf16le'), 'text/csv; charset=utf-16le'],
])('a quote of a UTF-16 list with %s matches its upload', async (_, payload, type) => {
  const started = await start()
  const utf8 = await quoted(started, '/screen/quote?network=BNB', LIST)
  expect(await quoted(started, '/screen/quote?network=BNB', payload, { type })).toEqual(utf8)
  const refused = await post(started, '/screen/quote', Buffer.from(LIST, 'utf16le'))
  expect(refused).toMatchObject({ status: 400, body: { error: 'UNSUPPORTED_CONTENT_TYPE' } })
  await started.close()
})

test('a quote reads the beginning of a long list and counts its lines', async () => {
  const started = await start()
  const rows = Array.from({ length: 5_000 }, (_, n) => address(n))
  for (const [head, kept] of [
    [['address'], 1_001],
    [[], 1_000],
  ] as const) {
    const lines = [...head, ...rows]
    const whole = await quoted(started, '/screen/quote', lines.join('\n'))
    const part = await quoted(started, `/screen/quote?lines=${lines.length}`, `${lines.slice(0, kept).join('\n')}\n`)
    expect([whole.rows, part.rows, part.looked]).toEqual([5_000, 5_000, 1_000])
  }
  const { status, body } = await post(started, '/screen/quote', `${address(1)}\n`.repeat(30_000))
  expect([status, body.error]).toEqual([400, 'BODY_TOO_LARGE'])
  await started.close()
})

test('a quote gives the reason for which the upload is then refused', async () => {
  const started = await start({
    rateLimits: [
      { tier: 'enterprise', limit: 10, windowMs: 86_400_000 },
      { tier: 'business', limit: 0, windowMs: 86_400_000 },
    ],
  })
  const rows = (count: number) => Array.from({ length: count }, (_, n) => address(n)).join('\n')
  await post(started, '/screen?network=ETH', rows(4))
  const many = await quoted(started, '/screen/quote?network=ETH', rows(7))
  expect([many.refusal, many.limits.left, many.leftAfter]).toEqual(['NO_ROWS_LEFT', 6, 0])
  expect(many.retryAfterSeconds).toBeGreaterThan(86_000)
  expect((await post(started, '/screen?network=ETH', rows(7))).body.error).toBe('RATE_LIMITED')
  expect((await quoted(started, '/screen/quote?network=ETH', rows(6))).refusal).toBeNull()
  // Never enough, however long one waits.
  expect(await quoted(started, '/screen/quote', rows(11))).toMatchObject({
    refusal: 'NO_ROWS_LEFT',
    retryAfterSeconds: null,
  })
  const free = await quoted(started, '/screen/quote?lines=1000001', rows(1), { key: BUSINESS_KEY })
  expect(free).toMatchObject({ refusal: 'TOO_MANY_ROWS', limits: { left: null }, leftAfter: null })
  for (const [url, payload, type, code] of [
    ['/screen/quote?operation=credit_score', rows(1), 'text/csv', 'TIER_NOT_COVERED'],
    ['/screen/quote?operation=rug_pull&network=TRON', rows(1), 'text/csv', 'INVALID_REQUEST'],
    ['/screen/quote?lines=x', rows(1), 'text/csv', 'INVALID_REQUEST'],
    ['/screen/quote', '\n \n', 'text/csv', 'INVALID_REQUEST'],
    ['/screen/quote', 'address\n', 'text/csv', 'INVALID_REQUEST'],
  ] as const)
    expect((await post(started, url, payload, { key: BUSINESS_KEY, type })).body.error, url).toBe(code)
  await started.close()
})

test('refuses a quote of a compressed or too slow list like its upload', async () => {
  const started = await start({
    screening: { store: kit.store, pace: { idleMs: 50, graceMs: 100, bytesPerSecond: 1e6 } },
  })
  const documented = await documentedBy(started.app)
  const refused = async (payload: string | Readable, headers: Record<string, string> = {}) => {
    const { status, json } = await call(started, 'POST', '/screen/quote?network=ETH', { payload, headers })
    documented('/screen/quote', status, json())
    return [status, json().error, json().details[0].field]
  }
  const gzip = { 'content-encoding': 'gzip' }
  expect(await refused(address(1), gzip)).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE', 'content-encoding'])
  const silent = new Readable({ read() {} })
  silent.push(`${address(1)}\n`)
  expect(await refused(silent)).toEqual([408, 'UPLOAD_TOO_SLOW', 'body'])
  await started.close()
})

test('where agents pay for calls, a quote has the total price', async () => {
  const started = await start({ payments: { reconcile: async () => ({}) } as unknown as PaymentGate })
  const { priceOfCalls } = await quoted(started, '/screen/quote?lines=1204', address(1))
  // $0.15 a call, as the offer of the agent surface asks.
  expect(priceOfCalls).toEqual({ perCall: '0.15', total: '180.6', currency: 'USDC' })
  await started.close()
})

test('the engine reads Parquet results with the rows, types and values of CSV and NDJSON', async () => {
  const started = await start()
  const rows = Array.from({ length: 12_345 }, (_, n) =>
    n % 1_000 === 0 ? `${address(n)},ETH,=1+${n}` : n === 7 ? `${UNSEEN.evm},ETH,\u202eseven` : `no address ${n},ETH,`,
  )
  const { body: job } = await post(started, '/screen?operation=rug_pull', rows.join('\n'))
  await finished(started, job.id)
  const headers = { 'x-api-key': ENTERPRISE_KEY, accept: 'application/vnd.apache.parquet' }
  const response = await started.app.inject({ url: `/screen/${job.id}/result`, headers })
  expect(response.headers['content-type']).toBe('application/vnd.apache.parquet')
  expect(response.headers['content-disposition']).toBe(`attachment; filename="${job.id}.parquet"`)
  const folder = mkdtempSync(join(tmpdir(), 'assay-results-'))
  const path = join(folder, 'results.parquet')
  writeFileSync(path, response.rawPayload)
  const read = await kit.store.query<Record<string, unknown>>(
    "SELECT * FROM file({path:String}, 'Parquet') ORDER BY row",
    { path },
  )
  rmSync(folder, { recursive: true })
  const text = (await started.app.inject({ url: `/screen/${job.id}/result?format=ndjson`, headers })).body
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(read).toHaveLength(12_345)
  for (const [nth, { row, status, walletAddress, reference = '', result }] of lines.entries()) {
    const of = read[nth]
    expect([of?.row, of?.httpStatus, of?.walletAddress, of?.reference]).toEqual([
      String(row),
      String(status),
      walletAddress,
      reference,
    ])
    if (status !== 200) expect([of?.error, of?.errorMessage, of?.status]).toEqual([result.error, result.message, null])
    else {
      expect(of).toMatchObject({
        error: null,
        status: result.status,
        probabilityFraud: result.probabilityFraud,
        risk_score: String(result.risk_score),
        'risk_indicators.liquidity': result.risk_indicators.liquidity,
        'risk_indicators.buy_tax': String(result.risk_indicators.buy_tax),
        'risk_indicators.lp_holders_locked': String(result.risk_indicators.lp_holders_locked),
        liquidityEvent: JSON.stringify(result.liquidityEvent),
      })
    }
  }
  const csv = (await started.app.inject({ url: `/screen/${job.id}/result?format=csv`, headers })).body
  expect(Object.keys(read[0] ?? {}).join(',')).toBe(csv.slice(0, csv.indexOf('\r\n')))
  const later = await started.app.inject({ url: `/screen/${job.id}/result?format=parquet&from=2`, headers })
  expect([later.statusCode, later.json().details[0].field]).toEqual([400, 'from'])
  await started.close()
})
