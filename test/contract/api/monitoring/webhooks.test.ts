/** Webhooks over a real store: what is told, to whom, how often, and what receivers may do to others. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createKeys } from '../../../../api/keys/keys.ts'
import { eraseMonitoring } from '../../../../api/monitoring/erase.ts'
import { createLease } from '../../../../api/monitoring/lead/lease.ts'
import { openBus } from '../../../../platform/bus/index.ts'
import { systemClock } from '../../../../platform/clock.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { topics } from '../../../../schema/topics.ts'
import type { MemoryBus } from '../../../kit/memory-bus.ts'
import { openTestStore, type TestStore } from '../../../kit/store.ts'
import { until } from '../../../kit/until.ts'
import { testContext } from '../kit.ts'
import {
  address,
  createRecordsBus,
  type Monitored,
  publish,
  publishTaxes,
  recordOf,
  startMonitored,
  startReceiver,
  storeRecords,
} from './webhooks.kit.ts'

let kit: TestStore
let bus: MemoryBus
const open: { close: () => Promise<unknown> }[] = []
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(async () => {
  await kit.truncate()
  bus = await createRecordsBus()
})
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})
afterAll(() => kit.close())

const keep = <T extends { close: () => Promise<unknown> }>(one: T): T => {
  open.push(one)
  return one
}
const start = async (options?: Parameters<typeof startMonitored>[2], store = kit.store) =>
  keep(await startMonitored(store, bus, options))
const receiver = async (...answer: Parameters<typeof startReceiver>) => keep(await startReceiver(...answer))

const watch = async (api: Monitored, wallets: readonly string[], key?: string) => {
  const add = wallets.map((walletAddress) => ({ network: 'ETH', walletAddress }))
  expect((await api.call('POST', '/watch', { add }, key)).status).toBe(200)
}
const endpoint = async (api: Monitored, url: string, more: object = {}, key?: string) => {
  const { status, body } = await api.call('POST', '/webhooks', { url, ...more }, key)
  expect(status).toBe(201)
  return { id: body.endpoint.id as string, secret: body.secret as string }
}
const deliveries = async (api: Monitored, id: string, query = '') =>
  (await api.call('GET', `/webhooks/${id}/deliveries${query}`)).body.deliveries as {
    id: string
    type: string
    state: string
    attempts: number
    status: number | null
    reason: string | null
  }[]

/** Waits until everything that was published is compared and everything that is due was sent: a ping passes last. */
const quiet = async (api: Monitored, of: { id: string }) => {
  const messages = `assay_watch_records_total ${bus.messages('records').length}\n`
  await until('all records were looked at', async () => (await api.context.metrics.text()).includes(messages))
  await pinged(api, of)
}
/** Waits until a ping passed behind everything that was due. */
const pinged = async (api: Monitored, of: { id: string }) => {
  const { body } = await api.call('POST', `/webhooks/${of.id}/ping`)
  await until('the ping was delivered', async () =>
    (await deliveries(api, of.id)).some(({ id, state }) => id === body.ids[0] && state === 'delivered'),
  )
}
const verdictsOf = (received: { body: string }[]) =>
  received.map(({ body }) => JSON.parse(body)).filter(({ type }) => type === 'verdict.changed')

/** Waits until a replica compares what is published: lists that were stored before are known then. */
const ready = (api: Monitored) => until('a replica watches', () => holds(api))
/** Waits until the replica knows its endpoints and this many addresses. */
const knows = async (api: Monitored, addresses: number, endpoints = 1) => {
  await until('the list is known', async () => {
    const text = await api.context.metrics.text()
    return (
      text.includes(`assay_watch_addresses ${addresses}\n`) &&
      text.includes(`assay_webhook_endpoints{state="on"} ${endpoints}\n`)
    )
  })
}

const holds = async (api: Monitored) => (await api.context.metrics.text()).includes('assay_monitoring_holds 1')

