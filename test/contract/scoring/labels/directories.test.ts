/** Directories of services, fetched as any list is, against whole directories of exchanges, bridges, solvers and searchers. */
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateList } from '../../../../deploy/commands/labels/update/update.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import type { LabelList } from '../../../../schema/facts/compliance/label-lists.ts'
import { NETWORK_CODES, type Network } from '../../../../schema/networks.ts'
import { fraudBody } from '../../../../schema/records/fraud.ts'
import { MIXER_POOLS, MIXER_ROUTERS } from '../../../../schema/registry/contracts.ts'
import { listLabels } from '../../../../scorer/ledger/labels/list.ts'
import { writeLabels } from '../../../../scorer/ledger/labels/write.ts'
import { createRescore, type Rescore, WALLETS_AT_ONCE } from '../../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { sized } from '../../../kit/thorough.ts'
import { insertRows, named, rowsOf, type Tx } from '../../../kit/world/transactions.ts'

const DATA = join(process.env.ASSAY_LABELLED_DATA ?? join(import.meta.dirname, '../../../../../shared/data'), 'labels')
const FILES = ['cex_addresses.csv', 'service_addresses.csv']
const missing = FILES.every((file) => existsSync(join(DATA, file))) ? '' : ' (skipped without the labelled data)'

/** Of so many services in a row one is scored; all of them are labelled. A guard that is lost accuses every one. */
const EACH = sized(16, 1)

const ETH = 10n ** 18n
const NOW = Date.UTC(2026, 0, 1)
let kit: TestStore
let scoring: Rescore
let server: Server
/** Documents that are no files. */
const pages = new Map<string, string>()
beforeAll(async () => {
  if (missing) return
  kit = await openTestStore()
  scoring = createRescore({
    context: { metrics: createMetrics(), clock: systemClock },
    store: kit.store,
    model: createWalletModel(),
  })
  server = createServer(({ url = '' }, response) =>
    response.end(pages.get(url) ?? readFileSync(join(DATA, url))),
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(async () => {
  server?.closeAllConnections()
  server?.close()
  await kit?.close()
})

const directory = (file: string): LabelList => ({
  name: file.replace('.csv', ''),
  title: '',
  licence: 'measured only',
  use: 'this test',
  format: 'list',
  documents: [{ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${file}` }],
  label: 'service',
  labels: ['service'],
  class: 'reported',
  complete: true,
  maxAgeHours: 1,
  maxBytes: 100_000_000,
})

/** What a service does on a day: takes from customers and from thieves, and pays out what it has to others. */
const business = (service: string, n: number): Tx[] => {
  const customer = (k: number) => `0x${(n * 16 + k + 1).toString(16).padStart(40, 'c')}`
  const first = 1 + (n % 50)
  return [
    { from: customer(0), to: service, block: first, value: ETH },
    { from: named(`thief${n % 40}`), to: service, block: first + 1, value: 20n * ETH },
    { from: service, to: customer(1), block: first + 2, value: 20n * ETH },
  ]
}

const accusedAmong = async (network: Network, addresses: readonly string[]): Promise<string[]> => {
  const accused: string[] = []
  for (let at = 0; at < addresses.length; at += WALLETS_AT_ONCE) {
    for (const verdict of await scoring.rescore(network, addresses.slice(at, at + WALLETS_AT_ONCE), NOW)) {
      if (!verdict.seen) accused.push(`${verdict.address} was not seen`)
      else if (verdict.status === 'Fraud') {
        const { forensic_details } = fraudBody.parse(JSON.parse(verdict.body))
        const flags = Object.entries(forensic_details).flatMap(([name, value]) => (value === '1' ? [name] : []))
        accused.push(`${verdict.address} ${flags.join()}`)
      }
    }
  }
  return accused
}

test.skipIf(missing)(
  `no exchange, bridge, relayer or searcher of the directories is accused for the business it does${missing}`,
  async () => {
    for (const file of FILES) {
      const update = await updateList({ store: kit.store, clock: systemClock }, directory(file))
      expect(update.outcome).toBe('applied')
    }
    const services = new Map<Network, string[]>()
    for await (const { network, address } of listLabels(kit.store, {
      networks: [],
      addresses: [],
      labels: ['service'],
    })) {
      services.set(network, [...new Set([...(services.get(network) ?? []), address])])
    }
    // Authorities speak of these whatever a directory states, and a mixer is one by name.
    for (const network of NETWORK_CODES) {
      const mixers = (address: string) => MIXER_POOLS[network].has(address) || MIXER_ROUTERS[network].has(address)
      services.set(
        network,
        (services.get(network) ?? []).filter((address) => !mixers(address)),
      )
    }
    const all = [...services.values()].reduce((sum, list) => sum + list.length, 0)
    expect(all).toBeGreaterThan(6_000)
    await writeLabels(
      kit.store,
      Array.from({ length: 40 }, (_, n) => ({
        network: 'ETH' as const,
        address: named(`thief${n}`),
        label: 'theft',
        detector: 'heists',
        class: 'reported' as const,
        confidence: 1,
        detector_version: '1',
        evidence: {},
        tx_hash: '',
        block_number: 0,
        foundAt: NOW,
      })),
    )
    for (const [network, addresses] of services)
      services.set(
        network,
        addresses.filter((_, nth) => nth % EACH === 0),
      )
    const evm = (services.get('ETH') ?? []).filter((address) => address.startsWith('0x'))
    for (let at = 0; at < evm.length; at += 1_000) {
      await insertRows(kit.store, rowsOf(evm.slice(at, at + 1_000).flatMap((address, n) => business(address, at + n))))
    }
    // A list that was taken over, or is wrong about everybody, names them all, beside somebody in no directory.
    const stranger = named('stranger')
    pages.set('/everybody.json', JSON.stringify([...evm, stranger]))
    const everybody: LabelList = {
      ...directory('everybody.json'),
      label: 'phishing',
      labels: ['phishing'],
      confidence: 0.95,
    }
    everybody.documents[0]!.network = 'evm'
    await updateList({ store: kit.store, clock: systemClock }, everybody)
    expect(await accusedAmong('ETH', [...evm, stranger])).toEqual([`${stranger} phishing_activities`])
    // On networks that share no keys with it the label alone is enough to be known.
    for (const [network, addresses] of services) {
      if (network !== 'ETH') expect([network, await accusedAmong(network, addresses)]).toEqual([network, []])
    }
  },
  400_000,
)
