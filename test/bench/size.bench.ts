/**
 * Bytes on disk by block and table: recorded blocks that are whole, each once, through the real source, codec, bus and
 * ingest into the embedded store, merged to one part a table. Held against the bytes of the
 * messages that carry them.
 */
import { join } from 'node:path'
import { decodeBlock } from '../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../indexer/source/evm/index.ts'
import type { Network } from '../../schema/networks.ts'
import { encodeBlocks, HISTORY_PARTITIONS, stamp, topics } from '../../schema/topics.ts'
import { createBlockTopics, ingestAll, temporaryBus } from '../e2e/recorded/recorded.helpers.ts'
import { fixturesFolder, loadRecordings, type Recording, recordedChain } from '../kit/chain/recorded-chain.ts'
import { startReplayNode } from '../kit/chain/replay-node.ts'
import { testContext } from '../kit/context.ts'
import { openTestStore, type TestStore } from '../kit/store.ts'
import type { BenchResult } from './run.ts'

/** Blocks of today's size, and every whole one of networks that have few. */
const SETS: [Network, string[], (recording: Recording) => boolean][] = [
  ['ETH', ['ethereum'], ({ number }) => number >= 14_000_000],
  ['BASE', ['base', 'base_goerli'], () => true],
  ['HAQQ', ['haqq', 'ethermint-cronos'], () => true],
]

const load = ([network = '', ...path]: readonly string[]): Recording[] => {
  const folder = fixturesFolder(network)
  return folder ? loadRecordings(join(folder, ...path)).filter(({ receipts }) => receipts !== undefined) : []
}

/** Tables whose size does not depend on blocks. */
const CONSTANT =
  "('labels', 'registered_addresses', 'networks', 'schema_migrations', 'schema_locks', 'ingest_writers', 'first_blocks')"
const PARTS = `FROM system.parts WHERE active AND database = currentDatabase() AND table NOT IN ${CONSTANT}`

type Sizes = { table: string; rows: string; bytes: string }

/** Blocks by way of a node of their own each, and the bytes of their messages. */
const publish = async (network: Network, recordings: readonly Recording[], store: TestStore) => {
  const { bus, close } = await temporaryBus()
  await createBlockTopics(bus, network)
  const producer = await bus.producer()
  let blocks = 0
  let bytes = 0
  let transactions = 0
  for (const recording of recordings) {
    const node = await startReplayNode({ chain: recordedChain([recording]) })
    const context = testContext()
    const source = createEvmSource({ context, network, urls: [node.url], decode: decodeBlock, tokenMetadata: false })
    // Recordings from which transactions were cut out are refused.
    const block = await source.block({ number: recording.number }).catch(() => undefined)
    await source.close()
    await node.stop()
    if (!block) continue
    const messages = encodeBlocks([block]).map((message) => ({
      ...stamp(message, 'size'),
      partition: blocks % HISTORY_PARTITIONS,
    }))
    await producer.send([{ topic: topics.history(network), messages }])
    blocks += 1
    transactions += block.rows.transactions.length
    bytes += messages.reduce((sum, { value }) => sum + value.length, 0)
  }
  await producer.close()
  await ingestAll(store.store, bus, network)
  await close()
  return { blocks, bytes, transactions }
}

const sizesOf = async ({ store }: TestStore): Promise<Sizes[]> => {
  const tables = await store.query<{ table: string }>(`SELECT DISTINCT table ${PARTS}`)
  for (const { table } of tables) await store.command(`OPTIMIZE TABLE ${table} FINAL`)
  return store.query<Sizes>(
    `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes ${PARTS} GROUP BY table ORDER BY bytes DESC`,
  )
}

const measure = async ([network, path, wanted]: (typeof SETS)[number]): Promise<BenchResult[]> => {
  const recordings = load(path).filter(wanted)
  if (recordings.length === 0) return []
  const kit = await openTestStore()
  const { blocks, bytes, transactions } = await publish(network, recordings, kit)
  const sizes = await sizesOf(kit)
  await kit.close()
  const each = (sum: number) => Math.round(sum / blocks)
  const figure = each(sizes.reduce((sum, one) => sum + Number(one.bytes), 0))
  return [
    {
      network,
      figure,
      ceiling: each(bytes),
      ratio: Number((figure / each(bytes)).toFixed(3)),
      unit: 'bytes a block in tables, and in messages of the bus',
      blocks,
      transactions,
      byTable: Object.fromEntries(sizes.map(({ table, rows, bytes }) => [table, [each(Number(bytes)), Number(rows)]])),
    },
  ]
}

export const run = async (): Promise<BenchResult[]> => {
  const results: BenchResult[] = []
  for (const set of SETS) results.push(...(await measure(set)))
  return results
}
