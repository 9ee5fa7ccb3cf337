/** A true cluster: quorum, one home, taking over, and the role of analysts. Runs where Docker does. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock as clock } from '../../../platform/context/clock.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { roleStatements } from '../../../platform/store/analyst/role.ts'
import { settleOnServer } from '../../../platform/store/cluster/settle.ts'
import { migrate } from '../../../platform/store/migrate/migrate.ts'
import { openStore } from '../../../platform/store/open.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type ClickHouseReplica, startClickHouseCluster, whyNoDocker } from '../../kit/processes/clickhouse-cluster.ts'

const log = createLog('silent')
const layout = { kind: 'cluster' as const, cluster: 'assay' }
const ROW = {
  network: 'ETH',
  block_number: 1,
  block_time: 1_700_000_000,
  tx_hash: '0x1',
  sender: '0xa',
  receiver: '0xb',
  status: 1,
}
const line = (position: number) => `${JSON.stringify({ ...ROW, position: String(position) })}\n`

const reason = whyNoDocker()
describe.skipIf(reason)(`a cluster of two replicas${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  let cluster: Awaited<ReturnType<typeof startClickHouseCluster>>
  let one: ClickHouseReplica
  let two: ClickHouseReplica
  const opened: Store[] = []
  const open = async (url: string, quorum = true) => {
    const store = await openStore({ url, cluster: quorum, metrics: createMetrics(), log, retryPausesMs: [] })
    opened.push(store)
    return store
  }
  let home: Store
  beforeAll(async () => {
    cluster = await startClickHouseCluster(2)
    const [first, second] = cluster.replicas
    if (!first || !second) throw new Error('two replicas were asked for')
    one = first
    two = second
    home = await settleOnServer(await open(one.url), layout, { clock })
    await migrate({ store: home, log, layout })
  }, 400_000)
  afterAll(async () => {
    for (const store of opened) await store.close()
    await cluster?.close()
  })
  const rowsOf = async (store: Store) =>
    (
      await store.query(
        "SELECT (SELECT count() FROM transactions) AS rows, (SELECT sum(sent) FROM wallet_features_final WHERE address = '0xa') AS sent",
      )
    )[0]

  test('an acknowledged row is on both replicas once, with its aggregates, after any number of repeats', async () => {
    for (let times = 0; times < 2; times++) await home.insert('transactions', line(1), { token: 'first' })
    const other = await open(two.url)
    for (const store of [home, other]) expect(await rowsOf(store)).toMatchObject({ rows: '1' })
    expect(await rowsOf(other)).toEqual(await rowsOf(home))
    // A repetition through the other replica is known there too.
    await other.insert('transactions', line(1), { token: 'first' })
    expect(await rowsOf(other)).toEqual(await rowsOf(home))
  })

  test('refuses to start on another replica, and a restart changes nothing', async () => {
    await expect(settleOnServer(await open(two.url), layout, { clock })).rejects.toMatchObject({
      code: 'ASSAY_STORE_REPLICA_OTHER',
    })
    const again = await settleOnServer(await open(one.url), layout, { clock })
    expect(await migrate({ store: again, log, layout })).toEqual([])
    await expect(settleOnServer(await open(one.url, false), { kind: 'single' }, { clock })).rejects.toMatchObject({
      code: 'ASSAY_STORE_LAYOUT_MIXED',
    })
  })

  test('acknowledges nothing without the other replica, and a later retry counts once', async () => {
    await two.stop()
    await expect(home.insert('transactions', line(2), { token: 'second' })).rejects.toMatchObject({
      code: 'ASSAY_STORE_UNAVAILABLE',
    })
    await two.start()
    await expect
      .poll(
        () =>
          home.insert('transactions', line(2), { token: 'second' }).then(
            () => true,
            () => false,
          ),
        { timeout: 120_000 },
      )
      .toBe(true)
    expect(await rowsOf(home)).toMatchObject({ rows: '2' })
  }, 300_000)

  test('analysts read open tables and cannot raise their limits', async () => {
    const admin = await open(one.admin)
    for (const statement of roleStatements({ database: 'assay', cluster: 'assay' })) await admin.command(statement)
    await admin.command("CREATE USER anna ON CLUSTER 'assay' IDENTIFIED WITH no_password DEFAULT ROLE assay_analyst")
    const url = new URL(two.url)
    const ask = (sql: string) =>
      fetch(`${url.origin}/?database=assay&user=anna`, { method: 'POST', body: sql }).then((answer) => answer.text())
    expect(await ask('SELECT count() FROM transactions_all')).toBe('2\n')
    expect(await ask('SELECT 1 SETTINGS max_execution_time = 5')).toBe('1\n')
    for (const refused of [
      'SELECT * FROM api_keys',
      'SELECT * FROM audit_log',
      "SELECT * FROM url('http://keeper/', LineAsString)",
      "SELECT * FROM remote('r1', assay.api_keys)",
      'SELECT * FROM system.query_log',
      'SELECT 1 SETTINGS max_execution_time = 0',
      'SELECT 1 SETTINGS max_memory_usage = 4000000000',
      'SELECT 1 SETTINGS readonly = 0',
      'TRUNCATE TABLE networks',
    ]) {
      expect(await ask(refused), refused).toMatch(/ACCESS_DENIED|READONLY|SETTING_CONSTRAINT_VIOLATION/)
    }
  })

  test('when the home replica is gone the other takes over with every acknowledged row', async () => {
    const before = await rowsOf(home)
    await one.stop()
    const store = await settleOnServer(await open(two.url), layout, { clock, takeOver: true }).catch(
      (error: unknown) => error,
    )
    // Entering the new home is an insert, and most of two replicas is two.
    expect(store).toMatchObject({ code: 'ASSAY_STORE_UNAVAILABLE' })
    await one.start()
    const taken = await settleOnServer(await open(two.url), layout, { clock, takeOver: true })
    expect(await rowsOf(taken)).toEqual(before)
    await expect
      .poll(
        () =>
          home.query('SELECT 1').then(
            () => '',
            (error: { code: string }) => error.code,
          ),
        { timeout: 60_000 },
      )
      .toBe('ASSAY_STORE_REPLICA_OTHER')
  }, 300_000)
})
