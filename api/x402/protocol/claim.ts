/** What a payment is held against before anybody is asked about it, and how facilitators are asked. */
import type { Claim } from '../chain/facilitator.ts'
import { isPaymentChain, PAYMENT_ASSET, PRICE, type Resource, requirementsV1, requirementsV2 } from './offer.ts'
import { networkOf, type PaymentPayload, schemeOf } from './payload.ts'

/**
 * Longest an authorization may be valid from now on, seconds. Offers ask for five minutes; what became of a settlement
 * that nobody saw the end of is certain once its authorization has expired, so that it must expire.
 */
const MAX_VALIDITY_SECONDS = 86_400

const sameText = (a: unknown, b: string): boolean => typeof a === 'string' && a.toLowerCase() === b.toLowerCase()

/** The reason, in the words of the protocol, why a payment is none for our offer. `now` in Unix seconds. */
export const matchesOffer = (payment: PaymentPayload, receiver: string, now: number): string | undefined => {
  if (schemeOf(payment) !== 'exact') return 'unsupported_scheme'
  if (!isPaymentChain(networkOf(payment))) return 'invalid_network'
  const { authorization } = payment.payload
  if (!sameText(authorization.to, receiver)) return 'invalid_exact_evm_payload_recipient_mismatch'
  if (authorization.value !== PRICE) return 'invalid_exact_evm_payload_authorization_value'
  if (BigInt(authorization.validAfter) > BigInt(now)) return 'invalid_exact_evm_payload_authorization_valid_after'
  if (BigInt(authorization.validBefore) > BigInt(now + MAX_VALIDITY_SECONDS)) {
    return 'invalid_exact_evm_payload_authorization_valid_before'
  }
  if (payment.x402Version === 1) return undefined
  const { amount, asset, payTo } = payment.accepted
  const same = amount === PRICE && sameText(asset, PAYMENT_ASSET) && sameText(payTo, receiver)
  return same ? undefined : 'invalid_payment_requirements'
}

/** The claim in the version and the network spelling that facilitators know. */
export const claimOf = (payment: PaymentPayload, receiver: string, resource: Resource): Claim =>
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
