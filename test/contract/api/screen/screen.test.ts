/** Screening jobs over a real store: uploads, rows that are wrong, progress, results, and what may happen to a job on its way. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createKeys } from '../../../../api/keys/keys.ts'
import { type ScreenOptions, screenFile } from '../../../../deploy/commands/ask/screen.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { fraudRecord } from '../../../../schema/records/fraud.ts'
import { runAssay } from '../../../kit/processes/command-line.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { until } from '../../../kit/until.ts'
import { documentedBy } from '../documents/openapi.kit.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY, UNSEEN } from '../kit.ts'
import { address, call, csv, finished, type Options, startScreening } from './screen.kit.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const start = (options: Options = {}) => startScreening(kit.store, options)

test('an upload becomes a job whose rows are answered like single calls, invalid ones in their place', async () => {
  const started = await start()
  const documented = await documentedBy(started.app)
  const rows = [
    '\uFEFFReference;Wallet Address;Network',
    `a;${address(1)};ETH`,
    `=HYPERLINK("x");${address(2)};ethereum`,
    'c;0x123;ETH',
    `d;${address(1)};ETH`,
    `e;${UNSEEN.evm};ETH`,
    `f;${'x'.repeat(5_000)};ETH`,
    `"g;${address(3)};ETH`,
    'h;;ETH',
    `i;${address(5).replace('0x00000005aaaa', '0x00000005abaa')};ETH`,
    `j;${address(5)};NOWHERE`,
  ]
  const made = await call(started, 'POST', '/screen', { payload: rows.join('\r\n') })
  expect([made.status, made.headers.location]).toEqual([202, `/screen/${made.json().id}`])
  documented('/screen', 202, made.json())
  expect(made.json()).toMatchObject({ rows: 10, malformed: 3, distinct: 6, operation: 'fraud_check' })
  const job = await finished(started, made.json().id)
  documented('/screen/{id}', 200, job)
  expect(job).toMatchObject({ state: 'finished', done: 10, statuses: { 200: 4, 400: 5, 404: 1 }, secondsLeft: null })

  const lines = (await call(started, 'GET', `/screen/${job.id}/result`)).text.trimEnd().split('\n')
  const results = lines.map((line) => JSON.parse(line))
  expect(results.map(({ row, reference, status }) => [row, reference, status])).toEqual([
    [1, 'a', 200],
    [2, '=HYPERLINK("x")', 200],
    [3, 'c', 400],
    [4, 'd', 200],
    [5, 'e', 404],
    [6, undefined, 400],
    [7, undefined, 400],
    [8, 'h', 400],
    [9, 'i', 200],
    [10, 'j', 400],
  ])
  expect(fraudRecord.parse(results[0].result)).toMatchObject({ walletAddress: address(1) })
  expect(results[5].result.details).toEqual([{ field: 'row', reason: 'is longer than 4096 bytes' }])
  expect(results[7].result.details).toEqual([{ field: 'walletAddress', reason: 'is required' }])

  const sheet = await call(started, 'GET', `/screen/${job.id}/result`, { headers: { accept: 'text/csv' } })
  expect(sheet.headers['content-disposition']).toBe(`attachment; filename="${job.id}.csv"`)
  const [head = '', first = '', second = '', third = ''] = sheet.text.split('\r\n')
  expect(head).toMatch(
    /^row,network,walletAddress,reference,httpStatus,error,errorMessage,chain,status,probabilityFraud,/,
  )
  expect(first).toMatch(new RegExp(`^1,ETH,${address(1)},a,200,,,ETH,Not Fraud,0.0421858616,`))
  // A spreadsheet would compute this cell.
  expect(second).toContain(`,"'=HYPERLINK(""x"")",200,`)
  expect(third).toMatch(/^3,ETH,0x123,c,400,INVALID_REQUEST,/)
  // A download that broke off goes on where it was.
  const rest = await call(started, 'GET', `/screen/${job.id}/result?from=9&format=csv`)
  expect(rest.text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['9', '10', ''])
  await started.close()
})

test('accepts NDJSON of objects or plain addresses, and any operation', async () => {
  const started = await start()
  const rows = [
    JSON.stringify({ network: 'bsc', walletAddress: address(1), reference: 'x' }),
    JSON.stringify(address(2)),
    '{"network":"ETH"',
    '[]',
  ]
  const { status, json } = await call(started, 'POST', '/screen?operation=rug_pull&network=BNB', {
    payload: csv(rows),
    type: 'application/x-ndjson',
  })
  expect(status).toBe(202)
  const job = await finished(started, json().id)
  expect(job).toMatchObject({ operation: 'rug_pull', statuses: { 200: 2, 400: 2 }, malformed: 2 })
  const sheet = (await call(started, 'GET', `/screen/${job.id}/result?format=csv`)).text
  expect(sheet.split('\r\n')[1]).toMatch(new RegExp(`^1,BNB,${address(1)},x,200,,,`))
  expect(sheet).toContain('risk_indicators.is_honeypot')
  await started.close()
})

test('lists look-alike addresses, and counts distinct ones', async () => {
  const started = await start()
  const poisoned = `${address(7).slice(0, 20)}${'bb'.repeat(2)}${address(7).slice(24)}`
  const rows = [address(7), address(7).toUpperCase().replace('0X', '0x'), poisoned, address(0x77000000)]
  const { json } = await call(started, 'POST', '/screen?network=ETH', { payload: csv(rows) })
  expect(json()).toMatchObject({ rows: 4, distinct: 3 })
  expect(json().lookAlikes).toEqual([{ network: 'ETH', addresses: expect.arrayContaining([address(7), poisoned]) }])
  await started.close()
})

test('a retried upload is one job; another upload with the same key is a conflict', async () => {
  const started = await start()
  const headers = { 'idempotency-key': 'monday' }
  const send = (payload: string, key = ENTERPRISE_KEY) =>
    call(started, 'POST', '/screen?network=ETH', { payload, headers, key })
  const first = await send(csv([address(1), address(2)]))
  const again = await send(csv([address(1), address(2)]))
  expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([202, 200, 'true'])
  expect(again.json().id).toBe(first.json().id)
  const other = await send(csv([address(1), address(3)]))
  expect([other.status, other.json().error]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  ;(await documentedBy(started.app))('/screen', 409, other.json())
  // The same word of another customer is another job.
  const foreign = await send(csv([address(1), address(2)]), BUSINESS_KEY)
  expect([foreign.status, foreign.json().id === first.json().id]).toEqual([202, false])
  const both = await Promise.all(
    [1, 2].map(() =>
      call(started, 'POST', '/screen?network=ETH', {
        payload: csv([address(4)]),
        headers: { 'idempotency-key': 'race' },
      }),
    ),
  )
  expect(both.map(({ status }) => status).toSorted()).not.toContain(500)
  expect(new Set(both.map(({ json }) => json().id)).size).toBe(1)
  await finished(started, both[0]?.json().id)
  expect((await kit.store.query<{ n: string }>('SELECT uniqExact(upload) AS n FROM screen_results'))[0]).toBeDefined()
  // Two uploads under one key at the same time: one is taken, and its sender gets results of its own rows.
  for (let round = 0; round < 5; round++) {
    const answers = await Promise.all(
      [5, 6].map(async (n) => {
        const headers = { 'idempotency-key': `round ${round}`.replace(' ', '-') }
        return { n, ...(await call(started, 'POST', '/screen?network=ETH', { payload: csv([address(n)]), headers })) }
      }),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 409])
    const { n = 0, json } = answers.find(({ status }) => status === 202) ?? {}
    const job = await finished(started, json?.().id)
    expect((await call(started, 'GET', `/screen/${job.id}/result`)).text).toContain(address(n))
  }
  await started.close()
})

/** A promise that is kept when told. */
const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open, opened }
}

