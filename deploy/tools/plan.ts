import type { Config, ConfiguredNetwork } from '../../platform/config.ts'
import { publicUrl } from '../../platform/log.ts'
import { networkInfo } from '../../schema/networks.ts'

const finalityOf = (rule: ReturnType<typeof networkInfo>['finality']): string => {
  if (rule.kind === 'tag') return `tag ${rule.tag}, else ${rule.fallbackDepth} blocks deep`
  if (rule.kind === 'depth' || rule.kind === 'solidified') return `${rule.kind}, ${rule.depth} blocks deep`
  return rule.kind
}

const budgetOf = ({ perSecond, perDay }: NonNullable<ConfiguredNetwork['budget']>): string => {
  const parts = [perSecond && `${perSecond} requests per second`, perDay && `${perDay} per day`]
  return `; at most ${parts.filter(Boolean).join(' and ')} to each`
}

/** What a configuration means, as lines for people. Holds hosts only, never credentials. */
export const planOf = (config: Config): string[] => {
  const networks = config.networks.map(({ network, urls, startBlock, budget }) => {
    const start = startBlock === undefined ? `head - ${config.ASSAY_HISTORY_BLOCKS}` : `block ${startBlock}`
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
  return [
    `bus        ${config.KAFKA_BROKERS ? `Kafka at ${config.KAFKA_BROKERS.join(', ')}` : `embedded in ${config.ASSAY_DATA}`}`,
    `store      ${config.CLICKHOUSE_URL ? `ClickHouse at ${publicUrl(config.CLICKHOUSE_URL.reveal())}` : `embedded in ${config.ASSAY_DATA}`}`,
    `API        ${config.ASSAY_HOST}:${config.ASSAY_PORT}, ${tls}; agent surface: ${payments}`,
    `limits     ${config.ASSAY_RATE_LIMITS.map(({ tier, limit, windowMs }) => `${tier} ${limit === 0 ? 'none' : `${limit} per ${windowMs / 1_000} s`}`).join(', ')}; ${config.REDIS_URL ? 'shared through Redis' : 'per process'}`,
    ...(networks.length > 0
      ? ['networks', ...networks]
      : ['networks   none configured: assay up plays the demonstration']),
  ]
}

export const printPlan = (config: Config): void => {
  process.stdout.write(`${planOf(config).join('\n')}\n`)
}
