/** Other contracts of a token's creator, and their verdicts. */
import { lookAlikesOf } from '../base/address.js'
import { h } from '../base/dom.js'
import { count, pathOf, time } from '../base/format.js'
import { address as addressOf, status } from '../base/parts.js'
import { table } from '../base/table.js'

/** @typedef {import('zod').output<typeof import('../../../../schema/records/explained/creations.ts').creations>} Creations */

/** Short summary of a verdict. @param {Creations['newest'][number]['verdict']} verdict */
export const fateOf = (verdict) => {
  if (verdict === null) return 'not analysed'
  const found = [verdict.honeypot && 'sells blocked', verdict.liquidityRemoved && 'liquidity removed'].filter(Boolean)
  return found.length > 0 ? found.join(', ') : 'none found'
}

/** Other contracts of the creator. @param {Creations} creations @param {string} own @param {string} network */
export const creationsView = ({ total, newest, dataHeight, coverage }, own, network) => {
  const isOwn = (/** @type {Creations['newest'][number]} */ { contract }) => contract === own.toLowerCase()
  const code = newest.find(isOwn)?.codeHash ?? null
  const rows = newest.filter((one) => !isOwn(one) && one.contract !== own)
  const lookAlikes = lookAlikesOf(rows.map(({ contract }) => contract))
  return [
    h(
      'p',
      {},
      `${count(total)} contracts were created by its creator, as of block ${count(dataHeight)}. `,
      total > newest.length && `The ${count(newest.length)} newest are shown. `,
      coverage?.wallet.past !== 'whole' && 'There may be earlier ones, from before the first stored block.',
    ),
    table({
      caption: 'Other contracts of its creator, newest first',
      file: 'creations',
      empty: 'No other contracts are known.',
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
        { name: 'Findings', value: (one) => fateOf(one.verdict) },
      ],
    }),
  ]
}
