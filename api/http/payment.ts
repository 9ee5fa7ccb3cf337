/** A call that is paid for: verify, answer, settle, then hand over. States and moves are in `api/x402/gate.ts`. */
import type { FastifyRequest } from 'fastify'
import type { OperationInfo } from '../../schema/records/operations.ts'
import { type Answer, errorAnswer } from '../answer.ts'
import type { Caller } from '../caller.ts'
import type { PaymentGate } from '../x402/gate.ts'
import type { Offer, Resource } from '../x402/offer.ts'
import type { Authorize } from './authorize.ts'

/** The payment of a request, whichever of the two header names carries it. */
export const paymentOf = ({ headers }: FastifyRequest): string | undefined => {
  const header = headers['payment-signature'] ?? headers['x-payment']
  return typeof header === 'string' && header !== '' ? header : undefined
}

const offerAnswer = ({ headers, body }: Offer): Answer => ({
  status: 402,
  headers,
  body: JSON.stringify(body),
  outcome: 'PAYMENT_REQUIRED',
})

export type Sale = {
  resource: Resource
  operation: OperationInfo['id'] | 'a2a' | 'mcp'
  request: string
  requestId: string
  /** Address the call came from. */
  ip: string
}

export type Payments = {
  /** The 402 answer to a call with neither key nor payment. */
  demand: (resource: Resource) => Answer
  /** Runs `answer` for the payer; charges when `owed` says so, by default for a status below 400. */
  sell: (
    header: string,
    sale: Sale,
    answer: (caller: Caller) => Answer | Promise<Answer>,
    owed?: (answer: Answer) => boolean,
  ) => Promise<Answer>
}

const isSuccess = ({ status }: Answer): boolean => status < 400

export const createPayments = (gate: PaymentGate, authorize: Authorize): Payments => ({
  demand: (resource) => offerAnswer(gate.offer(resource)),
  sell: async (header, sale, answer, owed = isSuccess) => {
    const shutOut = authorize.shutOut(sale.ip)
    if (shutOut) return shutOut.refused
    const admission = await gate.admit(header, sale)
    if (admission.outcome === 'malformed' || admission.outcome === 'refused') authorize.fail(sale.ip)
    if (admission.outcome === 'malformed') {
      return errorAnswer('MALFORMED_PAYMENT', admission.reason, [{ field: 'X-PAYMENT', reason: 'cannot be read' }])
    }
    if (admission.outcome === 'refused') return offerAnswer(admission.offer)
    if (admission.outcome === 'replay') {
      return { status: 200, headers: admission.headers, body: admission.answer, outcome: 'replay' }
    }
    const { payer, release, settle } = admission
    let settling = false
    try {
      const admitted = await authorize.admit({ kind: 'payment', tier: 'enterprise', id: payer })
      const result = 'refused' in admitted ? admitted.refused : await answer(admitted.caller)
      if (!owed(result)) return result
      settling = true
      const outcome = await settle(result.body)
      if (!outcome.charged) return offerAnswer(outcome.offer)
      return { ...result, headers: { ...result.headers, ...outcome.headers } }
    } finally {
      if (!settling) await release()
    }
  },
})
