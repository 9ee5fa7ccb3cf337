import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type ImportReport, importLabels } from '../../../../deploy/commands/labels/importer.ts'
import { readLabels } from '../../../../deploy/commands/labels/read.ts'
import { createRandom } from '../../../../deploy/demo/scenario/random.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import { readSql } from '../../../../platform/store/sql.ts'
import { parseAddress, tronFromEvm } from '../../../../schema/address/index.ts'
import type { Network } from '../../../../schema/networks.ts'
import { fraudBody } from '../../../../schema/records/fraud.ts'
import { SANCTIONS_ORACLES } from '../../../../schema/registry/authorities.ts'
import { infrastructureOf } from '../../../../schema/registry/infrastructure.ts'
import { listLabels, retractLabels, walletsAffected } from '../../../../scorer/ledger/labels/list.ts'
import { GUARDS } from '../../../../scorer/ledger/labels/vocabulary.ts'
import { writeLabels } from '../../../../scorer/ledger/labels/write.ts'
import { createRescore, type Rescore, WALLETS_AT_ONCE } from '../../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import type { Verdict } from '../../../../scorer/scoring/verdict.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { sized } from '../../../kit/thorough.ts'
import { insertRows, named, rowsOf, type Tx } from '../../../kit/world/transactions.ts'

let kit: TestStore
let scoring: Rescore
const folder = mkdtempSync(join(tmpdir(), 'assay-labels-'))
beforeAll(async () => {
  kit = await openTestStore()
  scoring = createRescore({
    context: { metrics: createMetrics(), clock: systemClock },
    store: kit.store,
    model: createWalletModel(),
  })
})
beforeEach(() => kit.truncate())
afterAll(async () => {
  await kit.close()
  rmSync(folder, { recursive: true, force: true })
})

const NOW = Date.UTC(2026, 0, 1)
const LABELS = readSql(import.meta.url, '../../../../scorer/ledger/labels/sql/labels.sql')
const REPUTATION = readSql(import.meta.url, '../../../../scorer/ledger/labels/reputation/labels.sql')
const ETH = 10n ** 18n
const file = (name: string, text: string): string => {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}
type Request = Parameters<typeof importLabels>[1]
const load = (request: Request): Promise<ImportReport> =>
  importLabels({ store: kit.store, clock: systemClock }, { network: 'ETH', ...request })
const planOf = ({ plan }: ImportReport) =>
  Object.fromEntries(plan.map(({ network, label, fate, count }) => [`${network} ${label} ${fate}`, count]))
const inForce = async (filter = {}) => {
  const found: string[] = []
  for await (const row of listLabels(kit.store, { networks: [], addresses: [], labels: [], ...filter })) {
    found.push(`${row.network} ${row.address} ${row.label} ${row.detector} ${row.detector_version}`)
  }
  return found
}
const score = async (addresses: readonly string[], network: Network = 'ETH') =>
  new Map((await scoring.rescore(network, addresses, NOW)).map((scored) => [scored.address, scored]))
const flagsOf = (scored: Verdict | undefined): string[] => {
  if (!scored?.seen) return []
  const { forensic_details } = fraudBody.parse(JSON.parse(scored.body))
  return Object.entries(forensic_details).flatMap(([name, value]) =>
    value === '0' || value === '' || name === 'data_source' ? [] : [name],
  )
}
const one = async (address: string, network: Network = 'ETH') => flagsOf((await score([address], network)).get(address))

const X = named('x')
const Y = named('y')
const Z = named('z')

test('of a finding the newest version counts, in whatever order its versions came, and not once it is taken back', async () => {
  const { pick, below } = createRandom(7)
  const newest = new Map<string, { confidence: number; foundAt: number; revoked: boolean }>()
  for (let n = 0; n < 60; n += 1) {
    const finding = {
      network: pick<Network>(['ETH', 'BNB']),
      address: pick([X, Y, Z]),
      label: pick(['phishing', 'theft']),
      detector: pick(['copy', 'list']),
      class: 'reported',
      confidence: pick([0.5, 0.75, 1]),
      detector_version: `${n}`,
      evidence: { n },
      tx_hash: '',
      block_number: n,
      foundAt: NOW + ((n * 37) % 61),
      revoked: below(10) < 3,
    } as const
    await writeLabels(kit.store, [finding])
    const { confidence, foundAt, revoked } = finding
    const key = `${finding.network} ${finding.address} ${finding.label} ${finding.detector}`
    if (foundAt > (newest.get(key)?.foundAt ?? 0)) newest.set(key, { confidence, foundAt, revoked })
  }
  const expected = [...newest].flatMap(([key, { revoked, confidence }]) => (revoked ? [] : [`${key} ${confidence}`]))
  expect(expected.length).toBeGreaterThan(3)
  expect(expected.length).toBeLessThan(newest.size)
  type Row = { network: string; address: string; label: string; detector: string; confidence: number }
  const rows = await kit.store.query<Row>(LABELS, { networks: ['ETH', 'BNB'], addresses: [X, Y, Z] })
  const found = rows.map((row) => `${row.network} ${row.address} ${row.label} ${row.detector} ${row.confidence}`)
  expect(found).toEqual(expected.toSorted())
  expect(await kit.store.query(REPUTATION, { network: 'ETH', addresses: [X, Y, Z] })).toEqual(
    rows
      .filter(({ network }) => network === 'ETH')
      .map(({ address, label, confidence }) => ({ address, label, class: 'reported', confidence })),
  )
})

