/**
 * Moves blocks of one network from the bus into the tables, each exactly once.
 *
 * Three consumer groups: `ingest.history.<network>` writes final blocks directly into the final tables. `ingest.head.<network>` maintains
 * the hot tables and moves final blocks (with instant finality it writes final tables too). `ingest.past.<network>` writes rows from before
 * the first covered block into the past tier. The tables determine where they begin (`position`), not committed offsets; groups commit
 * only to report lag.
 */
import type { Batch, Bus, Consumer, Producer } from '../../platform/bus/bus.ts'
import { steadyTime } from '../../platform/context/clock.ts'
import type { Context } from '../../platform/context/context.ts'
import { isAssayError, RetryableError } from '../../platform/errors.ts'
import type { Store } from '../../platform/store/store.ts'
import type { Network } from '../../schema/networks.ts'
import { HISTORY_PARTITIONS, RESCORE_PARTITIONS, topics } from '../../schema/topics.ts'
import { type ChunkDone, createChunkConsumer, type StorageTier } from './chunks/consumer.ts'
import { createQueueElsewhere } from './elsewhere.ts'
import type { HeadOptions } from './head.ts'
import { ingestMetrics } from './metrics.ts'
import type { Missing } from './position/continuity.ts'
import { assertEpoch, currentEpoch } from './position/epoch.ts'
import { createWriter } from './rebuild/writers.ts'
import { noStep, type OnStep } from './steps.ts'
import { createTiers, type Tiers } from './tiers/tiers.ts'

/** Settings of an ingest, with production defaults. */
export type IngestOptions = HeadOptions & {
  /** Maximum bytes of buffered messages over all partitions of a topic. @default 64_000_000 */
  maxBytes: number
  /** Maximum bytes of messages per chunk. Half of `maxBytes`, so that one is decoded while another is inserted. @default 32_000_000 */
  chunkBytes: number
  /**
   * Minimum time between the starts of a partition's chunks, ms, unless the last chunk had `fullBytes` or more. In a stream of fewer than
   * `streamBytes` it applies once; otherwise it is multiplied by the number of partitions, so that a table gets one insert in this time.
   * @default 1_000
   */
  minIntervalMs: number
  /** @default 1_000_000 */
  streamBytes: number
  /** Chunks of this size cost about as much for their rows as for their inserts. @default 8_000_000 */
  fullBytes: number
  /** Epoch to fill. @default the current one */
  epoch?: number | undefined
  /** Prefix of the consumer group names. @default 'ingest' */
  group: string
  /** Whether rows from before the first covered block are read too. @default true */
  past: boolean
  onStep: OnStep
}

const DEFAULTS: IngestOptions = {
  moveAfterMs: 5_000,
  moveAfterRows: 50_000,
  holdMs: 5_000,
  keepHotMs: 60_000,
  maxBytes: 64_000_000,
  chunkBytes: 32_000_000,
  minIntervalMs: 1_000,
  streamBytes: 1_000_000,
  fullBytes: 8_000_000,
  group: 'ingest',
  past: true,
  onStep: noStep,
}

/** How often an idle scorer checks whether a rebuild waits for it, ms. */
const REBUILD_LOOK_MS = 10_000

/** Status of an ingest, for display and health checks. */
export type IngestStatus = {
  network: Network
  state: 'idle' | 'running' | 'stopped' | 'failed'
  /** Whether it waits for a rebuild of the network's tables. */
  waiting: boolean
  /** Newest block with readable rows, from either topic; 0 before the first. */
  head: number
  /** Time of that block, Unix seconds. */
  headTime: number
  /** Watermark; undefined before the first head message and on networks with instant finality. */
  settled: number | undefined
  rows: number
  /** What the head waits for, in words; undefined for nothing. */
  waitsFor: string | undefined
  /** Blocks missing between the lowest covered one and the watermark, or below the block that stopped the network. */
  gapBlocks: number
  /** Time when the last chunk was closed, ms since the epoch; 0 before the first. */
  lastChunkAt: number
}