test('one of two uploads that end at the same time on two replicas becomes the job', async () => {
  const [bothLooked, oneAnswered] = [
    [gate(), gate()],
    [gate(), gate()],
  ] as const
  let writes = 0
  /** Each replica has looked for a job and found none when the first one writes; the second writes when the first was answered. */
  const together: typeof kit.store = {
    ...kit.store,
    insert: async (table, ...rest) => {
      const round = table === 'screen_jobs' ? Math.floor(writes / 2) : -1
      if (round >= 0 && writes++ % 2 === 0) await bothLooked[round]?.opened
      else if (round >= 0) {
        bothLooked[round]?.open()
        await oneAnswered[round]?.opened
      }
      return kit.store.insert(table, ...rest)
    },
  }
  const quiet = { screening: { store: together }, tuning: { screenPauseMs: 3_600_000 } }
  const replicas = [await start(quiet), await start(quiet)] as const
  const send = (round: 0 | 1, numbers: readonly [number, number]) =>
    Promise.all(
      replicas.map(async (replica, index) => {
        const payload = csv([address(numbers[index] ?? 0)])
        const headers = { 'idempotency-key': `round-${round}` }
        const answer = await call(replica, 'POST', '/screen?network=ETH', { payload, headers })
        oneAnswered[round].open()
        return answer
      }),
    )
  const different = await send(0, [1, 2])
  expect(different.map(({ status }) => status).toSorted()).toEqual([202, 409])
  const same = await send(1, [3, 3])
  expect(same.map(({ status }) => status).toSorted()).toEqual([200, 202])
  expect(new Set(same.map(({ json }) => json().id)).size).toBe(1)
  const taken = different.findIndex(({ status }) => status === 202)
  const rows = await kit.store.query('SELECT address FROM screen_rows ORDER BY address')
  expect(rows).toEqual([taken + 1, 3].map((n) => ({ address: address(n) })))
  for (const { close } of replicas) await close()
})

