/**
 * Converts client errors to our families. Numbers are ClickHouse's error codes (src/Common/ErrorCodes.cpp); an unlisted code
 * means that the server refused one of our statements.
 */
import { BugError, isAssayError, messageOf, OperatorError, RetryableError } from '../errors.ts'

/** Load, network, memory, keeper, shutdown: the same statement may work later. */
const RETRYABLE = new Set([
  '159',
  '160',
  '173',
  '202',
  '203',
  '209',
  '210',
  '225',
  '236',
  '241',
  '242',
  '252',
  '253',
  '279',
  '285',
  '286',
  '319',
  '335',
  '364',
  '373',
  '425',
  '439',
  '999',
])

/** NOT_ENOUGH_SPACE, and errors of the engine's files when the disk is full. */
const DISK_FULL_CODE = '243'
const DISK_FULL = /No space left on device/

const CREDENTIALS = new Set(['164', '192', '193', '194', '291', '492', '497', '511', '516'])
const SCHEMA = new Set(['8', '16', '36', '47', '60', '81', '115', '117', '44', '48', '218', '524', '10'])
/** The rows of an insert do not fit the columns. */
const ROWS = new Set([
  '6',
  '7',
  '26',
  '27',
  '33',
  '38',
  '41',
  '53',
  '69',
  '70',
  '72',
  '130',
  '131',
  '321',
  '376',
  '441',
  '469',
  '633',
])

/** Connections that fail, and bytes on them that are no HTTP or cannot be unpacked. */
const SOCKET =
  /ECONN|EPIPE|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|E(HOST|NET)(UNREACH|DOWN)|EPROTO|HPE_|Z_[A-Z]+_ERROR|socket hang up|[Tt]imeout|aborted|CHDB_ABORT|CHDB_TIMEOUT|is closed/

/** ClickHouse's code: from `code` (client), `clickhouseCode`, or the message (chDB). */
export const codeOf = (error: unknown): string | undefined => {
  // Those of deadlines and of whoever gave up have small numbers of their own.
  if (typeof error !== 'object' || error === null || error instanceof DOMException) return undefined
  const code = 'clickhouseCode' in error ? error.clickhouseCode : 'code' in error ? error.code : undefined
  if (/^\d+$/.test(String(code))) return String(code)
  return /Code: (\d+)/.exec(messageOf(error))?.[1] ?? (code === undefined ? undefined : String(code))
}

/** First line of a ClickHouse exception; later lines may quote rows. */
export const firstLine = (error: unknown): string => messageOf(error).split('\n')[0]?.slice(0, 300) ?? ''

/** Position of refused rows, without their values. */
const rowPosition = (error: unknown): string => /\(at row \d+\)/.exec(messageOf(error))?.[0] ?? ''

/** The failed call: `label` is a table, a route or the first words of a command. */
export type StoreCall = { what: 'query' | 'command' | 'insert'; label: string }

/** @returns the error of ours to throw, with the original as `cause`. */
export const sortError = (error: unknown, { what, label }: StoreCall): Error => {
  if (isAssayError(error)) return error
  const code = codeOf(error)
  const cause = { cause: error }
  if (code !== undefined && CREDENTIALS.has(code)) {
    return new OperatorError(
      'ASSAY_STORE_ACCESS_DENIED',
      `ClickHouse refused the user of CLICKHOUSE_URL (code ${code}) for ${what} ${label}. Nothing was changed. Check the password and the grants of that user.`,
      cause,
    )
  }
  if (code === DISK_FULL_CODE || DISK_FULL.test(messageOf(error))) {
    return new RetryableError(
      'ASSAY_STORE_DISK_FULL',
      `ClickHouse could not do ${what} ${label}: its disk is full. Free disk space or enlarge the disk; Assay then continues by itself.`,
      cause,
    )
  }
  if (code !== undefined && RETRYABLE.has(code)) {
    return new RetryableError(
      'ASSAY_STORE_UNAVAILABLE',
      `ClickHouse could not do ${what} ${label} at the moment (code ${code}): ${firstLine(error)}. It is safe to try again.`,
      cause,
    )
  }
  if (what === 'insert' && code !== undefined && (ROWS.has(code) || code === '117')) {
    return new OperatorError(
      'ASSAY_STORE_ROWS_REFUSED',
      `Rows do not fit table ${label} (code ${code}) ${rowPosition(error)}. None of the rows was inserted. Run the same version of Assay as the one that migrated the database.`,
      cause,
    )
  }
  if (code !== undefined && SCHEMA.has(code)) {
    return new OperatorError(
      'ASSAY_STORE_SCHEMA_MISMATCH',
      `The database lacks what ${what} ${label} needs (code ${code}): ${firstLine(error)}. Run the migrations of this version.`,
      cause,
    )
  }
  if (code !== undefined && /^\d+$/.test(code)) {
    return new BugError(
      'ASSAY_STORE_STATEMENT_REFUSED',
      `ClickHouse refused ${what} ${label} (code ${code}): ${firstLine(error)}. Please report it.`,
      cause,
    )
  }
  const name = error instanceof Error ? error.name : ''
  if (SOCKET.test(`${code} ${name} ${messageOf(error)}`)) {
    return new RetryableError(
      'ASSAY_STORE_UNAVAILABLE',
      `ClickHouse did not answer ${what} ${label}: ${firstLine(error)}. Whether it was executed is unknown. Check that the store runs and is reachable.`,
      cause,
    )
  }
  return error instanceof Error ? error : new Error(String(error))
}
