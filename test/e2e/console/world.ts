/** A served API with real records of a small chain, for tests of the console. */

import { createExplanations } from '../../../api/answers/providers/explanations/explanations.ts'
import { createFraudProvider } from '../../../api/answers/providers/fraud.ts'
import type { Provider } from '../../../api/answers/providers/provider.ts'
import { createServeCounts } from '../../../api/answers/served/bases.ts'
import type { NetworkStatus } from '../../../api/http/ops.ts'
import { createAlerts } from '../../../api/monitoring/alerts/alerts.ts'
import { secret } from '../../../platform/config/config.ts'
import { SANCTIONS_ORACLES } from '../../../schema/registry/authorities.ts'
import { loadExposureReport } from '../../../scorer/ledger/exposure/load.ts'
import { writeLabels } from '../../../scorer/ledger/labels/write.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import { ENTERPRISE_KEY, memoryProvider, startApi, testContext } from '../../contract/api/kit.ts'
import { createRecordsBus, FAST, newAlert, publish, recordOf } from '../../contract/api/monitoring/webhooks.kit.ts'
import { openTestStore } from '../../kit/store/store.ts'
import { insertRows, named, rowsOf, settle, type Tx } from '../../kit/world/transactions.ts'
import {
  CHANGING,
  CREATOR,
  EXCHANGE,
  HOSTILE_NAME,
  LISTED,
  LOOK_ALIKE,
  SIBLING,
  TIME,
  TOKEN,
  TRADER,
  UNDONE,
} from './actors.ts'
import { RUG_EXPLANATION, RUG_HISTORY } from './token-told.ts'

const ETH = 10n ** 18n
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0] ?? ''
const rugProvider = (): Provider => {
  const plain = memoryProvider('rug_pull', { lookups: [], computed: [] })
  const renamed = <F extends { body: string }>(found: F | undefined) =>
    found && {
      ...found,
      body: found.body
        .replace('"PAPUToken"', JSON.stringify(HOSTILE_NAME))
        .replace('"contractCreatorAddress":null', `"contractCreatorAddress":"${CREATOR}"`),
    }
  return {
    lookup: async (subjects) => (await plain.lookup(subjects, new AbortController().signal)).map(renamed),
    compute: async (subject, signal) => renamed(await plain.compute(subject, signal)),
  }
}

const listing = (subject: string, block: number): Tx => ({
  from: named('boss'),
  to: ORACLE,
  block,
  call: true,
  actions: [{ do: 'authority', authority: ORACLE, event: 'sanction_add', subject }],
})

const TXS: Tx[] = [
  ...Array.from({ length: 14 }, (_, n): Tx => ({ from: TRADER, to: named('shop'), block: 10 + n * 40, value: ETH })),
  ...Array.from({ length: 6 }, (_, n): Tx => ({ from: EXCHANGE, to: TRADER, block: 5 + n * 40, value: 5n * ETH })),
  ...Array.from({ length: 12 }, (_, n): Tx => ({ from: CHANGING, to: named('shop'), block: 20 + n * 40, value: ETH })),
  ...Array.from({ length: 12 }, (_, n): Tx => ({ from: UNDONE, to: named('shop'), block: 25 + n * 40, value: ETH })),
  { from: LISTED, to: TRADER, block: 300, value: ETH },
  { from: LOOK_ALIKE, to: TRADER, block: 301, value: ETH },
  listing(LISTED, 310),
  ...[TOKEN, SIBLING].map(
    (contract, n): Tx => ({
      from: CREATOR,
      to: '',
      block: 320 + n,
      actions: [{ do: 'create', contract, code_hash: 'of both' }],
    }),
  ),
]

/** Blocks up to here are final. */
const FINAL = 700

const STATUS: NetworkStatus = {
  network: 'ETH',
  ready: true,
  state: 'running',
  reasons: [],
  head: 702,
  published: 700,
  finalized: 690,
  stored: 700,
  settled: 690,
  lagSeconds: 24,
  parts: [
    { part: 'indexing', role: 'indexer', instance: 'one', state: 'running', since: TIME, reportedAt: TIME },
    {
      part: 'scoring',
      role: 'scorer',
      instance: 'one',
      state: 'waiting',
      since: TIME,
      reportedAt: TIME,
      retryAt: TIME,
      error: { code: 'ASSAY_STORE_UNREACHABLE', message: '<b>no</b>', since: TIME },
    },
  ],
}

