/**
 * What is kept in tables, asked by requests nobody would send: uploads, jobs, watch lists, webhooks, use of keys, explanations and batches
 * over a real store. One of fifty of the requests that `fuzz.test.ts` has, since each costs statements.
 */
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExplanations } from '../../../../api/answers/providers/explanations/explanations.ts'
import { createFraudProvider } from '../../../../api/answers/providers/fraud.ts'
import { createProfileProviders } from '../../../../api/answers/providers/profile.ts'
import { createModel } from '../../../../deploy/roles/model.ts'
import { loadExposureReport } from '../../../../scorer/ledger/exposure/load.ts'
import { createProfiles } from '../../../../scorer/profile/profile.ts'
import { createRescore } from '../../../../scorer/rescore/rescore.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { testContext } from '../kit.ts'
import { createRecordsBus, type Monitored, startMonitored } from '../monitoring/webhooks.kit.ts'
import { heapInUse, runFuzz } from './fuzz.run.ts'

const REQUESTS = Math.max(200, Math.floor(Number(process.env.ASSAY_FUZZ_REQUESTS ?? 0) / 50))
const MANY = REQUESTS > 1_000
const SEED = Number(process.env.ASSAY_TEST_SEED ?? (MANY ? Date.now() % 1_000_000 : 1))
/** Paths of what is kept in tables. */
const KEPT = /^\/(screen|watch|webhooks|alerts|usage|fraud|rug|segmentation|users)/

let kit: TestStore
let api: Monitored
let port: number
beforeAll(async () => {
  kit = await openTestStore()
  const { store } = kit
  const context = testContext()
  const rescore = createRescore({ context, store, model: createModel() })
  api = await startMonitored(store, await createRecordsBus(), {
    context,
    providers: {
      fraud_check: createFraudProvider({ store, clock: context.clock, rescore, publish: async () => {} }),
      ...createProfileProviders({ store, profiles: createProfiles({ context, store, rescore }) }),
    },
    explanations: createExplanations({
      store,
      exposure: ({ network, address }) => loadExposureReport(store, network, address),
    }),
    screening: { store, pace: { idleMs: 500, graceMs: 5_000, bytesPerSecond: 1 } },
    usage: store,
    audit: { store, required: true },
    // Nothing is sent anywhere.
    monitoring: { targets: { allowLoopback: false, deadlineMs: 1_000, resolve: async () => [] } },
    recalculationLimits: [],
    tuning: { keylessPerMinute: 0, computeMaxWaiting: 10_000, computeDeadlineMs: 60_000, lookupDeadlineMs: 60_000 },
  })
  port = (api.app.server.address() as AddressInfo).port
})
afterAll(async () => {
  await api.close()
  await kit.close()
})

test(
  `${REQUESTS} requests about what is kept in tables are answered as documented (seed ${SEED})`,
  async () => {
    const concerns = (path: string) => KEPT.test(path)
    const statuses = await runFuzz({ app: api.app, port, requests: REQUESTS, seed: SEED, checked: 1, concerns })
    if (MANY)
      console.log(
        JSON.stringify({ seed: SEED, requests: REQUESTS, heap: heapInUse(), counted: Object.fromEntries(statuses) }),
      )
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 400, 401, 404]))
  },
  Math.max(120_000, REQUESTS * 200),
)
