/** Watch lists over HTTP: what they take, whose they are, and how large they get. */
import { afterEach, expect, test } from 'vitest'
import { eraseMonitoring } from '../../../../api/monitoring/erase.ts'
import { createWatchList } from '../../../../api/monitoring/watch/list.ts'
import { until } from '../../../kit/until.ts'
import { documentedBy } from '../documents/openapi.kit.ts'
import { BUSINESS_KEY } from '../kit.ts'
import { useMonitoring } from './monitored.kit.ts'
import { address, type Monitored, publish, recordOf, startMonitored, startReceiver } from './webhooks.kit.ts'

const world = useMonitoring()
let api: Monitored
afterEach(() => api.close())

const eth = (...numbers: number[]) => numbers.map((n) => ({ network: 'ETH', walletAddress: address(n) }))

test('adds and removes addresses once each, in any spelling, and lists them in pages', async () => {
  api = await startMonitored(world.store, world.bus)
  const documented = await documentedBy(api.app)
  const upper = { network: 'ethereum', walletAddress: address(1).toUpperCase().replace('0X', '0x') }
  const added = await api.call('POST', '/watch', { add: [...eth(1, 2, 3), upper] })
  documented('/watch', 200, added.body)
  expect(added.body).toEqual({ message: 'Success', added: 3, removed: 0, watched: 3, limit: 100_000 })
  expect((await api.call('POST', '/watch', { add: eth(3, 4), remove: eth(1, 9) })).body).toMatchObject({
    added: 1,
    removed: 1,
    watched: 3,
  })
  const first = (await api.call('GET', '/watch?limit=2')).body
  documented('/watch', 200, first)
  expect(first.addresses).toEqual(eth(2, 3))
  const rest = (await api.call('GET', `/watch?limit=2&after=${encodeURIComponent(first.next)}`)).body
  expect([rest.addresses, rest.next]).toEqual([eth(4), null])
  expect((await api.call('GET', '/watch', undefined, BUSINESS_KEY)).body.watched).toBe(0)
})

test('a removed list is gone with the response, even while the store still works on it', async () => {
  api = await startMonitored(world.store, world.bus)
  const list = createWatchList(world.store)
  const watched = () => list.watchersOf(eth(1, 2, 3).map(({ walletAddress: address }) => ({ network: 'ETH', address })))
  await api.call('POST', '/watch', { add: eth(1, 2) })
  await api.call('POST', '/watch', { add: eth(3) })
  await api.call('POST', '/watch', { add: eth(1) }, BUSINESS_KEY)
  const tables = ['watch_list', 'watchers']
  for (const table of tables) await world.store.command(`SYSTEM STOP MERGES ${table}`)
  try {
    expect((await api.call('DELETE', '/watch')).body).toMatchObject({ removed: 3, watched: 0 })
    expect((await api.call('GET', '/watch')).body).toMatchObject({ watched: 0, addresses: [] })
    expect(await watched()).toEqual(new Map([[`ETH ${address(1)}`, ['key_business']]]))
    // What is added before the rows are gone stays.
    expect((await api.call('POST', '/watch', { add: eth(3) })).body).toMatchObject({ added: 1, watched: 1 })
  } finally {
    for (const table of tables) await world.store.command(`SYSTEM START MERGES ${table}`)
  }
  const rows = (table: string) =>
    world.store.query(`SELECT address FROM ${table} WHERE account = 'key_enterprise' AND watched = 1 ORDER BY address`)
  for (const table of tables) {
    await until('only what was added since is left', async () => (await rows(table)).length === 1)
    expect(await rows(table)).toEqual([{ address: address(3) }])
  }
  expect((await api.call('GET', '/watch')).body.addresses).toEqual(eth(3))
  expect((await api.call('GET', '/watch', undefined, BUSINESS_KEY)).body.watched).toBe(1)
})

test('names every invalid entry and takes nothing of the request', async () => {
  api = await startMonitored(world.store, world.bus, { monitoring: { watchLimit: 3 } })
  const documented = await documentedBy(api.app)
  const wrong = [{ network: 'ETH', walletAddress: 'x' }, { network: 'SOLANA', walletAddress: 'x' }, ...eth(1)]
  for (const nothing of [{}, { add: [], remove: [] }, { wallets: eth(1) }]) {
    expect((await api.call('POST', '/watch', nothing)).status).toBe(400)
  }
  const refused = await api.call('POST', '/watch', { add: wrong })
  documented('/watch', 400, refused.body)
  expect([refused.status, refused.body.details.map(({ field }: { field: string }) => field)]).toEqual([
    400,
    ['add.0.walletAddress', 'add.1.network'],
  ])
  const many = await api.call('POST', '/watch', { add: eth(...Array(1_001).keys()) })
  expect(many.body.details).toEqual([{ field: 'add', reason: 'must not have more than 1000 addresses' }])
  expect((await api.call('POST', '/watch', { add: eth(1, 2, 3) })).body.watched).toBe(3)
  const full = await api.call('POST', '/watch', { add: eth(3, 4), remove: eth(9) })
  expect([full.status, full.body.details]).toEqual([
    400,
    [{ field: 'add', reason: 'must not have more than 0 new addresses' }],
  ])
  expect((await api.call('POST', '/watch', { add: eth(4), remove: eth(1) })).body.watched).toBe(3)
  expect((await api.call('GET', '/watch?limit=0')).status).toBe(400)
})

