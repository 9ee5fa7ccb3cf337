/** The API role: serves records over HTTP. */

import { agentRoutes } from '../../api/a2a/routes.ts'
import { createExplanations } from '../../api/answers/providers/explanations/explanations.ts'
import { createBulkFraudProvider } from '../../api/answers/providers/fraud.ts'
import { createPasts } from '../../api/answers/providers/pasts.ts'
import { createProviders } from '../../api/answers/providers/providers.ts'
import { followRecords } from '../../api/answers/reader/follow.ts'
import { createServedSender } from '../../api/answers/served/aggregate.ts'
import { createServeCounts } from '../../api/answers/served/bases.ts'
import { type Api, type ApiOptions, createApi, type Extension } from '../../api/api.ts'
import { isLoopbackHost } from '../../api/http/edge/transport.ts'
import { createKeys } from '../../api/keys/keys.ts'
import { mcpRoutes } from '../../api/mcp/routes.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Context } from '../../platform/context/context.ts'
import { periodically } from '../../platform/context/periodic.ts'
import { OperatorError } from '../../platform/errors.ts'
import { boundedStore } from '../../platform/store/bounded.ts'
import type { Tier } from '../../schema/records/operations.ts'
import type { WalletRecord } from '../../schema/records/stored.ts'
import { topics } from '../../schema/topics.ts'
import { createRequeueByCreator } from '../../scorer/contracts/records/creator-verdicts.ts'
import { createAskAuthorities } from '../../scorer/ledger/authorities/ask.ts'
import { createExposureReports } from '../../scorer/ledger/exposure/load.ts'
import { createProfiles } from '../../scorer/profile/profile.ts'
import { createQueueReceivers } from '../../scorer/rescore/receivers.ts'
import { createRescore } from '../../scorer/rescore/rescore.ts'
import { recordMessages } from '../../scorer/scoring/stored.ts'
import { createAuthorityLogs } from '../process/networks/authorities.ts'
import { createBoard } from '../process/networks/board.ts'
import { createHeights } from '../process/networks/heights.ts'
import { createOverview, type Overview } from '../process/networks/overview.ts'
import { createVerdicts } from '../process/networks/verdicts.ts'
import { startOpsServer } from '../process/ops-server.ts'
import { createStoreSize } from '../process/store-size/store-size.ts'
import { openContracts } from './contracts.ts'
import { createModel } from './model.ts'
import { networksOfConfig, openSharedBus, poolsOf } from './parts.ts'
import { openPayments } from './payments.ts'
import type { RunningRole } from './role.ts'
import { openSharedStore } from './shared-store.ts'

const MEASURE_STORE_MS = 60_000

/** A running API, with the URLs it listens on. */
export type RunningApi = RunningRole & { urls: string[]; api: Api; status: Overview['status'] }

/** Interval of updates of the state of networks, ms. */
const LOOK_MS = 2_000

const listenersOf = (config: Config) => {
  const { ASSAY_HOST: host, ASSAY_PORT: port, ASSAY_AGENT_PORT: agentPort, ASSAY_AGENT_HOST: agentHost } = config
  return agentPort === undefined
    ? [{ host, port, surfaces: ['enterprise', 'agent'] as const }]
    : [
        { host, port, surfaces: ['enterprise'] as const },
        { host: agentHost ?? host, port: agentPort, surfaces: ['agent'] as const },
      ]
}

/** Deadline of store statements for callers, ms. Most clients give up later than that. */
const ANSWER_MS = 30_000

/**
 * Requires the public URL, unless the API is reachable only from this machine.
 * @throws OperatorError ASSAY_API_PUBLIC_URL
 */
const checkPublicUrl = (config: Config): void => {
  const { ASSAY_PUBLIC_URL: publicUrl, ASSAY_TLS_CERT: cert, ASSAY_TRUST_PROXY: proxies } = config
  const local = listenersOf(config).every(({ host }) => isLoopbackHost(host))
  if (publicUrl !== undefined || (local && !cert && !proxies?.length)) return
  throw new OperatorError(
    'ASSAY_API_PUBLIC_URL',
    'This API is reachable from other machines, but its public URL is not set. Nothing was started. Set ASSAY_PUBLIC_URL to the https URL of the agent surface.',
  )
}

const bootstrapKeysOf = (config: Config): { tier: Tier; key: string }[] =>
  (config.ASSAY_BOOTSTRAP_KEYS ?? []).map(({ tier, key }) => ({ tier, key: key.reveal() }))