test('a dry run tells everything and changes nothing; an import says what it did', async () => {
  const list = file(
    'scams_2026-01-02.csv',
    `address,category,currency\n${X},phishing,ETH\n${Y},exchange,ETH\n${Z},scam,BTC\n`,
  )
  const dry = await load({ file: list, dryRun: true })
  expect(dry).toMatchObject({
    source: 'scams',
    version: '2026-01-02',
    rows: 3,
    applied: false,
    skipped: [{ why: 'unsupported network: BTC', count: 1 }],
    refused: { count: 0 },
  })
  expect(planOf(dry)).toEqual({ 'ETH phishing new': 1, 'ETH service new': 1 })
  expect(await inForce()).toEqual([])
  expect((await load({ file: list })).applied).toBe(true)
  expect(await inForce()).toEqual([`ETH ${X} phishing scams 2026-01-02`, `ETH ${Y} service scams 2026-01-02`])
  expect(await kit.store.query('SELECT count() AS rows FROM label_imports')).toEqual([{ rows: '0' }])
})

test('an import that died after its labels and before their names is whole after it ran again', async () => {
  const list = file('listed.csv', `address\n${X}\n`)
  await load({ file: list, label: 'sanctioned', source: 'ofac' })
  expect(await one(X)).toContain('sanctioned')
  // What a kill between the two inserts of the labels and of their view leaves behind.
  await kit.store.command('TRUNCATE TABLE labelled_addresses')
  expect(await one(X)).toEqual([])
  await load({ file: list, label: 'sanctioned', source: 'ofac' })
  expect(await one(X)).toContain('sanctioned')
})

test('a broken row refuses the whole list, by its line; without it the rest can be taken', async () => {
  const list = file('bad.csv', `address,category\n${X},phishing\n0x12,phishing\n${Y},phishing\n`)
  const report = await load({ file: list })
  expect(report.applied).toBe(false)
  expect(report.refused).toEqual({ count: 1, first: [{ place: 'line 3', why: expect.stringContaining('0x12') }] })
  expect(await inForce()).toEqual([])
  expect((await load({ file: list, skipBad: true })).applied).toBe(true)
  expect(await inForce()).toHaveLength(2)
})

test('importing again changes nothing; a newer version changes, and with replace retracts', async () => {
  const v1 = file('l_2026-01-01.csv', `address,category\n${X},phishing\n${Y},phishing\n`)
  await load({ file: v1 })
  const writes = () => kit.store.query<{ n: string }>('SELECT count() AS n FROM address_labels')
  const before = await writes()
  expect(planOf(await load({ file: v1 }))).toEqual({ 'ETH phishing unchanged': 2 })
  expect(await writes()).toEqual(before)
  const v2 = file('l_2026-02-01.csv', `address,category\n${X},phishing\n${Z},scam\n`)
  expect(planOf(await load({ file: v2, replace: true }))).toEqual({
    'ETH financial_crime new': 1,
    'ETH phishing changed': 1,
    'ETH phishing retracted': 1,
  })
  expect(await inForce()).toEqual([`ETH ${X} phishing l 2026-02-01`, `ETH ${Z} financial_crime l 2026-02-01`])
  // What was retracted can be said again.
  await load({ file: v1 })
  expect(await inForce({ labels: ['phishing'] })).toHaveLength(2)
  await expect(load({ file: file('l_2026-03-01.csv', 'address,category\n'), replace: true })).rejects.toMatchObject({
    code: 'ASSAY_LABELS_EMPTY',
  })
})

