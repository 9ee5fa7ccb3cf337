import { expect, test } from 'vitest'
import { crowd, ETH, flagsKit, flagsOf, pay, write } from '../../../../test/contract/scoring/flags.kit.ts'
import { named } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, verdicts } = flagsKit()

test('threats with a demand to three receivers are blackmail; messages of victims, bounty hunters and chatters, and a single quarrel, are not', async () => {
  const threat =
    'I have your photos and I will leak your photos to your family. Send 2 ETH to this address within 48 hours.'
  const people = crowd('v', 4)
  await happened(
    ...people.map((who, n) => write('extorter', who, 1 + n, threat)),
    pay('v0', 'extorter', 20, 2n * ETH),
    // A victim writes to the wallets that hold the loot.
    ...people.map((who, n) =>
      write(
        'robbed',
        who,
        1 + n,
        'You stole from us. Return the funds: send 90 ETH to this address within 24 hours, or we will expose your identity to the police.',
      ),
    ),
    ...people.map((who, n) =>
      write(
        'hunter',
        who,
        1 + n,
        'Your contract can be drained. This is a responsible disclosure; a bounty of 5 ETH to this address is welcome, before we publish the details of your files.',
      ),
    ),
    ...people.map((who, n) =>
      write('friend', who, 1 + n, 'gm! happy birthday, send me a photo of your family soon :)'),
    ),
    ...people.map((who, n) =>
      write('names', who, 1 + n, `renew vitalik.eth: please pay 0.01 ETH within 30 days, id ${n}`),
    ),
    ...people.map((who, n) =>
      write(
        'spy',
        who,
        1 + n,
        'I know what you did on that website. Pay up or your family and employer will get the video.',
      ),
    ),
    write('angry', 'v1', 9, threat),
    ...people.map((who, n) =>
      write('minter', who, 1 + n, `data:,{"p":"erc-20","op":"mint","tick":"pay 2 eth","id":"${n}"}`),
    ),
  )
  const [extorter, angry, spy] = await verdicts('extorter', 'angry', 'spy')
  expect(flagsOf(spy)).toEqual({ blackmail_activities: '1', data_source: 'extortion-message' })
  expect(flagsOf(extorter)).toEqual({ blackmail_activities: '1', data_source: 'extortion-message' })
  expect(extorter!.reasons[0]).toMatchObject({
    code: 'BLACKMAIL_ACTIVITIES',
    evidence: {
      receivers: 4,
      messages: [{ receiver: named('v0'), text: threat, transaction: '0x1-0' }, {}, {}, {}],
      payers: [{ payer: named('v0'), amount: { amount: '2', unit: 'ETH', usd: '4000.00' }, transaction: '0x14-0' }],
    },
  })
  expect(flagsOf(angry)).toEqual({})
  await clean('robbed', 'hunter', 'friend', 'names', 'minter', ...people)
})

const THREAT =
  'I have your photos and I will leak your photos to your family. Send 2 ETH to this address within 48 hours.'
const HONEST = {
  photographer:
    'We will publish the photos of the wedding on Sunday. Send 0.05 ETH to this address if you would like prints.',
  seller: 'Thank you for your order! Send 0.2 ETH to this address and we send the files to your mail on the same day.',
  fund: 'We will release all documents of the campaign next week. To take part send 1 ETH to this address before Friday.',
  storage:
    'Your storage ends soon. Please pay 5 USDC within 7 days, otherwise your files will be deleted from our nodes.',
  lender:
    'Your loan is due: pay 2 ETH within 3 days, otherwise your collateral goes to the lender and you lose everything.',
  // Victims who write to the wallets that hold what was taken, and call it neither theft nor hack.
  negotiator:
    'We have identified you. Send 90% of the funds to 0x1111111111111111111111111111111111111111 within 24 hours or we will release your identity to everyone.',
  trader:
    'Hello. We know who you are from your deposits. Send back 800 ETH to this address before Friday and keep the rest, otherwise we expose your identity.',
  protocol:
    'Transfer 500 ETH of our users to our address within 48 hours. If you do not, we will publish all the data we have about you and your family.',
  payer: 'Please refund my transfer: send 30 ETH to this address within 7 days, or else there will be consequences.',
  deployer:
    'This is the team. Send the tokens back, 12 ETH to this address until Monday, otherwise your documents will be sent to the exchange.',
  warner:
    'Beware: mails like "pay me 0.5 ETH within 24 hours or your family will get the video" are a fraud. Do not pay anybody.',
}

test("offers, service notices and warnings are no threats, and payouts with words of customers are not the service's own", async () => {
  const people = crowd('v', 3)
  await happened(
    ...Object.entries(HONEST).flatMap(([name, text]) => people.map((who, n) => write(name, who, 1 + n, text))),
    // An exchange puts its customers' memos into the withdrawals.
    pay('cold', 'exchange', 1, 100n * ETH),
    ...people.map((who, n) => ({ ...write('exchange', who, 2 + n, THREAT), value: ETH / 100n })),
  )
  await clean('exchange', ...Object.keys(HONEST))
})

test('an extorter who promises to give back files or to keep quiet is one', async () => {
  const letters = {
    locker:
      'Your database was encrypted. Send 1 BTC to this address within 3 days and get your files back, otherwise they will be leaked.',
    loud: 'I will ddos your servers unless you send 5 ETH to this wallet. Keep your funds safe.',
  }
  await happened(
    ...Object.entries(letters).flatMap(([name, text]) => crowd('v', 3).map((who, n) => write(name, who, 1 + n, text))),
  )
  for (const one of await verdicts(...Object.keys(letters)))
    expect(flagsOf(one)).toEqual({ blackmail_activities: '1', data_source: 'extortion-message' })
})

test('hundreds of harmless messages after three threats clear nobody, however the letters are written', async () => {
  const wide = [...THREAT].map((one) => (/[a-z]/i.test(one) ? String.fromCodePoint(one.charCodeAt(0) + 0xfee0) : one))
  await happened(
    ...crowd('v', 3).map((who, n) => write('extorter', who, 1 + n, n === 1 ? wide.join('') : THREAT)),
    ...Object.values(HONEST).map((text) => write('extorter', 'v0', 0, text)),
    ...crowd('x', 501).map(() => write('extorter', 'v0', 9, THREAT)),
    ...crowd('u', 501).map((who) => write('extorter', who, 10, 'gm, have a nice day, and send me a card some time')),
  )
  const [extorter] = await verdicts('extorter')
  expect(flagsOf(extorter)).toEqual({ blackmail_activities: '1', data_source: 'extortion-message' })
})