/** Starts everything on loopback. `status` may be changed while it runs. */
export const startWorld = async () => {
  const kit = await openTestStore()
  const bus = await createRecordsBus()
  await insertRows(kit.store, rowsOf(TXS, { head: FINAL }))
  await settle(kit.store, 'ETH', FINAL)
  const label = (address: string, name: string, kind: string) => ({
    network: 'ETH' as const,
    address,
    label: 'service',
    detector: 'list',
    class: 'reported' as const,
    confidence: 0.95,
    detector_version: '1',
    evidence: { name, kind },
    tx_hash: '',
    block_number: 0,
    foundAt: Date.now(),
  })
  await writeLabels(kit.store, [label(EXCHANGE, HOSTILE_NAME, 'exchange'), label(LOOK_ALIKE, 'Look-alike', 'exchange')])
  const alerts = createAlerts(kit.store)
  await alerts.create([newAlert(1, { of: LISTED, title: HOSTILE_NAME })])
  await kit.store.insert('contract_history', RUG_HISTORY.map((row) => `${JSON.stringify(row)}\n`).join(''))
  const context = testContext()
  const { store } = kit
  const provider = createFraudProvider({
    store,
    clock: context.clock,
    rescore: createRescore({ context, store, model: createWalletModel() }),
    publish: async () => undefined,
  })
  const status = { networks: [STATUS] }
  const started = await startApi(
    {
      providers: { fraud_check: provider, rug_pull: rugProvider() },
      serveCounts: createServeCounts(store),
      explanations: {
        ...createExplanations({
          store,
          exposure: ({ network, address }) => loadExposureReport(store, network, address),
        }),
        rug_explain: async ({ address }) => (address === TOKEN ? RUG_EXPLANATION : undefined),
      },
      indexed: ['ETH'],
      coverage: () => ({
        firstBlock: 100,
        firstBlockTime: TIME,
        storedBlock: 700,
        authorities: { complete: false, missing: { freeze: 'logs are being read' } },
      }),
      console: {},
      usage: store,
      screening: { store },
      monitoring: {
        store,
        bus,
        keys: [secret('a sealing key of thirty-two characters')],
        watchLimit: 1_000,
        targets: { allowLoopback: true },
        // One test waits for what it does; the others would pay for its looks at the tables.
        tuning: { ...FAST, comparePauseMs: 1_000, deliverPauseMs: 1_000, flushPauseMs: 1_000, lookMs: 2_000 },
      },
      server: { status: async () => status.networks },
      rateLimits: [],
    },
    context,
  )
  const [origin = ''] = await started.api.start()
  return {
    ...started,
    origin,
    status,
    /** What the API answers a GET of the enterprise key. */
    read: async (url: string) => {
      const response = await started.app.inject({ url, headers: { 'x-api-key': ENTERPRISE_KEY } })
      return { status: response.statusCode, body: response.json() }
    },
    /** Makes alerts of the enterprise key; returns their ids. */
    alert: async (numbers: readonly number[], options: Parameters<typeof newAlert>[1] = {}) => {
      const made = numbers.map((n) => newAlert(n, options))
      await alerts.create(made)
      return made.map(({ alert }) => alert)
    },
    /** Publishes a verdict on an address as the scorer does: one with a flag, or one without. */
    judge: (address: string, flags: readonly string[]) => publish(bus, [recordOf(address, { flags })]),
    /** Has the oracle list an address, in a block of its own. */
    sanction: (address: string) => insertRows(store, rowsOf([listing(address, FINAL + 1)], { from: FINAL + 1 }), 'hot'),
    /** Pays an address 50 coins of a sanctioned wallet, in a newer block; `undo` puts a block without it in its place. */
    pay: async (to: string) => {
      const block = FINAL + 2
      const paid = rowsOf([{ from: LISTED, to, block, value: 50n * ETH }], { from: block })
      await insertRows(store, paid, 'hot')
      return {
        undo: async () => {
          for (const table of ['transactions', 'ledger'] as const) {
            const tombstones = paid[table].map((row) => JSON.stringify({ ...row, version: 2, is_deleted: 1 }))
            await store.insert(`${table}_hot`, `${tombstones.join('\n')}\n`)
          }
        },
      }
    },
    /** Rows of a Parquet file, as the engine reads them. */
    parquet: (path: string) =>
      store.query<Record<string, unknown>>("SELECT * FROM file({path:String}, 'Parquet')", { path }),
    close: async () => {
      await started.close()
      await kit.close()
    },
  }
}
