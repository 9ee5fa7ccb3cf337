/** A call that is paid for: verify, answer, settle, then hand over. States and moves are in `api/x402/gate.ts`. */
import type { FastifyRequest } from 'fastify'
import type { Context } from '../../platform/context/context.ts'
import { RetryableError } from '../../platform/errors.ts'
import type { OperationInfo } from '../../schema/records/operations.ts'
import { type Answer, errorAnswer } from '../answers/answer.ts'
import type { Caller } from '../keys/caller.ts'
import type { Admission, PaymentGate } from '../x402/gate.ts'
import type { Offer, Resource } from '../x402/protocol/offer.ts'
import type { Authorize } from './authorize.ts'

/** The payment of a request, whichever of the two header names carries it. An empty header carries none. */
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

/** What is sold, and who asked for it. */
export type Sale = {
  resource: Resource
  operation: OperationInfo['id'] | 'a2a' | 'mcp'
  /** What is asked, parsed. */
  request: unknown
  requestId: string
  /** Address the call came from. */
  ip: string
  /** Told of an answer that was made for the payer before, and is handed over again. */
  replayed?: ((caller: Caller, answer: Answer) => void) | undefined
}

/** Selling answers, as routes see it. */
export type Payments = {
  /** The 402 answer to a call with neither key nor payment. */
  demand: (resource: Resource) => Answer
  /** Runs `serve` for the payer, and charges for what is owed before the answer is handed over. */
  sell: (header: string, sale: Sale, serve: (caller: Caller) => Promise<Sold>) => Promise<Answer>
}

/** What was made for a payer. */
export type Sold = {
  answer: Answer
  /** Whether an operation succeeded for it: then it is charged, whatever the answer looks like. */
  owed: boolean
  /** Called once nothing can stop the answer from reaching the payer. */
  keep?: (() => void) | undefined
}

const callerOf = (payer: string): Caller => ({ kind: 'payment', tier: 'enterprise', id: payer })

/** Whatever is thrown on the way of a payment is thrown before a facilitator is asked to settle it. */
const OUTAGE = errorAnswer(
  'DEPENDENCY_UNAVAILABLE',
  'The payment could not be checked or recorded. This call did not charge it. Send the same request with the same payment again shortly, and do not sign another.',
  [],
  { 'retry-after': '5' },
)

/** Charges for what is owed, and hands no answer over before that. */
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
      return { ...answer, headers: { ...answer.headers, ...settled.headers }, handedOver: settled.answered }
    } finally {
      if (!settling) await release()
    }
  }

  const sell: Payments['sell'] = async (header, sale, serve) => {
    const shutOut = authorize.shutOut(sale.ip)
    if (shutOut) return shutOut.refused
    const admission = await gate.admit(header, sale)
    switch (admission.outcome) {
      case 'admitted':
        return sellAdmitted(admission, serve)
      case 'replay': {
        const { payer, headers, answer: body, answered } = admission
        const answer: Answer = { status: 200, headers, body, outcome: 'replay', handedOver: answered }
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
