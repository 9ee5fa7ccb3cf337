/** The current key and its usage. */
import { read } from '../base/api.js'
import { fill, h, svg } from '../base/dom.js'
import { count } from '../base/format.js'
import { copier, section } from '../base/parts.js'
import { table } from '../base/table.js'

/** @typedef {{ day: string, key: string, operation: string, status: number, calls: number }} Calls */

/** Calls by day, as bars. @param {readonly Calls[]} usage @param {string} from @param {string} to */
export const daysOf = (usage, from, to) => {
  /** @type {Map<string, number>} */
  const days = new Map()
  for (let day = Date.parse(from); day <= Date.parse(to); day += 86_400_000)
    days.set(new Date(day).toISOString().slice(0, 10), 0)
  for (const { day, calls } of usage) days.set(day, (days.get(day) ?? 0) + calls)
  return [...days]
}

/** @param {readonly (readonly [string, number])[]} days */
const chart = (days) => {
  const most = Math.max(1, ...days.map(([, calls]) => calls))
  const bars = days.map(([day, calls], nth) =>
    svg(
      'rect',
      { x: nth * 10, y: 100 - (calls / most) * 100, width: 8, height: (calls / most) * 100 },
      svg('title', {}, `${day}: ${calls}`),
    ),
  )
  const busiest = days.find(([, calls]) => calls === most)
  return h(
    'figure',
    {},
    h('figcaption', {}, `Calls by day, ${days[0]?.[0]} to ${days.at(-1)?.[0]}`),
    svg(
      'svg',
      {
        class: 'days',
        viewBox: `0 0 ${days.length * 10} 100`,
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': `Calls by day. ${busiest ? `Most on ${busiest[0]}: ${busiest[1]}.` : 'None.'}`,
      },
      ...bars,
    ),
  )
}

/** Selectable numbers of days. The API returns at most 400. */
const SPANS = [7, 30, 90, 400]
const DAY_MS = 86_400_000

/** The last days as parameters of the API. @param {number} days @param {number} now ms */
export const spanOf = (days, now) => {
  const dayOf = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(0, 10)
  return { from: dayOf(now - (days - 1) * DAY_MS), to: dayOf(now) }
}

/** @param {number} chosen */
const spans = (chosen) =>
  h(
    'nav',
    { 'aria-label': 'Days', class: 'actions' },
    ...SPANS.map((days) =>
      h('a', { href: `/console/account?days=${days}`, 'aria-current': days === chosen && 'true' }, `${days} days`),
    ),
  )

/** Commands of the operator for this key. @param {string} key */
const commands = (key) => [
  h(
    'p',
    {},
    'The operator of this server creates keys in a terminal, because a key is shown only once. The successor of a key keeps its terms, its lists and its watch list.',
  ),
  h(
    'ul',
    {},
    ...[
      ['Replace this key; the old one stays valid for 12 hours', `assay keys rotate ${key} --grace 12h`],
      ['Create another key', "assay keys create --tier business --name 'a customer' --expires 90d"],
      ['Revoke this key now', `assay keys revoke ${key}`],
    ].map(([what, command = '']) =>
      h(
        'li',
        {},
        `${what}: `,
        h('code', {}, command),
        ' ',
        copier('Copy command', () => command),
      ),
    ),
  ),
]

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, { session, query, signal }) => {
  const asked = Number(query.get('days'))
  const days = SPANS.includes(asked) ? asked : 30
  const { body, headers } = await read(`/usage?${new URLSearchParams(spanOf(days, Date.now()))}`, signal)
  const left = headers.get('ratelimit-remaining')
  fill(
    main,
    h('h1', {}, 'Key and usage'),
    h(
      'dl',
      { class: 'facts' },
      h('dt', {}, 'Key'),
      h('dd', {}, session.key),
      h('dt', {}, 'Tier'),
      h('dd', {}, session.tier),
      session.test && [h('dt', {}, 'For tests'), h('dd', {}, 'Works with demonstration addresses only.')],
      ...[
        /** @type {const} */ (['Operations', session.operations]),
        /** @type {const} */ (['Networks', session.networks]),
      ].flatMap(([name, held]) => [
        h('dt', {}, name),
        h('dd', {}, held === null ? 'all of the tier' : held.join(', ')),
      ]),
      h('dt', {}, 'Calls left in this window'),
      h(
        'dd',
        {},
        left === null ? 'no limit' : `${count(Number(left))} of ${count(Number(headers.get('ratelimit-limit')))}`,
      ),
    ),
    section('keys', 'Keys', commands(session.key)),
    h('h2', {}, 'Use'),
    h('p', {}, 'The console uses your key: look-ups here count as calls.'),
    spans(days),
    chart(daysOf(body.usage, body.from, body.to)),
    table({
      caption: 'Calls by day, operation and status',
      file: 'usage',
      empty: 'No calls in these days.',
      rows: /** @type {Calls[]} */ (body.usage),
      columns: [
        { name: 'Day', value: (row) => row.day },
        { name: 'Key', value: (row) => row.key },
        { name: 'Operation', value: (row) => row.operation },
        { name: 'Status', number: true, value: (row) => row.status },
        { name: 'Calls', number: true, value: (row) => row.calls },
      ],
    }),
  )
}
