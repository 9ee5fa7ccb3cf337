/** GET /usage: the calls of the caller's account by day and operation. */
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Context } from '../../../platform/context/context.ts'
import type { Answer } from '../../answers/answer.ts'
import type { Authorize } from '../../http/authorize.ts'
import { sendAnswer } from '../../http/errors.ts'
import { requireKey } from '../../http/routes.ts'
import type { Caller } from '../../keys/caller.ts'
import type { KeyRing } from '../../keys/ring.ts'
import { failed, invalid } from '../../operations.ts'
import type { Usage } from './usage.ts'

const DAY_MS = 86_400_000
const MAX_DAYS = 400
/** Minimum pause between two inserts caused by requests, ms. Requests meanwhile share the next insert. */
const FLUSH_MS = 1_000
const DEFAULT_DAYS = 30

const day = z.iso.date('must be a date such as 2026-11-22')

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** Dependencies of the route. */
export type UsageRoutesOptions = {
  context: Pick<Context, 'clock' | 'log'>
  authorize: Authorize
  usage: Usage
  ring: Pick<KeyRing, 'keysOf'>
}

/** Adds the route. The answer covers all keys of the account, including rotated ones. */
export const installUsage = (app: FastifyInstance, { context, authorize, usage, ring }: UsageRoutesOptions): void => {
  const { clock } = context
  let flushedAt = Number.NEGATIVE_INFINITY
  let next: Promise<void> | undefined
  const flushed = (): Promise<void> => {
    const pause = Math.min(FLUSH_MS, Math.max(0, flushedAt + FLUSH_MS - clock.now()))
    next ??= clock.sleep(pause).then(() => {
      next = undefined
      flushedAt = clock.now()
      return usage.flush()
    })
    return next
  }

  const answer = async (input: unknown, caller: Caller): Promise<Answer> => {
    const now = clock.now()
    const parsed = z
      .object({ from: day.default(dayOf(now - (DEFAULT_DAYS - 1) * DAY_MS)), to: day.default(dayOf(now)) })
      .refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) < MAX_DAYS * DAY_MS, {
        path: ['from'],
        message: `must not be after to, nor ${MAX_DAYS} days before it`,
      })
      .safeParse(input)
    if (!parsed.success) return invalid(parsed.error.issues)
    const { from, to } = parsed.data
    // The answer includes calls that this replica has counted but not stored yet.
    await flushed()
    const rows = await usage.read(ring.keysOf(caller.id), from, to)
    return { status: 200, body: JSON.stringify({ message: 'Success', from, to, usage: rows }), outcome: 'usage' }
  }

  app.get('/usage', { onRequest: requireKey(authorize), config: { operation: 'usage' } }, async (request, reply) => {
    const { caller } = request
    if (!caller) throw new TypeError('a request without caller reached a handler')
    return sendAnswer(reply, await answer(request.query, caller).catch((error) => failed(context, 'usage', error)))
  })
}
