/** A store that takes every statement and answers none, as a server does whose disk hangs. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createExplanations } from '../../../../api/answers/providers/explanations/explanations.ts'
import { boundedStore } from '../../../../platform/store/bounded.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { loadExposureReport } from '../../../../scorer/ledger/exposure/load.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { documentedBy } from '../documents/openapi.kit.ts'
import { ENTERPRISE_KEY } from '../kit.ts'
import { address, createRecordsBus, type Monitored, startMonitored } from '../monitoring/webhooks.kit.ts'

/** For one statement of a test: less than thirty seconds, and more than a slow machine takes. */
const ANSWER_MS = 8_000

let kit: TestStore
let api: Monitored
let stalls = false
const waiting: (() => void)[] = []
const held = async () => {
  if (stalls) await new Promise<void>((resolve) => waiting.push(resolve))
}
beforeAll(async () => {
  kit = await openTestStore()
  const opened: Store = {
    ...kit.store,
    query: (...given) => held().then(() => kit.store.query(...given)),
    insert: (...given) => held().then(() => kit.store.insert(...given)),
  }
  const store = boundedStore(opened, ANSWER_MS)
  api = await startMonitored(store, await createRecordsBus(), {
    screening: { store },
    usage: store,
    explanations: createExplanations({
      store,
      exposure: ({ network, address }) => loadExposureReport(store, network, address),
    }),
  })
})
afterAll(async () => {
  await api.close()
  await kit.close()
})

const ASKED = { network: 'ETH', walletAddress: address(1) }
const REQUESTS = [
  ['GET', '/watch'],
  ['POST', '/watch', { add: [ASKED] }],
  ['GET', '/alerts'],
  ['GET', '/webhooks'],
  ['POST', '/webhooks', { url: 'https://example.org/' }],
  ['GET', '/usage'],
  ['GET', '/screen'],
  ['GET', '/screen/screen_1'],
  ['POST', '/fraud/explain', ASKED],
  ['POST', '/fraud/history', ASKED],
  ['POST', '/fraud/counterparties', ASKED],
  ['POST', '/rug/explain', ASKED],
] as const

test('requests fail at their deadline while the store is silent, and succeed as soon as it answers', async () => {
  const documented = await documentedBy(api.app)
  const ask = ([method, url, payload]: (typeof REQUESTS)[number]) =>
    api.app.inject({ method, url, headers: { 'x-api-key': ENTERPRISE_KEY }, ...(payload && { payload }) })
  const statuses = async () => Promise.all(REQUESTS.map(async (one) => (await ask(one)).statusCode))
  const before = await statuses()
  expect(before.every((status) => status < 500)).toBe(true)
  stalls = true
  const begun = performance.now()
  for (const [index, answer] of (await Promise.all(REQUESTS.map(ask))).entries()) {
    const [, url = ''] = REQUESTS[index] ?? []
    const { error } = answer.json()
    expect([url, answer.statusCode, error, answer.headers['retry-after']]).toEqual([
      url,
      503,
      'DEPENDENCY_UNAVAILABLE',
      '2',
    ])
    documented(url.replace('screen_1', '{id}'), 503, answer.json())
  }
  // Two requests of the same account that change something wait for each other.
  expect(performance.now() - begun).toBeLessThan(3 * ANSWER_MS + 5_000)
  stalls = false
  for (const goOn of waiting.splice(0)) goOn()
  expect(await statuses()).toEqual(before)
})
