/** Alerts over a real store: what makes one, who may see it, what is done with it, and what two people do at once. */
import { expect, test } from 'vitest'
import { exportAudit } from '../../../../api/accounting/audit/export.ts'
import { createKeys } from '../../../../api/keys/keys.ts'
import { createAlerts } from '../../../../api/monitoring/alerts/alerts.ts'
import { eraseMonitoring } from '../../../../api/monitoring/erase.ts'
import { systemClock } from '../../../../platform/context/clock.ts'
import { type AlertShown, alertAnswer, alertsAnswer, alertsChanged } from '../../../../schema/records/service/alerts.ts'
import { until } from '../../../kit/until.ts'
import { BUSINESS_KEY, ENTERPRISE_KEY } from '../kit.ts'
import { useMonitoring } from './monitored.kit.ts'
import { address, type Monitored, newAlert, recordOf, storeRecords } from './webhooks.kit.ts'

const world = useMonitoring()
const { start, receiver, watch, knows, publish } = world

const alertsOf = async (api: Monitored, query = '', key?: string) => {
  const { status, body } = await api.call('GET', `/alerts${query}`, undefined, key)
  expect(status).toBe(200)
  return alertsAnswer.parse(body)
}
const alertOf = async (api: Monitored, id: string, key?: string) => {
  const { status, body } = await api.call('GET', `/alerts/${id}`, undefined, key)
  expect(status).toBe(200)
  return alertAnswer.parse(body)
}
/** Has verdicts on addresses turn bad, and waits for the alerts. */
const raise = async (api: Monitored, wallets: readonly string[]): Promise<AlertShown[]> => {
  await storeRecords(
    world.store,
    wallets.map((one) => recordOf(one)),
  )
  await watch(api, wallets)
  await knows(api, wallets.length)
  await publish(wallets.map((one) => recordOf(one, { flags: ['mixer'] })))
  await until('there are alerts', async () => (await alertsOf(api)).alerts.length === wallets.length)
  return (await alertsOf(api)).alerts
}

test('creates an alert for a changed verdict without an endpoint or a webhook key', async () => {
  const api = await start({ monitoring: { keys: [] } })
  const [alert] = await raise(api, [address(1)])
  expect(alert).toMatchObject({
    network: 'ETH',
    walletAddress: address(1),
    operation: 'fraud_check',
    state: 'open',
    outcome: null,
    revision: 0,
    comments: 0,
    key: null,
    author: null,
    change: {
      direction: 'worse',
      before: { status: 'Not Fraud' },
      after: { status: 'Fraud', flags: ['mixer'] },
      flagsRaised: ['mixer'],
    },
  })
  const { history, alert: same } = await alertOf(api, alert?.id ?? '')
  expect(same).toEqual(alert)
  expect(history).toEqual([
    { revision: 0, at: alert?.createdAt, state: 'open', outcome: null, comment: null, key: null, author: null },
  ])
  // A clean first verdict is none, and neither is what changes nothing.
  await watch(api, [address(2)])
  await knows(api, 2)
  await publish([recordOf(address(2)), recordOf(address(1), { flags: ['mixer'], model: 'fraud-2' })])
  await publish([recordOf(address(1))])
  await until('the end is noticed', async () => (await alertsOf(api)).alerts.length > 1)
  expect((await alertsOf(api)).alerts.map(({ change, walletAddress }) => [walletAddress, change.direction])).toEqual([
    [address(1), 'better'],
    [address(1), 'worse'],
  ])
  expect((await alertsOf(api, '?direction=better')).alerts).toHaveLength(1)
  expect((await alertsOf(api, `?network=ETH&walletAddress=${address(2)}`)).alerts).toEqual([])
})

test('an event names the alert of the account it is sent to', async () => {
  const api = await start()
  const target = await receiver()
  const { body } = await api.call('POST', '/webhooks', { url: target.url })
  const [alert] = await raise(api, [address(1)])
  await until('it is told', () => target.received.length > 0)
  expect(target.events(body.secret).map(({ data }) => data.alert)).toEqual([alert?.id])
})