test('a job is invisible to other keys, and moves to the new key on rotation', async () => {
  const keys = createKeys({ store: kit.store, clock: systemClock })
  const started = await start({ keys })
  const owner = await keys.create('business', 'owner')
  await started.api.refreshKeys()
  const headers = { 'idempotency-key': 'once' }
  const made = await call(started, 'POST', '/screen?network=ETH', {
    payload: csv([address(1)]),
    key: owner.key,
    headers,
  })
  const { id } = made.json()
  for (const [method, path] of [
    ['GET', ''],
    ['GET', '/result'],
    ['DELETE', ''],
  ] as const) {
    const { status, json } = await call(started, method, `/screen/${id}${path}`)
    expect([status, json().error]).toEqual([404, 'NOT_FOUND'])
  }
  const successor = await keys.rotate(owner.id, 0)
  await started.api.refreshKeys()
  expect((await finished(started, id, successor.key)).state).toBe('finished')
  expect((await call(started, 'GET', `/screen/${id}`, { key: owner.key })).status).toBe(401)
  const listed = (await call(started, 'GET', '/screen', { key: successor.key })).json()
  expect(listed).toMatchObject({ limits: { rowsPerDay: null, left: null }, jobs: [{ id, state: 'finished', rows: 1 }] })
  ;(await documentedBy(started.app))('/screen', 200, listed)
  const { status, json } = await call(started, 'DELETE', `/screen/${id}`, { key: successor.key })
  expect([status, json().state]).toEqual([200, 'deleted'])
  expect((await call(started, 'GET', `/screen/${id}/result`, { key: successor.key })).status).toBe(404)
  expect(await kit.store.query('SELECT 1 FROM screen_results UNION ALL SELECT 1 FROM screen_rows')).toEqual([])
  const sent = await call(started, 'POST', '/screen?network=ETH', {
    payload: csv([address(1)]),
    key: successor.key,
    headers,
  })
  expect([sent.status, sent.json().error]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
  await started.close()
})

test('a job whose keys are all revoked is stopped', async () => {
  const keys = createKeys({ store: kit.store, clock: systemClock })
  const started = await start({ keys, tuning: { screenPauseMs: 3_600_000 } })
  const owner = await keys.create('business', 'owner')
  await started.api.refreshKeys()
  const { json } = await call(started, 'POST', '/screen?network=ETH', { payload: csv([address(1)]), key: owner.key })
  await keys.revoke(owner.id)
  await started.api.refreshKeys()
  await started.api.screen()
  const rows = await kit.store.query('SELECT state, reason FROM screen_jobs FINAL WHERE id = {id:String}', {
    id: json().id,
  })
  expect(rows).toEqual([{ state: 'stopped', reason: 'KEY_NOT_IN_FORCE' }])
  await started.close()
})

test('counts rows by key and day, and shows the count before the limit is reached', async () => {
  // 10 calls an hour are 240 a day.
  const started = await start({ rateLimits: [{ tier: 'business', limit: 10, windowMs: 3_600_000 }] })
  const many = (count: number) => csv(Array.from({ length: count }, (_, n) => address(n + 1)))
  const send = (count: number, headers = {}) =>
    call(started, 'POST', '/screen?network=ETH', { payload: many(count), key: BUSINESS_KEY, headers })
  expect((await send(200)).json().limits).toEqual({ rowsPerDay: 240, left: 40 })
  const announced = await send(50, { 'x-assay-rows': '50' })
  const found = await send(50)
  for (const refused of [announced, found]) {
    expect([refused.status, refused.json().error, refused.json().details]).toEqual([
      429,
      'RATE_LIMITED',
      [{ field: 'body', reason: 'must not have more than 40 rows now' }],
    ])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000)
  }
  expect((await call(started, 'GET', '/screen', { key: BUSINESS_KEY })).json().limits.left).toBe(40)
  expect(await kit.store.query('SELECT count() AS n FROM screen_rows')).toEqual([{ n: '200' }])
  await started.close()
})

