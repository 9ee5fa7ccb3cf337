/** Deliveries: what is sent again, what receivers may do to others, secrets, and where nothing is sent to. */
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { systemClock } from '../../../../platform/context/clock.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { until } from '../../../kit/until.ts'
import { testContext } from '../kit.ts'
import { useMonitoring, verdictsOf } from './monitored.kit.ts'
import { address, recordOf } from './webhooks.kit.ts'

const world = useMonitoring()
const { start, receiver, watch, endpoint, deliveries, pinged, knows, publish } = world

test('a process killed between a delivery and its record delivers again with the same ID', async () => {
  let dead = false
  const guard =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      dead ? Promise.reject(new Error('killed')) : work(...args)
  const { query, insert, command } = world.store
  const doomed: Store = {
    ...world.store,
    query: ((...args: Parameters<Store['query']>) => guard(query)(...args)) as Store['query'],
    command: guard(command),
    insert: (table, rows, options) => {
      // The first note of a delivery is what it does not live to store.
      if (table === 'webhook_deliveries' && options?.token?.startsWith('webhook_deliveries:')) dead = true
      return guard(insert)(table, rows, options)
    },
  }
  const first = await start({ monitoring: { tuning: { lease: { holdMs: 500 } } } }, doomed)
  const target = await receiver()
  const hook = await endpoint(first, target.url)
  await watch(first, [address(1)])
  await knows(first, 1, 1)
  await publish([recordOf(address(1), { flags: ['mixer'] })])
  await until('it is delivered and dead', () => dead && target.received.length === 1)
  const second = await start()
  await until('it is delivered again', () => target.received.length === 2)
  const [once, again] = target.received.map(({ headers, body }) => [headers['webhook-id'], body])
  expect(again).toEqual(once)
  await pinged(second, hook)
  expect(verdictsOf(target.received)).toHaveLength(2)
})

test('a failure between delivery and its record is repeated without a second delivery', async () => {
  let failures = 0
  const shaky: Store = {
    ...world.store,
    insert: async (table, rows, options) => {
      if (table === 'watch_verdicts' && failures++ < 2) throw new Error('the store went away')
      return world.store.insert(table, rows, options)
    },
  }
  const api = await start({}, shaky)
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1), address(2)])
  await knows(api, 2, 1)
  failures = 0
  await publish([recordOf(address(1), { flags: ['mixer'] }), recordOf(address(2), { flags: ['mixer'] })])
  await until('it failed and was done again', () => failures > 2)
  await publish([recordOf(address(1))])
  await until('all is told', () => verdictsOf(target.received).length >= 3)
  await pinged(api, hook)
  const told = verdictsOf(target.received).map(({ data }) => `${data.address} ${data.direction}`)
  expect(told.toSorted()).toEqual([`${address(1)} better`, `${address(1)} worse`, `${address(2)} worse`])
})

test('receivers that never respond do not delay other receivers', async () => {
  const api = await start({ monitoring: { targets: { allowLoopback: true, deadlineMs: 60_000 } } })
  const silent = await receiver(() => undefined)
  const redirecting = await receiver((response) =>
    response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end(),
  )
  const target = await receiver()
  await endpoint(api, silent.url)
  const redirect = await endpoint(api, redirecting.url)
  const hook = await endpoint(api, target.url)
  await watch(
    api,
    Array.from({ length: 20 }, (_, n) => address(n + 1)),
  )
  await knows(api, 20, 3)
  await publish(Array.from({ length: 20 }, (_, n) => recordOf(address(n + 1), { flags: ['mixer'] })))
  await until('all are told', () => target.received.length === 20)
  // What was answered is kept a moment later.
  const told = async () => (await deliveries(api, hook.id, '?state=delivered&limit=100')).length
  await until('all are kept as told', async () => (await told()) === 20)
  expect(silent.received.length).toBeLessThanOrEqual(4)
  const [failed] = (await deliveries(api, redirect.id)).filter(({ attempts }) => attempts > 0)
  expect(failed).toMatchObject({ state: 'waiting', status: 302, reason: 'HTTP 302' })
  silent.close()
})