test('a list that withdraws a row retracts it', async () => {
  await load({ file: file('w.csv', `address,in_current_list\n${X},1\n${Y},1\n`), label: 'drainer' })
  const later = await load({
    file: file('w.csv', `address,in_current_list\n${X},1\n${Y},0\n${Z},0\n`),
    label: 'drainer',
  })
  expect(planOf(later)).toEqual({ 'ETH drainer changed': 1, 'ETH drainer retracted': 1 })
  expect(await inForce()).toEqual([expect.stringContaining(X)])
})

test('a list that accuses an address in one row and withdraws it in another accuses nobody, in whatever order', async () => {
  const rows = [`${X},1\n`, `${X},0\n`]
  for (const [n, text] of [rows, rows.toReversed()].entries()) {
    await load({ file: file(`both${n}.csv`, `address,in_current_list\n${text.join('')}${Y},1\n`), label: 'drainer' })
    expect((await inForce()).filter((row) => row.includes(`both${n}`))).toEqual([expect.stringContaining(Y)])
  }
  expect(await one(X)).toEqual([])
})

test('labels are taken back by address or by list, and what rests on them is found', async () => {
  await load({ file: file('a.txt', `${X}\n${Y}\n`), label: 'phishing' })
  await load({ file: file('b.txt', `${X}\n`), label: 'theft' })
  await insertRows(kit.store, rowsOf([{ from: X, to: Z, block: 1, value: ETH }]))
  const { saveRecords } = await import('../../../../scorer/scoring/stored.ts')
  await saveRecords(kit.store, await scoring.rescore('ETH', [X], NOW))
  const affected: unknown[] = []
  for await (const some of walletsAffected(kit.store, 0)) affected.push(some)
  expect(affected).toEqual([{ network: 'ETH', addresses: [X] }])
  await retractLabels(kit.store, { networks: [], addresses: [X], labels: [], detector: 'a' }, Date.now())
  expect(await inForce()).toEqual([expect.stringContaining(`${X} theft b`), expect.stringContaining(`${Y} phishing a`)])
  await retractLabels(kit.store, { networks: [], addresses: [], labels: [], detector: 'b' }, Date.now())
  expect(await inForce()).toHaveLength(1)
})

