/**
 * Graph of counterparties in columns: senders on the left, recipients on the right. Every party is a link; expanding one adds its own
 * counterparties. The URL holds the expanded parties.
 */
import { lookAlikesOf, shortened } from '../base/address.js'
import { ask } from '../base/api.js'
import { announce, fill, foreign, h, svg } from '../base/dom.js'
import { count, pathOf, time, words } from '../base/format.js'
import { address as addressOf, problem, status } from '../base/parts.js'
import { table } from '../base/table.js'
import { isWithin, since } from '../charts/range.js'

/** @import { Counterparties } from '../../../../schema/records/explained/counterparties.ts' */
/** @typedef {Counterparties['incoming']['largest'][number]} Party */
/** @typedef {'incoming' | 'outgoing'} Direction */
/**
 * @typedef {{ x: number, y: number, address: string, hop: number, party?: Party, others?: number }} Node
 * @typedef {{ from: Node, to: Node, value: number, label: string }} Edge
 */

/** Parties per column; the table has further ones. */
const SHOWN = 8
const [COLUMN, ROW, WIDTH, HEIGHT] = [300, 44, 210, 34]
/** Maximum number of hops to each side. */
const MAX_HOPS = 3

/**
 * Positions of all parties: hop 0 is the wallet, negative hops are senders, positive hops recipients. Rows follow the order of
 * expansion, so that expanding a party moves nothing on the other side.
 *
 * @param {string} center @param {ReadonlyMap<string, Counterparties>} known counterparties of the wallet and of expanded parties, by address
 * @param {readonly string[]} open
 * @returns {{ nodes: Node[], edges: Edge[], width: number, height: number }}
 */
export const layoutOf = (center, known, open) => {
  /** @type {Node} */
  const middle = { x: 0, y: 0, address: center, hop: 0 }
  const nodes = [middle]
  /** @type {Edge[]} */
  const edges = []
  /** @param {Node} node @param {Direction} direction */
  const grow = (node, direction) => {
    const side = known.get(node.address)?.[direction]
    const step = direction === 'incoming' ? -1 : 1
    if (!side || Math.abs(node.hop) >= MAX_HOPS) return
    const parties = side.largest.slice(0, SHOWN)
    const rest = side.counterparties - parties.length
    /** @param {Omit<Node, 'x' | 'y'>} part @param {number} value @param {string} label */
    const add = (part, value, label) => {
      const other = { ...part, x: 0, y: 0 }
      nodes.push(other)
      edges.push(step < 0 ? { from: other, to: node, value, label } : { from: node, to: other, value, label })
      return other
    }
    const made = parties.map((party) =>
      add({ address: party.address, hop: node.hop + step, party }, Number(party.value), party.value),
    )
    if (rest > 0) add({ address: '', hop: node.hop + step, others: rest }, 0, '')
    // A party that appears several times is expanded only once.
    for (const other of made)
      if (open.includes(other.address) && nodes.filter(({ address }) => address === other.address).length === 1)
        grow(other, direction)
  }
  grow(middle, 'incoming')
  grow(middle, 'outgoing')
  const hops = [...new Set(nodes.map(({ hop }) => hop))].sort((a, b) => a - b)
  const tallest = Math.max(...hops.map((hop) => nodes.filter((node) => node.hop === hop).length))
  for (const [nth, hop] of hops.entries()) {
    const column = nodes.filter((node) => node.hop === hop)
    const top = ((tallest - column.length) * ROW) / 2
    for (const [row, node] of column.entries()) {
      node.x = nth * COLUMN
      node.y = top + row * ROW
    }
  }
  return { nodes, edges, width: (hops.length - 1) * COLUMN + WIDTH, height: tallest * ROW }
}

