/**
 * The way of a payment. One authorization buys one answer:
 *
 * 1. `admit` decodes the header, holds it against the offer, and **reserves** the authorization atomically, before
 *    anything is verified or computed: of copies that race, one goes on and the others are refused.
 * 2. An authorization the ledger knows as settled gets its stored answer again, when the same thing is asked (a lost
 *    answer does not cost twice), and is refused otherwise.
 * 3. The facilitator **verifies**. A refusal gives the reservation back, and so does a facilitator that does not answer.
 * 4. The operation runs. An answer nothing is owed for is free: `release`.
 * 5. `settle` writes the answer into the **ledger** as `settling`, then settles, then writes the outcome. The answer leaves
 *    the house only when the money has moved. A ledger that cannot be written to gives the reservation back: nothing
 *    was settled.
 * 6. A settlement whose end nobody saw (a crash, a facilitator that fell silent or calls it pending, a refusal although
 *    the money moved) stays `settling`. `reconcile` looks it up on chain: used is `settled`, expired without being used is
 *    `failed`, and `unknown` is what expired where there is no chain to ask. A retry meanwhile is looked up at once.
 */
import type { Context } from '../../platform/context.ts'
import { messageOf } from '../../platform/errors.ts'
import { claimOf, matchesOffer } from './claim.ts'
import type { Claim, Facilitator } from './facilitator.ts'
import { fingerprintOf } from './fingerprint.ts'
import type { Ledger, Payment } from './ledger.ts'
import { type Offer, offer, PAYMENT_ASSET, PAYMENT_CHAIN, PRICE, pendingOffer, type Resource } from './offer.ts'
import { type Authorization, decodePayment, encodeHeader, networkOf, type PaymentPayload } from './payload.ts'
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

export type Settlement =
  | { outcome: 'settled'; headers: ReceiptHeaders }
  | { outcome: 'refused'; offer: Offer }
  /** Whether it was charged is not known yet; the same request with the same payment gets the answer once it was. */
  | { outcome: 'pending'; offer: Offer }

export type Admission =
  | { outcome: 'malformed'; reason: string }
  | { outcome: 'refused'; offer: Offer }
  /** This payment is being worked on, or its settlement has no outcome yet: no fault of the payer. */
  | { outcome: 'pending'; offer: Offer }
  | { outcome: 'replay'; headers: ReceiptHeaders; answer: string }
  | {
      outcome: 'admitted'
      /** Account that pays, lower-case hex; identifies the caller for limits and tasks. */
      payer: string
      /**
       * Charges for an answer. `answer` is what the caller will get.
       * @throws what the ledger throws; nothing is charged then, and the authorization has been given back.
       */
      settle: (answer: string) => Promise<Settlement>
      /** Gives the authorization back uncharged. */
      release: () => Promise<void>
    }

