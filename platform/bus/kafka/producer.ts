import { CompressionTypes, type Kafka, type Producer as KafkaProducer, type TopicMessages } from 'kafkajs'
import type { Producer } from '../bus.ts'
import { openSender, type Place, type Publisher } from '../delivery/sender.ts'
import type { AdminClient } from './client.ts'
import { CALL_MS, KAFKA_LIMITS } from './client.ts'
import { within } from './errors.ts'

/** After this time the broker rolls back an open transaction, ms. */
const TRANSACTION_MS = 60_000

const topicMessages = (round: readonly Place[]): TopicMessages[] =>
  round.map(({ topic, partition, messages }) => ({
    topic,
    messages: messages.map(({ key, value, headers }) => ({
      key: key ?? null,
      value,
      headers: headers ?? {},
      partition,
    })),
  }))

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

const publish = async (producer: KafkaProducer, rounds: readonly Place[][], transactional: boolean) => {
  const send = (to: Pick<KafkaProducer, 'sendBatch'>, round: readonly Place[]) =>
    to.sendBatch({
      topicMessages: topicMessages(round),
      acks: -1,
      compression: CompressionTypes.GZIP,
      timeout: KAFKA_LIMITS.requestTimeout,
    })
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

/** A producer on kafkajs. kafkajs rewinds sequence numbers when a request fails, so a publisher is not reused after a failure. */
export const openProducer = (
  { kafka, admin }: { kafka: Kafka; admin: AdminClient },
  transactionalId: string | undefined,
): Promise<Producer> => {
  const transactional = transactionalId !== undefined
  const open = async (): Promise<Publisher> => {
    const producer = await within(CALL_MS, () => connect(kafka, transactionalId), {
      action: 'open a producer',
      transactionalId,
    })
    return {
      publish: (rounds) =>
        within(CALL_MS, () => publish(producer, rounds, transactional), { action: 'publish', transactionalId }),
      close: () => producer.disconnect(),
    }
  }
  return openSender({ open, partitionsOf: admin.partitionsOf, transactional })
}
