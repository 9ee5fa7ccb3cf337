import { lookAlikesOf } from '../base/address.js'
import { foreign, h } from '../base/dom.js'
import { time, words } from '../base/format.js'
import { address as addressOf } from '../base/parts.js'
import { table } from '../base/table.js'
import { causeText, verdictText } from '../verdict/change.js'

/** @import { AlertShown } from '../../../../schema/records/service/alerts.ts' */

/** State and outcome. @param {{ state: string, outcome: string | null }} alert */
export const stateText = ({ state, outcome }) =>
  words(state) + (outcome === null ? '' : `: ${words(outcome).toLowerCase()}`)

/** Path of an alert. @param {string} id */
export const alertPath = (id) => `/console/alerts?alert=${encodeURIComponent(id)}`

/** Author of the last entry. @param {{ key: string | null, author: string | null }} alert */
export const whoText = ({ key, author }) => author ?? (key === null ? '' : `key ${key}`)

/** Path of the alerts whose last entry has this author. @param {string} author */
const pathOfAuthor = (author) => `/console/alerts?${new URLSearchParams({ state: 'all', author })}`

/**
 * A table of alerts.
 *
 * @param {readonly AlertShown[]} alerts @param {string} empty
 * @param {(alert: AlertShown) => import('../base/dom.js').Child} [choose] creates the checkbox of an alert
 */
export const alertsTable = (alerts, empty, choose) => {
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
        show: (one) => [choose?.(one), h('a', { href: alertPath(one.id) }, time(one.createdAt))],
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
      {
        name: 'Last by',
        value: whoText,
        show: (one) =>
          one.author === null ? whoText(one) : h('a', { href: pathOfAuthor(one.author) }, foreign(one.author)),
      },
      { name: 'Comments', number: true, value: (one) => one.comments },
      { name: 'Last done', value: (one) => one.changedAt, show: (one) => time(one.changedAt) },
    ],
  })
}
