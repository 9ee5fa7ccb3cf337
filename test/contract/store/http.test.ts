import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../../platform/context/clock.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { settleOnServer } from '../../../platform/store/cluster/settle.ts'
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

  test('a server is asked what it is before it is used, and one without a cluster is refused where one is named', async () => {
    const store = await open(front.url)
    expect(await settleOnServer(store, { kind: 'single' }, { clock: systemClock })).toBe(store)
    const cluster = settleOnServer(store, { kind: 'cluster', cluster: 'assay' }, { clock: systemClock })
    await expect(cluster).rejects.toMatchObject({ code: 'ASSAY_STORE_CLUSTER_SHAPE' })
    await store.close()
  })

  test('a wrong password is an operator error that names no password', async () => {
    const store = await open(front.url.replace('secret', 'wrong-one'))
    const failure = store.query('SELECT 1')
    await expect(failure).rejects.toMatchObject({ code: 'ASSAY_STORE_ACCESS_DENIED' })
    await expect(failure).rejects.not.toThrow(/wrong-one|secret/)
    await store.close()
  })

  test('a store that is not there is retryable', async () => {
    const store = await open('http://127.0.0.1:9')
    await expect(store.query('SELECT 1')).rejects.toMatchObject({ code: 'ASSAY_STORE_UNAVAILABLE' })
    expect(await store.healthy()).toBe(false)
    await store.close()
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
