/** What a page of an address has about watching it: a button, and its alerts. */
import { ask, read } from '../base/api.js'
import { fill, h } from '../base/dom.js'
import { problem } from '../base/parts.js'
import { alertsTable } from './alerts.js'

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
    ({ body }) => fill(place, alertsTable(body.alerts, 'None: while you watched it, its verdict did not change.')),
    (error) => signal.aborted || fill(place, problem(error)),
  )
  return place
}