export type PaymentGate = {
  /** The 402 answer for a call that carries neither key nor payment. */
  offer: (resource: Resource) => Offer
  /** @throws RetryableError when reservation, ledger or facilitator cannot be asked; nothing is charged then. */
  admit: (header: string, purchase: Purchase) => Promise<Admission>
  /** Looks up what became of settlements without an outcome. Returns how many got one. */
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
/** A reservation outlives its authorization by so much. */
const HOLD_MARGIN_SECONDS = 60
const RECONCILE_AFTER_MS = 90_000
/** After the end of an authorization, until which the chain may be behind our clock, or our node behind the chain. */
const EXPIRY_MARGIN_MS = 120_000
const RECONCILE_AT_ONCE = 16
const PENDING = 'settlement_pending'

const keyOf = ({ from, nonce }: Authorization): string =>
  `${PAYMENT_CHAIN}:${PAYMENT_ASSET}:${from}:${nonce}`.toLowerCase()

/** Reasons are served as codes; whatever else a facilitator says stays in the ledger. */
const codeOf = (reason: string | undefined): string =>
  reason !== undefined && /^[a-z0-9_]{3,80}$/.test(reason) ? reason : 'unexpected_settle_error'

type Outcome = { state: 'settled'; transaction: string } | { state: 'failed'; reason: string } | { state: 'pending' }

export const createPaymentGate = ({
  context,
  receiver,
  facilitator,
  reservations,
  ledger,
}: GateOptions): PaymentGate => {
  const { log, clock } = context
  const outcomes = context.metrics.counter('assay_payments_total', 'Payments by outcome', ['outcome'])
  const seconds = () => Math.floor(clock.now() / 1_000)

  const headersOf = (network: string, payer: string, transaction: string): ReceiptHeaders => {
    const text = encodeHeader({ success: true, transaction, network, payer })
    return { 'payment-response': text, 'x-payment-response': text }
  }

  const refuse = (reason: string, resource: Resource): { outcome: 'refused'; offer: Offer } => {
    outcomes.inc({ outcome: 'refused' })
    return { outcome: 'refused', offer: offer(receiver, resource, reason) }
  }
  const wait = (reason: string, resource: Resource): { outcome: 'pending'; offer: Offer } => {
    outcomes.inc({ outcome: 'pending' })
    return { outcome: 'pending', offer: pendingOffer(receiver, resource, reason) }
  }

  /** Whether the money moved; `undefined` when that cannot be learned now. */
  const isUsed = (authorization: Authorization): Promise<boolean | undefined> =>
    facilitator.used(authorization).catch((error) => {
      log.warn({ error: messageOf(error) }, 'failed to look up an authorization')
      return undefined
    })

  /** Writes what is known already: where that fails the row stays `settling`, and reconcile finds it out again. */
  const record = (payment: Payment): Promise<void> =>
    ledger.write(payment).catch((error) => {
      log.error({ payment: payment.key, state: payment.state, error: messageOf(error) }, 'failed to record a payment')
    })

  const settle = async (payment: Payment, claim: Claim): Promise<Outcome> => {
    const receipt = await facilitator.settle(claim).catch((error) => {
      log.error({ payment: payment.key, error: messageOf(error) }, 'lost track of a settlement')
      return undefined
    })
    if (!receipt) return { state: 'pending' }
    const { success, transaction, errorReason: reason = '' } = receipt
    if (success) {
      await record({ ...payment, state: 'settled', transaction })
      return { state: 'settled', transaction }
    }
    const { authorization } = claim.paymentPayload.payload
    if (reason === PENDING || (await isUsed(authorization)) === true) {
      log.warn({ payment: payment.key, transaction, reason }, 'a settlement is pending')
      await record({ ...payment, transaction, reason })
      return { state: 'pending' }
    }
    await record({ ...payment, state: 'failed', transaction, reason })
    return { state: 'failed', reason: codeOf(reason) }
  }

  const admitReserved = async (payment: PaymentPayload, key: string, purchase: Purchase): Promise<Admission> => {
    const { authorization } = payment.payload
    const { resource } = purchase
    const payer = authorization.from.toLowerCase()
    const claim = claimOf(payment, receiver, resource)
    const verdict = await facilitator.verify(claim)
    if (!verdict.isValid) {
      await reservations.release(key)
      return refuse(verdict.invalidReason ?? 'invalid_payload', resource)
    }
    const begin = (answer: string): Payment => ({
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
    })
    return {
      outcome: 'admitted',
      payer,
      release: () => reservations.release(key),
      settle: async (answer) => {
        const begun = begin(answer)
        try {
          await ledger.write(begun)
        } catch (error) {
          await reservations.release(key)
          throw error
        }
        const outcome = await settle(begun, claim)
        if (outcome.state === 'pending') return wait(PENDING, resource)
        if (outcome.state === 'failed') {
          await reservations.release(key)
          return refuse(outcome.reason, resource)
        }
        outcomes.inc({ outcome: 'settled' })
        return { outcome: 'settled', headers: headersOf(networkOf(payment), payer, outcome.transaction) }
      },
    }
  }

  const knownPayment = async (known: Payment, payment: PaymentPayload, purchase: Purchase): Promise<Admission> => {
    const { operation, request, resource } = purchase
    if (known.fingerprint !== fingerprintOf(operation, request)) {
      return refuse('invalid_exact_evm_nonce_already_used', resource)
    }
    if (known.state !== 'settled' && (await isUsed(payment.payload.authorization)) !== true) {
      return wait(PENDING, resource)
    }
    outcomes.inc({ outcome: 'replayed' })
    const headers = headersOf(networkOf(payment), known.payer, known.transaction)
    return { outcome: 'replay', headers, answer: known.answer }
  }

  const reconcileOne = async (payment: Payment): Promise<boolean> => {
    const used = await facilitator.used({
      from: payment.payer,
      to: receiver,
      value: payment.amount,
      validAfter: '0',
      validBefore: String(payment.valid_before),
      nonce: payment.nonce,
    })
    const expired = payment.valid_before * 1_000 + EXPIRY_MARGIN_MS < clock.now()
    const state = used === true ? 'settled' : !expired ? undefined : used === false ? 'failed' : 'unknown'
    if (!state) return false
    await ledger.write({ ...payment, state, reason: state === 'settled' ? '' : 'interrupted' })
    log.warn({ payment: payment.key, state }, 'reconciled an interrupted settlement')
    outcomes.inc({ outcome: `reconciled_${state}` })
    return true
  }

  return {
    offer: (resource) => offer(receiver, resource, 'Payment required'),

    admit: async (header, purchase) => {
      const payment = decodePayment(header)
      if (!payment) return { outcome: 'malformed', reason: 'The payment header is not base64 JSON of an x402 payment' }
      const mismatch = matchesOffer(payment, receiver, seconds())
      if (mismatch) return refuse(mismatch, purchase.resource)
      const { authorization } = payment.payload
      const key = keyOf(authorization)
      const left = Number(authorization.validBefore) - seconds()
      const reserved = await reservations.reserve(key, Math.max(left + HOLD_MARGIN_SECONDS, MIN_HOLD_SECONDS))
      try {
        const known = await ledger.find(key)
        if (known && known.state !== 'failed') {
          if (reserved) await reservations.release(key)
          return await knownPayment(known, payment, purchase)
        }
        if (!reserved) return wait('payment_in_progress', purchase.resource)
        return await admitReserved(payment, key, purchase)
      } catch (error) {
        if (reserved) await reservations.release(key)
        throw error
      }
    },

    reconcile: async () => {
      let learned = 0
      const rows = await ledger.unsettled(RECONCILE_AFTER_MS)
      for (let from = 0; from < rows.length; from += RECONCILE_AT_ONCE) {
        const answers = await Promise.allSettled(rows.slice(from, from + RECONCILE_AT_ONCE).map(reconcileOne))
        for (const [index, answer] of answers.entries()) {
          if (answer.status === 'fulfilled') learned += Number(answer.value)
          else {
            const { key } = rows[from + index] ?? {}
            log.warn(
              { payment: key, error: messageOf(answer.reason) },
              'failed to reconcile a settlement, retrying later',
            )
          }
        }
      }
      return learned
    },
  }
}
