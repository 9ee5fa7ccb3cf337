/**
 * Routes that parse their own body (JSON-RPC). Callers, limits and payments are those of the operations, but the body decides
 * whether a caller is needed, and errors have status 200. So the status does not decide whether to charge: a request runs at
 * most one operation, and is charged if that succeeded.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../schema/networks.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Core } from '../api.ts'
import type { Caller } from '../keys/caller.ts'
import { baseUrlOf } from './edge/transport.ts'
import { sendAnswer } from './errors.ts'
import { type Payments, paymentOf, type Sale, type Sold } from './payment.ts'

/** Runs an operation for the caller of the request. A second call in the same request is refused. */
export type PerformOne = (operation: Operation, input: Record<string, unknown>) => Promise<Answer>

/** An answer, with a result that later requests may read. */
export type RawAnswer = {
  answer: Answer
  /** Stores the result for later requests. Called once the answer is certain to reach the caller. */
  keep?: (() => void) | undefined
}

/** A call whose body carries the payment, or that gets the offer in its body, in the format of its protocol. */
export type MessagePayment = {
  /** Converts an answer to that format. */
  format: (answer: Answer) => Answer
} & (
  | { payment?: undefined }
  | {
      /** The payment, encoded as in a header. */
      payment: string
      /** Identity of what is bought: equal for retries of the same request. */
      purchase: unknown
      answer: (caller: Caller, perform: PerformOne) => Promise<RawAnswer>
      replayed: NonNullable<Sale['replayed']>
    }
)

/** A route that parses its own body. */
export type RawRoute = {
  kind: 'a2a' | 'mcp'
  description: string
  path: string
  publicUrl: string | undefined
  /** Whether the parsed body needs a caller with key or payment. `undefined` is a body that is not JSON. */
  needsCaller: (body: unknown) => boolean
  /** Reads a payment from the body of a request without key and payment header. Absent if only headers carry payments. */
  messagePayment?: (body: unknown, request: FastifyRequest) => MessagePayment | Answer | undefined
  answer: (
    body: unknown,
    caller: Caller | undefined,
    perform: PerformOne,
    request: FastifyRequest,
  ) => Promise<RawAnswer>
  /** Called with an earlier answer to a payment in a header that is sent again. */
  replayed?: Sale['replayed']
}

/** Route configuration: the handler itself checks payments and sheds load. */
export const RAW_CONFIG = { shedsItself: true, takesPayments: true } as const

/** Delivers every body of a scope as text, whatever its content type, so that the route answers bad JSON. */
export const installRawBody = (scope: FastifyInstance): void => {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body))
}

/** The only place that parses the body, so that all readers agree on it. */
const bodyOf = ({ body }: FastifyRequest): unknown => {
  try {
    return JSON.parse(typeof body === 'string' ? body : '')
  } catch {
    return undefined
  }
}

const NO_CALLER = errorAnswer('KEY_MISSING', 'The header x-api-key is missing.')
const ONE_ONLY = errorAnswer('INVALID_REQUEST', 'A request runs one operation. Send one request per operation.')

/** The handler of such a route. */
export const serveRaw = ({ authorize, payments, handle, keyless }: Core, route: RawRoute) => {
  const resourceOf = (request: FastifyRequest) => ({
    url: `${baseUrlOf(request, route.publicUrl)}${route.path}`,
    description: route.description,
  })

  /** Runs `make`, and records whether its operation succeeded. */
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

  /** The answer to a body that carries a payment or gets an offer. */
  const paidByMessage = async (
    { demand, sell }: Payments,
    request: FastifyRequest,
    body: unknown,
  ): Promise<Answer | undefined> => {
    const messagePayment = route.messagePayment?.(body, request)
    if (messagePayment === undefined || 'status' in messagePayment) return messagePayment
    if (messagePayment.payment === undefined) return messagePayment.format(demand(resourceOf(request)))
    const { payment, purchase, answer, replayed } = messagePayment
    const sale = saleOf(request, purchase, replayed)
    return messagePayment.format(
      await sell(payment, sale, (caller) => sold(caller, (perform) => answer(caller, perform))),
    )
  }

  const paid = async (payments: Payments, request: FastifyRequest, body: unknown): Promise<Answer> => {
    const header = paymentOf(request)
    if (header === undefined) {
      return (await paidByMessage(payments, request, body)) ?? payments.demand(resourceOf(request))
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
      // An unverified payment header does not lift the limit.
      const refused = paymentOf(request) === undefined ? undefined : keyless(request)
      if (refused) return sendAnswer(reply, refused)
      return sendAnswer(reply, delivered(await exchange(body, undefined, request)))
    }
    const answer = !keyed && payments ? await paid(payments, request, body) : await known(request, reply, body)
    return sendAnswer(reply, answer)
  }
}
