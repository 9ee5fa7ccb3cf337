/** Exposure: sources and destinations of value by category, and the addresses behind them. */
import { lookAlikesOf } from '../base/address.js'
import { foreign, h, svg } from '../base/dom.js'
import { amount, percent, words } from '../base/format.js'
import { address } from '../base/parts.js'
import { table } from '../base/table.js'

/** @typedef {import('zod').output<typeof import('../../../../schema/records/explained/exposure.ts').exposure>} Exposure */
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

/** Sentences about value that the shares do not attribute. @param {Direction} direction */
export const leftOpen = ([name, { notFollowed, swapped }]) => {
  const { services, bridges, limits, unpriced, unpricedAssets, dust, cut } = notFollowed
  const dollars = (/** @type {string} */ usd) => amount(Number(usd), 'USD')
  const some = (/** @type {string} */ usd) => Number(usd) > 0
  return [
    ...(cut ? ['Only the largest movements are included.'] : []),
    ...(some(services) ? [`${dollars(services)} stopped at exchanges, pools and other services.`] : []),
    ...(some(bridges) ? [`${dollars(bridges)} stopped at bridges.`] : []),
    ...(some(limits) ? [`${dollars(limits)} was not followed beyond the limit of hops or addresses.`] : []),
    ...(some(unpriced) ? [`${dollars(unpriced)} came from selling assets without a price.`] : []),
    ...(unpricedAssets > 0 ? [`${unpricedAssets} assets without a price moved and are not counted.`] : []),
    ...(dust.transfers > 0 ? [`${dust.transfers} transfers of ${dollars(dust.usd)} were too small to count.`] : []),
    ...(some(swapped) ? [`${dollars(swapped)} was only swapped.`] : []),
  ].map((sentence) => `${name}: ${sentence}`)
}

/** A step of a path: an address on the page's network, or on the network before the colon. @param {string} step @param {string} network */
const place = (step, network) => {
  const [, other, there] = /^([A-Z]+):(.+)$/.exec(step) ?? []
  return other !== undefined && there !== undefined
    ? [`${other} `, address(there, { network: other })]
    : [address(step, { network })]
}

/** @param {Exposure} exposure @param {string} network */
export const exposureView = ({ unit, incoming, outgoing, past }, network) => {
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
  const reached = directions.flatMap(([direction, flow]) => flow.categories.map((one) => ({ direction, ...one })))
  const open = directions.flatMap(leftOpen)
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
    past !== 'whole' && h('p', { class: 'warning' }, 'Value from before the first stored block is missing here.'),
    open.length > 0 && h('ul', { class: 'gaps' }, ...open.map((sentence) => h('li', {}, sentence))),
    table({
      caption: 'Direct and indirect exposure',
      file: 'exposure-by-distance',
      empty: 'No known category was reached.',
      rows: reached,
      columns: [
        { name: 'Category', value: (one) => one.category, show: (one) => words(one.category) },
        { name: 'Direction', value: (one) => one.direction },
        { name: 'Direct, USD', number: true, value: (one) => one.direct.usd },
        { name: 'Indirect, USD', number: true, value: (one) => one.indirect.usd },
        { name: 'Transfers', number: true, value: (one) => one.direct.transfers + one.indirect.transfers },
        { name: 'Nearest, hops', number: true, value: (one) => one.nearest.hops },
        {
          name: 'Path to the nearest',
          value: (one) => one.nearest.path.join(' '),
          show: (one) => h('ol', {}, ...one.nearest.path.map((step) => h('li', {}, ...place(step, network)))),
        },
      ],
    }),
    table({
      caption: 'Known addresses behind the exposure',
      file: 'exposure-addresses',
      empty: 'No address of a known category was found within the hops that are followed.',
      rows: contacts,
      columns: [
        {
          name: 'Address',
          value: (contact) => contact.address,
          show: (contact) => [
            contact.network === undefined ? '' : `${contact.network} `,
            address(contact.address, { network: contact.network ?? network, lookAlikes }),
          ],
        },
        {
          name: 'Name',
          value: (contact) => contact.name,
          show: (contact) => (contact.name === null ? '' : foreign(contact.name)),
        },
        { name: 'Category', value: (contact) => contact.category, show: (contact) => words(contact.category) },
        { name: 'Direction', value: (contact) => contact.direction },
        { name: 'Hops', number: true, value: (contact) => contact.hops },
        { name: 'Share', number: true, value: (contact) => contact.share, show: (contact) => percent(contact.share) },
      ],
    }),
  ]
}
