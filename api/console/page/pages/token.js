/** The page of a token or contract. */
import { ask } from '../base/api.js'
import { announce, fill, foreign, h } from '../base/dom.js'
import { age, amount, pathOf, time } from '../base/format.js'
import { address as addressOf, copier, evidence, problem, section, verdictBox } from '../base/parts.js'
import { table } from '../base/table.js'
import { creationsView } from '../token/creations.js'
import { causesOf, historyOf, historyView } from '../token/history.js'
import { asideView, holdersView } from '../token/holders.js'
import { liquidityView } from '../token/liquidity.js'
import { indicatorsOf, openIndicators, powersView } from '../token/powers.js'
import { simulationView } from '../token/simulation.js'
import { coverageView } from '../verdict/coverage.js'
import { staleBanner, watchAge } from '../verdict/fresh.js'
import { recordView } from '../verdict/history.js'
import { alertsOf, watchButton } from '../verdict/watching.js'

/** @import { RugExplanation } from '../../../../schema/records/explained/explanations.ts' */
/** @typedef {import('zod').output<typeof import('../../../../schema/records/rug.ts').rugRecord>} RugRecord */

/** @param {RugExplanation['reasons']} reasons @param {'risk_score' | 'probabilityFraud'} score @param {string} caption @param {string} unit @param {string} network */
const reasonsOf = (reasons, score, caption, unit, network) =>
  table({
    caption,
    file: `reasons-${score}`,
    empty: 'No reasons.',
    rows: reasons.filter((reason) => reason.score === score),
    columns: [
      {
        name: 'Reason',
        value: (reason) => reason.title,
        show: (reason) =>
          h(
            'details',
            {},
            h('summary', {}, foreign(reason.title)),
            h('div', { class: 'evidence' }, evidence(reason.evidence, network)),
            reason.change && h('p', {}, h('strong', {}, 'What would change it: '), foreign(reason.change)),
          ),
      },
      { name: unit, number: true, value: (reason) => reason.contribution },
    ],
  })

/** @param {Omit<RugRecord, 'message' | 'contractAddress' | 'checked_times' | 'updatedAt'>} record @param {string} network @param {ReadonlyMap<string, string> | undefined} open reasons by unknown indicator */
const facts = (record, network, open) => {
  const { risk_indicators: indicators } = record
  /** Shows the reason instead of a 0 that means unknown. @param {keyof typeof indicators} name @param {string} text */
  const unless = (name, text) => {
    const why = open ? open.get(name) : 'the verdict is not explained'
    return why === undefined ? text : ['not known: ', foreign(why)]
  }
  const hasPool = record.pairAddress !== ''
  /** @type {[string, import('../base/dom.js').Child][]} */
  const all = [
    ['Tax on buying', unless('buy_tax', `${indicators.buy_tax} %`)],
    ['Tax on selling', unless('sell_tax', `${indicators.sell_tax} %`)],
    ['Held by its creator', unless('creator_percent', `${indicators.creator_percent} %`)],
    ['Liquidity', hasPool ? `${indicators.liquidity} of the pool's base coin` : 'no pool was found'],
    ['Market capitalisation', indicators.market_cap > 0 ? amount(indicators.market_cap, 'USD') : 'not known'],
    ['Creator', record.contractCreatorAddress ? addressOf(record.contractCreatorAddress, { network }) : 'not known'],
    [
      'Owner',
      indicators.owner_address === '' ? 'none, or not known' : addressOf(indicators.owner_address, { network }),
    ],
    ['Pool', hasPool ? addressOf(record.pairAddress) : 'none found'],
    ['Created', record.contractCreationTime ? time(record.contractCreationTime) : 'not known'],
  ]
  return h('dl', { class: 'facts' }, ...all.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]))
}

/**
 * The page of an earlier verdict, by version.
 *
 * @param {HTMLElement} main @param {import('../main.js').Visit} visit @param {number} version
 */
const showThen = async (main, { network, address, signal }, version) => {
  const [verdict, before] = await historyOf({ network, walletAddress: address, upTo: version }, signal)
  const today = h('a', { href: pathOf(network, address, 'token') }, 'See the current verdict')
  if (!verdict)
    return fill(
      main,
      h('h1', {}, 'No verdict from that time'),
      h('p', {}, 'No verdict on this contract is stored from that time. ', today, '.'),
    )
  const { record, reasons, unknowns, computedAt } = verdict
  const open = openIndicators(unknowns)
  announce(`A verdict of ${time(computedAt)}`)
  fill(
    main,
    h(
      'h1',
      {},
      'Token or contract ',
      addressOf(address),
      ' ',
      h('span', { class: 'quiet' }, `${network}, as of ${time(computedAt)}`),
    ),
    h(
      'p',
      { class: 'banner', id: 'banner' },
      `This verdict was computed at ${time(computedAt)}, as of block ${verdict.dataHeight}. `,
      today,
      '.',
    ),
    verdictBox(
      verdict.status,
      String(verdict.probabilityFraud),
      'probability of a rug pull',
      h('p', {}, `Risk score ${verdict.risk_score} (${verdict.risk_status}).`),
    ),
    h(
      'p',
      { class: 'actions' },
      copier('Copy link', () => location.href),
      copier('Copy as JSON', () => JSON.stringify(verdict, null, 2)),
      h('button', { type: 'button', onclick: () => print() }, 'Print report'),
    ),
    section('record-title', 'Record', recordView(verdict, network, address, 'token')),
    section(
      'causes',
      'Why it changed',
      h('ul', {}, ...causesOf(verdict, before).map((cause) => h('li', {}, foreign(cause)))),
    ),
    section('gaps', 'What was unknown', unknownsView(unknowns)),
    section('reasons', 'Reasons', reasonsView(reasons, network)),
    section('facts', 'Taxes and stakeholders', facts(record, network, open)),
    section('powers', 'Powers', powersView(indicatorsOf(record.risk_indicators, open))),
    section('liquidity', 'Liquidity', liquidityView(record, undefined, network)),
    h('p', { class: 'quiet' }, 'Simulated trades and holders from that time are not stored.'),
  )
}

