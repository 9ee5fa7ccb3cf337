import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type {
  Batch,
  Bus,
  Consumer,
  ConsumerOptions,
  Message,
  OutgoingMessage,
  TopicSpec,
} from '../../../platform/bus/bus.ts'

export const unique = (name: string) => `${name}-${randomUUID().slice(0, 8)}`

export const message = (text: string, rest: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  value: Buffer.from(text),
  ...rest,
})

export const texts = (messages: readonly Message[]) => messages.map(({ value }) => value.toString())

export const createTopic = async (bus: Bus, spec: Partial<TopicSpec> = {}): Promise<string> => {
  const topic = unique('topic')
  await bus.createTopics([{ topic, partitions: 1, ...spec }])
  return topic
}

export const readAll = async (bus: Bus, topic: string, partition = 0, from = 0n): Promise<Message[]> => {
  const messages: Message[] = []
  for await (const message of bus.read(topic, partition, from)) messages.push(message)
  return messages
}

/** A consumer at work that keeps what it got and commits each batch, unless `handle` says otherwise. */
export const consume = async (
  bus: Bus,
  { maxBytes = 1_000_000, ...options }: Omit<ConsumerOptions, 'maxBytes'> & { maxBytes?: number },
  handle: (batch: Batch) => Promise<void> = commitAll,
): Promise<{ got: Message[]; batches: Batch[]; consumer: Consumer; running: Promise<void> }> => {
  const got: Message[] = []
  const batches: Batch[] = []
  const consumer = await bus.consumer({ ...options, maxBytes })
  const running = consumer.run(async (batch) => {
    batches.push(batch)
    await handle(batch)
    got.push(...batch.messages)
  })
  running.catch(() => {})
  return { got, batches, consumer, running }
}

export const commitAll = async (batch: Batch) => batch.commit((batch.messages.at(-1)?.offset ?? 0n) + 1n)

export const childArguments = z.object({
  bus: z.object({
    kafkaBrokers: z.array(z.string()).optional(),
    kafkaClient: z.enum(['kafkajs', 'platformatic']).optional(),
    path: z.string().optional(),
  }),
  transactionalId: z.string(),
  topics: z.tuple([z.string(), z.string()]),
})
