/** Health, readiness, status and metrics. Also served over plain HTTP; metrics to private addresses only. */
import type { FastifyInstance } from 'fastify'
import { METRICS_TYPE, type Metrics } from '../../platform/context/metrics.ts'
import { isPrivate } from './edge/transport.ts'

/** Whether this process can serve at least one network, and why it or a network is not ready. */
export type Readiness = {
  ready: boolean
  reasons: string[]
  /** Readiness by network. */
  networks?: Record<string, boolean>
}

type StatusError = { code: string; message: string; since: string }
type Maybe<T> = { [Name in keyof T]?: T[Name] | undefined }

/** State of a network in `/status`. Times are ISO 8601; blocks are omitted until known. */
export type NetworkStatus = {
  network: string
  ready: boolean
  /** The worst state of its parts; `silent` when none reports. */
  state: string
  reasons: string[]
  parts: readonly ({
    part: string
    role: string
    instance: string
    state: string
    since: string
    reportedAt: string
  } & Maybe<{ retryAt: string; error: StatusError }>)[]
} & Maybe<{
  /** What the indexer is doing. */
  phase: string
  /** Newest block that its nodes reported, highest block on the bus, highest block published as final. */
  head: number
  published: number
  finalized: number
  /** Highest block in the tables, and the watermark. */
  stored: number
  settled: number
  /** First block whose rows are in the tables. */
  indexedSince: { block: number; time: string }
  /** Age of the highest block in the tables. */
  lagSeconds: number
  error: StatusError
  /** Present while verdicts are refused because blocks or logs are missing. */
  catchingUp: { reason: string; retryAfterSeconds: number; blocksPerSecond?: number; secondsLeft?: number }
  /** Logs of authorities: how many are complete from their first block, and why others are not. */
  authorities: { complete: number; logs: number; part: number; leftSeconds: number; missing: Record<string, string> }
  /** What the answers of its endpoints do not prove, as sentences. */
  unproved: readonly string[]
}>

/** Payment settings in `/status`, for private addresses only. */
export type PaymentsStatus = {
  /** Whether settled payments are verified on chain. Otherwise the facilitator is trusted. */
  lookedUp: boolean
}

const OPS_PATHS: ReadonlySet<string> = new Set(['/health', '/ready', '/status', '/metrics'])

/** Whether a URL is one of these paths. Ignores the query: some probes send one. */
export const isOps = (url: string): boolean => {
  const query = url.indexOf('?')
  return OPS_PATHS.has(query < 0 ? url : url.slice(0, query))
}

/** Removes error messages and instance names, which contain host names. */
const withoutMessages = (status: readonly NetworkStatus[]) => {
  const bare = (error: StatusError | undefined) => error && { code: error.code, since: error.since }
  return status.map((one) => ({
    ...one,
    error: bare(one.error),
    parts: one.parts.map(({ instance, ...part }) => ({ ...part, error: bare(part.error) })),
  }))
}

/** Sources of the operational routes. */
export type OpsOptions = {
  readiness: () => Readiness | Promise<Readiness>
  /** State of the networks. Without it `/status` lists none. */
  status?: (() => Promise<NetworkStatus[]>) | undefined
  /** Omitted if no payments are accepted. */
  payments?: PaymentsStatus | undefined
}

/** Adds `/health`, `/ready`, `/status` and `/metrics`. */
export const installOps = (
  app: FastifyInstance,
  metrics: Metrics,
  { readiness, status, payments }: OpsOptions,
): void => {
  app.get('/health', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
  app.get('/ready', async (_, reply) => {
    const answer = await readiness()
    return reply
      .code(answer.ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send(answer)
  })
  app.get('/status', async (request, reply) => {
    const networks = (await status?.()) ?? []
    const answer = isPrivate(request) ? { networks, payments } : { networks: withoutMessages(networks) }
    return reply.header('cache-control', 'no-store').send(answer)
  })
  app.get('/metrics', async (request, reply) => {
    if (!isPrivate(request)) return reply.callNotFound()
    return reply.header('content-type', METRICS_TYPE).send(await metrics.text())
  })
}
