/**
 * The life of a payment. One authorization buys one answer; `states.ts` has the states and moves of an attempt.
 *
 * 1. `admit` decodes the header, compares it with the offer, and **reserves** the authorization for this process, or for all
 *    replicas if Redis is shared. Reservations only avoid work; correctness does not depend on them. A payment that matches another
 *    (earlier) offer is only looked up in the ledger.
 * 2. An authorization in the ledger belongs to its first request. The same payment with the same request gets the stored
 *    answer if the money moved; otherwise its settlement is looked up or **resumed**.
 * 3. The facilitator **verifies**. The reservation is released if it refuses or does not answer.
 * 4. The operation runs. A failed operation is free: `release`.
 * 5. `settle` writes the attempt as `reserved` and reads all attempts with the authorization. Of two concurrent replicas at least
 *    one sees the other and withdraws. Then the attempt is written as `settling`, settled, and its outcome written. The answer is
 *    sent only after the money has moved.
 * 6. `answered` is written when the answer was sent. A `settled` payment that stays unanswered raises an alert.
 * 7. With a configured node, settlements are confirmed by final blocks.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Context } from '../../platform/context/context.ts'
import { messageOf } from '../../platform/errors.ts'
import type { Facilitator } from './chain/facilitator.ts'
import { type Ledger, moved, type Payment } from './ledger.ts'
import { claimOf, matchesOffer } from './protocol/claim.ts'
import { canonical, fingerprintOf } from './protocol/fingerprint.ts'
import {
  type Offer,
  offer,
  PAYMENT_ASSET,
  PAYMENT_CHAIN,
  PRICE,
  pendingOffer,
  type Resource,
} from './protocol/offer.ts'
import { type Authorization, decodePayment, encodeHeader, networkOf, type PaymentPayload } from './protocol/payload.ts'
import { createReconcile, type Outlook } from './reconcile.ts'
import type { Reservations } from './reservations.ts'
import { ALREADY_USED, type Charged, codeOf, createSettlement, isUncertain, LOST, PENDING } from './settlement.ts'
import { AFTER_ANSWER, holderOf, isOpen, isPaid, LEASE_MS, PATIENCE_MS } from './states.ts'

/** The purchased request. Distinguishes a retry from a second purchase. */
export type Purchase = {
  resource: Resource
  operation: string
  /** Parsed. */
  request: unknown
  requestId: string
}

type ReceiptHeaders = { 'payment-response': string; 'x-payment-response': string }

/** Outcome of charging for an answer. */
export type Settlement =
  | { outcome: 'settled'; headers: ReceiptHeaders; answered: () => void }
  | { outcome: 'refused'; offer: Offer }
  /** Unknown whether it was charged. The same request with the same payment gets the answer once it is settled. */
  | { outcome: 'pending'; offer: Offer }

/** Outcome of admitting a payment, before its answer is computed. */
export type Admission =
  | { outcome: 'malformed'; reason: string }
  | { outcome: 'refused'; offer: Offer }
  /** The payment is being processed, or its settlement has no outcome yet. */
  | { outcome: 'pending'; offer: Offer }
  | { outcome: 'replay'; payer: string; headers: ReceiptHeaders; answer: string; answered: () => void }
  | {
      outcome: 'admitted'
      /** Account that pays, lower-case hex; identifies the caller for limits and tasks. */
      payer: string
      /**
       * Charges for an answer. `answer` is the body for the caller.
       * @throws errors of the ledger; then nothing is charged, and the authorization is released
       */
      settle: (answer: string) => Promise<Settlement>
      /** Releases the authorization uncharged. */
      release: () => Promise<void>
    }

/** Processes payments, from header to receipt. */
export type PaymentGate = {
  /** The 402 for a call with neither key nor payment. */
  offer: (resource: Resource) => Offer
  /** @throws RetryableError if reservations, ledger or facilitator do not answer; then nothing is charged */
  admit: (header: string, purchase: Purchase) => Promise<Admission>
  /** Looks up settlements without outcome, confirms the others, and counts unanswered payments. */
  reconcile: () => Promise<Outlook>
}

/** Dependencies of the gate. */
export type GateOptions = {
  context: Pick<Context, 'log' | 'metrics' | 'clock'>
  receiver: string
  facilitator: Facilitator
  reservations: Reservations
  ledger: Ledger
  /** Returns a globally unique name for an attempt. @default a random UUID */
  nameAttempt?: () => string
}

