/**
 * Blocks of one network from the bus into the tables, each exactly once.
 *
 * Two consumer groups: `ingest.history.<network>` puts final blocks straight into the final tables; `ingest.head.<network>`
 * keeps the hot tables and moves what became final (or, where blocks are final at once, writes final tables too).
 */
import type { Batch, Bus, Consumer, Producer } from '../../platform/bus/bus.ts'
import type { Context } from '../../platform/context.ts'
import { isAssayError, OperatorError, RetryableError } from '../../platform/errors.ts'
import type { Store } from '../../platform/store/store.ts'
import { type Network, networkInfo } from '../../schema/networks.ts'
import { HISTORY_PARTITIONS, RESCORE_PARTITIONS, topics } from '../../schema/topics.ts'
import { type ChunkDone, createChunkConsumer, type StorageTier } from './chunk-consumer.ts'
import { createChunkLedger } from './chunks.ts'
import { createFinalTier } from './final-tier.ts'
import { createHead, type HeadOptions } from './head.ts'
import type { Step } from './messages.ts'
import { ingestMetrics } from './metrics.ts'
import { createWriter } from './rebuild/writers.ts'
import { noStep, type OnStep } from './steps.ts'

export type IngestOptions = HeadOptions & {
  /** Bytes of messages in hand over all partitions of a topic. @default 64_000_000 */
  maxBytes: number
  /**
   * Bytes of messages in one chunk at most. Half of `maxBytes`, so that one is decoded while another is inserted.
   * @default 32_000_000
   */
  chunkBytes: number
  /**
   * A partition's next chunk waits until this long (ms) after the last began, unless that was `fullBytes` or more. In a stream of
   * `streamBytes` or more it waits as often as the topic has partitions, so that a table sees one insert in this time.
   * @default 1_000
   */
  minIntervalMs: number
  /** @default 1_000_000 */
  streamBytes: number
  /** From here on rows cost about as much as the inserts that take them. @default 8_000_000 */
  fullBytes: number
  onStep: OnStep
}

const DEFAULTS: IngestOptions = {
  moveAfterMs: 5_000,
  moveAfterRows: 50_000,
  keepHotMs: 60_000,
  maxBytes: 64_000_000,
  chunkBytes: 32_000_000,
  minIntervalMs: 1_000,
  streamBytes: 1_000_000,
  fullBytes: 8_000_000,
  onStep: noStep,
}

export type IngestStatus = {
  network: Network
  state: 'idle' | 'running' | 'stopped' | 'failed'
  /** Waits for a rebuild of the network's tables to end. */
  waiting: boolean
  /** Newest block whose rows are readable, by either topic; 0 before the first. */
  head: number
  /** Time of that block, unix seconds. */
  headTime: number
  /** Watermark; undefined before the first head message and where blocks are final at once. */
  settled: number | undefined
  rows: number
  /** When the last chunk was closed, ms since the epoch; 0 before the first. */
  lastChunkAt: number
}

export type Ingest = {
  /**
   * Works until the lifecycle ends or `close` is called.
   * @throws OperatorError or BugError that stopped the network: ASSAY_INGEST_UNDO_OF_FINAL, ASSAY_INGEST_POISON,
   *   ASSAY_INGEST_SCHEMA_VERSION, ASSAY_INGEST_FINAL_MISMATCH, ASSAY_INGEST_REPLAY_LOST, ASSAY_INGEST_REPLAY_UNCLEAR and
   *   those of the store. What is retryable is retried and shows in the metrics.
   */
  run: () => Promise<void>
  status: () => IngestStatus
  close: () => Promise<void>
}

