/** Alerts: changes of verdicts on watched addresses, and what was done with each, by whom and when. */
import { lookAlikesOf } from '../base/address.js'
import { ask, Refusal, read } from '../base/api.js'
import { announce, fill, foreign, h } from '../base/dom.js'
import { age, count, pathOf, time, words } from '../base/format.js'
import { address as addressOf, copier, problem, section } from '../base/parts.js'
import { table } from '../base/table.js'
import { causeText, verdictText } from '../verdict/change.js'

/** @import { AlertEntry, AlertShown } from '../../../../schema/records/service/alerts.ts' */

/** Alerts of a page. */
const SHOWN = 1_000
const STATES = /** @type {const} */ (['open', 'under_review', 'closed'])
const OUTCOMES = /** @type {const} */ ([
  ['false_positive', 'False positive: the change is wrong'],
  ['no_action', 'No action: it is right, and nothing follows'],
  ['restricted', 'Restricted: the customer or address'],
  ['reported', 'Reported to an authority'],
])
/** What can be done, with the button's name. */
const MOVES = /** @type {const} */ ([
  ['', 'Only comment'],
  ['under_review', 'Under review'],
  ['closed', 'Close'],
  ['open', 'Open again'],
])

/** The name that was given last, kept for as long as the page is open. */
let lastAuthor = ''

/** @param {{ state: string, outcome: string | null }} alert */
const stateText = ({ state, outcome }) => words(state) + (outcome === null ? '' : `: ${words(outcome).toLowerCase()}`)

/** @param {URLSearchParams} query @param {Record<string, string>} change */
const pathWith = (query, change) => {
  const kept = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ before: '', ...change })) {
    if (value === '') kept.delete(name)
    else kept.set(name, value)
  }
  return `/console/alerts${kept.size > 0 ? `?${kept}` : ''}`
}

/** Where an alert is. @param {string} id */
export const alertPath = (id) => `/console/alerts?alert=${encodeURIComponent(id)}`

