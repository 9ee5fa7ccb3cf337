/** The audit log over a real store: what is entered, how tampering shows, and what erasure, retention and outages leave. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eraseAudit, exportAudit } from '../../../../api/accounting/audit/export.ts'
import type { AuditOptions } from '../../../../api/accounting/audit/open.ts'
import { removeExpired } from '../../../../api/accounting/audit/retention.ts'
import { verifyAudit } from '../../../../api/accounting/audit/verify.ts'
import { createKeys } from '../../../../api/keys/keys.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { until } from '../../../kit/until.ts'
import { BUSINESS_KEY, startApi, testContext, UNSEEN } from '../kit.ts'

const DAY_MS = 86_400_000
const address = (n: number) => `0x${n.toString(16).padStart(8, '0')}${'aa'.repeat(16)}`
const asking = (n: number) => ({ network: 'ETH', walletAddress: address(n) })

let kit: TestStore
let now = 1_800_000_000_000
const clock = { ...systemClock, now: () => now }
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

type Options = Omit<NonNullable<Parameters<typeof startApi>[0]>, 'audit'> & { audit?: Partial<AuditOptions> }
/** An API whose audit log is stored when a test flushes it. */
const start = ({ audit = {}, ...options }: Options = {}) =>
  startApi(
    { ...options, audit: { store: kit.store, required: false, flushMs: 3_600_000, ...audit } },
    { ...testContext(), clock },
  )

const exported = async (selection: Parameters<typeof exportAudit>[1] = {}) => {
  let text = ''
  for await (const lines of exportAudit(kit.store, selection)) text += lines
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}
const problems = async (...given: Parameters<typeof verifyAudit> extends [Store, ...infer Rest] ? Rest : never) =>
  (await verifyAudit(kit.store, ...given)).flatMap((report) => report.problems)

type Row = Record<string, string | number>
const ROWS =
  'SELECT * REPLACE (toString(seq) AS seq, toString(lost) AS lost, toString(at) AS at) FROM audit_log ORDER BY chain, audit_log.seq'
