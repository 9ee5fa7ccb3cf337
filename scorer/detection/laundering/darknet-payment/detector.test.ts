import { expect, test } from 'vitest'
import { crowd, ETH, flagsKit, flagsOf, listed, pay } from '../../../../test/contract/scoring/flags.kit.ts'
import { named } from '../../../../test/kit/world/transactions.ts'
import { writeLabels } from '../../../ledger/labels/write.ts'

const { clean, happened, score, store, verdicts } = flagsKit()

test('a payer of a dark-web service is flagged; receivers, payers of trifles, payers for others and unrelated wallets are not', async () => {
  const label = (name: string, what: string) => listed(name, what, { class: 'reported' })
  await writeLabels(store(), [label('market', 'darknet'), label('scam', 'phishing')])
  await happened(
    pay('buyer', 'market', 1),
    pay('market', 'paid', 2),
    pay('paid', 'shop', 3),
    pay('curious', 'market', 4, ETH / 1_000n),
    pay('fooled', 'scam', 5),
    // Services that pay for many or a few customers; a busy person who returns is none.
    crowd('c', 51).map((customer, n) => pay('processor', customer, 10 + n)),
    [70, 71, 72].map((block) => pay('processor', 'market', block)),
    crowd('d', 21).map((customer, n) => pay('exchange', customer, 40 + n)),
    pay('exchange', 'market', 70),
    crowd('e', 21).map((payee, n) => pay('busy', payee, 40 + n)),
    [70, 71, 300].map((block) => pay('busy', 'market', block)),
  )
  const [buyer, busy] = await verdicts('buyer', 'busy')
  expect(flagsOf(busy)).toMatchObject({ darkweb_transactions: '1' })
  expect(flagsOf(buyer)).toEqual({ darkweb_transactions: '1', data_source: 'darknet-payment' })
  expect(buyer!.reasons[0]).toMatchObject({
    evidence: {
      services: [named('market')],
      payments: [{ amount: { amount: '1', unit: 'ETH', usd: '2000.00' }, transaction: '0x1-0' }],
    },
  })
  await clean('paid', 'curious', 'fooled', 'shop', 'processor', 'exchange')
})

const DAY = 144
/** $60. */
const ORDER = (ETH * 3n) / 100n

test('one payment by a wallet that may pay for customers, employees or suppliers is unknown; a personal wallet pays for itself', async () => {
  const [customers, shoppers] = [crowd('c', 15), crowd('s', 15)]
  const name = (of: string, n: number) => `${of}-${n}`
  await writeLabels(store(), [listed('market', 'darknet', { class: 'reported' })])
  await happened(
    // A small exchange: deposit addresses are swept into its hot wallet, and one of few withdrawals goes to the market.
    customers.flatMap((one, n) => [
      pay(one, name('deposit', n), 1, 2n * ETH),
      pay(name('deposit', n), 'hot', 2, (ETH * 19n) / 10n),
      pay('hot', one, 10 + n, ETH / 10n),
    ]),
    pay('hot', 'market', 40, ORDER),
    // A younger one with four customers, and one whose hot wallet a collecting wallet feeds.
    customers
      .slice(0, 4)
      .flatMap((one, n) => [pay(one, name('d', n), 1, 2n * ETH), pay(name('d', n), 'young', 2, (ETH * 19n) / 10n)]),
    pay('young', 'c0', 10, ETH / 10n),
    pay('young', 'market', 40, ORDER),
    customers.map((one) => pay(one, 'collecting', 1)),
    pay('collecting', 'fed', 5, 9n * ETH),
    pay('fed', 'c1', 10, ETH / 10n),
    pay('fed', 'market', 40, ORDER),
    // A payroll: one of 15 employees has wages paid to the market.
    pay('treasury', 'payroll', 1, 90n * ETH),
    [0, 30 * DAY].flatMap((at) => crowd('e', 14).map((one, n) => pay('payroll', one, 2 + at + n))),
    pay('payroll', 'market', 40 + 30 * DAY),
    // A processor of many buyers for few shops, and a shop of gift cards that pays back one buyer.
    shoppers.flatMap((one, n) => [pay(one, 'processor', 1 + n), pay(one, 'cards', 1 + n)]),
    crowd('shop', 5).map((shop, n) => pay('processor', shop, 30 + n)),
    pay('processor', 'market', 40, ORDER),
    pay('cards', 'supplier', 30, 9n * ETH),
    pay('cards', 'market', 40, ORDER),
    // Three orders of one customer, or of one day, are no habit of a hot wallet.
    customers.flatMap((one, n) => [
      pay(one, name('x', n), 1, 3n * ETH),
      pay(name('x', n), 'hot3', 2, (ETH * 29n) / 10n),
      ...[0, 1].map((more) => pay('hot3', one, 10 + n + 20 * more, ETH / 10n)),
    ]),
    [60, 60 + DAY, 60 + 2 * DAY].map((block) => pay('hot3', 'market', block, ORDER)),
    // Ordinary people: paid by an exchange that pays many, by an employer and by a friend.
    pay('bank', 'once', 1),
    crowd('k', 15).map((other, n) => pay(other, 'bank', n)),
    crowd('k', 15).map((other, n) => pay('bank', other, 20 + n, ETH / 2n)),
    pay('boss', 'once', 2),
    pay('once', 'grocer', 3, ETH / 10n),
    pay('once', 'market', 40, ORDER),
    // A person that many pay, and that returns to the market.
    shoppers.map((one, n) => pay(one, 'often', 1 + n, ETH / 10n)),
    [40, 40 + DAY, 40 + 2 * DAY].map((block) => pay('often', 'market', block, ORDER)),
  )
  const scored = await score(['hot', 'young', 'fed', 'payroll', 'processor', 'cards', 'hot3', 'once', 'often'])
  for (const [who, verdict] of scored) {
    const guilty = who === 'once' || who === 'often'
    expect(flagsOf(verdict), who).toEqual(guilty ? { darkweb_transactions: '1', data_source: 'darknet-payment' } : {})
    if (!guilty)
      expect(verdict.unknowns, who).toContainEqual(expect.stringMatching(/^darkweb_transactions: .*customers/))
  }
})

test('payments that a buyer sends to itself make its flag unknown; repeated purchases raise it again', async () => {
  await writeLabels(store(), [listed('market', 'darknet', { class: 'reported' })])
  const buys = (who: string, blocks: number[]) => [
    crowd(`${who}-sybil`, 12).map((one, n) => pay(one, who, 1 + n, ETH / 100n)),
    blocks.map((block) => pay(who, 'market', block, ORDER)),
  ]
  await happened(...buys('sly', [40]), ...buys('hasty', [40, 41, 42]), ...buys('bold', [40, 41, 40 + DAY]))
  const scored = await score(['sly', 'hasty', 'bold'])
  for (const who of ['sly', 'hasty']) {
    expect(flagsOf(scored.get(who)), who).toEqual({})
    expect(scored.get(who)!.unknowns, who).toContainEqual(expect.stringMatching(/^darkweb_transactions: .*customers/))
  }
  expect(flagsOf(scored.get('bold'))).toMatchObject({ darkweb_transactions: '1' })
})
