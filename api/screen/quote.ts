/** A quote for a list: how it is read, how many rows of the limit it uses, and what as many paid calls would cost. */
import type { Readable } from 'node:stream'
import type { Operation } from '../../schema/networks.ts'
import type { ScreenQuote } from '../../schema/records/service/screening.ts'
import { decimalText } from '../../scorer/ledger/prices/amounts.ts'
import { PAYMENT_DECIMALS, PAYMENT_SYMBOL, PRICE } from '../x402/protocol/offer.ts'
import { type Allowed, shownLimits, shownRows } from './allowance.ts'
import { inUtf8 } from './encoding.ts'
import { createLineCutter, type Line } from './lines.ts'
import { UploadRefused } from './refused.ts'
import { createRowReader, MAX_LINE, type Row, type UploadFormat } from './rows.ts'
import { MAX_ROWS, type Pace, paced } from './upload.ts'

/** Maximum size of the sample, bytes. */
export const MAX_QUOTE_BYTES = 1024 * 1024
/** Rows in the quote: of the first rows, and of the malformed ones. */
const MAX_SHOWN = 20

/** The list to quote. */
export type QuoteOptions = {
  /** The list, or its first lines. */
  body: Readable
  format: UploadFormat
  /** Charset of the content type. A byte order mark takes precedence. */
  charset: string | undefined
  network: string
  operation: Operation
  /** Number of non-empty lines of the whole list, if the body is only its beginning. */
  lines: number | undefined
  limits: Allowed
  /** Whether this server accepts payments per call. */
  payable: boolean
  pace: Pace
}

/** @throws UploadRefused */
export const quoteOf = async (options: QuoteOptions): Promise<ScreenQuote> => {
  const { body, format, charset, network, operation, limits, payable, pace } = options
  const cutter = createLineCutter(MAX_LINE)
  const read = createRowReader(format, network)
  const shown: ScreenQuote['firstRows'] = []
  const problems: ScreenQuote['problems'] = []
  let [bytes, lines, rows, malformed] = [0, 0, 0, 0]
  const take = ({ network: of, address: walletAddress, reference, problem }: Row) => {
    rows++
    if (shown.length < MAX_SHOWN)
      shown.push({ row: rows, network: of, walletAddress, reference, problem: problem || null })
    if (problem === '') return
    malformed++
    if (problems.length < MAX_SHOWN) problems.push({ row: rows, problem })
  }
  const takeAll = (more: Iterable<Line>) => {
    for (const line of more) {
      lines++
      const row = read(line)
      if (row) take(row)
    }
  }
  const bounded = async function* () {
    for await (const chunk of paced(body, pace)) {
      bytes += chunk.length
      if (bytes > MAX_QUOTE_BYTES) throw new UploadRefused('too-large')
      yield chunk
    }
  }
  for await (const chunk of inUtf8(bounded(), charset)) takeAll(cutter.push(chunk))
  takeAll(cutter.flush())
  if (rows === 0) throw new UploadRefused('empty')

  const isNamed = lines > rows
  const units = Math.max(rows, (options.lines ?? lines) - (lines - rows))
  const refusal =
    units > MAX_ROWS ? 'TOO_MANY_ROWS' : units > limits.left ? 'NO_ROWS_LEFT' : limits.full ? 'TOO_MANY_JOBS' : null
  return {
    message: 'Success',
    operation,
    rows: units,
    limits: shownLimits(limits),
    leftAfter: shownRows(Math.max(0, limits.left - units)),
    refusal,
    retryAfterSeconds: refusal === 'NO_ROWS_LEFT' && units <= limits.rowsPerDay ? limits.retryAfter : null,
    priceOfCalls: payable
      ? {
          perCall: decimalText(BigInt(PRICE), PAYMENT_DECIMALS),
          total: decimalText(BigInt(PRICE) * BigInt(units), PAYMENT_DECIMALS),
          currency: PAYMENT_SYMBOL,
        }
      : null,
    isNamed,
    looked: rows,
    malformed,
    firstRows: shown,
    problems,
  }
}
