/** A host that turns into one of another chain while it is followed, as behind a balancer that was pointed elsewhere. */
import { afterEach, expect, test } from 'vitest'
import { createIndexer } from '../../../indexer/index.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { testContext } from '../../kit/context.ts'
import { replayTopics } from '../../kit/follow.ts'
import { listenOnLoopback, readBody } from '../../kit/http-node.ts'
import { createMemoryBus } from '../../kit/memory-bus.ts'
import { createSourceWorld } from '../../kit/source-worlds/all.ts'
import { until } from '../../kit/until.ts'

const open: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

/** A URL whose calls go to another one, which may change. */
const startBalancer = async (first: string) => {
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

test.each<Network>(['POLYGON', 'SOLANA', 'TRON'])(
  '%s: of two hosts, one that turns into another, longer chain stops nothing, and nothing of it is published',
  async (network) => {
    const [world, other] = [await createSourceWorld(network), await createSourceWorld(network)]
    open.push(world.close, other.close)
    // From below what is final.
    other.fork!(other.heights().at(-1)! - other.finalHeight() + 5)
    other.grow(50)
    const [honest, second, foreign] = [await world.startNode(), await world.startNode(), await other.startNode()]
    const balancer = await startBalancer(second.url)
    const bus = createMemoryBus()
    const context = testContext()
    const source = world.open(context, { urls: [honest.url, balancer.url] })
    const indexer = createIndexer({
      context,
      network,
      source,
      bus,
      options: { startBlock: world.heights()[1]!, idleMs: 50 },
    })
    let failure: unknown
    const running = indexer.run().catch((error: unknown) => {
      failure = error
    })
    const published = () =>
      replayTopics(bus.messages(topics.history(network)), bus.messages(topics.head(network))).blocks
    const caughtUp = () =>
      until(
        'the topics hold the chain',
        () => {
          if (failure) throw failure
          return indexer.status().phase === 'head' && published().at(-1)?.hash === world.hashAt(world.heights().at(-1)!)
        },
        60_000,
      )
    await caughtUp()
    balancer.point(foreign.url)
    for (let round = 0; round < 4; round += 1) {
      world.grow(2)
      await caughtUp()
    }
    for (const { number, hash } of published()) expect([number, hash]).toEqual([number, world.hashAt(number)])
    await context.lifecycle.close()
    await running
    await source.close()
  },
)
