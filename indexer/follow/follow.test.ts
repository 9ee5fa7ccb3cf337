/** The follow loop over a synthetic chain, whose nodes and bus fail in random order. */
import fc from 'fast-check'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Clock } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { createLifecycle } from '../../platform/context/lifecycle.ts'
import { createMetrics } from '../../platform/context/metrics.ts'
import { RetryableError } from '../../platform/errors.ts'
import { type Block, type BlockRef, emptyRows } from '../../schema/block.ts'
import { topics } from '../../schema/topics.ts'
import { replayTopics } from '../../test/kit/bus/follow.ts'
import { createMemoryBus, type SendFault } from '../../test/kit/bus/memory-bus.ts'
import { createIndexer } from '../index.ts'
import type { Source } from '../source/source.ts'

const tick = () => new Promise<void>((resolve) => setImmediate(resolve))

/** A chain whose blocks know their branch, and nodes that fail, lag or answer from another branch on request. */
const createChain = (length: number, finalized: number) => {
  const blocks: BlockRef[] = []
  let branch = 0
  let finalHeight = 0
  let failing = 0
  let lagging = 0
  let straying = 0
  const grow = (count: number) => {
    for (let each = 0; each < count; each += 1) {
      const number = blocks.length
      const parentHash = blocks.at(-1)?.hash ?? '0x'
      blocks.push({ number, hash: `0x${branch}-${number}`, parentHash, time: 1_700_000_000 + number })
    }
  }
  const answer = async <T>(value: () => T): Promise<T> => {
    await tick()
    if (failing > 0) {
      failing -= 1
      throw new RetryableError('ASSAY_RPC_UNAVAILABLE', 'no node answered')
    }
    return value()
  }
  const at = (number: number): BlockRef => blocks[number]!
  const tip = () => at(blocks.length - 1)
  const whole = (ref: BlockRef): Block => ({ ...ref, network: 'ETH', rows: emptyRows() })
  const source: Source = {
    network: 'ETH',
    verify: () => answer(() => undefined),
    head: () =>
      answer(() => {
        if (lagging === 0) return tip()
        lagging -= 1
        return at(Math.max(finalHeight, blocks.length - 3))
      }),
    finalizedHead: () => answer(() => at(finalHeight)),
    ref: (number) => answer(() => blocks[number]),
    block: ({ number, hash }) =>
      answer(() => {
        const block = blocks[number]
        if (!block || (hash !== undefined && hash !== block.hash)) return undefined
        if (straying === 0 || hash !== undefined) return whole(block)
        straying -= 1
        return whole({ ...block, hash: `${block.hash}-stray`, parentHash: '0xstray' })
      }),
    onHead: () => () => undefined,
    close: async () => undefined,
  }
  const replace = (depth: number, count: number) => {
    branch += 1
    blocks.splice(blocks.length - depth)
    grow(count)
  }
  grow(length)
  finalHeight = finalized
  return {
    source,
    tip,
    grow,
    finalizedHeight: () => finalHeight,
    finalize: (count: number) => {
      finalHeight = Math.min(blocks.length - 1, finalHeight + count)
    },
    reorg: (depth: number) => {
      const reach = Math.min(depth, blocks.length - 1 - finalHeight)
      replace(reach, reach + 1)
    },
    reorgBelowFinality: () => {
      const depth = blocks.length - finalHeight
      replace(depth + 1, depth + 2)
    },
    fail: (calls: number) => {
      failing += calls
    },
    lag: (calls: number) => {
      lagging += calls
    },
    stray: (calls: number) => {
      straying += calls
    },
  }
}

const count = fc.integer({ min: 1, max: 4 })
const event = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('grow' as const), count }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('reorg' as const), count }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constant('finalize' as const), count }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constantFrom('fail' as const, 'lag' as const, 'stray' as const), count }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('lost' as const, 'unknown' as const), count }) },
)
const world = fc.record({
  length: fc.integer({ min: 1, max: 60 }),
  /** Share of the chain that is finalized at first. */
  finalized: fc.double({ min: 0, max: 1, noNaN: true }),
  events: fc.array(fc.record({ event, ticks: fc.integer({ min: 0, max: 30 }) }), { maxLength: 25 }),
  ending: fc.constantFrom('caught up' as const, 'at once' as const, 'below finality' as const),
})
type World = typeof world extends fc.Arbitrary<infer T> ? T : never

