/**
 * The Bus port: an ordered, partitioned, durable log with transactions. Three implementations (`kafka.ts`,
 * `platformatic/bus.ts`, `embedded.ts`) pass one contract suite (`test/contract/bus/suite.ts`).
 */

/**
 * A message to publish. `partition` wins over `key`; without either, partitions take turns. A compacted topic needs a
 * key.
 */
export type OutgoingMessage = { key?: string; value: Buffer; headers?: Record<string, string>; partition?: number }

/**
 * A committed message as consumers and readers get it. An absent value, as other programs may write it, is an empty
 * one.
 */
export type Message = {
  topic: string
  partition: number
  offset: bigint
  key: string | undefined
  value: Buffer
  headers: Record<string, string>
  /** Milliseconds since the epoch, producer's clock. */
  timestamp: number
}

/**
 * What Assay needs of a topic: it is created so, and `topics/check.ts` compares a topic that was there before with it.
 */
export type TopicSpec = {
  topic: string
  partitions: number
  /** Keeps the newest message of each key for ever, without retention. */
  compacted?: boolean
  /** Limits of each partition; without them, or with infinite ones, messages are kept for ever. */
  retentionMs?: number
  retentionBytes?: number
}

/** What a topic is, as far as the bus knows: settings that it does not have are absent. */
export type TopicDescription = {
  topic: string
  partitions: number
  /** Whether the newest message of each key is kept, and whether messages are deleted by age or size. */
  compacted: boolean
  deletes: boolean
  /** Limits of each partition; absent where there is none. */
  retentionMs?: number
  retentionBytes?: number
  maxMessageBytes?: number
  /** Copies of the partition that has the fewest, and how many must have a message before it counts as written. */
  replicas?: number
  minInSync?: number
  /** Name of the compression that the broker applies, or `producer`. */
  compression?: string
}

/** Messages for one topic, in their order. */
export type Send = { topic: string; messages: OutgoingMessage[] }

/** Publishes messages. Of several with one transactional id only the newest can: it fences those before it. */
export type Producer = {
  /**
   * Publishes. With a transactional producer one call is one transaction over all its topics: everything or nothing.
   * A producer without an id may leave part of a failed call behind. Messages of one topic-partition keep their order, within
   * and between calls.
   * @throws RetryableError ASSAY_BUS_UNAVAILABLE when the bus did not acknowledge in time. The outcome of
   *   the call is then unknown, and a transactional producer can no longer be used: close it, open another (which
   *   completes or aborts the call), then `read` the tail. A producer without an id can still be used, but a message sent
   *   again may then exist twice.
   * @throws OperatorError ASSAY_BUS_FENCED when a newer producer has the same id, ASSAY_BUS_TOPIC_UNKNOWN;
   *   BugError ASSAY_BUS_REJECTED for a message above 1,000,000 bytes, without a key on a compacted topic, or to a
   *   partition that does not exist. Nothing was published, and the producer can still be used unless it was fenced.
   */
  send: (sends: readonly Send[]) => Promise<void>
  close: () => Promise<void>
}

/** What a consumer reads, where it begins and how much it holds in memory. */
export type ConsumerOptions = {
  groupId: string
  topics: readonly string[]
  /** Upper bound of the messages delivered at once and of those fetched ahead, in bytes. */
  maxBytes: number
  /**
   * Upper bound of one batch, in bytes. Where it is more than an equal share of `maxBytes`, partitions wait for their turn to
   * be handed larger batches.
   * @default an equal share of `maxBytes` for each partition (embedded, platformatic), `maxBytes` (kafkajs)
   */
  batchBytes?: number
  /**
   * Where to begin on a partition, asked whenever it is assigned, instead of where the group has committed; `undefined` is the
   * oldest message there is. Commits then serve lag alone. Asked again after a pause when it throws, and when the topic turns
   * out to have been created again.
   */
  position?: (topic: string, partition: number) => Promise<bigint | undefined>
}

/** Messages of one partition as a handler gets them, with the means to commit them. */
export type Batch = {
  topic: string
  partition: number
  /** Consecutive committed messages, at least one. Offsets may have gaps (aborted or control records). */
  messages: readonly Message[]
  /** Aborted when the partition is revoked or the consumer closes. */
  signal: AbortSignal
  /**
   * Commits that everything before `next` is done. The group resumes there. May be called after the handler has
   * returned, as long as the signal is not aborted.
   * @throws RetryableError ASSAY_BUS_PARTITION_LOST when another consumer took over the partition.
   */
  commit: (next: bigint) => Promise<void>
  /** Renews the membership during work that blocks the event loop for seconds. Otherwise it renews itself. */
  heartbeat: () => Promise<void>
}

/** One member of a consumer group: it owns some partitions of its topics until the group rebalances. */
export type Consumer = {
  /**
   * Delivers batches, one at a time per partition, from `position` or the group's committed offset (the beginning when there
   * is none), until closed. Only committed transactions are seen. Only the handler commits. A batch whose handler throws is
   * delivered again after a pause, without what was committed.
   */
  run: (handle: (batch: Batch) => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

/**
 * Offsets of the oldest message there still is, and of the next one to be written: equal when the partition is empty.
 */
export type PartitionOffsets = { partition: number; first: bigint; next: bigint }

/**
 * The port. Calls throw BugError ASSAY_BUS_CLOSED after `close`, and RetryableError ASSAY_BUS_UNAVAILABLE while the bus
 * is away, unless they say otherwise.
 */
export type Bus = {
  /** Creates missing topics. Existing ones are not changed, except that the embedded bus takes over limits that are given. */
  createTopics: (specs: readonly TopicSpec[]) => Promise<void>
  /** What existing topics are, in the order asked. @throws OperatorError ASSAY_BUS_TOPIC_UNKNOWN */
  describeTopics: (topics: readonly string[]) => Promise<TopicDescription[]>
  /** With a `transactionalId`, opening fences every earlier producer of that id. */
  producer: (options?: { transactionalId?: string }) => Promise<Producer>
  consumer: (options: ConsumerOptions) => Promise<Consumer>
  /**
   * Offsets of each partition, in order: `next` is where the next message will go. A sent message may show a moment later;
   * messages of a transactional id show for certain once a producer of that id was opened again.
   */
  offsets: (topic: string) => Promise<PartitionOffsets[]>
  /** Committed messages of a partition from an offset up to the current end, outside any group. */
  read: (topic: string, partition: number, from: bigint) => AsyncIterable<Message>
  /** How far the group is behind on a topic, in offsets (gaps counted); 0 exactly when it has committed every message. */
  lag: (groupId: string, topic: string) => Promise<bigint>
  /** Whether the bus answers, within a deadline. */
  healthy: () => Promise<boolean>
  close: () => Promise<void>
}
