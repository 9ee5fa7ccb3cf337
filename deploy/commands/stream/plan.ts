import type { Config, ConfiguredNetwork } from '../../../platform/config/config.ts'
import { historyBlocksOf } from '../../../platform/config/history.ts'
import { publicUrl } from '../../../platform/context/log.ts'
import { networkInfo } from '../../../schema/networks.ts'
import { askNodes, type NodeReport, nodeLines, refuseNodes } from '../../preflight/nodes.ts'
import { checkPlaces, placesOf } from '../../preflight/preflight.ts'
import { createContext } from '../../process/process.ts'

const finalityOf = (rule: ReturnType<typeof networkInfo>['finality']): string => {
  if (rule.kind === 'tag') return `tag ${rule.tag}, else ${rule.fallbackDepth} blocks deep`
  if (rule.kind === 'depth' || rule.kind === 'solidified') return `${rule.kind}, ${rule.depth} blocks deep`
  return rule.kind
}

const budgetOf = ({ perSecond, perDay }: NonNullable<ConfiguredNetwork['budget']>): string => {
  const parts = [perSecond && `${perSecond} requests per second`, perDay && `${perDay} per day`]
  return `; at most ${parts.filter(Boolean).join(' and ')} to each`
}

/** Summary of a configuration as lines of text. URLs are shown without paths and credentials. */
export const planOf = (config: Config): string[] => {
  const networks = config.networks.map(({ network, urls, startBlock, budget }) => {
    const start = startBlock === undefined ? `head - ${historyBlocksOf(config, network)}` : `block ${startBlock}`
    return `  ${network}: from ${start}; final by ${finalityOf(networkInfo(network).finality)}; ${urls.map(publicUrl).join(', ')}${budget ? budgetOf(budget) : ''}`
  })
  const tls = config.ASSAY_TLS_CERT
    ? 'own certificate'
    : config.ASSAY_TRUST_PROXY
      ? 'behind a trusted proxy'
      : config.ASSAY_PLAIN_HTTP === false
        ? 'no TLS'
        : 'loopback only'
  const payments = !config.ASSAY_X402_RECEIVER
    ? 'keys only'
    : config.ASSAY_X402_FACILITATOR_URL
      ? `payments through ${publicUrl(config.ASSAY_X402_FACILITATOR_URL)}`
      : 'payments settled in this process'
  const lookUps = config.ASSAY_X402_RPC_URL
    ? `verified at ${publicUrl(config.ASSAY_X402_RPC_URL)} until final`
    : 'settlements are not verified on chain; the facilitator is trusted. To verify them, set ASSAY_X402_RPC_URL.'
  return [
    `bus        ${config.KAFKA_BROKERS ? `Kafka at ${config.KAFKA_BROKERS.join(', ')}` : `embedded in ${config.ASSAY_DATA}`}`,
    `store      ${config.CLICKHOUSE_URL ? `ClickHouse at ${publicUrl(config.CLICKHOUSE_URL.reveal())}` : `embedded in ${config.ASSAY_DATA}`}`,
    `API        ${config.ASSAY_HOST}:${config.ASSAY_PORT}, ${tls}; agent surface: ${payments}`,
    ...(config.ASSAY_X402_RECEIVER ? [`payments   ${lookUps}`] : []),
    `limits     ${config.ASSAY_RATE_LIMITS.map(({ tier, limit, windowMs }) => `${tier} ${limit === 0 ? 'none' : `${limit} per ${windowMs / 1_000} s`}`).join(', ')}; ${config.REDIS_URL ? 'shared through Redis' : 'per process'}`,
    ...(networks.length > 0
      ? ['networks', ...networks]
      : ['networks   none configured: assay up runs the demonstration']),
  ]
}

/** The same as JSON. */
const planJson = (config: Config, nodes: readonly NodeReport[] | undefined) => ({
  bus: config.KAFKA_BROKERS ? { kind: 'kafka', brokers: config.KAFKA_BROKERS } : { kind: 'embedded' },
  store: config.CLICKHOUSE_URL
    ? { kind: 'clickhouse', host: publicUrl(config.CLICKHOUSE_URL.reveal()) }
    : { kind: 'embedded' },
  data: config.ASSAY_DATA,
  payments: config.ASSAY_X402_RECEIVER
    ? {
        facilitator: config.ASSAY_X402_FACILITATOR_URL ? publicUrl(config.ASSAY_X402_FACILITATOR_URL) : null,
        lookedUpAt: config.ASSAY_X402_RPC_URL ? publicUrl(config.ASSAY_X402_RPC_URL) : null,
      }
    : null,
  api: placesOf(config).map(({ host, port }) => ({ host, port })),
  networks: config.networks.map(({ network, urls, startBlock }) => ({
    network,
    hosts: urls.map(publicUrl),
    startBlock: startBlock ?? null,
    historyBlocks: startBlock === undefined ? historyBlocksOf(config, network) : null,
  })),
  ...(nodes && { nodes }),
})

/**
 * `assay check`: prints the plan, and with `nodes` checks endpoints, data folder and ports.
 * @throws OperatorError, RetryableError like the checks of `assay up` before its start
 */
export const checkCommand = async (
  config: Config,
  { nodes = false, json = false }: { nodes?: boolean; json?: boolean },
): Promise<void> => {
  const print = (line: string) => process.stdout.write(`${line}\n`)
  if (!json) for (const line of planOf(config)) print(line)
  const context = createContext({ ASSAY_LOG_LEVEL: 'silent' }, 'check')
  try {
    const reports = nodes ? await askNodes(context, config) : undefined
    if (json) print(JSON.stringify(planJson(config, reports)))
    else for (const line of (reports ?? []).flatMap(nodeLines)) print(line)
    if (!reports) return
    refuseNodes(reports)
    await checkPlaces(config)
  } finally {
    await context.lifecycle.close()
  }
}
