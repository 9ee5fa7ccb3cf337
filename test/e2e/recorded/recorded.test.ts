/** Recorded mainnet answers the whole way: node, source, decoder, codec, bus, ingest, tables, SQL. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createIndexer } from '../../../indexer/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource, type EvmSourceOptions } from '../../../indexer/source/evm/index.ts'
import type { Bus } from '../../../platform/bus/bus.ts'
import type { Network } from '../../../schema/networks.ts'
import { encodeBlocks, HISTORY_PARTITIONS, stamp, topics } from '../../../schema/topics.ts'
import {
  type Chain,
  fixturesFolder,
  loadRecordings,
  type Recording,
  recordedChain,
} from '../../kit/chain/recorded-chain.ts'
import { startReplayNode } from '../../kit/chain/replay-node.ts'
import { counted, testContext } from '../../kit/context.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { until } from '../../kit/until.ts'
import { factsOf, storedFacts } from './recorded.facts.ts'
import { createBlockTopics, ingestAll, temporaryBus } from './recorded.helpers.ts'

const load = (network: string, ...path: string[]): Recording[] => {
  const folder = fixturesFolder(network)
  return folder ? loadRecordings(join(folder, ...path)) : []
}
const whole = (recordings: Recording[]) => recordings.filter(({ receipts }) => receipts !== undefined)

/** Blocks whose authors cut transactions out: their receipts can not make up their blooms. */
const CUT = [3_918_649, 13_367_088, 13_367_153]
const MAINNET = load('ethereum')
const SETS: [Network, Recording[]][] = [
  ['ETH', whole(MAINNET).filter(({ number }) => !CUT.includes(number))],
  ['BASE', whole(load('base', 'base_goerli'))],
  ['HAQQ', whole(load('haqq', 'ethermint-cronos'))],
]
const BLOCKS = SETS.flatMap(([network, recordings]) => recordings.map((recording) => ({ network, recording })))
const CASES = BLOCKS.map(({ network, recording }) => [network, recording.number, recording] as const)

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
afterAll(() => kit.close())

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const sourceOf = async (chain: Chain, network: Network, options: Partial<EvmSourceOptions> = {}) => {
  const node = await startReplayNode({ chain })
  const context = testContext()
  const urls = [node.url]
  const source = createEvmSource({ context, network, urls, decode: decodeBlock, tokenMetadata: false, ...options })
  return { context, source, node }
}

describe.skipIf(BLOCKS.length === 0)('recorded blocks in the tables (skipped without recorded data)', () => {
  /** A node for each block: it offers traces where they were recorded, and lacks the methods where not. */
  const publish = async (bus: Bus, network: Network, recordings: readonly Recording[]) => {
    await createBlockTopics(bus, network)
    const producer = await bus.producer()
    for (const [index, recording] of recordings.entries()) {
      const { source, node } = await sourceOf(recordedChain([recording]), network)
      const block = await source.block({ number: recording.number, hash: recording.block.hash })
      await node.stop()
      if (!block) throw new Error(`block ${recording.number} is unknown`)
      const messages = encodeBlocks([block]).map((message) => ({
        ...stamp(message, 'recorded'),
        partition: index % HISTORY_PARTITIONS,
      }))
      await producer.send([{ topic: topics.history(network), messages }])
    }
    await producer.close()
  }

  beforeAll(async () => {
    const { bus, close } = await temporaryBus()
    for (const [network, recordings] of SETS) {
      if (recordings.length === 0) continue
      await publish(bus, network, recordings)
      await ingestAll(kit.store, bus, network)
    }
    await close()
  })

  test('every network is there', () => {
    expect(SETS.map(([network, recordings]) => [network, recordings.length > 0])).toEqual([
      ['ETH', true],
      ['BASE', true],
      ['HAQQ', true],
    ])
    expect(SETS[0]?.[1].length).toBeGreaterThanOrEqual(11)
  })

  test.each(CASES)('%s %i: SQL returns the content of the files', async (network, number, recording) => {
    expect(await storedFacts(kit.store, network, number)).toEqual(factsOf(network, recording))
  })

  test.each(whole(MAINNET).filter(({ number }) => CUT.includes(number)))(
    'refuses ETH $number, whose recording lacks transactions, instead of storing a part',
    async (recording) => {
      const { source, node } = await sourceOf(recordedChain([recording]), 'ETH')
      open.push(node.stop)
      await expect(source.block({ number: recording.number })).rejects.toMatchObject({ code: 'ASSAY_RPC_INCONSISTENT' })
    },
  )

  test('together they have transfers, creations and internal value of every kind', async () => {
    const [found] = await kit.store.query<Record<string, number>>(
      `SELECT countIf(kind = 'native') > 0 AS native, countIf(kind = 'internal') > 0 AS internal,
         countIf(kind = 'fungible') > 0 AS fungible, countIf(kind = 'nft') > 0 AS nft, countIf(kind = 'wrap') > 0 AS wrap,
         (SELECT count() FROM creations_all) > 0 AS creations, (SELECT toUInt32(count()) FROM blocks_all) AS blocks
       FROM ledger_all`,
    )
    expect(found).toEqual({ native: 1, internal: 1, fungible: 1, nft: 1, wrap: 1, creations: 1, blocks: BLOCKS.length })
  })
})