test('an alert is reviewed, commented, closed and reopened, with actor, change and time in its history', async () => {
  const api = await start()
  const [alert] = await raise(api, [address(1), address(2)])
  const id = alert?.id ?? ''
  const begun = Math.floor(Date.now() / 1_000) * 1_000
  const change = (payload: object) => api.call('POST', `/alerts/${id}`, payload)
  const steps = [
    { revision: 0, state: 'under_review' },
    { revision: 1, comment: '  Asked the customer.\nNo answer yet. ', author: 'M. Berger' },
    { revision: 2, state: 'closed', outcome: 'restricted', comment: 'Account frozen.' },
    { revision: 3, state: 'open' },
  ]
  for (const step of steps) {
    const { status, body } = await change(step)
    expect(status).toBe(200)
    expect(alertAnswer.parse(body).alert.revision).toBe(step.revision + 1)
  }
  const { alert: now, history } = await alertOf(api, id)
  expect(now).toMatchObject({ state: 'open', outcome: null, revision: 4, comments: 2 })
  const by = { key: 'key_enterprise', author: null, comment: null, outcome: null }
  expect(history.map(({ at, ...entry }) => entry)).toEqual([
    { ...by, revision: 0, state: 'open', key: null },
    { ...by, revision: 1, state: 'under_review' },
    { ...by, revision: 2, state: 'under_review', comment: 'Asked the customer.\nNo answer yet.', author: 'M. Berger' },
    { ...by, revision: 3, state: 'closed', outcome: 'restricted', comment: 'Account frozen.' },
    { ...by, revision: 4, state: 'open' },
  ])
  for (const { at } of history.slice(1)) expect(Date.parse(at)).toBeGreaterThanOrEqual(begun)
  expect(now.changedAt).toBe(history.at(-1)?.at)

  await change({ revision: 4, state: 'closed', outcome: 'false_positive' })
  const { counts, alerts } = await alertsOf(api, '?state=closed')
  expect(counts).toEqual({ open: 1, under_review: 0, closed: 1 })
  expect(alerts.map((one) => [one.id, one.outcome])).toEqual([[id, 'false_positive']])
})

test('closes several alerts at once, with a result for each, and keeps concurrent changes of others', async () => {
  const api = await start({ audit: { store: world.store, required: false, flushMs: 3_600_000 } })
  const made = [1, 2, 3, 4].map((n) => newAlert(n))
  const foreign = newAlert(5, { account: 'somebody else' })
  await createAlerts(world.store).create([...made, foreign])
  const [first = '', second = '', third = '', fourth = ''] = made.map(({ alert }) => alert)
  await api.call('POST', `/alerts/${second}`, { revision: 0, state: 'under_review', author: 'A. Adler' })
  await api.call('POST', `/alerts/${third}`, { revision: 0, state: 'closed', outcome: 'no_action' })
  const { status, body } = await api.call('POST', '/alerts', {
    alerts: [
      { id: first, revision: 0 },
      { id: second, revision: 0 },
      { id: third, revision: 1 },
      { id: foreign.alert, revision: 0 },
      { id: 'alert_of_nobody', revision: 0 },
      { id: fourth, revision: 0 },
    ],
    ...{ state: 'closed', outcome: 'no_action', comment: 'The list was withdrawn.', author: 'M. Berger' },
  })
  expect(status).toBe(200)
  const { results } = alertsChanged.parse(body)
  expect(results.map((one) => [one.index, one.status])).toEqual([200, 409, 200, 404, 404, 200].map((of, n) => [n, of]))
  expect(results[0]?.result).toEqual(await alertOf(api, first))
  expect(results[1]?.result).toMatchObject({ error: 'CHANGED_MEANWHILE', details: [{ reason: 'is now 1' }] })
  const { alerts } = await alertsOf(api)
  const closed = { state: 'closed', outcome: 'no_action', author: 'M. Berger', key: 'key_enterprise', comments: 1 }
  for (const { id, ...now } of alerts)
    expect(now).toMatchObject(
      id === second ? { state: 'under_review', author: 'A. Adler', comments: 0, revision: 1 } : closed,
    )
  expect((await alertsOf(api, '?author=A.%20Adler')).alerts.map(({ id }) => id)).toEqual([second])
  expect((await createAlerts(world.store).entries('somebody else', [foreign.alert])).get(foreign.alert)).toHaveLength(1)
  await api.api.flush()
  let text = ''
  for await (const lines of exportAudit(world.store, {})) text += lines
  const entered = text.split('\n').filter((line) => line.includes('alert_change'))
  expect(entered.map((line) => JSON.parse(line).status)).toEqual([200, 200, 200, 409, 200, 200])
})

