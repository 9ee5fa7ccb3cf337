/** Where value came from and went to: shares by category, and the addresses behind them. */
import { lookAlikesOf } from './address.js'
import { foreign, h, svg } from './dom.js'
import { amount, percent, words } from './format.js'
import { address } from './parts.js'
import { table } from './table.js'

/** @import { Exposure } from '../../../schema/records/explanations.ts' */
/** @typedef {[name: 'Received' | 'Sent', flow: Exposure['incoming']]} Direction */

/** @param {Direction} direction @param {readonly string[]} categories */
const stack = ([name, { shares, total }], categories) => {
  let at = 0
  const parts = categories.flatMap((category, nth) => {
    const width = (shares[category] ?? 0) * 100
    const x = at
    at += width
    return width > 0
      ? [
          svg(
            'rect',
            { x, y: 0, width, height: 10, class: `category category-${nth % 8}` },
            svg('title', {}, `${words(category)} ${percent(width / 100)}`),
          ),
        ]
      : []
  })
  const told = categories
    .filter((category) => (shares[category] ?? 0) > 0)
    .map((category) => `${words(category)} ${percent(shares[category] ?? 0)}`)
  return h(
    'figure',
    {},
    h('figcaption', {}, name),
    svg(
      'svg',
      {
        class: 'stack',
        viewBox: '0 0 100 10',
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': `${name}: ${total > 0 ? told.join(', ') : 'nothing'}`,
      },
      ...parts,
    ),
  )
}

/** @param {Exposure} exposure @param {string} network */
export const exposureView = ({ unit, incoming, outgoing }, network) => {
  /** @type {Direction[]} */
  const directions = [
    ['Received', incoming],
    ['Sent', outgoing],
  ]
  const weight = (/** @type {string} */ category) => (incoming.shares[category] ?? 0) + (outgoing.shares[category] ?? 0)
  const categories = [...new Set(directions.flatMap(([, { shares }]) => Object.keys(shares)))].sort(
    (a, b) => weight(b) - weight(a),
  )
  const contacts = directions.flatMap(([name, flow]) =>
    flow.contacts.map((contact) => ({ direction: name, ...contact })),
  )
  const lookAlikes = lookAlikesOf(contacts.map((contact) => contact.address))
  const cells = (/** @type {Direction} */ [name, flow]) => [
    {
      name: `${name}, share`,
      number: true,
      value: (/** @type {string} */ category) => flow.shares[category] ?? 0,
      show: (/** @type {string} */ category) => percent(flow.shares[category] ?? 0),
    },
    {
      name: `${name}, ${unit}`,
      number: true,
      value: (/** @type {string} */ category) => (flow.shares[category] ?? 0) * flow.total,
      show: (/** @type {string} */ category) => amount((flow.shares[category] ?? 0) * flow.total, unit),
    },
  ]
  return [
    h(
      'p',
      {},
      `Received ${amount(incoming.total, unit)} and sent ${amount(outgoing.total, unit)} in assets with a known price.`,
    ),
    ...directions.map((direction) => stack(direction, categories)),
    table({
      caption: 'Exposure by category',
      file: 'exposure',
      empty: 'Nothing with a known price moved.',
      rows: categories,
      columns: [
        {
          name: 'Category',
          value: (category) => category,
          show: (category) => [
            h('span', { class: `swatch category-${categories.indexOf(category) % 8}`, 'aria-hidden': 'true' }),
            ' ',
            words(category),
          ],
        },
        ...directions.flatMap(cells),
      ],
    }),
    table({
      caption: 'Known addresses behind it',
      file: 'exposure-addresses',
      empty: 'No address of a known category was found within the hops that are followed.',
      rows: contacts,
      columns: [
        {
          name: 'Address',
          value: (contact) => contact.address,
          show: (contact) => address(contact.address, { network, lookAlikes }),
        },
        {
          name: 'Name',
          value: (contact) => contact.name,
          show: (contact) => (contact.name === null ? '' : foreign(contact.name)),
        },
        { name: 'Category', value: (contact) => contact.category, show: (contact) => words(contact.category) },
        { name: 'Direction', value: (contact) => contact.direction },
        { name: 'Transfers away', number: true, value: (contact) => contact.hops },
        { name: 'Share', number: true, value: (contact) => contact.share, show: (contact) => percent(contact.share) },
      ],
    }),
  ]
}
