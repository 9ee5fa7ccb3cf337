/** A served API with real records of a small chain, for tests of the console. */

import type { NetworkStatus } from '../../../api/http/ops.ts'
import type { Added, Explained } from '../../../api/providers/explanations/explain.ts'
import { createExplanations } from '../../../api/providers/explanations/explanations.ts'
import { createFraudProvider } from '../../../api/providers/fraud.ts'
import type { Provider } from '../../../api/providers/provider.ts'
import { createServeCounts } from '../../../api/served/bases.ts'
import { secret } from '../../../platform/config.ts'
import type { RugExplanation } from '../../../schema/records/explained/explanations.ts'
import { SANCTIONS_ORACLES } from '../../../schema/registry/authorities.ts'
import { loadExposureReport } from '../../../scorer/ledger/exposure/load.ts'
import { writeLabels } from '../../../scorer/ledger/labels/write.ts'
import { createRescore } from '../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../scorer/scoring/model/wallet-model.ts'
import { memoryProvider, startApi, testContext } from '../../contract/api/kit.ts'
import { createRecordsBus, FAST, publish, recordOf } from '../../contract/api/monitoring/webhooks.kit.ts'
import { openTestStore } from '../../kit/store.ts'
import { insertRows, named, rowsOf, settle, type Tx } from '../../kit/world/transactions.ts'

const ETH = 10n ** 18n
const ORACLE = [...SANCTIONS_ORACLES.ETH.keys()][0] ?? ''
const TIME = '2026-11-22T12:00:00.000Z'
/** A name made to break pages: markup, a right-to-left override, an invisible character. */
export const HOSTILE_NAME = '<img src=x onerror=alert(1)>\u202eexchange\u200b'

export const TRADER = named('trader')
export const LISTED = named('listed')
export const EXCHANGE = named('exchange')
/** Is sanctioned while a test looks on. */
export const CHANGING = named('changing')
/** Is paid by a sanctioned wallet in a block that is undone. */
export const UNDONE = named('undone')
/** Is judged by what is published only. */
export const WATCHED = named('watched')
/** Begins and ends as the exchange does. */
export const LOOK_ALIKE = `${EXCHANGE.slice(0, 8)}${'77'.repeat(15)}${EXCHANGE.slice(-4)}`

/** Created the token, and another contract of the same code. */
const CREATOR = named('creator')
export const SIBLING = named('sibling')
/** A token with a hostile name, whose verdict is explained; of any other token only the record is known. */
export const TOKEN = named('token')
const RUG_EXPLANATION: Explained<Omit<RugExplanation, Added>> = {
  fields: {
    status: 'Fraud',
    probabilityFraud: 0.8350795507,
    risk_score: 84,
    risk_status: 'High Risk',
    reasons: [
      {
        score: 'risk_score',
        code: 'is_mintable',
        title: 'The owner can mint without limit',
        contribution: 44,
        evidence: { findings: [`mint by ${HOSTILE_NAME}`], amounts: [] },
        change: 'The owner gives up the right',
      },
      {
        score: 'probabilityFraud',
        code: 'liquidity_removed',
        title: 'Liquidity was removed',
        contribution: 0.8,
        evidence: {
          findings: [],
          amounts: [{ address: LISTED, transaction: '0x12-0', amount: '1.6', unit: 'WETH', usd: null }],
        },
        change: null,
      },
    ],
    unknowns: ['is_honeypot: no market to trade on'],
    holders: { count: null, top: [], why: 'its creation is not in the tables' },
    holderSales: { tried: 0, failed: 0 },
    similarCode: { analysed: 0, traps: 0, examples: [], why: null },
    launchpad: { name: null, why: null },
    liquidityEvents: { complete: false, why: 'its creation is not in the tables' },
    trusted: false,
    modelVersion: 'contract-1',
    dataHeight: 690,
    computedAt: TIME,
  },
  coverage: { contract: { tablesHeight: 680 } },
}
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
        tuning: { ...FAST, comparePauseMs: 200, deliverPauseMs: 100, flushPauseMs: 100 },
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
    close: async () => {
      await started.close()
      await kit.close()
    },
  }
}