/** @param {Edge} edge @param {number} most */
const line = ({ from, to, value, label }, most) => {
  const [x1, y1, x2, y2] = [from.x + WIDTH, from.y + HEIGHT / 2, to.x, to.y + HEIGHT / 2]
  const bend = (x2 - x1) / 2
  const path = svg('path', {
    d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`,
    class: 'edge',
    'stroke-width': 1 + (most > 0 ? (value / most) * 5 : 0),
  })
  path.append(svg('title', {}, label))
  return path
}

/**
 * @param {HTMLElement} place @param {{ network: string, address: string, open: readonly string[], range: import('../charts/range.js').Range, signal: AbortSignal, onOpen: (open: string[]) => void }} options
 */
export const showGraph = async (place, { network, address, open: opened, range, signal, onOpen }) => {
  /** @type {Map<string, Counterparties>} */
  const known = new Map()
  const load = async (/** @type {string} */ one) => {
    const { body } = await ask('/fraud/counterparties', { network, walletAddress: one }, signal)
    known.set(one, body)
  }
  await load(address)
  let open = opened.slice(0, 2 * MAX_HOPS * SHOWN)
  for (const one of open) await load(one).catch(() => undefined)
  const whole = /** @type {Counterparties} */ (known.get(address))

  /** @param {Node} node @param {ReadonlyMap<string, string>} short @param {ReadonlySet<string>} lookAlikes */
  const box = ({ x, y, address: one, party, others, hop }, short, lookAlikes) => {
    const rect = svg('rect', { width: WIDTH, height: HEIGHT, rx: 5 })
    const at = `translate(${x} ${y})`
    if (others !== undefined)
      return svg(
        'g',
        { transform: at, class: 'node others' },
        rect,
        svg('text', { x: 8, y: 22 }, `${count(others)} others`),
      )
    const knownAs = party?.name ?? (party?.category ? words(party.category) : null)
    const name = [
      one,
      party && `${party.value} ${whole.unit}`,
      knownAs,
      party?.status,
      party?.stop && `not followed: ${party.stop}`,
      lookAlikes.has(one) && 'looks like another address here',
    ]
      .filter(Boolean)
      .join(', ')
    const canOpen = hop !== 0 && !party?.stop && Math.abs(hop) < MAX_HOPS
    const toggle = async (/** @type {Event} */ event) => {
      event.preventDefault()
      try {
        if (open.includes(one)) open = open.filter((other) => other !== one)
        else {
          if (!known.has(one)) await load(one)
          open = [...open, one]
        }
        onOpen(open)
        draw(one)
        announce(open.includes(one) ? 'Opened' : 'Closed')
      } catch (error) {
        place.append(problem(error))
      }
    }
    const mark = party?.status === 'Fraud' ? '✖ ' : party?.stop ? '■ ' : lookAlikes.has(one) ? '⚠ ' : ''
    const lines = [
      svg('title', {}, name),
      rect,
      svg('text', { x: 8, y: 14 }, `${mark}${short.get(one) ?? one}`),
      svg(
        'text',
        { x: 8, y: 28, class: 'small' },
        party
          ? foreignText(
              knownAs ?? (party.value === '0' ? `${party.tokens} token movements` : `${party.value} ${whole.unit}`),
            )
          : 'this wallet',
      ),
    ]
    const kind = `node${hop === 0 ? ' middle' : ''}${party?.status === 'Fraud' ? ' fraud' : ''}${party?.stop ? ' stop' : ''}`
    // The title names the link: an aria-label would have to contain the visible, shortened address.
    const link = svg('a', { href: pathOf(network, one) }, ...lines)
    if (!canOpen) return svg('g', { transform: at, class: kind }, link)
    const opener = svg(
      'a',
      {
        href: '#',
        role: 'button',
        'aria-label': `${open.includes(one) ? 'Close' : 'Open'} ${one}`,
        'aria-expanded': String(open.includes(one)),
        onclick: toggle,
        'data-open': one,
        class: 'opener',
      },
      svg('rect', { x: WIDTH - 26, y: 4, width: 24, height: 26, rx: 4 }),
      svg('text', { x: WIDTH - 19, y: 22 }, open.includes(one) ? '−' : '+'),
    )
    return svg('g', { transform: at, class: kind }, link, opener)
  }
  /** Blocks of the data: parties expanded later may be from a newer block. */
  const asOf = h('p', { class: 'quiet' })
  const heights = () => {
    const later = [...known].filter(([, { dataHeight }]) => dataHeight !== whole.dataHeight)
    const blocks = [...new Set(later.map(([, { dataHeight }]) => count(dataHeight)))]
    return [
      `As of block ${count(whole.dataHeight)}. `,
      later.length > 0 && `${later.length} of those opened are as of block ${blocks.join(', ')}.`,
    ]
  }
  const picture = h('div', { class: 'scroll', tabindex: 0, role: 'region', 'aria-label': 'Graph of counterparties' })
  const draw = (/** @type {string} */ focused = '') => {
    const { nodes, edges, width, height } = layoutOf(address, known, open)
    const addresses = nodes.flatMap((node) => (node.address === '' ? [] : [node.address]))
    const [short, lookAlikes] = [shortened(addresses), lookAlikesOf(addresses)]
    const most = Math.max(0, ...edges.map(({ value }) => value))
    fill(asOf, ...heights())
    fill(
      picture,
      svg(
        'svg',
        {
          class: 'graph',
          width,
          height,
          viewBox: `0 0 ${width} ${height}`,
          role: 'group',
          'aria-label': `${whole.incoming.counterparties} paid it, ${whole.outgoing.counterparties} were paid`,
        },
        ...edges.map((edge) => line(edge, most)),
        ...nodes.map((node) => box(node, short, lookAlikes)),
      ),
    )
    for (const opener of picture.querySelectorAll('[data-open]'))
      if (opener instanceof SVGElement && opener.dataset.open === focused) opener.focus()
  }
  draw()
  fill(
    place,
    h(
      'p',
      {},
      'Value in ',
      whole.unit,
      ' flows from left to right. ■ is a service or has too many counterparties: value is not followed through it.',
    ),
    asOf,
    picture,
    partiesTable(whole, network, range),
  )
}

/** Untrusted text in SVG, where `bdi` is not available: replaces control characters. @param {string} text */
const foreignText = (text) => text.replaceAll(/[\p{Cc}\p{Cf}\p{DI}]/gu, '·').slice(0, 26)

/** The counterparties in a range as a table. @param {Counterparties} whole @param {string} network @param {import('../charts/range.js').Range} range */
const partiesTable = ({ incoming, outgoing, unit }, network, range) => {
  const all = [
    ...incoming.largest.map((party) => ({ direction: 'Paid it', ...party })),
    ...outgoing.largest.map((party) => ({ direction: 'Was paid', ...party })),
  ]
  const rows = all.filter(({ lastSeen }) => isWithin(range, lastSeen))
  const lookAlikes = lookAlikesOf(rows.map((row) => row.address))
  const list = table({
    caption: 'Largest counterparties',
    file: 'counterparties',
    empty: `No counterparties in the tables, ${since(range)}.`,
    rows,
    columns: [
      { name: 'Address', value: (row) => row.address, show: (row) => addressOf(row.address, { network, lookAlikes }) },
      { name: 'Direction', value: (row) => row.direction },
      { name: unit, number: true, value: (row) => row.value },
      { name: 'Movements', number: true, value: (row) => row.movements, show: (row) => count(row.movements) },
      { name: 'Of tokens', number: true, value: (row) => row.tokens, show: (row) => count(row.tokens) },
      {
        name: 'Known as',
        value: (row) => row.name ?? row.category,
        show: (row) => foreign(row.name ?? (row.category ? words(row.category) : '')),
      },
      { name: 'Verdict', value: (row) => row.status, show: (row) => row.status && status(row.status) },
      { name: 'Last', value: (row) => row.lastSeen, show: (row) => time(row.lastSeen) },
    ],
  })
  if (rows.length === all.length) return list
  const earlier = `${all.length - rows.length} counterparties with an earlier last movement are not in the table. Amounts are for all time, as in the graph.`
  return h('div', {}, list, h('p', { class: 'quiet' }, earlier))
}