test('disables an endpoint that fails for days, and replays missed events when it is enabled again', async () => {
  let shift = 0
  const context = { ...testContext(), clock: { ...systemClock, now: () => Date.now() + shift } }
  const api = await start({ context })
  let answer = 500
  const target = await receiver((response) => response.writeHead(answer).end())
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1), address(2)])
  await knows(api, 2, 1)
  await publish([recordOf(address(1), { flags: ['mixer'] })])
  await until('it failed', async () => (await deliveries(api, hook.id))[0]?.attempts === 1)
  shift = 73 * 3_600_000
  await publish([recordOf(address(2), { flags: ['mixer'] })])
  await until('it is disabled', async () => (await api.call('GET', '/webhooks')).body.endpoints[0].state === 'disabled')
  expect((await api.call('GET', `/webhooks/${hook.id}`)).body.endpoint).toMatchObject({ reason: 'HTTP 500' })
  expect(await context.metrics.text()).toContain('assay_webhook_disabled_total 1\n')
  await until('nothing waits', async () => (await deliveries(api, hook.id)).every(({ state }) => state === 'dead'))
  answer = 200
  const tried = target.received.length
  const { body } = await api.call('PATCH', `/webhooks/${hook.id}`, { state: 'on' })
  expect(body.endpoint).toMatchObject({ state: 'on', failingSince: null })
  const from = new Date(Date.now() - 3_600_000).toISOString()
  const ids = (await deliveries(api, hook.id)).map(({ id }) => id)
  const replayed = await api.call('POST', `/webhooks/${hook.id}/replay`, { from })
  expect(replayed).toMatchObject({ status: 202, body: { queued: 2 } })
  await until('they are noted', async () =>
    (await deliveries(api, hook.id)).every(({ state }) => state === 'delivered'),
  )
  const again = target.received.slice(tried).map(({ headers }) => headers['webhook-id'])
  expect(again.toSorted()).toEqual(ids.toSorted())
  // Nothing is dead any more, but one may be had again by its id.
  expect((await api.call('POST', `/webhooks/${hook.id}/replay`, { from })).body.queued).toBe(0)
  expect((await api.call('POST', `/webhooks/${hook.id}/replay`, { ids: ids.slice(0, 1) })).body.queued).toBe(1)
  expect((await api.call('POST', `/webhooks/${hook.id}/replay`, {})).status).toBe(400)
})

test('a clock set back while an endpoint fails blocks no delivery', async () => {
  let shift = 0
  const context = { ...testContext(), clock: { ...systemClock, now: () => Date.now() + shift } }
  const api = await start({ context })
  let answer = 500
  const target = await receiver((response) => response.writeHead(answer).end())
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1)])
  await knows(api, 1, 1)
  await publish([recordOf(address(1), { flags: ['mixer'] })])
  await until('it failed', async () => (await deliveries(api, hook.id))[0]?.attempts === 1)
  shift = -10 * 3_600_000
  answer = 200
  await until('it is delivered', async () => (await deliveries(api, hook.id))[0]?.state === 'delivered')
})

test('disables an endpoint that answers 410 immediately', async () => {
  const api = await start()
  const target = await receiver((response) => response.writeHead(410).end())
  const hook = await endpoint(api, target.url)
  await api.call('POST', `/webhooks/${hook.id}/ping`)
  await until('it is disabled', async () => (await api.call('GET', '/webhooks')).body.endpoints[0].state === 'disabled')
  // What became of attempts is stored once a second.
  await until('it is noted', async () => (await deliveries(api, hook.id))[0]?.state === 'dead')
  expect(await deliveries(api, hook.id)).toMatchObject([{ type: 'ping', state: 'dead', status: 410 }])
})

test('during a rotation both secrets sign, and the old one stops after its grace period', async () => {
  const api = await start()
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  const ping = async () => {
    const before = target.received.length
    await api.call('POST', `/webhooks/${hook.id}/ping`)
    await until('it came', () => target.received.length > before)
    const [last] = target.received.slice(-1)
    return (secret: string) => {
      try {
        new Webhook(secret).verify(last?.body ?? '', last?.headers as Record<string, string>)
        return true
      } catch {
        return false
      }
    }
  }
  const { body } = await api.call('POST', `/webhooks/${hook.id}/rotate`, { graceSeconds: 3600 })
  expect(body.endpoint.oldSecretUntil).not.toBeNull()
  await until('both sign', async () => {
    const verifies = await ping()
    return verifies(body.secret) && verifies(hook.secret)
  })
  const third = (await api.call('POST', `/webhooks/${hook.id}/rotate`, { graceSeconds: 0 })).body.secret
  await until('only the new one signs', async () => {
    const verifies = await ping()
    return verifies(third) && !verifies(hook.secret) && !verifies(body.secret)
  })
  const kept = JSON.stringify(await world.store.query('SELECT * FROM webhook_endpoints'))
  for (const secret of [hook.secret, body.secret, third]) expect(kept).not.toContain(secret.slice(6))
})

test('refuses private targets at creation, and when their names later resolve to private addresses', async () => {
  const resolve = async () => ['10.0.0.1']
  const api = await start({ monitoring: { targets: { allowLoopback: false, resolve } } })
  for (const url of [
    'http://example.org/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://169.254.169.254/latest/',
    'https://2130706433/',
    'https://example.org:22/',
  ]) {
    const { status, body } = await api.call('POST', '/webhooks', { url })
    expect([url, status, body.details[0].field]).toEqual([url, 400, 'url'])
  }
  const hook = await endpoint(api, 'https://rebind.example/')
  await api.call('POST', `/webhooks/${hook.id}/ping`)
  await until('it failed', async () => (await deliveries(api, hook.id))[0]?.attempts === 1)
  expect((await deliveries(api, hook.id))[0]).toMatchObject({
    state: 'waiting',
    status: null,
    reason: 'TARGET_REFUSED: the URL must be a host of the public internet',
  })
})
