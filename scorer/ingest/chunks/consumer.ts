/**
 * Turns batches of one topic into chunks: announce, insert, publish touched addresses, cover, close, commit. A chunk that was announced but
 * not closed is repeated with exactly the same bounds before anything new (`chunks.ts`). A chunk contains whole blocks: if a batch ends
 * between two parts of a block, the rest is read from the bus.
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

/** Result of applying a chunk. */
export type Applied = {
  rows: number
  /** Addresses to score again. */
  touched: string[]
  /** Highest finalized block of the topic so far; 0 for none. */
  finalized: number
  /** Called after the addresses are published. From then on a repetition has nothing to insert or publish. */
  published?: () => Promise<void>
  /** Applies `final` steps. Called only after the chunk is closed, or an undo in the same chunk would come too late. */
  closed?: () => void
}

/** A destination of the steps of a chunk. */
export type StorageTier = {
  name: 'final' | 'hot' | 'past'
  /** How many of the steps may form one chunk, at least one. Called while no chunk of the partition is open. */
  prepare: (steps: readonly Step[], signal: AbortSignal) => Promise<number>
  apply: (chunk: LatestChunk, steps: readonly Step[]) => Promise<Applied>
  /** Whether an undecodable message stops the network instead of being skipped. */
  stopsAtPoison: boolean
}

/** A finished chunk, for metrics and status. `bytes` of its messages; `newestBlock.time` in Unix seconds. */
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
  /** Queues wallets of other networks that the steps concern. */
  elsewhere: QueueElsewhere
  onStep: OnStep
  onDone: (done: ChunkDone) => void
  onPoison: (reason: string) => void
}

type Place = Pick<Chunk, 'topic' | 'partition' | 'log'>

/** How long a chunk that was closed here is cached as the newest, ms: far shorter than its token stays in the window. */
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
      `Chunk ${topic}:${partition}:${first}-${last} was inserted only in part, and its messages are no longer on the bus. Nothing was inserted. Raise the retention of the topic, then run ${reindexBase(network)}.`,
    )
  }
  return messages
}

/** Steps of a batch. Missing parts of its last blocks are read from the bus. */
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
 * Creates the handler for batches of the topic. It commits a batch once all of it is in closed chunks, its own or those of others.
 * @throws OperatorError ASSAY_INGEST_REPLAY_LOST, ASSAY_INGEST_POISON, ASSAY_INGEST_SCHEMA_VERSION, and errors of the tier
 */
export const createChunkConsumer = (options: ChunkConsumerOptions) => {
  const { context, network, bus, producer, ledger, position, tier, elsewhere, onStep, onDone, onPoison } = options

  /**
   * Last chunk closed here, by partition. It counts as the newest once: if another consumer has continued meanwhile, the announcement
   * after it is not accepted, and the ledger is read instead.
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
          `Chunk ${chunkName(chunk)} contains a message that cannot be decoded (${poison[0]?.reason}). It was copied to topic dlq, and the network stopped before it, because later messages depend on it. Report the reason. ${repairOf(network, chunk.topic)}`,
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
   * Runs work on chunk `latest` or its successor. Ignores errors if another scorer has continued meanwhile: the tables are then ahead of
   * these steps, and apparent contradictions are none.
   */
  const unlessOvertaken = async <T>(
    place: Place,
    latest: LatestChunk | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined> => {
    try {
      return await work()
    } catch (error) {
      const current = await ledger.latest(place)
      if (current?.first === latest?.first && current?.done === latest?.done) throw error
      return undefined
    }
  }

  /** Announces the next chunk of the pending steps. Returns it if the announcement was accepted. */
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
    const announced = await ledger.latest(place)
    const isAccepted = announced && !announced.done && announced.first === first && announced.last === last
    return isAccepted ? { chunk: announced, steps } : undefined
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
      const accepted = await announceNext(batch, place, pending, latest)
      if (!accepted) continue
      const done = await unlessOvertaken(place, accepted.chunk, async () => {
        await perform(accepted.chunk, accepted.steps, batch)
        return true
      })
      if (done && accepted.steps.length === pending.length) break
    }
    await onStep('before commit')
    await batch.commit(next)
    await onStep('committed')
  }
}
