/**
 * Routes that read their body themselves (JSON-RPC): the same callers, limits and payments as the operations, but the
 * body decides whether a caller is needed, and errors travel with status 200. What is owed is therefore not read from
 * the answer: an exchange runs one operation at most, and whether that succeeded is what counts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../schema/networks.ts'
import { type Answer, errorAnswer } from '../answer.ts'
import type { Core } from '../api.ts'
import type { Caller } from '../caller.ts'
import { sendAnswer } from './errors.ts'
import { paymentOf, type Sold } from './payment.ts'
import { baseUrlOf } from './transport.ts'

/** Runs an operation for the caller of the exchange: the first one asked for, and no other. */
export type PerformOne = (operation: Operation, input: Record<string, unknown>) => Promise<Answer>

export type RawAnswer = {
  answer: Answer
  /** Keeps the answer for later requests; called once nothing can stop it from reaching the caller. */
  keep?: (() => void) | undefined
}

export type RawRoute = {
  kind: 'a2a' | 'mcp'
  description: string
  path: string
  publicUrl: string | undefined
  /** Whether this body (parsed; `undefined` when it is no JSON) asks for something that only a known caller gets. */
  needsCaller: (body: unknown) => boolean
  answer: (
    body: unknown,
    caller: Caller | undefined,
    perform: PerformOne,
    request: FastifyRequest,
  ) => Promise<RawAnswer>
}

/** Makes every body of a scope arrive as text, whatever its content type, so that bad JSON is the route's to answer. */
export const installRawBody = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
}

/** The body is parsed here and nowhere else, so that no two readers of it can disagree. */
const bodyOf = ({ body }: FastifyRequest): unknown => {
  try {
    return JSON.parse(typeof body === 'string' ? body : '')
  } catch {
    return undefined
  }
}

const NO_CALLER = errorAnswer('KEY_MISSING', 'The header x-api-key is missing.')
const ONE_ONLY = errorAnswer('INVALID_REQUEST', 'A request runs one operation. Send a request for each of them.')

export const serveRaw = ({ authorize, payments, handle }: Core, route: RawRoute) => {
  const resourceOf = (request: FastifyRequest) => ({
    url: `${baseUrlOf(request, route.publicUrl)}${route.path}`,
    description: route.description,
  })

  const exchange = async (body: unknown, caller: Caller | undefined, request: FastifyRequest): Promise<Sold> => {
    let begun = false
    let owed = false
    const performOne: PerformOne = async (operation, input) => {
      if (!caller) return NO_CALLER
      if (begun) return ONE_ONLY
      begun = true
      const answer = await handle(operation, input, caller, 'agent')
      owed = answer.status < 400
      return answer
    }
    const result = await route.answer(body, caller, performOne, request)
    return { ...result, owed }
  }

  const delivered = ({ answer, keep }: Sold): Answer => {
    keep?.()
    return answer
  }

  const paid = (request: FastifyRequest, body: unknown, header: string): Promise<Answer> | undefined =>
    payments?.sell(
      header,
      {
        resource: resourceOf(request),
        operation: route.kind,
        request: body === undefined ? request.body : body,
        requestId: request.id,
        ip: request.ip,
      },
      (caller) => exchange(body, caller, request),
    )

  const known = async (request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<Answer> => {
    const authorized = await authorize.byKey(request.headers['x-api-key'], request.ip)
    if ('refused' in authorized) return authorized.refused
    reply.headers(authorized.headers)
    return delivered(await exchange(body, authorized.caller, request))
  }

  return async (request: FastifyRequest, reply: FastifyReply) => {
    const body = bodyOf(request)
    const keyed = request.headers['x-api-key'] !== undefined
    if (!keyed && !route.needsCaller(body)) {
      return sendAnswer(reply, delivered(await exchange(body, undefined, request)))
    }
    const header = keyed ? undefined : paymentOf(request)
    if (!keyed && payments) {
      const answer = header === undefined ? payments.demand(resourceOf(request)) : await paid(request, body, header)
      if (answer) return sendAnswer(reply, answer)
    }
    return sendAnswer(reply, await known(request, reply, body))
  }
}