/** `extensions` add routes. `tuning` changes intervals, as for the embedded profile. */
export const startApi = async (
  context: Context,
  config: Config,
  { extensions = [], tuning = {} }: { extensions?: readonly Extension[]; tuning?: ApiOptions['tuning'] } = {},
): Promise<RunningApi> => {
  const { clock, lifecycle } = context
  checkPublicUrl(config)
  const networks = networksOfConfig(config)
  const store = await openSharedStore(context, config)
  /** Store with the deadline of callers. Lookups and computations of records have their own deadlines. */
  const answering = boundedStore(store, ANSWER_MS)
  const bus = await openSharedBus(context, config, networks)
  const served = await createServedSender(bus)
  const producer = await bus.producer()
  lifecycle.onClose('api producers', () => Promise.all([served.close(), producer.close()]).then(() => undefined))
  const requeueByCreator = createRequeueByCreator({ store, clock })
  const publish = async (records: readonly WalletRecord[]) => {
    if (records.length === 0) return
    await producer.send([{ topic: topics.records, messages: recordMessages(records) }])
    // The scorer will find these verdicts unchanged, so wallets that depend on them are queued here.
    for (const { network, address, status } of records)
      await requeueByCreator(network, [{ address, status, changed: true }])
  }
  const spread = createQueueReceivers({ store, producer })
  const rescore = createRescore({
    context,
    store,
    model: createModel(),
    options: { policy: { mixer: config.ASSAY_MIXER_MODE } },
  })
  const pools = poolsOf(context, config)
  const heights = createHeights(context, store, networks, store.embedded && !config.KAFKA_BROKERS ? bus : undefined)
  const authorities = createAuthorityLogs(context, store, networks, config.ASSAY_AUTHORITY_LOGS === 'required')
  const verdicts = createVerdicts(context, bus, store)
  const overview = createOverview(context, { board: createBoard(bus, clock), heights, authorities, verdicts, networks })
  periodically(context, 'measure the store', MEASURE_STORE_MS, createStoreSize(context.metrics, store))
  const { ASSAY_PUBLIC_URL: publicUrl, ASSAY_X402_RECEIVER: receiver } = config
  const redisUrl = config.REDIS_URL?.reveal()
  const tls =
    config.ASSAY_TLS_CERT && config.ASSAY_TLS_KEY
      ? { cert: config.ASSAY_TLS_CERT, key: config.ASSAY_TLS_KEY }
      : undefined
  const pasts =
    config.ASSAY_WALLET_PASTS === 'off'
      ? undefined
      : createPasts({ context, store, producer, budgetMs: config.ASSAY_WALLET_PASTS_WAIT_MS })
  const providers = createProviders({
    store,
    clock,
    rescore,
    publish,
    spread,
    askAuthorities: createAskAuthorities(context, pools),
    profiles: createProfiles({ context, store, rescore }),
    contracts: openContracts(context, config, pools, store, producer, pasts?.findPools),
  })
  const api = await createApi(context, {
    listeners: listenersOf(config),
    server: {
      tls,
      trustProxy: config.ASSAY_TRUST_PROXY,
      plainHttp: config.ASSAY_PLAIN_HTTP ?? false,
      maxConnections: config.ASSAY_MAX_CONNECTIONS,
      readiness: overview.readiness,
      status: overview.status,
      payments: receiver === undefined ? undefined : { lookedUp: config.ASSAY_X402_RPC_URL !== undefined },
    },
    providers,
    serveCounts: createServeCounts(store),
    sendServed: served.send,
    keys: createKeys({ store: answering, clock }),
    bootstrapKeys: bootstrapKeysOf(config),
    rateLimits: config.ASSAY_RATE_LIMITS,
    redisUrl,
    payments: await openPayments(context, config, store),
    indexed: networks,
    catchingUp: overview.catchingUp,
    settled: overview.settled,
    coverage: overview.coverage,
    pasts,
    drainMs: config.ASSAY_DRAIN_SECONDS * 1_000,
    explanations: createExplanations({
      store: answering,
      exposure: createExposureReports(answering),
    }),
    // An embedded store belongs to one process: with `alone`, a component sees everything that is written to it.
    screening: {
      store: answering,
      alone: store.embedded,
      providers: { ...providers, fraud_check: createBulkFraudProvider({ store, clock, rescore, publish, spread }) },
    },
    monitoring: {
      store: answering,
      bus,
      keys: config.ASSAY_WEBHOOK_KEY ?? [],
      watchLimit: config.ASSAY_WATCH_LIMIT,
      alone: store.embedded,
      targets: { allowLoopback: config.ASSAY_WEBHOOK_LOOPBACK },
    },
    usage: answering,
    audit:
      config.ASSAY_AUDIT_LOG === 'off'
        ? undefined
        : { store: answering, required: config.ASSAY_AUDIT_LOG === 'required', days: config.ASSAY_AUDIT_LOG_DAYS },
    console: config.ASSAY_CONSOLE ? { secret: config.ASSAY_CONSOLE_SECRET?.reveal() } : undefined,
    publicUrl,
    tuning,
    extensions: [agentRoutes({ publicUrl, receiver, redisUrl }), mcpRoutes({ publicUrl, receiver }), ...extensions],
  })
  await overview.look()
  periodically(context, 'look whether networks catch up', LOOK_MS, overview.look)
  await followRecords(context, bus, api.reader)
  const urls = await api.start()
  if (tls) {
    // With TLS, clients cannot be distinguished from a load balancer, so internal endpoints are on another port.
    const { ASSAY_HOST: host, ASSAY_OPS_PORT: port } = config
    const { readiness, status } = overview
    await startOpsServer(context, { host, port, readiness, status, privately: true })
  }
  const done = new Promise<void>((resolve) => lifecycle.signal.addEventListener('abort', () => resolve()))
  return { done, readiness: overview.readiness, status: overview.status, urls, api }
}
