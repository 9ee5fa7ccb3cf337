/**
 * The x402 payments extension of A2A, version 0.2, standalone flow: the offer, the payment and the receipts travel in the metadata of
 * messages (github.com/google-agentic-commerce/a2a-x402, spec/v0.2).
 */
import type { Message } from '../protocol.ts'

/** URI of the extension. Clients and the card must use exactly this string. */
export const EXTENSION_URI = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'
/** Header in which clients activate extensions and responses list the activated ones (A2A 0.3.0, section 3.2.6). */
export const EXTENSIONS_HEADER = 'x-a2a-extensions'

/** Keys of a message's metadata (section 7). */
export const METADATA = {
  status: 'x402.payment.status',
  required: 'x402.payment.required',
  payload: 'x402.payment.payload',
  receipts: 'x402.payment.receipts',
  error: 'x402.payment.error',
} as const

/** State of a task's payment (x402 extension of A2A 0.2, section 7). */
export type PaymentStatus =
  | 'payment-required'
  | 'payment-submitted'
  | 'payment-rejected'
  | 'payment-verified'
  | 'payment-completed'
  | 'payment-failed'

/** Whether a request activates the extension. */
export const asksForExtension = (header: string | string[] | undefined): boolean =>
  [header]
    .flat()
    .flatMap((text) => text?.split(',') ?? [])
    .some((uri) => uri.trim() === EXTENSION_URI)

/** Maps x402 reasons to codes of the extension (section 9.1); the first match wins. */
const CODES: [RegExp, string][] = [
  [/insufficient/, 'INSUFFICIENT_FUNDS'],
  [/nonce/, 'DUPLICATE_NONCE'],
  [/valid_before|valid_after|expired/, 'EXPIRED_PAYMENT'],
  [/network|chain/, 'NETWORK_MISMATCH'],
  [/authorization_value|amount|payment_requirements/, 'INVALID_AMOUNT'],
  [/signature/, 'INVALID_SIGNATURE'],
]

/** The extension's error code for an x402 reason. */
export const errorCodeOf = (reason: string): string =>
  CODES.find(([pattern]) => pattern.test(reason))?.[1] ?? 'SETTLEMENT_FAILED'

/** A message without its payment payload, for the history of a task. */
export const withoutPayment = (message: Message): Message => {
  if (message.metadata?.[METADATA.payload] === undefined) return message
  const { [METADATA.payload]: _, ...metadata } = message.metadata
  return { ...message, metadata }
}
