/** Lists made to break a job, or to have more rows answered than the key pays for. */

import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { createJobs, type Job, KEPT_MS } from '../../../../api/screen/jobs.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { until } from '../../../kit/until.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY } from '../kit.ts'
import { address, call, csv, finished, type Options, startScreening } from './screen.kit.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())
const start = (options: Options = {}) => startScreening(kit.store, options)

/** 10 calls an hour are 240 a day. */
const FEW: Options = { rateLimits: [{ tier: 'business', limit: 10, windowMs: 3_600_000 }] }
const list = (rows: number) => csv(Array.from({ length: rows }, (_, n) => address(n + 1)))

const linesOf = async (started: Awaited<ReturnType<typeof start>>, payload: string, type: string) => {
  const sent = await call(started, 'POST', '/screen', { payload, type })
  expect([sent.status, sent.text]).toEqual([202, expect.any(String)])
  await finished(started, sent.json().id)
  const { text } = await call(started, 'GET', `/screen/${sent.json().id}/result`)
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

test('an unpaired surrogate invalidates only its row, whether sent or from truncating a long cell', async () => {
  const started = await start()
  const emoji = '\u{1f600}'
  const object = (more: object) => JSON.stringify({ network: 'ETH', walletAddress: address(1), ...more })
  const sent = [{ reference: 'a\ud83d' }, { walletAddress: '\udc00' }, { network: '\ud800' }, { reference: emoji }]
  const lines = await linesOf(started, sent.map(object).join('\n'), 'application/x-ndjson')
  expect(lines.map(({ status, reference, result }) => [status, reference, result.details])).toEqual([
    ...[1, 2, 3].map(() => [400, undefined, [{ field: 'row', reason: 'must be well-formed text' }]]),
    [200, emoji, undefined],
  ])
  const long = [
    `${address(2)},ETH,${'a'.repeat(255)}${emoji}`,
    `${'b'.repeat(127)}${emoji},ETH,x`,
    `${address(2)},${'c'.repeat(31)}${emoji},x`,
    `${address(2)},ETH,whole`,
  ]
  const cut = await linesOf(started, csv(['address,network,reference', ...long]), 'text/csv')
  expect(
    cut.map(({ status, network, walletAddress, reference }) => [status, network, walletAddress, reference]),
  ).toEqual([
    [400, 'ETH', address(2), 'a'.repeat(255)],
    [400, 'ETH', 'b'.repeat(127), 'x'],
    [400, 'c'.repeat(31), address(2), 'x'],
    [200, 'ETH', address(2), 'whole'],
  ])
  await started.close()
})

test('concurrent uploads share the remaining rows', async () => {
  const started = await start(FEW)
  let both = (): void => undefined
  const bothBegan = new Promise<void>((resolve) => {
    both = resolve
  })
  let began = 0
  const slow = () =>
    Readable.from(
      (async function* () {
        yield Buffer.from(list(1))
        if (++began === 2) both()
        await bothBegan
        yield Buffer.from(list(200))
      })(),
    )
  const sent = await Promise.all(
    [1, 2].map(() => call(started, 'POST', '/screen?network=ETH', { payload: slow(), key: BUSINESS_KEY })),
  )
  expect(sent.map(({ status }) => status).sort()).toEqual([202, 429])
  const refused = sent.find(({ status }) => status === 429)
  expect(refused?.json().details).toEqual([{ field: 'body', reason: 'must not have more than 39 rows now' }])
  expect((await call(started, 'GET', '/screen', { key: BUSINESS_KEY })).json().limits.left).toBe(39)
  expect(await kit.store.query('SELECT count() AS n FROM screen_rows')).toEqual([{ n: '201' }])
  await started.close()
})

test('many small jobs do not hide the rows of a large one', async () => {
  const started = await start(FEW)
  const large = await call(started, 'POST', '/screen?network=ETH', { payload: list(200), key: BUSINESS_KEY })
  const [row = {}] = await kit.store.query<Record<string, unknown>>('SELECT * FROM screen_jobs FINAL')
  const small = Array.from({ length: 10_000 }, (_, n) =>
    JSON.stringify({
      ...row,
      id: `screen_${n}`,
      rows: 0,
      state: 'finished',
      version: '1',
      created: new Date().toISOString().slice(0, 19),
    }),
  )
  await kit.store.insert('screen_jobs', small.join('\n'))
  const { limits, jobs } = (await call(started, 'GET', '/screen', { key: BUSINESS_KEY })).json()
  expect([large.status, limits, jobs.length]).toEqual([202, { rowsPerDay: 240, left: 40 }, 100])
  await started.close()
})

test('an upload refused before its first row causes no delete in the store', async () => {
  const started = await start()
  const mutations = async () =>
    (await kit.store.query("SELECT count() AS n FROM system.mutations WHERE table LIKE 'screen%'"))[0]
  const before = await mutations()
  for (const payload of ['', 'address,network\n', 'PK\x03\x04']) {
    expect((await call(started, 'POST', '/screen', { payload })).status).toBe(400)
  }
  expect(await mutations()).toEqual(before)
  await started.close()
})

const jobOf = (now: number): Omit<Job, 'expires'> => ({
  id: 'screen_a',
  account: 'key_a',
  operation: 'fraud_check',
  state: 'waiting',
  upload: 'first',
  rows: 1,
  malformed: 0,
  distinct: 1,
  look_alikes: '[]',
  fingerprint: '',
  holder: '',
  held_until: 0,
  moved: now,
  created: now,
  started: 0,
  finished: 0,
  reason: '',
})

test('runs jobs of one account one after the other, and lets other accounts take turns', async () => {
  const jobs = createJobs(kit.store, Date.now)
  const begun = Date.now()
  const begin = (id: string, account: string, moved: number) =>
    jobs.begin({ ...jobOf(begun), id, account, moved, expires: Math.floor((begun + KEPT_MS) / 1_000) })
  for (let n = 0; n < 5; n++) await begin(`busy ${n}`, 'busy', begun - 10_000 + n)
  await begin('quiet', 'quiet', begun)
  expect(await jobs.open()).toEqual(['busy 0', 'quiet'])
})

test('an idempotency key is free again when its job has expired, however long the upload took', async () => {
  const now = () => 50 * KEPT_MS + 1_000
  const jobs = createJobs(kit.store, now)
  const job = jobOf(now())
  const seconds = Math.floor(Date.now() / 1_000)
  await jobs.begin({ ...job, expires: seconds - 1 })
  expect(await jobs.findAny(job.id)).toBeUndefined()
  await jobs.begin({ ...job, upload: 'second', expires: seconds - 1 + KEPT_MS / 1_000 })
  expect(await jobs.findAny(job.id)).toMatchObject({ upload: 'second' })
})

test('limits an account to two downloads at a time, and frees the slot of an aborted one', async () => {
  const started = await start()
  const { api, app } = started
  const { id } = (await call(started, 'POST', '/screen?network=ETH', { payload: list(1) })).json()
  await finished(started, id)
  await api.start()
  const { port } = app.server.address() as AddressInfo
  let goOn = (): void => undefined
  const held = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const { query } = kit.store
  let reading = 0
  vi.spyOn(kit.store, 'query').mockImplementation(async (...given) => {
    if (given[2]?.route === 'screen_answered') {
      reading++
      await held
    }
    return query(...given)
  })
  const leaving = new AbortController()
  const download = (signal: AbortSignal | null = null) =>
    fetch(`http://127.0.0.1:${port}/screen/${id}/result`, { headers: { 'x-api-key': ENTERPRISE_KEY }, signal })
  const first = download(leaving.signal).catch(() => undefined)
  const second = download()
  await until('both are on their way', () => reading === 2)
  let third = await download()
  expect([third.status, (await third.text()).includes('OVERLOADED'), third.headers.get('retry-after')]).toEqual([
    429,
    true,
    '5',
  ])
  leaving.abort()
  await first
  goOn()
  await until('the place is free again', async () => {
    third = await download()
    return third.status === 200
  })
  expect([(await second).status, await third.text()]).toEqual([200, expect.stringContaining('"row":1')])
  vi.restoreAllMocks()
  await started.close()
})
