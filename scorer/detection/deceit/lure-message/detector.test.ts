import { expect, test } from 'vitest'
import { crowd, ETH, flagsKit, flagsOf, pay, write } from '../../../../test/contract/scoring/flags.kit.ts'

const { clean, happened, verdicts } = flagsKit()

const LURE = '🏆 Claim your 977 coins at not-coin.xyz before they are gone'

test('an invitation to many strangers with next to nothing is a lure; messages to customers, payouts, news and few receivers are not', async () => {
  const many = crowd('stranger', 60)
  const customers = crowd('customer', 60)
  await happened(
    many.map((who) => write('spammer', who, 10, LURE)),
    // A shop writes to its customers.
    customers.map((who) => pay(who, 'shop', 1, ETH)),
    customers.map((who) => write('shop', who, 10, 'Visit our-shop.com to claim the voucher for your order')),
    // A game pays the amount that its message states.
    many.map((who) => ({
      ...write('game', who, 10, 'Your reward from game.app, claim more tomorrow'),
      value: ETH / 10n,
    })),
    // A pool pays small stakers less than a cent, from another wallet than the one they sent to.
    many.map((who) => ({ ...write('pool', who, 10, 'Staking reward from our-pool.com, epoch 7'), value: 10n ** 12n })),
    // The same words without a payment are no payout.
    many.map((who) => ({ ...write('tease', who, 10, 'Staking reward from our-pool.com, epoch 7'), value: 1n })),
    // A worthless amount does not turn an invitation into a payout.
    many.map((who) => ({ ...write('baiter', who, 10, LURE), value: 10n ** 12n })),
    many.map((who) => write('news', who, 10, 'The minutes of the meeting are on our-council.org')),
    many.map((who) => write('poet', who, 10, 'A gift is a gift, and a reward is a reward, my friend')),
    many.slice(0, 49).map((who) => write('shy', who, 10, LURE)),
    // A writer with the same few receivers, again and again.
    Array.from({ length: 120 }, (_, n) => write('nag', `stranger${n % 20}`, 10 + n, LURE)),
  )
  const [spammer] = await verdicts('spammer')
  expect(flagsOf(spammer)).toEqual({ phishing_activities: '1', data_source: 'lure-message' })
  expect(spammer!.reasons[0]).toMatchObject({
    code: 'PHISHING_ACTIVITIES',
    evidence: { receivers: 60, messages: [{ text: LURE }, {}, {}, {}, {}] },
  })
  for (const lurer of await verdicts('tease', 'baiter'))
    expect(flagsOf(lurer)).toMatchObject({ data_source: 'lure-message' })
  await clean('shop', 'game', 'pool', 'news', 'poet', 'shy', 'nag', 'stranger0', 'customer0')
})

test('accomplices that send something to the writer do not excuse it', async () => {
  const many = crowd('stranger', 70)
  await happened(
    many.slice(0, 15).map((who) => pay(who, 'spammer', 1, ETH)),
    many.map((who) => write('spammer', who, 10, LURE)),
  )
  const [spammer] = await verdicts('spammer')
  expect(spammer!.reasons[0]).toMatchObject({ evidence: { receivers: 55 } })
})

test('later or additional messages do not clear a writer of lures: letters, lures to one accomplice, brands and other alphabets', async () => {
  const many = crowd('stranger', 60)
  const wide = (text: string) => text.replace(/[a-z]/gi, (one) => String.fromCodePoint(one.charCodeAt(0) + 0xfee0))
  await happened(
    many.map((who) => write('decoy', who, 9, 'gift.xyz gift.xyz: what a name for a page')),
    ['padder', 'decoy'].flatMap((by) => many.map((who) => write(by, who, 10, LURE))),
    many.map((who) => write('wide', who, 10, wide(LURE))),
    crowd('reader', 501).map((who) => write('padder', who, 20, 'gm, and have a nice day all of you')),
    Array.from({ length: 501 }, () => write('padder', 'accomplice', 30, LURE)),
  )
  for (const lurer of await verdicts('padder', 'decoy', 'wide'))
    expect(flagsOf(lurer)).toEqual({ phishing_activities: '1', data_source: 'lure-message' })
})
