/**
 * Indexes a node's whole history into an embedded bus and tells what it took:
 * `node --max-old-space-size=512 --import tsx memory.indexer.child.ts <url> <bus folder> <last final block> <max bytes in flight>`.
 */
import { createIndexer } from '../../../indexer/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import type { Source } from '../../../indexer/source/source.ts'
import type { Bus } from '../../../platform/bus/bus.ts'
import { openEmbeddedBus } from '../../../platform/bus/embedded.ts'
import { type Block, TABLES } from '../../../schema/block.ts'
import { decodeHeaders } from '../../../schema/topics.ts'
import { testContext } from '../../kit/context.ts'
import { tell, watchMemory } from './memory.peak.ts'

const [, , url = '', path = '', last = '', maxBytes = ''] = process.argv
const memory = watchMemory()
const context = testContext()
const flight = { blocks: new Map<number, number>(), bytes: 0, peakBytes: 0, peakBlocks: 0, rows: 0, sent: 0 }

const bytesOf = (block: Block) => Buffer.byteLength(JSON.stringify(block.rows))

/** Counts a block from its arrival on. */
const countIn = (source: Source): Source => ({
  ...source,
  block: async (at, signal) => {
    const block = await source.block(at, signal)
    if (!block) return undefined
    const bytes = bytesOf(block)
    flight.blocks.set(block.number, bytes)
    flight.bytes += bytes
    flight.rows += TABLES.reduce((sum, table) => sum + block.rows[table].length, 0)
    flight.peakBytes = Math.max(flight.peakBytes, flight.bytes)
    flight.peakBlocks = Math.max(flight.peakBlocks, flight.blocks.size)
    memory.look()
    return block
  },
})

/** Counts a block until its send is acknowledged. */
const countOut = (bus: Bus): Bus => ({
  ...bus,
  producer: async (options) => {
    const producer = await bus.producer(options)
    return {
      ...producer,
      send: async (sends) => {
        memory.look()
        await producer.send(sends)
        for (const { headers = {}, value } of sends.flatMap(({ messages }) => messages)) {
          const { from, to } = decodeHeaders(headers)
          flight.sent += value.length
          for (let number = from; number <= to; number += 1) {
            flight.bytes -= flight.blocks.get(number) ?? 0
            flight.blocks.delete(number)
          }
        }
      },
    }
  },
})

const bus = await openEmbeddedBus(context, { path })
const source = createEvmSource({ context, network: 'ETH', urls: [url], decode: decodeBlock, tokenMetadata: false })
const indexer = createIndexer({
  context,
  network: 'ETH',
  source: countIn(source),
  bus: countOut(bus),
  // So many at once that bytes, not their count, hold fetching back.
  options: { startBlock: 1, concurrency: 3_000, maxBytesInFlight: Number(maxBytes) },
})
const began = performance.now()
const running = indexer.run()
const done = async () => {
  while ((indexer.status().finalized ?? indexer.status().indexed ?? 0) < Number(last)) {
    await context.clock.sleep(20, context.lifecycle.signal)
  }
  await context.lifecycle.close()
}
await Promise.race([running, done()])
await running
const seconds = (performance.now() - began) / 1_000
await bus.close()
const { peakBytes, peakBlocks, rows, sent } = flight
tell({ ...memory.stop(), seconds, status: indexer.status(), peakBytes, peakBlocks, rows, sent })
process.exit(0)