test('a verdict that changes is told once, signed, with what it was before and what it rests on', async () => {
  const api = await start()
  await ready(api)
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  const clean = recordOf(address(1))
  await storeRecords(kit.store, [clean])
  await watch(api, [address(1)])
  await knows(api, 1)
  // The same verdict by another block: nothing to tell.
  await publish(bus, [recordOf(address(1)), recordOf(address(2), { flags: ['mixer'] })])
  const reason = { code: 'phishing_activities', title: 'Received what victims signed away', contribution: 1 }
  const fraud = recordOf(address(1), { flags: ['phishing_activities'], reasons: [reason] })
  await publish(bus, [fraud])
  await until('it is told', () => target.received.length > 0)
  await publish(bus, [recordOf(address(1), { model: 'fraud-2' })])
  await until('the end is told', () => target.received.length > 1)
  await quiet(api, hook)
  for (const { body, headers } of target.received) {
    expect(new Webhook(hook.secret).verify(body, headers as Record<string, string>)).toEqual(JSON.parse(body))
  }
  const [raised, cleared] = verdictsOf(target.received)
  expect(target.received).toHaveLength(3)
  expect(raised).toMatchObject({
    type: 'verdict.changed',
    data: {
      network: 'ETH',
      address: address(1),
      operation: 'fraud_check',
      direction: 'worse',
      before: { status: 'Not Fraud', band: 'low', flags: [], recordVersion: clean.version },
      after: {
        status: 'Fraud',
        band: 'very_high',
        probability: '1.00',
        flags: ['phishing_activities'],
        riskStatus: null,
        recordVersion: fraud.version,
        dataHeight: fraud.data_height,
      },
      flagsRaised: ['phishing_activities'],
      flagsCleared: [],
      cause: { reasons: [{ code: reason.code, title: reason.title, change: 'added' }], modelChanged: false },
    },
  })
  expect(cleared.data).toMatchObject({
    direction: 'better',
    before: { recordVersion: fraud.version },
    flagsCleared: ['phishing_activities'],
    cause: { reasons: [{ code: reason.code, change: 'removed' }], modelChanged: true },
  })
  const ids = target.received.map(({ headers }) => headers['webhook-id'])
  expect(new Set(ids).size).toBe(3)
  expect((await deliveries(api, hook.id)).map(({ state, attempts, status }) => [state, attempts, status])).toEqual(
    Array(3).fill(['delivered', 1, 200]),
  )
})

test('a verdict that flaps within a moment is told once, and not at all when it ends where it began', async () => {
  const api = await start()
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1), address(2)])
  await knows(api, 2)
  const flapping = (of: string, last: boolean) =>
    Array.from({ length: 100 }, (_, n) => recordOf(of, (n % 2 === 1) === last ? { flags: ['mixer'] } : {}))
  await publish(bus, [...flapping(address(1), true), ...flapping(address(2), false)])
  await quiet(api, hook)
  expect(verdictsOf(target.received).map(({ data }) => [data.address, data.direction])).toEqual([[address(1), 'worse']])
})

test('a tax that rises is told, also when nobody could measure it in between', async () => {
  const api = await start()
  const target = await receiver()
  const hook = await endpoint(api, target.url, { operations: ['rug_pull'] })
  await watch(api, [address(1)])
  await knows(api, 1)
  // What 0.2.0 wrote of it names no taxes: the first that are measured are no change.
  await publishTaxes(bus, address(1), undefined)
  await quiet(api, hook)
  const [{ verdict } = { verdict: '' }] = await kit.store.query<{ verdict: string }>(
    'SELECT verdict FROM watch_verdicts',
  )
  const { buyTax: _buy, sellTax: _sell, ...old } = JSON.parse(verdict).verdict
  const row = { network: 'ETH', address: address(1), operation: 'rug_pull', version: old.recordVersion }
  const written = JSON.stringify({ ...JSON.parse(verdict), verdict: old })
  await kit.store.insert('watch_verdicts', `${JSON.stringify({ ...row, verdict: written })}\n`)
  const told = target.received.length
  for (const taxes of [{ buy_tax: 5, sell_tax: 5 }, undefined, { buy_tax: 5, sell_tax: 30 }]) {
    await publishTaxes(bus, address(1), taxes)
    await quiet(api, hook)
  }
  const [change, ...others] = verdictsOf(target.received.slice(told))
  expect(others).toEqual([])
  expect(change.data).toMatchObject({
    operation: 'rug_pull',
    direction: 'worse',
    before: { buyTax: 5, sellTax: 5 },
    after: { buyTax: 5, sellTax: 30 },
    flagsRaised: [],
  })
})

