/**
 * The API server: serves records over HTTP on two surfaces, which may share an address. Wires the parts together.
 */
import type { FastifyInstance } from 'fastify'
import type { Context } from '../platform/context/context.ts'
import { periodically } from '../platform/context/periodic.ts'
import type { Store } from '../platform/store/store.ts'
import { NETWORK_CODES, type Network } from '../schema/networks.ts'
import type { Tier } from '../schema/records/operations.ts'
import type { ServedBatch } from '../schema/records/service/served.ts'
import { type AuditOptions, openAudit } from './accounting/audit/open.ts'
import { installUsage } from './accounting/usage/routes.ts'
import { createUsage } from './accounting/usage/usage.ts'
import type { CatchingUpOf, SettledOf } from './answers/catching-up.ts'
import type { CoverageOf } from './answers/coverage.ts'
import type { Explanations } from './answers/providers/explanations/explain.ts'
import type { Pasts } from './answers/providers/pasts.ts'
import type { Providers } from './answers/providers/provider.ts'
import { createCompute } from './answers/reader/compute.ts'
import { createReader, type Reader } from './answers/reader/reader.ts'
import type { ServeCounts } from './answers/served/bases.ts'
import { createCounts } from './answers/served/counts.ts'
import { createConsole } from './console/console.ts'
import { installDocs } from './docs/routes.ts'
import { type Authorize, createAuthorize } from './http/authorize.ts'
import { createKeylessLimit, installKeylessLimit, type KeylessLimit } from './http/edge/keyless.ts'
import { watchEventLoop } from './http/edge/pressure.ts'
import { installExtensions } from './http/extensions.ts'
import { createPayments, type Payments } from './http/payment.ts'
import { installOperations } from './http/routes.ts'
import { createServer, type Listener, listen, type ServerOptions } from './http/server.ts'
import type { Keys } from './keys/keys.ts'
import { createKeyRing } from './keys/ring.ts'
import { createFailures } from './limits/failures.ts'
import { createLimits, type TierLimit } from './limits/limits.ts'
import { createSharedWindows } from './limits/redis.ts'
import { createLocalWindows } from './limits/window.ts'
import { createMonitoring, type MonitoringOptions } from './monitoring/monitoring.ts'
import { createHandle, type Handle } from './operations.ts'
import { createScreening } from './screen/screening.ts'
import type { Pace } from './screen/upload.ts'
import type { PaymentGate } from './x402/gate.ts'

/** The parts that extensions (A2A, MCP) use. */
export type Core = {
  context: Context
  handle: Handle
  authorize: Authorize
  payments: Payments | undefined
  keyless: KeylessLimit
}

/** Adds routes to a listener. Called once per listener. */
export type Extension = (app: FastifyInstance, core: Core, listener: Listener) => Promise<void> | void

/** Options of the API. Omitting an optional part disables it. */
export type ApiOptions = {
  /** One listener for both surfaces, or one for each. */
  listeners: readonly Listener[]
  server: Omit<ServerOptions, 'tlsReloadMs'> &
    Partial<Pick<ServerOptions, 'tlsReloadMs'>> & {
      /** Event-loop delay above which costly requests are refused with 429, ms; 0 never refuses. */
      maxEventLoopDelayMs?: number
    }
  providers: Providers
  serveCounts: ServeCounts
  /** Publishes served counts (topic `served`). */
  sendServed: (batch: ServedBatch) => Promise<void>
  keys: Pick<Keys, 'list' | 'ensure'>
  /** Keys that are created at start unless they exist. */
  bootstrapKeys?: readonly { tier: Tier; key: string }[]
  rateLimits: readonly TierLimit[]
  /** Limits of `calculate: true`. @default a tenth of `rateLimits` */
  recalculationLimits?: readonly TierLimit[]
  /** Shares limits between replicas. */
  redisUrl?: string | undefined
  /** Accepts payments for calls without a key. Without it every call needs a key. */
  payments?: PaymentGate | undefined
  /** Networks that this installation indexes. @default all networks */
  indexed?: readonly Network[]
  /** Networks that are catching up. @default none */
  catchingUp?: CatchingUpOf | undefined
  /** Since when the data of a network is complete. @default always */
  settled?: SettledOf | undefined
  /** Coverage of each network. */
  coverage?: CoverageOf | undefined
  /** Fetches the pasts of wallets. */
  pasts?: Pick<Pasts, 'fetch'> | undefined
  /** How long listeners keep serving after `/ready` turned off at shutdown, so that load balancers notice, ms. @default 0 */
  drainMs?: number | undefined
  /** Explanations of verdicts, by operation. */
  explanations?: Explanations | undefined
  /** Store of screening jobs, and the providers that compute their records. */
  screening?: { store: Store; providers?: Providers; alone?: boolean; pace?: Pace } | undefined
  /** Watch lists, alerts and webhooks. */
  monitoring?: Omit<MonitoringOptions, 'context' | 'authorize' | 'ring' | 'catchingUp' | 'audit'> | undefined
  /** Store in which calls are counted by key. */
  usage?: Store | undefined
  /** Audit log of answers. */
  audit?: AuditOptions | undefined
  /** The console, on the enterprise surface. `secret` seals its sessions; replicas behind one address share it. */
  console?: { secret?: string | undefined } | undefined
  /** Public URL of the agent surface. */
  publicUrl?: string | undefined
  /** Further routes, such as those of A2A and MCP. */
  extensions?: readonly Extension[]
  /** Limits and intervals, overridden by tests. @default TUNING */
  tuning?: Partial<typeof TUNING> | undefined
}

