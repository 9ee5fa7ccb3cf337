/**
 * Networks together in one process: each followed by the source of its family over loopback, into one bus and one set of tables. Nodes lie,
 * lag, refuse, are slow, lack blocks and die, chains fork, networks start again: the tables end as those of a run without faults. Then one
 * network goes back below what was final, and the others never notice.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createIndexer } from '../../../indexer/index.ts'
import type { Bus } from '../../../platform/bus/bus.ts'
import { NETWORK_CODES, type Network, networkInfo } from '../../../schema/networks.ts'
import { createIngest } from '../../../scorer/ingest/ingest.ts'
import { seeded } from '../../kit/chain/replay-node.ts'
import { testContext } from '../../kit/context.ts'
import { createSourceWorld } from '../../kit/source-worlds/all.ts'
import type { SourceFault, SourceNode, SourceWorld } from '../../kit/source-worlds/world.ts'
import { differences, wholeStore } from '../../kit/store/compare.ts'
import { openTestStore, type TestStore } from '../../kit/store/store.ts'
import { THOROUGH } from '../../kit/thorough.ts'
import { until } from '../../kit/until.ts'
import { temporaryBus } from '../recorded/recorded.helpers.ts'

/** One of each way to become final, and all of them at night. */
const NETWORKS: readonly Network[] = THOROUGH ? NETWORK_CODES : ['POLYGON', 'HAQQ', 'SOLANA', 'TRON', 'TON']
/** Rounds between two looks at memory. */
const ROUNDS = THOROUGH ? 12 : 1
const LOOKS = THOROUGH ? 4 : 1
/** What a block takes in the heap, with its transactions or its rows. The chains of the test keep theirs. */
const BLOCK_BYTES = 10_000
/** What else the heap may grow by from the first look to the last one. */
const GROWTH_BYTES = 6_000_000
const PATIENCE_MS = 240_000
const TIMEOUT_MS = THOROUGH ? 3_600_000 : 480_000
/** How long an endpoint has to be the only one that answers until what it holds final is taken. */
const ALONE_AFTER_MS = 200
const SEED = 4_711
/** The network that goes back below what is final, and further than that. */
const DOOMED: Network = 'POLYGON'
const TOO_DEEP = 25
const NEWEST =
  'SELECT block_hash AS hash FROM blocks_all WHERE network = {network:String} ORDER BY block_number DESC LIMIT 1'

let kit: TestStore
let worlds: SourceWorld[]
/** Where networks are followed from: little history, as many partitions of it cost much and are told elsewhere. */
const starts = new Map<Network, number>()

beforeAll(async () => {
  ;[kit, worlds] = await Promise.all([
    openTestStore(),
    Promise.all(NETWORKS.map((network) => createSourceWorld(network))),
  ])
  for (const world of worlds) starts.set(world.network, world.finalHeight() - 2)
})
afterAll(async () => {
  for (const world of worlds ?? []) await world.close()
  await kit?.close()
})

const printable = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value)

/** Follows a chain by its endpoints into the tables, until the lifecycle ends. */
const follow = (world: SourceWorld, bus: Bus, urls: readonly string[]) => {
  const { network } = world
  const context = testContext()
  const source = world.open(context, { urls, aloneAfterMs: ALONE_AFTER_MS })
  const indexer = createIndexer({
    context,
    network,
    bus,
    source,
    // A machine at its limit is no reason to pass endpoints over.
    options: { startBlock: starts.get(network), idleMs: 50, stallMs: PATIENCE_MS },
  })
  const ingest = createIngest({
    context,
    network,
    bus,
    store: kit.store,
    options: { minIntervalMs: 500, moveAfterMs: 2_000, keepHotMs: 0, past: false },
  })
  let failure: unknown
  const note = (error: unknown) => {
    failure ??= error
  }
  const ended = Promise.all([indexer.run().catch(note), ingest.run().catch(note)])
  return {
    failure: () => failure,
    status: () => ({ indexer: indexer.status(), ingest: ingest.status() }),
    stop: async () => {
      await context.lifecycle.close()
      await ended
      await source.close()
    },
  }
}

/** A network with its endpoints. */
const place = (world: SourceWorld, nodes: readonly SourceNode[], bus: Bus) => {
  const { network } = world
  const start = () =>
    follow(
      world,
      bus,
      nodes.map(({ url }) => url),
    )
  let running = start()
  const reached = (what: string, check: (ingest: ReturnType<typeof running.status>['ingest']) => boolean) =>
    until(
      `${network} ${what}`,
      () => {
        if (running.failure()) throw running.failure()
        return check(running.status().ingest)
      },
      PATIENCE_MS,
    ).catch((error: Error) => {
      throw new Error(`${error.message}: ${JSON.stringify(running.status(), printable)}`, { cause: error })
    })
  return {
    world,
    nodes,
    failure: () => running.failure(),
    stop: () => running.stop(),
    restart: async () => {
      await running.stop()
      running = start()
    },
    /** The newest block is stored, and no other at its height. */
    caughtUp: async () => {
      const top = world.heights().at(-1)!
      await reached(`is stored up to ${top}`, ({ head }) => head === top)
      const newest = async () => (await kit.store.query<{ hash: string }>(NEWEST, { network }))[0]?.hash
      await until(`${network} holds the newest block`, async () => (await newest()) === world.hashAt(top), PATIENCE_MS)
    },
    /** What is final is in the final tables. */
    settled: async () => {
      const final = world.finalHeight()
      if (networkInfo(network).reorgWindow > 0)
        await reached(`is final up to ${final}`, ({ settled }) => settled === final)
    },
  }
}
type Place = ReturnType<typeof place>

