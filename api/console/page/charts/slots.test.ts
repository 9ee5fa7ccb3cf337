/** Charts of a wallet from fixed data: which days are zeros, which are not known, and where shapes lie. */
import { expect, test } from 'vitest'
import { openSlots, usdValueOf } from './activity.js'
import { isWithin, rangeOf } from './range.js'
import { barsOf, levelsOf, lineOf, marksOf, runsOf, slotsOf } from './slots.js'

const NOW = Date.parse('2026-11-10T15:00:00Z')
const step = (at: string, incoming: number, outgoing: number) => ({
  at,
  incoming,
  outgoing,
  transactions: outgoing,
  approvals: 0,
  swaps: 0,
  creations: 0,
})
const activity = (more: object = {}) => ({
  message: 'Success' as const,
  walletAddress: '',
  chain: 'ETH' as const,
  step: 'day' as const,
  from: '2026-11-03',
  to: '2026-11-09',
  knownFrom: '2026-11-05T12:00:00.000Z',
  knownTo: '2026-11-09T12:00:00.000Z',
  cut: false,
  steps: [step('2026-11-03', 1, 0), step('2026-11-06', 4, 2)],
  assets: [],
  otherAssets: 0,
  dataHeight: 1,
  coverage: null,
  ...more,
})
const states = (slots: ReturnType<typeof slotsOf>) => slots.map(({ at, known }) => `${at.slice(8)} ${known}`)

test('a day without transfers is zero only if it is covered, otherwise unknown', () => {
  const slots = slotsOf(activity(), undefined, NOW)
  expect(states(slots)).toEqual([
    // Something fetched of it is there, but more may be missing.
    '03 part',
    '04 unknown',
    '05 part',
    '06 whole',
    '07 whole',
    '08 whole',
    // Not over when the newest block was made, and a day that no block is of yet.
    '09 part',
    '10 unknown',
  ])
  expect(runsOf([...slots, ...slots.slice(-1)])).toEqual([
    { from: 1, to: 1 },
    { from: 7, to: 8 },
  ])
  expect(openSlots(activity(), slots)).toEqual([
    '2 of 8 days are not known. They are grey and do not mean zero.',
    'Movements before 2026-11-05 12:00:00 UTC may be missing.',
    'The newest block included is 1, of 2026-11-09 12:00:00 UTC.',
  ])
})

test('days of a network without blocks and days outside the range are unknown', () => {
  const empty = slotsOf(activity({ knownTo: null, steps: [] }), undefined, NOW)
  expect(new Set(empty.map(({ known }) => known))).toEqual(new Set(['unknown']))
  const cut = slotsOf(activity({ cut: true, knownFrom: null, from: '2026-11-08', steps: [] }), '2026-11-06', NOW)
  expect(states(cut)).toEqual(['06 unknown', '07 unknown', '08 whole', '09 part', '10 unknown'])
})

test('a range begins at its requested start, also before the first transfer, in whole weeks and months', () => {
  const known = { knownFrom: null, knownTo: '2026-11-10T15:00:00.000Z', steps: [] }
  const at = (more: object, from?: string) => slotsOf(activity({ ...known, ...more }), from, NOW).map((slot) => slot.at)
  expect(at({}, '2026-11-01').length).toBe(10)
  // The newest block is older than the range: the answer begins with it, the chart does not.
  expect(at({ from: '2024-01-01' }, '2026-11-09')).toEqual(['2026-11-09', '2026-11-10'])
  expect(at({ step: 'week', from: '2026-10-26' }, '2026-10-20')).toEqual([
    '2026-10-19',
    '2026-10-26',
    '2026-11-02',
    '2026-11-09',
  ])
  expect(at({ step: 'month', from: '2026-09-01' }, '2026-08-31')).toEqual([
    '2026-08-01',
    '2026-09-01',
    '2026-10-01',
    '2026-11-01',
  ])
})

