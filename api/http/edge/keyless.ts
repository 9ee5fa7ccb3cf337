/**
 * Limits requests without key and payment by IP address, on every route: public documents and keyless calls are free for the caller,
 * but not for the server. A key or payment lifts the limit only on routes that verify it; elsewhere it could be any text.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type Answer, errorAnswer } from '../../answers/answer.ts'
import { sourceOf } from '../../limits/failures.ts'
import { createLocalWindows } from '../../limits/window.ts'
import { sendAnswer } from '../errors.ts'
import { isOps } from '../ops.ts'
import { paymentOf } from '../payment.ts'
import { isDevelopment } from './transport.ts'

const WINDOW_MS = 60_000

/** The keyless limit. */
export type KeylessOptions = {
  /** Requests per IP address and minute; 0 means no limit. */
  limit: number
  /** Maximum number of addresses that are tracked. */
  maxSources: number
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Counts a request. Returns the refusal if the address exceeds its limit. */
export type KeylessLimit = (request: FastifyRequest) => Answer | undefined

/** Counts by address (IPv6: by /64), in this process only. */
export const createKeylessLimit = ({ limit, maxSources, now }: KeylessOptions): KeylessLimit => {
  if (limit === 0) return () => undefined
  const windows = createLocalWindows(maxSources)
  return (request) => {
    // With plain HTTP on one machine all callers share the loopback address.
    if (isDevelopment(request)) return undefined
    const { taken, resetMs } = windows.take(sourceOf(request.ip), { limit, windowMs: WINDOW_MS }, now(), 1)
    if (taken) return undefined
    const retryAfter = String(Math.max(1, Math.ceil(resetMs / 1_000)))
    return errorAnswer('RATE_LIMITED', 'Too many requests without a key came from this address.', [], {
      'retry-after': retryAfter,
    })
  }
}

/** Whether the route verifies neither key nor payment of the request. Invalid keys and payments have their own limit. */
const isKeyless = (request: FastifyRequest): boolean => {
  if (isOps(request.url)) return false
  const keyed = request.headers['x-api-key'] !== undefined
  // The most frequent case. Avoids `routeOptions`, which Fastify creates anew on each access.
  if (keyed && request.method === 'POST') return request.is404
  const { operation, takesPayments } = request.routeOptions.config
  return keyed ? operation === undefined : !takesPayments || paymentOf(request) === undefined
}

/** Applies the limit to every request with neither key nor payment. */
export const installKeylessLimit = (app: FastifyInstance, limit: KeylessLimit): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const refused = isKeyless(request) ? limit(request) : undefined
    if (refused) sendAnswer(reply, refused)
    else done()
  })
}
