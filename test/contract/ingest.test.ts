import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createRandom, type Random } from '../../deploy/demo/story/random.ts'
import type { Bus, Producer } from '../../platform/bus/bus.ts'
import { openEmbeddedBus } from '../../platform/bus/embedded.ts'
import { type Clock, systemClock } from '../../platform/clock.ts'
import { createLifecycle } from '../../platform/lifecycle.ts'
import { createLog } from '../../platform/log.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { type Block, TABLES, type TableName } from '../../schema/block.ts'
import type { Network } from '../../schema/networks.ts'
import { decodeTouched, encodeFinal, encodeUndo, HISTORY_PARTITIONS, topics } from '../../schema/topics.ts'
import { createIngest, type IngestOptions } from '../../scorer/ingest/ingest.ts'
import { readSettled } from '../../scorer/ledger/settled.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'
import { canonicalLine, encodeInParts, makeBlock, outgoing, rowsOf } from './ingest.chain.ts'

const log = createLog(process.env.ASSAY_TEST_LOG ?? 'silent')
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

beforeEach(async () => {
  await kit.truncate()
  busPath = mkdtempSync(join(tmpdir(), 'assay-bus-'))
  bus = await openEmbeddedBus({ clock: systemClock, log }, { path: busPath, leaseMs: 2_000, pollMs: 50 })
  return async () => {
    await bus.close()
    rmSync(busPath, { recursive: true, force: true })
  }
})