/** @param {readonly string[]} unknowns */
const unknownsView = (unknowns) =>
  unknowns.length === 0
    ? h('p', {}, 'Everything was checked.')
    : h('ul', {}, ...unknowns.map((one) => h('li', {}, foreign(one))))

/** @param {RugExplanation['reasons']} reasons @param {string} network */
const reasonsView = (reasons, network) => [
  reasonsOf(reasons, 'risk_score', 'Reasons of the risk score', 'Points', network),
  reasonsOf(reasons, 'probabilityFraud', 'Reasons of the probability', 'Chance', network),
]

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, visit) => {
  const { network, address, query, signal } = visit
  const at = Number(query.get('at'))
  if (at > 0) return showThen(main, visit, at)
  const request = { network, walletAddress: address }
  const { body } = await ask('/rug/pull-check', request, signal)
  const record = /** @type {RugRecord} */ (body)
  /** @type {RugExplanation | undefined} */
  let told
  /** @type {unknown} */
  let untold
  try {
    told = (await ask('/rug/explain', request, signal)).body
  } catch (error) {
    untold = error
  }
  const creator = h('div', {}, h('p', {}, 'The creator is not known, so its other contracts are not known either.'))
  if (record.contractCreatorAddress) {
    fill(creator, h('p', { role: 'status' }, 'Loading ...'))
    ask('/fraud/creations', { network, walletAddress: record.contractCreatorAddress }, signal).then(
      ({ body: creations }) => fill(creator, creationsView(creations, address, network)),
      (error) => signal.aborted || fill(creator, problem(error)),
    )
  }
  const said = h('div', {})
  /** The stored current verdict. @type {import('../token/history.js').Kept | undefined} */
  let newest
  const kept = h('div', {}, h('p', { class: 'quiet' }, 'Loading ...'))
  const past = h('div', {}, h('p', { role: 'status' }, 'Loading ...'))
  const showHistory = async () => {
    const verdicts = await historyOf(request, signal)
    newest = verdicts[0]
    fill(kept, newest ? recordView(newest, network, address, 'token') : 'No verdict is stored.')
    fill(past, historyView(verdicts, network, address))
  }
  showHistory().catch((error) => {
    if (signal.aborted) return
    fill(kept)
    fill(past, problem(error))
  })
  /** @type {import('../token/history.js').Kept | undefined} */
  let newer
  const isOld = async () => {
    ;[newer] = await historyOf(request, signal)
    return newest !== undefined && newer !== undefined && newer.version !== newest.version
  }
  const tell = () => {
    main.classList.add('stale')
    fill(
      said,
      staleBanner(
        `This page is out of date: the verdict changed at ${time(newer?.computedAt ?? '')} and is ${newer?.status}, ${newer?.probabilityFraud}.`,
      ),
    )
  }
  watchAge(isOld, tell, signal)
  const curl = () =>
    `curl -s '${location.origin}/rug/explain' -H "x-api-key: $API_KEY" -H 'content-type: application/json' -d '${JSON.stringify(request)}'`
  const open = openIndicators(told?.unknowns ?? [])
  const untoldView = problem(untold)
  fill(
    main,
    h('h1', {}, 'Token or contract ', addressOf(address), ' ', h('span', { class: 'quiet' }, network)),
    verdictBox(
      record.status,
      String(record.probabilityFraud),
      'probability of a rug pull',
      h(
        'p',
        {},
        `Risk score ${record.risk_score} (${record.risk_status}). Name in the contract: `,
        foreign(record.forensic_details.contract_name || 'none'),
      ),
      h(
        'p',
        {},
        `Analysed ${told?.simulation.why === null ? 'and traded in simulation ' : ''}${age(record.lastChecked)} (${time(record.lastChecked)}). A token that passes now may change at any time.`,
      ),
    ),
    h(
      'p',
      { class: 'actions' },
      watchButton(request, said),
      copier('Copy address', () => address),
      copier('Copy link', () =>
        newest ? `${location.origin}${pathOf(network, address, 'token')}?at=${newest.version}` : location.href,
      ),
      copier('Copy as curl', curl),
      copier('Copy as JSON', () => JSON.stringify({ record, explanation: told ?? null }, null, 2)),
      h('button', { type: 'button', onclick: () => print() }, 'Print report'),
      h('a', { href: pathOf(network, address) }, 'Check as a wallet'),
    ),
    said,
    section('gaps', 'Limits of this verdict', told ? coverageView(told.coverage, told.unknowns, told) : untoldView),
    told && section('reasons', 'Reasons', reasonsView(told.reasons, network)),
    section('facts', 'Taxes and stakeholders', facts(record, network, told && open), told && asideView(told)),
    told && section('simulation', 'Simulated trades', simulationView(told)),
    section(
      'powers',
      'Powers',
      !told &&
        h('p', { class: 'warning' }, 'Without the explanation, "no" may also mean that it could not be checked.'),
      powersView(indicatorsOf(record.risk_indicators, open)),
    ),
    told && section('holders', 'Holders', holdersView(told.holders, network)),
    section('liquidity', 'Liquidity', liquidityView(record, told?.liquidityEvents, network)),
    section('creator', 'Creator', creator),
    section('record-title', 'Record', kept),
    section('alerts', 'Alerts', alertsOf(request, signal)),
    section('history', 'History', past),
  )
}
