import { afterEach, expect, test } from 'vitest'
import { createIndexer, type IndexerOptions } from '../../../indexer/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource } from '../../../indexer/source/evm/index.ts'
import { systemClock } from '../../../platform/context/clock.ts'
import { createLifecycle } from '../../../platform/context/lifecycle.ts'
import { createLog } from '../../../platform/context/log.ts'
import { createMetrics } from '../../../platform/context/metrics.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { hashesOf, replayTopics } from '../../kit/bus/follow.ts'
import { createMemoryBus, type MemoryBus } from '../../kit/bus/memory-bus.ts'
import { type Anvil, type AnvilOptions, startAnvil } from '../../kit/chain/anvil.ts'
import { until } from '../../kit/until.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

const node = async (options?: AnvilOptions): Promise<Anvil> => {
  const anvil = await startAnvil(options)
  open.push(anvil.stop)
  return anvil
}

/** Blocks of which some hold a transfer. */
const grow = async (anvil: Anvil, blocks: number) => {
  await anvil.mine(blocks)
  await anvil.transfer()
}

const follow = (
  bus: MemoryBus,
  urls: string[],
  { network = 'ETH' as Network, ...options }: IndexerOptions & { network?: Network } = {},
) => {
  const lifecycle = createLifecycle()
  const context = { log: createLog('silent'), metrics: createMetrics(), clock: systemClock, lifecycle }
  const source = createEvmSource({ context, network, urls, decode: decodeBlock, pollMs: 200 })
  const indexer = createIndexer({ context, network, source, bus, options: { startBlock: 0, idleMs: 200, ...options } })
  let failure: unknown
  const running = indexer.run().catch((error: unknown) => {
    failure = error
  })
  const stop = async () => {
    await lifecycle.close()
    await running
    await source.close()
  }
  open.push(stop)
  return { status: indexer.status, stop, ended: running, failure: () => failure, metrics: context.metrics }
}

const replay = (bus: MemoryBus, network: Network = 'ETH') =>
  replayTopics(bus.messages(topics.history(network)), bus.messages(topics.head(network)))

/** Waits until the published chain is the node's, block for block, then gives it. */
const settled = async (bus: MemoryBus, anvil: Anvil, indexer: ReturnType<typeof follow>, network: Network = 'ETH') => {
  const tip = await anvil.rpc<{ hash: string; number: string }>('eth_getBlockByNumber', 'latest', false)
  await until(`block ${Number(tip.number)} is published`, () => {
    if (indexer.failure()) throw indexer.failure()
    return indexer.status().phase !== 'starting' && replay(bus, network).blocks.at(-1)?.hash === tip.hash
  })
  const told = replay(bus, network)
  expect(told.blocks.map(({ number, hash }) => ({ number, hash }))).toEqual(
    await hashesOf(anvil, 0, Number(tip.number)),
  )
  return told
}

/** What a fresh index of the same chain tells, row for row. */
const fresh = async (anvil: Anvil, network: Network = 'ETH') => {
  const bus = createMemoryBus()
  const indexer = follow(bus, [anvil.url], { network })
  const told = await settled(bus, anvil, indexer, network)
  await indexer.stop()
  return told.blocks
}

test('history goes to the history topic, the rest to the head topic, and together they are the chain', async () => {
  const anvil = await node()
  await grow(anvil, 300)
  const bus = createMemoryBus()
  const indexer = follow(bus, [anvil.url])
  const before = await settled(bus, anvil, indexer)
  expect(before.tip).toBe(301)
  expect(bus.messages(topics.history('ETH')).length).toBeGreaterThan(0)

  await grow(anvil, 10)
  const after = await settled(bus, anvil, indexer)
  await until('the final block follows', () => replay(bus).final === 312 - 64)
  expect(after.blocks.flatMap((block) => block.rows.filter((row) => row.startsWith('transactions')))).toHaveLength(2)
  expect(indexer.status()).toMatchObject({
    phase: 'head',
    head: 312,
    indexed: 312,
    finalized: 312 - 64,
    stalled: false,
  })
})

test('subscribes to heads if a WebSocket URL is given', async () => {
  const anvil = await node()
  const bus = createMemoryBus()
  const indexer = follow(bus, [anvil.url, anvil.wsUrl], { idleMs: 20_000 })
  await settled(bus, anvil, indexer)
  for (let round = 0; round < 5; round += 1) {
    await grow(anvil, 2)
    await settled(bus, anvil, indexer)
  }
})