test('an export reads back as the same labels', async () => {
  await load({ file: file('p.csv', `address,category,name\n${X},phishing,"Fake, ""shop"""\n${Y},exchange,\n`) })
  const rows: object[] = []
  for await (const row of listLabels(kit.store, { networks: [], addresses: [], labels: [] })) rows.push(row)
  const out = file('out.jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const report = await load({ file: out, network: undefined, source: 'copy' })
  expect(planOf(report)).toEqual({ 'ETH phishing new': 1, 'ETH service new': 1 })
  const found = await kit.store.query<{ confidence: number; class: string }>(
    "SELECT confidence, class FROM current_labels WHERE detector = 'copy' AND label = 'phishing'",
  )
  expect(found).toEqual([{ confidence: expect.closeTo(0.9), class: 'reported' }])
})

test('delisted is not sanctioned, whatever is loaded before or after; an oracle on chain speaks for itself', async () => {
  const listed = file('ofac_2024-09-27.txt', `${X}\n${Y}\n`)
  await load({ file: listed, label: 'sanctioned', source: 'ofac' })
  expect([await one(X), await one(Y)]).toEqual([['sanctioned'], ['sanctioned']])
  await expect(load({ file: file('ofac_delisted.csv', `address\n${X}\n`), label: 'sanctioned' })).rejects.toMatchObject(
    {
      code: 'ASSAY_LABELS_DELISTED',
    },
  )
  const gone = await load({ file: file('ofac_delisted.csv', `address\n${X}\n`), label: 'delisted' })
  expect(gone.conflicts).toEqual([{ label: 'delisted', other: 'sanctioned', detector: 'ofac', count: 1 }])
  await load({ file: listed, label: 'sanctioned', source: 'another' })
  expect([await one(X), await one(Y), await one(X, 'BASE')]).toEqual([[], ['sanctioned'], []])
  const [oracle = ''] = SANCTIONS_ORACLES.ETH.keys()
  const add: Tx = {
    from: named('boss'),
    to: oracle,
    block: 2,
    actions: [{ do: 'authority', authority: oracle, event: 'sanction_add', subject: X }],
  }
  await insertRows(kit.store, rowsOf([add]))
  expect(await one(X)).toEqual(['sanctioned'])
})

test('what is said of a key holds on every network that shares it, TRON in its own spelling; contracts keep to theirs', async () => {
  await load({ file: file('evm.txt', `${X}\n${Y}\n`), label: 'phishing' })
  const tron = tronFromEvm(Z)!
  await load({ file: file('tron.txt', `${tron}\n`), network: 'TRON', label: 'theft' })
  await load({ file: file('made.csv', `contract_address,category\n${named('code')},phishing\n`) })
  const networks: Network[] = ['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ']
  for (const network of networks) expect([network, await one(X, network)]).toEqual([network, ['phishing_activities']])
  expect(await one(tronFromEvm(X)!, 'TRON')).toEqual(['phishing_activities'])
  for (const network of networks) expect([network, await one(Z, network)]).toEqual([network, ['stealing_attack']])
  expect(await one(tron, 'TRON')).toEqual(['stealing_attack'])
  // A creation on either side parts the two.
  const made = (network: Network, address: string) =>
    insertRows(
      kit.store,
      rowsOf([{ from: named('m'), to: '', block: 1, actions: [{ do: 'create', contract: address }] }], { network }),
    )
  await made('BASE', Y)
  await made('TRON', tron)
  expect([await one(Y), await one(Y, 'BASE'), await one(Y, 'BNB')]).toEqual([
    ['phishing_activities'],
    [],
    ['phishing_activities'],
  ])
  expect([await one(tron, 'TRON'), await one(Z)]).toEqual([['stealing_attack'], []])
  // What its list calls a contract is not joined, creation seen or not.
  expect([await one(named('code')), await one(named('code'), 'BNB')]).toEqual([['phishing_activities'], []])
})

test('called honest and guilty: guards win over lists and detectors, authorities win over guards', async () => {
  await load({ file: file('good.txt', `${X}\n${Y}\n`), label: 'service' })
  await load({ file: file('fine.txt', `${Z}\n`), label: 'benign' })
  const report = await load({ file: file('evil.txt', `${X}\n${Z}\n`), label: 'phishing' })
  expect(report.conflicts).toEqual([
    { label: 'phishing', other: 'benign', detector: 'fine', count: 1 },
    { label: 'phishing', other: 'service', detector: 'good', count: 1 },
  ])
  await load({ file: file('ofac.txt', `${Y}\n`), label: 'sanctioned' })
  const scored = await score([X, Y, Z])
  expect([...scored.values()].map(flagsOf)).toEqual([[], ['sanctioned'], []])
  expect(scored.get(X)!.unknowns).toContainEqual(
    expect.stringMatching(/^phishing_activities: evil found it, but only authorities/),
  )
})

test('who made what a list accuses by mistake, or runs a launchpad, is not flagged', async () => {
  const create = (maker: string, contract: string, block: number): Tx => ({
    from: named(maker),
    to: '',
    block,
    actions: [{ do: 'create', contract: named(contract) }],
  })
  await insertRows(kit.store, rowsOf([create('a', 'c1', 1), create('b', 'c2', 1), create('pad', 'c3', 1)]))
  await load({ file: file('evil.txt', `${named('c1')}\n${named('c2')}\n${named('c3')}\n`), label: 'drainer' })
  await load({ file: file('good.txt', `${named('c2')}\n${named('pad')}\n`), label: 'service' })
  expect([await one(named('a')), await one(named('b')), await one(named('pad'))]).toEqual([
    ['number_of_malicious_contracts_created', 'phishing_activities'],
    [],
    [],
  ])
  const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
  const wrong = await load({ file: file('wrong.txt', `${usdc}\n`), label: 'drainer' })
  expect(wrong.skipped).toEqual([{ why: 'accuses known public infrastructure', count: 1 }])
})

test('a popular contract and an exchange by its numbers are safe from detectors, not from lists', async () => {
  const hub = named('hub')
  const dusty = named('dusty')
  const users = (n: number) => `0x${(n + 1).toString(16).padStart(40, '0')}`
  await insertRows(
    kit.store,
    rowsOf([
      { from: named('maker'), to: '', block: 1, actions: [{ do: 'create', contract: hub }] },
      ...Array.from({ length: 1_100 }, (_, n): Tx => ({ from: users(n), to: hub, block: 2, call: true })),
      ...Array.from({ length: 1_100 }, (_, n): Tx => ({ from: dusty, to: users(n), block: 3, value: 1n })),
    ]),
  )
  const found = (address: string) => ({
    network: 'ETH' as const,
    address,
    label: 'phishing',
    detector: 'some-rule',
    class: 'detected' as const,
    confidence: 0.95,
    detector_version: '1',
    evidence: {},
    tx_hash: '',
    block_number: 1,
    foundAt: NOW,
  })
  await writeLabels(kit.store, [found(hub), found(dusty)])
  expect([await one(hub), await one(dusty)]).toEqual([[], ['phishing_activities']])
  await load({ file: file('list.txt', `${hub}\n`), label: 'phishing' })
  expect(await one(hub)).toEqual(['phishing_activities'])
})

const DATA = join(process.env.ASSAY_LABELLED_DATA ?? join(import.meta.dirname, '../../../../../shared/data'), 'labels')
/** Of so many honest addresses in a row one is scored, and every one that a list accuses: those are flagged where a guard is lost. */
const EACH = sized(16, 1)
const honestOf = async (name: string, network: Network, words: readonly string[]): Promise<string[]> => {
  const found: string[] = []
  for await (const row of readLabels(join(DATA, name))) {
    const parsed = parseAddress(network, row.address)
    if (parsed.ok && (words.length === 0 || row.words.some((word) => words.includes(word))))
      found.push(parsed.canonical)
  }
  return [...new Set(found)]
}

test.skipIf(!existsSync(DATA))(
  'with every list loaded, no honest service is flagged, whatever its contacts; the guilty are (skipped without the labelled data)',
  async () => {
    const lists: Request[] = [
      { file: 'chain1_phishing_scams.csv' },
      { file: 'chain1_malicious_smart_contracts.csv' },
      { file: 'chain1_etherscan_malicious_labels.csv' },
      { file: 'address_first_seen.csv', label: 'drainer' },
      { file: 'poisoning_transfers.csv', label: 'poisoning', addressColumn: 'attacker' },
      { file: 'tags_account_chains.csv', network: undefined },
      { file: 'ofac_current_2026-08-22.csv', label: 'sanctioned', network: undefined },
      { file: 'ofac_evm_delisted_since_2024-09.csv', label: 'delisted' },
      { file: 'etherscan_combinedAllLabels.json' },
      { file: 'bscscan_combinedAllLabels.json', network: 'BNB' },
      { file: 'polygonscan_combinedAllLabels.json', network: 'POLYGON' },
      { file: 'benign_addresses_on_etherscan.txt', label: 'benign' },
    ]
    for (const list of lists) {
      const report = await load({ skipBad: true, ...list, file: join(DATA, list.file) })
      expect([list.file, report.applied]).toEqual([list.file, true])
      expect([list.file, report.refused.count < 5]).toEqual([list.file, true])
    }
    const places = [
      'exchange',
      'dex',
      'bridge',
      'binance',
      'kucoin',
      'huobi',
      'kraken',
      'sushiswap',
      'balancer',
      'curve-fi',
    ]
    const all = [
      ...(await honestOf('benign_addresses_on_etherscan.txt', 'ETH', [])),
      ...(await honestOf('etherscan_combinedAllLabels.json', 'ETH', places)),
      ...infrastructureOf('ETH').keys(),
    ]
    expect(all.length).toBeGreaterThan(8_000)
    const rows = await kit.store.query<{ address: string }>(
      "SELECT DISTINCT address FROM current_labels WHERE network = 'ETH' AND label NOT IN {guards:Array(String)}",
      { guards: [...GUARDS] },
    )
    const accused = new Set(rows.map(({ address }) => address))
    const honest = all.filter((address, nth) => nth % EACH === 0 || accused.has(address))
    expect(honest.filter((address) => accused.has(address)).length).toBeGreaterThan(5)
    const guilty = await honestOf('chain1_etherscan_malicious_labels.csv', 'ETH', [])
    // Every honest address deals with the guilty, both ways, and nothing else.
    await insertRows(
      kit.store,
      rowsOf(
        honest.flatMap((address, n): Tx[] => [
          { from: guilty[n % guilty.length]!, to: address, block: 1 + (n % 50), value: ETH },
          { from: address, to: guilty[(n * 7) % guilty.length]!, block: 60 + (n % 50), value: ETH },
        ]),
      ),
    )
    const wrong: string[] = []
    for (let at = 0; at < honest.length; at += WALLETS_AT_ONCE) {
      for (const [address, scored] of await score(honest.slice(at, at + WALLETS_AT_ONCE))) {
        const flags = flagsOf(scored).filter((flag) => flag !== 'mixer' || !infrastructureOf('ETH').has(address))
        if (flags.length > 0 || (scored.status === 'Fraud' && flags.length > 0))
          wrong.push(`${address} ${scored.probability} ${flags.join()}`)
      }
    }
    expect(wrong).toEqual([])
    const delisted = await honestOf('ofac_evm_delisted_since_2024-09.csv', 'ETH', [])
    for (const [, scored] of await score(delisted)) expect(flagsOf(scored)).not.toContain('sanctioned')
    const sample = guilty.slice(0, 1_000)
    const caught = [...(await score(sample)).values()].filter((scored) => scored.status === 'Fraud')
    expect(caught.length / sample.length).toBeGreaterThan(0.98)
  },
  300_000,
)
