/** What tests of monitoring share: a store for the file, a bus for each test, and what callers, scorers and receivers do. */
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import type { Bus } from '../../../../platform/bus/bus.ts'
import { createMemoryBus, type MemoryBus } from '../../../kit/bus/memory-bus.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { until } from '../../../kit/until.ts'
import type { Monitored } from './webhooks.kit.ts'
import * as kit from './webhooks.kit.ts'

type Closing = { close: () => Promise<unknown> }
type Delivery = {
  id: string
  type: string
  state: string
  attempts: number
  status: number | null
  reason: string | null
}

export const verdictsOf = (received: { body: string }[]) =>
  received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'verdict.changed')

const metricsOf = (api: Monitored) => api.context.metrics.text()
const holds = async (api: Monitored) => (await metricsOf(api)).includes('assay_monitoring_holds 1')

const deliveries = async (api: Monitored, id: string, query = '') =>
  (await api.call('GET', `/webhooks/${id}/deliveries${query}`)).body.deliveries as Delivery[]

/** Waits until a ping passed behind everything that was due. */
const pinged = async (api: Monitored, of: { id: string }) => {
  const { body } = await api.call('POST', `/webhooks/${of.id}/ping`)
  await until('the ping was delivered', async () =>
    (await deliveries(api, of.id)).some(({ id, state }) => id === body.ids[0] && state === 'delivered'),
  )
}

/** Opens a store for the tests of a file. What a test starts is closed after it. */
export const useMonitoring = () => {
  let opened: TestStore | undefined
  let bus: MemoryBus = createMemoryBus()
  const open: Closing[] = []
  const storeOf = () => {
    if (!opened) throw new Error('the store is opened before the first test')
    return opened.store
  }
  beforeAll(async () => {
    opened = await openTestStore()
  })
  beforeEach(async () => {
    await opened?.truncate()
    bus = await kit.createRecordsBus()
  })
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close()
  })
  afterAll(() => opened?.close())

  const keep = <T extends Closing>(one: T): T => {
    open.push(one)
    return one
  }
  return {
    get store() {
      return storeOf()
    },
    get bus() {
      return bus
    },
    /** What is closed after the test, last first. */
    open,
    keep,
    start: async (options?: Parameters<typeof kit.startMonitored>[2], store = storeOf()) =>
      keep(await kit.startMonitored(store, bus, options)),
    receiver: async (...answer: Parameters<typeof kit.startReceiver>) => keep(await kit.startReceiver(...answer)),
    publish: (records: Parameters<typeof kit.publish>[1], to: Bus = bus) => kit.publish(to, records),
    publishTaxes: (...taxes: [of: string, taxes: Parameters<typeof kit.publishTaxes>[2]]) =>
      kit.publishTaxes(bus, ...taxes),
    watch: async (api: Monitored, wallets: readonly string[], key?: string, network = 'ETH') => {
      const add = wallets.map((walletAddress) => ({ network, walletAddress }))
      expect((await api.call('POST', '/watch', { add }, key)).status).toBe(200)
    },
    endpoint: async (api: Monitored, url: string, more: object = {}, key?: string) => {
      const { status, body } = await api.call('POST', '/webhooks', { url, ...more }, key)
      expect(status).toBe(201)
      return { id: body.endpoint.id as string, secret: body.secret as string }
    },
    deliveries,
    pinged,
    /** Waits until everything that was published is compared and everything that is due was sent: a ping passes last. */
    quiet: async (api: Monitored, of: { id: string }) => {
      const messages = `assay_watch_records_total ${bus.messages('records').length}\n`
      await until('all records were looked at', async () => (await metricsOf(api)).includes(messages))
      await pinged(api, of)
    },
    holds,
    /** Waits until a replica compares what is published: lists that were stored before are known then. */
    ready: (api: Monitored) => until('a replica watches', () => holds(api)),
    /** Waits until the replica knows this many addresses and endpoints. */
    knows: async (api: Monitored, addresses: number, endpoints = 0) => {
      await until('the list is known', async () => {
        const text = await metricsOf(api)
        return (
          text.includes(`assay_watch_addresses ${addresses}\n`) &&
          (endpoints === 0 || text.includes(`assay_webhook_endpoints{state="on"} ${endpoints}\n`))
        )
      })
    },
  }
}
