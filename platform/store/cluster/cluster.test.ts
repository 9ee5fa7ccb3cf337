/** Which servers and clusters a process starts on, and on which replica of them it stays. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import type { Clock } from '../../context/clock.ts'
import { createLog } from '../../context/log.ts'
import { createMetrics } from '../../context/metrics.ts'
import { RetryableError } from '../../errors.ts'
import type { Layout } from '../migrate/statements.ts'
import { openStore } from '../open.ts'
import type { Store } from '../store.ts'
import { settleOnServer } from './settle.ts'
import { judgeShape, type Shape } from './shape.ts'

const SINGLE: Layout = { kind: 'single' }
const CLUSTER: Layout = { kind: 'cluster', cluster: 'assay' }
const shape = (change: Partial<Shape> = {}): Shape => ({
  database_engine: 'Atomic',
  replicated: '89',
  plain: '0',
  shards: '1',
  shard: '1',
  replica: 'a',
  ...change,
})

/** A clock that stands still but for who sleeps. */
const instantClock = (): Clock => {
  let at = 0
  return {
    now: () => at,
    sleep: async (ms) => {
      at += ms
    },
  }
}

test.each<[Partial<Shape>, Layout, RegExp]>([
  [{ shards: '2' }, CLUSTER, /ASSAY_STORE_CLUSTER_SHAPE.*2 shards/],
  [{ shards: '0' }, CLUSTER, /ASSAY_STORE_CLUSTER_SHAPE.*no cluster assay/],
  [{ replica: '' }, CLUSTER, /ASSAY_STORE_CLUSTER_SHAPE.*macros/],
  [{ shard: '' }, CLUSTER, /ASSAY_STORE_CLUSTER_SHAPE.*macros/],
  [{ database_engine: 'Replicated' }, CLUSTER, /ASSAY_STORE_CLUSTER_SHAPE.*Replicated/],
  [{ database_engine: 'Shared', replicated: '0' }, SINGLE, /ASSAY_STORE_CLUSTER_SHAPE.*Shared/],
  [{ plain: '89', replicated: '0' }, CLUSTER, /ASSAY_STORE_LAYOUT_MIXED.*not replicated/],
  [{ plain: '1' }, CLUSTER, /ASSAY_STORE_LAYOUT_MIXED/],
  [{}, SINGLE, /ASSAY_STORE_LAYOUT_MIXED.*Set ASSAY_CLUSTER/],
])('refuses an unsupported layout: %o', (change, layout, error) => {
  expect(() => judgeShape(shape(change), layout)).toThrow(
    expect.toSatisfy((thrown: { code: string; message: string }) => error.test(`${thrown.code} ${thrown.message}`)),
  )
})

test('accepts a single server, and one shard with or without tables', () => {
  judgeShape(shape({ replicated: '0', shards: '0', shard: '', replica: '', plain: '89' }), SINGLE)
  judgeShape(shape({ replicated: '0', plain: '0', database_engine: null }), SINGLE)
  judgeShape(shape(), CLUSTER)
  judgeShape(shape({ replicated: '0' }), CLUSTER)
})

type Home = { version: string; replica: string }

/** A cluster that keeps table `schema_homes` only: each replica sees its own rows, and others' once it has caught up. */
const createCluster = () => {
  const rows: Home[] = []
  const tokens = new Set<string>()
  let made = false
  const replica = (name: string, { forgets = false, behind = false } = {}) => {
    let seen = new Set<Home>()
    const did: string[] = []
    const answers: Record<string, () => unknown[]> = {
      server: () => [{ server: name }],
      shape: () => [shape({ replica: name })],
      replicated_tables: () => [
        { name: 'ledger', forgets: forgets ? 1 : 0 },
        ...(made ? [{ name: 'schema_homes', forgets: 0 }] : []),
      ],
      home: () => rows.filter((row) => seen.has(row)).toSorted((a, b) => Number(b.version) - Number(a.version)),
    }
    const store: Store = {
      embedded: false,
      query: async <Row>(_: string, __: unknown, { route = 'other' }: { route?: string } = {}) =>
        (answers[route]?.() ?? []) as Row[],
      insert: async (_, text, { token = '' } = {}) => {
        if (tokens.has(token)) return
        tokens.add(token)
        const row = JSON.parse(text.toString()) as Home
        rows.push(row)
        seen.add(row)
      },
      command: async (sql, params) => {
        made ||= sql.startsWith('CREATE TABLE IF NOT EXISTS schema_homes')
        did.push(sql.replace('{name:Identifier}', String(params?.name)))
        if (!sql.startsWith('SYSTEM SYNC')) return
        if (behind && sql.includes('ledger')) throw new RetryableError('ASSAY_STORE_UNAVAILABLE', 'timed out.')
        seen = new Set(rows)
      },
      healthy: async () => true,
      close: async () => {},
    }
    const catchUp = () => {
      seen = new Set(rows)
    }
    return { store, did, catchUp }
  }
  return { rows, replica }
}

