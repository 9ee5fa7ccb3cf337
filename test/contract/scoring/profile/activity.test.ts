/** Days, weeks and months of a wallet, against what was written down. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Network } from '../../../../schema/networks.ts'
import { ASSETS } from '../../../../schema/registry/contracts.ts'
import { loadActivity } from '../../../../scorer/ledger/activity/load.ts'
import { dayOf, type Step, stepStart } from '../../../../scorer/ledger/activity/steps.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { insertRows, named, rowsOf, settle, type Tx } from '../../../kit/world/transactions.ts'

const ETHER = 10n ** 18n
const [USDT = ''] = [...ASSETS.ETH].filter(([, { symbol }]) => symbol === 'USDT').map(([address]) => address)
const SPAM = named('spam token')
const DAY_S = 86_400
const MIDNIGHT = Date.parse('2025-01-01') / 1_000
/** Two blocks a day. */
const twiceADay = (block: number) => MIDNIGHT + block * (DAY_S / 2)
const every = (days: number) => (block: number) => MIDNIGHT + block * days * DAY_S
const dayAt = (block: number) => dayOf(twiceADay(block))

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
afterAll(() => kit.close())

const ask = (network: Network, name: string, from?: string, { whole = true, most = 1_000_000 } = {}) => {
  const since = from === undefined ? undefined : Date.parse(from) / 1_000
  return loadActivity(kit.store, { network, address: named(name), from: since, whole }, most)
}

const STORY: Tx[] = [
  { from: named('payer'), to: named('hero'), block: 2, value: 10n * ETHER },
  { from: named('hero'), to: named('shop'), block: 3, value: ETHER, fee: ETHER / 10n },
  // To itself, and one that failed: neither changes more than the fee.
  { from: named('hero'), to: named('hero'), block: 4, value: 2n * ETHER, fee: ETHER / 10n },
  { from: named('hero'), to: named('shop'), block: 5, value: 5n * ETHER, fee: ETHER / 10n, failed: true },
  {
    from: named('payer'),
    to: USDT,
    call: true,
    block: 8,
    actions: [
      { do: 'token', from: named('payer'), to: named('hero'), asset: USDT, amount: 1_500_000n },
      { do: 'token', from: named('payer'), to: named('hero'), asset: SPAM, amount: 7n },
      { do: 'nft', from: named('payer'), to: named('hero'), asset: named('nfts'), id: 1n },
    ],
  },
  {
    from: named('hero'),
    to: named('router'),
    call: true,
    block: 8,
    actions: [
      { do: 'approve', owner: named('hero'), spender: named('router'), asset: USDT, amount: 5n },
      { do: 'swap', pool: named('pool'), amount0: 1n, amount1: -1n },
      { do: 'create', contract: named('contract') },
      { do: 'internal', from: named('router'), to: named('hero'), amount: ETHER / 2n },
    ],
  },
]
const nothing = { incoming: 0, outgoing: 0, transactions: 0, approvals: 0, swaps: 0, creations: 0 }

test('a day has what moved, what was signed, fees and balances, of both tiers and without what was undone', async () => {
  await insertRows(kit.store, rowsOf(STORY, { from: 1, head: 10, time: twiceADay }))
  await settle(kit.store, 'ETH', 10)
  const newest: Tx[] = [
    { from: named('hero'), to: named('shop'), block: 12, value: ETHER },
    { from: named('payer'), to: named('other'), block: 13, value: ETHER },
  ]
  await insertRows(kit.store, rowsOf(newest, { from: 11, time: twiceADay }), 'hot')
  const undone = rowsOf([{ from: named('hero'), to: named('thief'), block: 12, value: 3n * ETHER }], {
    from: 12,
    time: twiceADay,
  })
  const tombstones = undone.ledger.map((row) => JSON.stringify({ ...row, version: 2, is_deleted: 1 }))
  await insertRows(kit.store, { ...undone, blocks: [], transactions: [] }, 'hot')
  await kit.store.insert('ledger_hot', `${tombstones.join('\n')}\n`)

  expect(await ask('ETH', 'hero')).toEqual({
    height: 13,
    step: 'day',
    from: dayAt(2),
    to: dayAt(13),
    covered: { from: twiceADay(1), to: twiceADay(13) },
    cut: false,
    steps: [
      { ...nothing, at: dayAt(2), incoming: 1, outgoing: 1, transactions: 1 },
      { ...nothing, at: dayAt(4), incoming: 1, outgoing: 1, transactions: 2 },
      { at: dayAt(8), incoming: 4, outgoing: 0, transactions: 1, approvals: 1, swaps: 1, creations: 1 },
      { ...nothing, at: dayAt(12), outgoing: 1, transactions: 1 },
    ],
    assets: [
      {
        asset: '',
        symbol: 'ETH',
        opening: '0',
        usd: '16400.00',
        steps: [
          { at: dayAt(2), received: '10', sent: '1', fees: '0.1', change: '8.9', balance: '8.9' },
          { at: dayAt(4), received: '2', sent: '2', fees: '0.2', change: '8.7', balance: '8.7' },
          { at: dayAt(8), received: '0.5', sent: '0', fees: '0', change: '9.2', balance: '9.2' },
          { at: dayAt(12), received: '0', sent: '1', fees: '0', change: '8.2', balance: '8.2' },
        ],
      },
      {
        asset: USDT,
        symbol: 'USDT',
        opening: '0',
        usd: '1.50',
        steps: [{ at: dayAt(8), received: '1.5', sent: '0', fees: '0', change: '1.5', balance: '1.5' }],
      },
    ],
    otherAssets: 1,
  })
})

