/** Which replica compares verdicts and delivers events, and what another one finds when it takes over. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { eraseMonitoring } from '../../../../api/monitoring/erase.ts'
import { createLease } from '../../../../api/monitoring/lead/lease.ts'
import { openBus } from '../../../../platform/bus/index.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { topics } from '../../../../schema/topics.ts'
import type { MemoryBus } from '../../../kit/bus/memory-bus.ts'
import { until } from '../../../kit/until.ts'
import { testContext } from '../kit.ts'
import { useMonitoring, verdictsOf } from './monitored.kit.ts'
import { address, recordOf, startMonitored } from './webhooks.kit.ts'

const world = useMonitoring()
const { start, keep, receiver, watch, endpoint, pinged, ready, knows, holds, publish } = world

test('one of several concurrent claims gets the lease, and the next one when it is released', async () => {
  let reads = 0
  let release = () => {}
  const allRead = new Promise<void>((resolve) => {
    release = resolve
  })
  // Nobody claims before everybody has read.
  const query: Store['query'] = async (...args) => {
    const rows = await world.store.query(...args)
    if (++reads === 3) release()
    await allRead
    return rows as never
  }
  // A clock that was set back: the claim to follow is of a day to come, and ran out.
  const future = { name: 'trial', version: '9000000000000000', holder: 'dead', held_until: '2020-01-01 00:00:00.000' }
  await world.store.insert('monitor_leases', `${JSON.stringify(future)}\n`)
  const leases = [1, 2, 3].map(() => createLease({ ...world.store, query }, 'trial'))
  expect((await Promise.all(leases.map((lease) => lease.hold()))).filter(Boolean)).toHaveLength(1)
  const [holder, ...others] = leases.toSorted((a, b) => Number(b.isHeld()) - Number(a.isHeld()))
  expect(await Promise.all(others.map((lease) => lease.hold()))).toEqual([false, false])
  await holder?.release()
  expect(await others[0]?.hold()).toBe(true)
  expect(await others[1]?.hold()).toBe(false)
})

test('one of two replicas delivers, and the other continues where it stops', async () => {
  const [first, second] = [await start(), await start()]
  const target = await receiver()
  const hook = await endpoint(second, target.url)
  await watch(second, [address(1)])
  await until('one of them knows', async () => {
    const texts = await Promise.all([first, second].map(({ context }) => context.metrics.text()))
    return texts.filter((text) => text.includes('assay_watch_addresses 1\n')).length === 1
  })
  await publish([recordOf(address(1), { flags: ['mixer'] })])
  await until('it is told', () => verdictsOf(target.received).length === 1)
  await pinged(second, hook)
  const [leader, other] = (await holds(first)) ? [first, second] : [second, first]
  await leader.close()
  world.open.splice(world.open.indexOf(leader), 1)
  // Published while nobody compares.
  await publish([recordOf(address(1))])
  await until('the other one tells it', () => verdictsOf(target.received).length === 2)
  expect(await holds(other)).toBe(true)
  expect(verdictsOf(target.received).map(({ data }) => data.direction)).toEqual(['worse', 'better'])
})

test('a single process queries the store only when something happens, and misses no write', async () => {
  let asked = 0
  let rounds = 0
  const counting: Store = {
    ...world.store,
    query: ((...args: Parameters<Store['query']>) => {
      if (/^(webhook|watch|monitor)/.test(args[2]?.route ?? '')) asked += 1
      return world.store.query(...args)
    }) as Store['query'],
  }
  const read: MemoryBus['read'] = (...args) => {
    rounds += 1
    return world.bus.read(...args)
  }
  const api = keep(await startMonitored(counting, { ...world.bus, read }, { monitoring: { alone: true } }))
  await ready(api)
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1)])
  await knows(api, 1, 1)
  const settled = rounds
  await until('the last look is over', () => rounds > settled + 2)
  const [before, quiet] = [asked, rounds]
  await until('it looked many times', () => rounds > quiet + 5)
  expect(asked).toBe(before)
  // What its own callers do.
  await publish([recordOf(address(1), { flags: ['mixer'] })])
  await until('it is told', () => verdictsOf(target.received).length === 1)
  expect((await api.call('PATCH', `/webhooks/${hook.id}`, { state: 'paused' })).status).toBe(200)
  await until('it is paused', async () =>
    (await api.context.metrics.text()).includes('assay_webhook_endpoints{state="paused"} 1\n'),
  )
  // What a tool does, of which it hears through the socket of the store.
  await eraseMonitoring(world.store, 'key_enterprise')
  await api.api.written('webhook_endpoints')
  await until('it is gone', async () =>
    (await api.context.metrics.text()).includes('assay_webhook_endpoints{state="paused"} 0\n'),
  )
})

test('with the embedded bus, a restarted replica delivers events published in between, each once', async () => {
  const path = mkdtempSync(join(tmpdir(), 'assay-webhooks-'))
  const { log } = testContext()
  const embedded = keep(await openBus({ path, log }))
  world.open.unshift({ close: async () => rmSync(path, { recursive: true, force: true }) })
  await embedded.createTopics([{ topic: topics.records, partitions: 1, compacted: true }])
  const first = await startMonitored(world.store, embedded)
  const target = await receiver()
  await endpoint(first, target.url)
  await watch(first, [address(1), address(2)])
  await knows(first, 2, 1)
  await publish([recordOf(address(1), { flags: ['mixer'] }), recordOf(address(3), { flags: ['mixer'] })], embedded)
  await until('it is told', () => target.received.length === 1)
  await first.close()
  await publish([recordOf(address(2), { flags: ['mixer'] }), recordOf(address(1), { flags: ['mixer'] })], embedded)
  keep(await startMonitored(world.store, embedded))
  await until('the rest is told', () => target.received.length === 2)
  await publish([recordOf(address(1))], embedded)
  await until('the last is told', () => target.received.length === 3)
  const told = verdictsOf(target.received).map(({ data }) => [data.address, data.direction])
  expect(told).toEqual([
    [address(1), 'worse'],
    [address(2), 'worse'],
    [address(1), 'better'],
  ])
})