/** Plays a world. @returns the moves between states, the error that ended the loop, and whether the topics hold the chain. */
const play = async ({ length, finalized, events, ending }: World) => {
  const moves = new Set<string>()
  const write = (line: string) => {
    const { msg, from, to }: { msg: string; from?: string; to?: string } = JSON.parse(line)
    if (msg === 'changed the state') moves.add(`${from} -> ${to}`)
  }
  const lifecycle = createLifecycle()
  const clock = { now: Date.now, sleep: tick }
  const context: Context = { log: pino({ level: 'debug' }, { write }), metrics: createMetrics(), clock, lifecycle }
  const chain = createChain(length, Math.floor((length - 1) * finalized))
  const bus = createMemoryBus()
  const faults: SendFault[] = []
  bus.onSend(() => faults.shift())
  const indexer = createIndexer({ context, network: 'ETH', source: chain.source, bus, options: { startBlock: 0 } })
  let failure: unknown
  let over = false
  const running = indexer
    .run()
    .catch((error: unknown) => {
      failure = error
    })
    .finally(() => {
      over = true
    })
  const published = () => replayTopics(bus.messages(topics.history('ETH')), bus.messages(topics.head('ETH')))
  const until = async (done: () => boolean) => {
    for (let turn = 0; turn < 5_000 && !over && !done(); turn += 1) await tick()
  }

  for (const { event, ticks } of events) {
    if (event.what === 'lost' || event.what === 'unknown') faults.push(event.what)
    else chain[event.what](event.count)
    for (let turn = 0; turn < ticks; turn += 1) await tick()
  }
  if (ending !== 'at once') {
    // A block more, so that the finalized head is published whatever came before.
    chain.grow(1)
    await until(() => indexer.status().phase === 'head' && indexer.status().indexed === chain.tip().number)
  }
  const complete = ending === 'at once' || over ? undefined : published().blocks.at(-1)?.hash === chain.tip().hash
  if (ending === 'below finality' && !over) {
    chain.finalize(2)
    await until(() => indexer.status().finalized === chain.finalizedHeight())
    chain.reorgBelowFinality()
    await until(() => false)
  }
  await lifecycle.close()
  await running
  return { moves, failure, complete }
}

const DRAWN = [
  'head -> stopped',
  'head -> waiting',
  'history -> head',
  'history -> stopped',
  'history -> waiting',
  'starting -> head',
  'starting -> history',
  'starting -> stopped',
  'starting -> waiting',
  'waiting -> head',
  'waiting -> history',
  'waiting -> starting',
  'waiting -> stopped',
]

test('makes only transitions of the diagram and publishes the whole chain, whatever nodes and bus do', async () => {
  const seen = new Set<string>()
  await fc.assert(
    fc.asyncProperty(world, async (given) => {
      const { moves, failure, complete } = await play(given)
      for (const move of moves) seen.add(move)
      const code = failure instanceof Error && 'code' in failure ? failure.code : failure
      expect(code).toBe(given.ending === 'below finality' ? 'ASSAY_REORG_TOO_DEEP' : undefined)
      expect(complete).not.toBe(false)
    }),
    { numRuns: 150 },
  )
  expect(DRAWN).toEqual(expect.arrayContaining([...seen]))
  // Rare moves may be missing from one run; the usual ones may not.
  expect([...seen]).toEqual(
    expect.arrayContaining([
      'starting -> history',
      'history -> head',
      'head -> waiting',
      'waiting -> starting',
      'head -> stopped',
    ]),
  )
})

/** An indexer at work on a chain, with a bus whose topics can be lost. */
const atWork = (
  chain: ReturnType<typeof createChain>,
  bus = createMemoryBus(),
  reorgWindow?: number,
  clock: Clock = { now: Date.now, sleep: tick },
) => {
  const lifecycle = createLifecycle()
  const context: Context = { log: pino({ level: 'silent' }), metrics: createMetrics(), clock, lifecycle }
  const options = { startBlock: 0, ...(reorgWindow !== undefined && { reorgWindow }) }
  const indexer = createIndexer({ context, network: 'ETH', source: chain.source, bus, options })
  let failure: unknown
  const running = indexer.run().catch((error: unknown) => {
    failure = error
  })
  const messages = (name: 'history' | 'head') => {
    try {
      return bus.messages(topics[name]('ETH'))
    } catch {
      return []
    }
  }
  const until = async (done: () => boolean) => {
    for (let turn = 0; turn < 50_000 && failure === undefined && !done(); turn += 1) await tick()
    if (failure !== undefined) throw failure
    expect(done()).toBe(true)
  }
  const published = (height: number) =>
    until(() => messages('head').some(({ headers }) => headers.step === 'new' && Number(headers.to) === height))
  const logsOf = (name: 'history' | 'head') => new Set(messages(name).map(({ headers }) => headers.log))
  const end = async () => {
    await lifecycle.close()
    await running
  }
  const handedOver = () => until(() => messages('head').length > 0)
  return { bus, messages, published, handedOver, logsOf, until, status: indexer.status, end }
}

