/** A token or contract: who can do what, what trading costs, what became of its liquidity, and what is not known. */
import { lookAlikesOf } from '../base/address.js'
import { ask } from '../base/api.js'
import { fill, foreign, h, svg } from '../base/dom.js'
import { age, amount, count, pathOf, time, words } from '../base/format.js'
import { address as addressOf, copier, evidence, problem, section, status, verdictBox } from '../base/parts.js'
import { table } from '../base/table.js'
import { coverageView } from '../verdict/coverage.js'

/** @import { RugExplanation } from '../../../../schema/records/explained/explanations.ts' */
/** @typedef {import('zod').output<typeof import('../../../../schema/records/rug.ts').rugRecord>} RugRecord */
/** @typedef {{ name: string, state: 'yes' | 'no' | 'unknown', why: string }} Indicator */

/** Indicators that are amounts or texts; the others are yes or no. */
const AMOUNTS = ['buy_tax', 'sell_tax', 'creator_percent', 'liquidity', 'market_cap', 'owner_address']

/**
 * What the contract can do, in three states. A 0 whose reason stands among the unknowns is no `no`.
 *
 * @param {RugRecord['risk_indicators']} indicators @param {readonly string[]} unknowns
 * @returns {Indicator[]}
 */
export const indicatorsOf = (indicators, unknowns) => {
  const why = new Map(
    unknowns.map((text) => /** @type {const} */ ([text.split(':', 1)[0] ?? '', text.replace(/^[^:]*: ?/, '')])),
  )
  return Object.entries(indicators)
    .filter(([name]) => !AMOUNTS.includes(name))
    .map(([name, value]) => {
      const open = why.get(name)
      const holds = value === true || (typeof value === 'number' && value !== 0)
      return {
        name,
        state: /** @type {Indicator['state']} */ (holds ? 'yes' : open === undefined ? 'no' : 'unknown'),
        why: (!holds && open) || '',
      }
    })
}

/** @param {readonly Indicator[]} indicators */
const powers = (indicators) => {
  const ORDER = ['yes', 'unknown', 'no']
  return table({
    caption: 'What the contract and its owner can do',
    file: 'powers',
    empty: '',
    rows: indicators.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)),
    columns: [
      { name: 'Indicator', value: (one) => one.name, show: (one) => words(one.name) },
      { name: 'Holds', value: (one) => one.state, show: (one) => h('strong', {}, one.state) },
      { name: 'Why it is not known', value: (one) => one.why, show: (one) => foreign(one.why) },
    ],
  })
}

/** @param {RugExplanation['reasons']} reasons @param {'risk_score' | 'probabilityFraud'} score @param {string} caption @param {string} unit */
const reasonsOf = (reasons, score, caption, unit) =>
  table({
    caption,
    file: `reasons-${score}`,
    empty: 'Nothing adds to it.',
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
            h('div', { class: 'evidence' }, evidence(reason.evidence)),
            reason.change && h('p', {}, h('strong', {}, 'What would change it: '), reason.change),
          ),
      },
      { name: unit, number: true, value: (reason) => reason.contribution },
    ],
  })

/** Liquidity over time: adds up, removals down. @param {RugRecord['liquidityEvent']} events */
const timeline = (events) => {
  const ordered = events.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
  const times = ordered.map(({ createdAt }) => Date.parse(createdAt))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const most = Math.max(...ordered.map((event) => event.amount), 0) || 1
  const bars = ordered.map((event, nth) => {
    const x = last > first ? (((times[nth] ?? 0) - first) / (last - first)) * 97 : 48
    const height = (event.amount / most) * 50
    const isAdd = event.eventType === 'add'
    return svg(
      'rect',
      { x, y: isAdd ? 50 - height : 50, width: 3, height, class: isAdd ? 'for' : 'against' },
      svg('title', {}, `${event.eventType} ${event.amount}`),
    )
  })
  const [adds, removes] = ['add', 'remove'].map((kind) => ordered.filter(({ eventType }) => eventType === kind).length)
  return h(
    'figure',
    {},
    h('figcaption', {}, 'Adds up, removals down, over time'),
    svg(
      'svg',
      {
        class: 'timeline',
        viewBox: '0 0 100 100',
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': `${adds} adds and ${removes} removals of liquidity`,
      },
      ...bars,
    ),
    h(
      'p',
      { class: 'ends quiet', 'aria-hidden': 'true' },
      h('span', {}, ordered[0]?.createdAt.slice(0, 10)),
      h('span', {}, ordered.at(-1)?.createdAt.slice(0, 10)),
    ),
  )
}

/** @param {RugRecord['liquidityEvent']} events @param {string} network */
const liquidity = (events, network) => {
  const lookAlikes = lookAlikesOf(events.map((event) => event.from_address))
  return [
    events.length > 0 && timeline(events),
    table({
      caption: 'Liquidity events',
      file: 'liquidity',
      empty: 'No liquidity was seen to be added or removed.',
      rows: events,
      columns: [
        { name: 'Time', value: (event) => event.createdAt, show: (event) => time(event.createdAt) },
        { name: 'Event', value: (event) => event.eventType },
        { name: 'Amount', number: true, value: (event) => event.amount },
        { name: 'Token', value: (event) => event.token, show: (event) => foreign(event.token) },
        {
          name: 'By',
          value: (event) => event.from_address,
          show: (event) => addressOf(event.from_address, { network, lookAlikes }),
        },
        {
          name: 'Verdict on it',
          value: (event) => event.from_fraud_status,
          show: (event) => status(event.from_fraud_status),
        },
        { name: 'Transaction', value: (event) => event.tx_hash, show: (event) => h('code', {}, event.tx_hash) },
      ],
    }),
  ]
}

