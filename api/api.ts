/**
 * The API: records to HTTP, on two surfaces that may share an address. Puts the parts together; each part knows only
 * what it is given.
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

/** What further interfaces (A2A, MCP) are built from. */
export type Core = {
  context: Context
  handle: Handle
  authorize: Authorize
  payments: Payments | undefined
  keyless: KeylessLimit
}

/** Adds routes to a listener. Called once per listener with the surfaces it serves. */
export type Extension = (app: FastifyInstance, core: Core, listener: Listener) => Promise<void> | void

/** Everything an API is made of. What may be left out switches a part of it off. */
export type ApiOptions = {
  /** One for both surfaces together, or one each. */
  listeners: readonly Listener[]
  server: Omit<ServerOptions, 'tlsReloadMs'> &
    Partial<Pick<ServerOptions, 'tlsReloadMs'>> & {
      /** Event-loop delay from which on requests that cost something are shed with 429, ms; 0 never sheds. */
      maxEventLoopDelayMs?: number
    }
  providers: Providers
  serveCounts: ServeCounts
  /** Publishes served counts (topic `served`). */
  sendServed: (batch: ServedBatch) => Promise<void>
  keys: Pick<Keys, 'list' | 'ensure'>
  /** Keys that are made at the start, where they are not there yet; none when not given. */
  bootstrapKeys?: readonly { tier: Tier; key: string }[]
  rateLimits: readonly TierLimit[]
  /** Budgets for `calculate: true`; a tenth of the call limits when not given. @default a tenth of `rateLimits` */
  recalculationLimits?: readonly TierLimit[]
  /** Shares limits between replicas. */
  redisUrl?: string | undefined
  /** Takes payments for calls without a key; calls need a key without it. */
  payments?: PaymentGate | undefined
  /** Networks whose blocks this installation has; all when not given. @default all networks */
  indexed?: readonly Network[]
  /** Networks that catch up; none when not given. */
  catchingUp?: CatchingUpOf | undefined
  /** Since when networks can be relied on; always when not given. */
  settled?: SettledOf | undefined
  /** What is known of each network; nothing when not given. */
  coverage?: CoverageOf | undefined
  /** Has the pasts of wallets fetched; nobody does when not given. */
  pasts?: Pick<Pasts, 'fetch'> | undefined
  /** How long the listeners go on after `/ready` went off, ms: load balancers have this long to notice. @default 0 */
  drainMs?: number | undefined
  /** What stands behind the verdicts of operations; the others are not explained. */
  explanations?: Explanations | undefined
  /** Where screening jobs are kept, and what computes records for them; no screening without it. */
  screening?: { store: Store; providers?: Providers; alone?: boolean; pace?: Pace } | undefined
  /** Watch lists and webhooks; none without it. */
  monitoring?: Omit<MonitoringOptions, 'context' | 'authorize' | 'ring' | 'catchingUp' | 'audit'> | undefined
  /** Where calls are counted by key; not counted without it. */
  usage?: Store | undefined
  /** Where answers are entered into the audit log; there is none without it. */
  audit?: AuditOptions | undefined
  /** Pages for people, beside the enterprise surface; none without it. `secret` seals sessions for all replicas. */
  console?: { secret?: string | undefined } | undefined
  /** Public URL of the agent surface. */
  publicUrl?: string | undefined
  /** Further routes, such as those of agents; none when not given. */
  extensions?: readonly Extension[]
  /** Bounds of memory and of times that tests set. @default TUNING */
  tuning?: Partial<typeof TUNING> | undefined
}

const TUNING = {
  /** Bytes of records kept in memory. */
  memoryBytes: 256 * 1024 * 1024,
  /** Age at which a record in memory is looked up again behind an answer, ms. */
  memoryMaxAgeMs: 60_000,
  /** Age from which a record that could not be looked up again is not served, ms. */
  memoryHardMaxAgeMs: 300_000,
  /** Look-ups of one operation under way at a time; what comes meanwhile goes out together. */
  lookupConcurrency: 1,
  lookupMaxBatch: 500,
  lookupDeadlineMs: 5_000,
  /** How long an address is held to be never seen, ms. */
  absentMs: 2_000,
  maxAbsent: 50_000,
  computeConcurrency: 4,
  computeMaxWaiting: 128,
  computeDeadlineMs: 10_000,
  redisTimeoutMs: 20,
  keysRefreshMs: 2_000,
  /** Invalid keys an address may send in a minute. */
  invalidKeysPerMinute: 60,
  /** Requests without key and payment that an address may send in a minute. */
  keylessPerMinute: 600,
  maxSources: 50_000,
  servedFlushMs: 1_000,
  screenPauseMs: 500,
  tlsReloadMs: 5_000,
  maxEventLoopDelayMs: 250,
}

/** An API that was put together. It ends with the lifecycle of its context. */
export type Api = {
  /** Listens on every listener; resolves to their URLs. */
  start: () => Promise<string[]>
  /** One Fastify instance per listener, for tests without a socket. */
  apps: readonly FastifyInstance[]
  reader: Reader
  /** Reads the keys from the store now. */
  refreshKeys: () => Promise<void>
  /** Takes over what somebody else has just put into a table, where this process keeps any of it in mind. */
  written: (table: string) => Promise<void>
  /** Path that signs in to the console with a key, once; `undefined` where there is no console. */
  consoleLink: (key: string) => string | undefined
  /** Works on screening jobs now, a turn of each. */
  screen: () => Promise<void>
  /** Sends served counts, stores calls by key and the audit log now. */
  flush: () => Promise<void>
}

/** What this process keeps in mind of them. */
const MONITORING_TABLES: ReadonlySet<string> = new Set(['watch_list', 'webhook_endpoints', 'webhook_deliveries'])

const DRAINING = 'this replica is shutting down'

const tenth = (limits: readonly TierLimit[]): TierLimit[] =>
  limits.map((limit) => ({ ...limit, limit: limit.limit === 0 ? 0 : Math.max(1, Math.floor(limit.limit / 10)) }))

/** @throws OperatorError ASSAY_API_CERTIFICATE, or what the store throws while keys are read. */
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
  // Closers run in reverse order: listeners drain first, then what they counted is sent, then Redis is left.
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