const TUNING = {
  /** Size of the record cache, bytes. */
  memoryBytes: 256 * 1024 * 1024,
  /** Age at which a cached record is refreshed in the background, ms. */
  memoryMaxAgeMs: 60_000,
  /** Age from which a cached record that could not be refreshed is no longer served, ms. */
  memoryHardMaxAgeMs: 300_000,
  /** Concurrent look-ups per operation. Requests that arrive meanwhile form the next batch. */
  lookupConcurrency: 1,
  lookupMaxBatch: 500,
  lookupDeadlineMs: 5_000,
  /** How long an address without a record is remembered as unknown, ms. */
  absentMs: 2_000,
  maxAbsent: 50_000,
  computeConcurrency: 4,
  computeMaxWaiting: 128,
  computeDeadlineMs: 10_000,
  redisTimeoutMs: 20,
  keysRefreshMs: 2_000,
  /** Invalid keys per IP address and minute. */
  invalidKeysPerMinute: 60,
  /** Requests without key and payment per IP address and minute. */
  keylessPerMinute: 600,
  maxSources: 50_000,
  servedFlushMs: 1_000,
  screenPauseMs: 500,
  tlsReloadMs: 5_000,
  maxEventLoopDelayMs: 250,
}

/** The API server. It closes with the lifecycle of its context. */
export type Api = {
  /** Listens on every listener; resolves to their URLs. */
  start: () => Promise<string[]>
  /** One Fastify instance per listener, for tests without a socket. */
  apps: readonly FastifyInstance[]
  reader: Reader
  /** Reads the keys from the store now. */
  refreshKeys: () => Promise<void>
  /** Reloads what this process caches of a table that another process has just written. */
  written: (table: string) => Promise<void>
  /** One-time path that signs in to the console with a key; `undefined` without a console. */
  consoleLink: (key: string) => string | undefined
  /** Works one turn on each screening job now. */
  screen: () => Promise<void>
  /** Flushes served counts, calls by key and the audit log now. */
  flush: () => Promise<void>
}

/** Tables that monitoring caches. */
const MONITORING_TABLES: ReadonlySet<string> = new Set(['watch_list', 'webhook_endpoints', 'webhook_deliveries'])

const DRAINING = 'this replica is shutting down'

const tenth = (limits: readonly TierLimit[]): TierLimit[] =>
  limits.map((limit) => ({ ...limit, limit: limit.limit === 0 ? 0 : Math.max(1, Math.floor(limit.limit / 10)) }))

