/**
 * Limits by address what is asked without key and payment, on every route. Without it a public document or a keyless exchange costs its
 * caller nothing and us something. A key or a payment lifts it where it is looked at, and nowhere else: any text can be sent along.
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

/** How much an address may ask without a key. */
export type KeylessOptions = {
  /** Requests an address may send in a minute; 0 means no limit. */
  limit: number
  /** Addresses remembered. */
  maxSources: number
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Counts a request for its address; the refusal when it has none left. */
export type KeylessLimit = (request: FastifyRequest) => Answer | undefined

/** Counts by address, IPv6 by its /64, in this process alone. */
export const createKeylessLimit = ({ limit, maxSources, now }: KeylessOptions): KeylessLimit => {
  if (limit === 0) return () => undefined
  const windows = createLocalWindows(maxSources)
  return (request) => {
    // Over plain HTTP on one machine everybody has the same address.
    if (isDevelopment(request)) return undefined
    const { taken, resetMs } = windows.take(sourceOf(request.ip), { limit, windowMs: WINDOW_MS }, now(), 1)
    if (taken) return undefined
    const retryAfter = String(Math.max(1, Math.ceil(resetMs / 1_000)))
    return errorAnswer('RATE_LIMITED', 'Too many requests without a key came from this address.', [], {
      'retry-after': retryAfter,
    })
  }
}

/** Whether nothing that was sent along will be looked at: bad keys and payments have a limit of their own. */
const isKeyless = (request: FastifyRequest): boolean => {
  if (isOps(request.url)) return false
  const keyed = request.headers['x-api-key'] !== undefined
  // Asked for most requests by far, so without the route's options, which are made anew each time.
  if (keyed && request.method === 'POST') return request.is404
  const { operation, takesPayments } = request.routeOptions.config
  return keyed ? operation === undefined : !takesPayments || paymentOf(request) === undefined
}

/** Holds every request to the limit that carries neither key nor payment. */
export const installKeylessLimit = (app: FastifyInstance, limit: KeylessLimit): void => {
  app.addHook('onRequest', (request, reply, done) => {
    const refused = isKeyless(request) ? limit(request) : undefined
    if (refused) sendAnswer(reply, refused)
    else done()
  })
}
