/** Folds topic `served` into table `serve_counts`. One group for all replicas: each batch is counted once. */
import type { Batch, Bus, Consumer } from '../../platform/bus/bus.ts'
import type { Store } from '../../platform/store/store.ts'
import { servedBatch } from '../../schema/records/served.ts'
import { topics } from '../../schema/topics.ts'

const MAX_BYTES = 1_000_000

const linesOf = (batch: Batch): string =>
  batch.messages
    .flatMap(({ value }) => servedBatch.parse(JSON.parse(value.toString())).counts)
    .map(({ last, ...count }) => `${JSON.stringify({ ...count, last_served: last })}\n`)
    .join('')

/**
 * Consumes until the returned consumer is closed. The token names the messages by their offsets, so that a batch that is
 * delivered again counts once; a redelivery that is cut otherwise can count a message twice, which a counter of requests
 * bears.
 */
export const foldServed = async (bus: Bus, store: Store): Promise<Consumer & { done: Promise<void> }> => {
  const consumer = await bus.consumer({ groupId: 'served-counts', topics: [topics.served], maxBytes: MAX_BYTES })
  const done = consumer.run(async (batch) => {
    const first = batch.messages[0]
    const last = batch.messages.at(-1)
    if (!first || !last) return
    await store.insert('serve_counts', linesOf(batch), {
      token: `serve_counts:${batch.topic}:${batch.partition}:${first.offset}-${last.offset}`,
    })
    await batch.commit(last.offset + 1n)
  })
  return { ...consumer, done }
}

/** Publishes served counts. */
export const createServedSender = async (bus: Bus) => {
  await bus.createTopics([{ topic: topics.served, partitions: 1 }])
  const producer = await bus.producer()
  return {
    send: (batch: unknown) =>
      producer.send([{ topic: topics.served, messages: [{ value: Buffer.from(JSON.stringify(batch)) }] }]),
    close: () => producer.close(),
  }
}
