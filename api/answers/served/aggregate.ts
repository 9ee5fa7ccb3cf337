/** Adds topic `served` to table `serve_counts`. All replicas share one consumer group, so each batch counts once. */
import type { Bus, Consumer, Message } from '../../../platform/bus/bus.ts'
import { deadLetter, placeOf } from '../../../platform/bus/delivery/dead-letter.ts'
import type { Context } from '../../../platform/context/context.ts'
import { messageOf } from '../../../platform/errors.ts'
import type { Store } from '../../../platform/store/store.ts'
import { type ServedBatch, servedBatch } from '../../../schema/records/service/served.ts'
import { topics } from '../../../schema/topics.ts'

/** Dependencies of the aggregation. */
export type AggregateDeps = { context: Pick<Context, 'log' | 'metrics'>; bus: Bus; store: Store }

const MAX_BYTES = 1_000_000

const linesOf = ({ counts }: ServedBatch): string =>
  counts.map(({ last, ...count }) => `${JSON.stringify({ ...count, last_served: last })}\n`).join('')

/**
 * Consumes until the returned consumer is closed. Each message is one insert whose token is the sender's batch id, so a
 * redelivered message counts once. Unreadable messages go to topic `dlq`.
 */
export const aggregateServed = async ({
  context,
  bus,
  store,
}: AggregateDeps): Promise<Consumer & { done: Promise<void> }> => {
  const { log, metrics } = context
  const setAside = metrics.counter('assay_served_dead_letters_total', 'Unreadable messages of served counts')
  const producer = await bus.producer()
  const read = async (message: Message): Promise<ServedBatch | undefined> => {
    try {
      return servedBatch.parse(JSON.parse(message.value.toString()))
    } catch (error) {
      const reason = messageOf(error)
      await producer.send([{ topic: topics.dlq, messages: [deadLetter(message, reason, placeOf(message))] }])
      setAside.inc()
      log.error({ message: placeOf(message), reason }, 'set a message aside')
      return undefined
    }
  }
  const consumer = await bus.consumer({ groupId: 'served-counts', topics: [topics.served], maxBytes: MAX_BYTES })
  const done = consumer.run(async ({ messages, signal, commit }) => {
    for (const message of messages) {
      signal.throwIfAborted()
      const batch = await read(message)
      if (batch) await store.insert('serve_counts', linesOf(batch), { token: `serve_counts:${batch.batch}` })
      await commit(message.offset + 1n)
    }
  })
  return {
    done,
    run: consumer.run,
    close: async () => {
      await consumer.close()
      await producer.close()
    },
  }
}

/** Publishes served counts. */
export const createServedSender = async (bus: Bus) => {
  await bus.createTopics([{ topic: topics.served, partitions: 1 }])
  const producer = await bus.producer()
  return {
    send: (batch: ServedBatch) =>
      producer.send([{ topic: topics.served, messages: [{ value: Buffer.from(JSON.stringify(batch)) }] }]),
    close: () => producer.close(),
  }
}
