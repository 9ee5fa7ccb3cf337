/** The meaning of each error code and what to do about it. Source of the error pages and of the examples in OpenAPI. */
import { ERROR_STATUS, type ErrorName } from '../answers/answer.ts'

/** What a caller reads about an error. */
export type ErrorPage = {
  /** When the API returns it, as one sentence. */
  when: string
  /** What the caller should do. */
  next: string
  /** An example entry of `details`; absent for errors without details. */
  detail?: { field: string; reason: string }
}

const WAIT = 'Wait for the number of seconds in the header Retry-After, then send the same request again.'

/** One page per error code. A code without a page does not compile. */
export const ERROR_PAGES: Record<ErrorName | 'PAYMENT_REQUIRED', ErrorPage> = {
  INVALID_REQUEST: {
    when: 'A field of the request is missing or not valid.',
    next: 'Correct the fields that details names. Repeating the same request fails again.',
    detail: { field: 'walletAddress', reason: 'is not an address of ETH' },
  },
  MALFORMED_JSON: {
    when: 'The body is empty or not JSON.',
    next: 'Send a JSON object, and the header content-type: application/json.',
    detail: { field: 'body', reason: 'is not valid JSON' },
  },
  UNSUPPORTED_CONTENT_TYPE: {
    when: 'The route does not accept this content type.',
    next: 'Send application/json. POST /screen takes text/csv and application/x-ndjson.',
    detail: { field: 'body', reason: 'content-type must be application/json' },
  },
  BODY_TOO_LARGE: {
    when: 'The body is larger than the route allows: 16 KB, 256 KB for a batch, 512 KB for POST /watch, 256 MB for POST /screen.',
    next: 'Send fewer items, or upload the list to POST /screen.',
    detail: { field: 'body', reason: 'is too large' },
  },
  MALFORMED_PAYMENT: {
    when: 'The payment header cannot be read.',
    next: 'Send the x402 payment payload as base64-encoded JSON in X-PAYMENT or PAYMENT-SIGNATURE.',
    detail: { field: 'X-PAYMENT', reason: 'cannot be read' },
  },
  KEY_MISSING: {
    when: 'The request has no key.',
    next: 'Send your key in the header x-api-key.',
    detail: { field: 'x-api-key', reason: 'is required' },
  },
  KEY_INVALID: {
    when: 'The key is unknown or was revoked.',
    next: 'Check that you copied the whole key. Otherwise ask the operator for a new one.',
    detail: { field: 'x-api-key', reason: 'is unknown or revoked' },
  },
  KEY_EXPIRED: {
    when: 'The key has expired.',
    next: 'Ask the operator for a new key. Operators replace a key before it expires with assay keys rotate.',
    detail: { field: 'x-api-key', reason: 'has expired' },
  },
  TIER_NOT_COVERED: {
    when: 'The tier of the key does not cover the operation.',
    next: 'Use an enterprise key for segments and credit scores.',
  },
  OPERATION_NOT_ALLOWED: {
    when: 'The key is restricted to other operations.',
    next: 'Use another key, or ask the operator to allow the operation.',
  },
  NETWORK_NOT_ALLOWED: {
    when: 'The key is restricted to other networks.',
    next: 'Use another key, or ask the operator to allow the network.',
  },
  SOURCE_NOT_ALLOWED: {
    when: 'The key may not be used from this IP address.',
    next: 'Call from one of the IP addresses that the key allows.',
  },
  HTTPS_REQUIRED: {
    when: 'The request came over plain HTTP from another machine.',
    next: 'Use HTTPS, and replace the key: it was sent unencrypted.',
  },
  ORIGIN_NOT_ALLOWED: {
    when: 'A web page of another origin sent the request.',
    next: 'Call the API from a server. Never put API keys into web pages.',
  },
  NOT_FOUND: {
    when: 'The address has no activity on the network since the first indexed block, or the job, endpoint or alert does not exist.',
    next: 'Check the network and the address. An address that was never used is not found.',
  },
  NOT_COVERED: {
    when: 'The wallet has no activity in the indexed blocks, and its earlier activity is not known.',
    next: 'Send calculate: true to fetch its earlier activity.',
  },
  UNKNOWN_ROUTE: {
    when: 'No route exists at this path.',
    next: 'Check the path at /docs. Operations are POST requests.',
    detail: { field: 'path', reason: 'no route for POST /fraud/chek' },
  },
  METHOD_NOT_ALLOWED: {
    when: 'The path does not support this method. Operations and MCP are POST requests; MCP has neither streams nor sessions.',
    next: 'Use a method from the header Allow.',
  },
  UPLOAD_TOO_SLOW: {
    when: 'The upload sent no data for 30 seconds, or less than 4 KB per second after the first minute. Nothing was stored.',
    next: 'Upload again over a faster connection, or split the list.',
    detail: { field: 'body', reason: 'was sent too slowly' },
  },
  IDEMPOTENCY_CONFLICT: {
    when: 'The idempotency key belongs to another upload.',
    next: 'Send a different idempotency key, or exactly the same upload.',
  },
  CHANGED_MEANWHILE: {
    when: 'The alert or endpoint was changed after you read it. Your change was not applied.',
    next: 'Read it again and repeat the request; for an alert, send its current revision.',
    detail: { field: 'revision', reason: 'is now 2' },
  },
  NOT_FINISHED: {
    when: 'The screening job is not finished.',
    next: 'Poll GET /screen/{id} until state is finished.',
  },
  RATE_LIMITED: {
    when: 'The rate limit of the key, payer or IP address is used up.',
    next: WAIT,
  },
  RECALCULATION_LIMITED: {
    when: 'The budget for calculate: true is used up.',
    next: `${WAIT} Requests without calculate still return the most recent score.`,
  },
  OVERLOADED: {
    when: 'The server is overloaded, or too many computations are queued.',
    next: `${WAIT} Records in memory are still returned.`,
  },
  INTERNAL: {
    when: 'Assay failed unexpectedly.',
    next: 'Report the value of the header x-request-id to the operator.',
  },
  ANALYSIS_NOT_AVAILABLE: {
    when: 'This server does not run the analysis, or does not index the network.',
    next: 'Use a network that GET /status lists.',
  },
  CATCHING_UP: {
    when: 'The index of the network is behind: recent blocks, or logs of sanctions authorities, are not stored yet.',
    next: WAIT,
  },
  DEPENDENCY_UNAVAILABLE: {
    when: 'A service that the request depends on did not respond in time. Nothing is charged.',
    next: WAIT,
  },
  PAYMENT_REQUIRED: {
    when: 'The request has neither an API key nor a settled payment. The field error holds the x402 reason.',
    next: 'Pay one of the offers in accepts, or send an API key. If the response has Retry-After, the payment is still settling: wait, then send the same request and payment again.',
  },
}

/** Path of the page of a code. */
export const errorPath = (code: string): string => `/docs/errors/${code}`

/** Error codes of an HTTP status. */
export const codesOf = (status: number): ErrorName[] =>
  Object.entries(ERROR_STATUS).flatMap(([name, code]) => (code === status ? [name as ErrorName] : []))

/** An example error body. */
export const exampleBodyOf = (code: ErrorName): { message: string; error: string; details: unknown[] } => {
  const { when, detail } = ERROR_PAGES[code]
  return { message: when, error: code, details: detail ? [detail] : [] }
}