const rows = () => kit.store.query<Row>(ROWS)
const replaceRows = async (changed: readonly Row[]) => {
  await kit.store.command('TRUNCATE TABLE audit_log')
  await kit.store.insert('audit_log', changed.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

test('audits each answer with caller, request, time and version of the record', async () => {
  const keys = createKeys({ store: kit.store, clock: systemClock })
  const { app, api, ask, close } = await start()
  const send = async (path: string, payload: unknown, key = BUSINESS_KEY) => {
    const headers = { 'content-type': 'application/json', 'x-api-key': key }
    return (await app.inject({ method: 'POST', url: path, headers, payload: JSON.stringify(payload) })).body
  }
  const body = await send('/fraud/check', asking(1))
  await send('/fraud/check', { network: 'ethereum', walletAddress: UNSEEN.evm })
  await send('/fraud/check', { network: 'MARS', walletAddress: 'x'.repeat(300) })
  await send('/fraud/check', '[]')
  await ask('/fraud/batch', { wallets: [asking(2), asking(3)] })
  await ask('/api/fraud/audit', asking(4))
  const made = await keys.create('business', '', { test: true })
  await send('/fraud/check', asking(5), made.key)
  await send('/fraud/check', asking(5), 'no key of ours')
  await api.flush()
  const entries = await exported()
  const seen = entries.map(({ key, operation, network, address, status, recordVersion }) =>
    [key, operation, network, address, status, recordVersion].join(' '),
  )
  const mine = 'key_business fraud_check'
  const others = 'key_enterprise fraud_check'
  expect(seen.slice(0, 4)).toEqual([
    `${mine} ETH ${address(1)} 200 1`,
    `${mine} ETH ${UNSEEN.evm} 404 `,
    `${mine}  ${'x'.repeat(128)} 400 `,
    `${mine}   400 `,
  ])
  expect(seen.slice(4, 6).toSorted()).toEqual([2, 3].map((n) => `${others} ETH ${address(n)} 200 1`))
  expect(seen.slice(6)).toEqual([`key_enterprise fraud_audit ETH ${address(4)} 200 1`])
  expect(entries[0]).toMatchObject({
    time: new Date(now).toISOString(),
    kind: 'key',
    bodySha256: createHash('sha256').update(body).digest('hex'),
    erased: false,
    seq: 1,
  })
  // Nothing that leads to an address is stored in the open.
  const stored = JSON.stringify(await rows())
  for (const part of [address(1), address(1).slice(2, 12), entries[0].bodySha256]) expect(stored).not.toContain(part)
  await close()
  const [report] = await verifyAudit(kit.store)
  expect(report).toMatchObject({ first: 1, last: 8, ended: true, lost: 0, problems: [] })
})

test('detects a changed column, and removed and inserted entries', async () => {
  const { ask, close } = await start()
  for (let n = 1; n <= 5; n++) await ask('/fraud/check', asking(n))
  await close()
  const whole = await rows()
  expect([whole.length, await problems()]).toEqual([6, []])
  const third = { ...whole[2] } as Row
  const others: Row = {
    chain: 'another',
    seq: '7',
    at: '2020-01-01 00:00:00.000',
    kind: 'payment',
    key: 'key_other',
    operation: 'rug_pull',
    network: 'BNB',
    status: 404,
    lost: '1',
    secret: String(whole[2]?.secret).replace(/^./, (first) => (first === '0' ? '1' : '0')),
    sealed: String(whole[1]?.sealed),
    hash: 'f'.repeat(64),
  }
  expect(Object.keys(others)).toEqual(Object.keys(third))
  for (const column of Object.keys(others)) {
    await replaceRows(whole.map((row, index) => (index === 2 ? { ...row, [column]: others[column] as string } : row)))
    expect([column, await problems()]).not.toEqual([column, []])
  }
  const found = async (changed: readonly Row[]) => {
    await replaceRows(changed)
    return problems()
  }
  expect(await found(whole.toSpliced(2, 1))).toEqual(['entry 3 removed'])
  expect(await found(whole.slice(2))).toEqual(['2 entries from 1 removed'])
  expect(await found([...whole, { ...third, status: 404 }])).toHaveLength(1)
  expect(await found([...whole, { ...third, seq: '0' }])).toEqual([
    'entry 0 was inserted: another entry has this number',
  ])
  expect(await found([...whole, { ...third, seq: '7' }])).toHaveLength(2)
  // Two entries that change places with their numbers.
  expect(
    await found(
      whole.map((row, at) => (at === 1 ? { ...third, seq: '2' } : at === 2 ? { ...whole[1], seq: '3' } : row) as Row),
    ),
  ).not.toEqual([])
  // The same row twice is an insert that was repeated.
  expect(await found([...whole, third])).toEqual([])
  // What a chain alone cannot show: its end cut off, or all of it gone. What was known before shows it.
  const heads = (await verifyAudit(kit.store)).map(({ chain, last, hash }) => ({ chain, seq: last, hash }))
  expect(await found(whole.slice(0, 4))).toEqual([])
  expect(await problems(heads)).toEqual(['entries from 5 to 6 removed: an earlier verification found them'])
  await replaceRows([])
  expect(await problems(heads)).toEqual(['entries from 1 to 6 removed: an earlier verification found them'])
})

test('replicas write separate chains concurrently, and an entry moved between them is detected', async () => {
  const replicas = await Promise.all([start(), start()])
  await Promise.all(replicas.map(({ ask }, n) => Promise.all([1, 2, 3].map((m) => ask('/fraud/check', asking(n + m))))))
  await Promise.all(replicas.map(({ close }) => close()))
  expect(await verifyAudit(kit.store)).toMatchObject([
    { last: 4, ended: true, problems: [] },
    { last: 4, ended: true, problems: [] },
  ])
  const whole = await rows()
  await replaceRows(whole.map((row, at) => (at === 0 ? { ...row, chain: whole[4]?.chain as string } : row)))
  expect(await problems()).toEqual(expect.arrayContaining(['entry 1 removed', expect.stringContaining('entry 1 was')]))
})

test('entries of an erased key still verify, but their addresses are unreadable; later entries are readable', async () => {
  const { ask, api, close } = await start()
  const mine = { 'x-api-key': BUSINESS_KEY }
  await ask('/fraud/check', asking(1), mine)
  await ask('/fraud/check', asking(2))
  await api.flush()
  const [, other] = await exported()
  expect([await eraseAudit(kit.store, 'key_business'), await eraseAudit(kit.store, 'key_business')]).toEqual([1, 0])
  expect(await kit.store.query('SELECT key FROM audit_secrets')).toEqual([{ key: 'key_enterprise' }])
  now += 60_000
  await ask('/fraud/check', asking(3), mine)
  await close()
  const entries = await exported()
  expect(entries[0]).toMatchObject({
    key: 'key_business',
    address: null,
    recordVersion: null,
    bodySha256: null,
    erased: true,
  })
  expect(entries[1]).toEqual(other)
  expect(entries[2]).toMatchObject({ key: 'key_business', address: address(3), erased: false })
  expect(entries[3]).toMatchObject({ kind: 'end', erased: false })
  expect(await problems()).toEqual([])
})

test('removes entries past their retention behind an anchor, and the rest verifies', async () => {
  const first = await start()
  await first.ask('/fraud/check', asking(1))
  await first.close()
  // Chains are listed by their beginnings.
  now++
  const { ask, close } = await start()
  for (let day = 0; day < 4; day++) {
    await ask('/fraud/check', asking(day))
    now += DAY_MS
  }
  await close()
  for (let round = 0; round < 2; round++) await removeExpired(kit.store, 3, now)
  const [old, rest] = await verifyAudit(kit.store)
  expect(old).toMatchObject({ first: 0, last: 2, problems: [] })
  expect(rest).toMatchObject({ first: 2, last: 5, ended: true, problems: [] })
  expect((await exported()).map(({ seq }) => seq)).toEqual([2, 3, 4, 5])
  // More than the anchor covers is gone: found.
  await kit.store.command('DELETE FROM audit_log WHERE seq = 2')
  expect(await problems()).toEqual(['entry 2 removed'])
})

test('exports exactly the entries of a time range and a key', async () => {
  const { ask, close } = await start()
  const begun = now
  for (let hour = 0; hour < 3; hour++) {
    await ask('/fraud/check', asking(hour), hour === 1 ? { 'x-api-key': BUSINESS_KEY } : {})
    now += 3_600_000
  }
  await close()
  const seqs = async (selection: Parameters<typeof exportAudit>[1]) => (await exported(selection)).map(({ seq }) => seq)
  expect(await seqs({ from: begun + 3_600_000 })).toEqual([2, 3, 4])
  expect(await seqs({ to: begun + 3_600_000 })).toEqual([1])
  expect(await seqs({ keys: ['key_business'] })).toEqual([2])
})

test('a killed process leaves a valid chain without its unstored entries', async () => {
  const { ask, api } = await start()
  await ask('/fraud/check', asking(1))
  await api.flush()
  // Nothing of this process is heard of again.
  await ask('/fraud/check', asking(2))
  expect(await verifyAudit(kit.store)).toMatchObject([{ last: 1, ended: false, problems: [] }])
})

test('keeps answering while the store is away; entries wait or are counted as lost, and none is stored twice', async () => {
  let mode: 'well' | 'away' | 'deaf' = 'away'
  const store: Store = {
    ...kit.store,
    insert: async (...given) => {
      if (mode !== 'away') await kit.store.insert(...given)
      if (mode !== 'well') throw new Error('connection lost')
    },
  }
  const { ask, api, close, context } = await start({ audit: { store, maxWaiting: 3 } })
  const statuses = async (from: number, to: number) => {
    const all = []
    for (let n = from; n < to; n++) all.push((await ask('/fraud/check', asking(n))).status)
    return all
  }
  expect(await statuses(0, 5)).toEqual([200, 200, 200, 200, 200])
  await expect(api.flush()).rejects.toThrow('connection lost')
  expect(await statuses(5, 6)).toEqual([200])
  expect(await context.metrics.text()).toContain('assay_audit_lost_total 3')
  // Entries arrive, the answer of the store does not.
  mode = 'deaf'
  for (let times = 0; times < 3; times++) await expect(api.flush()).rejects.toThrow('connection lost')
  mode = 'well'
  await api.flush()
  expect(await statuses(6, 7)).toEqual([200])
  await close()
  expect(await verifyAudit(kit.store)).toMatchObject([{ last: 5, lost: 3, ended: true, problems: [] }])
  expect(await kit.store.query('SELECT toUInt32(count()) AS rows FROM audit_log')).toEqual([{ rows: 5 }])
})

test('with a required audit log, refuses calls while entries cannot be stored, and accepts them again later', async () => {
  let away = true
  const store: Store = {
    ...kit.store,
    insert: (...given) => (away ? Promise.reject(new Error('connection lost')) : kit.store.insert(...given)),
  }
  const { ask, api, close } = await start({ audit: { store, required: true } })
  const status = async (path = '/fraud/check') => (await ask(path, asking(1))).status
  expect(await status()).toBe(200)
  await expect(api.flush()).rejects.toThrow('connection lost')
  expect(await status()).toBe(200)
  now += 10_000
  expect([await status(), await status('/fraud/explain'), await status('/api/fraud/check')]).toEqual([503, 503, 503])
  away = false
  await api.flush()
  expect(await status()).toBe(200)
  await close()
  expect(await verifyAudit(kit.store)).toMatchObject([{ last: 4, lost: 0, problems: [] }])
})

test('with a required audit log, refuses calls as quickly when the store is silent', async () => {
  let goOn = (): void => undefined
  const stalled = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let sending = false
  const store: Store = {
    ...kit.store,
    insert: async (...given) => {
      sending = true
      await stalled
      await kit.store.insert(...given)
    },
  }
  const { ask, api, close } = await start({ audit: { store, required: true } })
  const status = async () => (await ask('/fraud/check', asking(1))).status
  expect(await status()).toBe(200)
  const stored = api.flush()
  await until('entries are sent', () => sending)
  now += 9_999
  expect(await status()).toBe(200)
  now += 1
  expect(await status()).toBe(503)
  goOn()
  await stored
  expect(await status()).toBe(200)
  await close()
  expect(await verifyAudit(kit.store)).toMatchObject([{ last: 4, lost: 0, problems: [] }])
})
