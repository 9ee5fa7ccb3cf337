/** The page of a wallet. */
import { ask } from '../base/api.js'
import { announce, fill, h } from '../base/dom.js'
import { age, pathOf, time } from '../base/format.js'
import { address as addressOf, copier, problem, section, verdictBox } from '../base/parts.js'
import { saveFile } from '../base/table.js'
import { balancesView, movementsView } from '../charts/activity.js'
import { rangeOf, ranges } from '../charts/range.js'
import { slotsOf } from '../charts/slots.js'
import { coverageView } from '../verdict/coverage.js'
import { exposureView } from '../verdict/exposure.js'
import { flagsOf, flagsView, openFlags } from '../verdict/flags.js'
import { staleBanner, watchAge } from '../verdict/fresh.js'
import { showGraph } from '../verdict/graph.js'
import { historyOf, historyView, recordView, showThen } from '../verdict/history.js'
import { identityView } from '../verdict/identity.js'
import { alertsOf, watchButton } from '../verdict/watching.js'
import { waterfall } from '../verdict/waterfall.js'

/** @import { Explanation } from '../../../../schema/records/explained/explanations.ts' */
/** @typedef {import('zod').output<typeof import('../../../../schema/records/fraud.ts').fraudRecord>} FraudRecord */

/** @typedef {{ activity: import('../charts/slots.js').Activity } | { error: unknown }} Days Activity over time, or the error */
/**
 * @typedef {{ record: FraudRecord, told: Explanation, verdicts: import('../verdict/history.js').Kept[], days: Days, isMixed: boolean }} Shown
 *   `isMixed`: the parts are from different computations, even after all attempts
 */

/** Attempts to read all parts from the same computation. */
const TRIES = 3

/**
 * Reads the record, its explanation and its history. Repeats until all are from the same computation, because the verdict may be
 * computed again between the requests.
 *
 * @param {object} request @param {string | undefined} from @param {AbortSignal} signal @param {boolean} [calculate]
 * @returns {Promise<Shown>}
 */
const load = async (request, from, signal, calculate = false) => {
  for (let nth = 1; ; nth++) {
    const { body: record } = await ask('/fraud/check', { ...request, calculate: calculate && nth === 1 }, signal)
    const [{ body: told }, verdicts, days] = await Promise.all([
      ask('/fraud/explain', request, signal),
      historyOf(request, signal),
      ask('/fraud/activity', { ...request, ...(from && { from }) }, signal).then(
        ({ body: activity }) => ({ activity }),
        (error) => ({ error }),
      ),
    ])
    const isMixed = record.lastChecked !== told.computedAt || (verdicts[0]?.computedAt ?? '') > told.computedAt
    if (!isMixed || nth === TRIES) return { record, told, verdicts, days, isMixed }
  }
}

const BANDS = /** @type {const} */ ([
  [0.76, 'very high risk'],
  [0.51, 'high risk'],
  [0.16, 'elevated risk, consider a review'],
  [0, 'low risk'],
])
/** The interpretation that the contract suggests. @param {number} probability */
const bandOf = (probability) => BANDS.find(([least]) => Math.round(probability * 100) / 100 >= least)?.[1] ?? ''

/** @param {FraudRecord} record */
const sanctions = ({ sanctionData }) => {
  const listed = sanctionData.filter(({ name, description }) => name || description)
  return listed.length === 0
    ? h('p', {}, 'Not on any loaded sanctions list.')
    : h(
        'ul',
        {},
        ...listed.map(({ isSanctioned, description, name }) =>
          h('li', {}, h('strong', {}, isSanctioned ? 'In force: ' : 'Lifted: '), description ?? name ?? ''),
        ),
      )
}

/** @param {Days} days @param {import('../charts/range.js').Range} range */
const daysView = (days, range) => {
  if ('error' in days) return [section('activity', 'Activity', problem(days.error))]
  const { activity } = days
  const slots = slotsOf(activity, range.from, Date.now())
  return [
    section('activity', 'Activity', movementsView(activity, slots, range)),
    section('balances', 'Balances', balancesView(activity, slots)),
  ]
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, visit) => {
  const { network, address, query, signal } = visit
  const at = Number(query.get('at'))
  if (at > 0) return showThen(main, visit, at)
  const request = { network, walletAddress: address }
  const range = rangeOf(query, Date.now())
  let drawn = new AbortController()
  const draw = (/** @type {Shown} */ { record, told, verdicts, days, isMixed }) => {
    drawn.abort()
    drawn = new AbortController()
    const [newest] = verdicts
    const { flags, others } = flagsOf(record.forensic_details, told.unknowns, told.reasons)
    const curl = () =>
      `curl -s '${location.origin}/fraud/explain' -H "x-api-key: $API_KEY" -H 'content-type: application/json' -d '${JSON.stringify(request)}'`
    const json = () => JSON.stringify({ record, explanation: told, history: verdicts }, null, 2)
    const said = h('div', {})
    const graph = h('div', {}, h('p', { role: 'status' }, 'Loading ...'))
    const onOpen = (/** @type {string[]} */ open) => {
      const kept = range.days === undefined ? [] : [['days', String(range.days)]]
      const search = new URLSearchParams([...kept, ...open.map((one) => ['open', one])]).toString()
      history.replaceState(null, '', `${location.pathname}${search && `?${search}`}`)
    }
    showGraph(graph, { network, address, open: query.getAll('open'), range, signal, onOpen }).catch(
      (error) => signal.aborted || fill(graph, problem(error)),
    )
    const again = async () => {
      announce('Computing the verdict')
      try {
        draw(await load(request, range.from, signal, true))
        announce('The verdict was computed')
      } catch (error) {
        fill(said, problem(error))
      }
    }
    const stale = (/** @type {string} */ text) => {
      main.classList.add('stale')
      fill(said, staleBanner(text))
    }
    const isOld = async () => {
      const { body } = await ask('/fraud/check', request, signal)
      if (body.lastChecked === record.lastChecked) return false
      newer = body
      return true
    }
    /** @type {FraudRecord | undefined} */
    let newer
    const tell = () =>
      stale(
        `This page shows block ${told.dataHeight} and is out of date: the verdict was computed again at ${time(newer?.lastChecked ?? '')} and is ${newer?.status}, ${newer?.probabilityFraud}.`,
      )
    watchAge(isOld, tell, AbortSignal.any([signal, drawn.signal]))
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
          `Computed ${age(told.computedAt)} (${time(told.computedAt)}), as of block ${told.dataHeight}. Checked ${record.checked_times} times.`,
        ),
      ),
      h(
        'p',
        { class: 'actions' },
        h('button', { type: 'button', onclick: again }, 'Compute now'),
        watchButton(request, said),
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
      ranges(range, query),
      section('identity', 'Identity', identityView(told.identity)),
      section('gaps', 'Limits of this verdict', coverageView(told.coverage, [...openFlags(flags), ...others], told)),
      section('reasons', 'Reasons', waterfall(told.reasons, told.probabilityFraud, network)),
      section('flags', 'Flags', flagsView(flags)),
      section('sanctions', 'Sanctions', sanctions(record)),
      section('parties', 'Counterparties', graph),
      section('exposure', 'Exposure', exposureView(told.exposure, network)),
      ...daysView(days, range),
      newest && section('record-title', 'Record', recordView(newest, network, address)),
      section('alerts', 'Alerts', alertsOf(request, signal)),
      section('history', 'History', historyView(verdicts, network, address, range)),
    )
    main.classList.remove('stale')
    if (isMixed) stale('The verdict is being computed again, so parts of this page may be from two computations.')
  }
  draw(await load(request, range.from, signal))
}
