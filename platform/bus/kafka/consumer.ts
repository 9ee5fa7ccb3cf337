import type { EachBatchPayload, Kafka, Consumer as KafkaConsumer } from 'kafkajs'
import type { Clock } from '../../context/clock.ts'
import type { Logger } from '../../context/log.ts'
import { messageOf } from '../../errors.ts'
import type { Batch, Bus, Consumer, ConsumerOptions } from '../bus.ts'
import { deliver } from '../delivery/deliver.ts'
import { runsOf } from '../delivery/limits.ts'
import { closed, partitionLost } from '../errors.ts'
import { CALL_MS, KAFKA_LIMITS } from './client.ts'
import { meansLost, within } from './errors.ts'
import { messageFrom } from './message.ts'
import { createStart, type Place } from './start.ts'

const HEARTBEAT_MS = 1_000
const SESSION_MS = 10_000
/** Partitions of one consumer handled at a time. */
const CONCURRENCY = 8
/** How far gzip shrinks rows of JSON lines: the broker counts compressed bytes, `maxBytes` counts uncompressed ones. */
const COMPRESSION_RATIO = 4
const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 10_000

/** An assigned partition, from one rebalance to the next. */
type Hold = { abort: AbortController; place: Place | undefined }

type ConsumerDeps = { kafka: Kafka; clock: Clock; log: Logger } & Pick<Bus, 'offsets' | 'read'>

/**
 * A consumer is a sequence of sessions: kafkajs consumers, each of which runs until it crashes or is closed. kafkajs's own
 * restarts are off, because they cover only some errors and give up silently.
 * Within a session, partitions are held from one rebalance to the next; then every hold is aborted (eager protocol).
 */
export const createConsumer = (
  { kafka, clock, log, offsets, read }: ConsumerDeps,
  { groupId, topics, maxBytes, batchBytes = maxBytes, position }: ConsumerOptions,
): Consumer => {
  const stop = new AbortController()
  let running: Promise<void> | undefined

  const connect = async (): Promise<KafkaConsumer> => {
    const fetchBytes = Math.max(Math.floor(maxBytes / COMPRESSION_RATIO), 1_000)
    const consumer = kafka.consumer({
      groupId,
      maxBytes: fetchBytes,
      maxBytesPerPartition: fetchBytes,
      minBytes: 1,
      maxWaitTimeInMs: 500,
      sessionTimeout: SESSION_MS,
      heartbeatInterval: HEARTBEAT_MS,
      rebalanceTimeout: 60_000,
      readUncommitted: false,
      allowAutoTopicCreation: false,
      retry: { ...KAFKA_LIMITS.retry, restartOnFailure: async () => false },
    })
    try {
      await consumer.connect()
      await consumer.subscribe({ topics: [...topics], fromBeginning: true })
      return consumer
    } catch (error) {
      await consumer.disconnect().catch(() => {})
      throw error
    }
  }

  const session = async (consumer: KafkaConsumer, handle: (batch: Batch) => Promise<void>): Promise<void> => {
    const holds = new Map<string, Hold>()
    const start = position && createStart({ consumer, clock, log, offsets, read, position })
    const releaseAll = (reason: string) => {
      for (const { abort } of holds.values()) abort.abort(new Error(reason))
      holds.clear()
    }
    const holdOf = (topic: string, partition: number): Hold => {
      const name = `${topic}/${partition}`
      const known = holds.get(name)
      if (known) return known
      const abort = new AbortController()
      const hold = { abort, place: start?.(topic, partition, abort.signal) }
      holds.set(name, hold)
      return hold
    }
    consumer.on(consumer.events.REBALANCING, () => releaseAll('the group rebalances'))
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      releaseAll('the group has rebalanced')
      for (const [topic, partitions] of Object.entries(payload.memberAssignment))
        for (const partition of partitions) holdOf(topic, partition)
    })
    const crashed = new Promise<never>((_, reject) => {
      consumer.on(consumer.events.CRASH, ({ payload }) => reject(payload.error))
    })
    const stopped = new Promise<void>((resolve) => {
      if (stop.signal.aborted) resolve()
      stop.signal.addEventListener('abort', () => resolve(), { once: true })
    })

    const eachBatch = async (payload: EachBatchPayload) => {
      const { topic, partition } = payload.batch
      const { abort, place } = holdOf(topic, partition)
      const { signal } = abort
      let renewedAt = clock.now()
      const heartbeat = async () => {
        try {
          await payload.heartbeat()
          renewedAt = clock.now()
        } catch (error) {
          if (meansLost(error)) releaseAll('the group rebalances')
          else if (clock.now() - renewedAt > SESSION_MS) releaseAll('the membership has expired')
        }
      }
      const commit = async (next: bigint) => {
        if (signal.aborted) throw partitionLost(topic, partition, signal.reason)
        const offsets = { topics: [{ topic, partitions: [{ partition, offset: String(next) }] }] }
        const subject = { action: 'commit offsets', topic, partition }
        await within(CALL_MS, () => payload.commitOffsetsIfNecessary(offsets), subject)
      }
      const beat = setInterval(heartbeat, HEARTBEAT_MS)
      try {
        const fetched = payload.batch.messages.map((message) => messageFrom(topic, partition, message))
        const messages = place ? await place.accept(payload, fetched) : fetched
        for (const run of runsOf(messages, batchBytes)) {
          if (!(await deliver({ messages: run, signal, commit, heartbeat }, handle, { clock, log }))) return
          const last = run.at(-1)
          if (last) payload.resolveOffset(String(last.offset))
          if (last) place?.passed(last.offset)
        }
      } finally {
        clearInterval(beat)
      }
    }

    try {
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: CONCURRENCY,
        eachBatch,
      })
      await Promise.race([crashed, stopped])
    } finally {
      releaseAll('the consumer closes')
    }
  }

  const live = async (handle: (batch: Batch) => Promise<void>) => {
    let pause = FIRST_PAUSE_MS
    while (!stop.signal.aborted) {
      const startedAt = clock.now()
      let consumer: KafkaConsumer | undefined
      try {
        consumer = await within(CALL_MS, connect, { action: 'join a group', topic: topics.join(', ') })
        await session(consumer, handle)
      } catch (error) {
        if (clock.now() - startedAt > MAX_PAUSE_MS * 3) pause = FIRST_PAUSE_MS
        log.warn({ groupId, pause, error: messageOf(error) }, 'rejoining the group after the consumer failed')
        await clock.sleep(pause, stop.signal).catch(() => {})
        pause = Math.min(pause * 2, MAX_PAUSE_MS)
      } finally {
        await consumer?.disconnect().catch(() => {})
      }
    }
  }

  return {
    run: async (handle) => {
      if (stop.signal.aborted || running) throw closed('consumer')
      running = live(handle)
      await running
    },
    close: async () => {
      stop.abort(new Error('the consumer closes'))
      await running
    },
  }
}
