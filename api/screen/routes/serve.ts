/** Common part of the screening routes. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../../platform/context/context.ts'
import type { Store } from '../../../platform/store/store.ts'
import type { Answer } from '../../answers/answer.ts'
import type { Authorize } from '../../http/authorize.ts'
import { sendAnswer } from '../../http/errors.ts'
import { requireKey } from '../../http/routes.ts'
import type { Caller } from '../../keys/caller.ts'
import type { KeyRing } from '../../keys/ring.ts'
import { failed } from '../../operations.ts'
import type { Allowance } from '../allowance.ts'
import type { Jobs } from '../jobs.ts'
import type { Pace } from '../upload.ts'

/** Dependencies of the routes. */
export type ScreenOptions = {
  context: Pick<Context, 'clock' | 'log'>
  authorize: Authorize
  store: Store
  jobs: Jobs
  allowance: Allowance
  ring: Pick<KeyRing, 'accountOf'>
  pace: Pace
  /** Whether this server accepts payments per call. */
  payable: boolean
  /** Called for each new job. */
  onJob: () => void
}

/** Answers a caller. Returns `undefined` if it has sent the reply itself. */
type Work = (request: FastifyRequest, reply: FastifyReply, caller: Caller) => Promise<Answer | undefined>

/** Route options, and a wrapper that turns a `Work` into a route handler. */
export const createServe = ({ context, authorize }: Pick<ScreenOptions, 'context' | 'authorize'>) => ({
  route: { onRequest: requireKey(authorize), config: { operation: 'screen' as const } },
  serve: (work: Work) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller } = request
    if (!caller) throw new TypeError('a request without caller reached a handler')
    const answer = await work(request, reply, caller).catch((error) => failed(context, 'screen', error))
    return answer ? sendAnswer(reply, answer) : reply
  },
})
