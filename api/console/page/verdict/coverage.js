/** What an answer does not know, and how far what it knows reaches. */
import { foreign, h } from '../base/dom.js'
import { count, words } from '../base/format.js'

/** @import { Coverage, WalletCoverage, ContractCoverage } from '../../../../schema/records/explained/coverage.ts' */
/** @typedef {(Coverage & { wallet?: WalletCoverage, contract?: ContractCoverage }) | null} Covered */

const PASTS = {
  whole: 'Its whole life is in the tables.',
  fresh: 'It signed nothing before the first stored block, but may have been sent something.',
  unknown: 'It may have done anything before the first stored block.',
}

/** Sentences about what is not known. @param {Covered} coverage @param {readonly string[]} others */
export const gapsOf = (coverage, others) => {
  if (coverage === null) return ['How far this network is covered is not known at the moment.', ...others]
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
 * @param {Covered} coverage @param {readonly string[]} others further things that are not known
 * @param {{ dataHeight: number, modelVersion: string }} versions
 */
export const coverageView = (coverage, others, { dataHeight, modelVersion }) => {
  const gaps = gapsOf(coverage, others)
  const facts = [
    ['Newest block the verdict knows', count(dataHeight)],
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
      ? h(
          'p',
          {},
          'Everything that this check looks at could be checked. It looks at what is on chain, on the networks that are indexed.',
        )
      : h('ul', { class: 'gaps' }, ...gaps.map((gap) => h('li', {}, foreign(gap)))),
    h('dl', { class: 'facts' }, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
  ]
}
