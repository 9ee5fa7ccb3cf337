/** The list of alerts. */
import { read } from '../base/api.js'
import { fill, foreign, h } from '../base/dom.js'
import { count, words } from '../base/format.js'
import { address as addressOf } from '../base/parts.js'
import { staleBanner, watchAge } from '../verdict/fresh.js'
import { createSeveral } from './several.js'
import { alertsTable } from './table.js'

/** Alerts per page. */
const SHOWN = 1_000
const STATES = /** @type {const} */ (['open', 'under_review', 'closed'])

/** @param {URLSearchParams} query @param {Record<string, string>} change */
const pathWith = (query, change) => {
  const kept = new URLSearchParams(query)
  for (const [name, value] of Object.entries({ before: '', ...change })) {
    if (value === '') kept.delete(name)
    else kept.set(name, value)
  }
  return `/console/alerts${kept.size > 0 ? `?${kept}` : ''}`
}

/** The API query for the page's query. @param {URLSearchParams} query */
const searchOf = (query) => {
  const search = new URLSearchParams({ limit: String(SHOWN) })
  const asked = query.get('state') ?? 'open'
  if (asked !== 'all') search.set('state', asked)
  for (const name of ['direction', 'author', 'network', 'walletAddress', 'before']) {
    const value = query.get(name) ?? ''
    if (value !== '') search.set(name, value)
  }
  return search
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const showAll = async (main, { query, signal }) => {
  const asked = query.get('state') ?? 'open'
  const direction = query.get('direction') ?? ''
  const author = query.get('author') ?? ''
  const subject = query.get('walletAddress') ?? ''
  const load = async () => (await read(`/alerts?${searchOf(query)}`, signal)).body
  let now = await load()
  const list = h('div', {})
  const several = createSeveral({
    alerts: () => now.alerts,
    reload: async () => {
      now = await load()
    },
    draw: () => draw(),
    signal,
  })

  /** @param {string} name @param {string} label @param {readonly (readonly [value: string, text: string])[]} options @param {string} current */
  const choices = (name, label, options, current) =>
    h(
      'nav',
      { 'aria-label': label, class: 'actions' },
      ...options.map(([value, text]) =>
        h('a', { href: pathWith(query, { [name]: value }), 'aria-current': value === current && 'true' }, text),
      ),
    )
  const draw = () => {
    const { counts, alerts, next } = now
    fill(
      list,
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
      author !== '' &&
        h(
          'p',
          {},
          'Last done by ',
          foreign(author),
          ' ',
          h('a', { href: pathWith(query, { author: '' }) }, 'By anybody'),
        ),
      subject !== '' &&
        h(
          'p',
          {},
          'On ',
          addressOf(subject),
          ' ',
          h('a', { href: pathWith(query, { walletAddress: '', network: '' }) }, 'On any address'),
        ),
      alerts.length > 0 && several.bar,
      alertsTable(alerts, asked === 'open' ? 'No open alerts.' : 'No alerts.', several.choose),
      h(
        'p',
        { class: 'actions' },
        query.has('before') && h('a', { href: pathWith(query, {}) }, 'The newest'),
        next !== null && h('a', { href: pathWith(query, { before: next }) }, `The next ${count(SHOWN)}`),
      ),
    )
  }
  draw()
  const stale = h('div', {})
  const isOld = async () => {
    const search = searchOf(query)
    search.set('limit', '1')
    const { counts, alerts } = (await read(`/alerts?${search}`, signal)).body
    return JSON.stringify([counts, alerts[0]?.id]) !== JSON.stringify([now.counts, now.alerts[0]?.id])
  }
  watchAge(isOld, () => fill(stale, staleBanner('There are new alerts, or an alert was changed.')), signal)
  fill(
    main,
    h('h1', {}, 'Alerts'),
    h(
      'p',
      {},
      'Verdicts that got worse or better on addresses of your ',
      h('a', { href: '/console/watch' }, 'watch list'),
      ', with the state of their review. Alerts are kept for five years.',
    ),
    stale,
    several.said,
    list,
    several.dialog,
  )
}
