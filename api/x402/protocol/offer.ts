/** The payment offer of the agent surface, in both x402 versions. */
import { encodeHeader } from './payload.ts'

/** Chain of the contract: Base, as CAIP-2. x402 version 1 calls it `base`. */
export const PAYMENT_CHAIN = 'eip155:8453'
/** Chain id of Base (EIP-155). */
export const PAYMENT_CHAIN_ID = 8453
const PAYMENT_CHAIN_V1 = 'base'

/** USDC on Base, and its EIP-712 domain (name and version of the deployed contract). */
export const PAYMENT_ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const ASSET_DOMAIN = { name: 'USD Coin', version: '2' }

/** Symbol of the asset. */
export const PAYMENT_SYMBOL = 'USDC'
/** Decimals of the asset. */
export const PAYMENT_DECIMALS = 6
/** $0.15 in base units of USDC. */
export const PRICE = '150000'
const MAX_TIMEOUT_SECONDS = 300

/** The offered resource. */
export type Resource = { url: string; description: string }

const common = (receiver: string) => ({
  scheme: 'exact' as const,
  asset: PAYMENT_ASSET,
  payTo: receiver,
  maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
  extra: ASSET_DOMAIN,
})

/** Payment requirements of x402 version 1. */
export const requirementsV1 = (receiver: string, resource: Resource) => ({
  ...common(receiver),
  network: PAYMENT_CHAIN_V1,
  maxAmountRequired: PRICE,
  resource: resource.url,
  description: resource.description,
  mimeType: 'application/json',
})

/** Payment requirements of version 2, without the resource. */
export const requirementsV2 = (receiver: string) => ({
  ...common(receiver),
  network: PAYMENT_CHAIN,
  amount: PRICE,
})

/** Whether a network name means the payment chain. */
export const isPaymentChain = (network: string): boolean => network === PAYMENT_CHAIN || network === PAYMENT_CHAIN_V1

/** A 402 answer: version 2 in a header, version 1 in the body. */
export type Offer = { headers: { 'payment-required': string; 'retry-after'?: string }; body: Record<string, unknown> }

/**
 * The 402: version 2 in the header, version 1 in the body. Network names of version 1 are a closed list without the CAIP-2 name.
 * With `message`, `error` and `details` the body is also an error body.
 */
export const offer = (receiver: string, resource: Resource, reason: string): Offer => ({
  headers: {
    'payment-required': encodeHeader({
      x402Version: 2,
      error: reason,
      resource: { ...resource, mimeType: 'application/json' },
      accepts: [requirementsV2(receiver)],
    }),
  },
  body: {
    message: 'Payment required. Send a signed payment in the header X-PAYMENT, or an API key in the header x-api-key.',
    error: reason,
    details: [],
    x402Version: 1,
    accepts: [requirementsV1(receiver, resource)],
  },
})

/** Retry-After of a pending settlement, seconds. */
const PENDING_RETRY_SECONDS = 5

/** The 402 for a payment without outcome yet. It must be sent again: a second payment could be charged too. */
export const pendingOffer = (receiver: string, resource: Resource, reason: string): Offer => {
  const { headers, body } = offer(receiver, resource, reason)
  return {
    headers: { ...headers, 'retry-after': String(PENDING_RETRY_SECONDS) },
    body: {
      ...body,
      message:
        'The payment is still settling. Send the same request with the same payment again. Do not sign another payment.',
    },
  }
}