test('refuses invalid uploads and leaves nothing behind', async () => {
  const started = await start({
    screening: { store: kit.store, pace: { idleMs: 50, graceMs: 100, bytesPerSecond: 1e6 } },
  })
  const documented = await documentedBy(started.app)
  const refused = async (url: string, options: Parameters<typeof call>[3]) => {
    const { status, json } = await call(started, 'POST', url, options)
    documented('/screen', status, json())
    return [status, json().error]
  }
  expect(await refused('/screen', { payload: '' })).toEqual([400, 'INVALID_REQUEST'])
  expect(await refused('/screen', { payload: 'address,network\n' })).toEqual([400, 'INVALID_REQUEST'])
  expect(await refused('/screen?operation=x', { payload: 'a' })).toEqual([400, 'INVALID_REQUEST'])
  // A misspelt default would make an error of each row, and each would count.
  for (const query of ['network=ETHE', 'network=ETH&network=BNB', 'operation=credit_score&network=BNB']) {
    expect([query, ...(await refused(`/screen?${query}`, { payload: address(1) }))]).toEqual([
      query,
      400,
      'INVALID_REQUEST',
    ])
  }
  expect(await refused('/screen', { payload: '{}', type: 'application/json' })).toEqual([
    400,
    'UNSUPPORTED_CONTENT_TYPE',
  ])
  const gzip = { 'content-encoding': 'gzip' }
  expect(await refused('/screen', { payload: 'a', headers: gzip })).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE'])
  const segment = '/screen?operation=wallet_segment'
  expect(await refused(segment, { payload: 'a', key: BUSINESS_KEY })).toEqual([403, 'TIER_NOT_COVERED'])
  expect(await refused('/screen', { payload: 'a', key: 'nobody' })).toEqual([401, 'KEY_INVALID'])
  expect(await refused('/screen', { payload: 'a', headers: { 'idempotency-key': 'é' } })).toEqual([
    400,
    'INVALID_REQUEST',
  ])
  const silent = new Readable({ read() {} })
  silent.push(`${address(1)}\n`)
  expect(await refused('/screen?network=ETH', { payload: silent })).toEqual([408, 'UPLOAD_TOO_SLOW'])
  expect(await kit.store.query('SELECT 1 FROM screen_rows UNION ALL SELECT 1 FROM screen_jobs')).toEqual([])
  await started.close()
})

