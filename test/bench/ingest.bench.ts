/**
 * Rows per second from the embedded bus into the final tables, compared with the same rows read from files and inserted by the
 * same store with the same settings, one file and one insert per table. Both in one run, alternating.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRandom } from '../../deploy/demo/scenario/random.ts'
import { openEmbeddedBus } from '../../platform/bus/embedded.ts'
import { systemClock } from '../../platform/context/clock.ts'
import { createLifecycle } from '../../platform/context/lifecycle.ts'
import { createLog } from '../../platform/context/log.ts'
import { createMetrics } from '../../platform/context/metrics.ts'
import { type Block, TABLES } from '../../schema/block.ts'
import { decodeBlocks, encodeBlocks, HISTORY_PARTITIONS, stamp, topics } from '../../schema/topics.ts'
import { createIngest } from '../../scorer/ingest/ingest.ts'
import { makeBlock } from '../contract/ingest/chain.ts'
import { openTestStore } from '../kit/store/store.ts'
import type { BenchResult } from './run.ts'

const BLOCKS = 1_200
/** Size of the pool of addresses in rows. */
const ACCOUNTS = 1_000_000
const BLOCKS_PER_MESSAGE = 20
const ROUNDS = 3

/** Blocks of about 300 rows, the weight of busy mainnet blocks spread over all tables. */
const makeChain = (): Block[] => {
  const random = createRandom(11)
  let below = '0x'
  return Array.from({ length: BLOCKS }, (_, n) => {
    const parts = Array.from({ length: 20 }, (_, salt) =>
      makeBlock('ETH', n + 1, below, `${salt}`, random, { accounts: ACCOUNTS }),
    )
    const block = parts[0] as Block
    for (const table of TABLES) {
      if (table === 'blocks') continue
      const rows: unknown[] = block.rows[table]
      for (const part of parts.slice(1)) rows.push(...part.rows[table])
    }
    below = block.hash
    return block
  })
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0

export const run = async (): Promise<BenchResult> => {
  const kit = await openTestStore({ readers: 2 })
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'))
  const log = createLog('error')
  const chain = makeChain()
  const rows = chain.reduce((sum, block) => sum + TABLES.reduce((n, table) => n + block.rows[table].length, 0), 0)
  const messages = Array.from({ length: BLOCKS / BLOCKS_PER_MESSAGE }, (_, n) =>
    encodeBlocks(chain.slice(n * BLOCKS_PER_MESSAGE, (n + 1) * BLOCKS_PER_MESSAGE)).map((message) => ({
      ...stamp(message, 'bench'),
      // Parts of the same blocks are on one partition, as the indexer sends them.
      partition: n % HISTORY_PARTITIONS,
    })),
  ).flat()
  const bytes = messages.reduce((sum, { value }) => sum + value.length, 0)
  const files: { table: string; path: string }[] = []
  const decoded = messages.map(decodeBlocks)
  for (const table of TABLES) {
    const path = join(folder, `${table}.jsonl`)
    const sections = decoded.flatMap(({ sections }) => sections.filter((section) => section.table === table))
    writeFileSync(path, Buffer.concat(sections.map((section) => section.rows)))
    files.push({ table, path })
  }

  const fromFiles = async () => {
    await kit.truncate()
    const began = performance.now()
    for (const { table, path } of files) await kit.store.insert(table, readFileSync(path), { token: path })
    return (performance.now() - began) / 1_000
  }

  const fromBus = async (round: number) => {
    await kit.truncate()
    const path = join(folder, `bus-${round}`)
    const bus = await openEmbeddedBus({ clock: systemClock, log }, { path })
    await bus.createTopics([
      { topic: topics.history('ETH'), partitions: HISTORY_PARTITIONS },
      { topic: topics.head('ETH'), partitions: 1 },
      { topic: topics.rescore('ETH'), partitions: 4 },
      { topic: topics.dlq, partitions: 1 },
    ])
    const producer = await bus.producer()
    for (const message of messages) await producer.send([{ topic: topics.history('ETH'), messages: [message] }])
    const lifecycle = createLifecycle()
    const context = { log, metrics: createMetrics(), clock: systemClock, lifecycle }
    const ingest = createIngest({ context, network: 'ETH', store: kit.store, bus })
    const began = performance.now()
    const running = ingest.run()
    while (ingest.status().rows < rows) await systemClock.sleep(2)
    const seconds = (performance.now() - began) / 1_000
    await ingest.close()
    await running
    await bus.close()
    const [stored] = await kit.store.query<{ n: string }>(
      TABLES.map((table) => `(SELECT count() FROM ${table})`)
        .join(' + ')
        .replace(/^/, 'SELECT ')
        .concat(' AS n'),
    )
    if (Number(stored?.n) !== rows) throw new Error(`${stored?.n} of ${rows} rows arrived`)
    return seconds
  }

  await fromFiles()
  const times = { bus: [] as number[], file: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    times.bus.push(await fromBus(round))
    times.file.push(await fromFiles())
  }
  await kit.close()
  rmSync(folder, { recursive: true, force: true })
  const ratios = times.bus.map((seconds, round) => (times.file[round] ?? 0) / seconds)
  const rate = (seconds: readonly number[]) => Math.round(rows / median(seconds))
  const addresses = new Set(chain.flatMap(({ rows }) => rows.ledger.map(({ address }) => address))).size
  return {
    figure: rate(times.bus),
    ceiling: rate(times.file),
    ratio: Number(median(ratios).toFixed(3)),
    unit: 'rows/s',
    notes: [
      `${rows} rows, ${bytes} bytes, ${messages.length} messages of ${BLOCKS_PER_MESSAGE} blocks, ${addresses} addresses, chDB in process, median of ${ROUNDS} rounds`,
      'from the bus: announcing, inserting, publishing touched addresses, closing and committing every chunk, start of the consumers included',
      `seconds from bus ${times.bus.map((s) => s.toFixed(2))}, from files ${times.file.map((s) => s.toFixed(2))}`,
    ],
  }
}
