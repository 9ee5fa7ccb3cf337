/**
 * The broker's side of the log: partitions with transactions. A transaction is appended first and committed or aborted
 * later; readers see nothing at or above the first open one. Offsets have gaps at transaction ends. Acknowledged
 * messages are never lost.
 */
import type { Message, OutgoingMessage, PartitionOffsets, Send, TopicSpec } from '../../../platform/bus/bus.ts'
import { checkSize } from '../../../platform/bus/delivery/limits.ts'
import type { Partitioner } from '../../../platform/bus/delivery/partitioner.ts'
import { fenced, rejected, unknownTopic } from '../../../platform/bus/errors.ts'

/** A `decided` open transaction will be committed in any case, but is not visible yet. */
type Transaction = { state: 'open' | 'committed' | 'aborted'; id: string; decided: boolean }
type Entry = { message: Message | undefined; transaction: Transaction | undefined }
type Partition = { entries: Entry[]; first: number; waiting: Set<() => void> }
type Topic = { id: string; spec: TopicSpec; partitions: Partition[] }

export type BusLog = {
  createTopics: (specs: readonly TopicSpec[]) => void
  /** @throws OperatorError ASSAY_BUS_TOPIC_UNKNOWN */
  topic: (name: string) => Topic
  names: () => string[]
  /** Fences producers of the id, and ends the transactions they left open. Returns the new epoch. */
  fence: (transactionalId: string) => number
  /** @throws OperatorError ASSAY_BUS_FENCED */
  checkEpoch: (transactionalId: string, epoch: number) => void
  begin: (transactionalId: string) => Transaction
  append: (topic: string, messages: readonly OutgoingMessage[], by: Partitioner, transaction?: Transaction) => void
  end: (transaction: Transaction, state: 'committed' | 'aborted') => void
  /** @throws BugError ASSAY_BUS_REJECTED */
  check: (sends: readonly Send[], by: Partitioner) => void
  offsets: (topic: string) => PartitionOffsets[]
  read: (topic: string, partition: number, from: bigint, limit?: number) => Message[]
  /** Calls back at the next change of the partition. Returns a function that cancels it. */
  onChange: (topic: string, partition: number, listener: () => void) => () => void
  /** Drops messages below an offset. */
  trim: (topic: string, partition: number, below: number) => void
  /** Called with every message that becomes visible. */
  watch: (listener: (message: Message) => void) => void
}

export const createBusLog = (now: () => number): BusLog => {
  const topics = new Map<string, Topic>()
  const epochs = new Map<string, number>()
  const open = new Map<string, Transaction>()
  const watchers: ((message: Message) => void)[] = []
  let topicIds = 0

  const topicOf = (name: string): Topic => {
    const topic = topics.get(name)
    if (!topic) throw unknownTopic(name)
    return topic
  }
  const partitionOf = (name: string, index: number): Partition => topicOf(name).partitions[index]!

  /** The offset below which every transaction is decided. */
  const stableEnd = ({ entries, first }: Partition): number => {
    if (open.size === 0) return first + entries.length
    const at = entries.findIndex((entry) => entry.transaction?.state === 'open')
    return first + (at < 0 ? entries.length : at)
  }

  const wake = (partition: Partition) => {
    const listeners = [...partition.waiting]
    partition.waiting.clear()
    for (const listener of listeners) listener()
  }

  const seen = (message: Message) => {
    for (const watcher of watchers) watcher(message)
  }

  const end = (transaction: Transaction, state: 'committed' | 'aborted') => {
    if (transaction.state !== 'open') return
    transaction.state = state
    open.delete(transaction.id)
    for (const topic of topics.values()) {
      for (const partition of topic.partitions) {
        const own = partition.entries.filter((entry) => entry.transaction === transaction)
        if (own.length === 0) continue
        if (state === 'committed') for (const { message } of own) if (message) seen(message)
        partition.entries.push({ message: undefined, transaction: undefined })
        wake(partition)
      }
    }
  }

  return {
    createTopics: (specs) => {
      for (const spec of specs) {
        if (topics.has(spec.topic)) continue
        topicIds += 1
        const partitions = Array.from(
          { length: spec.partitions },
          (): Partition => ({ entries: [], first: 0, waiting: new Set() }),
        )
        const id = `00000000-0000-4000-8000-${String(topicIds).padStart(12, '0')}`
        topics.set(spec.topic, { id, spec, partitions })
      }
    },
    topic: topicOf,
    names: () => [...topics.keys()],
    fence: (transactionalId) => {
      const left = open.get(transactionalId)
      if (left) end(left, left.decided ? 'committed' : 'aborted')
      const epoch = (epochs.get(transactionalId) ?? 0) + 1
      epochs.set(transactionalId, epoch)
      return epoch
    },
    checkEpoch: (transactionalId, epoch) => {
      if (epochs.get(transactionalId) !== epoch) throw fenced(transactionalId)
    },
    begin: (id) => {
      const before = open.get(id)
      if (before) end(before, before.decided ? 'committed' : 'aborted')
      const transaction: Transaction = { state: 'open', id, decided: false }
      open.set(id, transaction)
      return transaction
    },
    append: (name, messages, by, transaction) => {
      const topic = topicOf(name)
      for (const message of messages) {
        const index = by(message, topic.partitions.length)
        const partition = topic.partitions[index]!
        const stored: Message = {
          topic: name,
          partition: index,
          offset: BigInt(partition.first + partition.entries.length),
          key: message.key,
          value: message.value,
          headers: message.headers ?? {},
          timestamp: now(),
        }
        partition.entries.push({ message: stored, transaction })
        if (!transaction) {
          seen(stored)
          wake(partition)
        }
      }
    },
    end,
    check: (sends, by) => {
      for (const { topic, messages } of sends) {
        const { spec, partitions } = topicOf(topic)
        for (const message of messages) {
          checkSize(topic, message)
          if (message.partition !== undefined && by(message, partitions.length) >= partitions.length)
            throw rejected(topic, `it has no partition ${message.partition}`)
          if (spec.compacted && message.key === undefined) throw rejected(topic, 'a compacted topic needs keys')
        }
      }
    },
    offsets: (name) =>
      topicOf(name).partitions.map((one, partition) => ({
        partition,
        first: BigInt(one.first),
        next: BigInt(stableEnd(one)),
      })),
    read: (name, index, from, limit = Number.POSITIVE_INFINITY) => {
      const partition = partitionOf(name, index)
      const end = stableEnd(partition)
      const messages: Message[] = []
      for (let offset = Math.max(Number(from), partition.first); offset < end && messages.length < limit; offset += 1) {
        const entry = partition.entries[offset - partition.first]
        if (entry?.message && entry.transaction?.state !== 'aborted') messages.push(entry.message)
      }
      return messages
    },
    onChange: (name, index, listener) => {
      const { waiting } = partitionOf(name, index)
      waiting.add(listener)
      return () => waiting.delete(listener)
    },
    trim: (name, index, below) => {
      const partition = partitionOf(name, index)
      const count = Math.min(below, stableEnd(partition)) - partition.first
      if (count <= 0) return
      partition.entries.splice(0, count)
      partition.first += count
    },
    watch: (listener) => watchers.push(listener),
  }
}