test('changes alerts with long histories in several steps, as many at once as fit', async () => {
  const api = await start()
  const alerts = createAlerts(world.store)
  await alerts.create([1, 2, 3].map((n) => newAlert(n)))
  const [long = '', longer = '', short = ''] = [1, 2, 3].map((n) => newAlert(n).alert)
  const [row] = await world.store.query<object>(`SELECT * FROM alert_entries WHERE alert = '${long}'`, {})
  const written = [long, longer].flatMap((alert) =>
    Array.from({ length: 700 }, (_, n) => ({ ...row, alert, entry: n + 1, body: '', comment: 'x'.repeat(4_000) })),
  )
  await world.store.insert('alert_entries', written.map((one) => `${JSON.stringify(one)}\n`).join(''))
  const asked = (...some: [string, number][]) => ({
    alerts: some.map(([id, revision]) => ({ id, revision })),
    ...{ state: 'under_review', author: 'A. Adler' },
  })
  const { body } = await api.call('POST', '/alerts', asked([short, 0], [long, 700], [longer, 700]))
  expect(alertsChanged.parse(body).results.map((one) => one.status)).toEqual([200, 200, 400])
  const { body: alone } = await api.call('POST', '/alerts', asked([longer, 700]))
  expect(alertsChanged.parse(alone).results.map((one) => one.status)).toEqual([200])
})

test('each alert is closed by exactly one of several concurrent callers on two replicas', async () => {
  const [one, other] = [await start(), await start()]
  const made = Array.from({ length: 40 }, (_, n) => newAlert(n))
  await createAlerts(world.store).create(made)
  const alerts = made.map(({ alert: id }) => ({ id, revision: 0 }))
  const close = (api: Monitored, author: string, some: typeof alerts) =>
    api.call('POST', '/alerts', { alerts: some, state: 'closed', outcome: 'no_action', author })
  const answers = await Promise.all([
    close(one, 'first', alerts),
    close(other, 'second', alerts.toReversed()),
    close(one, 'third', alerts),
  ])
  const wins = answers.flatMap(({ body }, nth) =>
    alertsChanged
      .parse(body)
      .results.flatMap(({ index, status }) =>
        status === 200 ? [`${(nth === 1 ? alerts.toReversed() : alerts)[index]?.id} ${nth}`] : [],
      ),
  )
  expect(wins).toHaveLength(40)
  const named = ['first', 'second', 'third']
  const now = (await alertsOf(one)).alerts
  expect(now.map(({ id, author }) => `${id} ${named.indexOf(author ?? '')}`).sort()).toEqual(wins.sort())
  expect(now.every(({ revision }) => revision === 1)).toBe(true)
})

test('refuses invalid changes of an alert with a reason, and changes nothing', async () => {
  const api = await start()
  const [alert] = await raise(api, [address(1)])
  const id = alert?.id ?? ''
  for (const [field, payload] of [
    ['outcome', { revision: 0, state: 'closed' }],
    ['outcome', { revision: 0, state: 'open', outcome: 'no_action' }],
    ['outcome', { revision: 0, comment: 'x', outcome: 'no_action' }],
    ['state', { revision: 0, state: 'open' }],
    ['state', { revision: 0, state: 'done' }],
    ['comment', { revision: 0 }],
    ['comment', { revision: 0, comment: ' \n ' }],
    ['comment', { revision: 0, comment: 'x'.repeat(4_001) }],
    ['comment', { revision: 0, comment: 'half of a pair: \ud800' }],
    ['author', { revision: 0, comment: 'x', author: 'x'.repeat(101) }],
    ['revision', { comment: 'x' }],
    ['revision', { revision: -1, comment: 'x' }],
    ['body', { revision: 0, comment: 'x'.repeat(1_000_000) }],
  ] as const) {
    const { status, body } = await api.call('POST', `/alerts/${id}`, payload)
    expect([status, body.details[0].field], JSON.stringify(payload).slice(0, 80)).toEqual([400, field])
  }
  for (const [field, payload] of [
    ['alerts', { comment: 'x' }],
    ['alerts', { alerts: [], comment: 'x' }],
    ['alerts', { alerts: Array.from({ length: 201 }, (_, n) => ({ id: `${n}`, revision: 0 })), comment: 'x' }],
    ['alerts', { alerts: [id, id].map((one) => ({ id: one, revision: 0 })), comment: 'x' }],
    ['alerts.0.revision', { alerts: [{ id }], comment: 'x' }],
    ['outcome', { alerts: [{ id, revision: 0 }], state: 'closed' }],
    ['comment', { alerts: [{ id, revision: 0 }] }],
  ] as const) {
    const { status, body } = await api.call('POST', '/alerts', payload)
    expect([status, body.details[0].field], JSON.stringify(payload).slice(0, 80)).toEqual([400, field])
  }
  const { status, body } = await api.call('POST', `/alerts/${id}`, { revision: 7, comment: 'x' })
  expect([status, body.error, body.details]).toEqual([
    409,
    'CHANGED_MEANWHILE',
    [{ field: 'revision', reason: 'is now 0' }],
  ])
  for (const query of [
    '?state=done',
    '?limit=0',
    '?limit=1001',
    '?before=x',
    '?network=MARS',
    `?walletAddress=${address(1)}`,
  ])
    expect((await api.call('GET', `/alerts${query}`)).status, query).toBe(400)
  expect((await alertOf(api, id)).history).toHaveLength(1)
})

