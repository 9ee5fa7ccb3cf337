/** A host that turns into one of another chain while it is followed, as behind a balancer that was pointed elsewhere. */
import { type TestContext, test } from 'vitest'
import { createIndexer } from '../../../indexer/index.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { replayTopics } from '../../kit/bus/follow.ts'
import { createMemoryBus } from '../../kit/bus/memory-bus.ts'
import { testContext } from '../../kit/context.ts'
import { listenOnLoopback, readBody } from '../../kit/http-node.ts'
import { createSourceWorld } from '../../kit/source-worlds/all.ts'
import type { SourceWorld } from '../../kit/source-worlds/world.ts'
import { until } from '../../kit/until.ts'

/** What a test leaves open, closed in the other order. Tests wait for hosts that are slow on purpose, so they run side by side. */
const createOpen = (finished: TestContext['onTestFinished']) => {
  const open: (() => Promise<unknown>)[] = []
  finished(async () => {
    for (const close of open.reverse()) await close()
  })
  return open
}
type Open = ReturnType<typeof createOpen>

/** A URL whose calls go to another one, which may change. */
const startBalancer = async (open: Open, first: string) => {
  let target = first
  const { origin, stop } = await listenOnLoopback(async (request, response) => {
    const body = await readBody(request)
    const { pathname, origin: host } = new URL(target)
    const url = `${host}${request.url === '/' ? pathname : request.url}`
    const headers = { 'content-type': 'application/json' }
    const init = request.method === 'GET' ? {} : { method: 'POST', headers, body }
    const answer = await fetch(url, init).catch(() => undefined)
    if (!answer) return response.writeHead(502).end()
    response.writeHead(answer.status, headers)
    return response.end(Buffer.from(await answer.arrayBuffer()))
  })
  open.push(stop)
  return {
    url: `${origin}${new URL(first).pathname}`,
    point: (to: string) => {
      target = to
    },
  }
}

/** A chain and who follows it, by some endpoints, from its second block on. */
const follow = (open: Open, world: SourceWorld, urls: readonly string[]) => {
  const { network } = world
  const bus = createMemoryBus()
  const context = testContext()
  const source = world.open(context, { urls })
  const options = { startBlock: world.heights()[1]!, idleMs: 50 }
  const indexer = createIndexer({ context, network, source, bus, options })
  let failure: unknown
  const running = indexer.run().catch((error: unknown) => {
    failure = error
  })
  open.push(async () => {
    await context.lifecycle.close()
    await running
    await source.close()
  })
  const published = () => replayTopics(bus.messages(topics.history(network)), bus.messages(topics.head(network))).blocks
  return {
    published,
    failure: () => failure,
    /** Code of what is waited out. */
    waiting: () => indexer.status().waiting?.code,
    caughtUp: () =>
      until(
        'the topics hold the chain',
        () => {
          if (failure) throw failure
          const top = world.hashAt(world.heights().at(-1)!)
          return indexer.status().phase === 'head' && published().at(-1)?.hash === top
        },
        180_000,
      ),
  }
}

test.concurrent.for<Network>(['POLYGON', 'HAQQ', 'SOLANA', 'TRON', 'TON'])(
  '%s: when one of two hosts switches to another, longer chain, nothing stops and none of it is published',
  async (network, { onTestFinished, expect }) => {
    const open = createOpen(onTestFinished)
    const [world, other] = [await createSourceWorld(network), await createSourceWorld(network, { divergent: true })]
    open.push(world.close, other.close)
    other.grow(50)
    expect(other.hashAt(world.finalHeight())).not.toBe(world.hashAt(world.finalHeight()))
    const [honest, second, foreign] = [await world.startNode(), await world.startNode(), await other.startNode()]
    const balancer = await startBalancer(open, second.url)
    // Where blocks are final at once, none is taken without two hosts.
    const further = world.fork ? [] : [await world.startNode()]
    const followed = follow(open, world, [honest.url, balancer.url, ...further.map(({ url }) => url)])
    await followed.caughtUp()
    balancer.point(foreign.url)
    for (let round = 0; round < 4; round += 1) {
      world.grow(2)
      await followed.caughtUp()
    }
    for (const { number, hash } of followed.published()) expect([number, hash]).toEqual([number, world.hashAt(number)])
    balancer.point(second.url)
    await honest.stop()
    world.grow(2)
    await followed.caughtUp()
  },
)

test.concurrent.for<Network>(['HAQQ', 'TON'])(
  '%s: with one switched host of two, the network waits, says so, publishes nothing of it, and continues when it is back',
  async (network, { onTestFinished, expect }) => {
    const open = createOpen(onTestFinished)
    const [world, other] = [await createSourceWorld(network), await createSourceWorld(network, { divergent: true })]
    open.push(world.close, other.close)
    other.grow(50)
    const [honest, second, foreign] = [await world.startNode(), await world.startNode(), await other.startNode()]
    const balancer = await startBalancer(open, second.url)
    const followed = follow(open, world, [honest.url, balancer.url])
    await followed.caughtUp()
    const before = followed.published()
    balancer.point(foreign.url)
    // A host may be some blocks behind another before that is said.
    world.grow(70)
    await until('it waits', () => followed.waiting() === 'ASSAY_SOURCE_FINALITY_UNCONFIRMED')
    expect(followed.published()).toEqual(before)
    balancer.point(second.url)
    await followed.caughtUp()
  },
)

test.concurrent.for<Network>(['POLYGON', 'TRON'])(
  '%s: when all hosts replaced a final block, the network stops and says so',
  async (network, { onTestFinished, expect }) => {
    const open = createOpen(onTestFinished)
    const world = await createSourceWorld(network)
    open.push(world.close)
    const nodes = [await world.startNode(), await world.startNode()]
    const followed = follow(
      open,
      world,
      nodes.map(({ url }) => url),
    )
    await followed.caughtUp()
    world.fork!(world.heights().at(-1)! - world.finalHeight() + 5)
    world.grow(10)
    await until('the network stops', () => followed.failure() !== undefined)
    expect(followed.failure()).toMatchObject({ code: 'ASSAY_REORG_TOO_DEEP' })
  },
)
