/** Requests of one account that come at the same moment, also to several replicas: none undoes what another one did. */
import { afterEach, expect, test } from 'vitest'
import { createEndpoints, sealOwner } from '../../../../api/monitoring/webhooks/endpoints.ts'
import { createSeals } from '../../../../api/monitoring/webhooks/secrets.ts'
import { secret } from '../../../../platform/config/config.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { BUSINESS_KEY, testContext } from '../kit.ts'
import { useMonitoring } from './monitored.kit.ts'
import { address, type Monitored, startMonitored } from './webhooks.kit.ts'

const world = useMonitoring()
let api: Monitored
afterEach(() => api.close())

const times = <T>(count: number, make: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => make(n))

test('creates ten of thirty concurrent endpoints, and does not delay another account', async () => {
  api = await startMonitored(world.store, world.bus)
  const make = (n: number, key?: string) => api.call('POST', '/webhooks', { url: `http://127.0.0.1:9/${n}` }, key)
  const [answers, foreign] = await Promise.all([Promise.all(times(30, (n) => make(n))), make(31, BUSINESS_KEY)])
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
  expect(answers.filter(({ status }) => status === 400)).toHaveLength(20)
  expect(foreign.status).toBe(201)
  expect((await api.call('GET', '/webhooks')).body.endpoints).toHaveLength(10)
})

test('concurrent additions keep a watch list within its limit', async () => {
  api = await startMonitored(world.store, world.bus, { monitoring: { watchLimit: 10 } })
  const add = (n: number) =>
    api.call('POST', '/watch', { add: times(4, (at) => ({ network: 'ETH', walletAddress: address(10 * n + at) })) })
  const answers = await Promise.all(times(8, add))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(2)
  expect((await api.call('GET', '/watch')).body).toMatchObject({ watched: 8 })
})

test('two replicas that create endpoints concurrently stay within the limit', async () => {
  api = await startMonitored(world.store, world.bus)
  const other = await startMonitored(world.store, world.bus)
  const make = (n: number) => (n % 2 ? api : other).call('POST', '/webhooks', { url: `http://127.0.0.1:9/${n}` })
  const statuses = (await Promise.all(times(30, make))).map(({ status }) => status)
  const { endpoints } = (await api.call('GET', '/webhooks')).body
  expect(endpoints.length).toBe(statuses.filter((status) => status === 201).length)
  expect(endpoints.length).toBeLessThanOrEqual(10)
  // Whoever comes when nobody else does is not held up by those that withdrew.
  for (const { id } of endpoints.slice(9)) await other.call('DELETE', `/webhooks/${id}`)
  expect((await make(1)).status).toBe(201)
  await other.close()
})

test('keeps all concurrent changes of one endpoint', async () => {
  api = await startMonitored(world.store, world.bus)
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

/** A replica whose changes of endpoints are each held up until `meanwhile` was done by another replica. */
const withRival = async (meanwhile: (at: string, rival: Monitored) => Promise<unknown>, times = 1) => {
  api = await startMonitored(world.store, world.bus)
  const { body } = await api.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/' })
  const at = `/webhooks/${body.endpoint.id}`
  let left = times
  const store: Store = {
    ...world.store,
    insert: async (table, ...rest) => {
      if (table === 'webhook_endpoints' && left-- > 0) await meanwhile(at, api)
      return world.store.insert(table, ...rest)
    },
  }
  const slow = await startMonitored(store, world.bus)
  return { at, slow, secret: body.secret as string }
}

test('a change that lost a race keeps the changes of the winner', async () => {
  const { at, slow } = await withRival((path, rival) => rival.call('PATCH', path, { networks: ['ETH'] }))
  const changed = await slow.call('PATCH', at, { description: 'new' })
  expect([changed.status, changed.body.endpoint]).toMatchObject([200, { description: 'new', networks: ['ETH'] }])
  expect((await api.call('GET', at)).body.endpoint).toMatchObject({ description: 'new', networks: ['ETH'] })
  await slow.close()
})

test('a change on one replica does not restore an endpoint that another removed', async () => {
  const { at, slow } = await withRival((path, rival) => rival.call('DELETE', path))
  expect((await slow.call('PATCH', at, { description: 'new' })).status).toBe(404)
  expect((await api.call('GET', '/webhooks')).body.endpoints).toEqual([])
  await slow.close()
})

test('an endpoint removed during a concurrent change stays removed', async () => {
  const { at, slow } = await withRival((path, rival) => rival.call('PATCH', path, { description: 'new' }))
  expect((await slow.call('DELETE', at)).status).toBe(200)
  expect((await api.call('GET', '/webhooks')).body.endpoints).toEqual([])
  await slow.close()
})

test('after two concurrent rotations both shown secrets sign', async () => {
  let other = ''
  const { at, slow } = await withRival(async (path, rival) => {
    other = (await rival.call('POST', `${path}/rotate`, { graceSeconds: 3600 })).body.secret
  })
  const rotated = await slow.call('POST', `${at}/rotate`, { graceSeconds: 3600 })
  expect(rotated.status).toBe(200)
  const [endpoint] = await createEndpoints(world.store).all()
  if (!endpoint) throw new Error('there is no endpoint')
  const seals = createSeals([secret('a sealing key of thirty-two characters')])
  expect([endpoint.secret, endpoint.old_secret].map((sealed) => seals.open(sealed, sealOwner(endpoint)))).toEqual([
    rotated.body.secret,
    other,
  ])
  await slow.close()
})

test('refuses a change that keeps losing to concurrent ones, and changes nothing', async () => {
  let n = 0
  const { at, slow } = await withRival((path, rival) => rival.call('PATCH', path, { description: `${++n}` }), 100)
  const refused = await slow.call('PATCH', at, { networks: ['ETH'] })
  expect([refused.status, refused.body.error]).toEqual([409, 'CHANGED_MEANWHILE'])
  expect((await api.call('GET', at)).body.endpoint).toMatchObject({ description: `${n}`, networks: [] })
  await slow.close()
})

test('changes an endpoint also if the clock is behind its last change', async () => {
  api = await startMonitored(world.store, world.bus)
  const { body } = await api.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/' })
  const context = { ...testContext(), clock: { ...systemClock, now: () => Date.now() - 3_600_000 } }
  const behind = await startMonitored(world.store, world.bus, { context })
  const at = `/webhooks/${body.endpoint.id}`
  for (const description of ['one', 'two']) {
    expect((await behind.call('PATCH', at, { description })).body.endpoint).toMatchObject({ description })
    expect((await api.call('GET', at)).body.endpoint).toMatchObject({ description })
  }
  await behind.close()
})
