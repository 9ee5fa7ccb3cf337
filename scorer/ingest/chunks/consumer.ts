/**
 * Turns batches of one topic into chunks: announce, insert, publish what was touched, cover, close, commit. Whatever was
 * announced and not closed is done again with exactly its bounds before anything new (`chunks.ts`). A chunk holds whole
 * blocks: where a batch ends between two parts of one, the rest is read from the bus.
 */
import type { Batch, Bus, Message, Producer } from '../../../platform/bus/bus.ts'
import { deadLetter } from '../../../platform/bus/delivery/dead-letter.ts'
import { isWithin } from '../../../platform/context/clock.ts'
import type { Context } from '../../../platform/context/context.ts'
import { OperatorError } from '../../../platform/errors.ts'
import { traced, traceHeaders, tracesOf } from '../../../platform/tracing/tracing.ts'
import type { Network } from '../../../schema/networks.ts'
import { topics } from '../../../schema/topics.ts'
import { rescoreMessages } from '../../rescore/queue.ts'
import type { QueueElsewhere } from '../elsewhere.ts'
import type { Position } from '../position/position.ts'
import { reindexBase, repairOf } from '../repair.ts'
import type { OnStep } from '../steps.ts'
import { type Chunk, type ChunkLedger, chunkId, chunkName, type LatestChunk } from './chunks.ts'
import { readSteps, type Step } from './messages.ts'

/** What became of a chunk. */
export type Applied = {
  rows: number
  /** Addresses to score again. */
  touched: string[]
  /** Highest block the topic has called final so far; 0 for none. */
  finalized: number
  /** Done once the addresses are published: from here on a repetition finds nothing left to insert or to publish. */
  published?: () => Promise<void>
  /** Lets `final` steps take effect: not before the chunk is closed, or its own undo would come too late. */
  closed?: () => void
}

/** What a tier does with the steps of a chunk. */
export type StorageTier = {
  name: 'final' | 'hot' | 'past'
  /** How many of the steps may form one chunk, at least one. Called while no chunk of the partition is open. */
  prepare: (steps: readonly Step[], signal: AbortSignal) => Promise<number>
  apply: (chunk: LatestChunk, steps: readonly Step[]) => Promise<Applied>
  /** Whether a message nobody can read stops the network instead of being set aside. */
  stopsAtPoison: boolean
}

/**
 * What became of a chunk, for metrics and status. `bytes` are of the messages, `newestBlock.time` is in Unix seconds.
 */
export type ChunkDone = {
  chunk: Chunk
  rows: number
  bytes: number
  seconds: number
  newestBlock: { number: number; time: number } | undefined
}

type ChunkConsumerOptions = {
  context: Pick<Context, 'log' | 'clock'>
  network: Network
  bus: Bus
  producer: Producer
  ledger: ChunkLedger
  position: Position
  tier: StorageTier
  /** Queues wallets of other networks that the steps speak about. */
  elsewhere: QueueElsewhere
  onStep: OnStep
  onDone: (done: ChunkDone) => void
  onPoison: (reason: string) => void
}

type Place = Pick<Chunk, 'topic' | 'partition' | 'log'>

/** How long a chunk that was closed here is taken for the newest, ms: far less than it takes to push its token out of the window. */
const KNOWN_MS = 60_000

const readRange = async (network: Network, bus: Bus, { topic, partition, first, last }: Chunk): Promise<Message[]> => {
  const messages: Message[] = []
  for await (const message of bus.read(topic, partition, first)) {
    if (message.offset > last) break
    messages.push(message)
  }
  if (messages[0]?.offset !== first || messages.at(-1)?.offset !== last) {
    throw new OperatorError(
      'ASSAY_INGEST_REPLAY_LOST',
      `Chunk ${topic}:${partition}:${first}-${last} was left half inserted, and its messages are no longer on the bus. Nothing was inserted. Raise the retention of the topic, then run ${reindexBase(network)}.`,
    )
  }
  return messages
}

/** Steps of a batch, with the parts that the batch lacks of its last blocks. */
const readBatch = async (bus: Bus, { topic, partition, messages }: Batch): Promise<Step[]> => {
  const { steps, open } = readSteps(messages)
  if (open === 0) return steps
  const more: Message[] = []
  for await (const message of bus.read(topic, partition, (messages.at(-1)?.offset ?? -1n) + 1n)) {
    more.push(message)
    if (readSteps([...messages.slice(-open), ...more]).open === 0) break
  }
  return readSteps([...messages, ...more]).steps
}

const newestBlock = (steps: readonly Step[]) => {
  const step = steps.findLast((step) => step.kind === 'new')
  return step?.kind === 'new' ? { number: step.last.number, time: step.last.time } : undefined
}

/**
 * Returns what to do with a batch of the topic. It commits the batch once all of it is in closed chunks, its own or
 * others'.
 * @throws OperatorError ASSAY_INGEST_REPLAY_LOST, ASSAY_INGEST_POISON, ASSAY_INGEST_SCHEMA_VERSION, and what the tier
 *   throws
 */
