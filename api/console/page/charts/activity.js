/** Charts of a wallet over time: movements, signed actions, and the balance of each asset. */
import { foreign, h, svg } from '../base/dom.js'
import { amount, count, time, words } from '../base/format.js'
import { address as addressOf } from '../base/parts.js'
import { table } from '../base/table.js'
import { since } from './range.js'
import { barsOf, HEIGHT, LANE, levelsOf, lineOf, marksOf, runsOf, WIDTH } from './slots.js'

/** @typedef {import('./slots.js').Activity} Activity */
/** @typedef {import('./slots.js').AssetActivity} AssetActivity */
/** @typedef {import('./slots.js').Slot} Slot */

/** @type {ReadonlyMap<Slot['known'], string>} */
const KNOWN = new Map([
  ['whole', ''],
  ['part', 'in part'],
  ['unknown', 'not known'],
])

const NAMES = { approvals: 'approvals', swaps: 'swaps', creations: 'contracts created' }
const LANES = ['', 'one', 'two', 'three']

/** Marks of approvals, swaps and creations by slot, aligned with the chart above. @param {readonly Slot[]} slots */
const marks = (slots) => {
  const { lanes, marks: all, height } = marksOf(slots)
  if (lanes.length === 0) return null
  const sums = lanes.map((kind) => {
    const sum = all.reduce((total, mark) => total + (mark.kind === kind ? mark.count : 0), 0)
    return `${count(sum)} ${NAMES[kind]}`
  })
  return [
    svg(
      'svg',
      {
        class: `marks ${LANES[lanes.length]}`,
        viewBox: `0 0 ${slots.length * WIDTH} ${height}`,
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': `Marks: ${sums.join(', ')}`,
      },
      ...all.map(({ kind, at, count: some, x, y }) =>
        svg(
          'rect',
          { class: kind, x, y: y + 1, width: WIDTH - 2, height: LANE - 2 },
          svg('title', {}, `${at}: ${some} ${NAMES[kind]}`),
        ),
      ),
    ),
    h('p', { class: 'quiet marked' }, `Marks below it, from the top: ${sums.join('; ')}.`),
  ]
}

/** A chart of slots, with unknown slots in grey. @param {readonly Slot[]} slots @param {string} caption @param {string} label @param {...import('../base/dom.js').Child} shapes */
const figure = (slots, caption, label, ...shapes) => {
  const unknown = runsOf(slots).map(({ from, to }) =>
    svg(
      'rect',
      { x: from * WIDTH, y: 0, width: (to - from + 1) * WIDTH, height: HEIGHT, class: 'unknown' },
      svg('title', {}, `${slots[from]?.at} to ${slots[to]?.at}: not known`),
    ),
  )
  return h(
    'figure',
    {},
    h('figcaption', {}, caption),
    svg(
      'svg',
      {
        class: 'days',
        viewBox: `0 0 ${slots.length * WIDTH} ${HEIGHT}`,
        preserveAspectRatio: 'none',
        role: 'img',
        'aria-label': label,
      },
      unknown,
      shapes,
    ),
    marks(slots),
    h(
      'p',
      { class: 'ends quiet', 'aria-hidden': 'true' },
      h('span', {}, slots[0]?.at),
      h('span', {}, slots.at(-1)?.at),
    ),
  )
}

/** Sentences about the unknown parts of the range. @param {Activity} activity @param {readonly Slot[]} slots */
export const openSlots = ({ step, cut, from, knownFrom, knownTo, dataHeight }, slots) => {
  const unknown = slots.filter(({ known }) => known === 'unknown').length
  return [
    ...(unknown > 0
      ? [`${count(unknown)} of ${count(slots.length)} ${step}s are not known. They are grey and do not mean zero.`]
      : []),
    ...(knownFrom === null ? [] : [`Movements before ${time(knownFrom)} may be missing.`]),
    ...(knownTo === null
      ? ['No block of this network is stored yet.']
      : [`The newest block included is ${count(dataHeight)}, of ${time(knownTo)}.`]),
    ...(cut ? [`Too many movements: those before ${from} are left out.`] : []),
  ]
}

/** @param {Activity} activity @param {readonly Slot[]} slots @param {import('./range.js').Range} range */
export const movementsView = (activity, slots, range) => {
  const sum = (/** @type {(step: NonNullable<Slot['step']>) => number} */ of) =>
    slots.reduce((total, { step }) => total + (step ? of(step) : 0), 0)
  const [incoming, outgoing] = [sum((step) => step.incoming), sum((step) => step.outgoing)]
  const bars = barsOf(slots, ({ step }) => [step?.incoming ?? 0, step?.outgoing ?? 0]).flatMap(
    ({ slot, x, up, down }) =>
      slot.step
        ? [
            svg(
              'g',
              {},
              svg('title', {}, `${slot.at}: ${slot.step.incoming} in, ${slot.step.outgoing} out`),
              svg('rect', { class: 'in', x, width: WIDTH - 2, ...up }),
              svg('rect', { class: 'out', x, width: WIDTH - 2, ...down }),
            ),
          ]
        : [],
  )
  /** @param {'transactions' | 'approvals' | 'swaps' | 'creations' | 'incoming' | 'outgoing'} field @param {string} name */
  const column = (field, name) => ({
    name,
    number: true,
    value: (/** @type {Slot} */ { known, step }) => step?.[field] ?? (known === 'unknown' ? null : 0),
    show: (/** @type {Slot} */ { known, step }) => (step ? count(step[field]) : known === 'unknown' ? '?' : '0'),
  })
  return [
    h('ul', { class: 'gaps' }, ...openSlots(activity, slots).map((sentence) => h('li', {}, sentence))),
    figure(
      slots,
      `Movements by ${activity.step}, ${since(range)}: in up, out down`,
      `Movements by ${activity.step}: ${count(incoming)} in, ${count(outgoing)} out. The table below has the same.`,
      bars,
    ),
    table({
      caption: `Activity by ${activity.step}, newest first`,
      file: 'activity',
      empty: 'No activity is stored for this range.',
      rows: slots.toReversed(),
      columns: [
        { name: words(activity.step), value: ({ at }) => at },
        { name: 'Known', value: ({ known }) => known, show: ({ known }) => KNOWN.get(known) },
        column('incoming', 'In'),
        column('outgoing', 'Out'),
        column('transactions', 'Signed'),
        column('approvals', 'Approvals'),
        column('swaps', 'Swaps'),
        column('creations', 'Contracts created'),
      ],
    }),
  ]
}

