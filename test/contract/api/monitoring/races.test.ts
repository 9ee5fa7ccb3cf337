/** Requests of one account that come at the same moment: what an account may have holds for them together. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { MemoryBus } from '../../../kit/memory-bus.ts'
import { openTestStore, type TestStore } from '../../../kit/store.ts'
import { BUSINESS_KEY } from '../kit.ts'
import { address, createRecordsBus, type Monitored, startMonitored } from './webhooks.kit.ts'

let kit: TestStore
let bus: MemoryBus
let api: Monitored
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(async () => {
  await kit.truncate()
  bus = await createRecordsBus()
})
afterEach(() => api.close())
afterAll(() => kit.close())

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

test('of thirty endpoints that are made at once ten are, and another account is not held up', async () => {
  api = await startMonitored(kit.store, bus)
  const make = (n: number, key?: string) => api.call('POST', '/webhooks', { url: `http://127.0.0.1:9/${n}` }, key)
  const [answers, foreign] = await Promise.all([Promise.all(times(30, (n) => make(n))), make(31, BUSINESS_KEY)])
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(20)
  expect(foreign.status).toBe(201)
  expect((await api.call('GET', '/webhooks')).body.endpoints).toHaveLength(10)
})

test('a watch list does not grow beyond its limit, however many add to it at once', async () => {
  api = await startMonitored(kit.store, bus, { monitoring: { watchLimit: 10 } })
  const add = (n: number) =>
    api.call('POST', '/watch', { add: times(4, (at) => ({ network: 'ETH', walletAddress: address(10 * n + at) })) })
  const answers = await Promise.all(times(8, add))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect((await api.call('GET', '/watch')).body).toMatchObject({ watched: 8 })
})

test('changes of one endpoint at once are all there afterwards', async () => {
  api = await startMonitored(kit.store, bus)
  const { body } = await api.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/' })
  const at = `/webhooks/${body.endpoint.id}`
  const [renamed, moved, rotated] = await Promise.all([
    api.call('PATCH', at, { description: 'new' }),
    api.call('PATCH', at, { networks: ['ETH'] }),
    api.call('POST', `${at}/rotate`, { graceSeconds: 3600 }),
  ])
  expect([renamed.status, moved.status, rotated.status]).toEqual([200, 200, 200])
  const { endpoint } = (await api.call('GET', at)).body
  expect(endpoint).toMatchObject({ description: 'new', networks: ['ETH'] })
  expect(endpoint.oldSecretUntil).not.toBeNull()
})
