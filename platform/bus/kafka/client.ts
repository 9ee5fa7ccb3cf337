import { type Admin, Kafka, type KafkaConfig, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import type { Logger } from '../../context/log.ts'
import type { KafkaAccess, KafkaLogin } from '../access/access.ts'
import type { ApiVersionRange } from '../access/check.ts'
import { unknownTopic } from '../errors.ts'
import { typeOf, within } from './errors.ts'

/** Limits of one request and of kafkajs's own retries, ms: it gives up after about 12 s. */
export const KAFKA_LIMITS = {
  connectionTimeout: 3_000,
  requestTimeout: 10_000,
  retry: { initialRetryTime: 20, maxRetryTime: 1_500, retries: 12, factor: 0.2, multiplier: 2 },
} as const satisfies Partial<KafkaConfig>

/** How long one call may take in total, ms. */
export const CALL_MS = 20_000

/** kafkajs logs passing problems as errors. Real ones are thrown, so its log lines are logged at debug level only. */
const logCreator = (log: Logger) => () => (entry: LogEntry) =>
  log.debug({ namespace: entry.namespace, error: entry.log.error }, `kafkajs: ${entry.log.message}`)

const saslOf = ({ mechanism, username, password }: KafkaLogin): SASLOptions => {
  const login = { username, password: password.reveal() }
  if (mechanism === 'PLAIN') return { mechanism: 'plain', ...login }
  return mechanism === 'SCRAM-SHA-256'
    ? { mechanism: 'scram-sha-256', ...login }
    : { mechanism: 'scram-sha-512', ...login }
}

/** Options that the client and our reader share: short limits, and kafkajs's own logging at debug level only. */
export const clientConfig = (log: Logger, { brokers, tls, login }: KafkaAccess): KafkaConfig => ({
  ...KAFKA_LIMITS,
  clientId: 'assay',
  brokers: [...brokers],
  ...(tls && { ssl: tls }),
  ...(login && { sasl: saslOf(login) }),
  logLevel: log.isLevelEnabled('debug') ? logLevel.WARN : logLevel.NOTHING,
  logCreator: logCreator(log),
})

/** A kafkajs client. It connects at the first call. */
export const createKafka = (log: Logger, access: KafkaAccess): Kafka => new Kafka(clientConfig(log, access))

/** API versions that kafkajs 2.2.4 supports (`src/protocol/requests`), for the APIs used here. It ignores a broker's minimum. */
export const KAFKAJS_API_VERSIONS: readonly ApiVersionRange[] = (
  [
    ['Produce', 0, 0, 7],
    ['Fetch', 1, 0, 11],
    ['ListOffsets', 2, 0, 3],
    ['Metadata', 3, 0, 6],
    ['OffsetCommit', 8, 0, 5],
    ['OffsetFetch', 9, 1, 4],
    ['FindCoordinator', 10, 0, 2],
    ['JoinGroup', 11, 0, 5],
    ['Heartbeat', 12, 0, 3],
    ['LeaveGroup', 13, 0, 3],
    ['SyncGroup', 14, 0, 3],
    ['ApiVersions', 18, 0, 2],
    ['CreateTopics', 19, 0, 3],
    ['InitProducerId', 22, 0, 1],
    ['AddPartitionsToTxn', 24, 0, 1],
    ['EndTxn', 26, 0, 1],
    ['DescribeConfigs', 32, 0, 2],
  ] as const
).map(([api, key, min, max]) => ({ api, key, min, max }))

/** One admin connection, opened when first needed and again after a failure. */
export type AdminClient = {
  call: <T>(action: string, work: (admin: Admin) => Promise<T>, ms?: number) => Promise<T>
  /** @throws OperatorError ASSAY_BUS_TOPIC_UNKNOWN */
  partitionsOf: (topic: string) => Promise<number>
  close: () => Promise<void>
}

/** `check` runs before each connection is opened. */
export const createAdmin = (kafka: Kafka, check: () => Promise<void>): AdminClient => {
  let current: Promise<Admin> | undefined
  const partitions = new Map<string, number>()

  const connect = async () => {
    await check()
    const admin = kafka.admin()
    await admin.connect()
    return admin
  }
  const forget = () => {
    current?.then((admin) => admin.disconnect()).catch(() => {})
    current = undefined
  }
  const call: AdminClient['call'] = async (action, work, ms = CALL_MS) => {
    const attempt = async () => {
      current ??= connect()
      return work(await current)
    }
    try {
      return await within(ms, attempt, { action })
    } catch (error) {
      forget()
      throw error
    }
  }
  return {
    call,
    partitionsOf: async (topic) => {
      const known = partitions.get(topic)
      if (known !== undefined) return known
      const found = await call('describe a topic', async (admin) => {
        try {
          return (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]?.partitions.length
        } catch (error) {
          if (typeOf(error) === 'UNKNOWN_TOPIC_OR_PARTITION') return undefined
          throw error
        }
      })
      if (found === undefined) throw unknownTopic(topic)
      partitions.set(topic, found)
      return found
    },
    close: async () => {
      const admin = await current?.catch(() => undefined)
      current = undefined
      await admin?.disconnect().catch(() => {})
    },
  }
}