test('all processes use the replica of the first one, also when two start at once', async () => {
  const cluster = createCluster()
  const clock = instantClock()
  const [a, b] = [cluster.replica('a'), cluster.replica('b')]
  const outcomes = await Promise.allSettled([
    settleOnServer(a.store, CLUSTER, { clock }),
    settleOnServer(b.store, CLUSTER, { clock }),
  ])
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { code: 'ASSAY_STORE_REPLICA_OTHER' },
  })
  expect(cluster.rows).toHaveLength(1)
})

test('a replica takes over after it caught up, and processes on the old replica stop', async () => {
  const cluster = createCluster()
  const clock = instantClock()
  const [a, b] = [cluster.replica('a'), cluster.replica('b', { forgets: true })]
  const old = await settleOnServer(a.store, CLUSTER, { clock })
  await old.query('SELECT 1')
  await expect(settleOnServer(b.store, CLUSTER, { clock })).rejects.toThrow(/must use replica a.*--take-over/)

  const taken = await settleOnServer(b.store, CLUSTER, { clock, takeOver: true })
  await taken.query('SELECT 1')
  expect(cluster.rows.map(({ replica }) => replica)).toEqual(['a', 'b'])
  const synced = b.did.lastIndexOf('SYSTEM SYNC REPLICA ledger LIGHTWEIGHT')
  expect(synced).toBeGreaterThan(0)
  expect(b.did.slice(synced + 1)).toContain(
    "ALTER TABLE ledger ON CLUSTER 'assay' MODIFY SETTING replicated_deduplication_window_seconds = 315360000",
  )

  a.catchUp()
  expect(await old.healthy()).toBe(true)
  for (const call of [() => old.query('SELECT 1'), () => old.insert('t', '{}'), () => old.command('DROP TABLE t')]) {
    await expect(call()).rejects.toMatchObject({ code: 'ASSAY_STORE_REPLICA_OTHER' })
  }
  expect(a.did).not.toContain('DROP TABLE t')
  expect(await old.healthy()).toBe(false)
  // The same replica takes over again: nothing is written twice.
  await settleOnServer(b.store, CLUSTER, { clock, takeOver: true })
  expect(cluster.rows).toHaveLength(2)
})

test('a start with existing tables needs no other replica', async () => {
  const cluster = createCluster()
  const clock = instantClock()
  const a = cluster.replica('a')
  await settleOnServer(a.store, CLUSTER, { clock })
  expect(a.did.filter((statement) => statement.includes('ON CLUSTER'))).toHaveLength(1)
  await settleOnServer(a.store, CLUSTER, { clock })
  expect(a.did.filter((statement) => statement.includes('ON CLUSTER'))).toHaveLength(1)
})

test('does not read from a replica that lacks rows', async () => {
  const clock = instantClock()
  const { store } = createCluster().replica('a', { behind: true })
  await expect(settleOnServer(store, CLUSTER, { clock })).rejects.toMatchObject({
    code: 'ASSAY_STORE_REPLICA_BEHIND',
    message: expect.stringContaining('ledger'),
  })
})

test('refuses a cluster with the embedded store', async () => {
  const clock = instantClock()
  const store = { ...createCluster().replica('a').store, embedded: true }
  expect(await settleOnServer(store, SINGLE, { clock })).toBe(store)
  await expect(settleOnServer(store, CLUSTER, { clock })).rejects.toMatchObject({ code: 'ASSAY_STORE_CLUSTER_SHAPE' })
  await expect(settleOnServer(store, SINGLE, { clock, takeOver: true })).rejects.toMatchObject({
    code: 'ASSAY_TOOL_OPTION',
  })
})

