/** Detects that a topic was deleted and created again while being written: its end moved back. */
import type { Bus } from '../../platform/bus/bus.ts'
import { isAssayError, RetryableError } from '../../platform/errors.ts'
import type { Network } from '../../schema/networks.ts'
import { topics } from '../../schema/topics.ts'

/** Error code after which the topics are read again before anything is published. */
export const TOPIC_RESET = 'ASSAY_INDEXER_TOPIC_RESET'

/** The topic was replaced while being written. */
export const topicReset = (topic: string, cause?: unknown) =>
  new RetryableError(
    TOPIC_RESET,
    `Topic ${topic} was deleted or recreated during a write. Nothing more was published to it. The indexer reads the topics again and publishes the missing blocks.`,
    { cause },
  )

/** Whether the error means that a topic does not exist. */
export const isTopicUnknown = (error: unknown): boolean =>
  isAssayError(error) && error.code === 'ASSAY_BUS_TOPIC_UNKNOWN'

/** Checks the two topics of a network between steps of the loop. */
export type TopicEnds = {
  /** @throws RetryableError ASSAY_INDEXER_TOPIC_RESET when a topic's end is below that of the last check. */
  check: () => Promise<void>
  /** Forgets the ends, after the topics were read again. */
  clear: () => void
}

/** The first check always passes. Each check asks the bus for the offsets of both topics. */
export const createTopicEnds = (bus: Bus, network: Network): TopicEnds => {
  const seen = new Map<string, bigint>()

  const endOf = async (topic: string): Promise<bigint> => {
    try {
      return (await bus.offsets(topic)).reduce((sum, { next }) => sum + next, 0n)
    } catch (error) {
      if (isTopicUnknown(error)) return -1n
      throw error
    }
  }

  return {
    check: async () => {
      for (const topic of [topics.history(network), topics.head(network)]) {
        const end = await endOf(topic)
        if (end < (seen.get(topic) ?? 0n)) throw topicReset(topic)
        seen.set(topic, end)
      }
    },
    clear: () => seen.clear(),
  }
}
