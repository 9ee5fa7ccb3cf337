/** Status of all networks and their parts, refreshed every few seconds. */
import { Refusal, read } from '../base/api.js'
import { fill, foreign, h } from '../base/dom.js'
import { age, count, words } from '../base/format.js'
import { table } from '../base/table.js'

/** @typedef {import('../../../http/ops.ts').NetworkStatus} NetworkStatus */

const POLL_MS = 5_000

/** @param {number | undefined} seconds */
const lag = (seconds) => (seconds === undefined ? 'not known' : `${count(Math.round(seconds))} s`)

/** @param {NetworkStatus} network */
const parts = ({ network, parts: all, reasons, authorities }) =>
  h(
    'section',
    { 'aria-label': network },
    h('h2', {}, network),
    reasons.length > 0 && h('ul', { class: 'gaps' }, ...reasons.map((reason) => h('li', {}, foreign(reason)))),
    authorities &&
      h(
        'p',
        {},
        `Logs of authorities: ${authorities.complete} of ${authorities.logs} are complete from their first block.`,
      ),
    table({
      caption: `Parts of ${network}`,
      file: `parts-${network}`,
      empty: 'No part reports.',
      rows: all,
      columns: [
        { name: 'Part', value: (part) => part.part, show: (part) => words(part.part) },
        { name: 'State', value: (part) => part.state },
        { name: 'Since', value: (part) => part.since, show: (part) => age(part.since) },
        {
          name: 'Error',
          value: (part) => part.error?.code ?? null,
          show: (part) => part.error && foreign(`${part.error.code} ${part.error.message ?? ''}`),
        },
        { name: 'Tried again', value: (part) => part.retryAt ?? null },
      ],
    }),
  )

/** The pipeline step with the largest lag. @param {NetworkStatus} network */
export const furthestBehind = ({ head, published, stored }) => {
  if (head === undefined || published === undefined || stored === undefined) return 'not known'
  const [indexing, storing] = [head - published, published - stored]
  if (indexing <= 0 && storing <= 0) return 'nothing'
  const [step, blocks] = indexing >= storing ? ['indexing', indexing] : ['into tables', storing]
  return `${step}, ${count(blocks)} ${blocks === 1 ? 'block' : 'blocks'}`
}

/** @param {readonly NetworkStatus[]} networks */
const overview = (networks) =>
  table({
    caption: 'Networks',
    file: 'status',
    empty: 'No network is configured.',
    rows: networks,
    columns: [
      { name: 'Network', value: (one) => one.network },
      { name: 'Answers', value: (one) => (one.ready ? 'yes' : 'no') },
      { name: 'State', value: (one) => one.state },
      { name: 'Head seen', number: true, value: (one) => one.head ?? null, show: (one) => count(one.head) },
      { name: 'Indexed', number: true, value: (one) => one.published ?? null, show: (one) => count(one.published) },
      { name: 'Final', number: true, value: (one) => one.finalized ?? null, show: (one) => count(one.finalized) },
      { name: 'In tables', number: true, value: (one) => one.stored ?? null, show: (one) => count(one.stored) },
      { name: 'Settled', number: true, value: (one) => one.settled ?? null, show: (one) => count(one.settled) },
      { name: 'Furthest behind', value: furthestBehind },
      { name: 'Behind', number: true, value: (one) => one.lagSeconds ?? null, show: (one) => lag(one.lagSeconds) },
    ],
  })

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, { signal }) => {
  const content = h('div', {})
  const stale = h('p', { class: 'warning', role: 'status' })
  let last = new Date()
  const look = async () => {
    const { body } = await read('/status', signal)
    // Does not replace content that has the focus; states its time instead.
    if (content.contains(document.activeElement))
      return fill(stale, `Data as of ${last.toLocaleTimeString()}. Updates continue when you leave the table.`)
    last = new Date()
    fill(stale)
    fill(content, overview(body.networks), ...body.networks.map(parts))
  }
  fill(main, h('h1', {}, 'Status'), stale, content)
  await look()
  // The page was left meanwhile; nothing would stop the timer.
  if (signal.aborted) return
  const timer = setInterval(() => {
    if (!document.hidden)
      look().catch((error) => {
        const why = error instanceof Refusal && error.status === 401 ? 'You are signed out' : 'No answer'
        return (
          signal.aborted || fill(stale, `${why} since ${last.toLocaleTimeString()}. The data below is from that time.`)
        )
      })
  }, POLL_MS)
  signal.addEventListener('abort', () => clearInterval(timer))
}
