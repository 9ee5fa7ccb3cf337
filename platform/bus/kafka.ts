import type { ITopicConfig } from 'kafkajs'
import type { Clock } from '../clock.ts'
import type { Logger } from '../log.ts'
import type { Bus, PartitionOffsets, TopicSpec } from './bus.ts'
import { closed, unavailable } from './errors.ts'
import { CALL_MS, clientConfig, createAdmin, createKafka } from './kafka/client.ts'
import { createConsumer } from './kafka/consumer.ts'
import { openProducer } from './kafka/producer.ts'
import { createReader } from './kafka/reader.ts'

const HEALTH_MS = 3_000
const METADATA_STEP_MS = 50
/** Copies of a topic where the cluster is large enough for them, and how many must have a message. */
const REPLICAS = 3
const IN_SYNC = 2

export type KafkaBusOptions = {
  /** `host:port`. Tested against Kafka 3.9; brokers of version 4 no longer speak the protocol of kafkajs (KIP-896). */
  brokers: readonly string[]
}

const configOf = ({ topic, partitions, ...spec }: TopicSpec, brokers: number): ITopicConfig => ({
  topic,
  numPartitions: partitions,
  replicationFactor: Math.min(REPLICAS, brokers),
  configEntries: [
    { name: 'cleanup.policy', value: spec.compacted ? 'compact' : 'delete' },
    { name: 'retention.ms', value: String(spec.retentionMs ?? -1) },
    { name: 'retention.bytes', value: String(spec.retentionBytes ?? -1) },
    { name: 'min.insync.replicas', value: String(brokers >= REPLICAS ? IN_SYNC : 1) },
  ],
})

/** A bus on Apache Kafka through kafkajs. Nothing is contacted before the first call. */
export const openKafkaBus = ({ clock, log }: { clock: Clock; log: Logger }, { brokers }: KafkaBusOptions): Bus => {
  const kafka = createKafka(log, brokers)
  const admin = createAdmin(kafka)
  const reader = createReader(clientConfig(log, brokers), clock)
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

  /** Brokers learn of a topic a moment after its creation was acknowledged. */
  const untilKnown = async (topic: string) => {
    for (let waited = 0; waited < CALL_MS; waited += METADATA_STEP_MS) {
      const known = await admin.partitionsOf(topic).catch(() => undefined)
      if (known !== undefined) return
      await clock.sleep(METADATA_STEP_MS)
    }
    throw unavailable(`create topic ${topic}`)
  }

  const offsets = async (topic: string): Promise<PartitionOffsets[]> => {
    await admin.partitionsOf(topic)
    const found = await admin.call('fetch offsets', (client) => client.fetchTopicOffsets(topic))
    return found
      .map(({ partition, low, high }) => ({ partition, first: BigInt(low), next: BigInt(high) }))
      .sort((a, b) => a.partition - b.partition)
  }

  /** Whether a committed message follows; the rest may be markers of transactions and aborted ones. */
  const anyFrom = async (topic: string, partition: number, from: bigint): Promise<boolean> => {
    for await (const _ of reader.read(topic, partition, from)) return true
    return false
  }

  return {
    createTopics: async (specs) => {
      alive()
      await admin.call('create topics', async (client) => {
        const existing = new Set(await client.listTopics())
        const missing = specs.filter(({ topic }) => !existing.has(topic))
        if (missing.length === 0) return
        const cluster = await client.describeCluster()
        await client.createTopics({ topics: missing.map((spec) => configOf(spec, cluster.brokers.length)) })
      })
      for (const { topic } of specs) await untilKnown(topic)
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
      const [committed] = await admin.call('fetch committed offsets', (client) =>
        client.fetchOffsets({ groupId, topics: [topic] }),
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
