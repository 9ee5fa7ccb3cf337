import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { importLabels } from '../../../../deploy/commands/labels/importer.ts'
import { shipLabels, shippedAddresses } from '../../../../deploy/commands/labels/update/shipped.ts'
import { type ListUpdate, type UpdateOptions, updateList } from '../../../../deploy/commands/labels/update/update.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import { LABEL_LISTS, type LabelList } from '../../../../schema/facts/compliance/label-lists.ts'
import { SANCTIONED } from '../../../../schema/facts/compliance/sanctioned.ts'
import type { Network } from '../../../../schema/networks.ts'
import { fraudBody } from '../../../../schema/records/fraud.ts'
import { infrastructureOf } from '../../../../schema/registry/infrastructure.ts'
import { retractLabels } from '../../../../scorer/ledger/labels/list.ts'
import { listStates } from '../../../../scorer/ledger/labels/updates.ts'
import { createRescore, type Rescore } from '../../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import { type Party, sdnXml } from '../../../kit/labels/sdn.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { named } from '../../../kit/world/transactions.ts'

let kit: TestStore
let scoring: Rescore
let server: Server
/** What the server answers with, by path. */
const pages = new Map<string, { body: string; etag?: string; status?: number; gate?: Promise<void> }>()
let asked: string[] = []
let now = Date.UTC(2026, 7, 23)
const clock = { ...systemClock, now: () => now, sleep: async () => {} }

