import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createListKeeper, isDue } from '../../../../deploy/commands/labels/update/schedule.ts'
import { shipLabels } from '../../../../deploy/commands/labels/update/shipped.ts'
import { loadConfig } from '../../../../platform/config/config.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { SANCTIONED } from '../../../../schema/facts/compliance/sanctioned.ts'
import { type ListState, listStates } from '../../../../scorer/ledger/labels/updates.ts'
import { testContext } from '../../../kit/context.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { named } from '../../../kit/world/transactions.ts'

let kit: TestStore
let server: Server
let status = 200
let asked = 0
let now = 0
const folder = mkdtempSync(join(tmpdir(), 'assay-schedule-'))
const clock = { ...systemClock, now: () => now, sleep: async () => {} }

beforeAll(async () => {
  kit = await openTestStore()
  server = createServer((_, response) => {
    asked++
    response.writeHead(status).end(status === 200 ? `${named('a')}\n` : '')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(async () => {
  await kit.truncate()
  status = 200
  asked = 0
  now = Date.UTC(2026, 10, 22)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
  await kit.close()
})

const keeper = (settings: Record<string, string> = {}) => {
  const catalogue = join(folder, 'catalogue.json')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/scams.txt`
  writeFileSync(
    catalogue,
    JSON.stringify([
      {
        name: 'ours',
        licence: 'ours',
        documents: [{ url, network: 'ETH' }],
        label: 'phishing',
        labels: ['phishing'],
        maxAgeHours: 48,
      },
    ]),
  )
  const config = loadConfig({ ASSAY_LABELS_CATALOGUE: catalogue, ASSAY_LABELS_LISTS: 'ours', ...settings })
  const context = testContext(clock)
  const rescored: string[] = []
  const bus = { down: false }
  const look = createListKeeper({
    context,
    config,
    store: kit.store,
    rescore: async (since, list) => {
      if (bus.down) throw new Error('no broker')
      rescored.push(`${list} ${since}`)
      return 0
    },
  })
  const metric = async (name: string) =>
    Object.fromEntries(
      ((await context.metrics.registry.getSingleMetric(name)?.get())?.values ?? []).map(({ labels, value }) => [
        Object.values(labels).join(' '),
        value,
      ]),
    )
  return { look, rescored, metric, bus }
}

test('a list is fetched when it is due, its wallets are scored again, and its age is measured', async () => {
  const { look, rescored, metric } = keeper({ ASSAY_LABELS_UPDATE_HOURS: '24' })
  await look()
  expect([asked, rescored]).toEqual([1, [`ours ${now}`]])
  expect(await metric('assay_label_list_confirmed_timestamp_seconds')).toEqual({ ours: now / 1_000 })
  expect(await metric('assay_label_list_max_age_seconds')).toEqual({ ours: 48 * 3_600 })
  const taken = now
  now += 23 * 3_600_000
  await look()
  expect(asked).toBe(1)
  now += 3_600_000
  await look()
  expect(asked).toBe(2)
  expect(await metric('assay_label_updates_total')).toEqual({ 'ours applied': 2 })
  // A source that is down ages, is asked again after half an hour, and takes nobody else down.
  status = 500
  now += 24 * 3_600_000
  const confirmed = (taken + 24 * 3_600_000) / 1_000
  await look()
  expect(asked).toBe(5)
  now += 1_000_000
  await look()
  expect(asked).toBe(5)
  now += 1_000_000
  await look()
  expect(asked).toBe(8)
  expect(await metric('assay_label_list_confirmed_timestamp_seconds')).toEqual({ ours: confirmed })
  expect(await metric('assay_label_updates_total')).toEqual({ 'ours applied': 2, 'ours failed': 2 })
  // Refused for good, it is asked at its own pace.
  status = 404
  now += 2_000_000
  await look()
  now += 2_000_000
  await look()
  expect([asked, (await listStates(kit.store)).get('ours')?.outcome]).toEqual([9, 'refused'])
})

test('wallets that could not be queued are queued with the next look, for all that was written', async () => {
  const { look, rescored, bus } = keeper({ ASSAY_LABELS_UPDATE_HOURS: '24' })
  bus.down = true
  await look()
  const first = now
  now += 24 * 3_600_000
  await look()
  expect([asked, rescored]).toEqual([2, []])
  bus.down = false
  now += 300_000
  await look()
  await look()
  expect([asked, rescored]).toEqual([2, [`ours ${first}`]])
})

test('what a scorer left behind that ended before it queued is queued by the next, once', async () => {
  const dead = keeper({ ASSAY_LABELS_UPDATE_HOURS: '24' })
  dead.bus.down = true
  await dead.look()
  const first = now
  const next = keeper({ ASSAY_LABELS_UPDATE_HOURS: '24' })
  // Whoever wrote the labels may be at it.
  await next.look()
  expect(next.rescored).toEqual([])
  now += 600_000
  await next.look()
  await next.look()
  expect([asked, next.rescored]).toEqual([1, [`ours ${first}`]])
  const third = keeper({ ASSAY_LABELS_UPDATE_HOURS: '24' })
  await third.look()
  expect(third.rescored).toEqual([])
})

test('wallets that the copy names which Assay brings along are scored again after an upgrade, once', async () => {
  await shipLabels(kit.store)
  const { look, rescored } = keeper()
  await look()
  await look()
  expect(rescored).toEqual([`ofac ${Date.parse(SANCTIONED.date)}`])
})

test('a clock that was ahead holds nothing up once it is right', async () => {
  const right = now
  now += 365 * 24 * 3_600_000
  await keeper({ ASSAY_LABELS_UPDATE_HOURS: '24' }).look()
  now = right
  const { look, rescored } = keeper({ ASSAY_LABELS_UPDATE_HOURS: '24' })
  await look()
  expect([asked, rescored.length]).toEqual([2, 1])
})

test('two scorers fetch a list once', async () => {
  const one = keeper({ ASSAY_LABELS_UPDATE_HOURS: '24' })
  const other = keeper({ ASSAY_LABELS_UPDATE_HOURS: '24' })
  await Promise.all([one.look(), other.look()])
  await Promise.all([one.look(), other.look()])
  expect(asked).toBe(1)
  expect([...one.rescored, ...other.rescored]).toHaveLength(1)
})

test('without a schedule nothing is fetched, and the copy that Assay brought along still ages', async () => {
  await shipLabels(kit.store)
  const { look, metric } = keeper()
  await look()
  expect(asked).toBe(0)
  expect(await metric('assay_label_list_confirmed_timestamp_seconds')).toEqual({
    ofac: Date.parse(SANCTIONED.date) / 1_000,
  })
})

test('a catalogue that would let strangers write labels, or means nothing, is refused', async () => {
  const entry = { name: 'x', licence: 'x', documents: [{ url: 'https://example.com/x' }], labels: ['phishing'] }
  const wrong: [object, string][] = [
    [{ ...entry, documents: [{ url: 'http://example.com/x' }] }, 'https'],
    [{ ...entry, documents: [{ url: 'https://user:pass@example.com/x' }] }, 'credentials'],
    [{ ...entry, documents: [{ url: 'file:///etc/passwd' }] }, '0.documents.0.url'],
    [{ ...entry, documents: [] }, '0.documents'],
    [{ ...entry, documents: [{ url: 'https://example.com/x', network: 'BTC' }] }, 'a network'],
    [{ ...entry, labels: ['villain'] }, 'a label'],
    [{ ...entry, labels: [] }, '0.labels'],
    [{ ...entry, licence: '' }, '0.licence'],
    [{ ...entry, name: 'a,b' }, '0.name'],
    [{ ...entry, confidance: 1 }, 'confidance'],
  ]
  const path = join(folder, 'wrong.json')
  for (const [content, named] of wrong) {
    writeFileSync(path, JSON.stringify([content]))
    expect(() => keeper({ ASSAY_LABELS_CATALOGUE: path }), named).toThrow(
      expect.objectContaining({ code: 'ASSAY_LABELS_CATALOGUE', message: expect.stringContaining(named) }),
    )
  }
  expect(() => keeper({ ASSAY_LABELS_CATALOGUE: join(folder, 'missing.json') })).toThrow('missing.json')
  expect(() => keeper({ ASSAY_LABELS_LISTS: 'none-such', ASSAY_LABELS_UPDATE_HOURS: '1' })).toThrow('none-such')
})

test('a fetch that died is given up after ten minutes', () => {
  const state: ListState = {
    source: 'x',
    generation: 1n,
    outcome: 'running',
    message: '',
    at: 0,
    confirmedAt: 0,
    version: '',
    definition: '',
    validators: '',
    labels: 0,
  }
  const hour = 3_600_000
  // Begun by a clock that was ahead: it is not waited for.
  expect(isDue({ ...state, at: 365 * 24 * hour }, hour, 0)).toBe(true)
  expect([isDue(state, hour, 599_999), isDue(state, hour, 600_000), isDue(undefined, hour, 0)]).toEqual([
    false,
    true,
    true,
  ])
})
