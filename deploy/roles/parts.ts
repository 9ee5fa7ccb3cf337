/** The parts of the outside that roles share: bus and store, opened as the configuration says. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Bus } from '../../platform/bus/bus.ts'
import { openBus } from '../../platform/bus/index.ts'
import type { Config } from '../../platform/config.ts'
import type { Context } from '../../platform/context.ts'
import { OperatorError } from '../../platform/errors.ts'
import { migrate } from '../../platform/store/migrate.ts'
import { openStore, type StoreOptions } from '../../platform/store/open.ts'
import type { Store } from '../../platform/store/store.ts'
import { NETWORK_CODES, type Network } from '../../schema/networks.ts'
import { HISTORY_PARTITIONS, RESCORE_PARTITIONS, topics } from '../../schema/topics.ts'

/** Networks this process works on. @throws OperatorError ASSAY_CONFIG_NO_NETWORK when none is configured. */
export const networksOfConfig = (config: Config): Network[] => {
  const networks = config.ASSAY_NETWORKS ?? config.networks.map(({ network }) => network)
  if (networks.length > 0) return networks
  throw new OperatorError(
    'ASSAY_CONFIG_NO_NETWORK',
    `No network is configured, so there is nothing to do. Set ASSAY_NETWORKS (of ${NETWORK_CODES.join(', ')}) or <NETWORK>_RPC_URL.`,
  )
}

/** Opens the bus and makes sure that the topics of the networks exist, so that roles may start in any order. */
export const openSharedBus = async (context: Context, config: Config, networks: readonly Network[]): Promise<Bus> => {
  const path = join(config.ASSAY_DATA, 'bus')
  if (!config.KAFKA_BROKERS) mkdirSync(path, { recursive: true })
  const { log, clock, metrics, lifecycle } = context
  const bus = await openBus({ kafkaBrokers: config.KAFKA_BROKERS, path, log, clock, metrics })
  lifecycle.onClose('bus', () => bus.close())
  await bus.createTopics([
    ...networks.flatMap((network) => [
      { topic: topics.history(network), partitions: HISTORY_PARTITIONS },
      { topic: topics.head(network), partitions: 1 },
      { topic: topics.rescore(network), partitions: RESCORE_PARTITIONS },
    ]),
    { topic: topics.records, partitions: 1, compacted: true },
    { topic: topics.served, partitions: 1 },
    { topic: topics.dlq, partitions: 1 },
  ])
  return bus
}

/** Opens the store and brings its schema up to date. `deadlines` in ms, where the usual ones are too short. */
export const openSharedStore = async (
  context: Context,
  config: Config,
  deadlines?: StoreOptions['deadlines'],
): Promise<Store> => {
  const { log, metrics, lifecycle, clock } = context
  const url = config.CLICKHOUSE_URL?.reveal()
  const path = join(config.ASSAY_DATA, 'store')
  if (!url) mkdirSync(path, { recursive: true })
  const store = await openStore({ log, metrics, ...(deadlines && { deadlines }), ...(url ? { url } : { path }) })
  lifecycle.onClose('store', () => store.close())
  const layout = config.ASSAY_CLUSTER ? { kind: 'cluster' as const, cluster: config.ASSAY_CLUSTER } : undefined
  await migrate({ store, log, clock, ...(layout && { layout }) })
  return store
}