const keyed = (started: Awaited<ReturnType<typeof start>>) =>
  call(started, 'POST', '/screen?network=ETH', { payload: csv([address(1)]), headers: { 'idempotency-key': 'k' } })

test('an upload whose job could not be stored leaves no rows, and can be repeated', async () => {
  let failing = true
  const store: typeof kit.store = {
    ...kit.store,
    insert: async (table, ...rest) => {
      if (table === 'screen_jobs' && failing) throw new Error('the store is read-only')
      return kit.store.insert(table, ...rest)
    },
  }
  const started = await start({ screening: { store } })
  expect((await keyed(started)).status).toBeGreaterThanOrEqual(500)
  expect(await kit.store.query('SELECT 1 FROM screen_rows')).toEqual([])
  failing = false
  const { status, json } = await keyed(started)
  expect(status).toBe(202)
  expect(await finished(started, json().id)).toMatchObject({ state: 'finished', done: 1 })
  await started.close()
})

test('an upload whose job was stored without an acknowledgement keeps its rows', async () => {
  let silent = true
  const store: typeof kit.store = {
    ...kit.store,
    insert: async (table, ...rest) => {
      await kit.store.insert(table, ...rest)
      if (table !== 'screen_jobs' || !silent) return
      silent = false
      throw new Error('the connection was reset')
    },
  }
  const started = await start({ screening: { store } })
  expect((await keyed(started)).status).toBeGreaterThanOrEqual(500)
  const { status, json } = await keyed(started)
  expect(status).toBe(200)
  expect(await finished(started, json().id)).toMatchObject({ state: 'finished', done: 1 })
  await started.close()
})

test('an endless line is one invalid row, in bounded memory', async () => {
  const started = await start()
  const before = process.memoryUsage().arrayBuffers
  const chunk = Buffer.alloc(1024 * 1024, 'a')
  let most = 0
  const endless = Readable.from(
    (function* () {
      for (let n = 0; n < 60; n++) {
        most = Math.max(most, process.memoryUsage().arrayBuffers - before)
        yield chunk
      }
      yield Buffer.from(`\n${address(1)}\n`)
    })(),
  )
  const { json } = await call(started, 'POST', '/screen?network=ETH', { payload: endless })
  expect(json()).toMatchObject({ rows: 2, malformed: 1 })
  expect(most).toBeLessThan(20 * 1024 * 1024)
  await started.close()
})

test('two replicas answer each row of a job once, and the job of a dead one is continued after its results', async () => {
  const store = kit.store
  const rows = Array.from({ length: 3_000 }, (_, n) => address(n + 1))
  const quiet = { tuning: { screenPauseMs: 3_600_000 } }
  const replicas = [await start(quiet), await start(quiet)] as const
  const { json } = await call(replicas[0], 'POST', '/screen?network=ETH', { payload: csv(rows) })
  const { id } = json()
  // A replica died after 500 rows, and holds the job no more.
  const [job] = await store.query<{ upload: string }>('SELECT upload FROM screen_jobs FINAL')
  const done = Array.from({ length: 500 }, (_, n) =>
    JSON.stringify({ upload: job?.upload, row: n + 1, status: 200, body: '{"before":1}', expires: 4_000_000_000 }),
  )
  await store.insert('screen_results', `${done.join('\n')}\n`)
  await Promise.all(replicas.map(({ api }) => api.screen()))
  await until('the job is done', async () => {
    await Promise.all(replicas.map(({ api }) => api.screen()))
    return (await call(replicas[1], 'GET', `/screen/${id}`)).json().state === 'finished'
  })
  const lines = (await call(replicas[1], 'GET', `/screen/${id}/result`)).text.trimEnd().split('\n')
  const results = lines.map((line) => JSON.parse(line))
  expect(results.map(({ row }) => row)).toEqual(rows.map((_, n) => n + 1))
  expect(results.filter(({ result }) => result.before).length).toBe(500)
  for (const { close } of replicas) await close()
})

