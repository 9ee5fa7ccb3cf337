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
  /** What is asked, parsed. */
  request: unknown
  requestId: string
  /** Address the call came from. */
  ip: string
}

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

export const createPayments = (gate: PaymentGate, authorize: Authorize): Payments => ({
  demand: (resource) => offerAnswer(gate.offer(resource)),
  sell: async (header, sale, serve) => {
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
      if ('refused' in admitted) return admitted.refused
      const { answer, owed, keep } = await serve(admitted.caller)
      if (!owed) {
        keep?.()
        return answer
      }
      settling = true
      const outcome = await settle(answer.body)
      if (!outcome.charged) return offerAnswer(outcome.offer)
      keep?.()
      return { ...answer, headers: { ...answer.headers, ...outcome.headers } }
    } finally {
      if (!settling) await release()
    }
  },
})