type Fake = { name: string; replica: string; server: string }

/** An address behind which the servers of `who` answer, a different one for each connection. Keeps the requests. */
const serve = async (who: (asked: number) => Fake) => {
  const asked: URLSearchParams[] = []
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.push(new URL(request.url ?? '/', 'http://x').searchParams)
      const { name, replica, server: id } = who(asked.length)
      const query = { 'X-ClickHouse-Query-Id': 'q' }
      response.writeHead(200, name === '' ? query : { ...query, 'X-ClickHouse-Server-Display-Name': name })
      const sql = Buffer.concat(chunks).toString()
      const row = sql.includes('getMacro') ? { replica } : { server: id }
      response.end(/^\s*INSERT|^CREATE/.test(sql) ? '' : `${JSON.stringify(row)}\n`)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const open = (cluster: boolean) =>
    openStore({
      url: `http://127.0.0.1:${port}/assay`,
      cluster,
      metrics: createMetrics(),
      log: createLog('silent'),
      retryPausesMs: [],
    })
  return { asked, open, close: () => new Promise((resolve) => server.close(resolve)) }
}

const A: Fake = { name: 'pod-a', replica: 'a', server: '1' }
const B: Fake = { name: 'pod-b', replica: 'b', server: '2' }

test('detects two servers behind one address before reading, with and without a cluster', async () => {
  const clock = instantClock()
  const front = await serve((asked) => (asked % 2 === 0 ? A : B))
  for (const [cluster, layout] of [
    [false, SINGLE],
    [true, CLUSTER],
  ] as const) {
    const store = await front.open(cluster)
    await expect(settleOnServer(store, layout, { clock })).rejects.toMatchObject({ code: 'ASSAY_STORE_SERVER_CHANGED' })
    await store.close()
  }
  await front.close()
})

test('discards a response of another replica, and sends nothing after it', async () => {
  let now = A
  const front = await serve(() => now)
  const store = await front.open(true)
  await store.insert('t', '{}\n')
  expect(await store.query('SELECT 1')).toEqual([{ server: '1' }])
  // The same replica in a new container.
  now = { ...A, name: 'pod-a-again' }
  expect(await store.query('SELECT 1')).toEqual([{ server: '1' }])
  now = B
  await expect(store.query('SELECT 1')).rejects.toThrow(/Server pod-b answered instead of replica a/)
  now = A
  const before = front.asked.length
  await expect(store.insert('t', '{}\n')).rejects.toMatchObject({ code: 'ASSAY_STORE_SERVER_CHANGED' })
  await expect(store.command('CREATE TABLE t')).rejects.toMatchObject({ code: 'ASSAY_STORE_SERVER_CHANGED' })
  expect(await store.healthy()).toBe(false)
  expect(front.asked).toHaveLength(before)
  await store.close()
  await front.close()
})

test('a cluster refuses a server whose name a proxy hides; a single server needs no name', async () => {
  const front = await serve(() => ({ ...A, name: '' }))
  const [single, cluster] = [await front.open(false), await front.open(true)]
  expect(await single.query('SELECT 1')).toEqual([{ server: '1' }])
  await expect(cluster.query('SELECT 1')).rejects.toMatchObject({ code: 'ASSAY_STORE_SERVER_CHANGED' })
  await single.close()
  await cluster.close()
  await front.close()
})

test('on a cluster inserts need a quorum of replicas, and mutations wait for one replica only', async () => {
  const front = await serve(() => A)
  const [single, cluster] = [await front.open(false), await front.open(true)]
  for (const store of [single, cluster]) await store.insert('t', '{}\n', { token: 'x' })
  const inserts = front.asked.filter((asked) => asked.get('insert_deduplication_token') === 'x')
  const told = ['insert_quorum', 'insert_quorum_parallel', 'mutations_sync', 'alter_sync', 'lightweight_deletes_sync']
  expect(inserts.map((asked) => told.map((name) => asked.get(name)))).toEqual([
    [null, null, '2', '2', '2'],
    ['auto', '1', '1', '1', '1'],
  ])
  await single.close()
  await cluster.close()
  await front.close()
})
