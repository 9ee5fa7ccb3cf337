import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NETWORKS } from '../../../schema/networks.ts'
import type { UsedApproval } from '../../detection/shared/approvals/approvals.ts'
import type { Drain } from '../../detection/theft/approval-drain/drain.ts'
import { ALL_READ } from '../../ledger/authorities/coverage.ts'
import type { Contact } from '../../ledger/contacts.ts'
import type { FlaggedInflow } from '../../ledger/exposure/inflow.ts'
import { emptyWallet, type WalletFeatures } from '../../ledger/features/wallet.ts'
import type { Wallet } from '../wallet.ts'
import { logit } from './trees.ts'
import { createWalletModel } from './wallet-model.ts'

const model = createWalletModel()
const PRIOR = 0.01
const DAY = 86_400
const START = 1_700_000_000

const wallet = (features: Partial<WalletFeatures> = {}, over: Partial<Wallet> = {}): Wallet => ({
  network: 'ETH',
  address: '0xa',
  features: { ...emptyWallet('0xa'), ...features },
  contacts: [],
  known: { listings: [], labels: [] },
  logs: ALL_READ,
  service: false,
  evidence: {},
  ...over,
})

/** Income with a flagged part, nearly all of it spent. */
const inflow = (share: number, over: Partial<FlaggedInflow> = {}): FlaggedInflow => ({
  share,
  direct: share,
  doubtful: { share: 0, direct: 0, of: 'freeze' },
  peak: share,
  usd: share * 100_000,
  income: 100_000,
  spent: 95_000,
  hops: 1,
  sources: [{ address: '0xbad', category: 'sanctioned', usd: share * 100_000, share, hops: 1, path: ['0xbad'] }],
  deposit: false,
  cut: false,
  ...over,
})

type Life = { days: number; sent: number; to: number; each: number; most?: number }
type Income = { paid: number; from: number; each: number; most?: number }

/** Features of an account of the given age in days. */
const life = ({ days, sent, to, each, most = each }: Life, income: Income): Partial<WalletFeatures> => ({
  first_seen: START,
  last_seen: START + days * DAY,
  sent,
  sent_first: sent > 0 ? START : null,
  sent_last: sent > 0 ? START + days * DAY : null,
  sent_to: to,
  sent_max: sent > 0 ? most : null,
  sent_total: sent * each,
  received: income.paid,
  paid: income.paid,
  paid_first: income.paid > 0 ? START : null,
  paid_last: income.paid > 0 ? START + days * DAY : null,
  paid_max: income.paid > 0 ? (income.most ?? income.each) : null,
  paid_total: income.paid * income.each,
  payers: income.from,
  native_in: income.paid * income.each,
  native_paid: income.paid * income.each,
  native_out: sent * each,
})

const features = fc
  .record({
    days: fc.double({ min: 0, max: 3_000, noNaN: true }),
    sent: fc.integer({ min: 0, max: 100_000 }),
    to: fc.integer({ min: 0, max: 50_000 }),
    each: fc.double({ min: 0, max: 1_000, noNaN: true }),
    most: fc.double({ min: 0, max: 10_000, noNaN: true }),
    paid: fc.integer({ min: 0, max: 100_000 }),
    from: fc.integer({ min: 0, max: 50_000 }),
    income: fc.double({ min: 0, max: 1_000, noNaN: true }),
    largest: fc.double({ min: 0, max: 10_000, noNaN: true }),
  })
  .map(({ days, sent, to, each, most, paid, from, income, largest }) =>
    life(
      { days, sent, to: Math.min(sent, to), each, most },
      { paid, from: Math.min(paid, from), each: income, most: largest },
    ),
  )

const contact = (native_in: number, native_out: number, own = 1): Contact => ({
  counterparty: '0xbad',
  native_in,
  native_out,
  paid: BigInt(Math.round(native_out * 1e6)) * 10n ** 12n,
  token_in: 0,
  token_out: 0,
  own,
})
const drain = (victim: number): Drain => ({ victim: `0x${victim}`, time: START }) as Drain
const used = (owner: number): UsedApproval => ({ owner: `0x${owner}`, asset: '0xt', transaction: '0x1' })

