/** Health, readiness, status and metrics. They answer over plain HTTP too; metrics to private addresses only. */
import type { FastifyInstance } from 'fastify'
import { METRICS_TYPE, type Metrics } from '../../platform/context/metrics.ts'
import { isPrivate } from './edge/transport.ts'

/** Whether this process can answer for a network at least, and what stands in the way of it or of a network. */
export type Readiness = {
  ready: boolean
  reasons: string[]
  /** Whether each network can be answered for. */
  networks?: Record<string, boolean>
}

type StatusError = { code: string; message: string; since: string }
type Maybe<T> = { [Name in keyof T]?: T[Name] | undefined }

/** How a network is doing, as `/status` serves it. Times are ISO 8601; blocks are left out until known. */
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
  /** What the indexer is at. */
  phase: string
  /** Newest block its nodes have shown, highest block on the bus, highest one published as final. */
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
  /** While verdicts are refused because blocks or logs are missing. */
  catchingUp: { reason: string; retryAfterSeconds: number; blocksPerSecond?: number; secondsLeft?: number }
  /** Logs of authorities: how many are known from their first block on, and why others are not. */
  authorities: { complete: number; logs: number; part: number; leftSeconds: number; missing: Record<string, string> }
  /** What its endpoints cannot prove of what they answer, in words. */
  unproved: readonly string[]
}>

/** How payments are looked after, as `/status` shows it to private addresses. */
export type PaymentsStatus = {
  /** Whether a node is configured on which settled payments are looked up. Without one the facilitator is believed. */
  lookedUp: boolean
}

const OPS_PATHS: ReadonlySet<string> = new Set(['/health', '/ready', '/status', '/metrics'])

/** Whether a URL is one of those, with a query or without: some probes send one. */
export const isOps = (url: string): boolean => {
  const query = url.indexOf('?')
  return OPS_PATHS.has(query < 0 ? url : url.slice(0, query))
}

/** Messages of errors name hosts of the installation: they are for its operators. */
const withoutMessages = (status: readonly NetworkStatus[]) => {
  const bare = (error: StatusError | undefined) => error && { code: error.code, since: error.since }
  return status.map((one) => ({
    ...one,
    error: bare(one.error),
    parts: one.parts.map(({ instance, ...part }) => ({ ...part, error: bare(part.error) })),
  }))
}

/** What is told of this process. */
export type OpsOptions = {
  readiness: () => Readiness | Promise<Readiness>
  /** Networks of the installation; without it `/status` has none. */
  status?: (() => Promise<NetworkStatus[]>) | undefined
  /** Left out where no payments are taken. */
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
