import type { Clock } from '../context/clock.ts'
import type { Logger } from '../context/log.ts'
import type { KafkaAccess } from './access/access.ts'
import { createAccessCheck } from './access/check.ts'
import type { Bus, PartitionOffsets } from './bus.ts'
import { closed } from './errors.ts'
import { clientConfig, createAdmin, createKafka, KAFKAJS_API_VERSIONS } from './kafka/client.ts'
import { createConsumer } from './kafka/consumer.ts'
import { onceSettled } from './kafka/errors.ts'
import { correctFetches } from './kafka/fetch-patch.ts'
import { openProducer } from './kafka/producer.ts'
import { createReader } from './kafka/reader.ts'
import { createTopics } from './kafka/topics.ts'

const HEALTH_MS = 3_000
/** A bus on Apache Kafka through kafkajs 2.2.4, tested with 3.9 and 4.3. Nothing is contacted before the first call. */
export const openKafkaBus = ({ clock, log }: { clock: Clock; log: Logger }, access: KafkaAccess): Bus => {
  correctFetches()
  const kafka = createKafka(log, access)
  const admin = createAdmin(kafka, createAccessCheck(access, 'kafkajs', KAFKAJS_API_VERSIONS))
  const topics = createTopics(admin, clock)
  const reader = createReader(clientConfig(log, access), clock)
  const open = new Set<{ close: () => Promise<void> }>()
  let ended = false

  const alive = () => {
    if (ended) throw closed('bus')
  }
  const keep = <T extends { close: () => Promise<void> }>(part: T): T => {
    const close = part.close
    part.close = async () => {
      open.delete(part)
      await close()
    }
    open.add(part)
    return part
  }

  const offsets = async (topic: string): Promise<PartitionOffsets[]> => {
    await admin.partitionsOf(topic)
    const found = await onceSettled(clock, () =>
      admin.call('fetch offsets', (client) => client.fetchTopicOffsets(topic)),
    )
    return found
      .map(({ partition, low, high }) => ({ partition, first: BigInt(low), next: BigInt(high) }))
      .sort((a, b) => a.partition - b.partition)
  }

  /** Whether a committed message follows. The offsets may hold only transaction markers and aborted messages. */
  const anyFrom = async (topic: string, partition: number, from: bigint): Promise<boolean> => {
    for await (const _ of reader.read(topic, partition, from)) return true
    return false
  }

  return {
    createTopics: async (specs) => {
      alive()
      await topics.create(specs)
    },
    describeTopics: async (names) => {
      alive()
      return topics.describe(names)
    },
    producer: async ({ transactionalId } = {}) => {
      alive()
      return keep(await openProducer({ kafka, admin }, transactionalId))
    },
    consumer: async (options) => {
      alive()
      for (const topic of options.topics) await admin.partitionsOf(topic)
      return keep(createConsumer({ kafka, clock, log, offsets, read: reader.read }, options))
    },
    offsets: async (topic) => {
      alive()
      return offsets(topic)
    },
    read: (topic, partition, from) => {
      alive()
      return reader.read(topic, partition, from)
    },
    lag: async (groupId, topic) => {
      alive()
      const ends = await offsets(topic)
      const [committed] = await onceSettled(clock, () =>
        admin.call('fetch committed offsets', (client) => client.fetchOffsets({ groupId, topics: [topic] })),
      )
      const done = new Map(committed?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]))
      let lag = 0n
      for (const { partition, first, next } of ends) {
        const from = done.get(partition) ?? -1n
        const start = from > first ? from : first
        if (start < next && (await anyFrom(topic, partition, start))) lag += next - start
      }
      return lag
    },
    healthy: async () => {
      if (ended) return false
      const ask = admin.call('answer', (client) => client.describeCluster(), HEALTH_MS)
      return ask.then(({ brokers: found }) => found.length > 0).catch(() => false)
    },
    close: async () => {
      if (ended) return
      ended = true
      await Promise.all([...open].map((part) => part.close()))
      await reader.close()
      await admin.close()
    },
  }
}
