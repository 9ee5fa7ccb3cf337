/** Common part of the monitoring routes. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Context } from '../../../platform/context/context.ts'
import type { Answer } from '../../answers/answer.ts'
import type { Authorize } from '../../http/authorize.ts'
import { sendAnswer } from '../../http/errors.ts'
import { requireKey } from '../../http/routes.ts'
import type { Caller } from '../../keys/caller.ts'
import type { KeyRing } from '../../keys/ring.ts'
import { failed, invalid } from '../../operations.ts'
import { createTurns } from '../../turns.ts'

/** Dependencies of every monitoring route. */
export type RouteOptions = {
  context: Pick<Context, 'clock' | 'log'>
  authorize: Authorize
  ring: Pick<KeyRing, 'accountOf'>
  /** Called after each request that may have written data. */
  written: () => void
}

/** An authorized request, with caller and account. */
export type AccountRequest = { request: FastifyRequest; caller: Caller; account: string }

/** A success answer. */
export const answerOf = (body: object, status = 200): Answer => ({
  status,
  body: JSON.stringify({ message: 'Success', ...body }),
  outcome: 'monitoring',
})

/** The validated input, or the 400. */
export const parsed = <S extends z.ZodType>(
  schema: S,
  input: unknown,
): { value: z.output<S>; refused?: never } | { value?: never; refused: Answer } => {
  const result = schema.safeParse(input)
  return result.success ? { value: result.data } : { refused: invalid(result.error.issues) }
}

/** Route options, and a wrapper that turns a function of an authorized request into a route handler. */
export const createServe = ({ context, authorize, ring, written }: RouteOptions) => {
  const inTurn = createTurns()
  return {
    route: { onRequest: requireKey(authorize), config: { operation: 'monitoring' as const } },
    serve:
      (work: (asked: AccountRequest) => Promise<Answer>) => async (request: FastifyRequest, reply: FastifyReply) => {
        const { caller } = request
        if (!caller) throw new TypeError('a request without caller reached a handler')
        const asked = { request, caller, account: ring.accountOf(caller.id) }
        const reads = request.method === 'GET'
        // Changes of an account run one at a time, because they read before they write: concurrent ones could exceed limits.
        const answer = await (reads ? work(asked) : inTurn(asked.account, () => work(asked))).catch((error) =>
          failed(context, 'monitoring', error),
        )
        // Also after a failure, which may have stored a part.
        if (!reads) written()
        return sendAnswer(reply, answer)
      },
  }
}