test('bars go up and down from the middle on one scale', () => {
  const slots = slotsOf(activity(), '2026-11-05', NOW).slice(0, 2)
  const bars = barsOf(slots, (slot) => [slot.step?.incoming ?? 0, slot.step?.outgoing ?? 0])
  expect(bars.map(({ x, up, down }) => [x, up, down])).toEqual([
    [0, { y: 50, height: 0 }, { y: 50, height: 0 }],
    [10, { y: 0, height: 50 }, { y: 50, height: 25 }],
  ])
  expect(barsOf(slots, () => [0, 0]).map(({ up }) => up.height)).toEqual([0, 0])
})

const asset = (opening: string | null, balances: (string | null)[]) => ({
  asset: '',
  symbol: 'ETH',
  opening,
  usd: opening === null ? null : '5000.00',
  steps: balances.map((balance, nth) => ({
    at: `2026-11-0${6 + nth}`,
    received: '0',
    sent: '0',
    fees: '0',
    change: `${nth - 1}`,
    balance,
  })),
})

test('a balance line holds between transfers and has a gap where the balance is unknown', () => {
  const slots = slotsOf(activity(), '2026-11-04', NOW)
  expect(levelsOf(slots, asset('2', ['1', '2.5']))).toEqual([undefined, 2, 1, 2.5, 2.5, 2.5, undefined])
  expect(levelsOf(slots, asset(null, [null, null]))).toEqual([undefined, 0, -1, 0, 0, 0, undefined])
})

test('marks signed transactions in separate lanes at their days, and leaves other days empty', () => {
  const days = activity({
    steps: [
      { ...step('2026-11-06', 1, 0), swaps: 2 },
      { ...step('2026-11-08', 0, 1), approvals: 1, swaps: 1 },
    ],
  })
  const slots = slotsOf(days, '2026-11-05', NOW)
  expect(marksOf(slots)).toEqual({
    lanes: ['approvals', 'swaps'],
    marks: [
      { kind: 'approvals', at: '2026-11-08', count: 1, x: 30, y: 0 },
      { kind: 'swaps', at: '2026-11-06', count: 2, x: 10, y: 10 },
      { kind: 'swaps', at: '2026-11-08', count: 1, x: 30, y: 10 },
    ],
    height: 20,
  })
  expect(marksOf(slotsOf(activity(), undefined, NOW))).toEqual({ lanes: [], marks: [], height: 0 })
})

test('excludes unpriced and unknown balances from the sum, and names them', () => {
  const assets = [
    asset('2', ['2.5']),
    { ...asset('1', ['1']), symbol: 'WBTC', usd: null },
    { ...asset(null, [null]), symbol: 'USDT' },
  ]
  expect(usdValueOf(assets)).toEqual({ usd: 5_000, valued: 1, unpriced: ['WBTC'], open: ['USDT'] })
  expect(usdValueOf([]).valued).toBe(0)
})

test('a line has a step per day, zero on its scale, and a gap for unknown days', () => {
  expect(lineOf([2, 4, undefined, 1])).toEqual({ path: 'M0 50H10V0H20M30 75H40', zero: 100 })
  expect(lineOf([-1, 1])).toEqual({ path: 'M0 100H10V0H20', zero: 50 })
  expect(lineOf([undefined])).toEqual({ path: '', zero: 100 })
  expect(lineOf([0, 0])).toEqual({ path: 'M0 100H10V100H20', zero: 100 })
})

test('takes the range from the URL, and all time for any other value', () => {
  const of = (search: string) => rangeOf(new URLSearchParams(search), NOW)
  expect(of('days=30')).toEqual({ days: 30, from: '2026-10-12' })
  for (const other of ['', 'days=31', 'days=all', 'days=-30']) expect(of(other).from).toBeUndefined()
  const month = of('days=30')
  expect(['2026-10-12T00:00:00Z', '2026-10-11T23:59:59Z'].map((iso) => isWithin(month, iso))).toEqual([true, false])
})
