/** Alerts: changes of verdicts on watched addresses, and what was done with each, by whom and when. */
import { showAll } from '../alerts/list.js'
import { showOne } from '../alerts/one.js'

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = (main, visit) => {
  const id = visit.query.get('alert')
  return id === null ? showAll(main, visit) : showOne(main, id, visit.signal)
}
