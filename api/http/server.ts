/** One listener: its address, its surfaces, and the hooks of every request. */

import type { Server as TlsServer } from 'node:tls'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Context } from '../../platform/context/context.ts'
import type { Surface } from '../../schema/records/operations.ts'
import { errorAnswer } from '../answers/answer.ts'
import { SHED } from './edge/pressure.ts'
import { readCertificate, reloadCertificate, type TlsFiles } from './edge/tls.ts'
import { isSecure } from './edge/transport.ts'
import { installErrors, rawRefusal, sendAnswer, unroutable } from './errors.ts'
import { createRequestIds, installObservation } from './observe.ts'
import { installOps, isOps, type OpsOptions } from './ops.ts'
import { CONSOLE_PATH } from './page-policy.ts'
import { EVERYWHERE } from './security-headers.ts'
import './types.ts'
import { createVersions } from './versions.ts'

/** Address and surfaces of a listener. Port 0 picks a free port. */
export type Listener = { host: string; port: number; surfaces: readonly Surface[] }

/** Transport and limits of a listener. */
export type ServerOptions = OpsOptions & {
  /** Certificate and key; plain HTTP without them. */
  tls?: TlsFiles | undefined
  /** How often certificate files are checked, ms. */
  tlsReloadMs: number
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-* headers are trusted. */
  trustProxy?: readonly string[] | undefined
  /** Whether plain HTTP is served between loopback addresses, for development. @default false */
  plainHttp?: boolean | undefined
  /** Maximum number of open connections. Further connections are closed. */
  maxConnections?: number | undefined
  /** Whether costly requests are refused with 429 at the moment. @default never */
  isOverloaded?: (() => boolean) | undefined
}

const BODY_LIMIT = 16 * 1024
/** From the first byte of a connection or request to the end of its headers, ms. */
const HEADERS_TIMEOUT_MS = 5_000
/** To the end of a request, ms. */
const REQUEST_TIMEOUT_MS = 15_000
/** How often both timeouts are checked, ms. Node's default is 30 s. */
const CHECK_CONNECTIONS_MS = 1_000
/** Longer than the 60 s of load balancers, so that the balancer closes idle connections, not the server, ms. */
const KEEP_ALIVE_MS = 72_000
const MAX_CONNECTIONS = 10_000
/** As long as the largest request head that Node reads, so that a long path gets the usual 404. */
const MAX_PARAM = 16 * 1024

const INSECURE = errorAnswer(
  'HTTPS_REQUIRED',
  'Plain HTTP is not served. A key sent this way has been exposed: replace it.',
)

const NO_HOST = errorAnswer('INVALID_REQUEST', 'The request cannot be read: the header host is missing.', [
  { field: 'host', reason: 'is required' },
])
const MANY_HOSTS = errorAnswer('INVALID_REQUEST', 'The request cannot be read: it has more than one header host.', [
  { field: 'host', reason: 'must be given once' },
])

/**
 * RFC 9112, section 3.2: an HTTP/1.1 request has exactly one Host header. Of several, a proxy and this server could
 * read different ones.
 */
const hostError = ({ headers, raw }: FastifyRequest) => {
  if (headers.host === undefined) return raw.httpVersion === '1.0' ? undefined : NO_HOST
  const hosts = raw.rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === 'host')
  return hosts.length > 1 ? MANY_HOSTS : undefined
}

const createFastify = (
  { log }: Context,
  { tls, trustProxy, maxConnections = MAX_CONNECTIONS }: ServerOptions,
): FastifyInstance => {
  const deadlines = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    // Otherwise Node refuses such requests itself, without our body and headers.
    requireHostHeader: false,
  }
  const common = {
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: () => log,
    genReqId: createRequestIds(),
    bodyLimit: BODY_LIMIT,
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    clientErrorHandler: rawRefusal,
    forceCloseConnections: 'idle' as const,
    frameworkErrors: unroutable,
    // Unknown fields are ignored, including __proto__ and constructor.
    onProtoPoisoning: 'remove' as const,
    onConstructorPoisoning: 'remove' as const,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: MAX_PARAM },
    ...(trustProxy && { trustProxy: [...trustProxy] }),
  }
  // Fastify has different types for http and https servers; nothing here depends on the difference.
  const app = tls
    ? Fastify({ ...common, https: { ...deadlines, handshakeTimeout: HEADERS_TIMEOUT_MS, ...readCertificate(tls) } })
    : Fastify({ ...common, http: deadlines })
  app.server.maxConnections = maxConnections
  // Otherwise Node answers 417 itself, without our body and headers. An unknown expectation may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app as unknown as FastifyInstance
}

/**
 * Cheap requests are not shed: operational routes and the files of the console, which fails to load without one of them. Routes
 * that can answer from memory decide themselves (`api/operations.ts`).
 */
const mayBeShed = ({ url, routeOptions }: FastifyRequest): boolean =>
  !isOps(url) && !url.startsWith(CONSOLE_PATH) && routeOptions.config.shedsItself !== true

/** A Fastify instance with transport rules, headers, errors, metrics, load shedding and the operational routes. */
export const createServer = (context: Context, options: ServerOptions): FastifyInstance => {
  const app = createFastify(context, options)
  app.decorateRequest('caller', undefined)
  app.decorateReply('outcome', '')
  app.removeContentTypeParser('text/plain')

  const versions = createVersions(context.clock.now)
  // First hook, so that refusals of later hooks have the headers too.
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    reply.headers(EVERYWHERE)
    reply.header('x-request-id', request.id)
    const version = versions(request.headers['assay-version'])
    if ('headers' in version) reply.headers(version.headers)
    const unreadable = hostError(request)
    if (unreadable) sendAnswer(reply, unreadable)
    else if (isSecure(request, options.plainHttp ?? false) || isOps(request.url)) {
      if ('refused' in version) sendAnswer(reply, version.refused)
      else done()
    } else {
      context.log.warn(
        { requestId: request.id, keyExposed: request.headers['x-api-key'] !== undefined },
        'refused plain HTTP',
      )
      sendAnswer(reply, INSECURE)
    }
  })
  installObservation(app, context.metrics)
  installErrors(app)
  const { isOverloaded } = options
  if (isOverloaded) {
    app.addHook('onRequest', (request, reply, done) => {
      if (isOverloaded() && mayBeShed(request)) sendAnswer(reply, SHED)
      else done()
    })
  }
  installOps(app, context.metrics, options)
  return app
}

/** Starts listening and reloading certificates. Resolves to the base URL with the actual port. */
export const listen = async (
  context: Context,
  app: FastifyInstance,
  { host, port }: Pick<Listener, 'host' | 'port'>,
  { tls, tlsReloadMs }: ServerOptions,
): Promise<string> => {
  if (!tls) return app.listen({ host, port })
  const stop = reloadCertificate(app.server as unknown as TlsServer, tls, context.log, tlsReloadMs)
  app.addHook('onClose', (_, done) => {
    stop()
    done()
  })
  return app.listen({ host, port })
}
