/** What an operation answers, whatever asked it: an HTTP route, an A2A skill or an MCP tool. */
import type { ErrorBody, ErrorDetail } from '../../schema/records/error.ts'

/** An answer of any status, ready to be sent. */
export type Answer = {
  status: number
  /** JSON text. A string: Node then sends head and body in one write. */
  body: string
  headers?: Record<string, string>
  /** How it came about, for metrics: `memory`, `store`, `computed`, or the error's code. */
  outcome: string
  /** The record it shows, for the audit log. */
  about?: { network: string; address: string; version: number }
  /** Called when the last byte was handed over to the connection. */
  handedOver?: () => void
}

/**
 * Codes of error bodies with their status. The contract lists 400, 401, 404, 429 and 500; 403 (tier, what a key is held to, plain HTTP, foreign origin),
 * 405 (MCP), 408 (screening), 409 (screening, alerts) and 503 (not available) are ours and are documented as such.
 */
export const ERROR_STATUS = {
  INVALID_REQUEST: 400,
  MALFORMED_JSON: 400,
  UNSUPPORTED_CONTENT_TYPE: 400,
  BODY_TOO_LARGE: 400,
  MALFORMED_PAYMENT: 400,
  KEY_MISSING: 401,
  KEY_INVALID: 401,
  KEY_EXPIRED: 401,
  TIER_NOT_COVERED: 403,
  OPERATION_NOT_ALLOWED: 403,
  NETWORK_NOT_ALLOWED: 403,
  SOURCE_NOT_ALLOWED: 403,
  HTTPS_REQUIRED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  NOT_FOUND: 404,
  NOT_COVERED: 404,
  UNKNOWN_ROUTE: 404,
  METHOD_NOT_ALLOWED: 405,
  UPLOAD_TOO_SLOW: 408,
  IDEMPOTENCY_CONFLICT: 409,
  CHANGED_MEANWHILE: 409,
  NOT_FINISHED: 409,
  RATE_LIMITED: 429,
  RECALCULATION_LIMITED: 429,
  OVERLOADED: 429,
  INTERNAL: 500,
  ANALYSIS_NOT_AVAILABLE: 503,
  CATCHING_UP: 503,
  DEPENDENCY_UNAVAILABLE: 503,
} as const

/** Codes of errors that an answer may have, each with one status. */
export type ErrorName = keyof typeof ERROR_STATUS

/** The body that every answer but a 200 has. */
export const errorBodyOf = (error: ErrorName, message: string, details: ErrorDetail[] = []): ErrorBody => ({
  message,
  error,
  details,
})

/** An answer with that body, under the status of the error. */
export const errorAnswer = (
  error: ErrorName,
  message: string,
  details: ErrorDetail[] = [],
  headers?: Record<string, string>,
): Answer => ({
  status: ERROR_STATUS[error],
  body: JSON.stringify(errorBodyOf(error, message, details)),
  outcome: error,
  ...(headers && { headers }),
})