const isNew = (step: Step) => step.kind === 'new'

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
  const settings = { ...DEFAULTS, ...options }
  const { onStep } = settings
  const measured = ingestMetrics(context.metrics)
  const ledger = createChunkLedger(store)
  const final = createFinalTier(store, network, onStep)
  const head = createHead({ store, network, clock, onStep }, settings)
  const writer = createWriter(store, network, clock)
  const finalAtOnce = networkInfo(network).reorgWindow === 0
  const status: IngestStatus = {
    network,
    state: 'idle',
    waiting: false,
    head: 0,
    headTime: 0,
    settled: undefined,
    rows: 0,
    lastChunkAt: 0,
  }
  const stopping = new AbortController()
  const signal = AbortSignal.any([lifecycle.signal, stopping.signal])
  let failure: unknown
  let consumers: Consumer[] = []
  let headSeen = false

  const finalTier: StorageTier = {
    name: 'final',
    prepare: async (steps) => steps.length,
    apply: async (chunk, steps, replay) => {
      const blocks = steps.filter(isNew)
      const rows = await final.insert(chunk, blocks, replay)
      return { rows, touched: [...new Set(blocks.flatMap(({ decoded }) => decoded.touched))], finalized: 0 }
    },
    stopsAtPoison: false,
  }
  const finalHeadTier: StorageTier = {
    ...finalTier,
    apply: (chunk, steps, replay) => {
      const undo = steps.find((step) => step.kind === 'undo')
      if (undo?.kind === 'undo') {
        throw new OperatorError(
          'ASSAY_INGEST_UNDO_OF_FINAL',
          `The head topic of ${network} undoes block ${undo.headers.from}, but its blocks are finalized at once. The network stopped and nothing was changed. Compare the indexer's node with others; if the chain did go back, index again from scratch (docs/errors.md).`,
        )
      }
      return finalTier.apply(chunk, steps, replay)
    },
    stopsAtPoison: true,
  }
  const hotTier: StorageTier = {
    name: 'hot',
    prepare: head.prepare,
    apply: (chunk, steps) => {
      headSeen = true
      return head.apply(steps, chunk.finalized)
    },
    stopsAtPoison: true,
  }

  const noteDone = (tier: StorageTier) => (done: ChunkDone) => {
    const now = clock.now()
    measured.rows.inc({ network, tier: tier.name }, done.rows)
    measured.chunkSeconds.observe({ network, tier: tier.name }, done.seconds)
    status.rows += done.rows
    status.lastChunkAt = now
    const newest = done.newestBlock
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
    log.error({ network, err: error }, 'stopped ingest')
    stopping.abort(error)
  }

  /** Errors that a retry can cure go back to the bus, which hands the batch over again; others stop the network. */
  const guarded = async (work: () => Promise<void>, ended = signal): Promise<void> => {
    try {
      await writer.work(work, ended)
    } catch (error) {
      if (!signal.aborted && isAssayError(error) && !(error instanceof RetryableError)) fail(error)
      else measured.retries.inc({ network })
      throw error
    }
  }

  const pace = async (until: number, bytes: number, batch: Batch) => {
    const rest = until - clock.now()
    if (bytes >= settings.fullBytes || rest <= 0) return
    await clock.sleep(rest, AbortSignal.any([signal, batch.signal])).catch(() => undefined)
  }

  const consume = async (topic: string, partitions: number, tier: StorageTier, producer: Producer): Promise<void> => {
    const { maxBytes, chunkBytes: batchBytes } = settings
    const consumer = await bus.consumer({ groupId: `ingest.${topic}`, topics: [topic], maxBytes, batchBytes })
    consumers.push(consumer)
    const work = createChunkConsumer({
      context,
      network,
      bus,
      producer,
      ledger,
      tier,
      onStep,
      onDone: noteDone(tier),
      onPoison: () => measured.deadLetters.inc({ network, topic }),
    })
    await consumer.run(async (batch) => {
      if (signal.aborted) throw signal.reason
      const began = clock.now()
      await guarded(() => work(batch), AbortSignal.any([signal, batch.signal]))
      const bytes = batch.messages.reduce((sum, { value }) => sum + value.length, 0)
      await pace(began + settings.minIntervalMs * (bytes < settings.streamBytes ? 1 : partitions), bytes, batch)
    })
  }

  /** Moves what is due even when no message comes, and measures lag. */
  const tend = async (): Promise<void> => {
    let first = true
    const watched = [topics.history(network), topics.head(network)]
    while (!signal.aborted) {
      try {
        // Even where there is nothing to move, so that a rebuild sees a scorer without messages wait.
        await guarded((headSeen || first) && !finalAtOnce ? head.settle : async () => undefined)
        first = false
        status.settled = head.settled()
        if (status.settled !== undefined) measured.settled.set({ network }, status.settled)
        for (const topic of watched) {
          measured.lag.set({ network, topic }, Number(await bus.lag(`ingest.${topic}`, topic)))
        }
      } catch (error) {
        if (!signal.aborted) log.warn({ network, err: error }, 'retrying the move to the final tables')
      }
      await clock.sleep(Math.min(1_000, Math.max(50, settings.moveAfterMs)), signal).catch(() => undefined)
    }
  }

  return {
    status: () => ({ ...status, waiting: writer.waiting() }),
    close: stop,
    run: async () => {
      status.state = 'running'
      await bus.createTopics([
        { topic: topics.history(network), partitions: HISTORY_PARTITIONS },
        { topic: topics.head(network), partitions: 1 },
        { topic: topics.rescore(network), partitions: RESCORE_PARTITIONS },
        { topic: topics.dlq, partitions: 1 },
      ])
      const producer = await bus.producer()
      const whenDone = () => void stop().catch(() => undefined)
      signal.addEventListener('abort', whenDone, { once: true })
      try {
        await Promise.all([
          consume(topics.history(network), HISTORY_PARTITIONS, finalTier, producer),
          consume(topics.head(network), 1, finalAtOnce ? finalHeadTier : hotTier, producer),
          tend(),
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
        await writer.end().catch((err: unknown) => log.warn({ network, err }, 'left without a word'))
      }
    },
  }
}
