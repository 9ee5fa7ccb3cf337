/** Powers of a contract and its owner, in three states: a 0 of the API is either no or unknown. */
import { foreign, h } from '../base/dom.js'
import { words } from '../base/format.js'
import { table } from '../base/table.js'

/** @typedef {import('zod').output<typeof import('../../../../schema/records/rug.ts').rugRecord>} RugRecord */
/** @typedef {{ name: string, state: 'yes' | 'no' | 'unknown', why: string }} Indicator */

/** Indicators that are amounts or texts; the others are conditions. */
const AMOUNTS = ['buy_tax', 'sell_tax', 'creator_percent', 'liquidity', 'market_cap', 'owner_address']

/** Reasons why indicators are unknown, by name. @param {readonly string[]} unknowns each `what: why` @returns {ReadonlyMap<string, string>} */
export const openIndicators = (unknowns) =>
  new Map(unknowns.map((text) => /** @type {const} */ ([text.split(':', 1)[0] ?? '', text.replace(/^[^:]*: ?/, '')])))

/**
 * The indicators in three states. A 0 with an entry in `open` is unknown.
 *
 * @param {RugRecord['risk_indicators']} indicators @param {ReadonlyMap<string, string>} open
 * @returns {Indicator[]}
 */
export const indicatorsOf = (indicators, open) =>
  Object.entries(indicators)
    .filter(([name]) => !AMOUNTS.includes(name))
    .map(([name, value]) => {
      const why = open.get(name)
      const holds = value === true || (typeof value === 'number' && value !== 0)
      return {
        name,
        state: /** @type {Indicator['state']} */ (holds ? 'yes' : why === undefined ? 'no' : 'unknown'),
        why: (!holds && why) || '',
      }
    })

/** @param {readonly Indicator[]} indicators */
export const powersView = (indicators) => {
  const ORDER = ['yes', 'unknown', 'no']
  return table({
    caption: 'What the contract and its owner can do',
    file: 'powers',
    empty: '',
    rows: indicators.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state)),
    columns: [
      { name: 'Indicator', value: (one) => one.name, show: (one) => words(one.name) },
      { name: 'Holds', value: (one) => one.state, show: (one) => h('strong', {}, one.state) },
      { name: 'Why unknown', value: (one) => one.why, show: (one) => foreign(one.why) },
    ],
  })
}
