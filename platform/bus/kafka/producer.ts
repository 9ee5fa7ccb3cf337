import { CompressionTypes, type Kafka, type Producer as KafkaProducer, type TopicMessages } from 'kafkajs'
import { BugError } from '../../errors.ts'
import type { OutgoingMessage, Producer, Send } from '../bus.ts'
import { closed, rejected, unavailable } from '../errors.ts'
import { checkSize, MAX_RECORD_BYTES, runsOf } from '../limits.ts'
import { createPartitioner } from '../partitioner.ts'
import type { AdminClient } from './client.ts'
import { CALL_MS, KAFKA_LIMITS } from './client.ts'
import { explain, within } from './errors.ts'

/** Calls that wait for the current one are sent together, up to this many bytes. Each is still published whole or not at all. */
const GROUP_BYTES = 8_000_000
/** The broker rolls back a transaction left open for this long, ms. */
const TRANSACTION_MS = 60_000

type Place = { topic: string; partition: number; messages: OutgoingMessage[] }
type Waiting = { places: Place[]; bytes: number; resolve: () => void; reject: (error: unknown) => void }

/**
 * Rounds of produce requests: a broker takes at most about 1 MB per partition and request, so what is more follows in
 * the next round.
 */
const roundsOf = (waiting: readonly Waiting[]): TopicMessages[][] => {
  const merged = new Map<string, Place>()
  for (const { topic, partition, messages } of waiting.flatMap(({ places }) => places)) {
    const name = `${topic}/${partition}`
    const place = merged.get(name) ?? { topic, partition, messages: [] }
    place.messages.push(...messages)
    merged.set(name, place)
  }
  const rounds: TopicMessages[][] = []
  for (const { topic, partition, messages } of merged.values())
    for (const [index, run] of runsOf(messages, MAX_RECORD_BYTES).entries()) {
      rounds[index] ??= []
      rounds[index].push({
        topic,
        messages: run.map(({ key, value, headers }) => ({
          key: key ?? null,
          value,
          headers: headers ?? {},
          partition,
        })),
      })
    }
  return rounds
}

const connect = async (kafka: Kafka, transactionalId: string | undefined): Promise<KafkaProducer> => {
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    retry: KAFKA_LIMITS.retry,
    createPartitioner:
      () =>
      ({ message }) =>
        message.partition ?? 0,
    ...(transactionalId === undefined ? {} : { transactionalId, transactionTimeout: TRANSACTION_MS }),
  })
  await producer.connect()
  if (transactionalId !== undefined) await (await producer.transaction()).abort()
  return producer
}

const publish = async (producer: KafkaProducer, rounds: readonly TopicMessages[][], transactional: boolean) => {
  const send = (to: Pick<KafkaProducer, 'sendBatch'>, topicMessages: TopicMessages[]) =>
    to.sendBatch({ topicMessages, acks: -1, compression: CompressionTypes.GZIP, timeout: KAFKA_LIMITS.requestTimeout })
  if (!transactional) {
    for (const round of rounds) await send(producer, round)
    return
  }
  const transaction = await producer.transaction()
  try {
    for (const round of rounds) await send(transaction, round)
    await transaction.commit()
  } catch (error) {
    if (transaction.isActive()) await transaction.abort().catch(() => {})
    throw error
  }
}

/**
 * A failed send, unless refused by the broker as such, ends a transactional producer: to go on under the same id without asking could fence a newer one.
 * One without an id only gets a new connection, because kafkajs would reuse sequence numbers the broker has seen.
 */
export const openProducer = async (
  { kafka, admin }: { kafka: Kafka; admin: AdminClient },
  transactionalId: string | undefined,
): Promise<Producer> => {
  const open = () =>
    within(CALL_MS, () => connect(kafka, transactionalId), { action: 'open a producer', transactionalId })
  const partitioner = createPartitioner()
  const waiting: Waiting[] = []
  let current: KafkaProducer | undefined = await open()
  let broken: Error | undefined
  let working: Promise<void> | undefined
  let finished = false

  const prepare = async (sends: readonly Send[]): Promise<{ places: Place[]; bytes: number }> => {
    const places: Place[] = []
    let bytes = 0
    for (const { topic, messages } of sends) {
      const count = await admin.partitionsOf(topic)
      const byPartition = new Map<number, OutgoingMessage[]>()
      for (const message of messages) {
        bytes += checkSize(topic, message)
        const partition = partitioner(message, count)
        if (partition < 0 || partition >= count)
          throw rejected(topic, `it has no partition ${partition}, only ${count}`)
        const list = byPartition.get(partition)
        if (list) list.push(message)
        else byPartition.set(partition, [message])
      }
      for (const [partition, list] of byPartition) places.push({ topic, partition, messages: list })
    }
    return { places, bytes }
  }

  const takeGroup = (): Waiting[] => {
    let bytes = 0
    let count = 0
    for (const each of waiting) {
      if (count > 0 && bytes + each.bytes > GROUP_BYTES) break
      bytes += each.bytes
      count += 1
    }
    return waiting.splice(0, count)
  }

  const giveUp = async (error: unknown) => {
    const failed = current
    current = undefined
    if (transactionalId !== undefined) broken = explain(error, { action: 'publish', transactionalId })
    await failed?.disconnect().catch(() => {})
  }

  const drain = async () => {
    for (let group = takeGroup(); group.length > 0; group = takeGroup()) {
      try {
        if (broken) throw broken
        const producer = current ?? (await open())
        current = producer
        await within(CALL_MS, () => publish(producer, roundsOf(group), transactionalId !== undefined), {
          action: 'publish',
          transactionalId,
        })
        for (const { resolve } of group) resolve()
      } catch (error) {
        if (!broken && !(error instanceof BugError)) await giveUp(error)
        for (const { reject } of group) reject(error)
      }
    }
    working = undefined
  }

  let order: Promise<unknown> = Promise.resolve()
  return {
    send: async (sends) => {
      if (finished) throw closed('producer')
      const prepared = order.then(() => prepare(sends))
      order = prepared.catch(() => {})
      const { places, bytes } = await prepared
      if (places.length === 0) return
      if (broken) throw broken.name === 'RetryableError' ? unavailable('publish with this producer', broken) : broken
      await new Promise<void>((resolve, reject) => {
        waiting.push({ places, bytes, resolve, reject })
        working ??= drain()
      })
    },
    close: async () => {
      if (finished) return
      finished = true
      await order
      await working
      await current?.disconnect().catch(() => {})
    },
  }
}
