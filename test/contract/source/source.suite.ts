/**
 * What every Source owes the follow loop, whatever the family of its network. A family brings a world: a chain that the
 * test changes, and nodes that answer for it.
 */
import { afterEach, describe, expect, test } from 'vitest'
import { fetchRange } from '../../../indexer/follow/range.ts'
import { createIndexer } from '../../../indexer/index.ts'
import type { Source } from '../../../indexer/source/source.ts'
import { TABLES } from '../../../schema/block.ts'
import { topics } from '../../../schema/topics.ts'
import { replayTopics } from '../../kit/bus/follow.ts'
import { createMemoryBus } from '../../kit/bus/memory-bus.ts'
import { counted, testContext } from '../../kit/context.ts'
import type { SourceNode, SourceWorld } from '../../kit/source-worlds/world.ts'
import { until } from '../../kit/until.ts'

const AHEAD = 4
const NEVER = new AbortController().signal

/** Runs the suite over worlds that begin with a chain of some 40 blocks of which the first 20 or so are final. */
export const describeSource = (family: string, createWorld: () => Promise<SourceWorld>): void => {
  const open: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const close of open.splice(0).reverse()) await close()
  })
  const start = async (nodes = 1) => {
    const world = await createWorld()
    open.push(world.close)
    const started: SourceNode[] = []
    for (let node = 0; node < nodes; node += 1) started.push(await world.startNode())
    const context = testContext()
    const source = world.open(context)
    open.push(source.close)
    return { world, source, context, nodes: started, first: started[0]! }
  }
  const read = async (source: Source, numbers: readonly number[]) => {
    const blocks = []
    for (const number of numbers) blocks.push(await source.block({ number }))
    return blocks
  }

  describe(`the source of ${family}`, () => {
    test('reports the newest and the newest final block, and follows them', async () => {
      const { world, source } = await start()
      await source.verify()
      const top = () => world.heights().at(-1)!
      expect(await source.head()).toMatchObject({ number: top(), hash: world.hashAt(top()) })
      const before = world.finalHeight()
      expect(await source.finalizedHead()).toMatchObject({ number: before, hash: world.hashAt(before) })
      world.grow(3)
      expect(await source.head()).toMatchObject({ number: top(), hash: world.hashAt(top()) })
      await until('the final block moves', async () => (await source.finalizedHead()).number === world.finalHeight())
      expect(world.finalHeight()).toBeGreaterThan(before)
    })

    test('the check of the chain ends with the signal, also at a slow node', async () => {
      const { source, first } = await start()
      first.misbehave({ kind: 'slow', ms: 3_000 })
      await expect(source.verify(AbortSignal.timeout(50))).rejects.toThrow()
    })

    test('streams whole blocks in parent order, with the same identity as their headers', async () => {
      const { world, source } = await start()
      let below: string | undefined
      const numbers = world.heights().slice(1)
      for (const [index, block] of (await read(source, numbers)).entries()) {
        const number = numbers[index]!
        expect(block).toMatchObject({ network: world.network, number, hash: world.hashAt(number) })
        if (below !== undefined) expect(block?.parentHash).toBe(below)
        expect(await source.ref(number)).toMatchObject({ number, hash: block?.hash, parentHash: block?.parentHash })
        expect(block?.rows.transactions.length).toBeGreaterThan(0)
        expect(block?.rows.blocks).toMatchObject([{ block_number: number, block_hash: block?.hash }])
        for (const table of TABLES) {
          for (const row of block!.rows[table]) {
            expect(row).toMatchObject({ network: world.network, block_number: number, block_time: block!.time })
          }
        }
        below = block?.hash
      }
    })

    test('a block above the head, or on no node, is absent without an error', async () => {
      const { world, source, first } = await start()
      const top = world.heights().at(-1)!
      expect(await source.block({ number: top + 50 })).toBeUndefined()
      expect(await source.ref(top + 50)).toBeUndefined()
      const missing = world.heights().at(-5)!
      first.misbehave({ kind: 'lacks', number: missing })
      expect(await source.block({ number: missing })).toBeUndefined()
      first.misbehave({ kind: 'none' })
      expect(await source.block({ number: missing })).toMatchObject({ hash: world.hashAt(missing) })
    })

    test('reads a block that one node lacks from another', async () => {
      const { world, source, nodes } = await start(2)
      const missing = world.heights().at(-5)!
      for (const node of nodes) {
        node.misbehave({ kind: 'lacks', number: missing })
        for (let time = 0; time < 3; time += 1) {
          expect(await source.block({ number: missing })).toMatchObject({ hash: world.hashAt(missing) })
        }
        node.misbehave({ kind: 'none' })
      }
    })

    test('a lagging node hides nothing that another has', async () => {
      const { world, source, first } = await start(2)
      first.misbehave({ kind: 'lags', blocks: 10 })
      const top = world.heights().at(-1)!
      for (let time = 0; time < 5; time += 1) {
        expect(await source.head()).toMatchObject({ number: top })
        expect(await source.block({ number: top })).toMatchObject({ hash: world.hashAt(top) })
      }
    })

    test('detects and counts a wrong response, and reads from another node or waits', async () => {
      const { world, source, context, nodes, first } = await start(2)
      const truth = await read(source, world.heights().slice(-6))
      first.misbehave({ kind: 'lies' })
      const lies = () => counted(context, 'assay_rpc_inconsistent_total')
      for (let time = 0; time < 40 && (await lies()) === 0; time += 1) {
        expect(await read(source, world.heights().slice(-6))).toEqual(truth)
      }
      expect(await lies()).toBeGreaterThan(0)
      for (const node of nodes) node.misbehave({ kind: 'lies' })
      const number = world.heights().at(-3)!
      await expect(source.block({ number })).rejects.toMatchObject({ code: 'ASSAY_RPC_INCONSISTENT' })
    })

    test('waits for a node that limits the rate', async () => {
      const { world, source, first } = await start()
      first.misbehave({ kind: 'refuses', calls: 3 })
      const top = world.heights().at(-1)!
      expect(await source.block({ number: top })).toMatchObject({ hash: world.hashAt(top) })
    })

    test('with two hosts a block is final when both report it, and a dispute ends nothing', async () => {
      const { world, source, first } = await start(2)
      first.misbehave({ kind: 'disputes' })
      const final = await source.finalizedHead().catch((error: { code?: string }) => error.code)
      if (typeof final === 'object') expect(final.hash).toBe(world.hashAt(final.number))
      else expect(final).toBe('ASSAY_SOURCE_FINALITY_UNCONFIRMED')
      first.misbehave({ kind: 'none' })
      const agreed = await until('both agree', async () => {
        const found = await source.finalizedHead().catch(() => undefined)
        return found?.number === world.finalHeight() && found
      })
      expect(agreed.hash).toBe(world.hashAt(agreed.number))
    })

    test('after a fork the old blocks are gone and the new ones are read', async () => {
      const { world, source } = await start()
      if (!world.fork) return expect(world.finalHeight()).toBe(world.heights().at(-1))
      const replaced = world.heights().slice(-3)
      const hashes = replaced.map(world.hashAt)
      await source.head()
      world.fork(3)
      expect(await source.head()).toMatchObject({ hash: world.hashAt(world.heights().at(-1)!) })
      for (const [index, number] of replaced.entries()) {
        expect(world.hashAt(number)).not.toBe(hashes[index])
        expect(await source.block({ number, hash: hashes[index]! })).toBeUndefined()
        expect(await source.block({ number })).toMatchObject({ hash: world.hashAt(number) })
        expect(await source.block({ number, hash: world.hashAt(number) })).toMatchObject({ number })
        expect(await source.ref(number)).toMatchObject({ hash: world.hashAt(number) })
      }
    })

    test('a restarted source gives the same rows', async () => {
      const { world, source } = await start()
      const numbers = world.heights().slice(1)
      // The first reads bring a source what it remembers of its nodes.
      await read(source, numbers)
      const before = await read(source, numbers)
      const again = world.open(testContext())
      open.push(again.close)
      await read(again, numbers)
      expect(await read(again, numbers)).toEqual(before)
    })

    test('a reader that stops pauses the requests to the node', async () => {
      const { world, source } = await start()
      const [from, to] = [world.heights()[1]!, world.heights().at(-1)!]
      const range = fetchRange(source, { from, to }, { concurrency: AHEAD, maxBytes: 64_000_000, signal: NEVER })
      for (let taken = 0; taken < 8; taken += 1) {
        const { value } = await range.next()
        expect(value?.number).toBeGreaterThanOrEqual(from + taken)
        expect(world.highestRequested()).toBeLessThanOrEqual(value!.number + AHEAD)
      }
      await range.return(undefined)
    })

    test('the topics hold the chain through growth, faults, a fork and a restart', async () => {
      const { world, nodes, first } = await start(2)
      const { network } = world
      const bus = createMemoryBus()
      // Where blocks are final at once, only what two hosts hold is followed: not what one of two is ahead by.
      let ahead = 0
      const caughtUp = () => {
        const { blocks } = replayTopics(bus.messages(topics.history(network)), bus.messages(topics.head(network)))
        return blocks.at(-1)?.hash === world.hashAt(world.heights().at(-1 - ahead)!) ? blocks : undefined
      }
      const live = async (change: () => void) => {
        const context = testContext()
        const source = world.open(context)
        const options = { startBlock: world.heights()[1]!, idleMs: 50 }
        const indexer = createIndexer({ context, network, source, bus, options })
        let failure: unknown
        const running = indexer.run().catch((error: unknown) => {
          failure = error
        })
        const settled = () =>
          until('the topics hold the chain', () => {
            if (failure) throw failure
            return indexer.status().phase === 'head' && caughtUp()
          })
        await settled()
        change()
        const blocks = await settled()
        await context.lifecycle.close()
        await running
        await source.close()
        return blocks
      }
      await live(() => {
        first.misbehave({ kind: 'lags', blocks: 2 })
        world.grow(3)
        ahead = world.fork ? 0 : 2
      })
      first.misbehave({ kind: 'none' })
      ahead = 0
      await live(() => {
        if (world.fork) world.fork(2)
        else world.grow(2)
      })
      world.grow(2)
      const blocks = await live(() => nodes[1]!.misbehave({ kind: 'refuses', calls: 2 }))
      expect(blocks.map(({ number, hash }) => [number, hash])).toEqual(
        world.heights().flatMap((number) => (number < blocks[0]!.number ? [] : [[number, world.hashAt(number)]])),
      )
    })
  })
}