test('of several that find the lease free at the same moment one holds it, and the next one when it is given back', async () => {
  let reads = 0
  let release = () => {}
  const allRead = new Promise<void>((resolve) => {
    release = resolve
  })
  // Nobody claims before everybody has read.
  const query: Store['query'] = async (...args) => {
    const rows = await kit.store.query(...args)
    if (++reads === 3) release()
    await allRead
    return rows as never
  }
  // A clock that was set back: the claim to follow is of a day to come, and ran out.
  const future = { name: 'trial', version: '9000000000000000', holder: 'dead', held_until: '2020-01-01 00:00:00.000' }
  await kit.store.insert('monitor_leases', `${JSON.stringify(future)}\n`)
  const leases = [1, 2, 3].map(() => createLease({ ...kit.store, query }, 'trial'))
  expect((await Promise.all(leases.map((lease) => lease.hold()))).filter(Boolean)).toHaveLength(1)
  const [holder, ...others] = leases.toSorted((a, b) => Number(b.isHeld()) - Number(a.isHeld()))
  expect(await Promise.all(others.map((lease) => lease.hold()))).toEqual([false, false])
  await holder?.release()
  expect(await others[0]?.hold()).toBe(true)
  expect(await others[1]?.hold()).toBe(false)
})

test('of two replicas one delivers, and the other goes on where it ends', async () => {
  const [first, second] = [await start(), await start()]
  const target = await receiver()
  const hook = await endpoint(second, target.url)
  await watch(second, [address(1)])
  await until('one of them knows', async () => {
    const texts = await Promise.all([first, second].map(({ context }) => context.metrics.text()))
    return texts.filter((text) => text.includes('assay_watch_addresses 1\n')).length === 1
  })
  await publish(bus, [recordOf(address(1), { flags: ['mixer'] })])
  await until('it is told', () => verdictsOf(target.received).length === 1)
  await pinged(second, hook)
  const [leader, other] = (await holds(first)) ? [first, second] : [second, first]
  await leader.close()
  open.splice(open.indexOf(leader), 1)
  // Published while nobody compares.
  await publish(bus, [recordOf(address(1))])
  await until('the other one tells it', () => verdictsOf(target.received).length === 2)
  expect(await holds(other)).toBe(true)
  expect(verdictsOf(target.received).map(({ data }) => data.direction)).toEqual(['worse', 'better'])
})

test('a process that is alone asks the store for nothing while nothing happens, and misses nothing that is written', async () => {
  let asked = 0
  let rounds = 0
  const counting: Store = {
    ...kit.store,
    query: ((...args: Parameters<Store['query']>) => {
      if (/^(webhook|watch|monitor)/.test(args[2]?.route ?? '')) asked += 1
      return kit.store.query(...args)
    }) as Store['query'],
  }
  const read: MemoryBus['read'] = (...args) => {
    rounds += 1
    return bus.read(...args)
  }
  const api = keep(await startMonitored(counting, { ...bus, read }, { monitoring: { alone: true } }))
  await ready(api)
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1)])
  await knows(api, 1)
  const settled = rounds
  await until('the last look is over', () => rounds > settled + 2)
  const [before, quiet] = [asked, rounds]
  await until('it looked many times', () => rounds > quiet + 5)
  expect(asked).toBe(before)
  // What its own callers do.
  await publish(bus, [recordOf(address(1), { flags: ['mixer'] })])
  await until('it is told', () => verdictsOf(target.received).length === 1)
  expect((await api.call('PATCH', `/webhooks/${hook.id}`, { state: 'paused' })).status).toBe(200)
  await until('it is paused', async () =>
    (await api.context.metrics.text()).includes('assay_webhook_endpoints{state="paused"} 1\n'),
  )
  // What a tool does, of which it hears through the socket of the store.
  await eraseMonitoring(kit.store, 'key_enterprise')
  await api.api.written('webhook_endpoints')
  await until('it is gone', async () =>
    (await api.context.metrics.text()).includes('assay_webhook_endpoints{state="paused"} 0\n'),
  )
})

