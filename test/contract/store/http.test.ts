import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../platform/context/clock.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { settleOnServer } from '../../../platform/store/cluster/settle.ts'
import { sortError } from '../../../platform/store/errors.ts'
import { openStore } from '../../../platform/store/open.ts'
import { startClickHouseFront } from '../../kit/processes/front-process.ts'
import { describeStore } from './suite.ts'

const log = createLog('silent')
const open = (url: string) => openStore({ url, metrics: createMetrics(), log, retryPausesMs: [] })

describe('the store over HTTP, chDB behind a front', () => {
  let front: Awaited<ReturnType<typeof startClickHouseFront>>
  beforeAll(async () => {
    front = await startClickHouseFront()
  })
  afterAll(() => front.close())

  describeStore(async () => {
    const store = await open(front.url)
    return { store, close: () => store.close() }
  })

  test('checks the shape of a server before use, and refuses one without the configured cluster', async () => {
    const store = await open(front.url)
    expect(await settleOnServer(store, { kind: 'single' }, { clock: systemClock })).toBe(store)
    const cluster = settleOnServer(store, { kind: 'cluster', cluster: 'assay' }, { clock: systemClock })
    await expect(cluster).rejects.toMatchObject({ code: 'ASSAY_STORE_CLUSTER_SHAPE' })
    await store.close()
  })

  test('a wrong password is an operator error without the password', async () => {
    const store = await open(front.url.replace('secret', 'wrong-one'))
    const failure = store.query('SELECT 1')
    await expect(failure).rejects.toMatchObject({ code: 'ASSAY_STORE_ACCESS_DENIED' })
    await expect(failure).rejects.not.toThrow(/wrong-one|secret/)
    await store.close()
  })

  test('a store that cannot be reached is retryable', async () => {
    const store = await open('http://127.0.0.1:9')
    await expect(store.query('SELECT 1')).rejects.toMatchObject({ code: 'ASSAY_STORE_UNAVAILABLE' })
    expect(await store.healthy()).toBe(false)
    await store.close()
  })
})

const EXCEPTION = 'Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED) (version 25.8.1.1)\n'
const SERVER = { 'x-clickhouse-query-id': 'q' }
const TAGGED = { ...SERVER, 'x-clickhouse-exception-tag': 'tagtagtagtagtagt' }
const TAIL = `\r\n__exception__\r\ntagtagtagtagtagt\r\n${EXCEPTION}99 tagtagtagtagtagt\r\n__exception__\r\n`
const ROW = '{"a":1}\n'

/** Every answer as long as it lasts: nothing is kept of one. */
const answering = async (answer: (response: ServerResponse) => void, ms = 2_000) => {
  const proxy = createServer((request, response) => request.resume().on('end', () => answer(response)))
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const deadlines = { query: ms, insert: ms, command: ms, healthy: ms }
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const store = await openStore({ url, metrics: createMetrics(), log, retryPausesMs: [], deadlines })
  const calls = {
    query: () => store.query('SELECT 1 AS a'),
    insert: () => store.insert('t', ROW, { token: 'x' }),
    command: () => store.command('INSERT INTO t SELECT 1', undefined, { token: 'y' }),
  }
  return {
    store,
    calls,
    outcomes: async () => {
      const ended: Record<string, unknown> = {}
      for (const [name, call] of Object.entries(calls)) {
        ended[name] = await call().then(
          () => 'done',
          (error) => error.code,
        )
      }
      return ended
    },
    close: async () => {
      await store.close()
      proxy.closeAllConnections()
      await new Promise((resolve) => proxy.close(resolve))
    },
  }
}

describe('proxies and failures between the store and its server', () => {
  const UNAVAILABLE = 'ASSAY_STORE_UNAVAILABLE'
  const NOTHING_DONE = { query: UNAVAILABLE, insert: UNAVAILABLE, command: UNAVAILABLE }

  test.each([
    ['a page of a proxy', 502, {}, '<html><head><title>502 Bad Gateway</title></head></html>'],
    ['a refusal without a word', 503, {}, ''],
    ['a limit', 429, {}, 'too many requests'],
    ['a login page', 302, { location: '/login' }, ''],
    ['a page that calls itself an answer', 200, {}, '<html>we are back soon</html>'],
    ['an empty page that calls itself an answer', 200, {}, ''],
    ['an exception in an answer', 200, { ...SERVER, 'x-clickhouse-exception-code': '241' }, ROW + EXCEPTION],
    ['an exception where rows end', 200, SERVER, ROW + EXCEPTION],
    ['an exception behind rows, marked', 200, TAGGED, ROW + TAIL],
    ['an exception with another status', 500, SERVER, EXCEPTION],
  ])('%s (%i) is no valid response: nothing counts as inserted or absent', async (_name, status, headers, body) => {
    const { outcomes, store, close } = await answering((response) => response.writeHead(status, headers).end(body))
    expect(await outcomes()).toEqual(NOTHING_DONE)
    expect(await store.healthy()).toBe(false)
    await close()
  })

  test.each(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'HPE_INVALID_CONSTANT', 'Z_DATA_ERROR'])(
    'a connection that ends with %s is retryable',
    (code) => {
      const error = Object.assign(new Error(`connect ${code} 192.0.2.1:8123`), { code })
      expect(sortError(error, { what: 'insert', label: 't' })).toMatchObject({ code: UNAVAILABLE })
    },
  )

  test('truncated rows are no valid response, wherever the cut is', async () => {
    for (const body of ['{"a":1}\n{"a":', '{"a":1}\n{"a":2}']) {
      const { calls, close } = await answering((response) => response.writeHead(200, SERVER).end(body))
      await expect(calls.query()).rejects.toMatchObject({ code: UNAVAILABLE })
      await close()
    }
  })

  test('waits for a response that stops midway until the deadline', async () => {
    const { outcomes, close } = await answering((response) => response.writeHead(200, SERVER).write(ROW), 100)
    const begun = performance.now()
    expect(await outcomes()).toEqual(NOTHING_DONE)
    expect(performance.now() - begun).toBeLessThan(10_000)
    await close()
  })
})

const server = process.env.CLICKHOUSE_URL
describe.skipIf(server === undefined)('the store on a ClickHouse server (skipped: CLICKHOUSE_URL is not set)', () => {
  describeStore(async () => {
    const database = `assay_test_${randomUUID().replaceAll('-', '')}`
    const admin = await open(server ?? '')
    await admin.command('CREATE DATABASE {database:Identifier}', { database })
    const url = new URL(server ?? '')
    url.pathname = `/${database}`
    const store = await open(url.href)
    return {
      store,
      close: async () => {
        await store.close()
        await admin.command('DROP DATABASE {database:Identifier}', { database })
        await admin.close()
      },
    }
  })
})
