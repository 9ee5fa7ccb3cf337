/**
 * Bytes on disk by block, transaction and table: recorded blocks and transactions, each once, through the real source, codec, bus and
 * ingest into the embedded store, merged to one part per table. Compared with the bytes of the messages that carry them.
 */
import { decodeBlock } from '../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../indexer/source/evm/index.ts'
import { decodeBlock as decodeSolana } from '../../indexer/source/solana/decode/index.ts'
import { createSolanaSource } from '../../indexer/source/solana/index.ts'
import { createTonSource } from '../../indexer/source/ton/index.ts'
import { createTronSource } from '../../indexer/source/tron/index.ts'
import type { Block } from '../../schema/block.ts'
import type { Network } from '../../schema/networks.ts'
import { encodeBlocks, HISTORY_PARTITIONS, stamp, topics } from '../../schema/topics.ts'
import { createBlockTopics, ingestAll, temporaryBus } from '../e2e/recorded/recorded.helpers.ts'
import { fixturesFolder, loadRecordings, type Recording, recordedChain } from '../kit/chain/recorded-chain.ts'
import { startReplayNode } from '../kit/chain/replay-node.ts'
import { recordedTransactions } from '../kit/chain/solana/recorded-solana.ts'
import { createSolanaChain, startSolanaNode } from '../kit/chain/solana/solana-node.ts'
import { startTonNode } from '../kit/chain/ton/node.ts'
import { servedRecording, tonRecordings } from '../kit/chain/ton/recordings.ts'
import { startTronNode } from '../kit/chain/tron/node.ts'
import { relinkedChain, tronRecordings } from '../kit/chain/tron/recordings.ts'
import { testContext } from '../kit/context.ts'
import { openTestStore, type TestStore } from '../kit/store/store.ts'
import type { BenchResult } from './run.ts'

/** Whole blocks as recorded, each through its own node. */
const evmBlocks = async (
  network: Network,
  [folder = '', ...path]: readonly string[],
  wanted: (recording: Recording) => boolean = () => true,
): Promise<Block[]> => {
  const root = fixturesFolder(folder)
  if (!root) return []
  const blocks: Block[] = []
  const recordings = loadRecordings([root, ...path].join('/')).filter(
    (one) => one.receipts !== undefined && wanted(one),
  )
  for (const recording of recordings) {
    const node = await startReplayNode({ chain: recordedChain([recording]) })
    const context = testContext()
    const source = createEvmSource({ context, network, urls: [node.url], decode: decodeBlock, tokenMetadata: false })
    // Recordings from which transactions were cut out are refused.
    const block = await source.block({ number: recording.number }).catch(() => undefined)
    await source.close()
    await node.stop()
    if (block) blocks.push(block)
  }
  return blocks
}

/** Recorded transactions, eight per block of a synthetic chain: blocks of Solana were recorded in parts only. */
const solanaBlocks = async (): Promise<Block[]> => {
  const folder = fixturesFolder('solana')
  if (!folder) return []
  const recorded = recordedTransactions(folder).map(({ transaction }) => transaction)
  const chain = createSolanaChain()
  for (let from = 0; from < recorded.length; from += 8) chain.add(recorded.slice(from, from + 8))
  chain.finalize()
  const node = await startSolanaNode(chain)
  const source = createSolanaSource({
    context: testContext(),
    network: 'SOLANA',
    urls: [node.url],
    decode: decodeSolana,
  })
  const blocks: Block[] = []
  for (const { number, transactions } of chain.blocks()) {
    const block = transactions.length > 0 ? await source.block({ number }) : undefined
    if (block) blocks.push(block)
  }
  await source.close()
  await node.stop()
  return blocks
}

/** Recorded transactions, five per block of a synthetic chain: one whole block was recorded, of a private chain. */
const tronBlocks = async (): Promise<Block[]> => {
  const recordings = tronRecordings()
  if (!recordings) return []
  const chain = relinkedChain(recordings)
  const node = await startTronNode(chain)
  const source = createTronSource({ context: testContext(), network: 'TRON', urls: [node.url], tokenMetadata: false })
  const blocks: Block[] = []
  for (let number = 1; number <= chain.height(); number += 1) {
    const block = await source.block({ number })
    if (block) blocks.push(block)
  }
  await source.close()
  await node.stop()
  return blocks
}

