/** Changes several selected alerts. Lists those that another user changed first. */
import { ask, read } from '../base/api.js'
import { announce, fill, foreign, h } from '../base/dom.js'
import { count, time } from '../base/format.js'
import { address as addressOf, problem } from '../base/parts.js'
import { table } from '../base/table.js'
import { doneForm } from './form.js'
import { alertPath, stateText, whoText } from './table.js'

/** @import { AlertShown } from '../../../../schema/records/service/alerts.ts' */
/** @typedef {{ id: string, why: string, alert: AlertShown | undefined }} Unchanged An unchanged alert, with its current state if it could be read */

/** Alerts per request, the maximum of the API. */
const PER_REQUEST = 200
/** Maximum number of unchanged alerts whose current state is read. */
const MAX_EXPLAINED = 50

/**
 * Applies one change to several alerts and reports progress. Stops at the first failed request.
 *
 * @param {readonly AlertShown[]} alerts @param {import('./form.js').Done} done @param {(done: number) => void} progress
 * @returns {Promise<{ changed: Set<string>, unchanged: Unchanged[], error?: unknown }>}
 */
const changeAll = async (alerts, done, progress) => {
  const changed = new Set()
  /** @type {Unchanged[]} */
  const unchanged = []
  for (let from = 0; from < alerts.length; from += PER_REQUEST) {
    const some = alerts.slice(from, from + PER_REQUEST)
    try {
      const { body } = await ask('/alerts', { alerts: some.map(({ id, revision }) => ({ id, revision })), ...done })
      for (const { index, status, result } of body.results) {
        const id = some[index]?.id ?? ''
        if (status === 200) changed.add(id)
        else unchanged.push({ id, why: result.details[0]?.reason ?? result.message, alert: undefined })
      }
    } catch (error) {
      return { changed, unchanged, error }
    }
    progress(Math.min(alerts.length, from + PER_REQUEST))
  }
  return { changed, unchanged }
}

/** Reads the current state of unchanged alerts. @param {readonly Unchanged[]} unchanged @returns {Promise<Unchanged[]>} */
const explained = (unchanged) =>
  Promise.all(
    unchanged.map(async (one, nth) => {
      if (nth >= MAX_EXPLAINED) return one
      const now = await read(`/alerts/${encodeURIComponent(one.id)}`).catch(() => undefined)
      return { ...one, alert: now?.body.alert }
    }),
  )

/** @param {readonly Unchanged[]} unchanged */
const unchangedTable = (unchanged) =>
  table({
    caption: 'Not changed: another user changed the alert first, or it already has this state',
    file: 'unchanged-alerts',
    empty: '',
    rows: unchanged,
    columns: [
      { name: 'Alert', value: ({ id }) => id, show: ({ id }) => h('a', { href: alertPath(id) }, h('code', {}, id)) },
      {
        name: 'Address',
        value: ({ alert }) => alert?.walletAddress ?? null,
        show: ({ alert }) => alert && addressOf(alert.walletAddress, { network: alert.network }),
      },
      { name: 'It is now', value: ({ alert }) => (alert ? stateText(alert) : null) },
      {
        name: 'By',
        value: ({ alert }) => (alert ? whoText(alert) : null),
        show: ({ alert }) => alert && foreign(whoText(alert)),
      },
      {
        name: 'When',
        value: ({ alert }) => alert?.changedAt ?? null,
        show: ({ alert }) => alert && time(alert.changedAt),
      },
      { name: 'Answer', value: ({ why }) => why, show: ({ why }) => foreign(why) },
    ],
  })

/**
 * @param {{ alerts: () => readonly AlertShown[], reload: () => Promise<void>, draw: () => void, signal: AbortSignal }} options
 *   `alerts`: those of the page; `reload` reads them again; `draw` renders them
 */
export const createSeveral = ({ alerts, reload, draw, signal }) => {
  /** @type {Map<string, AlertShown>} */
  const chosen = new Map()
  /** Rendered checkboxes. @type {Map<string, HTMLInputElement>} */
  const boxes = new Map()
  const said = h('div', {})
  const problems = h('div', {})
  const number = h('span', { role: 'status' })
  const title = h('h2', { id: 'several' })
  const tell = () => {
    number.textContent = `${count(chosen.size)} of ${count(alerts().length)} chosen`
    for (const button of [begin, none]) button.disabled = chosen.size === 0
  }
  const chooseOnly = (/** @type {readonly AlertShown[]} */ some) => {
    chosen.clear()
    for (const alert of some) chosen.set(alert.id, alert)
    tell()
  }
  const save = async (/** @type {import('./form.js').Done} */ done) => {
    const before = [...chosen.values()]
    fill(problems)
    const result = await changeAll(before, done, (far) => announce(`${count(far)} of ${count(before.length)}`))
    const unchanged = await explained(result.unchanged)
    const summary = () =>
      h('p', { role: 'status' }, `${count(result.changed.size)} of ${count(before.length)} alerts were changed.`)
    const read = await reload().then(
      () => undefined,
      (error) => error,
    )
    if (signal.aborted) return
    // Keeps unchanged alerts selected, and the form filled in.
    const kept = new Set(before.flatMap(({ id }) => (result.changed.has(id) ? [] : [id])))
    chooseOnly(alerts().filter(({ id }) => kept.has(id)))
    draw()
    fill(said, summary(), unchangedTable(unchanged))
    const error = result.error ?? read
    if (error !== undefined) return fill(problems, summary(), problem(error))
    if (unchanged.length === 0) doing.clear()
    dialog.close()
  }
  const doing = doneForm(save, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'))
  const dialog = h('dialog', { 'aria-labelledby': 'several' }, title, problems, doing.form)
  const open = () => {
    fill(problems)
    fill(title, `Do the same with ${count(chosen.size)} alerts`)
    dialog.showModal()
    doing.first.focus()
  }
  const begin = h('button', { type: 'button', onclick: open, 'data-key': 'e' }, 'Do something with them')
  const all = (/** @type {boolean} */ isChosen) => () => {
    chooseOnly(isChosen ? alerts() : [])
    for (const [id, box] of boxes) box.checked = chosen.has(id)
  }
  const none = h('button', { type: 'button', onclick: all(false) }, 'Choose none')
  tell()
  return {
    bar: h(
      'p',
      { class: 'actions chosen' },
      number,
      begin,
      h('button', { type: 'button', onclick: all(true) }, 'Choose all'),
      none,
    ),
    said,
    dialog,
    /** The checkbox that selects an alert. @param {AlertShown} alert */
    choose: (alert) => {
      const box = h('input', {
        type: 'checkbox',
        checked: chosen.has(alert.id),
        'aria-label': `Choose the alert on ${alert.walletAddress} of ${time(alert.createdAt)}`,
        onchange: () => {
          if (box.checked) chosen.set(alert.id, alert)
          else chosen.delete(alert.id)
          tell()
        },
      })
      boxes.set(alert.id, box)
      return box
    },
  }
}