beforeAll(async () => {
  kit = await openTestStore()
  scoring = createRescore({
    context: { metrics: createMetrics(), clock: systemClock },
    store: kit.store,
    model: createWalletModel(),
  })
  server = createServer(async (request, response) => {
    const page = pages.get(request.url ?? '')
    asked.push(request.url ?? '')
    await page?.gate
    if (!page) return response.writeHead(404).end()
    if (page.etag !== undefined && request.headers['if-none-match'] === page.etag) return response.writeHead(304).end()
    response.writeHead(page.status ?? 200, page.etag === undefined ? {} : { etag: page.etag }).end(page.body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
beforeEach(async () => {
  await kit.truncate()
  pages.clear()
  asked = []
  now = Date.UTC(2026, 7, 23)
})
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await kit.close()
})

const urlOf = (path: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
const known = (name: string): LabelList => LABEL_LISTS.find((list) => list.name === name)!
const OFAC = (): LabelList => ({ ...known('ofac'), documents: [{ url: urlOf('/sdn.xml') }] })
const SCAMS = (): LabelList => ({ ...known('scamsniffer'), documents: [{ url: urlOf('/scams.json'), network: 'evm' }] })
const update = (list: LabelList, options: UpdateOptions = {}): Promise<ListUpdate> => {
  now += 3_600_000
  return updateList({ store: kit.store, clock, pauseMs: 0 }, list, options)
}
const planOf = (result: ListUpdate) =>
  result.outcome === 'unchanged'
    ? 'unchanged'
    : Object.fromEntries(
        result.report.plan.map(({ network, label, fate, count }) => [`${network} ${label} ${fate}`, count]),
      )
const serve = (path: string, body: string, etag?: string) =>
  pages.set(path, etag === undefined ? { body } : { body, etag })

const bodyOf = async (address: string, network: Network = 'ETH') => {
  const [verdict] = await scoring.rescore(network, [address], now)
  return verdict?.seen ? fraudBody.parse(JSON.parse(verdict.body)) : undefined
}
const sanctioned = async (address: string, network: Network = 'ETH') =>
  (await bodyOf(address, network))?.forensic_details.sanctioned
const everything = () =>
  kit.store.query('SELECT network, address, label, detector, revoked, version FROM address_labels FINAL ORDER BY ALL')

const party = (id: number, ...addresses: string[]): Party => ({
  id,
  name: `PARTY ${id}`,
  programmes: ['CYBER2', 'DPRK3'],
  wallets: addresses.map((address) => ['ETH', address] as const),
})
const many = (count: number, from = 0) => Array.from({ length: count }, (_, n) => named(`p${from + n}`))

test('a list arrives, is asked for again at no cost, changes, and who vanishes from it is closed', async () => {
  const [a = '', b = '', c = ''] = many(3)
  serve('/sdn.xml', sdnXml([party(1, a), party(2, b)], '2026-08-22'), '"1"')
  const dry = await update(OFAC(), { dryRun: true })
  expect([dry.outcome, planOf(dry)]).toEqual(['previewed', { 'ETH sanctioned new': 2 }])
  expect(await everything()).toEqual([])
  expect(planOf(await update(OFAC()))).toEqual({ 'ETH sanctioned new': 2 })
  expect([await sanctioned(a), await sanctioned(b), await bodyOf(c)]).toEqual(['1', '1', undefined])
  expect((await bodyOf(a))?.sanctionData).toMatchObject([
    {
      category: 'sanctions',
      name: 'PARTY 1',
      description: 'Listed by ofac, version 2026-08-22, under CYBER2, DPRK3',
      url: 'https://sanctionssearch.ofac.treas.gov/Details.aspx?id=1',
      isSanctioned: true,
    },
  ])
  const before = await everything()
  expect(await update(OFAC())).toEqual({ list: 'ofac', outcome: 'unchanged', version: '2026-08-22' })
  // The same labels in a newer version are no change either.
  serve('/sdn.xml', sdnXml([party(1, a), party(2, b)], '2026-08-23'), '"2"')
  expect(planOf(await update(OFAC()))).toEqual({ 'ETH sanctioned unchanged': 2 })
  expect(await everything()).toEqual(before)
  serve('/sdn.xml', sdnXml([party(1, a), party(3, c)], '2026-08-24'), '"3"')
  expect(planOf(await update(OFAC()))).toEqual({
    'ETH sanctioned new': 1,
    'ETH sanctioned retracted': 1,
    'ETH sanctioned unchanged': 1,
  })
  expect([await sanctioned(a), await bodyOf(b), await sanctioned(c)]).toEqual(['1', undefined, '1'])
  expect(await kit.store.query('SELECT revoked FROM address_labels FINAL WHERE address = {b:String}', { b })).toEqual([
    { revoked: 1 },
  ])
  expect((await listStates(kit.store)).get('ofac')).toMatchObject({
    outcome: 'applied',
    version: '2026-08-24',
    labels: 2,
    confirmedAt: now,
  })
})

test('a list that cannot be right is refused as a whole, and the next right one is taken', async () => {
  const all = many(60)
  const list = (addresses: readonly string[], day = '2026-08-22') =>
    sdnXml(
      addresses.map((address, index) => party(index + 1, address)),
      day,
    )
  serve('/sdn.xml', list(all))
  await update(OFAC())
  const before = await everything()
  const wrong: [string, string, string][] = [
    ['a web page', '<!doctype html><h1>Maintenance</h1>', 'ASSAY_LABELS_SOURCE_REFUSED'],
    ['nothing', '', 'ASSAY_LABELS_SOURCE_REFUSED'],
    ['an empty list', list([]), 'ASSAY_LABELS_EMPTY'],
    ['a fragment', list(all).slice(0, 9_000), 'ASSAY_LABELS_UNREADABLE'],
    ['half of it', list(all.slice(30)), 'ASSAY_LABELS_SHRUNK'],
    ['an older one', list(all, '2026-08-21'), 'ASSAY_LABELS_OLDER'],
    ['addresses that are none', list(all.map((address) => `${address}00`)), 'ASSAY_LABELS_EMPTY'],
    ['some that are none', list(all.map((address, n) => (n < 5 ? `${address}0` : address))), 'ASSAY_LABELS_REFUSED'],
    ['an entity', `<!DOCTYPE sdnList [<!ENTITY a "b">]>${list(all)}`, 'ASSAY_LABELS_UNREADABLE'],
    ['thousands more', list([...all, ...many(1_100, 100)]), 'ASSAY_LABELS_GREW'],
  ]
  for (const [what, body, code] of wrong) {
    serve('/sdn.xml', body)
    await expect(update(OFAC()), what).rejects.toMatchObject({ code })
    expect(await everything(), what).toEqual(before)
    expect((await listStates(kit.store)).get('ofac'), what).toMatchObject({
      outcome: 'refused',
      version: '2026-08-22',
      message: expect.stringContaining('Nothing was changed'),
    })
  }
  pages.clear()
  await expect(update(OFAC())).rejects.toMatchObject({ code: 'ASSAY_LABELS_SOURCE_REFUSED' })
  pages.set('/sdn.xml', { body: '', status: 503 })
  await expect(update(OFAC())).rejects.toMatchObject({ code: 'ASSAY_LABELS_SOURCE_FAILED' })
  expect((await listStates(kit.store)).get('ofac')).toMatchObject({ outcome: 'failed', labels: 60 })
  expect(await everything()).toEqual(before)
  // One typing error of an authority leaves out one address; what a person accepts is applied.
  serve('/sdn.xml', list([...all, `${named('typo')}0`]))
  expect(planOf(await update(OFAC()))).toEqual({ 'ETH sanctioned unchanged': 60 })
  serve('/sdn.xml', list(all.slice(30)))
  expect(planOf(await update(OFAC(), { accept: true }))).toMatchObject({ 'ETH sanctioned retracted': 30 })
})

test('a list that was taken over accuses no router, no coin and no exchange; an authority is believed, and shown', async () => {
  const [router = ''] = [...infrastructureOf('ETH')].flatMap(([address, { category }]) =>
    category === 'dex' ? [address] : [],
  )
  const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
  const [exchange = '', thief = ''] = many(2)
  const directory: LabelList = {
    ...known('etherscan-labels'),
    documents: [{ url: urlOf('/services.json'), network: 'evm' }],
  }
  serve('/services.json', JSON.stringify({ [exchange]: { name: 'Kraken 4', labels: ['kraken'] } }))
  expect(planOf(await update(directory))).toEqual({ 'ETH service new': 1 })
  serve('/scams.json', JSON.stringify([router, usdc, exchange, thief]))
  const report = await update(SCAMS())
  expect(report).toMatchObject({
    outcome: 'applied',
    report: {
      skipped: [{ why: 'accuses known public infrastructure', count: 2 }],
      conflicts: [{ label: 'phishing', other: 'service', detector: 'etherscan-labels', count: 1 }],
    },
  })
  const flagged = async (address: string) => (await bodyOf(address))?.forensic_details.phishing_activities
  expect([await flagged(router), await flagged(usdc), await flagged(exchange), await flagged(thief)]).toEqual([
    undefined,
    undefined,
    '0',
    '1',
  ])
  // A directory accuses nobody, and an accuser vouches for nobody and sanctions nobody.
  serve('/services.json', JSON.stringify({ [exchange]: { name: '', labels: ['kraken', 'phish-hack', 'sanctioned'] } }))
  expect(planOf(await update(directory))).toEqual({ 'ETH service changed': 1 })
  const bold: LabelList = { ...SCAMS(), label: 'service' }
  await expect(update(bold)).rejects.toMatchObject({ code: 'ASSAY_LABELS_EMPTY' })
  // OFAC itself is believed: it has listed contracts before. The report names them.
  serve('/sdn.xml', sdnXml([party(1, router), party(2, thief)]))
  expect(await update(OFAC())).toMatchObject({ report: { overruled: [`ETH ${router}`] } })
  expect([await sanctioned(router), await sanctioned(thief)]).toEqual(['1', '1'])
})

test('of two updates at once one is refused, and a dead one does not block for ever', async () => {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  pages.set('/sdn.xml', { body: sdnXml([party(1, named('a'))]), gate })
  const first = update(OFAC())
  const second = update(OFAC())
  const third = updateList({ store: kit.store, clock, pauseMs: 0 }, OFAC())
  const settled = Promise.allSettled([first, second, third])
  await expect(
    Promise.any(
      [first, second, third].map((one) =>
        one.then(
          () => Promise.reject(new Error('done')),
          (error: unknown) => error,
        ),
      ),
    ),
  ).resolves.toMatchObject({
    code: 'ASSAY_LABELS_UPDATE_RUNNING',
  })
  open()
  const outcomes = (await settled).map((one) => (one.status === 'fulfilled' ? one.value.outcome : one.reason.code))
  expect(outcomes.toSorted()).toEqual(['ASSAY_LABELS_UPDATE_RUNNING', 'ASSAY_LABELS_UPDATE_RUNNING', 'applied'])
  // What a kill leaves behind.
  const state = (await listStates(kit.store)).get('ofac')!
  const at = new Date(now).toISOString().slice(0, -1).replace('T', ' ')
  await kit.store.insert(
    'label_updates',
    `${JSON.stringify({ source: 'ofac', generation: String(state.generation + 1n), owner: 'dead', outcome: 'running', at })}\n`,
  )
  await expect(updateList({ store: kit.store, clock }, OFAC())).rejects.toMatchObject({
    code: 'ASSAY_LABELS_UPDATE_RUNNING',
  })
  expect((await update(OFAC())).outcome).toBe('applied')
})

test('several documents are one list: when one is missing nothing changes, and when one changed all are read', async () => {
  const documents = [
    { url: urlOf('/ETH.txt'), network: 'evm' },
    { url: urlOf('/TRX.txt'), network: 'trx' },
  ]
  const list: LabelList = { ...known('ofac-extract'), documents }
  const tron = 'TFdTr9C3BqQrzKBXqSxJfAZFTh8UwBAfSg'
  serve('/ETH.txt', `${named('a')}\n`, '"e1"')
  await expect(update(list)).rejects.toMatchObject({ code: 'ASSAY_LABELS_SOURCE_REFUSED' })
  expect(await everything()).toEqual([])
  serve('/TRX.txt', `${tron}\n`, '"t1"')
  expect(planOf(await update(list))).toEqual({ 'ETH sanctioned new': 1, 'TRON sanctioned new': 1 })
  serve('/ETH.txt', `${named('a')}\n${named('b')}\n`, '"e2"')
  expect(planOf(await update(list))).toEqual({
    'ETH sanctioned new': 1,
    'ETH sanctioned unchanged': 1,
    'TRON sanctioned unchanged': 1,
  })
  expect((await update(list)).outcome).toBe('unchanged')
  // Read in another way, the same bytes are asked for again.
  expect(planOf(await update({ ...list, confidence: 0.99 }))).toMatchObject({ 'TRON sanctioned changed': 1 })
})

test('whatever a list states beside an address, the record of it stands', async () => {
  const odd = [
    { name: 1, programme: ['A', 'B'], source: 'javascript:alert(1)', listed: '2026-99-99' },
    { name: 'x'.repeat(10_000), programme: null, source: 'file:///etc/passwd', listed: 'yesterday' },
    { name: 'KNOWN', programme: 'SDGT', source: 'https://example.com/1', listed: '2020-02-29' },
  ]
  const addresses = many(odd.length, 500)
  serve('/odd.json', JSON.stringify(odd.map((more, n) => ({ address: addresses[n], network: 'ETH', ...more }))))
  const list: LabelList = { ...known('ofac'), name: 'odd', format: 'list', documents: [{ url: urlOf('/odd.json') }] }
  expect(planOf(await update(list))).toEqual({ 'ETH sanctioned new': 3 })
  const [first, second, third] = await Promise.all(addresses.map((address) => bodyOf(address)))
  expect(first?.sanctionData).toMatchObject([{ name: '1', url: null, isSanctioned: true }])
  expect(second?.sanctionData[0]?.name).toHaveLength(200)
  expect(second?.sanctionData).toMatchObject([{ url: null, isSanctioned: true }])
  expect(third?.sanctionData).toMatchObject([
    { name: 'KNOWN', url: 'https://example.com/1', createdAt: '2020-02-29T00:00:00.000Z', isSanctioned: true },
  ])
})

test('a fresh store knows the sanctioned addresses of every network of ours, with no download', async () => {
  await shipLabels(kit.store)
  const shipped = shippedAddresses()
  expect(new Set(shipped.map(({ network, address }) => `${network} ${address}`)).size).toBe(385)
  expect(asked).toEqual([])
  for (const network of new Set(shipped.map((row) => row.network))) {
    const addresses = shipped.filter((row) => row.network === network).map((row) => row.address)
    const verdicts = await scoring.rescore(network, addresses, now)
    expect(verdicts.filter(({ status, probability }) => status === 'Fraud' && probability === 1).length).toBe(
      addresses.length,
    )
  }
  const { sanctionData, forensic_details, status } = (await bodyOf(
    '0x098b716b8aaf21512996dc57eb0615e2383e2f96',
    'BASE',
  ))!
  expect([status, forensic_details.sanctioned, forensic_details.data_source]).toEqual(['Fraud', '1', 'ofac'])
  expect(sanctionData).toMatchObject([
    {
      name: 'ofac',
      description: `Listed by ofac, version ${SANCTIONED.date}`,
      url: SANCTIONED.link,
      isSanctioned: true,
    },
  ])
  // None of them is public infrastructure, nor was taken off the list before it was copied.
  for (const { network, address } of shipped) expect(infrastructureOf(network).get(address), address).toBeUndefined()
  // Another start changes nothing, and what people and updates state later stands.
  const before = await everything()
  await shipLabels(kit.store)
  expect(await everything()).toEqual(before)
  const [first] = shipped
  await retractLabels(kit.store, { networks: [], addresses: [first!.address], labels: [], detector: 'ofac' }, now)
  await kit.store.command('TRUNCATE TABLE label_updates')
  await shipLabels(kit.store)
  expect(await bodyOf(first!.address)).toBeUndefined()
})

test('a newer copy closes what it no longer names, and never overrules a later update', async () => {
  const older = Date.parse(SANCTIONED.date) - 86_400_000
  await kit.store.insert(
    'address_labels',
    `${JSON.stringify({ network: 'ETH', address: named('gone'), label: 'sanctioned', detector: 'ofac', class: 'asserted', confidence: 1, detector_version: '2026-08-21', evidence: '{}', revoked: 0, found_at: older / 1_000, version: older })}\n`,
  )
  expect(await sanctioned(named('gone'))).toBe('1')
  await shipLabels(kit.store)
  expect(await bodyOf(named('gone'))).toBeUndefined()
  await kit.truncate()
  serve('/sdn.xml', sdnXml([party(1, named('a'))], '2026-09-01'))
  await update(OFAC())
  await shipLabels(kit.store)
  expect(await everything()).toHaveLength(1)
  await kit.truncate()
  // Somebody imported the list by hand.
  const rows = async function* () {
    yield* []
  }
  await expect(
    importLabels({ store: kit.store, clock }, { file: 'x', source: 'ofac', label: 'sanctioned', rows, replace: true }),
  ).rejects.toMatchObject({ code: expect.stringMatching(/^ASSAY_LABELS_/) })
})

test('who retracted an entry of the copy gets the names of a newer one, and the entry stays retracted', async () => {
  const shipped = shippedAddresses()
  const [first, ...others] = shipped
  const older = Date.parse(SANCTIONED.date) - 86_400_000
  const row = (revoked: number, at: number) =>
    `${JSON.stringify({ network: first!.network, address: first!.address, label: 'sanctioned', detector: 'ofac', class: 'asserted', confidence: 1, detector_version: '2026-08-21', evidence: '{}', revoked, found_at: at / 1_000, version: at })}\n`
  await kit.store.insert('address_labels', row(0, older) + row(1, Date.parse(SANCTIONED.date) + 86_400_000))
  await shipLabels(kit.store)
  const inForce = await kit.store.query<{ address: string }>(
    "SELECT address FROM current_labels WHERE detector = 'ofac'",
  )
  expect(inForce).toHaveLength(others.length)
  expect(inForce.map(({ address }) => address)).not.toContain(first!.address)
})

test('a list that is dated in the future does not keep the right ones out', async () => {
  const [a = '', b = ''] = many(2)
  serve('/sdn.xml', sdnXml([party(1, a)], '2099-01-01'))
  await update(OFAC())
  serve('/sdn.xml', sdnXml([party(1, a), party(2, b)], '2026-08-23'))
  expect(planOf(await update(OFAC()))).toMatchObject({ 'ETH sanctioned new': 1 })
})
