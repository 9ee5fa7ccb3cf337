/**
 * What the tests of ingest share: a store with a view that counts every row, a bus of their own for each test, and lives
 * of a scorer that end where a test wants.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect } from 'vitest'
import type { Random } from '../../../deploy/demo/scenario/random.ts'
import type { Bus, Producer } from '../../../platform/bus/bus.ts'
import { openEmbeddedBus } from '../../../platform/bus/embedded.ts'
import { type Clock, systemClock } from '../../../platform/context/clock.ts'
import { createLifecycle } from '../../../platform/context/lifecycle.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import { type Block, TABLES, type TableName } from '../../../schema/block.ts'
import type { Network } from '../../../schema/networks.ts'
import { RECOUNTS } from '../../../schema/tables/chain/recount.ts'
import {
  decodeRescore,
  encodeFinal,
  encodeHandover,
  encodeUndo,
  HISTORY_PARTITIONS,
  stamp,
  topics,
} from '../../../schema/topics.ts'
import { createIngest, type IngestOptions } from '../../../scorer/ingest/ingest.ts'
import { compareShare } from '../../../scorer/ingest/rebuild/aggregates.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { until } from '../../kit/until.ts'
import { canonicalLine, encodeInParts, LOG, makeBlock, outgoing, rowsOf } from './chain.ts'

const log = createLog(process.env.ASSAY_TEST_LOG ?? 'silent')

class Crash extends Error {}

/** A producer that stamps what has no stamp yet. */
const stamping = (producer: Producer): Producer => ({
  ...producer,
  send: (sends) =>
    producer.send(
      sends.map(({ topic, messages }) => ({
        topic,
        messages: messages.map((message) => stamp(message, message.headers?.log ?? LOG)),
      })),
    ),
})

