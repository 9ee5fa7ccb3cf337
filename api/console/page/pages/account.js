/** The key that is signed in, and what it was used for. */
import { read } from '../api.js'
import { fill, h, svg } from '../dom.js'
import { count } from '../format.js'
import { table } from '../table.js'

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

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, { session, signal }) => {
  const { body, headers } = await read('/usage', signal)
  const left = headers.get('ratelimit-remaining')
  fill(
    main,
    h('h1', {}, 'Key and use'),
    h(
      'dl',
      { class: 'facts' },
      h('dt', {}, 'Key'),
      h('dd', {}, session.key),
      h('dt', {}, 'Tier'),
      h('dd', {}, session.tier),
      session.test && [h('dt', {}, 'For tests'), h('dd', {}, 'It is answered about demonstration addresses only.')],
      h('dt', {}, 'Calls left in this window'),
      h(
        'dd',
        {},
        left === null ? 'no limit' : `${count(Number(left))} of ${count(Number(headers.get('ratelimit-limit')))}`,
      ),
    ),
    h(
      'p',
      {},
      'The console asks with your key: what you look up here counts as calls. Operators make, rotate and revoke keys with ',
      h('code', {}, 'assay keys'),
      '.',
    ),
    chart(daysOf(body.usage, body.from, body.to)),
    table({
      caption: 'Calls by day, operation and status',
      file: 'usage',
      empty: 'No call was counted in these days.',
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
