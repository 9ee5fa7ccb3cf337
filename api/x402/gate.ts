/**
 * The way of a payment. One authorization buys one answer:
 *
 * 1. `admit` decodes the header, holds it against the offer, and **reserves** the authorization atomically, before
 *    anything is verified or computed: of copies that race, one goes on and the others are refused.
 * 2. An authorization the ledger knows as settled gets its stored answer again, when the same thing is asked (a lost
 *    answer does not cost twice), and is refused otherwise.
 * 3. The facilitator **verifies**. A refusal gives the reservation back.
 * 4. The operation runs. An answer that is not below 400 is free: `release`.
 * 5. `settle` writes the answer into the **ledger**, then settles, then writes the outcome. The answer leaves the house
 *    only when the money has moved. What a crash leaves as `settling` is looked up on chain by `reconcile`.
 */
import type { Context } from '../../platform/context.ts'
import { messageOf } from '../../platform/errors.ts'
import type { Claim, Facilitator, Receipt } from './facilitator.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Ledger, Payment } from './ledger.ts'
import {
  isPaymentChain,
  type Offer,
  offer,
  PAYMENT_ASSET,
  PAYMENT_CHAIN,
  PRICE,
  type Resource,
  requirementsV1,
  requirementsV2,
} from './offer.ts'
import { type Authorization, decodePayment, encodeHeader, networkOf, type PaymentPayload, schemeOf } from './payload.ts'
import type { Reservations } from './reservations.ts'

/** What is asked, so that a retry can be told from a second purchase. */
export type Purchase = {
  resource: Resource
  operation: string
  /** Parsed. */
  request: unknown
  requestId: string
}

type ReceiptHeaders = { 'payment-response': string; 'x-payment-response': string }

export type Admission =
  | { outcome: 'malformed'; reason: string }
  | { outcome: 'refused'; offer: Offer }
  | { outcome: 'replay'; headers: ReceiptHeaders; answer: string }
  | {
      outcome: 'admitted'
      /** Account that pays, lower-case hex; identifies the caller for limits and tasks. */
      payer: string
      /** Charges for an answer. `answer` is what the caller will get. */
      settle: (answer: string) => Promise<{ charged: true; headers: ReceiptHeaders } | { charged: false; offer: Offer }>
      /** Gives the authorization back uncharged. */
      release: () => Promise<void>
    }

export type PaymentGate = {
  /** The 402 answer for a call that carries neither key nor payment. */
  offer: (resource: Resource) => Offer
  /** @throws RetryableError when reservation, ledger or facilitator cannot be asked; nothing is charged then. */
  admit: (header: string, purchase: Purchase) => Promise<Admission>
  /** Looks up what became of settlements that a crash interrupted. Returns how many got an outcome. */
  reconcile: () => Promise<number>
}

export type GateOptions = {
  context: Pick<Context, 'log' | 'metrics' | 'clock'>
  receiver: string
  facilitator: Facilitator
  reservations: Reservations
  ledger: Ledger
}

const MIN_HOLD_SECONDS = 120
const MAX_HOLD_SECONDS = 86_400
const RECONCILE_AFTER_MS = 90_000

const keyOf = ({ from, nonce }: Authorization): string =>
  `${PAYMENT_CHAIN}:${PAYMENT_ASSET}:${from}:${nonce}`.toLowerCase()

const sameText = (a: unknown, b: string): boolean => typeof a === 'string' && a.toLowerCase() === b.toLowerCase()

/** Reasons are served as codes; whatever else a facilitator says stays in the ledger. */
const codeOf = (reason: string | undefined): string =>
  reason !== undefined && /^[a-z0-9_]{3,80}$/.test(reason) ? reason : 'unexpected_settle_error'

const matchesOffer = (payment: PaymentPayload, receiver: string): string | undefined => {
  if (schemeOf(payment) !== 'exact') return 'unsupported_scheme'
  if (!isPaymentChain(networkOf(payment))) return 'invalid_network'
  const { authorization } = payment.payload
  if (!sameText(authorization.to, receiver)) return 'invalid_exact_evm_payload_recipient_mismatch'
  if (authorization.value !== PRICE) return 'invalid_exact_evm_payload_authorization_value'
  if (payment.x402Version === 1) return undefined
  const { amount, asset, payTo } = payment.accepted
  const same = amount === PRICE && sameText(asset, PAYMENT_ASSET) && sameText(payTo, receiver)
  return same ? undefined : 'invalid_payment_requirements'
}

/** The claim in the version and the network spelling that facilitators know. */
const claimOf = (payment: PaymentPayload, receiver: string, resource: Resource): Claim =>
  payment.x402Version === 1
    ? {
        x402Version: 1,
        paymentPayload: { ...payment, network: requirementsV1(receiver, resource).network },
        paymentRequirements: requirementsV1(receiver, resource),
      }
    : {
        x402Version: 2,
        paymentPayload: { ...payment, accepted: requirementsV2(receiver) },
        paymentRequirements: requirementsV2(receiver),
      }