const probability = (one: Wallet) => model.predict(one).probability

describe('missing data is not evidence', () => {
  test('a wallet without history, a contract and public infrastructure score the prior', () => {
    const busy = life({ days: 9, sent: 3, to: 2, each: 7 }, { paid: 40, from: 38, each: 0.6, most: 3 })
    for (const one of [
      wallet(),
      wallet({}, { contacts: null }),
      wallet({ ...busy, created: 1 }),
      wallet(busy, { service: true, contacts: [contact(24, 21)] }),
    ])
      expect(probability(one)).toBeCloseTo(PRIOR, 12)
  })

  test('a single transaction moves little', () => {
    const away = (paid: number) =>
      Math.abs(
        model.predict(wallet(life({ days: 0.1, sent: 1, to: 1, each: 1 }, { paid, from: paid, each: 1 }))).margin -
          logit(PRIOR),
      )
    expect(away(0)).toBeLessThan(0.6)
  })
})

describe('precision first', () => {
  const honest: [string, Partial<WalletFeatures>][] = [
    [
      'exchange, first ten minutes seen',
      life({ days: 0.007, sent: 60, to: 60, each: 0.5, most: 5 }, { paid: 20, from: 20, each: 1, most: 10 }),
    ],
    [
      'exchange, one day',
      life({ days: 1, sent: 3_000, to: 2_900, each: 0.5, most: 50 }, { paid: 800, from: 700, each: 2, most: 100 }),
    ],
    [
      'exchange, two years',
      life(
        { days: 730, sent: 300_000, to: 250_000, each: 0.6, most: 5_000 },
        { paid: 90_000, from: 60_000, each: 2, most: 5_000 },
      ),
    ],
    ['payroll', life({ days: 60, sent: 40, to: 20, each: 5, most: 8 }, { paid: 2, from: 1, each: 100, most: 110 })],
    ['arbitrage bot', life({ days: 1, sent: 400, to: 2, each: 0 }, { paid: 1, from: 1, each: 5 })],
    ['trader', life({ days: 200, sent: 500, to: 10, each: 0.2, most: 3 }, { paid: 8, from: 2, each: 3, most: 10 })],
    ['airdropper', life({ days: 3, sent: 2_000, to: 2_000, each: 0.05 }, { paid: 2, from: 1, each: 60, most: 90 })],
    ['faucet', life({ days: 300, sent: 5_000, to: 4_800, each: 0.04 }, { paid: 20, from: 3, each: 10 })],
    [
      'deposit address of an exchange',
      life({ days: 100, sent: 9, to: 1, each: 1.1, most: 4 }, { paid: 10, from: 9, each: 1, most: 4 }),
    ],
  ]
  test.each(honest)('%s is no suspect', (_, one) => {
    expect(probability(wallet(one))).toBeLessThan(0.1)
  })

  test('behaviour alone never convicts; with evidence of flagged value it does', () => {
    fc.assert(
      fc.property(features, (one) => {
        expect(probability(wallet(one))).toBeLessThanOrEqual(0.45 + 1e-12)
      }),
    )
    const giveaway = life({ days: 10, sent: 3, to: 2, each: 7, most: 15 }, { paid: 40, from: 38, each: 0.6, most: 3 })
    expect(probability(wallet(giveaway))).toBeCloseTo(0.45, 2)
    expect(probability(wallet(giveaway, { contacts: [contact(0, 10)] }))).toBeGreaterThan(0.5)
    expect(
      probability(
        wallet(life({ days: 300, sent: 60, to: 20, each: 1 }, { paid: 30, from: 10, each: 2 }), {
          contacts: [contact(60, 60)],
        }),
      ),
    ).toBeLessThan(0.5)
  })
})

