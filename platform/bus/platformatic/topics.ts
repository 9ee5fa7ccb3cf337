import { ConfigResourceTypes, createTopicsV7, describeConfigsV4 } from '@platformatic/kafka'
import type { Clock } from '../../context/clock.ts'
import type { TopicDescription, TopicSpec } from '../bus.ts'
import { untilKnown } from '../topics/known.ts'
import { creationOf, descriptionOf, READ_SETTINGS } from '../topics/settings.ts'
import { CALL_MS, type Cluster, UNKNOWN_TOPIC } from './cluster.ts'
import { typeOf } from './errors.ts'
import { REQUEST_MS } from './links.ts'

/** Creates missing topics and waits until the brokers know them. */
export const createTopics = async (cluster: Cluster, clock: Clock, specs: readonly TopicSpec[]): Promise<void> => {
  await cluster.attempt({ action: 'create topics' }, async () => {
    const { topics: found, brokers } = await cluster.metadata(specs.map(({ topic }) => topic))
    const unknown = new Set(found.filter(({ errorCode }) => errorCode === UNKNOWN_TOPIC).map(({ name }) => name))
    const missing = specs.filter(({ topic }) => unknown.has(topic))
    if (missing.length === 0) return
    const link = await cluster.anyBroker()
    const topics = missing
      .map((spec) => creationOf(spec, brokers.length))
      .map(({ topic, partitions, replicas, settings }) => ({
        name: topic,
        numPartitions: partitions,
        replicationFactor: replicas,
        assignments: [],
        configs: Object.entries(settings).map(([name, value]) => ({ name, value })),
      }))
    await link.ask(createTopicsV7.api, [topics, REQUEST_MS, false]).catch((error: unknown) => {
      if (typeOf(error) !== 'TOPIC_ALREADY_EXISTS') throw error
    })
  })
  const isKnown = (topic: string) =>
    cluster.partitionsOf(topic).then(
      () => true,
      () => false,
    )
  for (const { topic } of specs) await untilKnown(clock, topic, () => isKnown(topic), CALL_MS)
}

/** Describes existing topics, in the order asked. */
export const describeTopics = async (cluster: Cluster, topics: readonly string[]): Promise<TopicDescription[]> => {
  for (const topic of topics) await cluster.partitionsOf(topic)
  return cluster.attempt({ action: 'describe topics' }, async () => {
    const metadata = await cluster.metadata(topics)
    const link = await cluster.anyBroker()
    const resources = topics.map((resourceName) => ({
      resourceType: ConfigResourceTypes.TOPIC,
      resourceName,
      configurationKeys: [...READ_SETTINGS],
    }))
    const { results } = await link.ask(describeConfigsV4.api, [resources, false, false])
    const settings = new Map(
      results.map(({ resourceName, configs }) => [
        resourceName,
        new Map(configs.map(({ name, value }) => [name, value ?? ''])),
      ]),
    )
    const copies = new Map(
      metadata.topics.map(({ name, partitions }) => [name, partitions.map(({ replicaNodes }) => replicaNodes.length)]),
    )
    return topics.map((topic) => descriptionOf(topic, copies.get(topic) ?? [], settings.get(topic) ?? new Map()))
  })
}