export const createPaymentGate = ({
  context,
  receiver,
  facilitator,
  reservations,
  ledger,
}: GateOptions): PaymentGate => {
  const { log, clock } = context
  const outcomes = context.metrics.counter('assay_payments_total', 'Payments by outcome', ['outcome'])

  const headersOf = (network: string, payer: string, transaction: string): ReceiptHeaders => {
    const text = encodeHeader({ success: true, transaction, network, payer })
    return { 'payment-response': text, 'x-payment-response': text }
  }

  const refuse = (reason: string, resource: Resource): { outcome: 'refused'; offer: Offer } => {
    outcomes.inc({ outcome: 'refused' })
    return { outcome: 'refused', offer: offer(receiver, resource, reason) }
  }

  const settle = async (payment: Payment, claim: Claim): Promise<Receipt> => {
    await ledger.write(payment)
    try {
      const receipt = await facilitator.settle(claim)
      const state = receipt.success ? 'settled' : 'failed'
      await ledger.write({ ...payment, state, transaction: receipt.transaction, reason: receipt.errorReason ?? '' })
      return receipt
    } catch (error) {
      // The row stays `settling`: reconcile learns from the chain whether money moved.
      log.error({ payment: payment.key, error: messageOf(error) }, 'Lost sight of a settlement')
      return { success: false, transaction: '', errorReason: 'settlement_pending' }
    }
  }

  const admitReserved = async (payment: PaymentPayload, key: string, purchase: Purchase): Promise<Admission> => {
    const { authorization } = payment.payload
    const network = networkOf(payment)
    const payer = authorization.from.toLowerCase()
    const claim = claimOf(payment, receiver, purchase.resource)
    const verdict = await facilitator.verify(claim)
    if (!verdict.isValid) {
      await reservations.release(key)
      return refuse(verdict.invalidReason ?? 'invalid_payload', purchase.resource)
    }
    return {
      outcome: 'admitted',
      payer,
      release: () => reservations.release(key),
      settle: async (answer) => {
        const receipt = await settle(
          {
            key,
            state: 'settling',
            payer,
            nonce: authorization.nonce,
            valid_before: Number(authorization.validBefore),
            amount: PRICE,
            asset: PAYMENT_ASSET.toLowerCase(),
            network: PAYMENT_CHAIN,
            operation: purchase.operation,
            fingerprint: fingerprintOf(purchase.operation, purchase.request),
            request_id: purchase.requestId,
            transaction: '',
            reason: '',
            answer,
          },
          claim,
        )
        if (!receipt.success) {
          const reason = codeOf(receipt.errorReason)
          if (reason !== 'settlement_pending') await reservations.release(key)
          return { charged: false, offer: refuse(reason, purchase.resource).offer }
        }
        outcomes.inc({ outcome: 'settled' })
        return { charged: true, headers: headersOf(network, payer, receipt.transaction) }
      },
    }
  }

  const replayOf = (known: Payment, purchase: Purchase, network: string): Admission => {
    if (known.state !== 'settled') return refuse('settlement_pending', purchase.resource)
    if (known.fingerprint !== fingerprintOf(purchase.operation, purchase.request))
      return refuse('invalid_exact_evm_nonce_already_used', purchase.resource)
    outcomes.inc({ outcome: 'replayed' })
    return { outcome: 'replay', headers: headersOf(network, known.payer, known.transaction), answer: known.answer }
  }

  return {
    offer: (resource) => offer(receiver, resource, 'Payment required'),

    admit: async (header, purchase) => {
      const payment = decodePayment(header)
      if (!payment) return { outcome: 'malformed', reason: 'The payment header is not base64 JSON of an x402 payment' }
      const mismatch = matchesOffer(payment, receiver)
      if (mismatch) return refuse(mismatch, purchase.resource)
      const { authorization } = payment.payload
      const key = keyOf(authorization)
      const left = Number(authorization.validBefore) - Math.floor(clock.now() / 1_000)
      const hold = Math.min(Math.max(left + 60, MIN_HOLD_SECONDS), MAX_HOLD_SECONDS)
      const reserved = await reservations.reserve(key, hold)
      const known = await ledger.find(key).catch(async (error) => {
        if (reserved) await reservations.release(key)
        throw error
      })
      if (known && known.state !== 'failed') return replayOf(known, purchase, networkOf(payment))
      if (!reserved) return refuse('payment_in_progress', purchase.resource)
      try {
        return await admitReserved(payment, key, purchase)
      } catch (error) {
        await reservations.release(key)
        throw error
      }
    },

    reconcile: async () => {
      let learned = 0
      for (const payment of await ledger.unsettled(RECONCILE_AFTER_MS)) {
        const used = await facilitator.used({
          from: payment.payer,
          to: receiver,
          value: payment.amount,
          validAfter: '0',
          validBefore: String(payment.valid_before),
          nonce: payment.nonce,
        })
        const expired = payment.valid_before * 1_000 < clock.now()
        const state = used === true ? 'settled' : !expired ? undefined : used === false ? 'failed' : 'unknown'
        if (!state) continue
        await ledger.write({ ...payment, state, reason: state === 'settled' ? '' : 'interrupted' })
        log.warn({ payment: payment.key, state }, 'Reconciled an interrupted settlement')
        outcomes.inc({ outcome: `reconciled_${state}` })
        learned++
      }
      return learned
    },
  }
}
