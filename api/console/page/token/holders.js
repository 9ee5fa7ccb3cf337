/** Holders of a token with attributions and locks, and further facts of the analysis. */
import { lookAlikesOf } from '../base/address.js'
import { foreign, h } from '../base/dom.js'
import { count, percent, time } from '../base/format.js'
import { address as addressOf } from '../base/parts.js'
import { table } from '../base/table.js'

/** @import { RugExplanation } from '../../../../schema/records/explained/explanations.ts' */
/** @typedef {RugExplanation['holders']} Holders */
/** @typedef {Holders['top'][number]} Holder */

/** Locks of a holder, one text per lock. @param {Holder} holder @returns {string[]} */
export const locksOf = ({ locks }) =>
  locks === null
    ? ['a locker, until a date that is not known']
    : locks.map(({ share, until }) => `${percent(share)} of the supply until ${time(until)}`)

/** @param {Holders} holders @param {string} network */
export const holdersView = ({ count: all, top, why }, network) => {
  const lookAlikes = lookAlikesOf(top.map(({ address }) => address))
  const together = top.reduce((sum, { share }) => sum + share, 0)
  return [
    why === null
      ? h(
          'p',
          {},
          `${count(all)} accounts hold the token. The ${top.length} largest hold ${percent(together)} of the supply.`,
        )
      : h('p', { class: 'warning' }, 'The holders are not known: ', foreign(why), '.'),
    why === null &&
      table({
        caption: 'Largest holders',
        file: 'holders',
        empty: 'No account holds the token.',
        rows: top,
        columns: [
          {
            name: 'Holder',
            value: (holder) => holder.address,
            show: (holder) => addressOf(holder.address, { network, lookAlikes }),
          },
          { name: 'Tokens', number: true, value: (holder) => holder.amount },
          { name: 'Share', number: true, value: (holder) => holder.share, show: (holder) => percent(holder.share) },
          { name: 'Kind', value: (holder) => (holder.contract ? 'contract' : 'account') },
          {
            name: 'Known as',
            value: (holder) => holder.tags.join(', '),
            show: (holder) => h('ul', {}, ...holder.tags.map((tag) => h('li', {}, foreign(tag)))),
          },
          {
            name: 'Locked',
            value: (holder) => locksOf(holder).join('; '),
            show: (holder) => h('ul', {}, ...locksOf(holder).map((lock) => h('li', {}, lock))),
          },
        ],
      }),
  ]
}

const CURVES = {
  none: 'none that is registered',
  trading: 'trades on it',
  closed: 'halted or full, with no pool yet',
  graduated: 'graduated from it',
}

/** Facts of the analysis that do not affect the score. @param {RugExplanation} told */
export const asideView = ({ similarCode, launchpad, trusted }) => {
  /** @type {[string, import('../base/dom.js').Child][]} */
  const facts = [
    ['Canonical asset of the network', trusted ? 'yes' : 'no'],
    [
      'Launchpad',
      launchpad.why === null
        ? foreign(launchpad.name ?? 'none that is registered')
        : ['not known: ', foreign(launchpad.why)],
    ],
    [
      'Bonding curve',
      launchpad.curve.why === null
        ? CURVES[launchpad.curve.stage ?? 'none']
        : ['not known: ', foreign(launchpad.curve.why)],
    ],
    [
      'Tokens of the same code',
      similarCode.why === null
        ? `${count(similarCode.analysed)} were analysed, ${count(similarCode.traps)} of them are proved honeypots`
        : ['not compared: ', foreign(similarCode.why)],
    ],
  ]
  return [
    h('dl', { class: 'facts' }, ...facts.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)])),
    similarCode.examples.length > 0 &&
      table({
        caption: 'Honeypots of the same code',
        file: 'similar-code',
        empty: '',
        rows: similarCode.examples,
        columns: [
          { name: 'Token', value: (one) => one.contractAddress, show: (one) => addressOf(one.contractAddress) },
          { name: 'Network', value: (one) => one.chain },
        ],
      }),
  ]
}
