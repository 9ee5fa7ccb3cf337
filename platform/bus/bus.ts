/**
 * The Bus port: an ordered, partitioned, durable log with transactions. Three implementations (`kafka.ts`,
 * `platformatic/bus.ts`, `embedded.ts`) pass one contract suite (`test/contract/bus/suite.ts`).
 */

/** A message to publish. `partition` overrides `key`; without either, partitions take turns. Compacted topics require a key. */
export type OutgoingMessage = { key?: string; value: Buffer; headers?: Record<string, string>; partition?: number }

/** A committed message as consumers and readers get it. A missing value, which other programs may write, becomes an empty one. */
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

/** Specification of a topic. Topics are created from it, and `topics/check.ts` compares existing topics with it. */
export type TopicSpec = {
  topic: string
  partitions: number
  /** Keeps the newest message of each key for ever, without retention. */
  compacted?: boolean
  /** Limits of each partition; without them, or with infinite ones, messages are kept for ever. */
  retentionMs?: number
  retentionBytes?: number
}

/** Properties of an existing topic. Settings that the bus does not have are absent. */
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
  /** Copies of the partition with the fewest copies, and how many must have a message before it counts as written. */
  replicas?: number
  minInSync?: number
  /** Name of the compression that the broker applies, or `producer`. */
  compression?: string
}

/** Messages for one topic, in their order. */
export type Send = { topic: string; messages: OutgoingMessage[] }

/** Publishes messages. A new producer fences the earlier ones with the same transactional id. */
export type Producer = {
  /**
   * Publishes. With a transactional producer, a call is one transaction over all its topics: all or nothing. A producer
   * without an id may leave part of a failed call behind. Messages of a topic-partition keep their order within and
   * between calls.
   * @throws RetryableError ASSAY_BUS_UNAVAILABLE when the bus did not acknowledge in time. The outcome is then unknown.
   *   A transactional producer is no longer usable: close it, open another (which completes or aborts the call), then
   *   `read` the tail. A producer without an id stays usable, but a message sent again may exist twice.
   * @throws OperatorError ASSAY_BUS_FENCED when a newer producer has the same id, ASSAY_BUS_TOPIC_UNKNOWN;
   *   BugError ASSAY_BUS_REJECTED for a message above 1,000,000 bytes, without a key on a compacted topic, or to a
   *   partition that does not exist. Nothing was published, and the producer stays usable unless it was fenced.
   */
  send: (sends: readonly Send[]) => Promise<void>
  close: () => Promise<void>
}

/** What a consumer reads, where it starts and how much it holds in memory. */
export type ConsumerOptions = {
  groupId: string
  topics: readonly string[]
  /** Maximum total size of delivered and prefetched messages, in bytes. */
  maxBytes: number
  /**
   * Maximum size of one batch, in bytes. If it exceeds an equal share of `maxBytes`, partitions take turns.
   * @default an equal share of `maxBytes` for each partition (embedded, platformatic), `maxBytes` (kafkajs)
   */
  batchBytes?: number
  /**
   * Start offset of a partition, asked at every assignment. It overrides the committed offset; `undefined` means the
   * oldest message. Commits then only serve to measure lag. Asked again after a pause when it throws, and when the topic
   * was created again.
   */
  position?: (topic: string, partition: number) => Promise<bigint | undefined>
}

/** Messages of one partition, as handlers receive them. */
export type Batch = {
  topic: string
  partition: number
  /** Consecutive committed messages, at least one. Offsets may have gaps (aborted or control records). */
  messages: readonly Message[]
  /** Aborted when the partition is revoked or the consumer closes. */
  signal: AbortSignal
  /**
   * Commits everything before `next`. The group resumes there. May be called after the handler has returned, until the
   * signal is aborted.
   * @throws RetryableError ASSAY_BUS_PARTITION_LOST when another consumer took over the partition.
   */
  commit: (next: bigint) => Promise<void>
  /** Keeps the membership alive during work that blocks the event loop for seconds. Not needed otherwise. */
  heartbeat: () => Promise<void>
}

/** One member of a consumer group: it owns some partitions of its topics until the group rebalances. */
export type Consumer = {
  /**
   * Delivers batches until closed, one at a time per partition, from `position` or the group's committed offset (the
   * oldest message if there is none). Only messages of committed transactions are delivered. Only the handler commits.
   * When it throws, the batch is delivered again after a pause, without the committed messages.
   */
  run: (handle: (batch: Batch) => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

/** Offsets of the oldest message, and of the next one to be written. Equal when the partition is empty. */
export type PartitionOffsets = { partition: number; first: bigint; next: bigint }

/**
 * The port. Unless stated otherwise, calls throw BugError ASSAY_BUS_CLOSED after `close`, and RetryableError
 * ASSAY_BUS_UNAVAILABLE while the bus does not answer.
 */
export type Bus = {
  /** Creates missing topics. Existing topics stay unchanged, except that the embedded bus adopts the given limits. */
  createTopics: (specs: readonly TopicSpec[]) => Promise<void>
  /** Describes existing topics, in the order asked. @throws OperatorError ASSAY_BUS_TOPIC_UNKNOWN */
  describeTopics: (topics: readonly string[]) => Promise<TopicDescription[]>
  /** With a `transactionalId`, opening fences every earlier producer of that id. */
  producer: (options?: { transactionalId?: string }) => Promise<Producer>
  consumer: (options: ConsumerOptions) => Promise<Consumer>
  /**
   * Offsets of each partition, in order. A sent message may appear a moment later; messages of a transactional id are
   * certain to appear once another producer of that id is open.
   */
  offsets: (topic: string) => Promise<PartitionOffsets[]>
  /** Committed messages of a partition from an offset up to the current end, outside any group. */
  read: (topic: string, partition: number, from: bigint) => AsyncIterable<Message>
  /** The group's lag on a topic, in offsets (gaps counted); 0 exactly when every message is committed. */
  lag: (groupId: string, topic: string) => Promise<bigint>
  /** Whether the bus answers, within a deadline. */
  healthy: () => Promise<boolean>
  close: () => Promise<void>
}
