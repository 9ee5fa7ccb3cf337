/**
 * Routes that read their body themselves (JSON-RPC): the same callers, limits and payments as the operations, but the
 * body decides whether a caller is needed, and the answer itself says whether it is owed, since its errors travel with
 * status 200.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Answer } from '../answer.ts'
import type { Core } from '../api.ts'
import type { Caller } from '../caller.ts'
import { sendAnswer } from './errors.ts'
import { paymentOf } from './payment.ts'

export type RawAnswer = {
  answer: Answer
  /** Whether a caller who pays by call owes something for it. */
  owed: boolean
}

export type RawRoute = {
  kind: 'a2a' | 'mcp'
  description: string
  path: string
  publicUrl: string | undefined
  /** Whether this body asks for something that only a known caller gets. */
  needsCaller: (text: string) => boolean
  answer: (text: string, caller: Caller | undefined, request: FastifyRequest) => Promise<RawAnswer>
}

/** Makes every body of a scope arrive as text, whatever its content type, so that bad JSON is the route's to answer. */
export const installRawBody = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
}

export const serveRaw = ({ authorize, payments }: Core, route: RawRoute) => {
  const resourceOf = (request: FastifyRequest) => ({
    url: `${route.publicUrl ?? `${request.protocol}://${request.host}`}${route.path}`,
    description: route.description,
  })

  const paid = async (request: FastifyRequest, text: string, header: string): Promise<Answer | undefined> => {
    const owed = new WeakSet<Answer>()
    const sale = {
      resource: resourceOf(request),
      operation: route.kind,
      request: text,
      requestId: request.id,
      ip: request.ip,
    }
    return payments?.sell(
      header,
      sale,
      async (caller) => {
        const result = await route.answer(text, caller, request)
        if (result.owed) owed.add(result.answer)
        return result.answer
      },
      (answer) => owed.has(answer),
    )
  }

  const known = async (request: FastifyRequest, reply: FastifyReply, text: string): Promise<Answer> => {
    const authorized = await authorize.byKey(request.headers['x-api-key'], request.ip)
    if ('refused' in authorized) return authorized.refused
    reply.headers(authorized.headers)
    return (await route.answer(text, authorized.caller, request)).answer
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const text = typeof request.body === 'string' ? request.body : ''
    const keyed = request.headers['x-api-key'] !== undefined
    if (!keyed && !route.needsCaller(text)) {
      return sendAnswer(reply, (await route.answer(text, undefined, request)).answer)
    }
    const header = keyed ? undefined : paymentOf(request)
    if (!keyed && payments) {
      const answer = header === undefined ? payments.demand(resourceOf(request)) : await paid(request, text, header)
      if (answer) return sendAnswer(reply, answer)
    }
    return sendAnswer(reply, await known(request, reply, text))
  }
}
