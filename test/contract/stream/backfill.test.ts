import { afterAll, beforeAll, expect, test } from 'vitest'
import { backfill, type Neighbours } from '../../../indexer/follow/backfill.ts'
import { createPublisher } from '../../../indexer/follow/publish.ts'
import { createIndexer } from '../../../indexer/index.ts'
import { decodeBlock } from '../../../indexer/source/evm/decode/index.ts'
import { createEvmSource, type EvmSource } from '../../../indexer/source/evm/index.ts'
import type { Bus } from '../../../platform/bus/bus.ts'
import { type Block, TABLES } from '../../../schema/block.ts'
import { packBlock } from '../../../schema/packed.ts'
import { BACKFILL_HEADER, HISTORY_PARTITIONS, topics } from '../../../schema/topics.ts'
import { replayTopics } from '../../kit/bus/follow.ts'
import { createMemoryBus, type MemoryBus } from '../../kit/bus/memory-bus.ts'
import { type Anvil, startAnvil } from '../../kit/chain/anvil.ts'
import { testContext } from '../../kit/context.ts'
import { until } from '../../kit/until.ts'
import { setUpInstallation } from './kit.ts'

const installation = setUpInstallation(['ETH'])

const START = 40
const TIP = 100
const context = testContext()
let anvil: Anvil
let source: EvmSource
let blocks: Block[]

beforeAll(async () => {
  anvil = await startAnvil({ slotsInAnEpoch: 1 })
  for (let round = 0; round < 20; round += 1) await anvil.transfer()
  await anvil.mine(TIP - 20)
  source = createEvmSource({ context, network: 'ETH', urls: [anvil.url], decode: decodeBlock, pollMs: 200 })
  const numbers = Array.from({ length: 21 }, (_, index) => START + index)
  blocks = await Promise.all(numbers.map(async (number) => (await source.block({ number }))!))
})
afterAll(async () => {
  await context.lifecycle.close()
  await anvil.stop()
})

const ALONE: Neighbours = { below: undefined, parentOfNext: undefined }

const fill = (bus: Bus, from: number, to: number, neighbours = ALONE, signal = new AbortController().signal) => {
  const published: number[] = []
  const done = backfill({
    context,
    source,
    bus,
    range: { from, to },
    neighbours,
    options: { concurrency: 8, maxBytes: 10_000_000, signal },
    published: ({ number }) => published.push(number),
  })
  return done.then((last) => ({ last: last?.number, published }))
}

/** An indexer from block 40 on, until it has published the tip. */
const index = async (bus: MemoryBus) => {
  const own = testContext()
  const indexer = createIndexer({
    context: own,
    network: 'ETH',
    source,
    bus,
    options: { startBlock: START, idleMs: 50 },
  })
  const running = indexer.run()
  await until('the indexer is at the tip', () => indexer.status().phase === 'head' && indexer.status().indexed === TIP)
  return {
    end: async () => {
      await own.lifecycle.close()
      await running
    },
  }
}

const createTopics = (bus: Bus) =>
  bus.createTopics([
    { topic: topics.history('ETH'), partitions: HISTORY_PARTITIONS },
    { topic: topics.head('ETH'), partitions: 1 },
  ])

/** The history topic as an indexer leaves it that was stopped before it reached the head. */
const begun = async (bus: Bus) => {
  await createTopics(bus)
  const publisher = createPublisher({ bus, network: 'ETH', metrics: context.metrics })
  await publisher.open()
  publisher.identify({ history: 'the history', head: 'the head' })
  for (const block of blocks) await publisher.history([packBlock(block)])
  await publisher.close()
}

/** Heights on the topics. @throws Error when one was told twice */
const told = (bus: MemoryBus) => {
  const history = bus.messages(topics.history('ETH'))
  const own = history.filter(({ headers }) => headers[BACKFILL_HEADER] === undefined)
  const { blocks } = replayTopics(own, bus.messages(topics.head('ETH')))
  const brought = replayTopics(
    history.filter((message) => !own.includes(message)),
    [],
  ).blocks
  const numbers = [...blocks, ...brought].map(({ number }) => number).sort((a, b) => a - b)
  const twice = numbers.find((number, index) => numbers[index + 1] === number)
  if (twice !== undefined) throw new Error(`block ${twice} was told twice`)
  return numbers
}
const heights = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

