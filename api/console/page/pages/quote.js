/** The quote of a list before its upload: rows, remaining limit, and a preview. */
import { send } from '../base/api.js'
import { foreign, h } from '../base/dom.js'
import { count } from '../base/format.js'
import { table } from '../base/table.js'

/** @import { ScreenQuote } from '../../../../schema/records/service/screening.ts' */

/** Maximum size of the sample that is sent for a quote, bytes. */
const SAMPLE_BYTES = 1_000_000
const [LINE_FEED, SPACE] = [10, 32]

/** Content type of a list, by file name. @param {File} file */
export const typeOf = ({ name }) => (/\.(ndjson|jsonl)$/i.test(name) ? 'application/x-ndjson' : 'text/csv')

/** Number of non-empty lines of a file. @param {File} file @param {AbortSignal} signal */
const linesOf = async (file, signal) => {
  let lines = 0
  let isEmpty = true
  const reader = file.stream().getReader()
  for (;;) {
    const { value, done } = await reader.read()
    if (signal.aborted) await reader.cancel()
    signal.throwIfAborted()
    if (done) return lines + (isEmpty ? 0 : 1)
    for (const byte of value) {
      if (byte > SPACE) isEmpty = false
      else if (byte === LINE_FEED) {
        if (!isEmpty) lines++
        isEmpty = true
      }
    }
  }
}

/** The beginning of a file, up to the end of a line. @param {File} file */
const beginningOf = async (file) => {
  if (file.size <= SAMPLE_BYTES) return file
  const bytes = new Uint8Array(await file.slice(0, SAMPLE_BYTES).arrayBuffer())
  return bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1 || bytes.length)
}

/** @param {File} file @param {{ network: string, operation: string }} of @param {AbortSignal} signal @returns {Promise<ScreenQuote>} */
export const quoteOf = async (file, of, signal) => {
  const query = new URLSearchParams({ ...of, lines: String(await linesOf(file, signal)) })
  const options = { body: await beginningOf(file), headers: { 'content-type': typeOf(file) }, signal }
  return (await send('POST', `/screen/quote?${query}`, options)).json()
}

/** @param {ScreenQuote} quote */
const refusalText = ({ refusal, retryAfterSeconds }) => {
  if (refusal === 'TOO_MANY_ROWS') return 'The list exceeds the maximum number of rows. Split it.'
  if (refusal === 'TOO_MANY_JOBS') return 'You have 20 unfinished lists. Wait until one finishes.'
  return retryAfterSeconds === null
    ? 'The list has more rows than your key may upload in 24 hours. Split it.'
    : `The list has more rows than your key has left. Rows become available again in ${count(Math.ceil(retryAfterSeconds / 60))} minutes.`
}

/** @param {ScreenQuote} quote @param {string} name of the file */
export const quoteView = (quote, name) => {
  const { rows, limits, leftAfter, refusal, priceOfCalls, malformed, looked, problems, isNamed } = quote
  return [
    h(
      'p',
      { id: 'cost' },
      h('strong', {}, `${count(rows)} rows`),
      limits.rowsPerDay === null
        ? ': your key has no limit.'
        : `: uses ${count(rows)} of the ${count(limits.left)} rows your key has left in 24 hours.`,
      refusal === null && leftAfter !== null && ` ${count(leftAfter)} will be left.`,
      priceOfCalls !== null &&
        ` Lists are free of charge; as many paid calls without a key would cost ${priceOfCalls.total} ${priceOfCalls.currency}, ${priceOfCalls.perCall} each.`,
    ),
    refusal !== null && h('p', { class: 'warning' }, `⚠ ${refusalText(quote)}`),
    malformed > 0 &&
      h(
        'p',
        { class: 'warning' },
        `⚠ ${count(malformed)} of ${looked < rows ? `the first ${count(looked)}` : count(looked)} rows are malformed. They count towards the limit too, and get status 400.`,
      ),
    h(
      'p',
      { class: 'quiet' },
      isNamed
        ? 'The first line is a header.'
        : 'No header line: column 1 is the address, 2 the network, 3 your reference.',
    ),
    table({
      caption: `The first rows of ${name}, as they are read`,
      file: 'preview',
      empty: 'The file is empty.',
      rows: quote.firstRows,
      columns: [
        { name: 'Row', number: true, value: (one) => one.row },
        {
          name: 'Address',
          value: (one) => one.walletAddress,
          show: (one) => h('code', {}, foreign(one.walletAddress)),
        },
        { name: 'Network', value: (one) => one.network, show: (one) => foreign(one.network) },
        { name: 'Reference', value: (one) => one.reference, show: (one) => foreign(one.reference) },
        {
          name: 'Problem',
          value: (one) => one.problem,
          show: (one) => one.problem !== null && h('strong', { class: 'warning' }, one.problem),
        },
      ],
    }),
    problems.length > 0 &&
      table({
        caption: 'The first malformed rows',
        file: 'problems',
        empty: '',
        rows: problems,
        columns: [
          { name: 'Row', number: true, value: (one) => one.row },
          { name: 'Problem', value: (one) => one.problem },
        ],
      }),
  ]
}