/** Runs all networks, each by some endpoints of its own, and stops them. */
const together = async (endpoints: number, play: (places: readonly Place[]) => Promise<void>) => {
  const { bus, close } = await temporaryBus()
  const places = await Promise.all(
    worlds.map(async (world) => {
      const nodes: SourceNode[] = []
      while (nodes.length < endpoints) nodes.push(await world.startNode())
      return place(world, nodes, bus)
    }),
  )
  try {
    await play(places)
  } finally {
    await Promise.all(places.map(({ stop }) => stop()))
    await close()
  }
}

/** What happens to an endpoint of a network in a round; `restart` happens to those who follow it. */
const faultOf = (turn: number, random: () => number, top: number): SourceFault | { kind: 'restart' } => {
  const faults = [
    { kind: 'lies' },
    { kind: 'lags', blocks: 1 + Math.floor(random() * 4) },
    { kind: 'refuses', calls: 3 },
    { kind: 'slow', ms: 30 },
    { kind: 'lacks', number: top },
    { kind: 'restart' },
  ] as const
  return faults[turn % faults.length]!
}

/** One network through rounds, of which each has a fault of its own. */
const suffer = async ({ world, nodes, caughtUp, restart }: Place, look: number) => {
  const random = seeded(SEED + NETWORKS.indexOf(world.network) + look * 100)
  for (let round = look * ROUNDS; round < (look + 1) * ROUNDS; round += 1) {
    const [bad, good] = random() < 0.5 ? nodes : nodes.toReversed()
    const fault = faultOf(round + NETWORKS.indexOf(world.network), random, world.heights().at(-1)!)
    good!.misbehave({ kind: 'none' })
    bad!.misbehave(fault.kind === 'restart' ? { kind: 'none' } : fault)
    const restarted = fault.kind === 'restart' ? restart() : undefined
    if (random() < 0.5) world.fork?.(1 + Math.floor(random() * 3))
    world.grow(1 + Math.floor(random() * 3))
    // Where every block is final at once, a second host has to hold it: a laggard is waited for.
    if (fault.kind === 'lags') bad!.misbehave({ kind: 'none' })
    await restarted
    await caughtUp()
  }
  for (const node of nodes) {
    node.misbehave({ kind: 'none' })
    node.forget()
  }
}

/** One of two endpoints dies, and the chain goes on. */
const loseOne = async ({ world, nodes, caughtUp, settled, restart }: Place) => {
  await nodes[0]!.stop()
  world.fork?.(2)
  world.grow(2)
  // A host that ever contradicted another one is believed alone only by those who start after that. Few rounds have no such case.
  if (THOROUGH) await restart()
  await caughtUp()
  await settled()
}

const heapBytes = (): number => {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  return process.memoryUsage().heapUsed
}

test(
  'networks with faults end with the tables of a clean run, and one that fails leaves the others running',
  async () => {
    let faulty: Record<string, string[]> = {}
    await together(2, async (places) => {
      const heap: number[] = []
      const own: number[] = []
      for (let look = 0; look < LOOKS; look += 1) {
        await Promise.all(places.map((one) => suffer(one, look)))
        heap.push(heapBytes())
        own.push(BLOCK_BYTES * worlds.reduce((sum, world) => sum + world.heights().length, 0))
      }
      if (THOROUGH) console.info(`heap after each ${ROUNDS} rounds: ${heap.map((bytes) => Math.round(bytes / 1e6))} MB`)
      expect(heap.at(-1)! - heap[0]!).toBeLessThan(GROWTH_BYTES + own.at(-1)! - own[0]!)
      await Promise.all(places.map(loseOne))
      expect(places.flatMap(({ failure }) => failure() ?? [])).toEqual([])
      faulty = await wholeStore(kit.store)
    })
    await kit.truncate()
    await together(1, async (places) => {
      await Promise.all(
        places.map(async ({ caughtUp, settled }) => {
          await caughtUp()
          await settled()
        }),
      )
      const clean = await wholeStore(kit.store)
      expect(differences(clean, faulty)).toEqual([])
      const stored = new Set(clean.blocks?.map((line) => (JSON.parse(line) as { block_hash: string }).block_hash))
      for (const { world } of places) {
        const missing = world
          .heights()
          .filter((number) => number >= starts.get(world.network)! && !stored.has(world.hashAt(number)))
        expect([world.network, missing]).toEqual([world.network, []])
      }

      const doomed = places.find(({ world }) => world.network === DOOMED)!
      const others = places.filter((one) => one !== doomed)
      doomed.world.fork?.(TOO_DEEP)
      await until('the network that went back ends', () => doomed.failure() !== undefined, PATIENCE_MS)
      expect(doomed.failure()).toMatchObject({ code: 'ASSAY_REORG_TOO_DEEP' })
      for (const { world } of others) world.grow(2)
      await Promise.all(others.map(({ caughtUp }) => caughtUp()))
      expect(others.flatMap(({ failure }) => failure() ?? [])).toEqual([])
      const ofDoomed = (tables: Record<string, string[]>) =>
        tables.blocks?.filter((line) => line.includes(`"network":"${DOOMED}"`))
      expect(ofDoomed(await wholeStore(kit.store))).toEqual(ofDoomed(clean))
    })
  },
  TIMEOUT_MS,
)