test('every response about endpoints matches the OpenAPI document', async () => {
  api = await startMonitored(world.store, world.bus)
  const documented = await documentedBy(api.app)
  const target = await startReceiver()
  const tried = async (
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    status: number,
    payload?: object,
    id = '',
  ) => {
    const answer = await api.call(method, path.replace('{id}', id), payload)
    expect([path, answer.status]).toEqual([path, status])
    documented(path, status, answer.body)
    return answer.body
  }
  const { endpoint } = await tried('POST', '/webhooks', 201, { url: target.url, description: 'a' })
  const of = endpoint.id
  await tried('GET', '/webhooks', 200)
  await tried('PATCH', '/webhooks/{id}', 200, { state: 'paused', networks: ['ETH'] }, of)
  await tried('POST', '/webhooks/{id}/rotate', 200, {}, of)
  await tried('POST', '/webhooks/{id}/ping', 202, undefined, of)
  const { deliveries } = await tried('GET', '/webhooks/{id}/deliveries', 200, undefined, of)
  expect(deliveries).toMatchObject([{ type: 'ping', state: 'waiting', attempts: 0 }])
  await tried('POST', '/webhooks/{id}/replay', 202, { ids: [deliveries[0].id] }, of)
  await tried('PATCH', '/webhooks/{id}', 400, { state: 'disabled' }, of)
  const shown = await tried('GET', '/webhooks/{id}', 200, undefined, of)
  expect(shown.endpoint).toMatchObject({ state: 'paused', description: 'a', networks: ['ETH'] })
  expect(JSON.stringify(shown)).not.toContain('whsec_')
  // A paused endpoint is sent what waited once it goes on.
  await tried('PATCH', '/webhooks/{id}', 200, { state: 'on' }, of)
  await until('it was sent', () => target.received.length === 1)
  for (let n = 1; n < 10; n++) await tried('POST', '/webhooks', 201, { url: target.url })
  await tried('POST', '/webhooks', 400, { url: target.url })
  await tried('DELETE', '/webhooks/{id}', 200, undefined, of)
  await tried('GET', '/webhooks/{id}', 404, undefined, of)
  await target.close()
})

test('without a webhook key there are watch lists but no webhooks', async () => {
  api = await startMonitored(world.store, world.bus, { monitoring: { keys: [] } })
  expect((await api.call('POST', '/watch', { add: eth(1) })).body.watched).toBe(1)
  const { status, body } = await api.call('POST', '/webhooks', { url: 'https://example.org/' })
  expect([status, body.error]).toEqual([503, 'ANALYSIS_NOT_AVAILABLE'])
})

test('a removed address causes no more events, and its last trace is deleted after a day', async () => {
  api = await startMonitored(world.store, world.bus)
  const target = await startReceiver()
  await api.call('POST', '/webhooks', { url: target.url })
  await api.call('POST', '/watch', { add: eth(1, 2) })
  await until('both are known', async () => (await api.context.metrics.text()).includes('assay_watch_addresses 2\n'))
  await api.call('POST', '/watch', { remove: eth(1) })
  await publish(world.bus, [recordOf(address(1), { flags: ['mixer'] }), recordOf(address(2), { flags: ['mixer'] })])
  await until('one is told', () => target.received.length > 0)
  expect(target.received.map(({ body }) => JSON.parse(body).data.address)).toEqual([address(2)])
  const traces = () =>
    world.store.query<{ n: string }>('SELECT count() AS n FROM watchers WHERE address = {address:String}', {
      address: address(1),
    })
  const list = createWatchList(world.store)
  await list.clear()
  expect(Number((await traces())[0]?.n)).toBeGreaterThan(0)
  for (const table of ['watch_list', 'watchers']) {
    await world.store.command(
      `ALTER TABLE ${table} UPDATE stored = stored - INTERVAL 25 HOUR WHERE 1 SETTINGS mutations_sync = 2`,
    )
  }
  await list.clear()
  expect(await traces()).toEqual([{ n: '0' }])
  expect((await api.call('GET', '/watch')).body.addresses).toEqual(eth(2))
  await target.close()
})

test('erases all monitoring data of a customer, and nothing of others', async () => {
  api = await startMonitored(world.store, world.bus)
  for (const key of [undefined, BUSINESS_KEY]) {
    await api.call('POST', '/watch', { add: eth(1, 2) }, key)
    const { body } = await api.call('POST', '/webhooks', { url: 'http://127.0.0.1:9/' }, key)
    await api.call('POST', `/webhooks/${body.endpoint.id}/ping`, undefined, key)
  }
  // A running API notes afterwards how the deliveries ended that it was sending meanwhile.
  await api.close()
  expect(await eraseMonitoring(world.store, 'key_business')).toEqual({ addresses: 2, endpoints: 1, alerts: 0 })
  const rows = await world.store.query(
    `SELECT account FROM watch_list UNION DISTINCT SELECT account FROM watchers UNION DISTINCT
     SELECT account FROM webhook_deliveries UNION DISTINCT SELECT account FROM webhook_endpoints WHERE secret != ''`,
  )
  expect(rows).toEqual([{ account: 'key_enterprise' }])
})
