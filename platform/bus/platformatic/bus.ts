import type { Clock } from '../../context/clock.ts'
import type { Logger } from '../../context/log.ts'
import type { KafkaAccess } from '../access/access.ts'
import { type ApiVersionRange, createAccessCheck } from '../access/check.ts'
import type { Bus } from '../bus.ts'
import { openSender } from '../delivery/sender.ts'
import { closed } from '../errors.ts'
import { createCluster } from './cluster.ts'
import { createConsumer } from './consumer.ts'
import { committedOf, offsetsOf } from './offsets.ts'
import { openPublisher } from './publisher.ts'
import { readPartition } from './reader.ts'
import { createTopics, describeTopics } from './topics.ts'

const HEALTH_MS = 3_000

/** The version of each API that this client uses; Kafka 3.0 and later have them all, including Kafka 4. */
const API_VERSIONS: readonly ApiVersionRange[] = (
  [
    ['Produce', 0, 9],
    ['Fetch', 1, 12],
    ['ListOffsets', 2, 6],
    ['Metadata', 3, 9],
    ['OffsetCommit', 8, 8],
    ['OffsetFetch', 9, 8],
    ['FindCoordinator', 10, 4],
    ['JoinGroup', 11, 6],
    ['Heartbeat', 12, 4],
    ['LeaveGroup', 13, 4],
    ['SyncGroup', 14, 4],
    ['CreateTopics', 19, 7],
    ['InitProducerId', 22, 4],
    ['AddPartitionsToTxn', 24, 3],
    ['EndTxn', 26, 3],
    ['DescribeConfigs', 32, 4],
  ] as const
).map(([api, key, version]) => ({ api, key, min: version, max: version }))

/**
 * A bus on Apache Kafka through the protocol layer of @platformatic/kafka 1.35, tested with 3.9 and 4.3. Nothing is
 * contacted before the first call. The library's own producer, consumer and streams are not used:
 * docs/adr/0011-second-kafka-client.md lists what they lack.
 */
export const openPlatformaticBus = ({ clock, log }: { clock: Clock; log: Logger }, access: KafkaAccess): Bus => {
  const cluster = createCluster(access, clock, createAccessCheck(access, 'platformatic', API_VERSIONS))
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

  /** Whether a committed message follows. The offsets may hold only transaction markers and aborted messages. */
  const anyFrom = async (topic: string, partition: number, from: bigint): Promise<boolean> => {
    for await (const _ of readPartition(cluster, clock, topic, partition, from)) return true
    return false
  }

  return {
    createTopics: async (specs) => {
      alive()
      await createTopics(cluster, clock, specs)
    },
    describeTopics: async (topics) => {
      alive()
      return describeTopics(cluster, topics)
    },
    producer: async ({ transactionalId } = {}) => {
      alive()
      const open = () => openPublisher(cluster, transactionalId)
      const { partitionsOf } = cluster
      return keep(await openSender({ open, partitionsOf, transactional: transactionalId !== undefined }))
    },
    consumer: async (options) => {
      alive()
      for (const topic of options.topics) await cluster.partitionsOf(topic)
      return keep(createConsumer({ cluster, clock, log }, options))
    },
    offsets: async (topic) => {
      alive()
      return offsetsOf(cluster, topic)
    },
    read: (topic, partition, from) => {
      alive()
      return readPartition(cluster, clock, topic, partition, from)
    },
    lag: async (groupId, topic) => {
      alive()
      const ends = await offsetsOf(cluster, topic)
      const numbers = ends.map(({ partition }) => partition)
      const done = await cluster.attempt({ action: 'fetch committed offsets', topic }, () =>
        committedOf(cluster, groupId, topic, numbers),
      )
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
      const ask = cluster.attempt({ action: 'answer' }, () => cluster.metadata([]), HEALTH_MS)
      return ask.then(({ brokers }) => brokers.length > 0).catch(() => false)
    },
    close: async () => {
      if (ended) return
      ended = true
      await Promise.all([...open].map((part) => part.close()))
      cluster.close()
    },
  }
}
