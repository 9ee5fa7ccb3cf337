/** The watch button and the alerts on the page of an address. */

import { alertsTable } from '../alerts/table.js'
import { ask, read } from '../base/api.js'
import { fill, h } from '../base/dom.js'
import { problem } from '../base/parts.js'

/** @typedef {{ network: string, walletAddress: string }} Subject */

/** @param {Subject} subject @param {HTMLElement} said element for the result */
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
            h(
              'p',
              { role: 'status' },
              'The address is on your ',
              h('a', { href: '/console/watch' }, 'watch list'),
              '.',
            ),
          )
        } catch (error) {
          fill(said, problem(error))
        }
      },
    },
    'Watch',
  )

/** Alerts on an address, newest first, loaded in the background. @param {Subject} subject @param {AbortSignal} signal */
export const alertsOf = (subject, signal) => {
  const place = h('div', {}, h('p', { role: 'status' }, 'Loading ...'))
  read(`/alerts?${new URLSearchParams({ ...subject, limit: '20' })}`, signal).then(
    ({ body: { alerts, next } }) =>
      fill(
        place,
        alertsTable(alerts, 'None: the verdict has not changed while you watched the address.'),
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