/** A table of alerts. @param {readonly AlertShown[]} alerts @param {string} empty */
export const alertsTable = (alerts, empty) => {
  const lookAlikes = lookAlikesOf(alerts.map(({ walletAddress }) => walletAddress))
  return table({
    caption: 'Alerts, newest first',
    file: 'alerts',
    empty,
    rows: alerts,
    columns: [
      {
        name: 'Noticed',
        value: (one) => one.createdAt,
        show: (one) => h('a', { href: alertPath(one.id) }, time(one.createdAt)),
      },
      { name: 'Alert', value: (one) => one.id, inFilesOnly: true },
      {
        name: 'Address',
        value: (one) => one.walletAddress,
        show: (one) => addressOf(one.walletAddress, { network: one.network, lookAlikes }),
      },
      { name: 'Network', value: (one) => one.network },
      {
        name: 'Change',
        value: (one) => one.change.direction,
        show: (one) => h('strong', {}, words(one.change.direction)),
      },
      { name: 'Before', value: (one) => verdictText(one.change.before) },
      { name: 'After', value: (one) => verdictText(one.change.after) },
      { name: 'Why', value: (one) => causeText(one.change), show: (one) => foreign(causeText(one.change)) },
      { name: 'State', value: stateText },
      { name: 'Comments', number: true, value: (one) => one.comments },
      { name: 'Last done', value: (one) => one.changedAt, show: (one) => time(one.changedAt) },
    ],
  })
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
const showAll = async (main, { query, signal }) => {
  const asked = query.get('state') ?? 'open'
  const state = asked === 'all' ? '' : asked
  const direction = query.get('direction') ?? ''
  const search = new URLSearchParams({ limit: String(SHOWN) })
  for (const [name, value] of Object.entries({ state, direction, before: query.get('before') ?? '' }))
    if (value !== '') search.set(name, value)
  const { body } = await read(`/alerts?${search}`, signal)
  const { counts, alerts, next } = body
  /** @param {string} name @param {string} label @param {readonly (readonly [value: string, text: string])[]} options @param {string} chosen */
  const choices = (name, label, options, chosen) =>
    h(
      'nav',
      { 'aria-label': label, class: 'actions' },
      ...options.map(([value, text]) =>
        h('a', { href: pathWith(query, { [name]: value }), 'aria-current': value === chosen && 'true' }, text),
      ),
    )
  fill(
    main,
    h('h1', {}, 'Alerts'),
    h(
      'p',
      {},
      'Verdicts that got worse or better on the addresses of your ',
      h('a', { href: '/console/watch' }, 'watch list'),
      ', and what became of them. They are kept for five years.',
    ),
    choices(
      'state',
      'States',
      [...STATES.map((one) => /** @type {const} */ ([one, `${words(one)} (${count(counts[one])})`])), ['all', 'All']],
      asked,
    ),
    choices(
      'direction',
      'Changes',
      [
        ['', 'Worse and better'],
        ['worse', 'Worse'],
        ['better', 'Better'],
      ],
      direction,
    ),
    alertsTable(alerts, asked === 'open' ? 'No alert is open.' : 'There is none.'),
    h(
      'p',
      { class: 'actions' },
      query.has('before') && h('a', { href: pathWith(query, {}) }, 'The newest'),
      next !== null && h('a', { href: pathWith(query, { before: next }) }, `The next ${count(SHOWN)}`),
    ),
  )
}

/** @param {readonly AlertEntry[]} history */
const historyTable = (history) =>
  table({
    caption: 'What was done with it, newest first',
    file: 'history',
    empty: '',
    rows: history.toReversed(),
    columns: [
      { name: 'Time', value: (one) => one.at, show: (one) => time(one.at) },
      {
        name: 'Who',
        value: (one) => one.author ?? '',
        show: (one) =>
          one.key === null
            ? h('span', { class: 'quiet' }, 'noticed by Assay')
            : [one.author !== null && [foreign(one.author), ' '], h('span', { class: 'quiet' }, `key ${one.key}`)],
      },
      { name: 'Key', value: (one) => one.key, inFilesOnly: true },
      { name: 'State', value: stateText },
      {
        name: 'Comment',
        value: (one) => one.comment,
        show: (one) => one.comment !== null && h('span', { class: 'comment' }, linesOf(one.comment)),
      },
    ],
  })

/** Lines of a text, each apart: a mark of direction in one does not reach the next. @param {string} text */
const linesOf = (text) => text.split('\n').map((line) => h('span', { class: 'line' }, foreign(line)))

/** @param {HTMLElement} main @param {string} id @param {AbortSignal} signal */
const showOne = async (main, id, signal) => {
  const path = `/alerts/${encodeURIComponent(id)}`
  /** @type {{ alert: AlertShown, history: AlertEntry[] }} */
  let now = (await read(path, signal)).body
  const said = h('div', {})
  const state = h('div', {})
  const done = h('div', {})
  const move = h('select', { id: 'move' }, ...MOVES.map(([value, name]) => h('option', { value }, name)))
  const outcome = h(
    'select',
    { id: 'outcome' },
    h('option', { value: '' }, 'Choose'),
    ...OUTCOMES.map(([value, name]) => h('option', { value }, name)),
  )
  const ofOutcome = h('span', { class: 'pair', hidden: true }, h('label', { for: 'outcome' }, 'Outcome'), outcome)
  const comment = h('textarea', { id: 'comment', rows: 4, maxlength: 4_000 })
  const author = h('input', { id: 'author', maxlength: 100, autocomplete: 'name' })
  author.value = lastAuthor
  const save = h('button', {}, 'Save')
  const chosen = () => {
    ofOutcome.hidden = move.value !== 'closed'
    outcome.required = move.value === 'closed'
    comment.required = move.value === ''
  }
  move.addEventListener('change', chosen)
  chosen()
  const draw = () => {
    const { alert, history } = now
    fill(
      state,
      h('strong', {}, stateText(alert)),
      ` since ${time(history.findLast((one, nth) => nth === 0 || history[nth - 1]?.state !== one.state)?.at ?? '')}`,
    )
    fill(done, historyTable(history))
  }
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault()
    if (move.value === 'closed' && outcome.value === '') return outcome.focus()
    lastAuthor = author.value.trim()
    save.disabled = true
    try {
      const change = {
        revision: now.alert.revision,
        comment: comment.value,
        author: lastAuthor,
        ...(move.value !== '' && { state: move.value }),
        ...(move.value === 'closed' && { outcome: outcome.value }),
      }
      now = (await ask(path, change)).body
      comment.value = ''
      move.value = ''
      chosen()
      fill(said)
      draw()
      announce('Saved')
    } catch (error) {
      if (signal.aborted) return
      fill(said, problem(error))
      // What somebody else did is shown, and what was written here stays.
      if (error instanceof Refusal && error.code === 'CHANGED_MEANWHILE') {
        now = (await read(path, signal)).body
        draw()
      }
    } finally {
      save.disabled = false
    }
  }
  draw()
  const { alert } = now
  const { change } = alert
  const then = (/** @type {typeof change.after} */ verdict) =>
    verdict === null
      ? 'none'
      : alert.operation === 'rug_pull'
        ? verdictText(verdict)
        : h(
            'a',
            { href: `${pathOf(alert.network, alert.walletAddress)}?at=${verdict.recordVersion}` },
            verdictText(verdict),
          )
  fill(
    main,
    h('h1', {}, 'Alert on ', addressOf(alert.walletAddress), ' ', h('span', { class: 'quiet' }, alert.network)),
    h(
      'p',
      {},
      h('strong', {}, words(change.direction)),
      `: noticed ${age(alert.createdAt)} (${time(alert.createdAt)})`,
    ),
    h(
      'dl',
      { class: 'facts' },
      h('dt', {}, 'State'),
      h('dd', {}, state),
      h('dt', {}, 'Operation'),
      h('dd', {}, words(alert.operation)),
      h('dt', {}, 'Before'),
      h('dd', {}, then(change.before)),
      h('dt', {}, 'After'),
      h('dd', {}, then(change.after)),
      h('dt', {}, 'Why'),
      h('dd', {}, foreign(causeText(change))),
    ),
    h(
      'p',
      { class: 'actions' },
      h(
        'a',
        { href: pathOf(alert.network, alert.walletAddress, alert.operation === 'rug_pull' ? 'token' : undefined) },
        'The verdict of now',
      ),
      copier('Copy link', () => `${location.origin}${alertPath(alert.id)}`),
      h('a', { href: '/console/alerts' }, 'All open alerts'),
    ),
    section('history', 'What was done with it', done),
    section(
      'next',
      'What is done now',
      said,
      h(
        'form',
        { onsubmit: submit, class: 'alert' },
        h('span', { class: 'pair' }, h('label', { for: 'move' }, 'Do'), move),
        ofOutcome,
        h('label', { for: 'comment' }, 'Comment, kept with the alert'),
        comment,
        h('label', { for: 'author' }, 'Your name, shown beside the key (not verified)'),
        author,
        save,
      ),
    ),
  )
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, visit) => {
  const id = visit.query.get('alert')
  if (id === null) await showAll(main, visit)
  else await showOne(main, id, visit.signal)
}