test('stores a comment verbatim, whatever it contains', async () => {
  const api = await start()
  const [alert] = await raise(api, [address(1)])
  const comments = [
    '<img src=x onerror=alert(1)>',
    '\u202egnp.exe\u2066\u200b',
    '=HYPERLINK("https://evil.example","click")',
    `'; DROP TABLE alert_entries; --\\n\\t\u0000`,
    '🙂'.repeat(2_000),
    `{comment:String} $\{x} %s`,
  ]
  for (const [revision, comment] of comments.entries())
    expect((await api.call('POST', `/alerts/${alert?.id}`, { revision, comment })).status).toBe(200)
  const { history } = await alertOf(api, alert?.id ?? '')
  expect(history.slice(1).map(({ comment }) => comment)).toEqual(comments)
})

test('exactly one of many concurrent changes to an alert succeeds on two replicas', async () => {
  const [first, second] = [await start(), await start()]
  await createAlerts(world.store).create([newAlert(1)])
  const id = newAlert(1).alert
  for (const revision of [0, 1, 2]) {
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        (n % 2 ? first : second).call('POST', `/alerts/${id}`, { revision, comment: `round ${revision}, person ${n}` }),
      ),
    )
    const statuses = answers.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, ...Array(11).fill(409)])
    const heard = answers.find(({ status }) => status === 200)
    const { history } = await alertOf(second, id)
    expect(history.map((entry) => entry.revision)).toEqual([...Array(revision + 2).keys()])
    expect(history).toEqual(heard?.body.history)
  }
})

test('a request repeated after a lost response adds nothing', async () => {
  const api = await start()
  const [alert] = await raise(api, [address(1)])
  const payload = { revision: 0, state: 'under_review', comment: 'mine' }
  expect((await api.call('POST', `/alerts/${alert?.id}`, payload)).status).toBe(200)
  expect((await api.call('POST', `/alerts/${alert?.id}`, payload)).status).toBe(409)
  expect((await alertOf(api, alert?.id ?? '')).history).toHaveLength(2)
})

test('the same change detected again is the existing alert, with its history', async () => {
  const api = await start()
  const alerts = createAlerts(world.store)
  await alerts.create([newAlert(1)])
  const id = newAlert(1).alert
  await api.call('POST', `/alerts/${id}`, { revision: 0, state: 'closed', outcome: 'no_action' })
  const before = await alertsOf(api)
  await alerts.create([newAlert(1, { created: 1_900_000_000_000 })])
  expect(await alertsOf(api)).toEqual(before)
  await world.store.command('OPTIMIZE TABLE alert_entries FINAL')
  expect(await alertsOf(api)).toEqual(before)
})

test('a key does not see alerts of another, and sees its own only for operations it may call', async () => {
  const keys = createKeys({ store: world.store, clock: systemClock })
  const held = await keys.create('enterprise', '', { networks: ['BNB'] })
  const narrow = await keys.create('enterprise', '', { operations: ['credit_score'] })
  const test = await keys.create('enterprise', '', { test: true })
  const api = await start({ keys })
  const alerts = createAlerts(world.store)
  const own = [held, narrow, test].map(({ id }) => newAlert(1, { account: id }))
  await alerts.create([newAlert(1, { account: 'somebody else' }), ...own])
  for (const { key, id } of [held, narrow, test]) {
    expect(await alertsOf(api, '', key)).toMatchObject({ counts: { open: 0 }, alerts: [], next: null })
    expect((await api.call('GET', `/alerts/${newAlert(1, { account: id }).alert}`, undefined, key)).status).toBe(404)
  }
  for (const [method, payload] of [
    ['GET', undefined],
    ['POST', { revision: 0, comment: 'x' }],
  ] as const) {
    const foreign = newAlert(1, { account: 'somebody else' }).alert
    const { status, body } = await api.call(method, `/alerts/${foreign}`, payload)
    expect([status, body.error]).toEqual([404, 'NOT_FOUND'])
    expect((await api.call(method, `/alerts/${foreign}`, payload, BUSINESS_KEY)).status).toBe(404)
  }
  // A successor has what its predecessor had, and is named as itself.
  const first = await keys.create('enterprise', '')
  await alerts.create([newAlert(2, { account: first.id })])
  const next = await keys.rotate(first.id, 60_000)
  await api.api.refreshKeys()
  const id = newAlert(2, { account: first.id }).alert
  await api.call('POST', `/alerts/${id}`, { revision: 0, comment: 'before' }, first.key)
  await api.call('POST', `/alerts/${id}`, { revision: 1, comment: 'after' }, next.key)
  expect((await alertOf(api, id, next.key)).history.map(({ key }) => key)).toEqual([null, first.id, next.id])
})

