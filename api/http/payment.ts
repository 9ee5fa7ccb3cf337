/** A paid call: verify the payment, run the operation, settle, then send the answer. `api/x402/gate.ts` has the states. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context/context.ts'
import { RetryableError } from '../../platform/errors.ts'
import type { OperationInfo } from '../../schema/records/operations.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Caller } from '../keys/caller.ts'
import type { Admission, PaymentGate } from '../x402/gate.ts'
import type { Offer, Resource } from '../x402/protocol/offer.ts'
import type { Authorize } from './authorize.ts'

/** The payment header of a request, under either of its names. An empty header counts as absent. */
export const paymentOf = ({ headers }: FastifyRequest): string | undefined => {
  const header = headers['payment-signature'] || headers['x-payment']
  return typeof header === 'string' && header !== '' ? header : undefined
}

const offerAnswer = ({ headers, body }: Offer): Answer => ({
  status: 402,
  headers,
  body: JSON.stringify(body),
  outcome: 'PAYMENT_REQUIRED',
})

/** What is sold, and to whom. */
export type Sale = {
  resource: Resource
  operation: OperationInfo['id'] | 'a2a' | 'mcp'
  /** The parsed request. */
  request: unknown
  requestId: string
  /** IP address of the caller. */
  ip: string
  /** Called with an earlier answer to the payer that is sent again. */
  replayed?: ((caller: Caller, answer: Answer) => void) | undefined
}

/** Payments, as routes use them. */
export type Payments = {
  /** The 402 for a call with neither key nor payment. */
  demand: (resource: Resource) => Answer
  /** Runs `serve` for the payer, and settles the payment before the answer is sent. */
  sell: (header: string, sale: Sale, serve: (caller: Caller) => Promise<Sold>) => Promise<Answer>
}

/** The result of a paid call. */
export type Sold = {
  answer: Answer
  /** Whether an operation succeeded. The call is charged exactly then, whatever the status of the answer. */
  owed: boolean
  /** Called once the answer is certain to reach the payer. */
  keep?: (() => void) | undefined
}

const callerOf = (payer: string): Caller => ({ kind: 'payment', tier: 'enterprise', id: payer })

/** Safe to answer for any error of a payment: all of them are thrown before settlement is requested. */
const OUTAGE = errorAnswer(
  'DEPENDENCY_UNAVAILABLE',
  'The payment could not be checked or recorded. It was not charged by this call. Send the same request with the same payment again shortly. Do not sign another payment.',
  [],
  { 'retry-after': '5' },
)

/** Settles payments, and sends no paid answer before that. */
export const createPayments = (gate: PaymentGate, authorize: Authorize, { log }: Pick<Context, 'log'>): Payments => {
  const sellAdmitted = async (
    { payer, release, settle }: Extract<Admission, { outcome: 'admitted' }>,
    serve: (caller: Caller) => Promise<Sold>,
  ): Promise<Answer> => {
    let settling = false
    try {
      const admitted = await authorize.admit(callerOf(payer))
      if ('refused' in admitted) return admitted.refused
      const { answer, owed, keep } = await serve(admitted.caller)
      if (!owed) {
        keep?.()
        return answer
      }
      settling = true
      const settled = await settle(answer.body)
      if (settled.outcome !== 'settled') return offerAnswer(settled.offer)
      keep?.()
      return { ...answer, headers: { ...answer.headers, ...settled.headers }, onSent: settled.answered }
    } finally {
      if (!settling) await release()
    }
  }

  const sell: Payments['sell'] = async (header, sale, serve) => {
    const blocked = authorize.blocked(sale.ip)
    if (blocked) return blocked.refused
    const admission = await gate.admit(header, sale)
    switch (admission.outcome) {
      case 'admitted':
        return sellAdmitted(admission, serve)
      case 'replay': {
        const { payer, headers, answer: body, answered } = admission
        const answer: Answer = { status: 200, headers, body, outcome: 'replay', onSent: answered }
        sale.replayed?.(callerOf(payer), answer)
        return answer
      }
      case 'pending':
        return offerAnswer(admission.offer)
      case 'refused':
        authorize.fail(sale.ip)
        return offerAnswer(admission.offer)
      case 'malformed':
        authorize.fail(sale.ip)
        return errorAnswer('MALFORMED_PAYMENT', admission.reason, [{ field: 'X-PAYMENT', reason: 'cannot be read' }])
    }
  }

  return {
    demand: (resource) => offerAnswer(gate.offer(resource)),
    sell: (header, sale, serve) =>
      sell(header, sale, serve).catch((error: unknown) => {
        if (!(error instanceof RetryableError)) throw error
        log.error({ err: error, operation: sale.operation, requestId: sale.requestId }, 'failed to take a payment')
        return OUTAGE
      }),
  }
}
