/**
 * Turns batches of one topic into chunks: announce, insert, publish what was touched, close, commit. Whatever was
 * announced and not closed is done again with exactly its bounds before anything new (`chunks.ts`).
 */
import type { Batch, Bus, Message, Producer } from '../../platform/bus/bus.ts'
import { deadLetter } from '../../platform/bus/dead-letter.ts'
import type { Context } from '../../platform/context.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { Network } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'
import { rescoreMessages } from '../rescore-queue.ts'
import { type Chunk, type ChunkLedger, chunkName, type LatestChunk } from './chunks.ts'
import { readStep, type Step } from './messages.ts'
import type { OnStep } from './steps.ts'

/** What a tier does with the steps of a chunk. */
export type StorageTier = {
  name: 'final' | 'hot'
  /** How many of the steps may form one chunk, at least one. Called while no chunk of the partition is open. */
  prepare: (steps: readonly Step[]) => Promise<number>
  apply: (
    chunk: LatestChunk,
    steps: readonly Step[],
    replay: boolean,
  ) => Promise<{ rows: number; touched: string[]; finalized: number; closed?: () => void }>
  /** Whether a message nobody can read stops the network instead of being set aside. */
  stopsAtPoison: boolean
}

export type ChunkDone = {
  chunk: Chunk
  rows: number
  bytes: number
  seconds: number
  newestBlock: { number: number; time: number } | undefined
}

export type ChunkConsumerOptions = {
  context: Pick<Context, 'log' | 'clock'>
  network: Network
  bus: Bus
  producer: Producer
  ledger: ChunkLedger
  tier: StorageTier
  onStep: OnStep
  onDone: (done: ChunkDone) => void
  onPoison: (reason: string) => void
}

const readRange = async (bus: Bus, { topic, partition, first, last }: Chunk): Promise<Message[]> => {
  const messages: Message[] = []
  for await (const message of bus.read(topic, partition, first)) {
    if (message.offset > last) break
    messages.push(message)
  }
  if (messages[0]?.offset !== first || messages.at(-1)?.offset !== last) {
    throw new OperatorError(
      'ASSAY_INGEST_REPLAY_LOST',
      `Chunk ${topic}:${partition}:${first}-${last} was left half inserted, and its messages are no longer on the bus. Nothing was inserted. Raise the retention of the topic and index again from scratch (docs/errors.md).`,
    )
  }
  return messages
}

const newestBlock = (steps: readonly Step[]) => {
  const step = steps.findLast((step) => step.kind === 'new')
  return step?.kind === 'new' ? { number: step.last.number, time: step.last.time } : undefined
}

export const createChunkConsumer = (options: ChunkConsumerOptions) => {
  const { context, network, bus, producer, ledger, tier, onStep, onDone, onPoison } = options

  const publish = async (chunk: Chunk, steps: readonly Step[], touched: readonly string[]) => {
    const poison = steps.filter((step) => step.kind === 'poison')
    if (poison.length > 0) {
      const letters = poison.map((step) => deadLetter(step.message, step.reason, chunkName(chunk)))
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
          `Chunk ${chunkName(chunk)} holds a message that cannot be decoded (${poison[0]?.reason}). It was copied to topic dlq, and the network stopped before it, because later messages depend on it. Report the reason and index again from scratch (docs/errors.md).`,
        )
      }
    }
    const block = String(newestBlock(steps)?.number ?? '')
    const messages = rescoreMessages(touched, { network, block })
    if (messages.length > 0) await producer.send([{ topic: topics.rescore(network), messages }])
  }

  const perform = async (chunk: LatestChunk, steps: readonly Step[], replay: boolean, batch: Batch): Promise<void> => {
    const started = context.clock.now()
    if (tier.stopsAtPoison && steps.some((step) => step.kind === 'poison')) await publish(chunk, steps, [])
    const { rows, touched, finalized, closed } = await tier.apply(chunk, steps, replay)
    await onStep('applied')
    await batch.heartbeat()
    await publish(chunk, steps, touched)
    await onStep('published')
    await ledger.close(chunk, { finalized, rows })
    closed?.()
    await onStep('closed')
    const bytes = steps.reduce((sum, step) => sum + (step.kind === 'new' ? step.bytes : 0), 0)
    onDone({ chunk, rows, bytes, seconds: (context.clock.now() - started) / 1_000, newestBlock: newestBlock(steps) })
  }

  /** Announces the next chunk of what is pending. The ledger tells on the next round whether it is ours. */
  const announceNext = async (batch: Batch, pending: readonly Step[], latest: LatestChunk | undefined) => {
    const steps = pending.slice(0, await tier.prepare(pending))
    const first = steps[0]?.offset
    const last = steps.at(-1)?.offset
    if (first === undefined || last === undefined) return undefined
    const chunk = { topic: batch.topic, partition: batch.partition, first, last }
    await ledger.announce(chunk, latest)
    await onStep('announced')
    const taken = await ledger.latest(batch.topic, batch.partition)
    const ours = taken && !taken.done && taken.first === first && taken.last === last
    return ours ? { chunk: taken, steps } : undefined
  }

  return async (batch: Batch): Promise<void> => {
    const next = (batch.messages.at(-1)?.offset ?? -1n) + 1n
    let steps: Step[] | undefined
    for (;;) {
      batch.signal.throwIfAborted()
      const latest = await ledger.latest(batch.topic, batch.partition)
      if (latest && !latest.done) {
        const again = (await readRange(bus, latest)).map(readStep)
        await perform(latest, again, true, batch)
        continue
      }
      steps ??= batch.messages.map(readStep)
      const pending = steps.filter(({ offset }) => offset > (latest?.last ?? -1n))
      if (pending.length === 0) break
      const ours = await announceNext(batch, pending, latest)
      if (!ours) continue
      await perform(ours.chunk, ours.steps, false, batch)
      if (ours.steps.length === pending.length) break
    }
    await onStep('before commit')
    await batch.commit(next)
    await onStep('committed')
  }
}
