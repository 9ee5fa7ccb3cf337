import { expect, test } from 'vitest'
import { UNKNOWN_RHYTHM } from '../features/rhythm.ts'
import { emptyWallet, type WalletFeatures } from '../features/wallet.ts'
import type { Wallet } from '../flags/flag.ts'
import { createScorecardModel } from './scorecard.ts'

const DAY = 86_400
const NOW = 1_800_000_000
const model = createScorecardModel()

const wallet = (features: Partial<WalletFeatures>, over: Partial<Wallet> = {}): Wallet => ({
  network: 'ETH',
  address: '0xa',
  features: { ...emptyWallet('0xa'), ...features },
  rhythm: UNKNOWN_RHYTHM,
  contacts: [],
  known: { listings: [], labels: [] },
  service: false,
  evidence: {},
  ...over,
})
const probability = (one: Wallet) => model.predict({ wallet: one, now: NOW }).probability

const active = {
  first_seen: NOW - 400 * DAY,
  active_days: 60,
  sent: 150,
  received: 80,
  out_counterparties: 40,
  native_in: 50,
  native_out: 49,
  native_in_count: 80,
  native_out_count: 90,
}

test('a wallet about which nothing is known is low risk, and knowing more good of it only lowers that', () => {
  const nothing = probability(wallet({}, { contacts: null }))
  expect(nothing).toBeLessThan(0.15)
  expect(probability(wallet({ first_seen: NOW - DAY, sent: 3, active_days: 1 }))).toBeLessThan(nothing)
})

test('honest active wallets are low: an old one, a bot that passes everything on, a deployer with failures', () => {
  expect(probability(wallet(active))).toBeLessThan(0.02)
  expect(probability(wallet(active, { rhythm: { ...UNKNOWN_RHYTHM, passed_through: 1 } }))).toBeLessThan(0.05)
  expect(probability(wallet({ ...active, contracts_created: 40, sent_failed: 30 }))).toBeLessThan(0.05)
})

test('no single behaviour without flagged dealings reaches one half', () => {
  const young = { first_seen: NOW, sent: 10, received: 10, native_in_count: 10, native_out_count: 10 }
  expect(probability(wallet(young, { rhythm: { ...UNKNOWN_RHYTHM, passed_through: 1 } }))).toBeLessThan(0.5)
  expect(probability(wallet({ ...young, approvers: 500 }))).toBeLessThan(0.5)
  expect(probability(wallet({ ...young, sent_failed: 10, contracts_created: 10 }))).toBeLessThan(0.5)
})

const contact = (native_in: number, native_out: number, own: number) => ({
  counterparty: '0xbad',
  native_in,
  native_out,
  token_in: 0,
  token_out: 0,
  own,
})

test('more flagged value never lowers the score; dust and unasked movements do not raise it', () => {
  const at = (share: number) => probability(wallet(active, { contacts: [contact(share * 50, share * 49, 1)] }))
  const shares = [0, 0.02, 0.1, 0.5, 1].map(at)
  expect([...shares].sort((a, b) => a - b)).toEqual(shares)
  expect(at(0.005)).toBe(at(0))
  const pushed = probability(wallet(active, { contacts: [contact(0, 30, 0)] }))
  expect(pushed).toBe(at(0))
})

test('contributions and the bias add up to the margin, largest first', () => {
  const { margin, contributions } = model.predict({ wallet: wallet(active), now: NOW })
  expect(-2.2 + contributions.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(margin, 12)
  const sizes = contributions.map(({ contribution }) => Math.abs(contribution))
  expect([...sizes].sort((a, b) => b - a)).toEqual(sizes)
})
