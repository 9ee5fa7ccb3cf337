/** Lists: upload of a file, progress and results. Screening runs in jobs of the API, so the page may be closed meanwhile. */
import { lookAlikesOf } from '../base/address.js'
import { read, send } from '../base/api.js'
import { announce, fill, foreign, h } from '../base/dom.js'
import { count, time, words } from '../base/format.js'
import { address as addressOf, problem, section, status } from '../base/parts.js'
import { table } from '../base/table.js'
import { NETWORKS } from '../networks.js'
import { quoteOf, quoteView, typeOf } from './quote.js'

/** @import { ScreenJob } from '../../../../schema/records/service/screening.ts' */
/** @typedef {{ row: number, status: number, network?: string, walletAddress?: string, reference?: string, result: any }} Line */

const POLL_MS = 1_000
/** Results on the page; downloads have all of them. */
const SHOWN = 500
/** @param {string | undefined} id */
const pathOf = (id) => (id === undefined ? '/console/batch' : `/console/batch?job=${encodeURIComponent(id)}`)
const goTo = (/** @type {string} */ path) => document.dispatchEvent(new CustomEvent('console:go', { detail: path }))

/** @param {string} id @param {string} name @param {readonly string[]} options */
const select = (id, name, options) => {
  const field = h('select', { id }, ...options.map((value) => h('option', { value }, value)))
  return { field, view: [h('label', { for: id }, name), field] }
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
const showJobs = async (main, { signal }) => {
  const { body } = await read('/screen', signal)
  const file = h('input', { id: 'file', type: 'file', accept: '.csv,.txt,.ndjson,.jsonl', required: true })
  const operations = [...new Set(NETWORKS.flatMap((network) => network.operations))]
  const preview = h('div', {})
  const said = h('div', {})
  const start = h('button', { disabled: true }, 'Screen this list')
  const [network, operation] = [
    select(
      'network',
      'Network of rows without one',
      NETWORKS.map(({ code }) => code),
    ),
    select('operation', 'Operation', operations),
  ]
  const chosen = () => ({ network: network.field.value, operation: operation.field.value })
  /** Repeating a failed upload with the same key returns the same job. */
  let idempotencyKey = ''
  let quoting = new AbortController()
  const quote = async () => {
    quoting.abort()
    quoting = new AbortController()
    const own = AbortSignal.any([signal, quoting.signal])
    idempotencyKey = crypto.randomUUID()
    start.disabled = true
    fill(said)
    const [given] = file.files ?? []
    if (!given) return fill(preview)
    fill(preview, h('p', { class: 'quiet' }, 'Counting rows ...'))
    try {
      const found = await quoteOf(given, chosen(), own)
      if (own.aborted) return
      fill(preview, quoteView(found, given.name))
      announce(preview.querySelector('#cost')?.textContent ?? '')
      start.disabled = found.refusal !== null
    } catch (error) {
      if (!own.aborted) fill(preview, problem(error, quote))
    }
  }
  for (const field of [file, network.field, operation.field]) field.addEventListener('change', quote)
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    const [given] = file.files ?? []
    if (!given) return
    start.disabled = true
    fill(said, h('p', { role: 'status' }, 'Uploading ...'))
    try {
      const headers = { 'content-type': typeOf(given), 'idempotency-key': idempotencyKey }
      const response = await send('POST', `/screen?${new URLSearchParams(chosen())}`, { body: given, headers })
      goTo(pathOf((await response.json()).id))
    } catch (error) {
      fill(said, problem(error))
      start.disabled = false
    }
  }
  const { limits, jobs } = body
  fill(
    main,
    h('h1', {}, 'Lists'),
    h(
      'p',
      {},
      'Screen a file of addresses: CSV with the columns address, network and reference (the last two may be missing), or NDJSON. At most a million rows and 256 MB.',
    ),
    h(
      'p',
      {},
      limits.left === null
        ? 'Your key may upload any number of rows.'
        : `Your key may upload ${count(limits.left)} of ${count(limits.rowsPerDay)} rows in 24 hours.`,
    ),
    h(
      'form',
      { onsubmit: submit, class: 'sign-in' },
      h('label', { for: 'file' }, 'File'),
      file,
      network.view,
      operation.view,
      start,
    ),
    said,
    preview,
    section(
      'jobs',
      'Your lists',
      table({
        caption: 'Lists of the last seven days',
        file: 'lists',
        empty: 'None yet.',
        rows: /** @type {{ id: string, operation: string, state: string, rows: number, createdAt: string }[]} */ (jobs),
        columns: [
          { name: 'List', value: (job) => job.id, show: (job) => h('a', { href: pathOf(job.id) }, job.id) },
          { name: 'Operation', value: (job) => job.operation, show: (job) => words(job.operation) },
          { name: 'State', value: (job) => job.state },
          { name: 'Rows', number: true, value: (job) => job.rows, show: (job) => count(job.rows) },
          { name: 'Uploaded', value: (job) => job.createdAt, show: (job) => time(job.createdAt) },
        ],
      }),
    ),
  )
}