export const createChunkConsumer = (options: ChunkConsumerOptions) => {
  const { context, network, bus, producer, ledger, position, tier, elsewhere, onStep, onDone, onPoison } = options

  /**
   * By partition, the chunk that was closed here last. It is taken for the newest once: where another consumer has gone on meanwhile,
   * the announcement that follows it is not taken, and the ledger is asked then.
   */
  const closedHere = new Map<number, { chunk: LatestChunk; at: number }>()
  const latestOf = async (place: Place): Promise<LatestChunk | undefined> => {
    const known = closedHere.get(place.partition)
    closedHere.delete(place.partition)
    if (known?.chunk.log === place.log && isWithin(context.clock, KNOWN_MS, known.at)) return known.chunk
    return ledger.latest(place)
  }

  const publish = async (chunk: Chunk, steps: readonly Step[], touched: readonly string[], trace?: string) => {
    const poison = steps.filter((step) => step.kind === 'poison')
    if (poison.length > 0) {
      const letters = poison.map((step) => deadLetter(step.message, step.reason, chunkId(chunk, ledger.epoch)))
      for (const letter of letters) await producer.send([{ topic: topics.dlq, messages: [letter] }])
      for (const { offset, reason } of poison) {
        onPoison(reason)
        context.log.error(
          { network, topic: chunk.topic, partition: chunk.partition, offset: offset.toString(), reason },
          'set a message aside',
        )
      }
      if (tier.stopsAtPoison) {
        throw new OperatorError(
          'ASSAY_INGEST_POISON',
          `Chunk ${chunkName(chunk)} holds a message that cannot be decoded (${poison[0]?.reason}). It was copied to topic dlq, and the network stopped before it, because later messages depend on it. Report the reason. ${repairOf(network, chunk.topic)}`,
        )
      }
    }
    const block = String(newestBlock(steps)?.number ?? '')
    const messages = rescoreMessages(touched, { network, block, ...traceHeaders(trace) })
    if (messages.length > 0) await producer.send([{ topic: topics.rescore(network), messages }])
    await elsewhere(steps, touched)
  }

  const perform = (chunk: LatestChunk, steps: readonly Step[], batch: Batch): Promise<void> => {
    const own = batch.messages.filter(({ offset }) => offset >= chunk.first && offset <= chunk.last)
    const attributes = { 'assay.network': network, 'assay.chunk': chunkName(chunk), 'assay.tier': tier.name }
    return traced('ingest chunk', { kind: 'consumer', attributes, parents: tracesOf(own) }, (trace) =>
      performTraced(chunk, steps, batch, trace),
    )
  }

  const performTraced = async (
    chunk: LatestChunk,
    steps: readonly Step[],
    batch: Batch,
    trace: string | undefined,
  ): Promise<void> => {
    const started = context.clock.now()
    if (tier.stopsAtPoison && steps.some((step) => step.kind === 'poison')) await publish(chunk, steps, [])
    const { rows, touched, finalized, published, closed } = await tier.apply(chunk, steps)
    await onStep('applied')
    await batch.heartbeat()
    await publish(chunk, steps, touched, trace)
    await onStep('published')
    await published?.()
    await ledger.close(chunk, { finalized, rows })
    const newest = { ...chunk, done: true, finalized: Math.max(chunk.finalized, finalized) }
    closedHere.set(chunk.partition, { chunk: newest, at: context.clock.now() })
    closed?.()
    await onStep('closed')
    const bytes = steps.reduce((sum, step) => sum + (step.kind === 'new' ? step.bytes : 0), 0)
    onDone({ chunk, rows, bytes, seconds: (context.clock.now() - started) / 1_000, newestBlock: newestBlock(steps) })
  }

  /**
   * Work on what follows, or is, chunk `latest`. Fails quietly where another scorer has gone on meanwhile: the tables are then
   * ahead of these steps, and whatever seems to contradict them does not.
   */
  const unlessOvertaken = async <T>(
    place: Place,
    latest: LatestChunk | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      const now = await ledger.latest(place)
      if (now?.first === latest?.first && now?.done === latest?.done) throw error
      return undefined
    }
  }

  /** Announces the next chunk of what is pending. The ledger tells on the next round whether it is ours. */
  const announceNext = async (
    batch: Batch,
    place: Place,
    pending: readonly Step[],
    latest: LatestChunk | undefined,
  ) => {
    const count = await unlessOvertaken(place, latest, () => tier.prepare(pending, batch.signal))
    if (count === undefined) return undefined
    const steps = pending.slice(0, count)
    const first = steps[0]?.offset
    const last = steps.at(-1)?.offset
    if (first === undefined || last === undefined) return undefined
    const chunk = { ...place, first, last }
    await ledger.announce(chunk, latest)
    await onStep('announced')
    const taken = await ledger.latest(place)
    const ours = taken && !taken.done && taken.first === first && taken.last === last
    return ours ? { chunk: taken, steps } : undefined
  }

  return async (batch: Batch): Promise<void> => {
    for (const message of batch.messages) position.admit(message)
    const { topic, partition } = batch
    const place: Place = { topic, partition, log: position.logOf(topic) ?? '' }
    const next = (batch.messages.at(-1)?.offset ?? -1n) + 1n
    let steps: Step[] | undefined
    for (;;) {
      batch.signal.throwIfAborted()
      const latest = await latestOf(place)
      if (latest && !latest.done) {
        const again = readSteps(await readRange(network, bus, latest)).steps
        await unlessOvertaken(place, latest, () => perform(latest, again, batch))
        continue
      }
      steps ??= await readBatch(bus, batch)
      const pending = steps.filter(({ offset }) => offset > (latest?.last ?? -1n))
      if (pending.length === 0) break
      const ours = await announceNext(batch, place, pending, latest)
      if (!ours) continue
      const done = await unlessOvertaken(place, ours.chunk, async () => {
        await perform(ours.chunk, ours.steps, batch)
        return true
      })
      if (done && ours.steps.length === pending.length) break
    }
    await onStep('before commit')
    await batch.commit(next)
    await onStep('committed')
  }
}
