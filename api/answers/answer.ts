/** Answers of operations, for HTTP routes, A2A skills and MCP tools. */
import type { ErrorBody, ErrorDetail } from '../../schema/records/error.ts'

/** An answer, ready to be sent. */
export type Answer = {
  status: number
  /** JSON text. A string, because Node then sends head and body in one write. */
  body: string
  headers?: Record<string, string>
  /** For metrics: source of the record (`memory`, `store`, `computed`) or the error code. */
  outcome: string
  /** The record in the answer, for the audit log. */
  about?: { network: string; address: string; version: number }
  /** Called when the last byte was written to the connection. */
  onSent?: () => void
}

/**
 * Error codes with their status. The contract lists 400, 401, 404, 429 and 500. The others are documented extensions: 403 (tier,
 * restricted key, plain HTTP, foreign origin), 405 (method), 408 (screening), 409 (screening, alerts, webhooks), 503 (not available).
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

/** An error code. */
export type ErrorName = keyof typeof ERROR_STATUS

/** The error body. */
export const errorBodyOf = (error: ErrorName, message: string, details: ErrorDetail[] = []): ErrorBody => ({
  message,
  error,
  details,
})

/** An error answer with the status of its code. */
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
