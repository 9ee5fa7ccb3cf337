/**
 * Limits by address what is asked without key and payment, on every route but those for operations. Without it a public
 * document or a keyless exchange costs its caller nothing and us something.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { errorAnswer } from '../answer.ts'
import { sourceOf } from '../limits/failures.ts'
import { createLocalWindows } from '../limits/window.ts'
import { sendAnswer } from './errors.ts'
import { OPS_PATHS } from './ops.ts'
import { paymentOf } from './payment.ts'
import { isDevelopment } from './transport.ts'

const WINDOW_MS = 60_000

export type KeylessOptions = {
  /** Requests an address may send in a minute; 0 means no limit. */
  limit: number
  /** Addresses remembered. */
  maxSources: number
  /** Milliseconds since the epoch. */
  now: () => number
}

/** Documents are read without a key, whatever is sent along. Bad keys and payments of operations have a limit of their own. */
const isKeyless = (request: FastifyRequest): boolean =>
  !OPS_PATHS.has(request.url) &&
  ((request.method !== 'POST' && request.routeOptions.config.operation === undefined) ||
    (request.headers['x-api-key'] === undefined && paymentOf(request) === undefined))

export const installKeylessLimit = (app: FastifyInstance, { limit, maxSources, now }: KeylessOptions): void => {
  if (limit === 0) return
  const windows = createLocalWindows(maxSources)
  app.addHook('onRequest', (request, reply, done) => {
    // Over plain HTTP on one machine everybody has the same address.
    if (!isKeyless(request) || isDevelopment(request)) return done()
    const { taken, resetMs } = windows.take(sourceOf(request.ip), { limit, windowMs: WINDOW_MS }, now(), 1)
    if (taken) return done()
    const retryAfter = String(Math.max(1, Math.ceil(resetMs / 1_000)))
    sendAnswer(
      reply,
      errorAnswer('RATE_LIMITED', 'Too many requests without a key came from this address.', [], {
        'retry-after': retryAfter,
      }),
    )
  })
}