/** An attempt must reach the facilitator within this time after it was reserved; otherwise it is released, ms. */
const MAX_RESERVED_MS = LEASE_MS / 2
/** How long a sent answer can be fetched again, ms. The signature of the payment is public on chain by then. */
const REPLAY_MS = 24 * 3_600_000
const IN_PROGRESS = 'payment_in_progress'
const UNREADABLE_REFUSAL = 'unexpected_verify_error'

const keyOf = ({ from, nonce }: Authorization): string =>
  `${PAYMENT_CHAIN}:${PAYMENT_ASSET}:${from}:${nonce}`.toLowerCase()

/** Hash of the whole payment, independent of field order. Only its sender knows the payment before it is settled. */
const proofOf = (payment: PaymentPayload): string => createHash('sha256').update(canonical(payment)).digest('hex')

/** Whether an attempt belongs to the same payment and the same request. */
const isOf = (holder: Payment, payment: PaymentPayload, { operation, request }: Purchase): boolean =>
  holder.fingerprint === fingerprintOf(operation, request) && holder.proof === proofOf(payment)

/** A gate whose replicas coordinate through reservations and the ledger. */
export const createPaymentGate = ({
  context,
  receiver,
  facilitator,
  reservations,
  ledger,
  nameAttempt = randomUUID,
}: GateOptions): PaymentGate => {
  const { log, clock } = context
  const outcomes = context.metrics.counter('assay_payments_total', 'Payments by outcome', ['outcome'])
  const settlement = createSettlement({ context, facilitator, ledger })
  const reconcile = createReconcile({ context, ledger, settlement })

  const refuse = (reason: string, resource: Resource): { outcome: 'refused'; offer: Offer } => {
    outcomes.inc({ outcome: 'refused' })
    return { outcome: 'refused', offer: offer(receiver, resource, reason) }
  }
  const wait = (reason: string, resource: Resource): { outcome: 'pending'; offer: Offer } => {
    outcomes.inc({ outcome: 'pending' })
    return { outcome: 'pending', offer: pendingOffer(receiver, resource, reason) }
  }
  const headersOf = (payment: PaymentPayload, { payer, transaction }: Payment): ReceiptHeaders => {
    const text = encodeHeader({ success: true, transaction, network: networkOf(payment), payer })
    return { 'payment-response': text, 'x-payment-response': text }
  }
  /** Records once that the answer was sent. */
  const answeredOnce = (settled: Payment): (() => void) => {
    let next = AFTER_ANSWER[settled.state]
    return () => {
      if (!next) return
      void settlement.record(settled, next)
      next = undefined
    }
  }

  const stored = (payment: PaymentPayload, settled: Payment): Extract<Admission, { outcome: 'replay' }> => {
    outcomes.inc({ outcome: 'replayed' })
    const headers = headersOf(payment, settled)
    const { payer, answer } = settled
    return { outcome: 'replay', payer, headers, answer, answered: answeredOnce(settled) }
  }

  const begin = (payment: PaymentPayload, purchase: Purchase, answer: string): Payment => {
    const { authorization } = payment.payload
    const now = clock.now()
    return {
      key: keyOf(authorization),
      attempt: nameAttempt(),
      state: 'reserved',
      begun: now,
      moved: now,
      payer: authorization.from.toLowerCase(),
      receiver: receiver.toLowerCase(),
      nonce: authorization.nonce,
      valid_before: Number(authorization.validBefore),
      amount: PRICE,
      asset: PAYMENT_ASSET.toLowerCase(),
      network: PAYMENT_CHAIN,
      operation: purchase.operation,
      fingerprint: fingerprintOf(purchase.operation, purchase.request),
      proof: proofOf(payment),
      request_id: purchase.requestId,
      transaction: '',
      reason: '',
      answer,
    }
  }

  /** Whether no other attempt with the authorization is active. Must be called after the own attempt was written. */
  const isAlone = async (own: Payment): Promise<boolean> => {
    const attempts = await ledger.find(own.key)
    return (
      holderOf(
        attempts.filter(({ attempt }) => attempt !== own.attempt),
        clock.now(),
      ) === undefined
    )
  }

  /** Takes the authorization for this attempt; `undefined` if another attempt is active. */
  const take = async (own: Payment): Promise<Payment | undefined> => {
    try {
      await ledger.write(own)
      if ((await isAlone(own)) && clock.now() - own.begun < MAX_RESERVED_MS) {
        const settling = moved(own, 'settling', clock.now())
        await ledger.write(settling)
        return settling
      }
    } catch (error) {
      await settlement.record(own, 'released', { reason: 'interrupted' })
      throw error
    }
    await settlement.record(own, 'released', { reason: IN_PROGRESS })
    return undefined
  }

  const settle = async (payment: PaymentPayload, purchase: Purchase, answer: string): Promise<Settlement> => {
    const { resource } = purchase
    const taken = await take(begin(payment, purchase, answer))
    if (!taken) return wait(IN_PROGRESS, resource)
    const charged = await settlement.charge(taken, claimOf(payment, receiver, resource))
    if (charged.outcome === 'pending') return wait(PENDING, resource)
    if (charged.outcome === 'refused') return refuse(charged.reason, resource)
    outcomes.inc({ outcome: 'settled' })
    const headers = headersOf(payment, charged.payment)
    return { outcome: 'settled', headers, answered: answeredOnce(charged.payment) }
  }

  const admitReserved = async (payment: PaymentPayload, key: string, purchase: Purchase): Promise<Admission> => {
    const { resource } = purchase
    const verdict = await facilitator.verify(claimOf(payment, receiver, resource))
    if (!verdict.isValid)
      return refuse(codeOf(verdict.invalidReason ?? 'invalid_payload', UNREADABLE_REFUSAL), resource)
    const release = () => reservations.release(key)
    return {
      outcome: 'admitted',
      payer: payment.payload.authorization.from.toLowerCase(),
      release,
      settle: async (answer) => {
        try {
          return await settle(payment, purchase, answer)
        } finally {
          await release()
        }
      },
    }
  }

  /** Looks up the outcome of an attempt, and settles it again if no settlement is in progress. */
  const resumed = async (open: Payment, payment: PaymentPayload, resource: Resource): Promise<Charged> => {
    const known = await settlement.conclude(open)
    const uncertain = isUncertain(open)
    if (known.outcome !== 'pending' || (uncertain && clock.now() - open.moved < PATIENCE_MS)) return known
    const again = moved(open, 'settling', clock.now(), { reason: uncertain ? open.reason || LOST : '' })
    await ledger.write(again)
    return settlement.charge(again, claimOf(payment, receiver, resource))
  }

  const knownPayment = async (
    holder: Payment,
    reserved: boolean,
    payment: PaymentPayload,
    purchase: Purchase,
  ): Promise<Admission> => {
    const { resource } = purchase
    const { state } = holder
    const isHandedOver = state === 'answered' || state === 'completed'
    const over = state === 'refunded' || (isHandedOver && clock.now() - holder.moved > REPLAY_MS)
    if (over || !isOf(holder, payment, purchase)) return refuse(ALREADY_USED, resource)
    if (state === 'disputed') return refuse(holder.reason, resource)
    if (isPaid(state)) return stored(payment, holder)
    if (!isOpen(state) || !reserved) return wait(state === 'reserved' ? IN_PROGRESS : PENDING, resource)
    const charged = await resumed(holder, payment, resource).catch((error): Charged => {
      log.warn({ payment: holder.key, error: messageOf(error) }, 'failed to resume a settlement')
      return { outcome: 'pending' }
    })
    if (charged.outcome === 'settled') return stored(payment, charged.payment)
    return charged.outcome === 'pending' ? wait(PENDING, resource) : refuse(charged.reason, resource)
  }

  return {
    offer: (resource) => offer(receiver, resource, 'Payment required'),

    admit: async (header, purchase) => {
      const payment = decodePayment(header)
      if (!payment) return { outcome: 'malformed', reason: 'The payment header is not base64 JSON of an x402 payment' }
      const key = keyOf(payment.payload.authorization)
      const mismatch = matchesOffer(payment, receiver, Math.floor(clock.now() / 1_000))
      if (mismatch) {
        // The payment may have been accepted under an earlier offer, or by a replica with other settings: its answer is owed.
        const holder = holderOf(await ledger.find(key), clock.now())
        if (!holder || !isOf(holder, payment, purchase)) return refuse(mismatch, purchase.resource)
        return knownPayment(holder, false, payment, purchase)
      }
      const reserved = await reservations.reserve(key, LEASE_MS / 1_000)
      let keep = false
      try {
        const holder = holderOf(await ledger.find(key), clock.now())
        if (holder) return await knownPayment(holder, reserved, payment, purchase)
        if (!reserved) return wait(IN_PROGRESS, purchase.resource)
        const admission = await admitReserved(payment, key, purchase)
        keep = admission.outcome === 'admitted'
        return admission
      } finally {
        if (reserved && !keep) await reservations.release(key)
      }
    },

    reconcile,
  }
}
