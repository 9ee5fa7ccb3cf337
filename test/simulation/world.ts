/** A simulated world: chains and their nodes, a bus, a store, and the processes of the product, which restart when they die. */
import { createAuthorityWalk } from '../../indexer/history/authorities/walk.ts'
import { createIndexer } from '../../indexer/index.ts'
import { isAssayError, RetryableError } from '../../platform/errors.ts'
import type { Store } from '../../platform/store/store.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import { createIngest } from '../../scorer/ingest/ingest.ts'
import { createScoring } from '../../scorer/rescore/stream.ts'
import { type Broker, createBroker } from './bus/broker.ts'
import { createSimulatedBus } from './bus/bus.ts'
import { createSimulatedLogs } from './chain/authority-logs.ts'
import { type Chain, createChain } from './chain/chain.ts'
import { createPublished } from './chain/published.ts'
import { createNodes, type Nodes } from './chain/source.ts'
import { createQueueWatch, type QueueWatch } from './queue.ts'
import { runReader, type Served } from './reader.ts'
import { createSimulatedRescore } from './rescore.ts'
import { modelBackend, realBackend } from './store/backend.ts'
import { ofNetwork } from './store/compare.ts'
import { createStoreModel, type StoreModel } from './store/model.ts'
import { createSimulatedStore, type WriteWatch } from './store/port.ts'
import type { Faults } from './virtual/faults.ts'
import { createProcess, type Process } from './virtual/process.ts'
import type { Scheduler } from './virtual/scheduler.ts'

export type Place = {
  network: Network
  chain: Chain
  nodes: Nodes
  /** The first indexed block. */
  start: number
  /** Distance of the finalized block from the tip. */
  depth: number
}

export type World = {
  places: readonly Place[]
  broker: Broker
  model: StoreModel
  published: ReturnType<typeof createPublished>
  queue: QueueWatch
  served: Served
  /** Live processes. */
  processes: () => Process[]
  /** Starts an additional process, which is not restarted when it ends. */
  startRival: () => Process
  /** Kills a process; it restarts after a while, unless it is additional. */
  crash: (process: Process) => void
  /** Stops a process as an operator would. */
  drain: (process: Process) => void
}

export type WorldDeps = { scheduler: Scheduler; faults: () => Faults; realStore?: Store | undefined }

const NETWORKS: readonly (readonly Network[])[] = [
  ['ETH'],
  ['ETH', 'POLYGON'],
  ['ETH', 'HAQQ'],
  ['POLYGON', 'BNB', 'HAQQ'],
]

/** Depth from which blocks count as final regardless of nodes. Deeper than any reorg here. */
const REORG_WINDOW = 40

type Program = () => { process: Process; work: () => Promise<void>; drain: () => Promise<unknown> }
type Work = Pick<ReturnType<Program>, 'process' | 'drain'>