/** The ingest of one network. It runs once; create a new one after an error. */
export type Ingest = {
  /**
   * Runs until the lifecycle ends or `close` is called.
   * @throws OperatorError or BugError that stopped the network: ASSAY_INGEST_UNDO_OF_FINAL, ASSAY_INGEST_POISON,
   *   ASSAY_INGEST_SCHEMA_VERSION, ASSAY_INGEST_FINAL_MISMATCH, ASSAY_INGEST_REPLAY_LOST, ASSAY_INGEST_REPLAY_UNCLEAR,
   *   ASSAY_INGEST_OTHER_LOG, ASSAY_INGEST_CUT, ASSAY_INGEST_GAP, ASSAY_INGEST_OTHER_HASH and those of the store. RetryableError
   *   ASSAY_INGEST_REBUILT if it must be created anew. Other retryable errors are retried and counted in the metrics.
   */
  run: () => Promise<void>
  status: () => IngestStatus
  close: () => Promise<void>
}

/** Creates an ingest. It opens nothing before `run`. Several may run on one network, in any processes, and share its partitions. */
export const createIngest = ({
  context,
  network,
  store,
  bus,
  options = {},
}: {
  context: Context
  network: Network
  store: Store
  bus: Bus
  options?: Partial<IngestOptions>
}): Ingest => {
  const { log, clock, lifecycle } = context
  const time = steadyTime(clock.now)
  const settings = { ...DEFAULTS, ...options }
  const { onStep } = settings
  const measured = ingestMetrics(context.metrics)
  let epoch = settings.epoch ?? 0
  const writer = createWriter(store, network, clock, async () => {
    if (settings.epoch === undefined) await assertEpoch(store, network, epoch)
  })
  const status: IngestStatus = {
    network,
    state: 'idle',
    waiting: false,
    head: 0,
    headTime: 0,
    settled: undefined,
    rows: 0,
    waitsFor: undefined,
    gapBlocks: 0,
    lastChunkAt: 0,
  }
  const stopping = new AbortController()
  const signal = AbortSignal.any([lifecycle.signal, stopping.signal])
  let failure: unknown
  let consumers: Consumer[] = []
  let headOwned = false

  const report = ({ waitsFor, gapBlocks }: Missing) => {
    if (waitsFor !== undefined && waitsFor !== status.waitsFor) log.info({ network, waitsFor }, 'wait for history')
    Object.assign(status, { waitsFor, gapBlocks })
    measured.gap.set({ network }, gapBlocks)
  }

  const noteDone = (tier: StorageTier) => (done: ChunkDone) => {
    const now = clock.now()
    measured.rows.inc({ network, tier: tier.name }, done.rows)
    measured.chunkSeconds.observe({ network, tier: tier.name }, done.seconds)
    status.rows += done.rows
    status.lastChunkAt = now
    const newest = tier.name === 'past' ? undefined : done.newestBlock
    if (newest) {
      measured.endToEnd.observe({ network, tier: tier.name }, Math.max(0, now / 1_000 - newest.time))
      if (newest.number >= status.head || tier.name === 'hot')
        Object.assign(status, { head: newest.number, headTime: newest.time })
      measured.head.set({ network }, status.head)
    }
    log.debug(
      { network, tier: tier.name, rows: done.rows, seconds: done.seconds, block: newest?.number },
      'closed a chunk',
    )
  }

  const stop = async () => {
    stopping.abort(new Error('ingest closed'))
    await Promise.all(consumers.map((consumer) => consumer.close()))
  }

  const fail = (error: unknown) => {
    failure ??= error
    status.state = 'failed'
    log[error instanceof RetryableError ? 'warn' : 'error']({ network, err: error }, 'stopped ingest')
    stopping.abort(error)
  }

  /** Returns retryable errors to the bus, which delivers the batch again. Other errors stop the network. */
  const guarded = async <T>(work: () => Promise<T>, ended = signal): Promise<T> => {
    try {
      return await writer.work(work, ended)
    } catch (error) {
      const ends = isAssayError(error) && (!(error instanceof RetryableError) || error.code === 'ASSAY_INGEST_REBUILT')
      if (!signal.aborted && ends) fail(error)
      else measured.retries.inc({ network })
      throw error
    }
  }

  const pace = async (until: number, bytes: number, batch: Batch) => {
    const rest = until - time()
    if (bytes >= settings.fullBytes || rest <= 0) return
    await clock.sleep(rest, AbortSignal.any([signal, batch.signal])).catch(() => undefined)
  }

  const consume = async (
    topic: string,
    partitions: number,
    { ledger, position, mover }: Tiers,
    tier: StorageTier,
    producer: Producer,
  ): Promise<void> => {
    const { maxBytes, chunkBytes: batchBytes } = settings
    const consumer = await bus.consumer({
      groupId: `${settings.group}.${topic}`,
      topics: [topic],
      maxBytes,
      batchBytes,
      position: async (name, partition) => {
        const begin = await guarded(() => position.begin(name, partition))
        if (tier.name === 'hot') {
          headOwned = true
          mover?.forget()
        }
        return begin
      },
    })
    consumers.push(consumer)
    // The ingest was stopped while the consumer was being opened: `run` would never end.
    if (signal.aborted) return
    const work = createChunkConsumer({
      context,
      network,
      bus,
      producer,
      ledger,
      position,
      tier,
      elsewhere: createQueueElsewhere({ store, bus, producer, network }),
      onStep,
      onDone: noteDone(tier),
      onPoison: () => measured.deadLetters.inc({ network, topic }),
    })
    await consumer.run(async (batch) => {
      if (signal.aborted) throw signal.reason
      const began = time()
      await guarded(() => work(batch), AbortSignal.any([signal, batch.signal]))
      const bytes = batch.messages.reduce((sum, { value }) => sum + value.length, 0)
      await pace(began + settings.minIntervalMs * (bytes < settings.streamBytes ? 1 : partitions), bytes, batch)
    })
  }

  /** Moves what is due even without messages, and measures lag. */
  const maintain = async ({ mover, continuity }: Tiers): Promise<void> => {
    let first = true
    let lookAt = 0
    const watched = [topics.history(network), topics.head(network), ...(settings.past ? [topics.past(network)] : [])]
    while (!signal.aborted) {
      try {
        if (mover && (headOwned || first) && mover.mayBeDue()) {
          await guarded(mover.settle)
        } else if (time() >= lookAt) {
          // Lets a rebuild see that an idle scorer pauses.
          await guarded(async () => undefined)
          lookAt = time() + REBUILD_LOOK_MS
        }
        first = false
        const settled = mover?.settled()
        if (settled !== undefined) {
          if (settled !== status.settled)
            report({ waitsFor: undefined, gapBlocks: await continuity.missingUpTo(settled) })
          measured.settled.set({ network }, settled)
        }
        status.settled = settled
        for (const topic of watched) {
          measured.lag.set({ network, topic }, Number(await bus.lag(`${settings.group}.${topic}`, topic)))
        }
      } catch (error) {
        if (!signal.aborted) log.warn({ network, err: error }, 'retrying the move to the final tables')
      }
      await clock.sleep(Math.min(1_000, Math.max(50, settings.moveAfterMs)), signal).catch(() => undefined)
    }
  }

  /** Checks, before anything is inserted, that both topics are those the tables were filled from. */
  const check = async ({ position }: Tiers) => {
    const both = [topics.head(network), topics.history(network)]
    const partitions = await Promise.all(both.map((topic) => bus.offsets(topic)))
    await Promise.all(
      both.flatMap((topic, index) =>
        (partitions[index] ?? []).map(({ partition }) => position.begin(topic, partition)),
      ),
    )
  }

  return {
    status: () => ({ ...status, waiting: writer.waiting() }),
    close: stop,
    run: async () => {
      status.state = 'running'
      await bus.createTopics([
        { topic: topics.history(network), partitions: HISTORY_PARTITIONS },
        { topic: topics.head(network), partitions: 1 },
        { topic: topics.past(network), partitions: 1 },
        { topic: topics.rescore(network), partitions: RESCORE_PARTITIONS },
        { topic: topics.dlq, partitions: 1 },
      ])
      const producer = await bus.producer()
      const whenDone = () => void stop().catch(() => undefined)
      signal.addEventListener('abort', whenDone, { once: true })
      try {
        epoch = settings.epoch ?? (await currentEpoch(store, network))
        const tiers = createTiers({ store, bus, network, clock, onStep }, epoch, settings, report)
        await check(tiers)
        await Promise.all([
          consume(topics.history(network), HISTORY_PARTITIONS, tiers, tiers.history, producer),
          consume(topics.head(network), 1, tiers, tiers.head, producer),
          settings.past && consume(topics.past(network), 1, tiers, tiers.past, producer),
          maintain(tiers),
        ])
        if (failure !== undefined) throw failure
        status.state = 'stopped'
      } catch (error) {
        if (failure === undefined && !signal.aborted) fail(error)
        if (failure !== undefined) throw failure
        status.state = 'stopped'
      } finally {
        stopping.abort(new Error('ingest closed'))
        await stop()
        consumers = []
        await producer.close()
        await writer.end().catch((err: unknown) => log.warn({ network, err }, 'failed to announce the end of ingest'))
      }
    },
  }
}
