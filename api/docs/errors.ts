/** What each error code of an answer means and what to do: its page, its example in OpenAPI, and the table of docs/use/api.md. */
import { ERROR_STATUS, type ErrorName } from '../answers/answer.ts'

/** What is to be read about an error. */
export type ErrorPage = {
  /** When it is answered, as one sentence. */
  when: string
  /** What to do. */
  next: string
  /** An entry of `details`, where there is one. */
  detail?: { field: string; reason: string }
}

const WAIT = 'Wait as long as the header Retry-After says, then send the same request again.'

/** A page for every code that an answer may have: one without its page does not compile. */
export const ERROR_PAGES: Record<ErrorName | 'PAYMENT_REQUIRED', ErrorPage> = {
  INVALID_REQUEST: {
    when: 'A field of the request is missing or not valid.',
    next: 'Correct the fields that details names. The same request fails again.',
    detail: { field: 'walletAddress', reason: 'is not an address of ETH' },
  },
  MALFORMED_JSON: {
    when: 'The body is empty or not JSON.',
    next: 'Send a JSON object, and the header content-type: application/json.',
    detail: { field: 'body', reason: 'is not valid JSON' },
  },
  UNSUPPORTED_CONTENT_TYPE: {
    when: 'The content type is not one that the route reads.',
    next: 'Send application/json; POST /screen takes text/csv and application/x-ndjson.',
    detail: { field: 'body', reason: 'content-type must be application/json' },
  },
  BODY_TOO_LARGE: {
    when: 'The body is larger than the route allows: 16 KB, 256 KB for a batch, 512 KB for POST /watch, 256 MB for POST /screen.',
    next: 'Send fewer items, or upload the list to POST /screen.',
    detail: { field: 'body', reason: 'is too large' },
  },
  MALFORMED_PAYMENT: {
    when: 'The payment header cannot be read.',
    next: 'Send the base64 of the JSON payload that x402 describes in X-PAYMENT or PAYMENT-SIGNATURE.',
    detail: { field: 'X-PAYMENT', reason: 'cannot be read' },
  },
  KEY_MISSING: {
    when: 'The request has no key.',
    next: 'Send your key in the header x-api-key.',
    detail: { field: 'x-api-key', reason: 'is required' },
  },
  KEY_INVALID: {
    when: 'The key is unknown or was revoked.',
    next: 'Check that the whole key was copied; ask the operator for a new one.',
    detail: { field: 'x-api-key', reason: 'is unknown or revoked' },
  },
  KEY_EXPIRED: {
    when: 'The key has expired.',
    next: 'Ask the operator for a new key. assay keys rotate replaces one before it expires.',
    detail: { field: 'x-api-key', reason: 'has expired' },
  },
  TIER_NOT_COVERED: {
    when: 'The tier of the key does not cover the operation.',
    next: 'Use an enterprise key for segments and credit scores.',
  },
  OPERATION_NOT_ALLOWED: {
    when: 'The key is held to other operations.',
    next: 'Use another key, or ask the operator to allow the operation.',
  },
  NETWORK_NOT_ALLOWED: {
    when: 'The key is held to other networks.',
    next: 'Use another key, or ask the operator to allow the network.',
  },
  SOURCE_NOT_ALLOWED: {
    when: 'The key may not be used from this address.',
    next: 'Call from one of the addresses that the key is held to.',
  },
  HTTPS_REQUIRED: {
    when: 'The request came over plain HTTP from another machine.',
    next: 'Use https, and replace the key: it travelled in the open.',
  },
  ORIGIN_NOT_ALLOWED: {
    when: 'A page of another site called.',
    next: 'Call from a server; keys do not belong into pages.',
  },
  NOT_FOUND: {
    when: 'The address was not seen on the network since the first block that is indexed, or there is no such job or endpoint.',
    next: 'Check the network. Addresses that were never used are not found.',
  },
  NOT_COVERED: {
    when: 'The indexed blocks hold nothing about the wallet, and what it did before them is not known.',
    next: 'Send calculate: true to have its past fetched.',
  },
  UNKNOWN_ROUTE: {
    when: 'There is nothing at this path.',
    next: 'Look the path up at /docs. Operations are POST requests.',
    detail: { field: 'path', reason: 'no route for POST /fraud/chek' },
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path is not asked with this method. Operations are POST requests, and so is MCP: there are neither streams nor sessions.',
    next: 'Use a method that the header Allow lists.',
  },
  UPLOAD_TOO_SLOW: {
    when: 'Nothing of an upload came for 30 seconds, or less than 4 KB a second after the first minute.',
    next: 'Send it again over a faster connection, or in several lists. Nothing of it was kept.',
    detail: { field: 'body', reason: 'came too slowly' },
  },
  IDEMPOTENCY_CONFLICT: {
    when: 'The idempotency key belongs to another upload.',
    next: 'Send another idempotency key, or the same upload as before.',
  },
  CHANGED_MEANWHILE: {
    when: 'Something was done with the alert or endpoint since it was looked at. Nothing was changed.',
    next: 'Read it again, and send the request anew: for an alert, with its revision of now.',
    detail: { field: 'revision', reason: 'is 2 by now' },
  },
  NOT_FINISHED: {
    when: 'The screening job is not finished.',
    next: 'Ask GET /screen/{id} until state is finished.',
  },
  RATE_LIMITED: {
    when: 'A limit of the key, of the payer or of the address is used up.',
    next: WAIT,
  },
  RECALCULATION_LIMITED: {
    when: 'The budget for calculate: true is used up.',
    next: `${WAIT} The most recent score is answered meanwhile, without calculate.`,
  },
  OVERLOADED: {
    when: 'Too many computations wait, or the server cannot keep up.',
    next: `${WAIT} Records in memory are answered all the same.`,
  },
  INTERNAL: {
    when: 'An error in Assay.',
    next: 'Tell the operator the header x-request-id.',
  },
  ANALYSIS_NOT_AVAILABLE: {
    when: 'This installation has no analysis for the operation, or does not index the network.',
    next: 'GET /status lists the networks.',
  },
  CATCHING_UP: {
    when: 'Blocks or logs of authorities of the network that exist are not in the tables yet.',
    next: WAIT,
  },
  DEPENDENCY_UNAVAILABLE: {
    when: 'A part that the answer needs did not respond in time. Nothing is charged.',
    next: WAIT,
  },
  PAYMENT_REQUIRED: {
    when: 'The request has neither key nor settled payment. The field error names the reason of x402.',
    next: 'Pay what the offer asks, or send a key. With Retry-After the payment is under way: send the same request and payment again.',
  },
}

/** Path of the page of a code. */
export const errorPath = (code: string): string => `/docs/errors/${code}`

/** Codes of a status. */
export const codesOf = (status: number): ErrorName[] =>
  Object.entries(ERROR_STATUS).flatMap(([name, code]) => (code === status ? [name as ErrorName] : []))

/** The body that an example of the code has. */
export const exampleBodyOf = (code: ErrorName): { message: string; error: string; details: unknown[] } => {
  const { when, detail } = ERROR_PAGES[code]
  return { message: when, error: code, details: detail ? [detail] : [] }
}