test('more bad evidence never lowers the score', () => {
  const bad = fc.record({
    taken: fc.double({ min: 0, max: 1, noNaN: true }),
    given: fc.double({ min: 0, max: 1, noNaN: true }),
    mixed: fc.double({ min: 0, max: 1, noNaN: true }),
    victims: fc.integer({ min: 0, max: 9 }),
    approvers: fc.integer({ min: 0, max: 50 }),
    removes: fc.integer({ min: 0, max: 20 }),
    accused: fc.double({ min: 0, max: 1, noNaN: true }),
    funded: fc.boolean(),
  })
  fc.assert(
    fc.property(features, bad, bad, (one, a, b) => {
      const at = (
        name: 'taken' | 'given' | 'mixed' | 'victims' | 'approvers' | 'removes' | 'accused',
        most: boolean,
      ) => (most ? Math.max(a[name], b[name]) : Math.min(a[name], b[name]))
      const score = (most: boolean) =>
        probability(
          wallet(
            {
              ...one,
              contracts_created: 1,
              lp_adds: 10,
              lp_removes: at('removes', most),
              funder: (most ? a.funded || b.funded : a.funded && b.funded) ? '0xbad' : '0xgood',
            },
            {
              contacts: [contact(0, at('given', most) * (one.native_out ?? 0))],
              inflow: inflow(at('taken', most)),
              known: {
                listings: [],
                labels: [
                  {
                    network: 'ETH',
                    label: 'phishing',
                    detector: 'd',
                    class: 'propagated',
                    confidence: at('accused', most),
                    detector_version: '1',
                    evidence: '',
                    tx_hash: '',
                    block_number: 1,
                  },
                ],
              },
              evidence: {
                'mixer-habit': { moves: [], own: 1, share: at('mixed', most), mixed: [], before: false },
                'approval-drain': Array.from({ length: at('victims', most) }, (_, n) => drain(n)),
                usedApprovals: Array.from({ length: at('approvers', most) }, (_, n) => used(n)),
              },
            },
          ),
        )
      expect(score(true)).toBeGreaterThanOrEqual(score(false) - 1e-12)
    }),
    { numRuns: 500 },
  )
})

describe('a wallet that lives wholly on funds of flagged wallets', () => {
  const spends = fc.record({ share: fc.double({ min: 0.9, max: 1, noNaN: true }), far: fc.boolean() })

  test('is at least in the high band, whatever else is in its favour, directly or through others', () => {
    fc.assert(
      fc.property(features, spends, (one, { share, far }) => {
        const has = inflow(share, far ? { direct: 0, hops: 3 } : {})
        expect(probability(wallet(one, { inflow: has }))).toBeGreaterThanOrEqual(0.6 - 1e-9)
      }),
    )
  })

  test('is below 0.5 if the funds may be a trick, the address a deposit address, or only part of its life known', () => {
    const unsure: [Partial<FlaggedInflow>, Partial<Wallet>, Partial<WalletFeatures>][] = [
      [{ usd: 900, income: 900, spent: 900 }, {}, {}],
      [{ usd: 9_900, income: 9_900, spent: 0 }, {}, {}],
      // A gift to somebody with other income, who spends that.
      [{ usd: 90_000, income: 91_000, spent: 1_400 }, {}, {}],
      [{ deposit: true }, {}, {}],
      [{}, { past: { kind: 'unknown', why: 'it may have signed before' } }, {}],
      [{}, { past: { kind: 'fresh', why: 'it may have been paid before' } }, {}],
      [{}, { service: true }, {}],
      [{}, {}, { created: 1 }],
    ]
    fc.assert(
      fc.property(features, fc.constantFrom(...unsure), (one, [has, over, kind]) => {
        const judged = wallet(
          { ...one, ...kind, funder: '0xbad' },
          { ...over, inflow: inflow(1, has), contacts: [contact(9, 0)] },
        )
        expect(probability(judged)).toBeLessThan(0.5)
      }),
    )
  })

  test('is not a wallet that others paid as well', () => {
    const long = life({ days: 900, sent: 200, to: 60, each: 1 }, { paid: 100, from: 40, each: 2 })
    expect(probability(wallet(long, { inflow: inflow(0.85) }))).toBeLessThan(0.5)
  })
})

