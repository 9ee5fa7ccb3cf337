/**
 * Checks that a response came from ClickHouse and is whole. A page of a proxy, whatever its status, or a response that was cut off must
 * not count as rows, as their absence or as a finished insert.
 */
import { addAbortSignal, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ClickHouseError } from '@clickhouse/client'
import { messageOf, RetryableError } from '../errors.ts'

/** Response headers by lower-case name. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** An error that the server appends to rows it has already sent with status 200. */
const EXCEPTION = /^Code: \d+\. DB::Exception.*/m

/** Errors of the client itself, which have no code, and errors of the server. */
const OF_CLIENT = /^(Timeout error|The user aborted|Unsupported value|socket hang up|aborted)/
const OF_SERVER = /(DB|Poco|std)::[Ee]xception/

const noAnswer = (what: string, cause?: unknown) =>
  new RetryableError(
    'ASSAY_STORE_UNAVAILABLE',
    `${what}. The outcome of the statement is unknown. Check that CLICKHOUSE_URL points to ClickHouse, and check the proxies in between.`,
    { cause },
  )

/** @throws RetryableError ASSAY_STORE_UNAVAILABLE for a response without the headers that ClickHouse always sends */
export const expectServer = (headers: Headers): void => {
  if (Object.keys(headers).some((name) => name.startsWith('x-clickhouse-'))) return
  throw noAnswer('The response did not come from ClickHouse')
}

/** Replaces an error that the client made of an error page with our own. Other errors are returned unchanged. */
export const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof ClickHouseError || 'code' in error) return error
  if (error.name !== 'Error' || OF_CLIENT.test(error.message) || OF_SERVER.test(error.message)) return error
  const page = messageOf(error).split('\n', 1)[0]?.slice(0, 120)
  return noAnswer(`A proxy answered instead of ClickHouse: ${page || 'an empty page'}`, error)
}

/** Parses JSON lines: values never contain a line break. */
export const parseLines = <Row>(lines: string): Row[] => JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`)

const expectNoException = (body: string): void => {
  const exception = EXCEPTION.exec(body)
  if (exception) throw new Error(exception[0])
}

/** Parses rows. @throws RetryableError ASSAY_STORE_UNAVAILABLE if they were cut off, Error with the server's message if an exception follows them */
export const rowsOf = <Row>(body: string): Row[] => {
  try {
    const rows = parseLines<Row>(body)
    if (body === '' || body.endsWith('\n')) return rows
  } catch (error) {
    expectNoException(body)
    throw noAnswer('The response of ClickHouse cannot be parsed', error)
  }
  throw noAnswer('The response of ClickHouse was cut off')
}

/** Reads a response without rows to its end. @throws Error with the server's message if it contains an exception */
export const finish = async (stream: Readable, signal: AbortSignal): Promise<void> =>
  expectNoException(await text(addAbortSignal(signal, stream)))
