import { createRequire } from 'node:module'
import type { KafkaConfig, KafkaMessage } from 'kafkajs'
import type { Clock } from '../../context/clock.ts'
import type { Message } from '../bus.ts'
import { CALL_MS } from './client.ts'
import { within } from './errors.ts'
import { messageFrom } from './message.ts'

/**
 * Reads partitions without a consumer group. kafkajs does not offer this: a separate group would cost a join of seconds
 * per read and leave litter on the broker. It uses internal modules of kafkajs 2.2.4, its last release (pinned in
 * package.json).
 */
export type Reader = {
  /** Committed messages from an offset up to the current end. */
  read: (topic: string, partition: number, from: bigint) => AsyncIterable<Message>
  close: () => Promise<void>
}

type Fetched = { errorCode: number; highWatermark: string; lastStableOffset: string }
type Broker = {
  fetch: (request: {
    replicaId: number
    isolationLevel: number
    maxWaitTime: number
    minBytes: number
    maxBytes: number
    topics: { topic: string; partitions: { partition: number; fetchOffset: string; maxBytes: number }[] }[]
  }) => Promise<{ responses: { partitions: Fetched[] }[] }>
}
type Cluster = {
  connect: () => Promise<void>
  disconnect: () => Promise<void>
  addTargetTopic: (topic: string) => Promise<void>
  refreshMetadata: () => Promise<void>
  findLeaderForPartitions: (topic: string, partitions: number[]) => Record<string, number[]>
  findBroker: (node: { nodeId: string }) => Promise<Broker>
}
type FetchedBatch = { messages: KafkaMessage[]; rawMessages: unknown[]; lastOffset: () => string }
type Internals = {
  Cluster: new (options: Record<string, unknown>) => Cluster
  Batch: new (topic: string, from: string, fetched: Fetched) => FetchedBatch
  createLogger: (options: Record<string, unknown>) => unknown
  createSocketFactory: () => unknown
}

const require = createRequire(import.meta.url)
const load = (): Internals => ({
  Cluster: require('kafkajs/src/cluster/index.js'),
  Batch: require('kafkajs/src/consumer/batch.js'),
  createLogger: require('kafkajs/src/loggers/index.js').createLogger,
  createSocketFactory: require('kafkajs/src/network/socketFactory.js'),
})

const READ_COMMITTED = 1
const READ_BYTES = 1_000_000
/** How long to wait for an open transaction at the end of a partition before the read ends in front of it, ms. */
const SETTLE_MS = 2_000
const SETTLE_STEP_MS = 20

/** A reader with its own connections, opened at the first read and again after a failure. */
export const createReader = (config: KafkaConfig, clock: Clock): Reader => {
  const { Cluster, Batch, createLogger, createSocketFactory } = load()
  let current: Promise<Cluster> | undefined

  const connect = async () => {
    const { logLevel, logCreator, ...rest } = config
    const cluster = new Cluster({
      ...rest,
      logger: createLogger({ logLevel, logCreator }),
      socketFactory: createSocketFactory(),
      authenticationTimeout: 10_000,
      reauthenticationThreshold: 10_000,
      metadataMaxAge: 300_000,
      enforceRequestTimeout: true,
      allowAutoTopicCreation: false,
      maxInFlightRequests: null,
    })
    await cluster.connect()
    return cluster
  }
  const forget = () => {
    current?.then((cluster) => cluster.disconnect()).catch(() => {})
    current = undefined
  }

  const fetchOnce = async (topic: string, partition: number, from: bigint): Promise<Fetched> => {
    current ??= connect()
    const cluster = await current
    await cluster.addTargetTopic(topic)
    const leader = Object.keys(cluster.findLeaderForPartitions(topic, [partition]))[0] ?? ''
    const broker = await cluster.findBroker({ nodeId: leader })
    const { responses } = await broker.fetch({
      replicaId: -1,
      isolationLevel: READ_COMMITTED,
      maxWaitTime: 0,
      minBytes: 1,
      maxBytes: READ_BYTES,
      topics: [{ topic, partitions: [{ partition, fetchOffset: String(from), maxBytes: READ_BYTES }] }],
    })
    const fetched = responses[0]?.partitions[0]
    if (!fetched) throw new Error('the broker answered without the partition')
    return fetched
  }

  /** Retries once with new connections, because the connection or leader may be stale. */
  const fetch = (topic: string, partition: number, from: bigint) => {
    const attempt = () =>
      fetchOnce(topic, partition, from).catch((error: unknown) => {
        forget()
        throw error
      })
    return within(CALL_MS, () => attempt().catch(attempt), { action: 'read a partition', topic })
  }

  /** Brokers acknowledge a commit before its markers are everywhere, so this waits for them, for at most `SETTLE_MS`. */
  const endOf = async (topic: string, partition: number, from: bigint): Promise<[bigint, Fetched]> => {
    let fetched = await fetch(topic, partition, from)
    const target = BigInt(fetched.highWatermark)
    for (let waited = 0; BigInt(fetched.lastStableOffset) < target && waited < SETTLE_MS; waited += SETTLE_STEP_MS) {
      await clock.sleep(SETTLE_STEP_MS)
      fetched = await fetch(topic, partition, from)
    }
    const stable = BigInt(fetched.lastStableOffset)
    return [stable < target ? stable : target, fetched]
  }

  return {
    read: async function* (topic, partition, from) {
      let at = from
      let [end, fetched]: [bigint, Fetched | undefined] = await endOf(topic, partition, at)
      while (at < end) {
        fetched ??= await fetch(topic, partition, at)
        const batch = new Batch(topic, String(at), fetched)
        if (batch.rawMessages.length === 0) return
        for (const message of batch.messages) {
          if (BigInt(message.offset) >= end) return
          yield messageFrom(topic, partition, message)
        }
        at = BigInt(batch.lastOffset()) + 1n
        fetched = undefined
      }
    },
    close: async () => forget(),
  }
}
