/**
 * The roles as processes of their own, two scorers and two APIs, over two real Kafka brokers and ClickHouse (a server when
 * CLICKHOUSE_URL names one, else the engine behind a small HTTP front): from a transaction to a served verdict, through kills and
 * reorgs. At night more of them end, and some are halted.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIndexer } from '../../../indexer/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { openBus } from '../../../platform/bus/index.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { createLifecycle } from '../../../platform/context/lifecycle.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { openStore } from '../../../platform/store/open.ts'
import type { Store } from '../../../platform/store/store.ts'
import { createIngest } from '../../../scorer/ingest/ingest.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { type CollectedSpan, type Collector, startCollector } from '../../kit/otlp.ts'
import { type AssayProcess, startAssay } from '../../kit/processes/assay-process.ts'
import { startClickHouseFront } from '../../kit/processes/front-process.ts'
import { withKafka } from '../../kit/processes/kafka.ts'
import { allRows } from '../../kit/store/compare.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { sized, THOROUGH } from '../../kit/thorough.ts'
import { until } from '../../kit/until.ts'

/** Decides which process ends and how; printed where that went wrong, so that it can be played again. */
const SEED = Number(process.env.ASSAY_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31))
/** Numbers below `below` that follow from the seed (mulberry32). */
const createChance = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

type Role = 'indexer' | 'scorer' | 'api'
/** A process: the role, and which one of it. */
type Name = Role | `${'scorer' | 'api'}-2`
const ALL: readonly Name[] = ['indexer', 'scorer', 'api', 'scorer-2', 'api-2']
const ROLES: readonly Role[] = ['indexer', 'scorer', 'api']
const APIS = ALL.filter((name) => name.startsWith('api'))

/** How a process ends; it is halted at night alone. */
const WAYS = ['SIGKILL', 'SIGTERM', ...(THOROUGH ? (['pause'] as const) : [])] as const
/** How many end, one after the other: at least one of each role. */
const ROUNDS = sized(3, 20)
/** Of every five rounds, the one in which the second broker ends too: by day the first, in which the indexer does. */
const BROKER_ROUND = sized(0, 3)
/** Pause between two questions to an API, ms. A wrong answer by day lasts for as long as a role takes to start, which is many of them. */
const ASK_PAUSE_MS = sized(150, 50)
/** How long an API that is asked to stop still answers, s. */
const DRAIN_SECONDS = sized(3, 5)
/** Longer than a consumer group waits for a member (10 s): others have taken its partitions over when it goes on. */
const PAUSED_MS = 15_000

/** How long the tables may take, ms. */
const PATIENCE_MS = THOROUGH ? 500_000 : 300_000
/** For tests that start processes again. */
const SLOW_MS = THOROUGH ? 600_000 : 400_000

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
    await until('the fresh index is complete', () => ingest.status().head >= head, PATIENCE_MS)
    return await allRows(store, 'ETH')
  } finally {
    await context.lifecycle.close()
    await running
    await source.close()
    await bus.close()
    rmSync(path, { recursive: true, force: true })
  }
}