test('a process that is killed between a delivery and its note has it delivered again, under the same id', async () => {
  let dead = false
  const guard =
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      dead ? Promise.reject(new Error('killed')) : work(...args)
  const { query, insert, command } = kit.store
  const doomed: Store = {
    ...kit.store,
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
  await knows(first, 1)
  await publish(bus, [recordOf(address(1), { flags: ['mixer'] })])
  await until('it is delivered and dead', () => dead && target.received.length === 1)
  const second = await start()
  await until('it is delivered again', () => target.received.length === 2)
  const [once, again] = target.received.map(({ headers, body }) => [headers['webhook-id'], body])
  expect(again).toEqual(once)
  await pinged(second, hook)
  expect(verdictsOf(target.received)).toHaveLength(2)
})

test('over the embedded log a replica that starts again tells what was published in between, and nothing twice', async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-webhooks-'))
  const { log } = testContext()
  const embedded = keep(await openBus({ path, log }))
  open.unshift({ close: async () => rmSync(path, { recursive: true, force: true }) })
  await embedded.createTopics([{ topic: topics.records, partitions: 1, compacted: true }])
  const first = await startMonitored(kit.store, embedded)
  const target = await receiver()
  await endpoint(first, target.url)
  await watch(first, [address(1), address(2)])
  await knows(first, 2)
  await publish(embedded, [recordOf(address(1), { flags: ['mixer'] }), recordOf(address(3), { flags: ['mixer'] })])
  await until('it is told', () => target.received.length === 1)
  await first.close()
  await publish(embedded, [recordOf(address(2), { flags: ['mixer'] }), recordOf(address(1), { flags: ['mixer'] })])
  keep(await startMonitored(kit.store, embedded))
  await until('the rest is told', () => target.received.length === 2)
  await publish(embedded, [recordOf(address(1))])
  await until('the last is told', () => target.received.length === 3)
  const told = verdictsOf(target.received).map(({ data }) => [data.address, data.direction])
  expect(told).toEqual([
    [address(1), 'worse'],
    [address(2), 'worse'],
    [address(1), 'better'],
  ])
})

test('what fails between a delivery and the note of its verdict is done again, and delivered once', async () => {
  let failures = 0
  const shaky: Store = {
    ...kit.store,
    insert: async (table, rows, options) => {
      if (table === 'watch_verdicts' && failures++ < 2) throw new Error('the store went away')
      return kit.store.insert(table, rows, options)
    },
  }
  const api = await start({}, shaky)
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1), address(2)])
  await knows(api, 2)
  failures = 0
  await publish(bus, [recordOf(address(1), { flags: ['mixer'] }), recordOf(address(2), { flags: ['mixer'] })])
  await until('it failed and was done again', () => failures > 2)
  await publish(bus, [recordOf(address(1))])
  await until('all is told', () => verdictsOf(target.received).length >= 3)
  await pinged(api, hook)
  const told = verdictsOf(target.received).map(({ data }) => `${data.address} ${data.direction}`)
  expect(told.toSorted()).toEqual([`${address(1)} better`, `${address(1)} worse`, `${address(2)} worse`])
})

test('receivers that never answer delay nobody else', async () => {
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
  await publish(
    bus,
    Array.from({ length: 20 }, (_, n) => recordOf(address(n + 1), { flags: ['mixer'] })),
  )
  await until('all are told', () => target.received.length === 20)
  // What was answered is kept a moment later.
  const told = async () => (await deliveries(api, hook.id, '?state=delivered&limit=100')).length
  await until('all are kept as told', async () => (await told()) === 20)
  expect(silent.received.length).toBeLessThanOrEqual(4)
  const [failed] = (await deliveries(api, redirect.id)).filter(({ attempts }) => attempts > 0)
  expect(failed).toMatchObject({ state: 'waiting', status: 302, reason: 'HTTP 302' })
  silent.close()
})

