/**
 * The Bus port: an ordered, partitioned, durable log with transactions. Two implementations (`kafka.ts`,
 * `embedded.ts`) pass one contract suite (`test/contract/bus.suite.ts`).
 */

export type OutgoingMessage = { key?: string; value: Buffer; headers?: Record<string, string>; partition?: number }

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

export type TopicSpec = {
  topic: string
  partitions: number
  compacted?: boolean
  retentionMs?: number
  retentionBytes?: number
}

export type Send = { topic: string; messages: OutgoingMessage[] }

export type Producer = {
  /**
   * Publishes everything or nothing. A transactional producer makes one call one transaction, over all its topics.
   * Messages of one topic-partition keep their order, within and between calls.
   * @throws RetryableError ASSAY_BUS_UNAVAILABLE when the bus did not acknowledge in time: what became of the call is
   *   then unknown, and `read` tells. @throws OperatorError ASSAY_BUS_FENCED when a newer producer has the same id.
   */
  send: (sends: readonly Send[]) => Promise<void>
  close: () => Promise<void>
}

export type ConsumerOptions = {
  groupId: string
  topics: readonly string[]
  /** Upper bound of the messages handed over at once and of what is fetched ahead, in bytes. */
  maxBytes: number
}

export type Batch = {
  topic: string
  partition: number
  /** Consecutive committed messages, at least one. Offsets may have gaps (aborted or control records). */
  messages: readonly Message[]
  /** Aborted when the partition is taken away or the consumer closes. */
  signal: AbortSignal
  /** Remembers that everything before `next` is done. The group resumes there. */
  commit: (next: bigint) => Promise<void>
  /** Keeps the membership alive during long work. */
  heartbeat: () => Promise<void>
}

export type Consumer = {
  /**
   * Hands over batches, one at a time per partition, from the group's committed offset (the beginning when there is
   * none), until closed. Only committed transactions are seen. Nothing is committed unless the handler does. A batch
   * whose handler throws is delivered again after a pause, as is all of it that was not committed.
   */
  run: (handle: (batch: Batch) => Promise<void>) => Promise<void>
  close: () => Promise<void>
}

export type PartitionOffsets = { partition: number; first: bigint; next: bigint }

export type Bus = {
  /** Creates what is missing; existing topics stay as they are. */
  createTopics: (specs: readonly TopicSpec[]) => Promise<void>
  /** With a `transactionalId`, opening fences every earlier producer of that id. */
  producer: (options?: { transactionalId?: string }) => Promise<Producer>
  consumer: (options: ConsumerOptions) => Promise<Consumer>
  /** Offsets of each partition: `next` is where the next message will go. */
  offsets: (topic: string) => Promise<PartitionOffsets[]>
  /** Committed messages of a partition from an offset up to the end as it is now, outside any group. */
  read: (topic: string, partition: number, from: bigint) => AsyncIterable<Message>
  /** Messages the group has not committed yet, by topic. */
  lag: (groupId: string, topic: string) => Promise<bigint>
  /** Whether the bus answers, within a deadline. */
  healthy: () => Promise<boolean>
  close: () => Promise<void>
}
