/** One alert: its change, its history, and the form to change it. */
import { ask, Refusal, read } from '../base/api.js'
import { announce, fill, foreign, h } from '../base/dom.js'
import { age, pathOf, time, words } from '../base/format.js'
import { address as addressOf, copier, problem, section } from '../base/parts.js'
import { table } from '../base/table.js'
import { causeText, verdictText } from '../verdict/change.js'
import { doneForm } from './form.js'
import { alertPath, stateText } from './table.js'

/** @import { AlertEntry, AlertShown } from '../../../../schema/records/service/alerts.ts' */

/** @param {readonly AlertEntry[]} history */
const historyTable = (history) =>
  table({
    caption: 'History, newest first',
    file: 'history',
    empty: '',
    rows: history.toReversed(),
    columns: [
      { name: 'Time', value: (one) => one.at, show: (one) => time(one.at) },
      {
        name: 'Who',
        value: (one) => one.author ?? '',
        show: (one) =>
          one.key === null
            ? h('span', { class: 'quiet' }, 'detected by Assay')
            : [one.author !== null && [foreign(one.author), ' '], h('span', { class: 'quiet' }, `key ${one.key}`)],
      },
      { name: 'Key', value: (one) => one.key, inFilesOnly: true },
      { name: 'State', value: stateText },
      {
        name: 'Comment',
        value: (one) => one.comment,
        show: (one) => one.comment !== null && h('span', { class: 'comment' }, linesOf(one.comment)),
      },
    ],
  })

/** Lines of a text as separate elements, so that bidirectional marks do not affect the next line. @param {string} text */
const linesOf = (text) => text.split('\n').map((line) => h('span', { class: 'line' }, foreign(line)))

/** @param {HTMLElement} main @param {string} id @param {AbortSignal} signal */
export const showOne = async (main, id, signal) => {
  const path = `/alerts/${encodeURIComponent(id)}`
  /** @type {{ alert: AlertShown, history: AlertEntry[] }} */
  let now = (await read(path, signal)).body
  const said = h('div', {})
  const state = h('div', {})
  const done = h('div', {})
  const draw = () => {
    const { alert, history } = now
    fill(
      state,
      h('strong', {}, stateText(alert)),
      ` since ${time(history.findLast((one, nth) => nth === 0 || history[nth - 1]?.state !== one.state)?.at ?? '')}`,
    )
    fill(done, historyTable(history))
  }
  const doing = doneForm(async (change) => {
    try {
      now = (await ask(path, { revision: now.alert.revision, ...change })).body
      doing.clear()
      fill(said)
      draw()
      announce('Saved')
    } catch (error) {
      if (signal.aborted) return
      fill(said, problem(error))
      // Shows the change of the other user, and keeps the form.
      if (error instanceof Refusal && error.code === 'CHANGED_MEANWHILE') {
        now = (await read(path, signal)).body
        draw()
      }
    }
  })
  draw()
  const { alert } = now
  const { change } = alert
  const then = (/** @type {typeof change.after} */ verdict) =>
    verdict === null
      ? 'none'
      : alert.operation === 'rug_pull'
        ? verdictText(verdict)
        : h(
            'a',
            { href: `${pathOf(alert.network, alert.walletAddress)}?at=${verdict.recordVersion}` },
            verdictText(verdict),
          )
  fill(
    main,
    h('h1', {}, 'Alert on ', addressOf(alert.walletAddress), ' ', h('span', { class: 'quiet' }, alert.network)),
    h(
      'p',
      {},
      h('strong', {}, words(change.direction)),
      `: detected ${age(alert.createdAt)} (${time(alert.createdAt)})`,
    ),
    h(
      'dl',
      { class: 'facts' },
      h('dt', {}, 'State'),
      h('dd', {}, state),
      h('dt', {}, 'Operation'),
      h('dd', {}, words(alert.operation)),
      h('dt', {}, 'Before'),
      h('dd', {}, then(change.before)),
      h('dt', {}, 'After'),
      h('dd', {}, then(change.after)),
      h('dt', {}, 'Why'),
      h('dd', {}, foreign(causeText(change))),
    ),
    h(
      'p',
      { class: 'actions' },
      h(
        'a',
        { href: pathOf(alert.network, alert.walletAddress, alert.operation === 'rug_pull' ? 'token' : undefined) },
        'Current verdict',
      ),
      copier('Copy link', () => `${location.origin}${alertPath(alert.id)}`),
      h('a', { href: '/console/alerts' }, 'All open alerts'),
    ),
    section('history', 'History', done),
    section('next', 'Change the alert', said, doing.form),
  )
}
