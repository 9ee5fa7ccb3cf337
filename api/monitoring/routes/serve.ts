/** What routes of monitoring have in common. */
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

/** What every route of monitoring needs. */
export type RouteOptions = {
  context: Pick<Context, 'clock' | 'log'>
  authorize: Authorize
  ring: Pick<KeyRing, 'accountOf'>
  /** Called after each request that may have written. */
  written: () => void
}

/** A request of a caller who may ask, and the account it is for. */
export type Asked = { request: FastifyRequest; caller: Caller; account: string }

/** A 200, or another status, with a body. */
export const answerOf = (body: object, status = 200): Answer => ({
  status,
  body: JSON.stringify({ message: 'Success', ...body }),
  outcome: 'monitoring',
})

/** The input as a schema reads it, or the 400. */
export const parsed = <S extends z.ZodType>(
  schema: S,
  input: unknown,
): { value: z.output<S>; refused?: never } | { value?: never; refused: Answer } => {
  const result = schema.safeParse(input)
  return result.success ? { value: result.data } : { refused: invalid(result.error.issues) }
}

/** Options of a route, and its handler made of a function from a caller to an answer. */
export const createServe = ({ context, authorize, ring, written }: RouteOptions) => {
  const inTurn = createTurns()
  return {
    route: { onRequest: requireKey(authorize), config: { operation: 'monitoring' as const } },
    serve: (work: (asked: Asked) => Promise<Answer>) => async (request: FastifyRequest, reply: FastifyReply) => {
      const { caller } = request
      if (!caller) throw new TypeError('a request without caller reached a handler')
      const asked = { request, caller, account: ring.accountOf(caller.id) }
      const reads = request.method === 'GET'
      // Changes rest on what was read before: at once, each would undo the others, and limits would hold for none of them.
      const answer = await (reads ? work(asked) : inTurn(asked.account, () => work(asked))).catch((error) =>
        failed(context, 'monitoring', error),
      )
      // Also where it failed: part of it may have been stored.
      if (!reads) written()
      return sendAnswer(reply, answer)
    },
  }
}
