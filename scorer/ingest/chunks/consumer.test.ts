/** What a consumer of a topic asks the ledger, and how it reacts to another consumer that went on meanwhile. */
import { expect, test } from 'vitest'
import type { Batch, Message } from '../../../platform/bus/bus.ts'
import { createLog } from '../../../platform/context/log.ts'
import { emptyRows } from '../../../schema/block.ts'
import { encodeBlocks, stamp } from '../../../schema/topics.ts'
import { noStep } from '../steps.ts'
import type { ChunkLedger, LatestChunk } from './chunks.ts'
import { createChunkConsumer } from './consumer.ts'

const TOPIC = 'head.ETH'

const messageOf = (offset: bigint): Message => {
  const number = Number(offset)
  const [hash, parentHash, time] = [`0x${number}`, `0x${number - 1}`, 1_700_000_000 + number]
  const rows = emptyRows()
  const row = { block_number: number, block_time: time, block_hash: hash, parent_hash: parentHash }
  rows.blocks.push({ network: 'ETH', ...row, transaction_count: 0, sees_traces: 1 })
  const [message] = encodeBlocks([{ network: 'ETH', number, hash, parentHash, time, rows }])
  if (!message) throw new Error('a block is one message')
  return { ...stamp(message, 'log'), topic: TOPIC, partition: 0, offset, timestamp: 0 }
}

/** A ledger in which an announcement is compare-and-set, the blocks that were inserted, and consumers over both. */
const setUp = () => {
  let now = 1_000_000
  const chunks: LatestChunk[] = []
  const tokens = new Set<string>()
  const inserted: bigint[] = []
  const asked: string[] = []
  const ledger: ChunkLedger = {
    epoch: 1,
    newest: async () => chunks.slice(-1),
    latest: async () => {
      asked.push('latest')
      const last = chunks.at(-1)
      return last && { ...last }
    },
    announce: async (chunk, after) => {
      asked.push('announce')
      const token = `after ${after?.last ?? 'none'}`
      if (!tokens.has(token)) chunks.push({ ...chunk, done: false, finalized: 0 })
      tokens.add(token)
    },
    close: async ({ first }) => {
      for (const chunk of chunks) if (chunk.first === first) chunk.done = true
    },
  }
  const createConsumer = () => {
    const consume = createChunkConsumer({
      context: { log: createLog('silent'), clock: { now: () => now, sleep: async () => undefined } },
      network: 'ETH',
      bus: {} as Parameters<typeof createChunkConsumer>[0]['bus'],
      producer: { send: async () => undefined, close: async () => undefined },
      ledger,
      position: {
        begin: async () => undefined,
        admit: () => undefined,
        logOf: () => 'log',
        historyUnderWay: async () => false,
      },
      tier: {
        name: 'hot',
        prepare: async (steps) => steps.length,
        apply: async (_, steps) => {
          inserted.push(...steps.map(({ offset }) => offset))
          return { rows: steps.length, touched: [], finalized: 0 }
        },
        stopsAtPoison: true,
      },
      elsewhere: async () => undefined,
      onStep: noStep,
      onDone: () => undefined,
      onPoison: () => undefined,
    })
    return (...offsets: bigint[]) => {
      const { signal } = new AbortController()
      const messages = offsets.map(messageOf)
      const batch = { topic: TOPIC, partition: 0, messages, signal, heartbeat: async () => {}, commit: async () => {} }
      return consume(batch as Batch)
    }
  }
  return {
    createConsumer,
    inserted,
    asked: () => asked.splice(0),
    pass: (ms: number) => {
      now += ms
    },
  }
}

test('a consumer does not ask again for a chunk it just closed, except after a long time or a clock change', async () => {
  const { createConsumer, asked, pass, inserted } = setUp()
  const consume = createConsumer()
  await consume(0n)
  expect(asked()).toEqual(['latest', 'announce', 'latest'])
  await consume(1n)
  expect(asked()).toEqual(['announce', 'latest'])
  pass(60_000)
  await consume(2n)
  expect(asked()).toEqual(['latest', 'announce', 'latest'])
  pass(-1)
  await consume(3n)
  expect(asked()).toEqual(['latest', 'announce', 'latest'])
  expect(inserted).toEqual([0n, 1n, 2n, 3n])
})

test('a consumer that lost its topic without notice inserts nothing twice and omits nothing', async () => {
  const { createConsumer, asked, inserted } = setUp()
  const [one, other] = [createConsumer(), createConsumer()]
  await one(0n)
  await other(1n)
  await other(2n)
  asked()
  // Its announcement is refused: it would follow chunk 0, as the other one does already.
  await one(1n, 2n, 3n)
  expect(asked()).toEqual(['announce', 'latest', 'latest', 'announce', 'latest'])
  await other(3n)
  await other(4n)
  await one(4n)
  expect(inserted).toEqual([0n, 1n, 2n, 3n, 4n])
})
