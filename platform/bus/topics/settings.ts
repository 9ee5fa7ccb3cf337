/** Topics in Kafka's own terms: what they are created with, and what a broker's answer about them means. */
import type { TopicDescription, TopicSpec } from '../bus.ts'

/** Copies of a topic, where the cluster has brokers for them. */
export const REPLICAS = 3
/** Copies that must have a message before it counts as written: with three, one broker may be away. */
export const IN_SYNC = 2

/** A limit as Kafka writes it, where -1 is none. */
const limitText = (limit = Number.POSITIVE_INFINITY) => (Number.isFinite(limit) ? String(limit) : '-1')

/** What a topic is created with in a cluster of so many brokers. */
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

/** A topic as its partitions' numbers of copies and its settings describe it. */
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