test('nobody is told more than the key may ask', async () => {
  const keys = createKeys({ store: kit.store, clock: systemClock })
  const made = {
    networks: await keys.create('business', 'BNB only', { networks: ['BNB'] }),
    operations: await keys.create('business', 'contracts only', { operations: ['rug_pull'] }),
    test: await keys.create('business', 'tests', { test: true }),
    other: await keys.create('business', 'another customer'),
    mine: await keys.create('business', 'a customer'),
  }
  const api = await start({ keys })
  const target = await receiver()
  const add = [{ network: 'ETH', walletAddress: address(1) }]
  expect((await api.call('POST', '/watch', { add }, made.networks.key)).body.error).toBe('NETWORK_NOT_ALLOWED')
  for (const { key } of Object.values(made)) {
    if (key !== made.networks.key) await watch(api, [address(1)], key)
    if (key !== made.other.key) await endpoint(api, target.url, {}, key)
  }
  const hook = await endpoint(api, target.url, { operations: ['rug_pull'] }, made.mine.key)
  await endpoint(api, target.url, { networks: ['BNB'] }, made.mine.key)
  await endpoint(api, target.url, { directions: ['better'] }, made.mine.key)
  await knows(api, 1, 7)
  await publish(bus, [recordOf(address(1), { flags: ['mixer'] })])
  await until('it is told', () => target.received.length > 0)
  await api.call('POST', `/webhooks/${hook.id}/ping`, undefined, made.mine.key)
  await until('the ping came', () => target.received.some(({ body }) => body.includes('"ping"')))
  expect(verdictsOf(target.received)).toHaveLength(1)
  // Endpoints and lists of others do not exist.
  for (const [method, path] of [
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/rotate'],
    ['POST', '/ping'],
    ['POST', '/replay'],
    ['GET', '/deliveries'],
  ] as const) {
    const { status, body } = await api.call(method, `/webhooks/${hook.id}${path}`, undefined, made.other.key)
    expect([status, body.error]).toEqual([404, 'NOT_FOUND'])
  }
})

test('what waits for a key that is revoked is never sent', async () => {
  const keys = createKeys({ store: kit.store, clock: systemClock })
  const owner = await keys.create('business', 'owner')
  const api = await start({ keys, tuning: { keysRefreshMs: 10 } })
  let answer = 503
  const target = await receiver((response) => response.writeHead(answer, { 'retry-after': '1' }).end())
  const hook = await endpoint(api, target.url, {}, owner.key)
  await watch(api, [address(1)], owner.key)
  await knows(api, 1)
  await publish(bus, [recordOf(address(1), { flags: ['mixer'] })])
  await until('it failed once', () => target.received.length === 1)
  await keys.revoke(owner.id)
  answer = 200
  const row = () =>
    kit.store.query<{ state: string; reason: string }>(
      'SELECT state, reason FROM webhook_deliveries FINAL WHERE endpoint = {id:String}',
      { id: hook.id },
    )
  await until('it is given up', async () => (await row())[0]?.state === 'dead')
  expect(await row()).toEqual([{ state: 'dead', reason: 'KEY_NOT_IN_FORCE' }])
  expect(target.received).toHaveLength(1)
})

test('an endpoint that fails for days is disabled; turned on again, what was missed is replayed', async () => {
  let shift = 0
  const context = { ...testContext(), clock: { ...systemClock, now: () => Date.now() + shift } }
  const api = await start({ context })
  let answer = 500
  const target = await receiver((response) => response.writeHead(answer).end())
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1), address(2)])
  await knows(api, 2)
  await publish(bus, [recordOf(address(1), { flags: ['mixer'] })])
  await until('it failed', async () => (await deliveries(api, hook.id))[0]?.attempts === 1)
  shift = 73 * 3_600_000
  await publish(bus, [recordOf(address(2), { flags: ['mixer'] })])
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

