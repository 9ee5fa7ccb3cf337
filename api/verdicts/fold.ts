/** Folds topic `served` into table `serve_counts`. One group for all replicas: each batch is counted once. */
import type { Bus, Consumer } from '../../platform/bus/bus.ts'
import type { Store } from '../../platform/store/store.ts'
import { type ServedBatch, servedBatch } from '../../schema/records/served.ts'
import { topics } from '../../schema/topics.ts'

const MAX_BYTES = 1_000_000

const linesOf = ({ counts }: ServedBatch): string =>
  counts.map(({ last, ...count }) => `${JSON.stringify({ ...count, last_served: last })}\n`).join('')

/**
 * Consumes until the returned consumer is closed. Each message is one insert whose token is the sender's batch id, so
 * that a message counts once however it is delivered, cut or sent again.
 */
export const foldServed = async (bus: Bus, store: Store): Promise<Consumer & { done: Promise<void> }> => {
  const consumer = await bus.consumer({ groupId: 'served-counts', topics: [topics.served], maxBytes: MAX_BYTES })
  const done = consumer.run(async ({ messages, signal, commit }) => {
    for (const { value, offset } of messages) {
      signal.throwIfAborted()
      const batch = servedBatch.parse(JSON.parse(value.toString()))
      await store.insert('serve_counts', linesOf(batch), { token: `serve_counts:${batch.batch}` })
      await commit(offset + 1n)
    }
  })
  return { ...consumer, done }
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
