/** Request ids, metrics by operation and outcome, and log lines that hold no secrets. */

import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Metrics } from '../../platform/context/metrics.ts'
import { isTracing, startSpan, TRACE_HEADER } from '../../platform/tracing/tracing.ts'

const ACCEPTED_ID = /^[\w.:-]{1,64}$/
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

/** The caller's x-request-id if it is valid, else an id that is unique among processes. */
export const createRequestIds = (): ((raw: Pick<IncomingMessage, 'headers'>) => string) => {
  const process = randomBytes(6).toString('hex')
  let count = 0
  return ({ headers }) => {
    const given = headers['x-request-id']
    return typeof given === 'string' && ACCEPTED_ID.test(given) ? given : `${process}-${(++count).toString(36)}`
  }
}

type Observer = { observe: (seconds: number) => void }

type Answered = { operation: string; statusCode: number; outcome: string; elapsedTime: number }

/** Starts a new trace with a link to the caller's: callers must not decide what is sampled. */
const traceRequest = (
  { method, headers, id }: FastifyRequest,
  { operation, statusCode, outcome, elapsedTime }: Answered,
): void => {
  const given = headers[TRACE_HEADER]
  startSpan(`answer ${operation}`, {
    kind: 'server',
    start: Date.now() - elapsedTime,
    links: [typeof given === 'string' ? given : undefined],
    attributes: {
      'http.request.method': method,
      'http.response.status_code': statusCode,
      'assay.outcome': outcome,
      'assay.request_id': id,
    },
  })?.end(statusCode >= 500 ? { error: outcome } : {})
}

/** Measures and traces every request, and logs server errors without request contents. */
export const installObservation = (app: FastifyInstance, metrics: Metrics): void => {
  const seconds = metrics.histogram(
    'assay_http_seconds',
    'Duration of requests until the answer was sent',
    ['operation', 'status', 'outcome'],
    BUCKETS,
  )
  const children = new Map<string, Observer>()
  const observerOf = (operation: string, status: number, outcome: string): Observer => {
    const name = `${operation} ${status} ${outcome}`
    const known = children.get(name)
    if (known) return known
    const child = seconds.labels({ operation, status: String(status), outcome })
    children.set(name, child)
    return child
  }

  app.addHook('onResponse', (request: FastifyRequest, reply: FastifyReply, done) => {
    const { statusCode, outcome, elapsedTime } = reply
    const operation = request.routeOptions.config.operation ?? 'other'
    observerOf(operation, statusCode, outcome).observe(elapsedTime / 1_000)
    if (isTracing()) traceRequest(request, { operation, statusCode, outcome, elapsedTime })
    // Refusals while a network catches up are expected, and visible in `/status`.
    if (statusCode >= 500 && outcome !== 'CATCHING_UP') {
      request.log.warn(
        { requestId: request.id, operation, status: statusCode, outcome, ms: elapsedTime },
        'answered a request with a server error',
      )
    }
    done()
  })
}