withKafka(
  'the roles as processes',
  (broker) => {
    let anvil: Anvil
    let front: Awaited<ReturnType<typeof startClickHouseFront>> | undefined
    let store: Store
    let fresh: TestStore
    let data: string
    let env: Record<string, string>
    let collector: Collector
    const running = new Map<Name, AssayProcess>()
    /** Processes that were killed and do not run again yet. */
    const down = new Set<Name>()

    /** Starts under way: they end before anything else does. */
    const starting = new Set<Promise<AssayProcess>>()

    const start = async (name: Name) => {
      const started = startAssay(name.split('-')[0] as Role, env)
      starting.add(started)
      running.set(name, await started.finally(() => starting.delete(started)))
      down.delete(name)
    }
    const kill = (name: Name, signal: NodeJS.Signals = 'SIGKILL') => {
      down.add(name)
      return running.get(name)?.kill(signal)
    }

    /** Halts a process and lets it go on when others have its work. */
    const pause = async (name: Name) => {
      const halted = running.get(name)
      halted?.halt()
      await systemClock.sleep(PAUSED_MS)
      halted?.resume()
    }

    const stored = async () => {
      const [row] = await store.query<{ height: number }>(
        "SELECT max(block_number) AS height FROM blocks_all WHERE network = 'ETH'",
      )
      return Number(row?.height ?? 0)
    }
    const caughtUp = async () => {
      const head = await anvil.blockNumber()
      const isStored = async () => {
        await restartEnded()
        return (await stored()) >= head
      }
      await until(`block ${head} is stored`, isStored, PATIENCE_MS)
    }
    /** The tables show the canonical chain. Waits for it, since a reorg does not change the height. */
    const expectTruth = async () => {
      await caughtUp()
      const truth = await freshIndex(anvil, fresh)
      await until(
        'the tables show the canonical chain',
        async () => JSON.stringify(await allRows(store, 'ETH')) === JSON.stringify(truth),
        PATIENCE_MS,
      ).catch(async () => expect(await allRows(store, 'ETH')).toEqual(truth))
    }
    const ask = (address: string, calculate = false, name: Name = 'api') =>
      fetch(`${running.get(name)?.url}/fraud/check`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': KEY },
        body: JSON.stringify({ network: 'ETH', walletAddress: address, calculate }),
      })

    /** Starts again who gave up on the bus and has ended with the code that asks its supervisor for that. */
    const restartEnded = async () => {
      for (const name of ALL) {
        if (down.has(name)) continue
        const code = await Promise.race([running.get(name)?.ended, Promise.resolve('running')])
        if (code === 'running') continue
        expect([name, code]).toEqual([name, 75])
        await start(name)
      }
    }
    /** Whether a process takes requests: what a load balancer asks. */
    const isReady = (name: Name) =>
      fetch(`${running.get(name)?.url}/ready`).then(
        ({ status }) => status === 200,
        () => false,
      )
    /**
     * Asks every API about an address, over and over, until stopped; with `balanced` as a load balancer does, those alone that were
     * ready a moment ago. Gives what no caller should have got.
     */
    const verify = (address: string, { balanced = false } = {}) => {
      const wrong: string[] = []
      let answers = 0
      let refused = 0
      let stopped = false
      const askOne = async (name: Name) => {
        const asked = running.get(name)
        try {
          const response = await ask(address, false, name)
          const body = (await response.json()) as Record<string, unknown>
          const right = body.walletAddress === address && body.chain === 'ETH' && body.status === 'Not Fraud'
          if (response.status === 200 && right) answers += 1
          // A process that has just started is not ready, and one without processor time sheds what it is asked.
          else if ([429, 503].includes(response.status)) refused += 1
          else wrong.push(`${name}: ${response.status} ${JSON.stringify(body)}`)
        } catch (error) {
          const isKilled = down.has(name) || running.get(name) !== asked
          if (balanced || !isKilled) wrong.push(`${name}: ${String(error)}`)
        }
      }
      const asking = APIS.map(async (name) => {
        while (!stopped) {
          if (balanced ? await isReady(name) : !down.has(name)) await askOne(name)
          await systemClock.sleep(ASK_PAUSE_MS)
        }
      })
      return async () => {
        const before = answers
        await until('the APIs answer again', () => answers > before + APIS.length)
        stopped = true
        await Promise.all(asking)
        return { answers, refused, wrong }
      }
    }

    /** Asks a process to end, and gives how long it took, s. */
    const drain = async (name: Name): Promise<number> => {
      const process = running.get(name)
      const url = process?.url
      const begun = performance.now()
      const ended = kill(name, 'SIGTERM')
      // A role without a pause for load balancers may be gone before it is asked.
      await until(`${name} is not ready`, () =>
        fetch(`${url}/ready`).then(
          ({ status }) => status === 503,
          () => true,
        ),
      )
      await ended
      expect([name, await process?.ended]).toEqual([name, 0])
      return (performance.now() - begun) / 1_000
    }

    beforeAll(async () => {
      collector = await startCollector()
      anvil = await startAnvil({ slotsInAnEpoch: 4 })
      fresh = await openTestStore()
      const url = process.env.CLICKHOUSE_URL
      if (!url) front = await startClickHouseFront({ migrated: !THOROUGH })
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
        ASSAY_DRAIN_SECONDS: String(DRAIN_SECONDS),
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      }
      store = await openStore({ url: clickhouse, log: createLog('silent'), metrics: createMetrics() })
    })

    afterAll(async () => {
      for (const one of await Promise.allSettled(starting))
        if (one.status === 'fulfilled') await one.value.kill('SIGKILL')
      await Promise.all([...running.values()].map((process) => process.kill('SIGKILL')))
      await store?.close()
      await fresh?.close()
      await front?.close()
      await anvil?.stop()
      await collector?.stop()
      if (data) rmSync(data, { recursive: true, force: true })
    })

    test(
      'a transaction becomes a served verdict',
      async () => {
        for (let i = 0; i < 30; i++) await anvil.transfer(BigInt(i + 1))
        await Promise.all(ROLES.map(start))
        await Promise.all(ALL.filter((name) => !running.has(name)).map(start))
        await caughtUp()
        const [sender = ''] = await anvil.rpc<string[]>('eth_accounts')
        await until('the API is ready', async () => (await fetch(`${running.get('api')?.url}/ready`)).ok)
        const answer = await until('the sender is scored', async () => {
          const response = await ask(sender)
          return response.ok && ((await response.json()) as Record<string, unknown>)
        })
        expect(answer).toMatchObject({ message: 'Success', walletAddress: sender, chain: 'ETH', status: 'Not Fraud' })
        expect((await ask(`0x${'12'.repeat(20)}`)).status).toBe(404)
        await expectTruth()
      },
      SLOW_MS,
    )

    test('one trace leads from the response of the node to the first answer of the API', async () => {
      const [sender = ''] = await anvil.rpc<string[]>('eth_accounts')
      const stages = [
        'fetch block',
        'publish blocks',
        'ingest chunk',
        'score wallets',
        'take over record',
        'first answer',
      ]
      const whole = () => {
        const inTrace = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
        // Each has its parent in the trace, but for the first.
        const isWhole = (spans: readonly CollectedSpan[]) => {
          const known = new Set([undefined, ...spans.map(({ spanId }) => spanId)])
          return (
            stages.every((stage) => spans.some(({ name }) => name === stage)) &&
            spans.every(({ parentSpanId }) => known.has(parentSpanId))
          )
        }
        const answers = collector.spans.filter(({ name }) => name === 'first answer')
        return answers.map(({ traceId }) => inTrace(traceId)).find(isWhole)
      }
      await anvil.transfer(99n)
      const spans = await until(
        'a trace is whole',
        async () => {
          await Promise.all(APIS.map((name) => ask(sender, false, name)))
          return whole()
        },
        PATIENCE_MS,
      )
      expect(collector.wrong).toEqual([])
      expect(new Set(spans.map(({ service }) => service))).toEqual(
        new Set(['assay-indexer', 'assay-scorer', 'assay-api']),
      )
    })

    test(
      'no answer is wrong while processes are killed repeatedly and the chain grows and reorganizes',
      async () => {
        const [sender = ''] = await anvil.rpc<string[]>('eth_accounts')
        const verified = verify(sender)
        const chance = createChance(SEED)
        const played: string[] = []
        for (let round = 0; round < ROUNDS; round++) {
          for (let i = 0; i < 5; i++) await anvil.transfer(BigInt(100 + i))
          const victims = ALL.filter((name) => name.startsWith(ROLES[round % 3] ?? ''))
          const victim = victims[chance(victims.length)]
          const way = WAYS[chance(WAYS.length)]
          if (!victim || !way) continue
          played.push(`${way} ${victim}`)
          const done = way === 'pause' ? pause(victim) : kill(victim, way)
          // The first broker is the controller: without it nobody takes over.
          const brokerDown = round % 5 === BROKER_ROUND ? broker().second?.kill() : undefined
          await anvil.reorg(1 + (round % 5))
          await anvil.transfer(7n)
          await Promise.all([done, brokerDown])
          if (brokerDown) await broker().second?.start()
          if (way !== 'pause') await start(victim)
          await restartEnded()
        }
        await expectTruth()
        const { answers, refused, wrong } = await verified()
        const figures = `seed ${SEED}: ${played.join(', ')}; ${answers} answers, ${refused} refused, ${wrong.length} wrong`
        if (THOROUGH) process.stdout.write(`${figures}\n`)
        expect(wrong, figures).toEqual([])
        await until('all APIs give the same verdict', async () => {
          const responses = await Promise.all(APIS.map((name) => ask(sender, false, name)))
          if (responses.some(({ status }) => status !== 200)) return false
          const verdicts = (await Promise.all(responses.map((one) => one.json()))) as Record<string, unknown>[]
          return (
            new Set(verdicts.map((one) => JSON.stringify([one.walletAddress, one.status, one.probabilityFraud])))
              .size === 1
          )
        })
      },
      THOROUGH ? 1_800_000 : SLOW_MS,
    )

    test(
      'the broker goes away and comes back',
      async () => {
        await broker().outage?.stop()
        await anvil.transfer(11n)
        await anvil.reorg(3)
        await broker().outage?.start()
        await anvil.transfer(12n)
        await restartEnded()
        await caughtUp()
      },
      SLOW_MS,
    )

    test.skipIf(!THOROUGH)(
      'the stored record of each wallet equals a new computation',
      async () => {
        const wallets = await anvil.rpc<string[]>('eth_accounts')
        for (const wallet of wallets.slice(0, 2)) {
          const verdictOf = async (calculate: boolean, name: Name) => {
            const response = await ask(wallet, calculate, name)
            if ([429, 503].includes(response.status)) return undefined
            const { status, probabilityFraud, forensic_details } = (await response.json()) as Record<string, unknown>
            return { code: response.status, status, probabilityFraud, forensic_details }
          }
          await until(`the verdicts on ${wallet} agree`, async () => {
            const [kept, fresh] = [
              await verdictOf(false, APIS[0] ?? 'api'),
              await verdictOf(true, APIS.at(-1) ?? 'api'),
            ]
            return kept?.code === 200 && JSON.stringify(kept) === JSON.stringify(fresh)
          })
        }
      },
      PATIENCE_MS,
    )

    test.skipIf(!THOROUGH)(
      'during a rolling restart, roles exit with code 0 and no request is lost',
      async () => {
        const [sender = ''] = await anvil.rpc<string[]>('eth_accounts')
        const seconds: Record<string, number> = {}
        await anvil.transfer(13n)
        for (const name of ALL.filter((name) => !APIS.includes(name))) {
          seconds[name] = await drain(name)
          await start(name)
        }
        // Who balances between APIs learns of it before one stops answering, and gets what was asked before that.
        const verified = verify(sender, { balanced: true })
        for (const name of APIS) {
          const asked = Array.from({ length: 5 }, () => ask(sender, true, name))
          seconds[name] = await drain(name)
          expect(
            (await Promise.all(asked)).map(({ status }) => status).filter((one) => ![200, 429].includes(one)),
          ).toEqual([])
          await start(name)
        }
        const { answers, wrong } = await verified()
        const figures = Object.entries(seconds).map(([name, one]) => `${name} ${one.toFixed(1)} s`)
        if (THOROUGH) process.stdout.write(`ended: ${figures.join(', ')}; ${answers} answers, ${wrong.length} lost\n`)
        expect(wrong).toEqual([])
        await expectTruth()
      },
      SLOW_MS,
    )

    test.skipIf(THOROUGH)(
      'on SIGTERM every role exits with code 0 and loses nothing',
      async () => {
        await anvil.transfer(13n)
        const [sender = ''] = await anvil.rpc<string[]>('eth_accounts')
        const stop = async (name: Name) => {
          const url = running.get(name)?.url
          const killed = kill(name, 'SIGTERM')
          if (APIS.includes(name)) {
            // What balances between APIs learns of it before one stops answering.
            await until(`${name} is not ready`, async () => (await fetch(`${url}/ready`)).status === 503)
            expect([200, 429]).toContain((await ask(sender, false, name)).status)
          }
          await killed
          return [name, await running.get(name)?.ended]
        }
        expect(await Promise.all(ALL.map(stop))).toEqual(ALL.map((name) => [name, 0]))
        await Promise.all([start('indexer'), start('scorer')])
        await expectTruth()
      },
      SLOW_MS,
    )
  },
  { two: true },
)