type RecordedLog = { blockHash: string; transactionHash: string; logIndex: string }
const TRANSFERS = join(fixturesFolder('ethereum') ?? '', 'eth_getLogs_test_04.json')
const LINKED = [16_000_003, 16_000_004, 16_000_005].flatMap(
  (number) => MAINNET.find((one) => one.number === number) ?? [],
)

describe.skipIf(LINKED.length < 3)(
  'blocks 16000003-16000005, recorded without receipts (skipped without recorded data)',
  () => {
    /** Follows recorded blocks from the first one. The dialect that lives without receipts takes them as they are. */
    const follow = async (chain: Chain, startBlock: number) => {
      const verifies = { header: false, transactions: true, receipts: false }
      const dialect = { ethermint: true, stateSync: false, verifies }
      const { context, source, node } = await sourceOf(chain, 'ETH', { dialect, traces: false, pollMs: 200 })
      const { bus, close } = await temporaryBus()
      const indexer = createIndexer({ context, network: 'ETH', source, bus, options: { startBlock, idleMs: 100 } })
      let failure: unknown
      const running = indexer.run().catch((error: unknown) => {
        failure = error
      })
      const stop = async () => {
        await context.lifecycle.close()
        await running
        if (failure) throw failure
      }
      open.push(node.stop, close, stop)
      const retries = (code: string) => counted(context, 'assay_indexer_retries_total', { code })
      const published = () => counted(context, 'assay_indexer_blocks_total')
      return { bus, indexer, stop, retries, published }
    }
    test('follows headers, links and transactions from block files alone into the tables; status stays unknown', async () => {
      const { bus, published, stop } = await follow(recordedChain(LINKED), LINKED[0]!.number)
      await until('all are published', async () => (await published()) === LINKED.length)
      await stop()
      await kit.truncate()
      await ingestAll(kit.store, bus, 'ETH')
      for (const recording of LINKED) {
        expect(await storedFacts(kit.store, 'ETH', recording.number)).toEqual(factsOf('ETH', recording))
      }
      const links = await kit.store.query<{ block_hash: string; parent_hash: string }>(
        'SELECT block_hash, parent_hash FROM blocks_all ORDER BY block_number',
      )
      expect(links.slice(1).map(({ parent_hash }) => parent_hash)).toEqual(
        links.slice(0, -1).map(({ block_hash }) => block_hash),
      )
    })

    test('publishes neither a block with another parent nor the one above it', async () => {
      const chain = recordedChain(LINKED)
      const stranger = `0x${'5'.repeat(64)}`
      const broken: Chain = {
        ...chain,
        block: (at) => {
          const block = chain.block(at)
          return block && Number(block.number) === LINKED[1]!.number ? { ...block, parentHash: stranger } : block
        },
      }
      const { published, retries } = await follow(broken, LINKED[0]!.number)
      await until('the break was seen twice', async () => (await retries('ASSAY_INDEXER_BROKEN_CHAIN')) >= 2)
      expect(await published()).toBe(0)
    })

    test('16000002 was not recorded: the source returns undefined, and the follow loop waits before the gap', async () => {
      const around = MAINNET.filter(({ number }) => number >= 16_000_000 && number <= 16_000_005)
      expect(around.map(({ number }) => number % 10)).toEqual([0, 1, 3, 4, 5])
      const { source, node } = await sourceOf(recordedChain(around), 'ETH', { traces: false })
      open.push(node.stop)
      expect(await source.block({ number: 16_000_002 })).toBeUndefined()
      const { bus, indexer, retries, published, stop } = await follow(recordedChain(around), 16_000_000)
      await until('the gap was met twice', async () => (await retries('ASSAY_SOURCE_BLOCK_MISSING')) >= 2)
      expect(await published()).toBe(1)
      expect(indexer.status().phase).toBe('history')
      await stop()
      await kit.truncate()
      await ingestAll(kit.store, bus, 'ETH')
      expect(await kit.store.query('SELECT block_number FROM blocks_all')).toEqual([{ block_number: 16_000_000 }])
    })

    describe.skipIf(!existsSync(TRANSFERS))('and the Transfer logs recorded of 16000003', () => {
      /** Receipts of the transactions that left Transfer logs: they worked, and nothing else is known of them. */
      const partial = (): Recording => {
        const [recording] = LINKED as [Recording]
        const { response } = JSON.parse(readFileSync(TRANSFERS, 'utf8')) as { response: { result: RecordedLog[] } }
        const logs = response.result.filter(({ blockHash }) => blockHash === recording.block.hash)
        const receipts = recording.block.transactions.flatMap(({ hash }, index) => {
          const own = logs.filter(({ transactionHash }) => transactionHash === hash)
          const known = { transactionHash: hash, blockHash: recording.block.hash, contractAddress: null }
          const place = `0x${index.toString(16)}`
          return own.length === 0
            ? []
            : [
                {
                  ...known,
                  transactionIndex: place,
                  status: '0x1',
                  gasUsed: '0x0',
                  cumulativeGasUsed: '0x0',
                  logs: own,
                },
              ]
        })
        return { ...recording, receipts }
      }

      test('refuses receipts with gaps between log indexes, because full receipts cannot be built', async () => {
        const recording = partial()
        const logs = recording.receipts!.flatMap((receipt) => receipt.logs as RecordedLog[])
        expect(logs).toHaveLength(68)
        expect(Math.max(...logs.map(({ logIndex }) => Number(logIndex)))).toBeGreaterThanOrEqual(logs.length)
        const { source, node } = await sourceOf(recordedChain([recording]), 'ETH', { traces: false })
        open.push(node.stop)
        await expect(source.block({ number: recording.number })).rejects.toMatchObject({
          code: 'ASSAY_RPC_INCONSISTENT',
        })
      })

      test('its 68 Transfer logs, read without verifying receipts, are the transfers in the tables', async () => {
        const recording = partial()
        const { bus, published, stop } = await follow(recordedChain([recording]), recording.number)
        await until('it is published', async () => (await published()) === 1)
        await stop()
        await kit.truncate()
        await ingestAll(kit.store, bus, 'ETH')
        const stored = await storedFacts(kit.store, 'ETH', recording.number)
        expect(stored).toEqual(factsOf('ETH', recording))
        expect(stored.fungible + stored.nft).toBe(68)
      })
    })
  },
)