/** @param {Activity} activity @param {readonly Slot[]} slots @param {AssetActivity} asset */
const balance = ({ step }, slots, asset) => {
  const { symbol, opening, steps } = asset
  const levels = levelsOf(slots, asset)
  const { path, zero } = lineOf(levels)
  const now = newestOf(asset)
  const what = opening === null ? `Change of ${symbol}, balance not known` : `Balance of ${symbol}`
  return h(
    'section',
    { 'aria-label': what },
    figure(
      slots,
      what,
      `${what} by ${step}: ${now} at the end. The table below has each change.`,
      svg('path', { class: 'zero', d: `M0 ${zero}H${slots.length * WIDTH}` }),
      svg('path', { class: 'level', d: path }),
    ),
    table({
      caption: `${symbol} by ${step}, newest first`,
      file: `balance-${symbol}`,
      empty: `No ${symbol} moved in this time.${opening === null ? '' : ` The balance is ${opening}.`}`,
      rows: steps.toReversed(),
      columns: [
        { name: words(step), value: ({ at }) => at },
        { name: 'Received', number: true, value: ({ received }) => received },
        { name: 'Sent', number: true, value: ({ sent }) => sent },
        { name: 'Fees', number: true, value: ({ fees }) => fees },
        { name: 'Change since the beginning', number: true, value: ({ change }) => change },
        {
          name: 'Balance after it',
          number: true,
          value: (one) => one.balance,
          show: (one) => one.balance ?? 'not known',
        },
      ],
    }),
  )
}

/** Newest balance of an asset; its change if the balance is not known. @param {AssetActivity} asset */
const newestOf = ({ opening, steps }) => {
  const newest = steps.at(-1)
  return opening === null ? (newest?.change ?? '0') : (newest?.balance ?? opening)
}

/**
 * Total USD value of the balances, and the assets that are not included.
 *
 * @param {readonly AssetActivity[]} assets
 * @returns {{ usd: number, valued: number, unpriced: string[], open: string[] }} `open`: the balance itself is not known
 */
export const usdValueOf = (assets) => {
  const open = assets.filter(({ opening }) => opening === null)
  const known = assets.filter(({ opening }) => opening !== null)
  const valued = known.filter(({ usd }) => usd !== null)
  return {
    usd: valued.reduce((sum, { usd }) => sum + Number(usd), 0),
    valued: valued.length,
    unpriced: known.filter(({ usd }) => usd === null).map(({ symbol }) => symbol),
    open: open.map(({ symbol }) => symbol),
  }
}

/** Newest balances and their USD value. @param {Activity} activity */
const usdValue = ({ assets, otherAssets }) => {
  const { usd, valued, unpriced, open } = usdValueOf(assets)
  return [
    h(
      'p',
      { id: 'worth' },
      valued > 0
        ? `Known balances total ${amount(usd, 'USD')}: the native coin at its fixed price, dollar coins as dollars.`
        : 'No balance has both a known amount and a known price.',
      unpriced.length > 0 && ` No price is known of ${unpriced.join(', ')}.`,
      open.length > 0 && ` The balance of ${open.join(', ')} is not known.`,
      otherAssets > 0 && ` ${count(otherAssets)} other assets are not counted in it.`,
    ),
    table({
      caption: 'Balances, newest',
      file: 'balances',
      empty: 'No asset is known.',
      rows: assets,
      columns: [
        { name: 'Coin', value: (asset) => asset.symbol, show: (asset) => foreign(asset.symbol) },
        { name: 'Contract', value: (asset) => asset.asset, show: (asset) => asset.asset && addressOf(asset.asset) },
        {
          name: 'Balance',
          number: true,
          value: (asset) => (asset.opening === null ? null : newestOf(asset)),
          show: (asset) => (asset.opening === null ? 'not known' : newestOf(asset)),
        },
        {
          name: 'USD',
          number: true,
          value: (asset) => asset.usd,
          show: (asset) => asset.usd ?? (asset.opening === null ? 'not known' : 'no price is known'),
        },
      ],
    }),
  ]
}

/** @param {Activity} activity @param {readonly Slot[]} slots */
export const balancesView = (activity, slots) => [
  h(
    'p',
    {},
    'In whole coins, computed from movements and fees. Coins received without a movement, such as block rewards, are not included.',
    activity.otherAssets > 0 && ` ${count(activity.otherAssets)} other assets moved and are counted above only.`,
  ),
  activity.assets.some(({ opening }) => opening === null) &&
    h(
      'p',
      { class: 'warning' },
      'If the opening balance is not known, the change since the beginning of the range is shown instead of a balance.',
    ),
  usdValue(activity),
  ...activity.assets.map((asset) => balance(activity, slots, asset)),
]
