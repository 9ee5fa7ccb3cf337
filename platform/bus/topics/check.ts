/**
 * Compares existing topics with what Assay needs. Settings that lose, reorder or refuse messages stop the start.
 * All others are warnings.
 */

import type { Logger } from '../../context/log.ts'
import { OperatorError } from '../../errors.ts'
import type { Bus, TopicDescription, TopicSpec } from '../bus.ts'
import { MAX_RECORD_BYTES } from '../delivery/limits.ts'
import { IN_SYNC, REPLICAS } from './settings.ts'

/** Framing of a record batch with one message, rounded up. */
const FRAME_BYTES = 500
/** Compressions that every client can read: kafkajs only supports gzip. */
const READABLE = new Set(['producer', 'gzip', 'uncompressed'])

type Problem = { dangerous: boolean; text: string }

const danger = (text: string): Problem => ({ dangerous: true, text })
const concern = (text: string): Problem => ({ dangerous: false, text })

const duration = (ms: number) => (ms % 3_600_000 === 0 ? `${ms / 3_600_000} h` : `${ms} ms`)

/** Problems of retention. A topic without limits holds blocks; once deleted, they cannot be restored in this order. */
const retentionProblems = (spec: TopicSpec, found: TopicDescription): Problem[] => {
  if (spec.compacted)
    return found.compacted
      ? found.deletes && found.retentionMs !== undefined
        ? [concern('cleanup.policy=compact,delete also deletes the newest record of a key; set it to compact')]
        : []
      : [concern('cleanup.policy=delete keeps old records of a key and deletes all records in time; set it to compact')]
  const problems: Problem[] = []
  if (found.compacted) problems.push(danger('cleanup.policy=compact drops messages with equal keys; set it to delete'))
  if (!found.deletes) return problems
  const forEver = !Number.isFinite(spec.retentionMs ?? Number.POSITIVE_INFINITY)
  const severe = forEver ? danger : concern
  if (spec.retentionBytes === undefined && found.retentionBytes !== undefined)
    problems.push(severe(`retention.bytes=${found.retentionBytes} deletes messages; set it to -1`))
  if (forEver && found.retentionMs !== undefined)
    problems.push(danger(`retention.ms=${found.retentionMs} deletes messages; set it to -1`))
  if (!forEver && spec.retentionMs !== undefined && found.retentionMs !== spec.retentionMs) {
    const kept = found.retentionMs === undefined ? 'for ever' : duration(found.retentionMs)
    problems.push(
      concern(
        `messages are kept for ${kept} instead of ${duration(spec.retentionMs)}; set retention.ms=${spec.retentionMs}`,
      ),
    )
  }
  return problems
}

const partitionProblems = (spec: TopicSpec, found: TopicDescription): Problem[] => {
  if (spec.partitions === 1 && found.partitions > 1)
    return [
      danger(
        `it has ${found.partitions} partitions, but only a single partition keeps the order of messages; recreate it with 1`,
      ),
    ]
  if (found.partitions < spec.partitions)
    return [concern(`it has ${found.partitions} partitions, so ${spec.partitions} processes cannot share its work`)]
  return []
}

const copyProblems = (found: TopicDescription, brokers: number): Problem[] => {
  const { replicas, minInSync } = found
  if (replicas === undefined || minInSync === undefined) return []
  if (minInSync > replicas)
    return [danger(`min.insync.replicas=${minInSync} with ${replicas} replicas rejects every message; lower it`)]
  if (brokers < REPLICAS) return []
  const problems: Problem[] = []
  if (replicas < REPLICAS) problems.push(concern(`it has ${replicas} of ${REPLICAS} replicas`))
  if (minInSync < IN_SYNC && replicas > 1)
    problems.push(concern(`min.insync.replicas=${minInSync} loses messages with one broker; set it to ${IN_SYNC}`))
  return problems
}

const sizeProblems = ({ maxMessageBytes: maxBytes, compression }: TopicDescription): Problem[] => {
  const problems: Problem[] = []
  const needed = MAX_RECORD_BYTES + FRAME_BYTES
  if (maxBytes !== undefined && maxBytes < needed)
    problems.push(danger(`max.message.bytes=${maxBytes} rejects large blocks; set it to ${needed} or more`))
  if (compression !== undefined && !READABLE.has(compression))
    problems.push(danger(`compression.type=${compression} cannot be read back; set it to producer`))
  return problems
}

/** Problems of a topic, in a cluster of `brokers` brokers. */
export const topicProblems = (spec: TopicSpec, found: TopicDescription, brokers: number): Problem[] => [
  ...partitionProblems(spec, found),
  ...retentionProblems(spec, found),
  ...copyProblems(found, brokers),
  ...sizeProblems(found),
]

/**
 * Checks existing topics against their specs. Logs harmless differences in one warning.
 * @throws OperatorError ASSAY_BUS_TOPIC_UNFIT naming every dangerous setting of every topic.
 */
export const checkTopics = async (bus: Bus, specs: readonly TopicSpec[], log: Logger): Promise<void> => {
  const found = await bus.describeTopics(specs.map(({ topic }) => topic))
  const brokers = Math.max(1, ...found.map(({ replicas }) => replicas ?? 1))
  const problems = specs.flatMap((spec, index) => {
    const topic = found[index]
    return topic ? topicProblems(spec, topic, brokers).map((problem) => ({ ...problem, topic: spec.topic })) : []
  })
  const named = (dangerous: boolean) =>
    problems.filter((problem) => problem.dangerous === dangerous).map(({ topic, text }) => `${topic}: ${text}`)
  const [refused, concerns] = [named(true), named(false)]
  if (refused.length > 0)
    throw new OperatorError(
      'ASSAY_BUS_TOPIC_UNFIT',
      `Existing topics would lose, reorder or reject messages. ${refused.join('. ')}. Nothing was started.`,
    )
  if (concerns.length > 0) log.warn({ topics: concerns }, 'existing topics differ from what Assay would create')
}
