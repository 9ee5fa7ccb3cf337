/** The five operations as HTTP routes of one surface. */
import type { FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import { OPERATION_LIST, type OperationInfo, SURFACE_PREFIX, type Surface } from '../../schema/records/operations.ts'
import type { Answer } from '../answers/answer.ts'
import type { Handle } from '../operations.ts'
import type { Authorize, Authorized, Refused } from './authorize.ts'
import { baseUrlOf } from './edge/transport.ts'
import { sendAnswer } from './errors.ts'
import { type Payments, paymentOf } from './payment.ts'

/** Dependencies of the routes. */
export type RoutesOptions = {
  authorize: Authorize
  handle: Handle
  /** Accepted on the agent surface. */
  payments: Payments | undefined
  /** Public URL of the agent surface, named in payment offers. */
  publicUrl: string | undefined
}

const settleCaller = (request: FastifyRequest, reply: FastifyReply, result: Authorized | Refused, done: () => void) => {
  if ('refused' in result) {
    sendAnswer(reply, result.refused)
    return
  }
  request.caller = result.caller
  reply.headers(result.headers)
  done()
}

/** Admits callers with a valid key, before the body is read, and sets `request.caller`. */
export const requireKey =
  (authorize: Authorize): onRequestHookHandler =>
  (request, reply, done) => {
    const result = authorize.byKey(request.headers['x-api-key'], request.ip)
    if (result instanceof Promise) result.then((late) => settleCaller(request, reply, late, done), done)
    else settleCaller(request, reply, result, done)
  }

/** Adds the operations, under `/api` on the agent surface. */
export const installOperations = (app: FastifyInstance, surface: Surface, options: RoutesOptions): void => {
  const { authorize, handle, publicUrl } = options
  const payments = surface === 'agent' ? options.payments : undefined

  const demandOf = (info: OperationInfo, path: string) => (request: FastifyRequest) =>
    payments?.demand({ url: `${baseUrlOf(request, publicUrl)}${path}`, description: info.summary })

  /** Runs before the body is read, so that refusing an unknown caller is cheap. */
  const authenticate = (info: OperationInfo, path: string): onRequestHookHandler => {
    const demand = demandOf(info, path)
    const byKey = requireKey(authorize)
    return function authenticate(request, reply, done) {
      if (!payments || request.headers['x-api-key'] !== undefined) return byKey.call(this, request, reply, done)
      const answer = paymentOf(request) === undefined ? demand(request) : undefined
      if (answer) sendAnswer(reply, answer)
      else done()
    }
  }

  const sell = (
    info: OperationInfo,
    path: string,
    request: FastifyRequest,
    header: string,
  ): Promise<Answer> | undefined =>
    payments?.sell(
      header,
      {
        resource: { url: `${baseUrlOf(request, publicUrl)}${path}`, description: info.summary },
        operation: info.id,
        request: request.body,
        requestId: request.id,
        ip: request.ip,
      },
      async (caller) => {
        const answer = await handle(info.id, request.body, caller, surface)
        return { answer, owed: answer.status < 400 }
      },
    )

  for (const info of OPERATION_LIST) {
    const path = `${SURFACE_PREFIX[surface]}${info.path}`
    app.post(
      path,
      {
        onRequest: authenticate(info, path),
        config: { operation: info.id, shedsItself: true, takesPayments: payments !== undefined },
      },
      (request, reply) => {
        const { caller } = request
        const header = caller ? undefined : paymentOf(request)
        const answer = caller
          ? handle(info.id, request.body, caller, surface)
          : header && sell(info, path, request, header)
        if (!answer) throw new TypeError('a request without caller and payment reached a handler')
        if (!(answer instanceof Promise)) return sendAnswer(reply, answer)
        answer.then(
          (late) => sendAnswer(reply, late),
          (error) => reply.send(error),
        )
        return reply
      },
    )
  }
}