test('the head topic begins with the hand-over, and all messages of a topic have one log across restarts', async () => {
  const chain = createChain(60, 20)
  const first = atWork(chain)
  await first.published(59)
  await first.end()
  const [handover] = first.messages('head')
  expect(handover?.headers).toMatchObject({ step: 'handover', from: '0', hash: expect.stringMatching(/^0x0-/) })
  expect(Number(handover?.headers.to)).toBeGreaterThanOrEqual(20)
  const logs = [first.logsOf('history'), first.logsOf('head')]
  chain.grow(3)
  const second = atWork(chain, first.bus)
  await second.published(62)
  await second.end()
  expect([second.logsOf('history'), second.logsOf('head')]).toEqual(logs)
  expect(logs.map(({ size }) => size)).toEqual([1, 1])
  expect(logs[0]).not.toEqual(logs[1])
  replayTopics(second.messages('history'), second.messages('head'))
})

test.each([
  ['created again', { again: true }],
  ['deleted', { again: false }],
])('refills a head topic that is %s during writes, with a new log and a hand-over', async (_, how) => {
  const chain = createChain(60, 20)
  const indexer = atWork(chain)
  await indexer.published(59)
  const [log] = indexer.logsOf('head')
  indexer.bus.reset(topics.head('ETH'), how)
  chain.grow(2)
  chain.finalize(10)
  await indexer.published(61)
  await indexer.end()
  expect(indexer.messages('head')[0]?.headers.step).toBe('handover')
  expect(indexer.logsOf('head')).not.toContain(log)
  expect(replayTopics(indexer.messages('history'), indexer.messages('head')).blocks).toHaveLength(62)
})

test('refills a head topic lost between two runs, but not a lost history topic', async () => {
  const chain = createChain(60, 20)
  const first = atWork(chain)
  await first.published(59)
  await first.end()
  first.bus.reset(topics.head('ETH'))
  const second = atWork(chain, first.bus)
  await second.published(59)
  await second.end()
  expect(replayTopics(second.messages('history'), second.messages('head')).blocks).toHaveLength(60)
  second.bus.reset(topics.history('ETH'))
  chain.grow(1)
  const third = atWork(chain, second.bus)
  await third.published(60)
  await third.end()
  expect(third.messages('history')).toEqual([])
  expect(third.logsOf('head')).toEqual(second.logsOf('head'))
})

test('on a network without undo, publishes no block before hosts agree on it', async () => {
  const chain = createChain(60, 40)
  const work = atWork(chain, createMemoryBus(), 0)
  await work.handedOver()
  chain.finalize(3)
  await work.published(43)
  // The newest block of one host, replaced by what the others hold: nothing has to be undone.
  chain.reorg(10)
  chain.finalize(4)
  await work.published(47)
  await work.end()
  const tops = work.messages('head').flatMap(({ headers }) => (headers.step === 'new' ? [Number(headers.to)] : []))
  expect(Math.max(...tops)).toBe(47)
  expect(work.messages('head').filter(({ headers }) => headers.step === 'undo')).toEqual([])
})

test('a clock set back delays neither the stall report nor the change of endpoint', async () => {
  const [HOUR, PATIENCE] = [3_600_000, 900_000]
  const chain = createChain(60, 20)
  let [now, passed, rotations] = [Date.now(), 0, 0]
  chain.source.rotate = () => {
    rotations += 1
  }
  const sleep = async (ms: number) => {
    now += ms
    passed += ms
    await tick()
  }
  const indexer = atWork(chain, createMemoryBus(), undefined, { now: () => now, sleep })
  await indexer.published(59)
  const soon = async (done: () => boolean) => {
    now -= HOUR
    const until = passed + PATIENCE
    await indexer.until(() => done() || passed > until)
    expect(passed).toBeLessThan(until)
  }
  await soon(() => indexer.status().stalled && rotations === 1)
  await soon(() => rotations === 2)
  await indexer.end()
})
