/** What the page of a token computes before it draws, from fixed data. */
import { expect, test } from 'vitest'
import { fateOf } from './creations.js'
import { locksOf } from './holders.js'
import { byCoin, eventBars } from './liquidity.js'
import { indicatorsOf, openIndicators } from './powers.js'
import { holderSalesText, laterText, rowsOf, summaryOf } from './simulation.js'

const event = (eventType: 'add' | 'remove', amount: number, createdAt: string, token = 'WETH') => ({
  ...{ eventType, amount, createdAt, token, tx_hash: '0x', from_address: '0x01' },
  ...{ from_fraud_probability: 0, from_fraud_status: 'Not Fraud' as const },
})

test('draws liquidity by coin and time, additions above the middle and removals below it', () => {
  const events = [
    event('remove', 5, '2026-01-03T00:00:00Z'),
    event('add', 10, '2026-01-01T00:00:00Z'),
    event('add', 9_999, '2026-01-02T00:00:00Z', 'USDC'),
  ]
  const [first, second] = byCoin(events)
  expect([first?.[0], second?.[0]]).toEqual(['WETH', 'USDC'])
  expect(eventBars(first?.[1] ?? []).map(({ x, y, height }) => [x, y, height])).toEqual([
    [0, 0, 50],
    [97, 50, 25],
  ])
  // One event alone stands in the middle, and a worthless one has no height.
  expect(eventBars([event('add', 0, '2026-01-01T00:00:00Z')])).toMatchObject([{ x: 48.5, y: 50, height: 0 }])
})

test('counts steps that were not run separately from refused ones', () => {
  const step = (outcome: 'accepted' | 'refused' | 'not_run') => ({
    ...{ action: 'sell' as const, part: 1, secondsLater: 1, blocksLater: 1, outcome },
    ...{ sent: null, arrived: null, tax: null, gas: null, reason: null },
  })
  const trial = { trial: 'person' as const, actor: 'person' as const, account: null }
  const rows = rowsOf([
    { ...trial, opened: false, steps: [step('accepted'), step('not_run')] },
    { ...trial, opened: true, steps: [step('refused')] },
  ])
  expect(rows.map(({ nth }) => nth)).toEqual([1, 1, 2])
  expect(rows.map(({ trial: text }) => text.includes('once the owner has opened trading'))).toEqual([
    false,
    false,
    true,
  ])
  expect(summaryOf(rows)).toContain('1 of 3 steps were accepted, 1 refused, 1 not run')
  expect([1, 13, 300, 3_600, 90_000, 2_678_400].map(laterText)).toEqual([
    'now',
    '13 s later',
    '5 min later',
    '1 h later',
    '1 d later',
    '31 d later',
  ])
})

test('a 0 listed in unknowns is not a "no", and a lock without a date is a lock', () => {
  const open = openIndicators(['is_honeypot: no market: none at all', 'sell_tax: no market'])
  expect([...open]).toEqual([
    ['is_honeypot', 'no market: none at all'],
    ['sell_tax', 'no market'],
  ])
  const indicators = { is_honeypot: 0, is_proxy: 0, is_mintable: 1, sell_tax: 0 } as Parameters<typeof indicatorsOf>[0]
  expect(indicatorsOf(indicators, open).map(({ name, state }) => [name, state])).toEqual([
    ['is_honeypot', 'unknown'],
    ['is_proxy', 'no'],
    ['is_mintable', 'yes'],
  ])
  const holder = { address: '', amount: '1', share: 1, contract: true, tags: [] }
  expect(locksOf({ ...holder, locks: null })).toEqual(['a locker, until a date that is not known'])
  expect(locksOf({ ...holder, locks: [{ share: 0.1, until: '2027-01-01T00:00:00.000Z' }] })).toEqual([
    '10.0 % of the supply until 2027-01-01 00:00:00 UTC',
  ])
  expect(fateOf(null)).toBe('not analysed')
})

test('shows unknown sales of holders as unknown, not as zero', () => {
  const nothing = { sellers: null, sales: null, from: null, to: null, why: 'no tables' }
  const sales = { tried: 2, failed: 0, siphoned: null, tax: null, why: null }
  const emptied = { compared: null, holders: null, why: 'no tables' }
  expect(holderSalesText({ ...sales, recent: nothing, emptied }).filter(Boolean)).toEqual([
    '2 existing holders tried to sell; 0 could not.',
  ])
  // Nobody sold in a week that the tables have: that is known.
  const recent = { sellers: 0, sales: 0, from: '2026-09-25T00:00:00.000Z', to: '2026-10-01T00:00:00.000Z', why: null }
  expect(holderSalesText({ ...sales, recent, emptied }).join('')).toContain('0 accounts other than owner and creator')
})
