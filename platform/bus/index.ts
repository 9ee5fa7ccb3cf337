import type { Config } from '../config/config.ts'
import { type Clock, systemClock } from '../context/clock.ts'
import type { Logger } from '../context/log.ts'
import type { Metrics } from '../context/metrics.ts'
import { OperatorError } from '../errors.ts'
import type { KafkaAccess, KafkaLogin, KafkaTls } from './access/access.ts'
import type { Bus } from './bus.ts'
import { measureBus } from './measure.ts'

/** Library that speaks to Kafka. */
export type KafkaClient = Config['KAFKA_CLIENT']

/** Which bus to open: brokers or a folder is required. Brokers take precedence. */
export type BusOptions = {
  /** `host:port` of Kafka brokers. Kafka is the bus if set. */
  kafkaBrokers?: readonly string[] | undefined
  /** Certificates for the brokers; connections are plain without them. */
  kafkaTls?: KafkaTls | undefined
  /** SASL login; connections are unauthenticated without it. */
  kafkaLogin?: KafkaLogin | undefined
  /** @default kafkajs */
  kafkaClient?: KafkaClient | undefined
  /** Folder of the embedded bus, used when there are no brokers. */
  path?: string | undefined
  log: Logger
  /** @default systemClock */
  clock?: Clock
  /** Where the traffic of the bus is counted; not counted if absent. */
  metrics?: Metrics
}

/**
 * Opens the bus that the options name. Kafka is contacted by the first call, which throws when it cannot be reached.
 * @throws OperatorError ASSAY_BUS_PATH when neither brokers nor a usable folder are given.
 */
export const openBus = async (options: BusOptions): Promise<Bus> => {
  const { kafkaBrokers, path, log, clock = systemClock, metrics } = options
  const bus = kafkaBrokers?.length
    ? await openKafka({ log, clock }, options, kafkaBrokers)
    : await openFolder({ log, clock }, folderOf(path))
  return metrics ? measureBus(bus, metrics) : bus
}

/** Each client loads its own library, because a process uses one of them, and most tools none. */
const openFolder = async (deps: { log: Logger; clock: Clock }, path: string) => {
  const { openEmbeddedBus } = await import('./embedded.ts')
  return openEmbeddedBus(deps, { path })
}

const openKafka = async (deps: { log: Logger; clock: Clock }, options: BusOptions, brokers: readonly string[]) => {
  const { kafkaTls: tls, kafkaLogin: login, kafkaClient } = options
  const access: KafkaAccess = { brokers, ...(tls && { tls }), ...(login && { login }) }
  if (kafkaClient !== 'platformatic') {
    const { openKafkaBus } = await import('./kafka.ts')
    return openKafkaBus(deps, access)
  }
  const { openPlatformaticBus } = await import('./platformatic/bus.ts')
  return openPlatformaticBus(deps, access)
}

const folderOf = (path: string | undefined): string => {
  if (path) return path
  throw new OperatorError(
    'ASSAY_BUS_PATH',
    'No bus is configured. Set KAFKA_BROKERS, or ASSAY_DATA for the embedded bus.',
  )
}
