/** All errors have the same body, whether a handler, Fastify or the HTTP parser refused the request. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Answer, ERROR_STATUS, type ErrorName, errorAnswer } from '../answers/answer.ts'
import { isAllowedToBeSlow } from './edge/slow-uploads.ts'
import { EVERYWHERE } from './security-headers.ts'

/** Content type of every API response. */
export const JSON_TYPE = 'application/json; charset=utf-8'

/** Sends an answer. */
export const sendAnswer = (reply: FastifyReply, answer: Answer): FastifyReply => {
  reply.outcome = answer.outcome
  reply.code(answer.status).header('content-type', JSON_TYPE)
  if (answer.outcome in ERROR_STATUS) reply.header('link', `</docs/errors/${answer.outcome}>; rel="help"`)
  if (answer.headers) reply.headers(answer.headers)
  if (answer.onSent) reply.raw.once('finish', answer.onSent)
  return reply.send(answer.body)
}

/** Refusals of Fastify, by its error codes. */
const REFUSALS: Record<string, { error: ErrorName; message: string; reason: string }> = {
  FST_ERR_CTP_INVALID_JSON_BODY: {
    error: 'MALFORMED_JSON',
    message: 'The request body is not valid JSON.',
    reason: 'is not valid JSON',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: { error: 'MALFORMED_JSON', message: 'The request body is empty.', reason: 'is empty' },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    error: 'BODY_TOO_LARGE',
    message: 'The request body is too large. The limit is 16 KB, 256 KB for a batch and 512 KB for POST /watch.',
    reason: 'is too large',
  },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    error: 'UNSUPPORTED_CONTENT_TYPE',
    message: 'The content type must be application/json, or text/csv or application/x-ndjson for POST /screen.',
    reason: 'content-type must be application/json, for POST /screen text/csv or application/x-ndjson',
  },
}

/** A compressed body is not valid JSON, but that error would mislead a client that compresses by default. */
const COMPRESSED_BODY = errorAnswer('UNSUPPORTED_CONTENT_TYPE', 'A request body must not be compressed.', [
  { field: 'content-encoding', reason: 'must be identity or left out' },
])
const isCompressed = ({ headers }: FastifyRequest): boolean =>
  (headers['content-encoding'] ?? 'identity') !== 'identity'

const OTHER = {
  error: 'INVALID_REQUEST',
  message: 'The request cannot be read.',
  reason: 'cannot be read',
} as const

const refusal = (code: string | undefined, syntax: boolean): Answer => {
  const known = REFUSALS[code ?? ''] ?? (syntax ? REFUSALS.FST_ERR_CTP_INVALID_JSON_BODY : undefined) ?? OTHER
  return errorAnswer(known.error, known.message, [{ field: 'body', reason: known.reason }])
}

/** Response to bytes that are not an HTTP request. */
const RAW_REFUSAL = ((): string => {
  const body = errorAnswer('INVALID_REQUEST', 'The request is not valid HTTP, or was sent too slowly.').body
  const length = Buffer.byteLength(body)
  return `HTTP/1.1 400 Bad Request\r\ncontent-type: ${JSON_TYPE}\r\ncontent-length: ${length}\r\nconnection: close\r\n\r\n${body}`
})()

/** Refuses invalid HTTP, before routing. */
export const rawRefusal = (
  error: Error & { code?: string },
  socket: { writable: boolean; end: (text: string) => unknown; destroy: () => unknown },
) => {
  if (isAllowedToBeSlow(error, socket)) return
  if (socket.writable) socket.end(RAW_REFUSAL)
  else socket.destroy()
}

/** Refuses requests that the router cannot process, such as a path with `%zz`. Hooks do not run for them. */
export const unroutable = (_: unknown, request: FastifyRequest, reply: FastifyReply): void => {
  reply.headers({ ...EVERYWHERE, 'x-request-id': request.id })
  sendAnswer(reply, errorAnswer('INVALID_REQUEST', OTHER.message, [{ field: 'path', reason: 'cannot be decoded' }]))
}

/** Collects routes as they are installed. Returns a function that lists the methods of a path. */
const installMethods = (app: FastifyInstance) => {
  const routes: { parts: string[]; methods: string[] }[] = []
  app.addHook('onRoute', ({ url, method }) => {
    routes.push({ parts: url.split('/'), methods: [method].flat() })
  })
  const leadsTo = (parts: readonly string[], path: readonly string[]): boolean =>
    parts.length === path.length && parts.every((part, at) => part.startsWith(':') || part === path[at])
  return (path: string): string[] => {
    const asked = path.split('/')
    const found = routes.filter(({ parts }) => leadsTo(parts, asked)).flatMap(({ methods }) => methods)
    return [...new Set(found)].sort()
  }
}

/**
 * Answers all failures with the error body. Server errors are logged; their cause is not disclosed to the caller.
 */
export const installErrors = (app: FastifyInstance): void => {
  app.setErrorHandler<Error & { code?: string; statusCode?: number }>((error, request, reply) => {
    const status = error.statusCode ?? 500
    const syntax = error instanceof SyntaxError || error.code === 'FST_ERR_CTP_INVALID_JSON_BODY'
    if (syntax && isCompressed(request)) return sendAnswer(reply, COMPRESSED_BODY)
    if (status < 500) return sendAnswer(reply, refusal(error.code, syntax))
    request.log.error({ err: error, route: request.routeOptions.url, requestId: request.id }, 'failed to answer')
    return sendAnswer(
      reply,
      errorAnswer('INTERNAL', 'The server failed to answer. The request id identifies the failure.'),
    )
  })
  const methodsAt = installMethods(app)
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?')[0] ?? ''
    const allowed = methodsAt(path)
    const asked = `${request.method} ${path.slice(0, 200)}`
    return sendAnswer(
      reply,
      allowed.length > 0 && !allowed.includes(request.method)
        ? errorAnswer(
            'METHOD_NOT_ALLOWED',
            `This path supports ${allowed.join(', ')}.`,
            [{ field: 'method', reason: `no route for ${asked}` }],
            { allow: allowed.join(', ') },
          )
        : errorAnswer(
            'UNKNOWN_ROUTE',
            'No route exists at this path. Operations are POST requests; /docs lists them.',
            [{ field: 'path', reason: `no route for ${asked}` }],
          ),
    )
  })
}