test('after reorgs of every depth up to finality the topics hold the canonical chain, row for row', async () => {
  const anvil = await node()
  await grow(anvil, 130)
  const bus = createMemoryBus()
  const indexer = follow(bus, [anvil.url])
  await settled(bus, anvil, indexer)
  for (const depth of [1, 2, 3, 7, 16, 33, 64]) {
    await anvil.transfer()
    if (depth > 1) await anvil.mine(depth - 1)
    await settled(bus, anvil, indexer)
    await anvil.reorg(depth)
    await settled(bus, anvil, indexer)
  }
  await indexer.stop()
  const undone = bus.messages(topics.head('ETH')).filter(({ headers }) => headers.step === 'undo')
  expect(undone.map(({ headers }) => Number(headers.to) - Number(headers.from) + 1)).toEqual([1, 2, 3, 7, 16, 33, 64])
  expect(replay(bus).blocks).toEqual(await fresh(anvil))
})

test('follows a reorg during the hand-over from history to head', async () => {
  const anvil = await node()
  await grow(anvil, 200)
  const bus = createMemoryBus()
  let reorged: Promise<void> | undefined
  bus.onSend(() => {
    reorged ??= anvil.reorg(40)
    return undefined
  })
  const indexer = follow(bus, [anvil.url])
  await until('the reorg happened', () => reorged?.then(() => true))
  await settled(bus, anvil, indexer)
  await indexer.stop()
  expect(replay(bus).blocks).toEqual(await fresh(anvil))
})

test('a restart continues from the topics, also after a reorg in between', async () => {
  const anvil = await node()
  await grow(anvil, 150)
  const bus = createMemoryBus()
  for (const depth of [0, 5, 64, 20]) {
    const indexer = follow(bus, [anvil.url])
    await settled(bus, anvil, indexer)
    const stopping = indexer.stop()
    if (depth > 0) await anvil.reorg(depth)
    await stopping
    await grow(anvil, depth === 20 ? 400 : 2)
  }
  const last = follow(bus, [anvil.url])
  await settled(bus, anvil, last)
  await last.stop()
  expect(replay(bus).blocks).toEqual(await fresh(anvil))
})

test('resolves lost sends and unknown outcomes by reading the topics', async () => {
  const anvil = await node()
  await grow(anvil, 100)
  const bus = createMemoryBus()
  let asked = 0
  bus.onSend(() => {
    asked += 1
    if (asked % 4 === 1) return 'lost'
    return asked % 4 === 3 ? 'unknown' : undefined
  })
  const indexer = follow(bus, [anvil.url])
  for (let round = 0; round < 6; round += 1) {
    await settled(bus, anvil, indexer)
    if (round % 2 === 1) await anvil.reorg(round * 5)
    await grow(anvil, 2)
  }
  await settled(bus, anvil, indexer)
  expect(asked).toBeGreaterThan(8)
})

test('a reorg below the final block stops the network with its code and undoes nothing', async () => {
  const anvil = await node({ slotsInAnEpoch: 2 })
  await grow(anvil, 50)
  const bus = createMemoryBus()
  const indexer = follow(bus, [anvil.url])
  const before = await settled(bus, anvil, indexer)
  await anvil.reorg(20)
  await indexer.ended
  expect(indexer.failure()).toMatchObject({ code: 'ASSAY_REORG_TOO_DEEP', exitCode: 1 })
  expect(indexer.status()).toMatchObject({ phase: 'stopped', stalled: true, error: 'ASSAY_REORG_TOO_DEEP' })
  expect(replay(bus).blocks).toEqual(before.blocks)
})

test('waits for a head that goes back, and follows the fork that overtakes it', async () => {
  const anvil = await node()
  await grow(anvil, 20)
  const bus = createMemoryBus()
  const indexer = follow(bus, [anvil.url])
  await settled(bus, anvil, indexer)
  await anvil.rpc('anvil_rollback', 5)
  await grow(anvil, 9)
  await settled(bus, anvil, indexer)
})

test('a network without reorgs has no unfinal blocks', async () => {
  const anvil = await node({ chainId: 11_235 })
  await grow(anvil, 60)
  const bus = createMemoryBus()
  const indexer = follow(bus, [anvil.url], { network: 'HAQQ' })
  await settled(bus, anvil, indexer, 'HAQQ')
  await grow(anvil, 4)
  const told = await settled(bus, anvil, indexer, 'HAQQ')
  expect(told.final).toBe(66 - 0)
})

test('a node of another chain is refused', async () => {
  const anvil = await node({ chainId: 31_337 })
  const indexer = follow(createMemoryBus(), [anvil.url])
  await indexer.ended
  expect(indexer.failure()).toMatchObject({
    code: 'ASSAY_SOURCE_WRONG_CHAIN',
    message: expect.stringContaining('31337'),
  })
})

test('reports a stall, until blocks arrive again', async () => {
  const anvil = await node()
  await grow(anvil, 5)
  const bus = createMemoryBus()
  const indexer = follow(bus, [anvil.url], { stallMs: 300 })
  await settled(bus, anvil, indexer)
  await until('the network counts as stalled', () => indexer.status().stalled)
  await grow(anvil, 1)
  await until('it does not any more', () => !indexer.status().stalled)
})
