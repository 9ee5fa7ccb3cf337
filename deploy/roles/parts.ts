/** Bus and nodes, which roles share, opened as configured. */
import { join } from 'node:path'
import { kafkaAccessOf } from '../../platform/bus/access/access.ts'
import type { Bus, TopicSpec } from '../../platform/bus/bus.ts'
import { openBus } from '../../platform/bus/index.ts'
import { checkTopics } from '../../platform/bus/topics/check.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { OperatorError } from '../../platform/errors.ts'
import { createRpcPool, type RpcPool } from '../../platform/rpc/pool.ts'
import { NETWORK_CODES, type Network, networkInfo } from '../../schema/networks.ts'
import { HISTORY_PARTITIONS, RESCORE_PARTITIONS, topics } from '../../schema/topics.ts'
import { checkFolder } from '../preflight/folder.ts'

/** Networks of this process. @throws OperatorError ASSAY_CONFIG_NO_NETWORK if none is configured */
export const networksOfConfig = (config: Config): Network[] => {
  const networks = config.ASSAY_NETWORKS ?? config.networks.map(({ network }) => network)
  if (networks.length > 0) return networks
  throw new OperatorError(
    'ASSAY_CONFIG_NO_NETWORK',
    `No network is configured, so there is nothing to do. Set ASSAY_NETWORKS (of ${NETWORK_CODES.join(', ')}) or <NETWORK>_RPC_URL.`,
  )
}

/** Node pools of EVM networks with an HTTP endpoint. */
export const poolsOf = (context: Context, config: Pick<Config, 'networks'>): Partial<Record<Network, RpcPool>> =>
  Object.fromEntries(
    config.networks.flatMap(({ network, urls }) => {
      const usable = urls.filter((url) => url.startsWith('http'))
      return usable.length > 0 && networkInfo(network).dialect !== null
        ? [[network, createRpcPool({ context, network, urls: usable })]]
        : []
    }),
  )
/** Retention of status reports, each of which replaces the previous one, ms. */
const STATUS_RETENTION_MS = 600_000

/** Opens the bus and creates missing topics of the networks, so that roles can start in any order. */
export const openSharedBus = async (context: Context, config: Config, networks: readonly Network[]): Promise<Bus> => {
  const path = join(config.ASSAY_DATA, 'bus')
  if (!config.KAFKA_BROKERS) checkFolder(path)
  const { log, clock, metrics, lifecycle } = context
  const access = kafkaAccessOf(config)
  const kafka = access && {
    kafkaBrokers: access.brokers,
    kafkaTls: access.tls,
    kafkaLogin: access.login,
    kafkaClient: config.KAFKA_CLIENT,
  }
  const bus = await openBus({ ...kafka, path, log, clock, metrics })
  lifecycle.onClose('bus', () => bus.close())
  const specs = topicSpecs(config, networks)
  await bus.createTopics(specs)
  await checkTopics(bus, specs, log)
  return bus
}

const HOUR_MS = 3_600_000

/** Topics of the networks. Blocks and records are kept forever, queues as long as configured. */
export const topicSpecs = (config: Config, networks: readonly Network[]): TopicSpec[] => {
  const kept = (hours: number) => ({ retentionMs: hours === 0 ? Number.POSITIVE_INFINITY : hours * HOUR_MS })
  return [
    ...networks.flatMap((network) => [
      { topic: topics.history(network), partitions: HISTORY_PARTITIONS },
      { topic: topics.head(network), partitions: 1 },
      { topic: topics.past(network), partitions: 1 },
      { topic: topics.pasts(network), partitions: 1, ...kept(config.ASSAY_RETENTION_RESCORE_HOURS) },
      {
        topic: topics.rescore(network),
        partitions: RESCORE_PARTITIONS,
        ...kept(config.ASSAY_RETENTION_RESCORE_HOURS),
      },
    ]),
    { topic: topics.records, partitions: 1, compacted: true },
    { topic: topics.served, partitions: 1, ...kept(config.ASSAY_RETENTION_SERVED_HOURS) },
    { topic: topics.status, partitions: 1, retentionMs: STATUS_RETENTION_MS },
    { topic: topics.dlq, partitions: 1, ...kept(config.ASSAY_RETENTION_DEAD_LETTERS_HOURS) },
  ]
}
