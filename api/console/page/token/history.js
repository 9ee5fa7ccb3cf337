/** Earlier verdicts on a contract, and why they changed. */
import { ask } from '../base/api.js'
import { foreign, h } from '../base/dom.js'
import { pathOf, time, words } from '../base/format.js'
import { status } from '../base/parts.js'
import { table } from '../base/table.js'

/** @typedef {import('../../../../schema/records/explained/explanations.ts').RugHistory['verdicts'][number]} Kept */

/** Verdicts, newest first. @param {object} request @param {AbortSignal} signal @returns {Promise<Kept[]>} */
export const historyOf = async (request, signal) => (await ask('/rug/history', request, signal)).body.verdicts

/**
 * Reasons why a verdict differs from the previous one.
 *
 * @param {Kept} verdict @param {Kept | undefined} before
 * @returns {string[]}
 */
export const causesOf = (verdict, before) => {
  if (before === undefined) return ['First stored verdict']
  const then = /** @type {Record<string, unknown>} */ (before.record.risk_indicators)
  // Prices and liquidity always change.
  const changed = Object.entries(verdict.record.risk_indicators).filter(
    ([name, value]) => value !== then[name] && name !== 'liquidity' && name !== 'market_cap',
  )
  const [now, had] = [verdict, before].map(({ reasons }) => new Map(reasons.map((one) => [one.code, one.title])))
  const came = [...(now ?? [])].filter(([code]) => !had?.has(code) && !changed.some(([name]) => name === code))
  const went = [...(had ?? [])].filter(([code]) => !now?.has(code) && !changed.some(([name]) => name === code))
  const causes = [
    ...changed.map(([name, value]) => `${words(name)}: ${then[name] || 'none'} before, ${value || 'none'} now`),
    ...came.map(([, title]) => `New: ${title}`),
    ...went.map(([, title]) => `Gone: ${title}`),
    ...(verdict.modelVersion === before.modelVersion ? [] : ['New model version']),
  ]
  return causes.length > 0 ? causes : ['Same reasons with other weights']
}

/** @param {readonly Kept[]} verdicts newest first @param {string} network @param {string} address */
export const historyView = (verdicts, network, address) =>
  table({
    caption: 'Verdicts, newest first',
    file: 'history',
    empty: 'No verdict is stored.',
    rows: verdicts.map((verdict, nth) => ({ ...verdict, causes: causesOf(verdict, verdicts[nth + 1]) })),
    columns: [
      {
        name: 'Analysed',
        value: (one) => one.computedAt,
        show: (one) => h('a', { href: `${pathOf(network, address, 'token')}?at=${one.version}` }, time(one.computedAt)),
      },
      { name: 'Verdict', value: (one) => one.status, show: (one) => status(one.status) },
      { name: 'Probability', number: true, value: (one) => one.probabilityFraud },
      { name: 'Risk score', number: true, value: (one) => one.risk_score },
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
