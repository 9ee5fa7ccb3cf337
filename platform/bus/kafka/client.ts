import { type Admin, Kafka, type KafkaConfig, type LogEntry, logLevel } from 'kafkajs'
import type { Logger } from '../../log.ts'
import { unknownTopic } from '../errors.ts'
import { typeOf, within } from './errors.ts'

/** Limits of one request and of its repetitions inside kafkajs, ms: about 12 s until it gives up. */
export const KAFKA_LIMITS = {
  connectionTimeout: 3_000,
  requestTimeout: 10_000,
  retry: { initialRetryTime: 20, maxRetryTime: 1_500, retries: 12, factor: 0.2, multiplier: 2 },
} as const satisfies Partial<KafkaConfig>

/** How long one call may take in total, ms. */
export const CALL_MS = 20_000

/** kafkajs logs passing problems as errors. Real ones arrive as exceptions, so its lines are logged for debugging only. */
const logCreator = (log: Logger) => () => (entry: LogEntry) =>
  log.debug({ namespace: entry.namespace, error: entry.log.error }, `kafkajs: ${entry.log.message}`)

export const clientConfig = (log: Logger, brokers: readonly string[]): KafkaConfig => ({
  ...KAFKA_LIMITS,
  clientId: 'assay',
  brokers: [...brokers],
  logLevel: log.isLevelEnabled('debug') ? logLevel.WARN : logLevel.NOTHING,
  logCreator: logCreator(log),
})

export const createKafka = (log: Logger, brokers: readonly string[]): Kafka => new Kafka(clientConfig(log, brokers))

/** One admin connection, made when first needed and again after a failure. */
export type AdminClient = {
  call: <T>(action: string, work: (admin: Admin) => Promise<T>, ms?: number) => Promise<T>
  /** @throws OperatorError ASSAY_BUS_TOPIC_UNKNOWN */
  partitionsOf: (topic: string) => Promise<number>
  close: () => Promise<void>
}

export const createAdmin = (kafka: Kafka): AdminClient => {
  let current: Promise<Admin> | undefined
  const partitions = new Map<string, number>()

  const connect = async () => {
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