const until = async (what: string, holds: () => Promise<boolean>, deadlineMs = 60_000) => {
  const deadline = Date.now() + deadlineMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not in time: ${what}`)
    await systemClock.sleep(20)
  }
}

const createTopics = async (network: Network) => {
  await bus.createTopics([
    { topic: topics.history(network), partitions: HISTORY_PARTITIONS },
    { topic: topics.head(network), partitions: 1 },
    { topic: topics.touched(network), partitions: 4 },
    { topic: topics.dlq, partitions: 1 },
  ])
  producer = await bus.producer({ transactionalId: network })
}

class Crash extends Error {}

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

const storedAll = async (): Promise<Record<TableName, string[]>> =>
  Object.fromEntries(
    await Promise.all(TABLES.map(async (table) => [table, await stored(`${table}_all`)] as const)),
  ) as Record<TableName, string[]>

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
  { reorgs = true, rounds = 25, historyBlocks = 20, first = 1 } = {},
) => {
  const chain: Block[] = []
  const extend = (salt: string) => {
    const block = makeBlock(network, first + chain.length, chain.at(-1)?.hash ?? '0x0', salt, random)
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
  for (const { partition } of await bus.offsets(topics.touched(network))) {
    for await (const { value } of bus.read(topics.touched(network), partition, 0n)) {
      for (const address of decodeTouched(value)) touched.add(address)
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

const expectFreshIndex = async (chain: readonly Block[], first: number, final: number) => {
  expect(await storedAll()).toEqual(rowsOf(chain))
  expect(await stored('ledger')).toEqual(rowsOf(chain.slice(0, final - first + 1)).ledger)
  expect(await totals()).toEqual(await truth())
  expect(await hotFacts(final, true)).toEqual(await hotFacts(final, false))
}

describe('a history with reorgs', () => {
  test('gives the tables of a fresh index when the scorer dies once at every kind of step', async () => {
    await createTopics('ETH')
    const { chain, first, final } = await publishHistory('ETH', createRandom(7), { first: 230, rounds: 40 })
    const died = new Set<string>()
    await liveThrough('ETH', final, (step) => !died.has(step) && Boolean(died.add(step)))
    await expectFreshIndex(chain, first, final)
    const perTable = ['inserted', 'added', 'undone', 'moved'].flatMap((verb) =>
      TABLES.map((table) => `${verb} ${table}`),
    )
    const others = [
      'announced',
      'applied',
      'published',
      'closed',
      'before commit',
      'committed',
      'undoing',
      'undone',
      'undone facts',
      'moving',
      'settled',
      'dropped',
    ]
    expect([...died].sort()).toEqual([...perTable, ...others].sort())
    expect([...(await touchedOf('ETH'))].length).toBeGreaterThan(0)
  }, 240_000)

  test.each(process.env.SEED ? [Number(process.env.SEED)] : [1, 4])(
    'gives the tables of a fresh index when the scorer dies anywhere (seed %i)',
    async (seed) => {
      await createTopics('ETH')
      const random = createRandom(seed)
      const { chain, first, final } = await publishHistory('ETH', random)
      let next = 0
      const crashes = await liveThrough('ETH', final, (_step, life, count) => {
        if (count === 1) next = 2 + random.below(60)
        return life < 15 && count >= next
      })
      expect(crashes).toBeGreaterThan(3)
      await expectFreshIndex(chain, first, final)
    },
  )
})

test('a network whose blocks are final at once has no hot rows, and refuses an undo', async () => {
  await createTopics('HAQQ')
  const random = createRandom(5)
  const { chain, first } = await publishHistory('HAQQ', random, { reorgs: false })
  const { ended, end, metrics } = start('HAQQ')
  await until('caught up', () => caughtUp('HAQQ'))
  await expectFreshIndex(chain, first, chain.length)
  expect(await stored('ledger_hot')).toEqual([])
  expect(await metrics.registry.getSingleMetricAsString('assay_ingest_rows_total')).toContain(
    'network="HAQQ",tier="final"',
  )
  await producer.send([{ topic: topics.head('HAQQ'), messages: [encodeUndo('HAQQ', 3, 4, '0x')] }])
  expect(await ended).toMatchObject({ code: 'ASSAY_INGEST_UNDO_OF_FINAL' })
  await end()
})

test('a message nobody can read is set aside on history and stops the network on head', async () => {
  await createTopics('ETH')
  const block = makeBlock('ETH', 1, '0x0', 'x', createRandom(1))
  const good = outgoing(encodeInParts([block], 1)[0]!, 0)
  const torn = { ...good, value: good.value.subarray(0, good.value.length - 3) }
  await producer.send([{ topic: topics.history('ETH'), messages: [torn, good] }])
  const { ended, end } = start('ETH')
  await until('caught up', () => caughtUp('ETH'))
  expect(await storedAll()).toEqual(rowsOf([block]))
  await producer.send([{ topic: topics.head('ETH'), messages: [torn] }])
  expect(await ended).toMatchObject({ code: 'ASSAY_INGEST_POISON' })
  const letters = []
  for await (const { headers } of bus.read(topics.dlq, 0, 0n))
    letters.push([headers.topic, headers.offset, headers.token])
  expect(letters).toEqual([
    ['history.ETH', '0', 'history.ETH:0:0-1'],
    ['head.ETH', '0', 'head.ETH:0:0-0'],
  ])
  await end()
})

test('a small chunk lets the next one wait, in a stream by as many intervals as the topic has partitions; a full one does not', async () => {
  await createTopics('ETH')
  const pauses: number[] = []
  const clock: Clock = {
    now: () => 1_700_000_000_000,
    sleep: (ms, signal) => {
      if (ms >= 1_000) pauses.push(ms)
      return systemClock.sleep(Math.min(ms, 20), signal)
    },
  }
  const random = createRandom(3)
  const send = (topic: string, number: number) =>
    producer.send([
      { topic, messages: [outgoing(encodeInParts([makeBlock('ETH', number, '0x', 'x', random)], 1)[0]!, 0)] },
    ])
  const stream = start('ETH', { minIntervalMs: 1_000, streamBytes: 1 }, clock)
  await send(topics.history('ETH'), 1)
  await until('one pause', async () => pauses.length === 1)
  await send(topics.head('ETH'), 2)
  await until('two pauses', async () => pauses.length === 2)
  await stream.end()
  const trickle = start('ETH', { minIntervalMs: 1_000 }, clock)
  await send(topics.history('ETH'), 1)
  await until('three pauses', async () => pauses.length === 3)
  await trickle.end()
  const full = start('ETH', { minIntervalMs: 1_000, fullBytes: 1 }, clock)
  await send(topics.history('ETH'), 1)
  await until('caught up', () => caughtUp('ETH'))
  await full.end()
  expect(pauses).toEqual([HISTORY_PARTITIONS * 1_000, 1_000, 1_000])
})

test('readers that merge tiers never see a block twice, half or not at all while blocks are added and moved', async () => {
  await createTopics('ETH')
  const { ended, end } = start('ETH', { moveAfterMs: 50 })
  const random = createRandom(9)
  const chain: Block[] = []
  const rowsBelow = (head: number) =>
    chain.filter(({ number }) => number <= head).reduce((n, b) => n + b.rows.ledger.length, 0)
  const count = async (sql: string, params: object) =>
    Number((await kit.store.query<{ n: string }>(sql, { ...params }))[0]?.n)
  let reads = 0
  for (let n = 1; n <= 40; n++) {
    chain.push(makeBlock('ETH', n, chain.at(-1)?.hash ?? '0x0', 'x', random))
    const messages = encodeInParts([chain.at(-1)!], 1).map((message) => outgoing(message))
    if (n > 3) messages.push(encodeFinal('ETH', n - 3, chain[n - 4]!.hash))
    await producer.send([{ topic: topics.head('ETH'), messages }])
    const merged = await readSettled(kit.store, 'ETH', async ({ settled = 0, head }) => ({
      head,
      rows:
        (await count('SELECT sum(rows) AS n FROM address_totals', {})) +
        (await count(
          'SELECT count() AS n FROM ledger_hot FINAL WHERE block_number > {settled:UInt32} AND block_number <= {head:UInt32}',
          { settled, head },
        )),
    }))
    expect(merged.rows).toBe(rowsBelow(merged.head))
    reads += 1
  }
  const moved = until(
    'moved',
    async () => (await count("SELECT max(settled) AS n FROM watermarks WHERE state = 'settled'", {})) >= 37,
  )
  // Whatever ends the network before that is the answer, not the deadline.
  expect(await Promise.race([moved, ended])).toBeUndefined()
  await end()
  expect(reads).toBe(40)
})