test('computes equal rows of a list once per part', async () => {
  const started = await start()
  const { json } = await call(started, 'POST', '/screen?network=ETH', { payload: `${address(1)}\n`.repeat(20_000) })
  expect(await finished(started, json().id)).toMatchObject({ done: 20_000, distinct: 1, statuses: { 200: 20_000 } })
  const { body } = await started.ask('/fraud/check', { network: 'ETH', walletAddress: address(1) })
  expect(body.checked_times).toBeLessThan(1_000)
  await started.close()
})

test('assay screen uploads a file, shows progress, saves the results, and continues the same job on the next run', async () => {
  const started = await start()
  const [url = ''] = await started.api.start()
  const folder = mkdtempSync(join(tmpdir(), 'assay-screen-'))
  const list = join(folder, 'list.csv')
  const output = join(folder, 'out.ndjson')
  writeFileSync(list, csv(['address,reference', `${address(1)},x`, `${address(2)},y`]))
  const env = { ASSAY_URL: url, ASSAY_KEY: ENTERPRISE_KEY }
  const first = await runAssay(folder, ['screen', list, '--network', 'ETH'], { env })
  expect([first.code, first.out]).toEqual([0, ''])
  expect(first.err).toMatch(
    /list\.csv: 3 lines\. No row limit\.\nJob screen_\w+\. 2 distinct addresses, 0 malformed rows\./,
  )
  expect(first.err).toContain('2 of 2 rows (100 %)')
  expect(readFileSync(join(folder, 'list.results.csv'), 'utf8').split('\r\n')[2]).toContain(`2,ETH,${address(2)},y,200`)

  const said: string[] = []
  const run = (file: string, more: Partial<ScreenOptions> = {}) =>
    screenFile(file, {
      url,
      key: ENTERPRISE_KEY,
      operation: 'fraud_check',
      network: 'ETH',
      out: { write: (text: string) => said.push(text) > 0 },
      ...more,
    })
  expect(await run(list, { output })).toBe(0)
  expect(said.join('')).toContain(`Continuing job ${/Job (\w+)/.exec(first.err)?.[1]}`)
  const saved = readFileSync(output, 'utf8').trimEnd().split('\n')
  expect(saved.map((line) => JSON.parse(line).status)).toEqual([200, 200])
  const parquet = join(folder, 'out.parquet')
  expect(await run(list, { output: parquet })).toBe(0)
  expect(readFileSync(parquet).subarray(0, 4).toString()).toBe('PAR1')
  const wrong = run(list, { output: join(folder, 'out.xlsx') })
  await expect(wrong).rejects.toMatchObject({
    code: 'ASSAY_SCREEN_OPTION',
    message: expect.stringContaining('Nothing was sent'),
  })
  writeFileSync(list, csv([address(1), UNSEEN.evm]))
  expect(await run(list, { again: true })).toBe(2)
  expect(said.join('')).toContain('1 without a verdict')
  await expect(run(list, { key: 'wrong' })).rejects.toMatchObject({ code: 'ASSAY_SCREEN_REFUSED' })
  await expect(run(join(folder, 'none.csv'))).rejects.toMatchObject({ code: 'ASSAY_SCREEN_FILE' })
  await expect(run(list, { url: undefined })).rejects.toMatchObject({ code: 'ASSAY_SCREEN_OPTION' })
  rmSync(folder, { recursive: true })
  await started.close()
})