test('backfills blocks below the first one next to a running indexer, without effect on it', async () => {
  const bus = createMemoryBus()
  const first = await index(bus)
  const stored = { below: undefined, parentOfNext: blocks[0]!.parentHash }
  expect(await fill(bus, 5, START - 1, stored)).toMatchObject({ last: START - 1 })
  await first.end()
  const second = await index(bus)
  await second.end()
  expect(told(bus)).toEqual(heights(5, TIP))
  expect(new Set(bus.messages(topics.history('ETH')).map(({ headers }) => headers.log)).size).toBe(1)
})

test('an indexer stopped in its history continues above its own last block, not above a backfilled one', async () => {
  const bus = createMemoryBus()
  await begun(bus)
  for (const from of [1, 11, 21, 31]) await fill(bus, from, from + 8)
  const indexer = await index(bus)
  await indexer.end()
  const missing = [10, 20, 30]
  expect(told(bus)).toEqual(heights(1, TIP).filter((number) => !missing.includes(number)))
})

test('a repeated run publishes exactly the missing blocks after any outcome of a send', async () => {
  for (const fault of ['lost', 'unknown'] as const) {
    const bus = createMemoryBus()
    await begun(bus)
    bus.onSend(() => fault)
    await expect(fill(bus, 1, 30)).rejects.toMatchObject({ code: 'ASSAY_BUS_UNAVAILABLE' })
    bus.onSend(() => undefined)
    const again = await fill(bus, 1, 30)
    expect(again).toEqual({ last: 30, published: fault === 'lost' ? [30] : [] })
    expect(told(bus)).toEqual([...heights(1, 30), ...heights(START, 60)])
  }
})

test('refuses a range that is not final, does not link to stored blocks or has no topic, and publishes nothing', async () => {
  const bus = createMemoryBus()
  await createTopics(bus)
  await expect(fill(bus, 1, 9)).rejects.toMatchObject({ code: 'ASSAY_BACKFILL_NO_TOPIC' })
  await begun(bus)
  const before = bus.sends()
  const other = { number: 4, hash: '0xother' }
  await expect(fill(bus, 1, TIP)).rejects.toMatchObject({ code: 'ASSAY_BACKFILL_NOT_FINAL' })
  await expect(fill(bus, 5, 9, { below: other, parentOfNext: undefined })).rejects.toMatchObject({
    code: 'ASSAY_BACKFILL_DISCONTINUOUS',
  })
  await expect(fill(bus, 5, 9, { below: undefined, parentOfNext: '0xother' })).rejects.toMatchObject({
    code: 'ASSAY_BACKFILL_DISCONTINUOUS',
  })
  expect(bus.sends()).toBe(before)
})

test('the command publishes missing blocks, and skips those published before', async () => {
  const { bus, store, assay } = installation
  await begun(bus())
  for (const table of TABLES) {
    await store().insert(
      table,
      blocks.flatMap((block) => block.rows[table].map((row) => JSON.stringify(row))).join('\n'),
    )
  }
  const run = (from: number, to: number, ...more: string[]) =>
    assay(['backfill', '--network', 'ETH', '--from', String(from), '--to', String(to), ...more], {
      env: { ETH_RPC_URL: anvil.url },
    })
  const first = await run(30, 45)
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain('10 blocks of ETH are missing from 30 to 45.')
  expect(first.out).toContain('10 blocks of ETH are on the history topic, 10 of them published by this run')
  expect((await run(30, 45)).out).toContain(
    '10 blocks of ETH are on the history topic, 0 of them published by this run',
  )
  const nothing = await run(41, 45, '--json')
  expect(nothing.err).toContain('All blocks of ETH from 41 to 45 are stored; nothing was published.')
  const counts = { missing: 0, published: 0, fetched: 0, interrupted: false }
  expect(JSON.parse(nothing.out)).toMatchObject({ network: 'ETH', from: 41, to: 45, ...counts })
  expect(await run(90, 100)).toMatchObject({ code: 1, err: expect.stringContaining('ASSAY_BACKFILL_NOT_FINAL') })
})