/** Registers the hooks of a test file, and gives what its tests do and look at. */
export const setUpIngest = () => {
  let kit: TestStore
  let bus: Bus
  let busPath: string
  let producer: Producer

  beforeAll(async () => {
    kit = await openTestStore({ readers: 3 })
    await kit.store.command(`CREATE TABLE address_totals (address String, rows UInt64, amount UInt256)
      ENGINE = SummingMergeTree ORDER BY address SETTINGS non_replicated_deduplication_window = 10000`)
    await kit.store.command(`CREATE MATERIALIZED VIEW address_totals_feed TO address_totals AS
      SELECT address, count() AS rows, sum(amount) AS amount FROM ledger GROUP BY address`)
  })
  afterAll(() => kit.close())

  const openBus = async () => {
    busPath = mkdtempSync(join(tmpdir(), 'assay-bus-'))
    bus = await openEmbeddedBus({ clock: systemClock, log }, { path: busPath, leaseMs: 2_000, pollMs: 50 })
  }
  /** Deletes the bus and opens an empty one. */
  const renewBus = async () => {
    await bus.close()
    rmSync(busPath, { recursive: true, force: true })
    await openBus()
  }

  beforeEach(async () => {
    await kit.truncate()
    await openBus()
    return async () => {
      await bus.close()
      rmSync(busPath, { recursive: true, force: true })
    }
  })

  const createTopics = async (network: Network) => {
    await bus.createTopics([
      { topic: topics.history(network), partitions: HISTORY_PARTITIONS },
      { topic: topics.head(network), partitions: 1 },
      { topic: topics.past(network), partitions: 1 },
      { topic: topics.rescore(network), partitions: 4 },
      { topic: topics.dlq, partitions: 1 },
    ])
    producer = stamping(await bus.producer({ transactionalId: network }))
  }

  const start = (network: Network, options: Partial<IngestOptions> = {}, clock: Clock = systemClock) => {
    const lifecycle = createLifecycle()
    const metrics = createMetrics()
    const ingest = createIngest({
      context: { log, metrics, clock, lifecycle },
      network,
      store: kit.store,
      bus,
      options: { minIntervalMs: 0, moveAfterMs: 0, keepHotMs: 0, ...options },
    })
    const ended = ingest.run().then(
      () => undefined,
      (error: unknown) => error,
    )
    return { ingest, ended, metrics, end: () => lifecycle.close().then(() => ended) }
  }

  const caughtUp = async (network: Network) =>
    (await bus.lag(`ingest.${topics.head(network)}`, topics.head(network))) === 0n &&
    (await bus.lag(`ingest.${topics.history(network)}`, topics.history(network))) === 0n

  const stored = async (table: string, where = '1') =>
    (
      await kit.store.query<object>(
        `SELECT * REPLACE (toUnixTimestamp(block_time) AS block_time) FROM ${table} WHERE ${where}`,
      )
    )
      .map(canonicalLine)
      .sort()

  /** A view over both tiers costs 7 ms of CPU however few its rows are: it is asked where either tier holds a row. */
  const storedAll = async (): Promise<Record<TableName, string[]>> => {
    const holding = await kit.store.query<{ name: string }>(
      'SELECT name FROM system.tables WHERE database = currentDatabase() AND total_rows > 0',
    )
    const names = new Set(holding.map(({ name }) => name))
    const found = TABLES.map(async (table) => {
      const rows = names.has(table) || names.has(`${table}_hot`) ? await stored(`${table}_all`) : []
      return [table, rows] as const
    })
    return Object.fromEntries(await Promise.all(found)) as Record<TableName, string[]>
  }

  const totals = async () =>
    kit.store.query(
      'SELECT address, sum(rows) AS rows, sum(amount) AS amount FROM address_totals GROUP BY address ORDER BY address',
    )
  const truth = async () =>
    kit.store.query(
      'SELECT address, count() AS rows, sum(amount) AS amount FROM ledger GROUP BY address ORDER BY address',
    )

  /** Facts of hot rows, as stored beside them and as the rows say: who signed and received transactions, whose value moved. */
  const hotFacts = async (final: number, facts: boolean) =>
    kit.store.query(
      facts
        ? `SELECT address, if(fact IN ('sent', 'received'), fact, 'moved') AS what, count() AS rows, sum(amount) AS amount
           FROM wallet_facts_hot WHERE fact IN ('sent', 'received') OR match(fact, '_?(in|out)$') GROUP BY address, what ORDER BY address, what`
        : `SELECT address, what, count() AS rows, sum(amount) AS amount FROM (
             SELECT sender AS address, 'sent' AS what, value AS amount, block_number FROM transactions_all
             UNION ALL SELECT receiver, 'received', value, block_number FROM transactions_all
             UNION ALL SELECT address, 'moved', amount, block_number FROM ledger_all)
           WHERE address != '' AND block_number > {final:UInt32}
           GROUP BY address, what ORDER BY address, what`,
      { final },
    )

  /** Publishes a random history and returns the canonical chain after it, and what was called final. */
  const publishHistory = async (
    network: Network,
    random: Random,
    { reorgs = true, rounds = 25, historyBlocks = 20, first = 1, tables = TABLES as readonly TableName[] } = {},
  ) => {
    const chain: Block[] = []
    const extend = (salt: string) => {
      const block = makeBlock(network, first + chain.length, chain.at(-1)?.hash ?? '0x0', salt, random, { tables })
      chain.push(block)
      return block
    }
    const history = Array.from({ length: historyBlocks }, () => extend('history'))
    for (let at = 0; at < history.length; ) {
      const blocks = history.slice(at, at + 1 + random.below(4))
      at += blocks.length
      const partition = random.below(HISTORY_PARTITIONS)
      const messages = encodeInParts(blocks, 1 + random.below(2)).map((message) => outgoing(message, partition))
      await producer.send([{ topic: topics.history(network), messages }])
    }
    let final = first + history.length - 1
    const handover = encodeHandover(network, first, final, history.at(-1)!.hash)
    await producer.send([{ topic: topics.head(network), messages: [handover] }])
    const tip = () => first + chain.length - 1
    const send = (messages: ReturnType<typeof encodeInParts>) =>
      producer.send([{ topic: topics.head(network), messages: messages.map((message) => outgoing(message)) }])
    for (let round = 0; round < rounds; round++) {
      const kind = random.next()
      if (kind < 0.6 || tip() === final) {
        const blocks = Array.from({ length: 1 + random.below(3) }, () => extend(`head ${round}`))
        await send(encodeInParts(blocks, 1 + random.below(3)))
      } else if (kind < 0.8 && reorgs) {
        const from = final + 1 + random.below(tip() - final)
        const to = tip()
        chain.length = from - first
        const undo = encodeUndo(network, from, to, chain.at(-1)!.hash)
        const length = random.below(to - from + 3)
        const redo = Array.from({ length }, () => extend(`redo ${round}`))
        await send([undo, ...(redo.length > 0 ? encodeInParts(redo, 1 + random.below(2)) : [])])
      } else {
        final += random.below(tip() - final + 1)
        await send([encodeFinal(network, final, chain[final - first]!.hash)])
      }
    }
    return { chain, first, final }
  }

  const touchedOf = async (network: Network) => {
    const touched = new Set<string>()
    for (const { partition } of await bus.offsets(topics.rescore(network))) {
      for await (const { value } of bus.read(topics.rescore(network), partition, 0n)) {
        for (const address of decodeRescore(value)) touched.add(address)
      }
    }
    return touched
  }

  /** Lives of a scorer, each ended by a throw where `dies` says, until one catches up. Then everything final is moved. */
  const liveThrough = async (
    network: Network,
    final: number,
    dies: (step: string, life: number, count: number) => boolean,
  ) => {
    let crashes = 0
    for (let life = 0; ; life++) {
      let count = 0
      let dead = false
      let crashed: () => void = () => undefined
      const died = new Promise<void>((resolve) => {
        crashed = resolve
      })
      const { ingest, end, ended } = start(network, {
        maxBytes: 20_000,
        chunkBytes: 8_000,
        onStep: (step) => {
          count += 1
          dead ||= dies(step, life, count)
          if (!dead) return
          crashed()
          throw new Crash(`at step ${step}`)
        },
      })
      const stop = new AbortController()
      const caught = until(
        'caught up',
        async () => stop.signal.aborted || ((await caughtUp(network)) && (ingest.status().settled ?? final) >= final),
      )
      const outcome = await Promise.race([
        caught.then(() => 'done'),
        died.then(() => 'died'),
        ended.then((error) => Promise.reject(error ?? new Error('ended by itself'))),
      ])
      stop.abort()
      await Promise.all([end(), caught])
      if (outcome === 'done' && !dead) return crashes
      crashes += 1
    }
  }

  /** Addresses whose features are not what the chain tables of the network give. */
  const featuresAstray = async (network: Network) => {
    const features = RECOUNTS.find(({ table }) => table === 'wallet_features')!
    const at = { network, base: 'default', states: 'default', buckets: 1, bucket: 0 }
    return (await compareShare(kit.store, features, at)).examples
  }

  const expectFreshIndex = async (chain: readonly Block[], first: number, final: number) => {
    expect(await storedAll()).toEqual(rowsOf(chain))
    expect(await stored('ledger')).toEqual(rowsOf(chain.slice(0, final - first + 1)).ledger)
    expect(await totals()).toEqual(await truth())
    expect(await featuresAstray(chain[0]!.network)).toEqual([])
    expect(await hotFacts(final, true)).toEqual(await hotFacts(final, false))
  }

  return {
    store: () => kit.store,
    path: () => kit.path,
    truncate: () => kit.truncate(),
    renewBus,
    totals,
    truth,
    featuresAstray,
    bus: () => bus,
    producer: () => producer,
    createTopics,
    start,
    caughtUp,
    stored,
    storedAll,
    publishHistory,
    touchedOf,
    liveThrough,
    expectFreshIndex,
  }
}
