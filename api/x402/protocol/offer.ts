/** What the agent surface asks for a call, in the words of both protocol versions. */
import { encodeHeader } from './payload.ts'

/** Chain the contract names: Base, CAIP-2. Version 1 of the protocol calls it `base`. */
export const PAYMENT_CHAIN = 'eip155:8453'
/** Chain id of Base (EIP-155). */
export const PAYMENT_CHAIN_ID = 8453
const PAYMENT_CHAIN_V1 = 'base'

/** USDC on Base and its EIP-712 domain (name and version as the deployed contract answers). */
export const PAYMENT_ASSET = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'
const ASSET_DOMAIN = { name: 'USD Coin', version: '2' }

/** What it is called, and its decimals. */
export const PAYMENT_SYMBOL = 'USDC'
/** Decimals of USDC. */
export const PAYMENT_DECIMALS = 6
/** $0.15 in base units of USDC. */
export const PRICE = '150000'
const MAX_TIMEOUT_SECONDS = 300

/** What is offered, as payers see it. */
export type Resource = { url: string; description: string }

const common = (receiver: string) => ({
  scheme: 'exact' as const,
  asset: PAYMENT_ASSET,
  payTo: receiver,
  maxTimeoutSeconds: MAX_TIMEOUT_SECONDS,
  extra: ASSET_DOMAIN,
})

/** The offer in the words of x402 version 1. */
export const requirementsV1 = (receiver: string, resource: Resource) => ({
  ...common(receiver),
  network: PAYMENT_CHAIN_V1,
  maxAmountRequired: PRICE,
  resource: resource.url,
  description: resource.description,
  mimeType: 'application/json',
})

/** The offer in the words of version 2, where the resource stands beside it. */
export const requirementsV2 = (receiver: string) => ({
  ...common(receiver),
  network: PAYMENT_CHAIN,
  amount: PRICE,
})

/** Whether a payer's spelling of the network means the chain we take payment on. */
export const isPaymentChain = (network: string): boolean => network === PAYMENT_CHAIN || network === PAYMENT_CHAIN_V1

/** A 402 answer: version 2 in a header, version 1 in the body. */
export type Offer = { headers: { 'payment-required': string; 'retry-after'?: string }; body: Record<string, unknown> }

/**
 * The 402 answer: version 2 in the header, version 1 in the body (whose network names are a closed list, so that the
 * CAIP-2 name must not appear there). `message`, `error` and `details` make it one of our error bodies as well.
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
    message: 'Payment required: sign the offer and send it as X-PAYMENT, or send an API key as x-api-key',
    error: reason,
    details: [],
    x402Version: 1,
    accepts: [requirementsV1(receiver, resource)],
  },
})

/** Seconds after which a pending settlement is worth asking about again. */
const PENDING_RETRY_SECONDS = 5

/** The 402 answer to a payment that has no outcome yet. It is asked to be sent again: another one could be charged too. */
export const pendingOffer = (receiver: string, resource: Resource, reason: string): Offer => {
  const { headers, body } = offer(receiver, resource, reason)
  return {
    headers: { ...headers, 'retry-after': String(PENDING_RETRY_SECONDS) },
    body: {
      ...body,
      message: 'The payment is under way: send the same request with the same payment again, and do not sign another',
    },
  }
}
