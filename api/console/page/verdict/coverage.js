/** Limits and coverage of a verdict. */
import { foreign, h } from '../base/dom.js'
import { count, words } from '../base/format.js'

/** @import { Coverage, WalletCoverage, ContractCoverage } from '../../../../schema/records/explained/coverage.ts' */
/** @typedef {(Coverage & { wallet?: WalletCoverage, contract?: ContractCoverage }) | null} Covered */

const PASTS = {
  whole: 'Its whole history is indexed.',
  fresh: 'It signed nothing before the first indexed block, but may have received something.',
  unknown: 'Its activity before the first indexed block is not known.',
}

/** Sentences about unknown parts. @param {Covered} coverage @param {readonly string[]} others */
export const gapsOf = (coverage, others) => {
  if (coverage === null) return ['The coverage of this network is not known at the moment.', ...others]
  const { firstBlock, authorities, wallet } = coverage
  return [
    ...(firstBlock !== null && firstBlock > 0 ? [`Blocks before ${count(firstBlock)} are not stored.`] : []),
    ...(firstBlock === null ? ['No block of this network is stored yet.'] : []),
    ...Object.entries(authorities.missing).map(([kind, why]) => `Logs of authorities (${words(kind)}): ${why}`),
    ...(wallet && wallet.past !== 'whole'
      ? [`${PASTS[wallet.past]}${wallet.why === null ? '' : ` ${words(wallet.why)}.`}`]
      : []),
    ...others,
  ]
}

/**
 * @param {Covered} coverage @param {readonly string[]} others further unknown parts
 * @param {{ dataHeight: number, modelVersion: string }} versions
 */
export const coverageView = (coverage, others, { dataHeight, modelVersion }) => {
  const gaps = gapsOf(coverage, others)
  const facts = [
    ['Newest block of the verdict', count(dataHeight)],
    [
      'Blocks in the tables',
      coverage ? `${count(coverage.firstBlock)} to ${count(coverage.storedBlock)}` : 'not known',
    ],
    [
      'Logs of authorities',
      coverage ? (coverage.authorities.complete ? 'complete from their first block on' : 'not complete') : 'not known',
    ],
    ...(coverage?.wallet ? [['Past of the wallet', PASTS[coverage.wallet.past]]] : []),
    ...(coverage?.contract
      ? [['Newest stored block when it was analysed', count(coverage.contract.tablesHeight)]]
      : []),
    ['Model', modelVersion],
  ]
  return [
    gaps.length === 0
      ? h('p', {}, 'All parts of this check were evaluated. It covers on-chain data of the indexed networks.')
      : h('ul', { class: 'gaps' }, ...gaps.map((gap) => h('li', {}, foreign(gap)))),
    h('dl', { class: 'facts' }, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
  ]
}
