/** A wallet: its verdict, what it rests on, and what it does not know. */
import { ask } from '../base/api.js'
import { announce, fill, h } from '../base/dom.js'
import { age, pathOf, time } from '../base/format.js'
import { address as addressOf, copier, problem, section, verdictBox } from '../base/parts.js'
import { saveFile } from '../base/table.js'
import { coverageView } from '../verdict/coverage.js'
import { exposureView } from '../verdict/exposure.js'
import { flagsOf, flagsView, openFlags } from '../verdict/flags.js'
import { showGraph } from '../verdict/graph.js'
import { historyOf, historyView, recordView, showThen } from '../verdict/history.js'
import { waterfall } from '../verdict/waterfall.js'

/** @import { Explanation } from '../../../../schema/records/explanations.ts' */
/** @typedef {import('zod').output<typeof import('../../../../schema/records/fraud.ts').fraudRecord>} FraudRecord */

/** @typedef {{ record: FraudRecord, told: Explanation, verdicts: import('../verdict/history.js').Kept[] }} Shown */

/** How often both are asked for until they are of the same computation. */
const TRIES = 3

/**
 * The record and its explanation, of the same computation: one may be made anew between the two questions.
 *
 * @param {object} request @param {AbortSignal} signal @param {boolean} [calculate]
 * @returns {Promise<Shown>}
 */
const load = async (request, signal, calculate = false) => {
  for (let nth = 1; ; nth++) {
    const { body: record } = await ask('/fraud/check', { ...request, calculate: calculate && nth === 1 }, signal)
    const { body: told } = await ask('/fraud/explain', request, signal)
    if (record.lastChecked === told.computedAt || nth === TRIES)
      return { record, told, verdicts: await historyOf(request, signal) }
  }
}

const BANDS = /** @type {const} */ ([
  [0.76, 'very high risk'],
  [0.51, 'high risk'],
  [0.16, 'elevated risk, consider a review'],
  [0, 'low risk'],
])
/** The reading that the API's contract suggests. @param {number} probability */
const bandOf = (probability) => BANDS.find(([least]) => Math.round(probability * 100) / 100 >= least)?.[1] ?? ''

/** @param {FraudRecord} record */
const sanctions = ({ sanctionData }) => {
  const listed = sanctionData.filter(({ name, description }) => name || description)
  return listed.length === 0
    ? h('p', {}, 'No sanctions list that is loaded names it.')
    : h(
        'ul',
        {},
        ...listed.map(({ isSanctioned, description, name }) =>
          h('li', {}, h('strong', {}, isSanctioned ? 'In force: ' : 'Lifted: '), description ?? name ?? ''),
        ),
      )
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, visit) => {
  const { network, address, query, signal } = visit
  const at = Number(query.get('at'))
  if (at > 0) return showThen(main, visit, at)
  const request = { network, walletAddress: address }
  const draw = (/** @type {Shown} */ { record, told, verdicts }) => {
    const [newest] = verdicts
    const { flags, others } = flagsOf(record.forensic_details, told.unknowns, told.reasons)
    const curl = () =>
      `curl -s '${location.origin}/fraud/explain' -H "x-api-key: $API_KEY" -H 'content-type: application/json' -d '${JSON.stringify(request)}'`
    const json = () => JSON.stringify({ record, explanation: told, history: verdicts }, null, 2)
    const said = h('div', {})
    const graph = h('div', {}, h('p', { role: 'status' }, 'Loading ...'))
    const onOpen = (/** @type {string[]} */ open) => {
      const search = open.length > 0 ? `?${new URLSearchParams(open.map((one) => ['open', one]))}` : ''
      history.replaceState(null, '', `${location.pathname}${search}`)
    }
    showGraph(graph, { network, address, open: query.getAll('open'), signal, onOpen }).catch(
      (error) => signal.aborted || fill(graph, problem(error)),
    )
    const again = async () => {
      announce('Computing the verdict now')
      try {
        draw(await load(request, signal, true))
        announce('The verdict was computed now')
      } catch (error) {
        fill(said, problem(error))
      }
    }
    const watch = async () => {
      try {
        await ask('/watch', { add: [request] })
        fill(said, h('p', { role: 'status' }, 'It is on your ', h('a', { href: '/console/watch' }, 'watch list'), '.'))
      } catch (error) {
        fill(said, problem(error))
      }
    }
    fill(
      main,
      h('h1', {}, 'Wallet ', addressOf(address), ' ', h('span', { class: 'quiet' }, network)),
      verdictBox(
        record.status,
        record.probabilityFraud,
        `probability of fraud: ${bandOf(Number(record.probabilityFraud))}`,
        h(
          'p',
          {},
          `Computed ${age(told.computedAt)} (${time(told.computedAt)}), as of block ${told.dataHeight}. Asked for ${record.checked_times} times.`,
        ),
      ),
      h(
        'p',
        { class: 'actions' },
        h('button', { type: 'button', onclick: again }, 'Compute now'),
        h('button', { type: 'button', onclick: watch }, 'Watch'),
        copier('Copy address', () => address),
        copier('Copy link', () =>
          newest ? `${location.origin}${pathOf(network, address)}?at=${newest.version}` : location.href,
        ),
        copier('Copy as curl', curl),
        copier('Copy as JSON', json),
        h(
          'button',
          { type: 'button', onclick: () => saveFile(`${network}-${address}.json`, 'application/json', json()) },
          'Save JSON',
        ),
        h('button', { type: 'button', onclick: () => print() }, 'Print report'),
        h('a', { href: pathOf(network, address, 'token') }, 'Check as a token or contract'),
      ),
      said,
      section(
        'gaps',
        'What this answer does not know',
        coverageView(told.coverage, [...openFlags(flags), ...others], told),
      ),
      section('reasons', 'What it rests on', waterfall(told.reasons, told.probabilityFraud)),
      section('flags', 'Flags', flagsView(flags)),
      section('sanctions', 'Sanctions', sanctions(record)),
      section('parties', 'Counterparties', graph),
      section('exposure', 'Exposure', exposureView(told.exposure, network)),
      newest && section('record-title', 'Record', recordView(newest, network, address)),
      section('history', 'History', historyView(verdicts, network, address)),
    )
  }
  draw(await load(request, signal))
}
