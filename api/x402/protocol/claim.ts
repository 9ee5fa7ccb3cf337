/** Compares a payment with our offer, and builds the request to the facilitator. */
import type { Claim } from '../chain/facilitator.ts'
import { isPaymentChain, PAYMENT_ASSET, PRICE, type Resource, requirementsV1, requirementsV2 } from './offer.ts'
import { networkOf, type PaymentPayload, schemeOf } from './payload.ts'

/**
 * Maximum remaining validity of an authorization, seconds. Offers ask for five minutes. Authorizations must expire, because an
 * unknown settlement is decided only once its authorization has expired.
 */
const MAX_VALIDITY_SECONDS = 86_400

const sameText = (a: unknown, b: string): boolean => typeof a === 'string' && a.toLowerCase() === b.toLowerCase()

/** The x402 reason why a payment does not match our offer. `now` in Unix seconds. */
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

/** The claim for a facilitator, with the network name of its x402 version. */
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
