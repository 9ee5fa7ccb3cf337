import { createHash } from 'node:crypto'
import type { Clock } from '../../context/clock.ts'
import type { Message, OutgoingMessage, PartitionOffsets, Send, TopicSpec } from '../bus.ts'
import { checkSize } from '../delivery/limits.ts'
import type { Partitioner } from '../delivery/partitioner.ts'
import { fenced, rejected, unknownTopic } from '../errors.ts'
import type { BusDatabase, PartitionState, TopicState } from './database.ts'
import { decodeFrame, encodeFrame, frameTime, logKey, offsetOf } from './frame.ts'

/** Old records a send removes on top of the number it adds, so that retention keeps pace without blocking a writer. */
const TRIM_STEP = 64

/** Maximum number of records fetched at once, so that many small ones do not block the event loop. */
const MAX_FETCHED = 10_000

/** A producer's rank among all of its id. `epoch` is the stored epoch at its opening. */
export type Identity = { transactionalId: string; epoch: number }

/** The topics of one database: appending, reading, retention. No groups here. */
export type Log = {
  createTopics: (specs: readonly TopicSpec[]) => Promise<void>
  /** @throws OperatorError ASSAY_BUS_TOPIC_UNKNOWN */
  topic: (name: string) => TopicState
  identify: (transactionalId: string) => Promise<Identity>
  /** One transaction. @throws OperatorError ASSAY_BUS_FENCED, BugError ASSAY_BUS_REJECTED */
  append: (sends: readonly Send[], partition: Partitioner, identity: Identity | undefined) => Promise<void>
  offsets: (topic: string) => PartitionOffsets[]
  /** Records from an offset on, below `end`. Stops at `maxBytes`, but returns at least one. */
  fetch: (topic: string, partition: number, from: number, maxBytes: number, end?: number) => Message[]
}

type Entry = { state: TopicState; topic: string; partition: number; key: string | undefined; frame: Buffer }

const digest = (key: string) => createHash('sha1').update(key).digest('base64')

/**
 * The log of an open database. Topics are cached: a limit changed by another thread applies only to topics that this
 * thread has not used yet.
 */
export const createLog = (db: BusDatabase, clock: Clock): Log => {
  const cache = new Map<string, TopicState>()

  const topicOf = (name: string): TopicState => {
    const known = cache.get(name) ?? db.topics.get(name)
    if (!known) throw unknownTopic(name)
    cache.set(name, known)
    return known
  }

  const stateOf = (topicId: number, partition: number): PartitionState =>
    db.partitions.get([topicId, partition]) ?? { first: 0, next: 0, bytes: 0 }

  const drop = (topicId: number, partition: number, offset: number, state: PartitionState) => {
    const key = logKey(topicId, partition, offset)
    state.bytes -= db.records.get(key)?.length ?? 0
    db.records.remove(key)
  }

  /** Inside a write transaction: removes the oldest records beyond retention, at most `limit`. */
  const trim = (topic: TopicState, partition: number, state: PartitionState, limit: number) => {
    const oldest = clock.now() - (topic.retentionMs ?? Number.POSITIVE_INFINITY)
    const maxBytes = topic.retentionBytes ?? Number.POSITIVE_INFINITY
    if (topic.compacted || (state.bytes <= maxBytes && oldest === Number.NEGATIVE_INFINITY)) return
    for (let removed = 0; removed < limit && state.first < state.next - 1; removed += 1) {
      const record = db.records.get(logKey(topic.id, partition, state.first))
      if (record && state.bytes <= maxBytes && frameTime(record) >= oldest) return
      drop(topic.id, partition, state.first, state)
      state.first += 1
    }
  }

  /** Inside a write transaction. */
  const appendRun = (topic: TopicState, partition: number, entries: readonly Entry[]) => {
    const state = stateOf(topic.id, partition)
    for (const { key, frame } of entries) {
      if (topic.compacted && key !== undefined) {
        const newestKey: [number, number, string] = [topic.id, partition, digest(key)]
        const older = db.newest.get(newestKey)
        if (older !== undefined) drop(topic.id, partition, older, state)
        db.newest.put(newestKey, state.next)
      }
      db.records.put(logKey(topic.id, partition, state.next), frame)
      state.next += 1
      state.bytes += frame.length
    }
    trim(topic, partition, state, entries.length + TRIM_STEP)
    db.partitions.put([topic.id, partition], state)
  }

  const prepare = (topic: string, message: OutgoingMessage, partitioner: Partitioner): Entry => {
    const state = topicOf(topic)
    checkSize(topic, message)
    const partition = partitioner(message, state.partitions)
    if (partition < 0 || partition >= state.partitions)
      throw rejected(topic, `it has no partition ${partition}, only ${state.partitions}`)
    if (state.compacted && message.key === undefined) throw rejected(topic, 'a compacted topic needs keys')
    return { state, topic, partition, key: message.key, frame: encodeFrame(message, clock.now()) }
  }

  return {
    topic: topicOf,
    createTopics: (specs) =>
      db.write(() => {
        let id = db.topics.getKeysCount()
        for (const { topic, partitions, compacted, retentionMs, retentionBytes } of specs) {
          const known = db.topics.get(topic)
          if (known) {
            const limits = { ...(retentionMs && { retentionMs }), ...(retentionBytes && { retentionBytes }) }
            if (retentionMs || retentionBytes) db.topics.put(topic, { ...known, ...limits })
            cache.delete(topic)
            continue
          }
          db.topics.put(topic, { id, partitions, compacted: compacted ?? false, retentionMs, retentionBytes })
          id += 1
        }
      }),
    identify: (transactionalId) =>
      db.write(() => {
        const epoch = (db.producers.get(transactionalId) ?? 0) + 1
        db.producers.put(transactionalId, epoch)
        return { transactionalId, epoch }
      }),
    append: async (sends, partitioner, identity) => {
      const runs = new Map<string, Entry[]>()
      for (const { topic, messages } of sends)
        for (const message of messages) {
          const entry = prepare(topic, message, partitioner)
          const name = `${entry.state.id}:${entry.partition}`
          const run = runs.get(name)
          if (run) run.push(entry)
          else runs.set(name, [entry])
        }
      const written = await db.write(() => {
        if (identity && db.producers.get(identity.transactionalId) !== identity.epoch) return false
        for (const run of runs.values()) if (run[0]) appendRun(run[0].state, run[0].partition, run)
        return true
      })
      if (!written && identity) throw fenced(identity.transactionalId)
    },
    offsets: (name) => {
      const topic = topicOf(name)
      return Array.from({ length: topic.partitions }, (_, partition) => {
        const { first, next } = stateOf(topic.id, partition)
        return { partition, first: BigInt(first), next: BigInt(next) }
      })
    },
    fetch: (name, partition, from, maxBytes, end = 2 ** 52) => {
      const { id } = topicOf(name)
      const messages: Message[] = []
      let bytes = 0
      for (const { key, value } of db.records.getRange({
        start: logKey(id, partition, from),
        end: logKey(id, partition, end),
      })) {
        bytes += value.length
        if (messages.length > 0 && (bytes > maxBytes || messages.length >= MAX_FETCHED)) break
        messages.push(decodeFrame(value, { topic: name, partition, offset: offsetOf(key) }))
      }
      return messages
    },
  }
}
