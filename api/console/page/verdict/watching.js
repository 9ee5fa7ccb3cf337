/** What a page of an address has about watching it: a button, and its alerts. */

import { alertsTable } from '../alerts/table.js'
import { ask, read } from '../base/api.js'
import { fill, h } from '../base/dom.js'
import { problem } from '../base/parts.js'

/** @typedef {{ network: string, walletAddress: string }} Subject */

/** @param {Subject} subject @param {HTMLElement} said where it is told how that went */
export const watchButton = (subject, said) =>
  h(
    'button',
    {
      type: 'button',
      onclick: async () => {
        try {
          await ask('/watch', { add: [subject] })
          fill(
            said,
            h('p', { role: 'status' }, 'It is on your ', h('a', { href: '/console/watch' }, 'watch list'), '.'),
          )
        } catch (error) {
          fill(said, problem(error))
        }
      },
    },
    'Watch',
  )

/** Alerts about an address, newest first, as they come. @param {Subject} subject @param {AbortSignal} signal */
export const alertsOf = (subject, signal) => {
  const place = h('div', {}, h('p', { role: 'status' }, 'Loading ...'))
  read(`/alerts?${new URLSearchParams({ ...subject, limit: '20' })}`, signal).then(
    ({ body: { alerts, next } }) =>
      fill(
        place,
        alertsTable(alerts, 'None: while you watched it, its verdict did not change.'),
        next !== null &&
          h(
            'p',
            {},
            'These are the newest. ',
            h(
              'a',
              { href: `/console/alerts?${new URLSearchParams({ state: 'all', ...subject })}` },
              'All alerts on this address',
            ),
          ),
      ),
    (error) => signal.aborted || fill(place, problem(error)),
  )
  return place
}
