/** One listener: an address, the surfaces served there, and everything that belongs to every request. */

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

/** Where to listen, and what is served there. Port 0 takes any that is free. */
export type Listener = { host: string; port: number; surfaces: readonly Surface[] }

/** How strangers reach a listener, and what it bears. */
export type ServerOptions = OpsOptions & {
  /** Certificate and key; plain HTTP without them. */
  tls?: TlsFiles | undefined
  /** How often certificate files are looked at, ms. */
  tlsReloadMs: number
  /** Addresses or CIDR ranges of proxies whose X-Forwarded-* headers are believed. */
  trustProxy?: readonly string[] | undefined
  /** Whether plain HTTP is answered between loopback addresses: development on one machine. @default false */
  plainHttp?: boolean | undefined
  /** Connections a listener holds at a time; what comes beyond is closed. */
  maxConnections?: number | undefined
  /** Whether what costs something is to be refused with 429 for now; never when not given. */
  isOverloaded?: (() => boolean) | undefined
}

const BODY_LIMIT = 16 * 1024
/** From the first byte of a connection or request to the end of its headers, ms. */
const HEADERS_TIMEOUT_MS = 5_000
/** To the end of a request, ms. */
const REQUEST_TIMEOUT_MS = 15_000
/** How often both are looked at, ms. Node looks every 30 s otherwise. */
const CHECK_CONNECTIONS_MS = 1_000
/** Longer than the minute that load balancers keep connections, ms: they must be the ones who close them. */
const KEEP_ALIVE_MS = 72_000
const MAX_CONNECTIONS = 10_000
/** No part of a path is longer than a head that Node reads, so that a long one is unknown like any other. */
const MAX_PARAM = 16 * 1024

const INSECURE = errorAnswer(
  'HTTPS_REQUIRED',
  'Plain HTTP is not served. A key sent this way has been exposed: replace it.',
)

/** RFC 9112, section 3.2: a request of HTTP/1.1 names its host. */
const NO_HOST = errorAnswer('INVALID_REQUEST', 'The request cannot be read: the header host is missing.', [
  { field: 'host', reason: 'is required' },
])

const createFastify = (
  { log }: Context,
  { tls, trustProxy, maxConnections = MAX_CONNECTIONS }: ServerOptions,
): FastifyInstance => {
  const deadlines = {
    headersTimeout: HEADERS_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    // Node would refuse such requests itself, without body and headers; we do.
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
    // Unknown fields are ignored, whatever they are called.
    onProtoPoisoning: 'remove' as const,
    onConstructorPoisoning: 'remove' as const,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: MAX_PARAM },
    ...(trustProxy && { trustProxy: [...trustProxy] }),
  }
  // Fastify types http and https servers apart; nothing here depends on which it is.
  const app = tls
    ? Fastify({ ...common, https: { ...deadlines, handshakeTimeout: HEADERS_TIMEOUT_MS, ...readCertificate(tls) } })
    : Fastify({ ...common, http: deadlines })
  app.server.maxConnections = maxConnections
  // Node would answer 417 by itself, without body and headers. What we do not expect is no reason not to answer (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  return app as unknown as FastifyInstance
}

/**
 * What costs next to nothing is not shed: a page without one of its files does not work at all. What it asks is shed. Routes
 * that answer from memory where they can decide by themselves (`api/operations.ts`).
 */
const mayBeShed = ({ url, routeOptions }: FastifyRequest): boolean =>
  !isOps(url) && !url.startsWith(CONSOLE_PATH) && routeOptions.config.shedsItself !== true

/** Fastify with transport rules, headers, errors, metrics, load shedding and the operational routes installed. */
export const createServer = (context: Context, options: ServerOptions): FastifyInstance => {
  const app = createFastify(context, options)
  app.decorateRequest('caller', undefined)
  app.decorateReply('outcome', '')
  app.removeContentTypeParser('text/plain')

  const versions = createVersions(context.clock.now)
  // First, so that what later hooks refuse carries the headers too.
  app.addHook('onRequest', (request: FastifyRequest, reply: FastifyReply, done) => {
    reply.headers(EVERYWHERE)
    reply.header('x-request-id', request.id)
    const version = versions(request.headers['assay-version'])
    if ('headers' in version) reply.headers(version.headers)
    if (request.headers.host === undefined && request.raw.httpVersion !== '1.0') sendAnswer(reply, NO_HOST)
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

/** Starts listening; resolves to the base URL, with the port in use. Certificates are reloaded from here on. */
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
