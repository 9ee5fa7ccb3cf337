import { type Clock, systemClock } from '../clock.ts'
import { OperatorError } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { Bus } from './bus.ts'
import { openEmbeddedBus } from './embedded.ts'
import { openKafkaBus } from './kafka.ts'
import { measureBus } from './measure.ts'

export type BusOptions = {
  /** `host:port` of Kafka brokers. Set: Kafka is the bus. */
  kafkaBrokers?: readonly string[] | undefined
  /** Folder of the embedded bus, used when there are no brokers. */
  path?: string | undefined
  log: Logger
  /** @default systemClock */
  clock?: Clock
  metrics?: Metrics
}

/**
 * Opens the bus that the options name. Kafka is not contacted yet: each call throws when it cannot be reached.
 * @throws OperatorError ASSAY_BUS_PATH when neither brokers nor a usable folder are given.
 */
export const openBus = async ({ kafkaBrokers, path, log, clock = systemClock, metrics }: BusOptions): Promise<Bus> => {
  const bus = kafkaBrokers?.length
    ? openKafkaBus({ log, clock }, { brokers: kafkaBrokers })
    : await openEmbeddedBus({ log, clock }, { path: folderOf(path) })
  return metrics ? measureBus(bus, metrics) : bus
}

const folderOf = (path: string | undefined): string => {
  if (path) return path
  throw new OperatorError(
    'ASSAY_BUS_PATH',
    'No bus is configured. Set KAFKA_BROKERS, or ASSAY_DATA for the embedded bus.',
  )
}