test('pages through thirty thousand alerts, newest first, each once', async () => {
  const api = await start()
  const alerts = createAlerts(world.store)
  const all = 30_000
  // Several of one millisecond: the order among them has to hold across pages too.
  for (let at = 0; at < all; at += 10_000)
    await alerts.create(
      Array.from({ length: 10_000 }, (_, n) =>
        newAlert(at + n, { created: 1_800_000_000_000 + Math.floor((at + n) / 7) }),
      ),
    )
  for (const n of [5, 15_000, 29_999])
    await api.call('POST', `/alerts/${newAlert(n).alert}`, { revision: 0, state: 'under_review' })
  const first = await alertsOf(api, '?limit=1000')
  expect(first.counts).toEqual({ open: all - 3, under_review: 3, closed: 0 })
  const reviewed = await alertsOf(api, '?state=under_review')
  expect(reviewed.alerts.map(({ walletAddress }) => walletAddress)).toEqual([29_999, 15_000, 5].map(address))
  expect(reviewed.next).toBeNull()
  const seen = new Set<string>()
  let last = Number.POSITIVE_INFINITY
  for (let page = first, nth = 0; nth < 4; nth++) {
    for (const { id, createdAt } of page.alerts) {
      expect(Date.parse(createdAt)).toBeLessThanOrEqual(last)
      last = Date.parse(createdAt)
      seen.add(id)
    }
    if (page.next === null) break
    page = await alertsOf(api, `?limit=1000&before=${page.next}`)
  }
  expect(seen.size).toBe(4_000)
})

test('audits reads and changes of alerts with address and verdict', async () => {
  const api = await start({ audit: { store: world.store, required: false, flushMs: 3_600_000 } })
  const [alert] = await raise(api, [address(1)])
  await alertOf(api, alert?.id ?? '')
  await api.call('POST', `/alerts/${alert?.id}`, { revision: 0, state: 'closed', outcome: 'reported' })
  await api.call('POST', `/alerts/${alert?.id}`, { revision: 0, comment: 'too late' })
  await api.api.flush()
  let text = ''
  for await (const lines of exportAudit(world.store, {})) text += lines
  const entries = text
    .split('\n')
    .filter((line) => line.includes('alert_'))
    .map((line) => JSON.parse(line))
  const version = alert?.change.after?.recordVersion
  expect(
    entries.map(({ key, operation, network, address: of, status, recordVersion }) => [
      key,
      operation,
      network,
      of,
      status,
      recordVersion,
    ]),
  ).toEqual([
    ['key_enterprise', 'alert_get', 'ETH', address(1), 200, version],
    ['key_enterprise', 'alert_change', 'ETH', address(1), 200, version],
    ['key_enterprise', 'alert_change', 'ETH', address(1), 409, null],
  ])
})

test('erasing a customer removes its alerts, and later ones start anew', async () => {
  const api = await start()
  const alerts = createAlerts(world.store)
  await alerts.create([newAlert(1), newAlert(2), newAlert(3, { account: 'somebody else' })])
  const id = newAlert(1).alert
  await api.call('POST', `/alerts/${id}`, { revision: 0, comment: 'to be forgotten' })
  expect(await eraseMonitoring(world.store, 'key_enterprise')).toEqual({ addresses: 0, alerts: 2, endpoints: 0 })
  expect((await alertsOf(api)).alerts).toEqual([])
  expect(await world.store.query('SELECT account FROM alert_entries')).toEqual([{ account: 'somebody else' }])
  await alerts.create([newAlert(1, { created: 1_800_000_100_000 })])
  const { status, body } = await api.call('POST', `/alerts/${id}`, { revision: 0, comment: 'new' }, ENTERPRISE_KEY)
  expect(status).toBe(200)
  expect(body.history.map(({ comment }: { comment: string | null }) => comment)).toEqual([null, 'new'])
})