/** @throws OperatorError ASSAY_API_CERTIFICATE, and errors of the store while keys are read */
export const createApi = async (context: Context, options: ApiOptions): Promise<Api> => {
  const { clock, lifecycle, metrics } = context
  const tuning = { ...TUNING, ...options.tuning }
  const { maxEventLoopDelayMs = tuning.maxEventLoopDelayMs, ...given } = options.server
  const { isOverloaded = watchEventLoop(lifecycle, maxEventLoopDelayMs) } = given
  const server: ServerOptions = {
    tlsReloadMs: tuning.tlsReloadMs,
    ...given,
    isOverloaded,
    readiness: async () => {
      const known = await options.server.readiness()
      return lifecycle.signal.aborted ? { ...known, ready: false, reasons: [DRAINING, ...known.reasons] } : known
    },
  }

  const indexed = options.indexed ?? NETWORK_CODES
  const catchingUp = options.catchingUp ?? (() => undefined)
  const coverage = options.coverage ?? (() => undefined)
  const ring = createKeyRing(context, options.keys)
  await options.keys.ensure(options.bootstrapKeys ?? [])
  await ring.refresh()

  const redis = options.redisUrl ? createSharedWindows(context, options.redisUrl, tuning.redisTimeoutMs) : undefined
  const limits = createLimits({
    calls: options.rateLimits,
    recalculations: options.recalculationLimits ?? tenth(options.rateLimits),
    windows: redis ?? createLocalWindows(),
    now: clock.now,
  })
  const counts = createCounts({ store: options.serveCounts, send: options.sendServed, now: clock.now })
  const compute = createCompute({
    concurrency: tuning.computeConcurrency,
    maxWaiting: tuning.computeMaxWaiting,
    deadlineMs: tuning.computeDeadlineMs,
  })
  const reader = createReader({
    context,
    providers: options.providers,
    counts,
    compute,
    maxBytes: tuning.memoryBytes,
    maxAgeMs: tuning.memoryMaxAgeMs,
    hardMaxAgeMs: tuning.memoryHardMaxAgeMs,
    lookupConcurrency: tuning.lookupConcurrency,
    maxBatch: tuning.lookupMaxBatch,
    lookupDeadlineMs: tuning.lookupDeadlineMs,
    absentMs: tuning.absentMs,
    maxAbsent: tuning.maxAbsent,
    settled: options.settled,
  })
  const usage = options.usage && createUsage({ store: options.usage, metrics, now: clock.now })
  const audit = options.audit && openAudit(context, options.audit)
  const handle = createHandle({
    count: usage?.count,
    audit,
    context,
    reader,
    counts,
    limits,
    indexed,
    catchingUp,
    coverage,
    pasts: options.pasts,
    isOverloaded,
  })
  const authorize = createAuthorize(
    ring,
    limits,
    createFailures({
      limit: tuning.invalidKeysPerMinute,
      windowMs: 60_000,
      maxAddresses: tuning.maxSources,
      now: clock.now,
    }),
  )
  const payments = options.payments && createPayments(options.payments, authorize, context)
  const screening =
    options.screening &&
    createScreening({
      ...options.screening,
      payable: options.payments !== undefined,
      context,
      providers: options.screening.providers ?? options.providers,
      operations: { limits, indexed, catchingUp, coverage, count: usage?.count, audit },
      served: { store: options.serveCounts, send: options.sendServed },
      tuning,
      settled: options.settled,
      authorize,
      ring,
    })
  const monitoring =
    options.monitoring && createMonitoring({ ...options.monitoring, context, authorize, ring, catchingUp, audit })
  const pages = options.console && createConsole({ secret: options.console.secret, now: clock.now })
  const { keylessPerMinute, maxSources } = tuning
  const keyless = createKeylessLimit({ limit: keylessPerMinute, maxSources, now: clock.now })
  const core: Core = { context, handle, authorize, payments, keyless }

  const apps: FastifyInstance[] = []
  for (const listener of options.listeners) {
    const app = createServer(context, server)
    const forPeople = listener.surfaces.includes('enterprise') ? pages : undefined
    forPeople?.admit(app)
    installKeylessLimit(app, keyless)
    for (const surface of listener.surfaces) {
      installOperations(app, surface, { authorize, handle, payments, publicUrl: options.publicUrl })
      if (surface === 'enterprise')
        installExtensions(app, {
          context,
          authorize,
          handle,
          reader,
          indexed,
          catchingUp,
          coverage,
          explanations: options.explanations,
          audit,
        })
    }
    if (listener.surfaces.includes('enterprise')) {
      screening?.install(app)
      monitoring?.install(app)
      if (usage) installUsage(app, { context, authorize, usage, ring })
    }
    forPeople?.install(app, authorize)
    installDocs(app, options.publicUrl)
    for (const extend of options.extensions ?? []) await extend(app, core, listener)
    apps.push(app)
  }

  const records = metrics.gauge('assay_memory_records', 'Records in memory')
  const bytes = metrics.gauge('assay_memory_record_bytes', 'Bytes of records in memory')
  const measure = async () => {
    records.set(reader.cache.size)
    bytes.set(reader.cache.bytes)
    await Promise.all([counts.flush(), screening?.flush(), usage?.flush()])
  }

  periodically(context, 'refresh keys', tuning.keysRefreshMs, ring.refresh)
  if (screening) periodically(context, 'work on screening jobs', tuning.screenPauseMs, screening.work)
  periodically(context, 'send served counts', tuning.servedFlushMs, measure)
  // Closers run in reverse order: first listeners drain, then counts are sent, then Redis is closed.
  lifecycle.onClose('rate limits', () => redis?.close())
  lifecycle.onClose('served counts', counts.flush)
  if (usage) lifecycle.onClose('usage', usage.flush)
  if (screening) lifecycle.onClose('screening jobs', screening.close)
  for (const app of apps) lifecycle.onClose('http server', () => app.close())
  const { drainMs = 0 } = options
  if (drainMs > 0) lifecycle.onClose('wait for load balancers', () => clock.sleep(drainMs), 2 * drainMs)

  return {
    apps,
    reader,
    refreshKeys: ring.refresh,
    written: async (table) => {
      if (table === 'api_keys') await ring.refresh()
      if (MONITORING_TABLES.has(table)) monitoring?.written()
    },
    consoleLink: (key) => pages?.linkFor(key),
    screen: async () => screening?.work(),
    flush: async () => {
      await Promise.all([counts.flush(), usage?.flush(), audit?.flush()])
    },
    start: async () => {
      monitoring?.start()
      const urls: string[] = []
      for (const [index, listener] of options.listeners.entries()) {
        const app = apps[index]
        if (app) urls.push(await listen(context, app, listener, server))
      }
      context.log.info({ urls, operations: Object.keys(options.providers) }, 'serving verdicts')
      return urls
    },
  }
}