test('dust from strangers, flagged ones and funders included, changes nothing', () => {
  const dust = Number(NETWORKS.ETH.nativeCoin.dust) / 1e18
  fc.assert(
    fc.property(
      features,
      fc.integer({ min: 1, max: 1_000 }),
      fc.double({ min: 0, max: 0.99, noNaN: true }),
      (one, payments, size) => {
        const whole = { ...emptyWallet('0xa'), ...one }
        const dusted = {
          ...one,
          first_seen: START - DAY,
          last_seen: START + 4_000 * DAY,
          received: whole.received + payments,
          received_from: whole.received_from + payments,
          native_in_count: whole.native_in_count + payments,
          in_counterparties: whole.in_counterparties + payments,
          token_in_count: payments,
          token_zero: payments,
          funder: '0xbad',
        }
        expect(model.predict(wallet(dusted, { contacts: [contact(dust * size, 0, 0)] }))).toEqual(
          model.predict(wallet(one)),
        )
      },
    ),
  )
})

test('flagged value sent by others, or moved without its own act, does not count as its own payment', () => {
  const one = life({ days: 300, sent: 60, to: 20, each: 1 }, { paid: 30, from: 10, each: 2 })
  expect(probability(wallet(one, { contacts: [contact(0, 30, 0)] }))).toBe(probability(wallet(one)))
})

test('contributions and the prior add up to the margin, largest first, each named once', () => {
  fc.assert(
    fc.property(features, (one) => {
      const { margin, contributions } = model.predict(wallet(one, { contacts: [contact(3, 1)] }))
      expect(contributions.reduce((sum, { contribution }) => sum + contribution, logit(PRIOR))).toBeCloseTo(margin, 9)
      const sizes = contributions.map(({ contribution }) => Math.abs(contribution))
      expect([...sizes].sort((a, b) => b - a)).toEqual(sizes)
      expect(new Set(contributions.map(({ code }) => code)).size).toBe(contributions.length)
    }),
  )
})

test('flagged funds that are too small for a verdict are called small, not unspent', () => {
  const one = life({ days: 300, sent: 60, to: 20, each: 1 }, { paid: 30, from: 10, each: 2 })
  const doubtOf = (usd: number): unknown => {
    const doubtful = { share: 0.4, direct: 0.4, of: 'freeze' } as const
    const { contributions } = model.predict(
      wallet(one, { inflow: inflow(1, { usd, income: usd, spent: usd, doubtful }) }),
    )
    return contributions.find(({ code }) => code === 'FLAGGED_INFLOW')?.evidence?.doubt
  }
  expect([900, 1_500, 1_800].map(doubtOf)).toEqual(['the amount is small', 'the amount is small', undefined])
})

test('reasons state what can be verified and what would remove them', () => {
  const one = life({ days: 300, sent: 60, to: 20, each: 1 }, { paid: 30, from: 10, each: 2 })
  const { contributions } = model.predict(
    wallet(
      { ...one, funder: '0xbad' },
      { inflow: inflow(0.6), contacts: [contact(30, 0), { ...contact(6, 6), counterparty: '0xworse' }] },
    ),
  )
  expect(contributions.filter(({ evidence }) => evidence !== undefined)).toEqual([
    {
      code: 'FLAGGED_INFLOW',
      title: 'Received 60 % of its funds from sanctioned addresses',
      value: 0.6,
      contribution: 2.4,
      evidence: {
        share: 0.6,
        direct: 0.6,
        received: { amount: '60000.00', unit: 'USD', usd: '60000.00' },
        income: { amount: '100000.00', unit: 'USD', usd: '100000.00' },
        spent: { amount: '95000.00', unit: 'USD', usd: '95000.00' },
        hops: 1,
        counterparties: [
          {
            address: '0xbad',
            category: 'sanctioned',
            amount: { amount: '60000.00', unit: 'USD', usd: '60000.00' },
            share: 0.6,
            hops: 1,
            path: ['0xbad'],
          },
        ],
      },
      change: expect.any(String),
    },
    expect.objectContaining({ code: 'FUNDER_FLAGGED', evidence: { funder: '0xbad' } }),
    expect.objectContaining({
      code: 'FLAGGED_OUTFLOW',
      evidence: { counterparties: [{ address: '0xworse', amount: { amount: '6', unit: 'ETH', usd: '12000.00' } }] },
    }),
  ])
})