/** @typedef {import('zod').output<typeof import('../../../../schema/records/explained/creations.ts').creations>} Creations */

/** What became of a contract, in a word or two. @param {Creations['newest'][number]['verdict']} verdict */
export const fateOf = (verdict) => {
  if (verdict === null) return 'not analysed'
  const found = [verdict.honeypot && 'sells blocked', verdict.liquidityRemoved && 'liquidity removed'].filter(Boolean)
  return found.length > 0 ? found.join(', ') : 'nothing of the kind found'
}

/** Other contracts of the creator. @param {Creations} creations @param {string} own @param {string} network */
const siblings = ({ total, newest, dataHeight, coverage }, own, network) => {
  const isOwn = (/** @type {Creations['newest'][number]} */ { contract }) => contract === own.toLowerCase()
  const code = newest.find(isOwn)?.codeHash ?? null
  const rows = newest.filter((one) => !isOwn(one) && one.contract !== own)
  const lookAlikes = lookAlikesOf(rows.map(({ contract }) => contract))
  return [
    h(
      'p',
      {},
      `${count(total)} contracts go back to its creator, as of block ${count(dataHeight)}. `,
      total > newest.length && `The ${count(newest.length)} newest are looked at. `,
      coverage?.wallet.past !== 'whole' && 'There may be more from before the first stored block.',
    ),
    table({
      caption: 'Other contracts of its creator, newest first',
      file: 'creations',
      empty: 'No other is known.',
      rows,
      columns: [
        {
          name: 'Contract',
          value: (one) => one.contract,
          show: (one) => [
            addressOf(one.contract, { lookAlikes }),
            ' ',
            h('a', { href: pathOf(network, one.contract, 'token'), 'aria-label': `Check ${one.contract}` }, 'Check'),
          ],
        },
        { name: 'Created', value: (one) => one.createdAt, show: (one) => time(one.createdAt) },
        {
          name: 'Code',
          value: (one) => one.codeHash,
          show: (one) => (one.codeHash === null ? 'not seen' : one.codeHash === code ? 'the same as here' : 'other'),
        },
        {
          name: 'Verdict',
          value: (one) => one.verdict?.status ?? null,
          show: (one) => (one.verdict ? status(one.verdict.status) : ''),
        },
        { name: 'Probability', number: true, value: (one) => one.verdict?.probabilityFraud ?? null },
        { name: 'What became of it', value: (one) => fateOf(one.verdict) },
      ],
    }),
  ]
}

/** @param {RugRecord} record @param {string} network */
const facts = (record, network) => {
  const { risk_indicators: indicators } = record
  /** @type {[string, import('../base/dom.js').Child][]} */
  const all = [
    ['Tax on buying', `${indicators.buy_tax} %`],
    ['Tax on selling', `${indicators.sell_tax} %`],
    ['Held by its creator', `${indicators.creator_percent} %`],
    ['Liquidity', String(indicators.liquidity)],
    ['Market capitalisation', amount(indicators.market_cap, 'USD')],
    ['Creator', record.contractCreatorAddress ? addressOf(record.contractCreatorAddress, { network }) : 'not known'],
    [
      'Owner',
      indicators.owner_address === '' ? 'none, or not known' : addressOf(indicators.owner_address, { network }),
    ],
    ['Pool', record.pairAddress === '' ? 'none found' : addressOf(record.pairAddress)],
    ['Created', record.contractCreationTime ? time(record.contractCreationTime) : 'not known'],
  ]
  return h('dl', { class: 'facts' }, ...all.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]))
}

/** @param {HTMLElement} main @param {import('../main.js').Visit} visit */
export const show = async (main, { network, address, signal }) => {
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
  const creator = h('div', {}, h('p', {}, 'The creator is not known, so other contracts of it are not either.'))
  if (record.contractCreatorAddress) {
    fill(creator, h('p', { role: 'status' }, 'Loading ...'))
    ask('/fraud/creations', { network, walletAddress: record.contractCreatorAddress }, signal).then(
      ({ body: creations }) => fill(creator, siblings(creations, address, network)),
      (error) => signal.aborted || fill(creator, problem(error)),
    )
  }
  const indicators = indicatorsOf(record.risk_indicators, told?.unknowns ?? [])
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
        `Risk score ${record.risk_score} (${record.risk_status}). Name it gives itself: `,
        foreign(record.forensic_details.contract_name || 'none'),
      ),
      h(
        'p',
        {},
        `Analysed and traded in simulation ${age(record.lastChecked)} (${time(record.lastChecked)}). A token that passes now may change at any time.`,
      ),
    ),
    h(
      'p',
      { class: 'actions' },
      copier('Copy address', () => address),
      copier('Copy as JSON', () => JSON.stringify({ record, explanation: told ?? null }, null, 2)),
      h('button', { type: 'button', onclick: () => print() }, 'Print report'),
      h('a', { href: pathOf(network, address) }, 'Check as a wallet'),
    ),
    section(
      'gaps',
      'What this answer does not know',
      told ? coverageView(told.coverage, told.unknowns, told) : problem(untold),
    ),
    told &&
      section(
        'reasons',
        'What it rests on',
        reasonsOf(told.reasons, 'risk_score', 'Reasons of the risk score', 'Points'),
        reasonsOf(told.reasons, 'probabilityFraud', 'Reasons of the probability', 'Chance'),
      ),
    section('facts', 'Taxes, holders and people', facts(record, network)),
    section(
      'powers',
      'Powers',
      !told && h('p', { class: 'warning' }, 'Without the explanation a "no" may mean that it could not be checked.'),
      powers(indicators),
    ),
    section('liquidity', 'Liquidity', liquidity(record.liquidityEvent, network)),
    section('creator', 'Its creator', creator),
  )
}
