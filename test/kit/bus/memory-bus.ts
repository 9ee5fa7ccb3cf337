/**
 * The Bus port in memory, for tests of publishers: order, transactions (a send is all or nothing), fencing, reading
 * committed messages. Has no consumers. `onSend` makes sends fail as with a broken broker.
 */
import type { Bus, Message, Producer, Send } from '../../../platform/bus/bus.ts'
import { BugError, OperatorError, RetryableError } from '../../../platform/errors.ts'

/** Failure of a send: `lost` before it was written, `unknown` after. */
export type SendFault = 'lost' | 'unknown'

export type MemoryBus = Bus & {
  messages: (topic: string) => Message[]
  /** Called before every send. */
  onSend: (decide: (sends: readonly Send[]) => SendFault | undefined) => void
  sends: () => number
  /** Deletes a topic and recreates it, unless `again` is false. */
  reset: (topic: string, options?: { again: boolean }) => void
}

export const createMemoryBus = (): MemoryBus => {
  const topics = new Map<string, Message[][]>()
  const epochs = new Map<string, number>()
  let fault: (sends: readonly Send[]) => SendFault | undefined = () => undefined
  let sends = 0

  const partitionsOf = (topic: string) => {
    const partitions = topics.get(topic)
    if (!partitions) throw new OperatorError('ASSAY_BUS_TOPIC_UNKNOWN', `no topic ${topic}`)
    return partitions
  }

  const write = (batch: readonly Send[]) => {
    for (const { topic, messages } of batch) {
      for (const { partition = 0, value, key, headers = {} } of messages) {
        const log = partitionsOf(topic)[partition]!
        if (value.length > 1_000_000) throw new BugError('ASSAY_BUS_REJECTED', `${value.length} bytes`)
        const offset = BigInt(log.length)
        log.push({ topic, partition, offset, key, value, headers, timestamp: Date.now() })
      }
    }
  }

  const unavailable = () => new RetryableError('ASSAY_BUS_UNAVAILABLE', 'the broker did not answer')

  return {
    messages: (topic) => partitionsOf(topic).flat(),
    onSend: (decide) => {
      fault = decide
    },
    sends: () => sends,
    reset: (topic, { again } = { again: true }) => {
      const partitions = partitionsOf(topic).length
      if (again) {
        topics.set(
          topic,
          Array.from({ length: partitions }, () => []),
        )
      } else topics.delete(topic)
    },
    createTopics: async (specs) => {
      for (const { topic, partitions } of specs) {
        if (!topics.has(topic))
          topics.set(
            topic,
            Array.from({ length: partitions }, () => []),
          )
      }
    },
    describeTopics: async (names) =>
      names.map((topic) => ({
        topic,
        partitions: partitionsOf(topic).length,
        compacted: false,
        deletes: false,
      })),
    producer: async ({ transactionalId = '' } = {}): Promise<Producer> => {
      const epoch = (epochs.get(transactionalId) ?? 0) + 1
      epochs.set(transactionalId, epoch)
      return {
        send: async (batch) => {
          await new Promise((resolve) => setImmediate(resolve))
          if (transactionalId !== '' && epochs.get(transactionalId) !== epoch) {
            throw new OperatorError('ASSAY_BUS_FENCED', 'a newer producer is at work')
          }
          const outcome = fault(batch)
          if (outcome === 'lost') throw unavailable()
          write(batch)
          sends += 1
          if (outcome === 'unknown') throw unavailable()
        },
        close: async () => undefined,
      }
    },
    consumer: async () => {
      throw new BugError('ASSAY_BUS_CLOSED', 'the memory bus has no consumers')
    },
    offsets: async (topic) =>
      partitionsOf(topic).map((log, partition) => ({ partition, first: 0n, next: BigInt(log.length) })),
    read: async function* (topic, partition, from) {
      yield* partitionsOf(topic)[partition]!.slice(Number(from))
    },
    lag: async () => 0n,
    healthy: async () => true,
    close: async () => undefined,
  }
}
