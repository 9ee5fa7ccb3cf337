/** The time range of a page, kept in its URL. Applies to its charts and to tables with a time. */
import { h } from '../base/dom.js'
import { time } from '../base/format.js'

/** @typedef {{ days: number | undefined, from: string | undefined }} Range `from` is the first day; both are `undefined` for all time */

const DAY_MS = 86_400_000
/** @type {readonly (readonly [days: number | undefined, name: string])[]} */
const SPANS = [
  [30, '30 days'],
  [90, '90 days'],
  [365, '1 year'],
  [undefined, 'All time'],
]

/** The range in a URL; all time by default. @param {URLSearchParams} query @param {number} now ms @returns {Range} */
export const rangeOf = (query, now) => {
  const asked = Number(query.get('days'))
  const [days] = SPANS.find(([span]) => span === asked) ?? []
  if (days === undefined) return { days, from: undefined }
  return { days, from: new Date(now - (days - 1) * DAY_MS).toISOString().slice(0, 10) }
}

/** Whether a time is within the range. @param {Range} range @param {string} iso */
export const isWithin = ({ from }, iso) => from === undefined || iso.slice(0, 10) >= from

/** Links to the other ranges of the page. @param {Range} chosen @param {URLSearchParams} query of the page */
export const ranges = (chosen, query) =>
  h(
    'nav',
    { 'aria-label': 'Time', class: 'actions', id: 'range' },
    h('span', { class: 'quiet', 'aria-hidden': 'true' }, 'Time of this page'),
    ...SPANS.map(([days, name]) => {
      const search = new URLSearchParams(query)
      if (days === undefined) search.delete('days')
      else search.set('days', String(days))
      const text = search.toString()
      return h(
        'a',
        { href: `${location.pathname}${text && `?${text}`}`, 'aria-current': days === chosen.days && 'true' },
        name,
      )
    }),
  )

/** The range as text for captions. @param {Range} range */
export const since = ({ from }) => (from === undefined ? 'all time' : `since ${time(from)}`)
