/** Errors as ClickHouse drivers read them: an HTTP status, a code in a header, and `Code: N. DB::Exception: ... (NAME)`. */
import { isAssayError, messageOf } from '../../../errors.ts'
import { codeOf } from '../../errors.ts'

/** An error response. Codes are those of src/Common/ErrorCodes.cpp. */
export class WireException extends Error {
  readonly status: number
  readonly code: number
  readonly type: string
  constructor(status: number, code: number, type: string, message: string) {
    super(message)
    this.status = status
    this.code = code
    this.type = type
  }
}

const DENIED = new Set(['ASSAY_SQL_STATEMENT_REFUSED', 'ASSAY_SQL_FUNCTION_REFUSED', 'ASSAY_SQL_TABLE_REFUSED'])
/** HTTP statuses of the engine's errors about the statement, by code. */
const STATUS: Readonly<Record<string, number>> = { 46: 404, 47: 404, 60: 404, 62: 400, 81: 404 }

/** Name of the engine's error code: in brackets at the end of a line. */
const typeOf = (error: unknown): string => /\(([A-Z][A-Z0-9_]{2,})\)/.exec(messageOf(error))?.[1] ?? 'UNKNOWN_EXCEPTION'

/** Converts an error for the client. Unexpected errors are not disclosed. */
export const wireException = (error: unknown): WireException => {
  if (error instanceof WireException) return error
  if (!isAssayError(error)) {
    return new WireException(
      500,
      1_001,
      'STD_EXCEPTION',
      'The statement could not be run. The log of the service contains the reason.',
    )
  }
  const text = `${error.message} [${error.code}]`
  if (DENIED.has(error.code)) return new WireException(403, 497, 'ACCESS_DENIED', text)
  const code = codeOf(error.cause)
  if (code === undefined || !/^\d+$/.test(code)) return new WireException(500, 1_001, 'STD_EXCEPTION', text)
  return new WireException(STATUS[code] ?? 500, Number(code), typeOf(error.cause), text)
}

/** Body of the response. */
export const exceptionText = ({ code, type, message }: WireException): string =>
  `Code: ${code}. DB::Exception: ${message} (${type})\n`