/** The first results of a job. Cancels the rest of the download. @param {string} id @param {AbortSignal} signal @returns {Promise<Line[]>} */
const firstResults = async (id, signal) => {
  const response = await send('GET', `/screen/${id}/result?format=ndjson`, { signal })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const part = await reader?.read()
    if (part?.value !== undefined) text += part.value
    const lines = text.split('\n')
    if (lines.length <= SHOWN && part && !part.done) continue
    await reader?.cancel()
    return lines
      .slice(0, SHOWN)
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  }
}

/** @param {readonly Line[]} lines */
const results = (lines) => {
  const all = lines.map((line, nth) => ({ ...line, row: line.row ?? nth + 1 }))
  const verdictOf = (/** @type {Line} */ { result }) => result?.status ?? result?.message ?? ''
  const kinds = [...new Set(all.map(verdictOf))].sort()
  const lookAlikes = lookAlikesOf(all.map((line) => line.walletAddress ?? ''))
  const place = h('div', {})
  const filter = h(
    'select',
    { id: 'kind' },
    h('option', { value: '' }, 'All'),
    ...kinds.map((kind) => h('option', { value: kind }, kind)),
  )
  const draw = () =>
    fill(
      place,
      table({
        caption: `Results${filter.value === '' ? '' : `: ${filter.value}`}`,
        file: 'results',
        empty: 'None of these.',
        rows: all.filter((line) => filter.value === '' || verdictOf(line) === filter.value),
        columns: [
          { name: 'Row', number: true, value: (line) => line.row },
          {
            name: 'Address',
            value: (line) => line.walletAddress ?? '',
            show: (line) =>
              addressOf(line.walletAddress ?? '', {
                network: line.status === 200 ? line.network : undefined,
                lookAlikes,
              }),
          },
          { name: 'Network', value: (line) => line.network ?? '', show: (line) => foreign(line.network ?? '') },
          { name: 'Reference', value: (line) => line.reference ?? '', show: (line) => foreign(line.reference ?? '') },
          {
            name: 'Answer',
            value: verdictOf,
            show: (line) =>
              line.status === 200 && line.result?.status
                ? status(line.result.status)
                : foreign(`${line.status} ${verdictOf(line)}`),
          },
          { name: 'Probability', number: true, value: (line) => line.result?.probabilityFraud ?? null },
        ],
      }),
    )
  filter.addEventListener('change', draw)
  draw()
  return [h('p', {}, h('label', { for: 'kind' }, 'Show '), filter), place]
}

/** @param {HTMLElement} main @param {string} id @param {AbortSignal} signal */
const showJob = async (main, id, signal) => {
  const path = `/screen/${encodeURIComponent(id)}`
  const progress = h('div', {})
  const said = h('div', {})
  const end = h('div', {})
  const remove = async () => {
    try {
      await send('DELETE', path)
      goTo(pathOf(undefined))
    } catch (error) {
      fill(said, problem(error))
    }
  }
  const draw = (/** @type {ScreenJob} */ job) => {
    const outcomes = Object.entries(job.statuses).map(([code, rows]) => `${count(rows)} answered ${code}`)
    fill(
      progress,
      h(
        'p',
        {},
        h('label', { for: 'bar' }, `${words(job.state)}: ${count(job.done)} of ${count(job.rows)} rows`),
        h('progress', { id: 'bar', max: job.rows, value: job.done }),
      ),
      job.secondsLeft !== null && h('p', {}, `${job.rowsPerSecond} rows a second, ${count(job.secondsLeft)} s left.`),
      h(
        'p',
        {},
        [...outcomes, `${count(job.distinct)} different addresses`, `${count(job.malformed)} malformed rows`].join(
          ', ',
        ),
        '.',
      ),
      job.reason && h('p', { class: 'warning' }, job.reason),
      job.lookAlikes.length > 0 &&
        h('p', { class: 'warning' }, '⚠ Look-alike addresses in this list (same first and last characters):'),
      job.lookAlikes.map(({ network, addresses }) =>
        h('ul', {}, ...addresses.map((one) => h('li', {}, addressOf(one), ` ${network}`))),
      ),
    )
  }
  fill(main, h('h1', {}, 'List ', h('code', {}, foreign(id))), said, progress, end)
  for (;;) {
    const { body } = await read(path, signal)
    const job = /** @type {ScreenJob} */ (body)
    draw(job)
    if (job.state !== 'waiting' && job.state !== 'running') break
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    if (signal.aborted) return
  }
  announce('The list is finished')
  fill(
    end,
    h(
      'p',
      { class: 'actions' },
      h('a', { href: `${path}/result?format=csv`, download: '' }, 'Download all as CSV'),
      h('a', { href: `${path}/result?format=ndjson`, download: '' }, 'Download all as NDJSON'),
      h('a', { href: `${path}/result?format=parquet`, download: '' }, 'Download all as Parquet'),
      h('button', { type: 'button', onclick: remove }, 'Remove this list'),
    ),
    h('h2', {}, `The first ${SHOWN} results`),
    results(await firstResults(id, signal)),
  )
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, visit) => {
  const id = visit.query.get('job')
  if (id === null) await showJobs(main, visit)
  else await showJob(main, id, visit.signal)
}