const SERVED_FROM = 101
/** Recorded shard blocks, each the only one that a masterchain block makes final, at its own height. */
const tonBlocks = async (): Promise<Block[]> => {
  const blocks: Block[] = []
  for (const [index, recorded] of (tonRecordings()?.blocks ?? []).entries()) {
    const chain = servedRecording(recorded, SERVED_FROM + index)
    const node = await startTonNode(chain)
    const source = createTonSource({ context: testContext(), network: 'TON', urls: [node.url], tokenMetadata: false })
    const block = await source.block({ number: chain.height() })
    if (block && block.rows.transactions.length > 0) blocks.push(block)
    await source.close()
    await node.stop()
  }
  return blocks
}
/** Blocks of current size, and every whole one of networks that have few. */
const SAMPLES: readonly [Network, () => Promise<Block[]>][] = [
  ['ETH', () => evmBlocks('ETH', ['ethereum'], ({ number }) => number >= 14_000_000)],
  ['BASE', () => evmBlocks('BASE', ['base', 'base_goerli'])],
  ['POLYGON', () => evmBlocks('POLYGON', ['polygon'])],
  ['HAQQ', () => evmBlocks('HAQQ', ['haqq', 'ethermint-cronos'])],
  ['SOLANA', solanaBlocks],
  ['TRON', tronBlocks],
  ['TON', tonBlocks],
]

/** Tables whose size does not depend on blocks. */
const CONSTANT =
  "('labels', 'registered_addresses', 'registered_assets', 'registered_factories', 'networks', 'schema_migrations', 'schema_locks', 'ingest_writers', 'first_blocks')"
const PARTS = `FROM system.parts WHERE active AND database = currentDatabase() AND table NOT IN ${CONSTANT}`

type Sizes = { table: string; rows: string; bytes: string }

/** Writes blocks into tables through the bus. @returns bytes of their messages */
const publish = async (network: Network, blocks: readonly Block[], { store }: TestStore): Promise<number> => {
  const { bus, close } = await temporaryBus()
  await createBlockTopics(bus, network)
  const producer = await bus.producer()
  let bytes = 0
  for (const [index, block] of blocks.entries()) {
    const messages = encodeBlocks([block]).map((message) => ({
      ...stamp(message, 'size'),
      partition: index % HISTORY_PARTITIONS,
    }))
    await producer.send([{ topic: topics.history(network), messages }])
    bytes += messages.reduce((sum, { value }) => sum + value.length, 0)
  }
  await producer.close()
  await ingestAll(store, bus, network)
  await close()
  return bytes
}

const sizesOf = async ({ store }: TestStore): Promise<Sizes[]> => {
  const tables = await store.query<{ table: string }>(`SELECT DISTINCT table ${PARTS}`)
  for (const { table } of tables) await store.command(`OPTIMIZE TABLE ${table} FINAL`)
  return store.query<Sizes>(
    `SELECT table, sum(rows) AS rows, sum(bytes_on_disk) AS bytes ${PARTS} GROUP BY table ORDER BY bytes DESC`,
  )
}

const measure = async ([network, read]: (typeof SAMPLES)[number]): Promise<BenchResult[]> => {
  const blocks = await read()
  if (blocks.length === 0) return []
  const kit = await openTestStore()
  const bytes = await publish(network, blocks, kit)
  const sizes = await sizesOf(kit)
  await kit.close()
  const transactions = blocks.reduce((sum, { rows }) => sum + rows.transactions.length, 0)
  const each = (sum: number) => Math.round(sum / blocks.length)
  const total = sizes.reduce((sum, one) => sum + Number(one.bytes), 0)
  const rows = sizes.reduce((sum, one) => sum + Number(one.rows), 0)
  return [
    {
      network,
      figure: each(total),
      ceiling: each(bytes),
      ratio: Number((total / bytes).toFixed(3)),
      unit: 'bytes a block in tables, and in messages of the bus',
      blocks: blocks.length,
      transactions,
      aTransaction: [total / transactions, bytes / transactions, rows / transactions].map((one) =>
        Number(one.toFixed(1)),
      ),
      byTable: Object.fromEntries(sizes.map(({ table, rows, bytes }) => [table, [each(Number(bytes)), Number(rows)]])),
    },
  ]
}

export const run = async (): Promise<BenchResult[]> => {
  const results: BenchResult[] = []
  for (const sample of SAMPLES) results.push(...(await measure(sample)))
  return results
}