test('a clock that is set back while an endpoint fails keeps no delivery from it', async () => {
  let shift = 0
  const context = { ...testContext(), clock: { ...systemClock, now: () => Date.now() + shift } }
  const api = await start({ context })
  let answer = 500
  const target = await receiver((response) => response.writeHead(answer).end())
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1)])
  await knows(api, 1)
  await publish(bus, [recordOf(address(1), { flags: ['mixer'] })])
  await until('it failed', async () => (await deliveries(api, hook.id))[0]?.attempts === 1)
  shift = -10 * 3_600_000
  answer = 200
  await until('it is delivered', async () => (await deliveries(api, hook.id))[0]?.state === 'delivered')
})

test('an endpoint that answers 410 is disabled at once', async () => {
  const api = await start()
  const target = await receiver((response) => response.writeHead(410).end())
  const hook = await endpoint(api, target.url)
  await api.call('POST', `/webhooks/${hook.id}/ping`)
  await until('it is disabled', async () => (await api.call('GET', '/webhooks')).body.endpoints[0].state === 'disabled')
  // What became of attempts is stored once a second.
  await until('it is noted', async () => (await deliveries(api, hook.id))[0]?.state === 'dead')
  expect(await deliveries(api, hook.id)).toMatchObject([{ type: 'ping', state: 'dead', status: 410 }])
})

test('while a secret is replaced both sign, and the old one stops after its grace', async () => {
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
  const kept = JSON.stringify(await kit.store.query('SELECT * FROM webhook_endpoints'))
  for (const secret of [hook.secret, body.secret, third]) expect(kept).not.toContain(secret.slice(6))
})

test('private targets are refused when they are named, and when their names turn out to be private', async () => {
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

test('what a network says while it catches up is told once it has, if it is still so', async () => {
  let behind = true
  const catchingUp = (network: string) =>
    behind && network === 'ETH' ? { reason: 'is behind', retryAfterSeconds: 5 } : undefined
  const api = await start({ catchingUp })
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1), address(2), address(3)])
  await knows(api, 3)
  const high = recordOf(address(1), { probability: '0.49' })
  const passing = recordOf(address(2), { probability: '0.49' })
  const flagged = recordOf(address(3), { flags: ['mixer'] })
  const detail = JSON.parse(flagged.body)
  flagged.body = JSON.stringify({ ...detail, forensic_details: { ...detail.forensic_details, data_source: 'x' } })
  const later = recordOf(address(2))
  await storeRecords(kit.store, [high, later, flagged])
  await publish(bus, [high, passing, flagged, later])
  await quiet(api, hook)
  // A flag does not go away when the rest comes.
  expect(verdictsOf(target.received).map(({ data }) => data.address)).toEqual([address(3)])
  behind = false
  await until('it is told', () => verdictsOf(target.received).length === 2)
  await quiet(api, hook)
  expect(verdictsOf(target.received).map(({ data }) => data.address)).toEqual([address(3), address(1)])
})

test('an endpoint that is removed is gone at once, and leaves nothing, nor do events of its time', async () => {
  const api = await start()
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await api.call('POST', `/webhooks/${hook.id}/ping`)
  await until('the ping came', () => target.received.length === 1)
  // The answer does not wait for the tables to be rewritten, which takes as long as the store is busy.
  await kit.store.command('SYSTEM STOP MERGES webhook_endpoints')
  try {
    expect((await api.call('DELETE', `/webhooks/${hook.id}`)).status).toBe(200)
    expect((await api.call('GET', `/webhooks/${hook.id}`)).status).toBe(404)
  } finally {
    await kit.store.command('SYSTEM START MERGES webhook_endpoints')
  }
  await until('nothing is left', async () => {
    const [row] = await kit.store.query<{ n: string }>(
      `SELECT (SELECT count() FROM webhook_deliveries) + (SELECT count() FROM webhook_health) +
         (SELECT countIf(url != '' OR secret != '') FROM webhook_endpoints) AS n`,
    )
    return row?.n === '0'
  })
  // Statements that follow on the connection wait as before.
  await kit.store.command("SELECT throwIf(getSetting('lightweight_deletes_sync') != 2)")
})
