/**
 * Routes that read their body themselves (JSON-RPC): the same callers, limits and payments as the operations, but the
 * body decides whether a caller is needed, and errors travel with status 200. What is owed is therefore not read from
 * the answer: an exchange runs one operation at most, and whether that succeeded is what counts.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../schema/networks.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Core } from '../api.ts'
import type { Caller } from '../keys/caller.ts'
import { baseUrlOf } from './edge/transport.ts'
import { sendAnswer } from './errors.ts'
import { type Payments, paymentOf, type Sale, type Sold } from './payment.ts'

/** Runs an operation for the caller of the exchange: the first one asked for, and no other. */
export type PerformOne = (operation: Operation, input: Record<string, unknown>) => Promise<Answer>

/** An answer that may leave something to be found later. */
export type RawAnswer = {
  answer: Answer
  /** Keeps the answer for later requests; called once nothing can stop it from reaching the caller. */
  keep?: (() => void) | undefined
}

/** A call whose body has its payment, or that is offered what to pay, in the words of its protocol. */
export type PaymentInside = {
  /** Puts an answer into those words. */
  worded: (answer: Answer) => Answer
} & (
  | { payment?: undefined }
  | {
      /** As a header would carry it. */
      payment: string
      /** What it buys: the same for a retry, whatever else differs. */
      purchase: unknown
      answer: (caller: Caller, perform: PerformOne) => Promise<RawAnswer>
      replayed: NonNullable<Sale['replayed']>
    }
)

/** A route that reads its body itself. */
export type RawRoute = {
  kind: 'a2a' | 'mcp'
  description: string
  path: string
  publicUrl: string | undefined
  /** Whether this body (parsed; `undefined` when it is no JSON) asks for something that only a known caller gets. */
  needsCaller: (body: unknown) => boolean
  /** What of a body without key and payment header is about a payment, or the answer to it; absent where headers decide alone. */
  paymentInside?: (body: unknown, request: FastifyRequest) => PaymentInside | Answer | undefined
  answer: (
    body: unknown,
    caller: Caller | undefined,
    perform: PerformOne,
    request: FastifyRequest,
  ) => Promise<RawAnswer>
  /** Told of an answer to a payment in a header that is handed over again. */
  replayed?: Sale['replayed']
}

/** How such a route is configured: what it is asked decides what is looked at and what is shed. */
export const RAW_CONFIG = { shedsItself: true, takesPayments: true } as const

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

/** The handler of such a route, with the callers, limits and payments that operations have. */
export const serveRaw = ({ authorize, payments, handle, keyless }: Core, route: RawRoute) => {
  const resourceOf = (request: FastifyRequest) => ({
    url: `${baseUrlOf(request, route.publicUrl)}${route.path}`,
    description: route.description,
  })

  /** Runs what makes an answer, and tells whether it is owed for. */
  const sold = async (caller: Caller | undefined, make: (perform: PerformOne) => Promise<RawAnswer>): Promise<Sold> => {
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
    const result = await make(performOne)
    return { ...result, owed }
  }
  const exchange = (body: unknown, caller: Caller | undefined, request: FastifyRequest): Promise<Sold> =>
    sold(caller, (perform) => route.answer(body, caller, perform, request))

  const delivered = ({ answer, keep }: Sold): Answer => {
    keep?.()
    return answer
  }

  const saleOf = (request: FastifyRequest, asked: unknown, replayed = route.replayed): Sale => ({
    resource: resourceOf(request),
    operation: route.kind,
    request: asked,
    requestId: request.id,
    ip: request.ip,
    replayed,
  })

  /** The answer to a body that has its payment, or asks for an offer. */
  const paidInside = async (
    { demand, sell }: Payments,
    request: FastifyRequest,
    body: unknown,
  ): Promise<Answer | undefined> => {
    const inside = route.paymentInside?.(body, request)
    if (inside === undefined || 'status' in inside) return inside
    if (inside.payment === undefined) return inside.worded(demand(resourceOf(request)))
    const { payment, purchase, answer, replayed } = inside
    const sale = saleOf(request, purchase, replayed)
    return inside.worded(await sell(payment, sale, (caller) => sold(caller, (perform) => answer(caller, perform))))
  }

  const paid = async (payments: Payments, request: FastifyRequest, body: unknown): Promise<Answer> => {
    const header = paymentOf(request)
    if (header === undefined) {
      return (await paidInside(payments, request, body)) ?? payments.demand(resourceOf(request))
    }
    const asked = body === undefined ? request.body : body
    return payments.sell(header, saleOf(request, asked), (caller) => exchange(body, caller, request))
  }

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
      // A payment that nobody looks at lifts no limit.
      const refused = paymentOf(request) === undefined ? undefined : keyless(request)
      if (refused) return sendAnswer(reply, refused)
      return sendAnswer(reply, delivered(await exchange(body, undefined, request)))
    }
    const answer = !keyed && payments ? await paid(payments, request, body) : await known(request, reply, body)
    return sendAnswer(reply, answer)
  }
}
