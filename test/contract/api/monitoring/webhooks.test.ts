/** What webhooks tell, of what, and to whom. */
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { createKeys } from '../../../../api/keys/keys.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { until } from '../../../kit/until.ts'
import { useMonitoring, verdictsOf } from './monitored.kit.ts'
import { address, recordOf, storeRecords } from './webhooks.kit.ts'

const world = useMonitoring()
const { start, receiver, watch, endpoint, deliveries, quiet, ready, knows, publish, publishTaxes } = world

test('delivers a changed verdict once, signed, with the previous verdict and the evidence', async () => {
  const api = await start()
  await ready(api)
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  const clean = recordOf(address(1))
  await storeRecords(world.store, [clean])
  await watch(api, [address(1)])
  await knows(api, 1, 1)
  // The same verdict by another block: nothing to tell.
  await publish([recordOf(address(1)), recordOf(address(2), { flags: ['mixer'] })])
  const reason = { code: 'phishing_activities', title: 'Received what victims signed away', contribution: 1 }
  const fraud = recordOf(address(1), { flags: ['phishing_activities'], reasons: [reason] })
  await publish([fraud])
  await until('it is told', () => target.received.length > 0)
  await publish([recordOf(address(1), { model: 'fraud-2' })])
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

test('a flapping verdict causes one event, or none if it returns to its start', async () => {
  const api = await start()
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1), address(2)])
  await knows(api, 2, 1)
  const flapping = (of: string, last: boolean) =>
    Array.from({ length: 100 }, (_, n) => recordOf(of, (n % 2 === 1) === last ? { flags: ['mixer'] } : {}))
  await publish([...flapping(address(1), true), ...flapping(address(2), false)])
  await quiet(api, hook)
  expect(verdictsOf(target.received).map(({ data }) => [data.address, data.direction])).toEqual([[address(1), 'worse']])
})

test('a rising tax causes an event, even if it could not be measured in between', async () => {
  const api = await start()
  const target = await receiver()
  const hook = await endpoint(api, target.url, { operations: ['rug_pull'] })
  await watch(api, [address(1)])
  await knows(api, 1, 1)
  // What 0.2.0 wrote of it names no taxes: the first that are measured are no change.
  await publishTaxes(address(1), undefined)
  await quiet(api, hook)
  const [{ verdict } = { verdict: '' }] = await world.store.query<{ verdict: string }>(
    'SELECT verdict FROM watch_verdicts',
  )
  const { buyTax: _buy, sellTax: _sell, ...old } = JSON.parse(verdict).verdict
  const row = { network: 'ETH', address: address(1), operation: 'rug_pull', version: old.recordVersion }
  const written = JSON.stringify({ ...JSON.parse(verdict), verdict: old })
  await world.store.insert('watch_verdicts', `${JSON.stringify({ ...row, verdict: written })}\n`)
  const told = target.received.length
  for (const taxes of [{ buy_tax: 5, sell_tax: 5 }, undefined, { buy_tax: 5, sell_tax: 30 }]) {
    await publishTaxes(address(1), taxes)
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

test('deliveries contain only operations that the key may call', async () => {
  const keys = createKeys({ store: world.store, clock: systemClock })
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
  await publish([recordOf(address(1), { flags: ['mixer'] })])
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

test('never sends waiting deliveries of a revoked key', async () => {
  const keys = createKeys({ store: world.store, clock: systemClock })
  const owner = await keys.create('business', 'owner')
  const api = await start({ keys, tuning: { keysRefreshMs: 10 } })
  let answer = 503
  const target = await receiver((response) => response.writeHead(answer, { 'retry-after': '1' }).end())
  const hook = await endpoint(api, target.url, {}, owner.key)
  await watch(api, [address(1)], owner.key)
  await knows(api, 1, 1)
  await publish([recordOf(address(1), { flags: ['mixer'] })])
  await until('it failed once', () => target.received.length === 1)
  await keys.revoke(owner.id)
  answer = 200
  const row = () =>
    world.store.query<{ state: string; reason: string }>(
      'SELECT state, reason FROM webhook_deliveries FINAL WHERE endpoint = {id:String}',
      { id: hook.id },
    )
  await until('it is given up', async () => (await row())[0]?.state === 'dead')
  expect(await row()).toEqual([{ state: 'dead', reason: 'KEY_NOT_IN_FORCE' }])
  expect(target.received).toHaveLength(1)
})

test('verdicts of a network that catches up cause events afterwards, if they still hold', async () => {
  let behind = true
  const catchingUp = (network: string) =>
    behind && network === 'ETH' ? { reason: 'is behind', retryAfterSeconds: 5 } : undefined
  const api = await start({ catchingUp })
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await watch(api, [address(1), address(2), address(3)])
  await knows(api, 3, 1)
  const high = recordOf(address(1), { probability: '0.49' })
  const passing = recordOf(address(2), { probability: '0.49' })
  const flagged = recordOf(address(3), { flags: ['mixer'] })
  const detail = JSON.parse(flagged.body)
  flagged.body = JSON.stringify({ ...detail, forensic_details: { ...detail.forensic_details, data_source: 'x' } })
  const later = recordOf(address(2))
  await storeRecords(world.store, [high, later, flagged])
  await publish([high, passing, flagged, later])
  await quiet(api, hook)
  // A flag does not go away when the rest comes.
  expect(verdictsOf(target.received).map(({ data }) => data.address)).toEqual([address(3)])
  behind = false
  await until('it is told', () => verdictsOf(target.received).length === 2)
  await quiet(api, hook)
  expect(verdictsOf(target.received).map(({ data }) => data.address)).toEqual([address(3), address(1)])
})

test('a removed endpoint is gone at once, with its events', async () => {
  const api = await start()
  const target = await receiver()
  const hook = await endpoint(api, target.url)
  await api.call('POST', `/webhooks/${hook.id}/ping`)
  await until('the ping came', () => target.received.length === 1)
  // The answer does not wait for the tables to be rewritten, which takes as long as the store is busy.
  await world.store.command('SYSTEM STOP MERGES webhook_endpoints')
  try {
    expect((await api.call('DELETE', `/webhooks/${hook.id}`)).status).toBe(200)
    expect((await api.call('GET', `/webhooks/${hook.id}`)).status).toBe(404)
  } finally {
    await world.store.command('SYSTEM START MERGES webhook_endpoints')
  }
  await until('nothing is left', async () => {
    const [row] = await world.store.query<{ n: string }>(
      `SELECT (SELECT count() FROM webhook_deliveries) + (SELECT count() FROM webhook_health) +
         (SELECT countIf(url != '' OR secret != '') FROM webhook_endpoints) AS n`,
    )
    return row?.n === '0'
  })
  // Statements that follow on the connection wait as before.
  await world.store.command("SELECT throwIf(getSetting('lightweight_deletes_sync') != 2)")
})

test('refuses an endpoint name with an unpaired surrogate', async () => {
  const api = await start()
  const { body } = await api.call('POST', '/webhooks', { url: 'https://example.org/' })
  const half = 'a\ud800'
  const refusal = (field: string) => [400, [{ field, reason: 'must be well-formed text' }]]
  for (const [method, path] of [
    ['POST', '/webhooks'],
    ['PATCH', `/webhooks/${body.endpoint.id}`],
  ] as const) {
    const named = await api.call(method, path, { url: 'https://example.org/', description: half })
    const sent = await api.call(method, path, { url: `https://example.org/${half}` })
    expect([named.status, named.body.details]).toEqual(refusal('description'))
    expect([sent.status, sent.body.details]).toEqual(refusal('url'))
  }
})
