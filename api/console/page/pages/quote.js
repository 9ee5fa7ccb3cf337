/** What a list takes before it is started: rows of the limit, what is left then, and how its first rows are read. */
import { send } from '../base/api.js'
import { foreign, h } from '../base/dom.js'
import { count } from '../base/format.js'
import { table } from '../base/table.js'

/** @import { ScreenQuote } from '../../../../schema/records/service/screening.ts' */

/** Of a longer list so much is sent for its quote, bytes. */
const BEGINNING = 1_000_000
const [LINE_FEED, SPACE] = [10, 32]

/** Type of a list, by its name. @param {File} file */
export const typeOf = ({ name }) => (/\.(ndjson|jsonl)$/i.test(name) ? 'application/x-ndjson' : 'text/csv')

/** Lines of a file that are not empty. @param {File} file @param {AbortSignal} signal */
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
  if (file.size <= BEGINNING) return file
  const bytes = new Uint8Array(await file.slice(0, BEGINNING).arrayBuffer())
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
  if (refusal === 'TOO_MANY_ROWS') return 'It has more rows than a list may have. Divide it.'
  if (refusal === 'TOO_MANY_JOBS') return 'Twenty of your lists are not done yet. Wait until one is.'
  return retryAfterSeconds === null
    ? 'It has more rows than your key may upload in 24 hours. Divide it.'
    : `It has more rows than your key has left. The first are free again in ${count(Math.ceil(retryAfterSeconds / 60))} minutes.`
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
        : `: it takes ${count(rows)} of the ${count(limits.left)} rows your key has left in 24 hours.`,
      refusal === null && leftAfter !== null && ` ${count(leftAfter)} are left then.`,
      priceOfCalls !== null &&
        ` A list costs no money; as many calls of an agent without a key would cost ${priceOfCalls.total} ${priceOfCalls.currency}, ${priceOfCalls.perCall} each.`,
    ),
    refusal !== null && h('p', { class: 'warning' }, `⚠ ${refusalText(quote)}`),
    malformed > 0 &&
      h(
        'p',
        { class: 'warning' },
        `⚠ ${count(malformed)} of ${looked < rows ? `the first ${count(looked)}` : count(looked)} rows cannot be read. They take rows of the limit too, and are answered with 400.`,
      ),
    h(
      'p',
      { class: 'quiet' },
      isNamed
        ? 'The first line names the columns.'
        : 'No line names the columns: the first is the address, the second the network, the third your reference.',
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
        caption: 'The first rows that cannot be read',
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
