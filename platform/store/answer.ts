/**
 * What counts as an answer of a server. A proxy that answers in its place, with whatever status, and an answer that ends in the middle
 * must not pass for rows, for their absence or for an insert that is done.
 */
import { addAbortSignal, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ClickHouseError } from '@clickhouse/client'
import { messageOf, RetryableError } from '../errors.ts'

/** Headers of an answer, by their names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** A server may state an error behind rows it has sent, in an answer of status 200. */
const EXCEPTION = /^Code: \d+\. DB::Exception.*/m

/** What the client says of calls and connections itself, without a code, and what a server says in words of its own. */
const OF_CLIENT = /^(Timeout error|The user aborted|Unsupported value|socket hang up|aborted)/
const OF_SERVER = /(DB|Poco|std)::[Ee]xception/

const noAnswer = (what: string, cause?: unknown) =>
  new RetryableError(
    'ASSAY_STORE_UNAVAILABLE',
    `${what}. What became of the statement is unknown. Check that CLICKHOUSE_URL leads to ClickHouse, and what stands before it.`,
    { cause },
  )

/** @throws RetryableError ASSAY_STORE_UNAVAILABLE for an answer that no ClickHouse has given: each of its answers has headers of its own. */
export const expectServer = (headers: Headers): void => {
  if (Object.keys(headers).some((name) => name.startsWith('x-clickhouse-'))) return
  throw noAnswer('The answer came from something else than ClickHouse')
}

/** What the client threw, where it was the text of an error page: an error of ours. */
export const refusalOf = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof ClickHouseError || 'code' in error) return error
  if (error.name !== 'Error' || OF_CLIENT.test(error.message) || OF_SERVER.test(error.message)) return error
  const page = messageOf(error).split('\n', 1)[0]?.slice(0, 120)
  return noAnswer(`ClickHouse did not answer, but something before it did: ${page || 'an empty page'}`, error)
}

/** Rows of JSON lines: a line break never stands inside a value. */
export const parseLines = <Row>(lines: string): Row[] => JSON.parse(`[${lines.trimEnd().replaceAll('\n', ',')}]`)

const expectNoException = (body: string): void => {
  const said = EXCEPTION.exec(body)
  if (said) throw new Error(said[0])
}

/** @throws RetryableError ASSAY_STORE_UNAVAILABLE for rows that were cut, Error with the words of an exception that follows them. */
export const rowsOf = <Row>(body: string): Row[] => {
  try {
    const rows = parseLines<Row>(body)
    if (body === '' || body.endsWith('\n')) return rows
  } catch (error) {
    expectNoException(body)
    throw noAnswer('The answer of ClickHouse cannot be read', error)
  }
  throw noAnswer('The answer of ClickHouse was cut')
}

/** Waits for the end of an answer that has no rows. @throws Error with the words of an exception in it. */
export const finish = async (stream: Readable, signal: AbortSignal): Promise<void> =>
  expectNoException(await text(addAbortSignal(signal, stream)))