export const createWorld = ({ scheduler, faults, realStore }: WorldDeps): World => {
  const { random } = scheduler
  const networks = random.pick(NETWORKS)
  const broker = createBroker(scheduler)
  const model = createStoreModel(scheduler.now)
  const backend = realStore ? realBackend(realStore, scheduler) : modelBackend(model)
  const published = createPublished(networks)
  const queue = createQueueWatch(scheduler.events)
  const served = new Map<string, { body: string; version: number }>()
  const alive = new Set<Work>()
  let lives = 0
  broker.log.watch(published.see)
  broker.log.watch(queue.see)
  model.onChange(queue.changed)

  const places = networks.map((network): Place => {
    const depth = networkInfo(network).reorgWindow === 0 ? 0 : 3 + random.below(8)
    const base = 170 + random.below(70)
    const below = 1 + random.below(25)
    const length = below + 20 + random.below(40)
    const chain = createChain(network, { random, now: scheduler.now, base, length, depth })
    return {
      network,
      chain,
      nodes: createNodes(chain, { scheduler, faults }),
      start: base + below,
      depth,
    }
  })

  /**
   * Nothing below the watermark is withdrawn, and the watermark never falls. A scorer that was overtaken may repeat an old undo,
   * which then finds nothing to withdraw.
   */
  const watch: WriteWatch = (write) => {
    if (!('statement' in write) || write.statement !== 'undo.sql') return
    const { hot, network, from, version } = write.params as Record<'hot' | 'network' | 'from' | 'version', string>
    const settled = Math.max(
      -1,
      ...ofNetwork(model.table('watermarks').rows(), network).map((row) => Number(row.settled)),
    )
    const gone = ofNetwork(model.table(hot).final(), network).find(
      ({ block_number, version: brought }) =>
        Number(block_number) >= Number(from) && Number(block_number) <= settled && Number(brought) < Number(version),
    )
    if (gone)
      scheduler.fail(new Error(`block ${gone.block_number} of ${network} is withdrawn, although ${settled} is settled`))
  }

  const born = (role: string): Process => {
    lives += 1
    return createProcess(`${role}#${lives}`, { scheduler, faults })
  }
  const portsOf = (process: Process) => ({
    bus: createSimulatedBus({ process, broker, scheduler, faults }),
    store: createSimulatedStore({ process, backend, scheduler, faults, watch }),
  })

  const indexer = ({ network, chain, nodes, start }: Place) => {
    const process = born(`indexer-${network}`)
    const { bus } = portsOf(process)
    const { reorgWindow } = networkInfo(network)
    const { context } = process
    const source = nodes.source(process)
    const reader = createSimulatedLogs(chain, { scheduler, faults, process })
    const { run } = createIndexer({
      context,
      network,
      source,
      bus,
      authorities: createAuthorityWalk({ context, network, source, reader, bus, reportMs: random.below(3) * 100 }),
      options: {
        startBlock: start,
        reorgWindow: reorgWindow === 0 ? 0 : REORG_WINDOW,
        concurrency: 1 + random.below(6),
        idleMs: 1_500,
        stallMs: 5_000,
      },
    })
    return { process, work: run, drain: () => process.context.lifecycle.close() }
  }

  const scorer = () => {
    const process = born('scorer')
    const { context } = process
    const { bus, store } = portsOf(process)
    const options = {
      minIntervalMs: random.below(3) * 100,
      moveAfterMs: random.below(4) * 400,
      moveAfterRows: 20 + random.below(200),
      keepHotMs: random.below(3_000),
    }
    const ingests = networks.map((network) => createIngest({ context, network, store, bus, options }))
    const scoring = createScoring({
      context,
      networks,
      store,
      bus,
      rescore: createSimulatedRescore(store, context.clock),
    })
    const work = async () => {
      await Promise.all([...ingests.map((ingest) => ingest.run()), scoring.then(({ done }) => done)])
    }
    const drain = async () => {
      await Promise.allSettled([...ingests.map((ingest) => ingest.close()), scoring.then(({ close }) => close())])
    }
    return { process, work, drain }
  }

  const reader = () => {
    const process = born('reader')
    const { bus, store } = portsOf(process)
    const work = () =>
      runReader({
        process,
        store,
        bus,
        scheduler,
        networks,
        movementsOf: (network, hash) =>
          places.find((place) => place.network === network)?.chain.byHash(hash)?.rows.ledger.length ?? 0,
        served,
      })
    return { process, work, drain: () => process.context.lifecycle.close() }
  }

  const isExpected = (error: unknown) =>
    error instanceof RetryableError || (isAssayError(error) && error.code === 'ASSAY_BUS_FENCED')

  /** Starts a program, and restarts it whenever it has ended. */
  const keep = (program: Program) => {
    start(program, () => scheduler.after(200 + random.below(2_500), () => keep(program)))
  }

  const start = (program: Program, ended: () => void): Process => {
    const { process, work, drain } = program()
    scheduler.note(`${process.name} starts`)
    const own: Work = { process, drain }
    alive.add(own)
    endings.set(process, () => {
      alive.delete(own)
      ended()
    })
    work().then(
      () => leave(process),
      (error: unknown) => {
        if (!process.alive()) return
        if (!isExpected(error)) scheduler.fail(error)
        leave(process)
      },
    )
    return process
  }

  const endings = new Map<Process, () => void>()
  const leave = (process: Process) => {
    if (process.alive()) process.crash()
    endings.get(process)?.()
    endings.delete(process)
  }

  for (const place of places) keep(() => indexer(place))
  const scorers = 1 + random.below(3)
  for (let each = 0; each < scorers; each += 1) keep(scorer)
  keep(reader)

  return {
    places,
    broker,
    model,
    published,
    queue,
    served,
    processes: () => [...alive].map(({ process }) => process),
    startRival: () => {
      const place = random.pick(places)
      return start(random.below(2) === 0 ? scorer : () => indexer(place), () => undefined)
    },
    crash: leave,
    drain: (process) => {
      const own = [...alive].find((one) => one.process === process)
      scheduler.note(`${process.name} is asked to end`)
      own?.drain().then(
        () => leave(process),
        () => leave(process),
      )
    },
  }
}
