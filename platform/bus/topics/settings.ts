/** Topics in Kafka's own terms: the settings to create them with, and how to read a broker's description. */
import type { TopicDescription, TopicSpec } from '../bus.ts'

/** Copies of a topic, if the cluster has that many brokers. */
export const REPLICAS = 3
/** Copies that must have a message before it counts as written. With three copies, one broker may be down. */
export const IN_SYNC = 2

/** A limit in Kafka's notation: -1 is unlimited. */
const limitText = (limit = Number.POSITIVE_INFINITY) => (Number.isFinite(limit) ? String(limit) : '-1')

/** Settings to create a topic with, in a cluster of `brokers` brokers. */
export const creationOf = ({ topic, partitions, ...spec }: TopicSpec, brokers: number) => ({
  topic,
  partitions,
  replicas: Math.min(REPLICAS, brokers),
  settings: {
    'cleanup.policy': spec.compacted ? 'compact' : 'delete',
    'retention.ms': limitText(spec.retentionMs),
    'retention.bytes': limitText(spec.retentionBytes),
    'min.insync.replicas': String(brokers >= REPLICAS ? IN_SYNC : 1),
  },
})

/** Names of the settings that `descriptionOf` reads. */
export const READ_SETTINGS = [
  'cleanup.policy',
  'retention.ms',
  'retention.bytes',
  'max.message.bytes',
  'min.insync.replicas',
  'compression.type',
] as const

/** Describes a topic from the copies of its partitions and its settings. */
export const descriptionOf = (
  topic: string,
  copies: readonly number[],
  settings: ReadonlyMap<string, string>,
): TopicDescription => {
  const policy = (settings.get('cleanup.policy') ?? 'delete').split(',').map((name) => name.trim())
  const limit = (name: string) => {
    const value = Number(settings.get(name) ?? -1)
    return value < 0 ? undefined : value
  }
  const known = {
    retentionMs: limit('retention.ms'),
    retentionBytes: limit('retention.bytes'),
    maxMessageBytes: limit('max.message.bytes'),
    minInSync: limit('min.insync.replicas'),
    compression: settings.get('compression.type'),
  }
  return {
    topic,
    partitions: copies.length,
    compacted: policy.includes('compact'),
    deletes: policy.includes('delete'),
    replicas: Math.min(...copies),
    ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)),
  }
}
