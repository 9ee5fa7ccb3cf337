/**
 * The three roles as processes of their own, over a real Kafka broker and ClickHouse (a server when CLICKHOUSE_URL names
 * one, else the engine behind a small HTTP front): from a transaction to a served verdict, through kills and reorgs.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIndexer } from '../../indexer/index.ts'
import { decodeBlock } from '../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../indexer/source/evm/index.ts'
import { openBus } from '../../platform/bus/index.ts'
import { systemClock } from '../../platform/clock.ts'
import type { Context } from '../../platform/context.ts'
import { createLifecycle } from '../../platform/lifecycle.ts'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { openStore } from '../../platform/store/open.ts'
import type { Store } from '../../platform/store/store.ts'
import { createIngest } from '../../scorer/ingest/ingest.ts'
import { type Anvil, startAnvil } from '../kit/chain/anvil.ts'
import { allRows } from '../kit/compare.ts'
import { type AssayProcess, startAssay } from '../kit/processes/assay-process.ts'
import { startClickHouseFront } from '../kit/processes/front-process.ts'
import { withKafka } from '../kit/processes/kafka.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'
import { until } from '../kit/until.ts'

const KEY = 'enterprise-key-of-the-test'

const contextOf = (): Context => ({
  log: createLog('silent'),
  metrics: createMetrics(),
  clock: systemClock,
  lifecycle: createLifecycle(10_000),
})

/** Indexes the chain as it is now into an empty store, with nothing going wrong. */
const freshIndex = async (anvil: Anvil, { store, truncate }: TestStore): Promise<Record<string, string[]>> => {
  await truncate()
  const context = contextOf()
  const path = mkdtempSync(join(tmpdir(), 'assay-fresh-'))
  const bus = await openBus({ path, log: context.log })
  const source = createEvmSource({ context, network: 'ETH', urls: [anvil.url], decode: decodeBlock })
  const indexer = createIndexer({ context, network: 'ETH', source, bus, options: { startBlock: 0 } })
  const ingest = createIngest({ context, network: 'ETH', store, bus, options: { minIntervalMs: 0 } })
  const head = await anvil.blockNumber()
  const running = Promise.allSettled([indexer.run(), ingest.run()])
  try {
    await until('the fresh index is complete', () => ingest.status().head >= head, 60_000)
    return await allRows(store, 'ETH')
  } finally {
    await context.lifecycle.close()
    await running
    await source.close()
    await bus.close()
    rmSync(path, { recursive: true, force: true })
  }
}

withKafka('the roles as processes', (broker) => {
  let anvil: Anvil
  let front: Awaited<ReturnType<typeof startClickHouseFront>> | undefined
  let store: Store
  let fresh: TestStore
  let data: string
  let env: Record<string, string>
  const running = new Map<string, AssayProcess>()

  const start = async (role: 'indexer' | 'scorer' | 'api') => {
    running.set(role, await startAssay(role, env))
  }
  const kill = (role: string, signal: NodeJS.Signals = 'SIGKILL') => running.get(role)?.kill(signal)

  const stored = async () => {
    const [row] = await store.query<{ height: number }>(
      "SELECT max(block_number) AS height FROM blocks_all WHERE network = 'ETH'",
    )
    return Number(row?.height ?? 0)
  }
  const caughtUp = async () => {
    const head = await anvil.blockNumber()
    await until(`block ${head} is stored`, async () => (await stored()) >= head, 90_000)
  }
  /** The tables show the canonical chain. Waits for it, since a reorg does not change the height. */
  const expectTruth = async () => {
    await caughtUp()
    const truth = await freshIndex(anvil, fresh)
    await until(
      'the tables show the canonical chain',
      async () => JSON.stringify(await allRows(store, 'ETH')) === JSON.stringify(truth),
      60_000,
    ).catch(async () => expect(await allRows(store, 'ETH')).toEqual(truth))
  }
  const ask = (address: string, calculate = false) =>
    fetch(`${running.get('api')?.url}/fraud/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': KEY },
      body: JSON.stringify({ network: 'ETH', walletAddress: address, calculate }),
    })

  beforeAll(async () => {
    anvil = await startAnvil({ slotsInAnEpoch: 4 })
    fresh = await openTestStore()
    const url = process.env.CLICKHOUSE_URL
    if (!url) front = await startClickHouseFront()
    data = mkdtempSync(join(tmpdir(), 'assay-e2e-'))
    const clickhouse = url ?? front?.url ?? ''
    env = {
      KAFKA_BROKERS: broker().brokers.join(','),
      CLICKHOUSE_URL: clickhouse,
      ETH_RPC_URL: anvil.url,
      ETH_START_BLOCK: '0',
      ASSAY_NETWORKS: 'ETH',
      ASSAY_DATA: data,
      ASSAY_BOOTSTRAP_KEYS: `enterprise:${KEY}`,
    }
    store = await openStore({ url: clickhouse, log: createLog('silent'), metrics: createMetrics() })
  }, 180_000)

  afterAll(async () => {
    await Promise.all([...running.values()].map((process) => process.kill('SIGKILL')))
    await store?.close()
    await fresh?.close()
    await front?.close()
    await anvil?.stop()
    if (data) rmSync(data, { recursive: true, force: true })
  })

  test('a transaction becomes a served verdict', async () => {
    for (let i = 0; i < 30; i++) await anvil.transfer(BigInt(i + 1))
    await Promise.all([start('scorer'), start('indexer'), start('api')])
    await caughtUp()
    const [sender = ''] = await anvil.rpc<string[]>('eth_accounts')
    await until('the API is ready', async () => (await fetch(`${running.get('api')?.url}/ready`)).ok, 60_000)
    const answer = await until('the sender is scored', async () => {
      const response = await ask(sender)
      return response.ok && ((await response.json()) as Record<string, unknown>)
    })
    expect(answer).toMatchObject({ message: 'Success', walletAddress: sender, chain: 'ETH', status: 'Not Fraud' })
    expect((await ask(`0x${'12'.repeat(20)}`)).status).toBe(404)
    await expectTruth()
  }, 180_000)

  test('indexer and scorer are killed again and again while the chain grows and reorganises', async () => {
    for (let round = 0; round < 6; round++) {
      for (let i = 0; i < 5; i++) await anvil.transfer(BigInt(100 + i))
      const victim = round % 2 === 0 ? 'indexer' : 'scorer'
      const killed = kill(victim)
      await anvil.reorg(1 + (round % 5))
      await anvil.transfer(7n)
      await killed
      await start(victim)
    }
    await expectTruth()
  }, 240_000)

  test('the broker goes away and comes back', async () => {
    await broker().outage?.stop()
    await anvil.transfer(11n)
    await anvil.reorg(3)
    await broker().outage?.start()
    await anvil.transfer(12n)
    // A role that gave up on the broker has ended with the code that asks its supervisor to start it again.
    for (const role of ['indexer', 'scorer', 'api'] as const) {
      const process = running.get(role)
      const code = await Promise.race([process?.ended, Promise.resolve('running')])
      if (code !== 'running') {
        expect(code).toBe(75)
        await start(role)
      }
    }
    await expectTruth()
  }, 240_000)

  test('asked to stop, every role ends by itself with code 0 and loses nothing', async () => {
    await anvil.transfer(13n)
    for (const role of ['indexer', 'scorer', 'api']) {
      await kill(role, 'SIGTERM')
      expect([role, await running.get(role)?.ended]).toEqual([role, 0])
    }
    await Promise.all([start('indexer'), start('scorer')])
    await expectTruth()
  }, 180_000)
})
