/** Alerts: the list, or a single alert. */
import { showAll } from '../alerts/list.js'
import { showOne } from '../alerts/one.js'

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = (main, visit) => {
  const id = visit.query.get('alert')
  return id === null ? showAll(main, visit) : showOne(main, id, visit.signal)
}
