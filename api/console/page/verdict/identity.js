/** Identity of an address: names, labels, and when it was first and last seen. */
import { foreign, h } from '../base/dom.js'
import { time, words } from '../base/format.js'
import { table } from '../base/table.js'

/** @import { Identity } from '../../../../schema/records/explained/explanations.ts' */

const CLASSES = {
  asserted: 'asserted by an authority',
  reported: 'reported by a list',
  detected: 'detected by Assay',
  propagated: 'derived from other labels',
}

/** @param {Identity} identity */
export const identityView = ({ name, category, contract, firstSeen, lastSeen, labels }) => {
  const called = [
    name !== null && foreign(name),
    name !== null && category !== null && ', ',
    category && words(category),
  ]
  const none = 'not on any loaded list, nor in the registry. This says nothing about its owner.'
  /** @type {[string, import('../base/dom.js').Child][]} */
  const facts = [
    ['Known as', name === null && category === null ? none : called],
    ['Kind', contract ? 'contract' : 'account, or a contract whose creation is not in the tables'],
    ['First seen', firstSeen === null ? 'not known' : time(firstSeen)],
    ['Last seen', lastSeen === null ? 'not known' : time(lastSeen)],
  ]
  return [
    h('dl', { class: 'facts' }, ...facts.flatMap(([term, value]) => [h('dt', {}, term), h('dd', {}, value)])),
    table({
      caption: 'Labels in force',
      file: 'labels',
      empty: 'No labels.',
      rows: labels,
      columns: [
        { name: 'Label', value: (one) => one.label, show: (one) => words(one.label) },
        { name: 'Source', value: (one) => one.source, show: (one) => foreign(one.source) },
        { name: 'How it is known', value: (one) => one.class, show: (one) => CLASSES[one.class] },
        { name: 'Confidence', number: true, value: (one) => one.confidence },
        { name: 'On network', value: (one) => one.network },
      ],
    }),
  ]
}