test('a later beginning has the balance of then as its opening, and one before the first movement changes nothing', async () => {
  const late = await ask('ETH', 'hero', dayAt(8))
  expect(late.from).toBe(dayAt(8))
  expect(late.assets.map(({ symbol, opening, usd, steps }) => [symbol, opening, usd, steps.length])).toEqual([
    ['ETH', '8.7', '16400.00', 2],
    ['USDT', '0', '1.50', 1],
  ])
  const whole = await ask('ETH', 'hero')
  expect(await ask('ETH', 'hero', '0001-01-01')).toEqual(whole)
  // Days that are not stored yet begin with the newest one.
  const tomorrow = await ask('ETH', 'hero', '9999-12-31')
  expect([tomorrow.from, tomorrow.steps, tomorrow.assets[0]?.opening]).toEqual([
    dayAt(13),
    whole.steps.slice(-1),
    '9.2',
  ])
})

test('movements that may be missing, hidden calls and coins that came from nowhere leave the balance open', async () => {
  const [native] = (await ask('ETH', 'hero', undefined, { whole: false })).assets
  expect([native?.opening, native?.usd, native?.steps.map(({ change, balance }) => [change, balance]).at(-1)]).toEqual([
    null,
    null,
    ['8.2', null],
  ])
  // More goes than ever came: coins of genesis, or the reward of a block.
  const mined: Tx[] = [{ from: named('miner'), to: named('shop'), block: 2, value: 9n }]
  await insertRows(kit.store, rowsOf(mined, { network: 'HAQQ', from: 1, time: twiceADay }))
  expect((await ask('HAQQ', 'miner')).assets[0]).toMatchObject({
    opening: null,
    steps: [{ change: '-0.000000000000000009', balance: null }],
  })
  const blind = rowsOf([{ from: named('payer'), to: named('hero'), block: 2, value: ETHER }], {
    network: 'BNB',
    from: 1,
    head: 5,
    time: twiceADay,
  })
  await insertRows(kit.store, {
    ...blind,
    blocks: blind.blocks.map((block) => ({ ...block, sees_traces: 0 as const })),
  })
  expect((await ask('BNB', 'hero')).assets[0]).toMatchObject({ opening: null, steps: [{ balance: null }] })
})

test('of a wallet with more movements than are read, whole steps at the end are told, and the balance is the same', async () => {
  const all = await ask('ETH', 'hero')
  const few = await ask('ETH', 'hero', undefined, { most: 3 })
  expect([few.cut, few.from, all.cut]).toEqual([true, dayAt(10), false])
  expect(few.steps).toEqual(all.steps.slice(-1))
  expect(few.assets[0]).toMatchObject({ opening: '9.2', steps: [{ balance: '8.2' }] })
  // What was asked for is not cut where it is less.
  expect((await ask('ETH', 'hero', dayAt(12), { most: 3 })).cut).toBe(false)
})

test.each([
  ['week', 'BASE', every(1), 900],
  ['month', 'POLYGON', every(3), 1_200],
] as [Step, Network, (block: number) => number, number][])(
  'long stretches are cut into steps of a %s, as dates are',
  async (step, network, time, last) => {
    const blocks = Array.from({ length: last / 4 }, (_, n) => 1 + n * 4)
    const txs = blocks.map((block): Tx => ({ from: named('payer'), to: named('saver'), block, value: ETHER }))
    await insertRows(kit.store, rowsOf(txs, { network, from: 1, head: last, time }))
    const found = await ask(network, 'saver')
    const days = new Set(blocks.map((block) => dayOf(stepStart(time(block), step))))
    expect([found.step, found.steps.map(({ at }) => at)]).toEqual([step, [...days]])
    expect(found.steps.reduce((sum, { incoming }) => sum + incoming, 0)).toBe(blocks.length)
    expect(found.assets[0]?.steps.at(-1)?.balance).toBe(String(blocks.length))
  },
)
