/** Liquidity events of a token over time. */
import { lookAlikesOf } from '../base/address.js'
import { foreign, h, svg } from '../base/dom.js'
import { time } from '../base/format.js'
import { address as addressOf, status } from '../base/parts.js'
import { table } from '../base/table.js'

/** @import { RugExplanation } from '../../../../schema/records/explained/explanations.ts' */
/** @typedef {import('zod').output<typeof import('../../../../schema/records/rug.ts').rugRecord>} RugRecord */

/** @typedef {RugRecord['liquidityEvent'][number]} Event */
/** @typedef {{ x: number, y: number, height: number, event: Event }} Bar In a view box of 100 by 100 */

/** Maximum number of coins in charts; the table has all. */
const MAX_COINS = 4
const WIDTH = 3

/**
 * Events grouped by base coin, most events first. Amounts of different coins have no common scale.
 *
 * @param {readonly Event[]} events @returns {[coin: string, events: Event[]][]}
 */
export const byCoin = (events) => {
  /** @type {Map<string, Event[]>} */
  const coins = new Map()
  for (const event of events) coins.set(event.token, [...(coins.get(event.token) ?? []), event])
  return [...coins].sort(([, a], [, b]) => b.length - a.length)
}

/** Bars of one coin, oldest first: additions up from the middle, removals down. @param {readonly Event[]} events @returns {Bar[]} */
export const eventBars = (events) => {
  const ordered = events.toSorted((a, b) => Date.parse(a.createdAt) - Date.parse(b.createdAt))
  const times = ordered.map(({ createdAt }) => Date.parse(createdAt))
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const most = Math.max(...ordered.map((event) => event.amount), 0) || 1
  return ordered.map((event, nth) => {
    const height = (event.amount / most) * 50
    return {
      x: last > first ? (((times[nth] ?? 0) - first) / (last - first)) * (100 - WIDTH) : 50 - WIDTH / 2,
      y: event.eventType === 'add' ? 50 - height : 50,
      height,
      event,
    }
  })
}

/** @param {string} coin @param {readonly Event[]} events @param {readonly string[]} insiders */
const timeline = (coin, events, insiders) => {
  const bars = eventBars(events)
  const [adds, removes] = ['add', 'remove'].map((kind) => events.filter(({ eventType }) => eventType === kind).length)
  return h(
    'figure',
    {},
    h(
      'figcaption',
      {},
      'In ',
      foreign(coin),
      ': adds up, removals down, over time. Those of its creator or owner have a frame.',
    ),
    svg(
      'svg',
      {
        class: 'timeline',
        viewBox: '0 0 100 100',
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': `${adds} adds and ${removes} removals of liquidity. The table below has them.`,
      },
      ...bars.map(({ x, y, height, event }) =>
        svg(
          'rect',
          {
            ...{ x, y, width: WIDTH, height },
            class: `${event.eventType === 'add' ? 'for' : 'against'}${insiders.includes(event.from_address) ? ' insider' : ''}`,
          },
          svg('title', {}, `${event.eventType} ${event.amount}`),
        ),
      ),
    ),
    h(
      'p',
      { class: 'ends quiet', 'aria-hidden': 'true' },
      h('span', {}, bars[0]?.event.createdAt.slice(0, 10)),
      h('span', {}, bars.at(-1)?.event.createdAt.slice(0, 10)),
    ),
  )
}

/** @param {Pick<RugRecord, 'liquidityEvent' | 'contractCreatorAddress' | 'risk_indicators'>} record @param {RugExplanation['liquidityEvents'] | undefined} listed @param {string} network */
export const liquidityView = (record, listed, network) => {
  const events = record.liquidityEvent
  const [creator, owner] = [record.contractCreatorAddress, record.risk_indicators.owner_address]
  const insiders = [creator, owner].flatMap((one) => one || [])
  const roleOf = (/** @type {string} */ one) => (one === creator ? 'creator' : one === owner ? 'owner' : 'other')
  const lookAlikes = lookAlikesOf([...events.map((event) => event.from_address), ...insiders])
  const coins = byCoin(events)
  return [
    listed
      ? listed.complete
        ? h('p', {}, 'These are all events of all its pools.')
        : h(
            'p',
            { class: 'warning' },
            'There may be more events than these: ',
            foreign(listed.why ?? 'not known why'),
            '.',
          )
      : h('p', { class: 'warning' }, 'It is not known whether there are more events.'),
    coins.slice(0, MAX_COINS).map(([coin, some]) => timeline(coin, some, insiders)),
    coins.length > MAX_COINS && h('p', {}, `${coins.length - MAX_COINS} more coins are in the table only.`),
    table({
      caption: 'Liquidity events',
      file: 'liquidity',
      empty: 'No liquidity was added or removed.',
      rows: events,
      columns: [
        { name: 'Time', value: (event) => event.createdAt, show: (event) => time(event.createdAt) },
        { name: 'Event', value: (event) => event.eventType },
        { name: 'Amount', number: true, value: (event) => event.amount },
        { name: 'Token', value: (event) => event.token, show: (event) => foreign(event.token) },
        {
          name: 'By',
          value: (event) => event.from_address,
          show: (event) => addressOf(event.from_address, { network, lookAlikes }),
        },
        { name: 'Role', value: (event) => roleOf(event.from_address) },
        {
          name: 'Verdict on the account',
          value: (event) => event.from_fraud_status,
          show: (event) => status(event.from_fraud_status),
        },
        { name: 'Transaction', value: (event) => event.tx_hash, show: (event) => h('code', {}, event.tx_hash) },
      ],
    }),
  ]
}
