import type { Clock } from '../../context/clock.ts'
import type { TopicDescription, TopicSpec } from '../bus.ts'
import { untilKnown } from '../topics/known.ts'
import { creationOf, descriptionOf, READ_SETTINGS } from '../topics/settings.ts'
import { type AdminClient, CALL_MS } from './client.ts'

/** Resource type of topics in the protocol. */
const TOPIC_RESOURCE = 2

/** Creates and describes topics. */
export type Topics = {
  create: (specs: readonly TopicSpec[]) => Promise<void>
  describe: (topics: readonly string[]) => Promise<TopicDescription[]>
}

/**
 * Uses the shared admin connection. `create` resolves once the leaders of all partitions answer, so that the topics can be
 * used at once.
 * @throws RetryableError ASSAY_BUS_UNAVAILABLE when they do not answer within `CALL_MS`
 */
export const createTopics = (admin: AdminClient, clock: Clock): Topics => {
  const isKnown = async (topic: string): Promise<boolean> => {
    try {
      await admin.partitionsOf(topic)
      await admin.call('fetch offsets', (client) => client.fetchTopicOffsets(topic))
      return true
    } catch {
      return false
    }
  }
  return {
    create: async (specs) => {
      await admin.call('create topics', async (client) => {
        const existing = new Set(await client.listTopics())
        const missing = specs.filter(({ topic }) => !existing.has(topic))
        if (missing.length === 0) return
        const { brokers } = await client.describeCluster()
        const topics = missing
          .map((spec) => creationOf(spec, brokers.length))
          .map(({ topic, partitions, replicas, settings }) => ({
            topic,
            numPartitions: partitions,
            replicationFactor: replicas,
            configEntries: Object.entries(settings).map(([name, value]) => ({ name, value })),
          }))
        // With waitForLeaders, kafkajs asks any broker at once, and fails if that one does not know the topic yet.
        await client.createTopics({ topics, waitForLeaders: false })
      })
      for (const { topic } of specs) await untilKnown(clock, topic, () => isKnown(topic), CALL_MS)
    },
    describe: async (topics) => {
      for (const topic of topics) await admin.partitionsOf(topic)
      return admin.call('describe topics', async (client) => {
        const metadata = await client.fetchTopicMetadata({ topics: [...topics] })
        const { resources } = await client.describeConfigs({
          includeSynonyms: false,
          resources: topics.map((name) => ({ type: TOPIC_RESOURCE, name, configNames: [...READ_SETTINGS] })),
        })
        const settings = new Map(
          resources.map(({ resourceName, configEntries }) => [
            resourceName,
            new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
          ]),
        )
        const copies = new Map(
          metadata.topics.map(({ name, partitions }) => [name, partitions.map(({ replicas }) => replicas.length)]),
        )
        return topics.map((topic) => descriptionOf(topic, copies.get(topic) ?? [], settings.get(topic) ?? new Map()))
      })
    },
  }
}
