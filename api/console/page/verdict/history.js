/** Earlier verdicts on a wallet, why they changed, and the page of one of them. */
import { ask } from '../base/api.js'
import { announce, fill, foreign, h } from '../base/dom.js'
import { count, pathOf, time, words } from '../base/format.js'
import { address as addressOf, copier, section, status, verdictBox } from '../base/parts.js'
import { table } from '../base/table.js'
import { isWithin, since } from '../charts/range.js'
import { waterfall } from './waterfall.js'

/** @import { VerdictHistory } from '../../../../schema/records/explained/explanations.ts' */
/** @typedef {VerdictHistory['verdicts'][number]} Kept */

/** @param {object} request @param {AbortSignal} signal @returns {Promise<Kept[]>} */
export const historyOf = async (request, signal) => (await ask('/fraud/history', request, signal)).body.verdicts

/** Unique findings, which decide a verdict on their own. @param {Kept} verdict */
const findingsOf = ({ reasons }) => {
  const found = reasons.filter(({ contribution }) => contribution === null)
  return new Map(found.map((reason) => [`${reason.code} ${reason.title}`, reason]))
}

/**
 * Reasons why a verdict differs from the previous one.
 *
 * @param {Kept} verdict @param {Kept | undefined} before
 * @returns {string[]}
 */
export const causesOf = (verdict, before) => {
  if (before === undefined) return ['First stored verdict']
  const [now, then] = [findingsOf(verdict), findingsOf(before)]
  const isLabel = (/** @type {Kept['reasons'][number]} */ { evidence }) => 'label' in evidence
  const appeared = [...now].filter(([name]) => !then.has(name)).map(([, reason]) => reason)
  const gone = [...then].filter(([name]) => !now.has(name)).map(([, reason]) => reason)
  const causes = [
    ...appeared.map(
      (reason) => `${isLabel(reason) ? 'New label' : 'New finding'}: ${words(reason.code)}, ${reason.title}`,
    ),
    ...gone.map(
      (reason) => `${isLabel(reason) ? 'Label taken back' : 'No longer found'}: ${words(reason.code)}, ${reason.title}`,
    ),
    ...(verdict.modelVersion === before.modelVersion ? [] : ['New model version']),
  ]
  return causes.length > 0 ? causes : [`Movements up to block ${count(verdict.dataHeight)}`]
}

/** @param {readonly Kept[]} verdicts newest first @param {string} network @param {string} address @param {import('../charts/range.js').Range} range */
export const historyView = (verdicts, network, address, range) =>
  table({
    caption: 'Verdicts, newest first',
    file: 'history',
    empty: verdicts.length === 0 ? 'No verdict is stored.' : `No verdict changed ${since(range)}.`,
    rows: verdicts
      .map((verdict, nth) => ({ ...verdict, causes: causesOf(verdict, verdicts[nth + 1]) }))
      .filter(({ computedAt }) => isWithin(range, computedAt)),
    columns: [
      {
        name: 'Computed',
        value: (one) => one.computedAt,
        show: (one) => h('a', { href: `${pathOf(network, address)}?at=${one.version}` }, time(one.computedAt)),
      },
      { name: 'Verdict', value: (one) => one.status, show: (one) => status(one.status) },
      { name: 'Probability', number: true, value: (one) => one.probabilityFraud },
      {
        name: 'Why it changed',
        value: (one) => one.causes.join('; '),
        show: (one) => h('ul', {}, ...one.causes.map((cause) => h('li', {}, foreign(cause)))),
      },
      { name: 'Block', number: true, value: (one) => one.dataHeight },
      { name: 'Model', value: (one) => one.modelVersion },
      { name: 'Version', number: true, value: (one) => one.version },
      { name: 'SHA-256', value: (one) => one.hash, show: (one) => h('code', {}, one.hash) },
    ],
  })

/**
 * Reference data of a verdict for a customer file.
 *
 * @param {{ version: number, computedAt: string, hash: string }} verdict @param {string} network @param {string} address @param {string} [page]
 */
export const recordView = (verdict, network, address, page) => {
  const link = `${location.origin}${pathOf(network, address, page)}?at=${verdict.version}`
  /** @type {[string, import('../base/dom.js').Child][]} */
  const facts = [
    ['Stored since', time(verdict.computedAt)],
    ['Version', String(verdict.version)],
    ['SHA-256', h('code', { id: 'hash' }, verdict.hash)],
    ['Link', h('a', { href: link }, link)],
  ]
  return h(
    'dl',
    { class: 'facts', id: 'record' },
    ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  )
}

/**
 * The page of an earlier verdict, by version.
 *
 * @param {HTMLElement} main @param {import('../main.js').Visit} visit @param {number} version
 */
export const showThen = async (main, { network, address, signal }, version) => {
  const [verdict, before] = await historyOf({ network, walletAddress: address, upTo: version }, signal)
  const today = h('a', { href: pathOf(network, address) }, 'See the current verdict')
  if (!verdict)
    return fill(
      main,
      h('h1', {}, 'No verdict from that time'),
      h('p', {}, 'No verdict on this wallet is stored from that time. ', today, '.'),
    )
  announce(`A verdict of ${time(verdict.computedAt)}`)
  fill(
    main,
    h(
      'h1',
      {},
      'Wallet ',
      addressOf(address),
      ' ',
      h('span', { class: 'quiet' }, `${network}, as of ${time(verdict.computedAt)}`),
    ),
    h(
      'p',
      { class: 'banner', id: 'banner' },
      `This verdict was computed at ${time(verdict.computedAt)}, as of block ${verdict.dataHeight}. `,
      today,
      '.',
    ),
    verdictBox(verdict.status, verdict.probabilityFraud, 'probability of fraud'),
    h(
      'p',
      { class: 'actions' },
      copier('Copy link', () => location.href),
      copier('Copy as JSON', () => JSON.stringify(verdict, null, 2)),
      h('button', { type: 'button', onclick: () => print() }, 'Print report'),
    ),
    section('record-title', 'Record', recordView(verdict, network, address)),
    section(
      'causes',
      'Why it changed',
      h('ul', {}, ...causesOf(verdict, before).map((cause) => h('li', {}, foreign(cause)))),
    ),
    section('reasons', 'Reasons', waterfall(verdict.reasons, verdict.probabilityFraud, network)),
    h('p', { class: 'quiet' }, 'Clear and unknown flags and the exposure from that time are not stored.'),
  )
}
