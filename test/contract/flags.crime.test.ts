import { expect, test } from 'vitest'
import { writeLabels } from '../../scorer/ledger/labels/write.ts'
import { named, type Tx } from '../kit/world/transactions.ts'
import { act, acts, approve, crowd, ETH, flagsKit, flagsOf, listed, move, pay, USDC, write } from './flags.kit.ts'

const { clean, happened, store, verdicts } = flagsKit()

test('threats with a demand to three receivers are blackmail; victims, bounty hunters, chatters and a single quarrel are not', async () => {
  const threat =
    'I have your photos and I will leak your photos to your family. Send 2 ETH to this address within 48 hours.'
  const people = crowd('v', 4)
  await happened(
    ...people.map((who, n) => write('extorter', who, 1 + n, threat)),
    pay('v0', 'extorter', 20, 2n * ETH),
    // Somebody who was robbed, to the wallets that hold the loot.
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
      payers: [{ payer: named('v0'), amount: 2e18, transaction: '0x14-0' }],
    },
  })
  expect(flagsOf(angry)).toEqual({})
  await clean('robbed', 'hunter', 'friend', 'names', 'minter', ...people)
})

test('who feeds approvers and then empties them mines them; pools their members leave, billers and payers are not', async () => {
  const members = (prefix: string) => crowd(prefix, 6)
  const fund = (who: string, block: number): Tx => act('bank', USDC, block, move('bank', who, 1000n))
  const join = (prefix: string, spender: string): Tx[] =>
    members(prefix).flatMap((who, n) => [...acts(who, 1 + n), fund(who, 1 + n), approve(who, spender, 10 + n)])
  const feed = (prefix: string, payer: string, times: number): Tx[] =>
    members(prefix).flatMap((who, n) =>
      Array.from({ length: times }, (_, time) => pay(payer, who, 20 + n + 10 * time, ETH / 100n)),
    )
  const take = (by: string, from: string, to: string, block: number, amount: bigint, contract = USDC): Tx =>
    act(by, contract, block, move(from, to, amount))
  await happened(
    act('crook', '', 1, { do: 'create', contract: named('mine') }),
    ...join('a', 'mine'),
    ...feed('a', 'crook', 2),
    ...['a0', 'a1', 'a2'].map((who, n) => take('crook', who, 'sink', 9_000 + n, 1000n, named('mine'))),
    // Fed from a purse kept for the purpose.
    ...join('f', 'hand'),
    ...feed('f', 'purse', 2),
    ...['f0', 'f1', 'f2'].map((who, n) => take('hand', who, 'sink', 9_100 + n, 1000n)),
    // An employer whose people fell for it pays others too; a processor fed and gathered addresses of its own.
    ...['f0', 'f1', 'f2', 'clerk0', 'clerk1'].flatMap((who) => [50, 60].map((at) => pay('boss', who, at, ETH / 100n))),
    ...feed('p', 'processor', 3).map((tx) => ({ ...tx, block: tx.block - 20 })),
    ...join('p', 'gather'),
    ...feed('p', 'processor', 2),
    ...['p0', 'p1', 'p2', 'p3'].map((who, n) => take('gather', who, 'processor', 9_200 + n, 1000n)),
    // Members stake and leave themselves, the pool pays rewards.
    act('chef', '', 1, { do: 'create', contract: named('stake') }),
    ...join('b', 'stake'),
    ...members('b').map((who, n) => take(who, who, 'stake', 100 + n, 1000n, named('stake'))),
    ...feed('b', 'chef', 3),
    // A biller takes its fee and refunds gas.
    ...join('c', 'biller'),
    ...feed('c', 'biller', 2),
    ...members('c').map((who, n) => take('biller', who, 'shop', 200 + n, 20n)),
    // Takes everything, but never fed anyone: another flag's business.
    ...join('d', 'broker'),
    take('broker', 'd0', 'vault', 300, 1000n),
    take('broker', 'd1', 'vault', 301, 1000n),
    // One debtor is emptied after two loans.
    ...join('e', 'lender'),
    ...feed('e', 'lender', 2),
    take('lender', 'e0', 'lender', 400, 1000n),
  )
  const [crook, mine, hand] = await verdicts('crook', 'mine', 'hand')
  for (const scored of [crook, mine, hand]) {
    expect(flagsOf(scored)).toMatchObject({
      malicious_mining_activities: '1',
      data_source: expect.stringContaining('fake-mining'),
    })
  }
  expect(crook!.reasons.find(({ code }) => code === 'MALICIOUS_MINING_ACTIVITIES')).toMatchObject({
    evidence: {
      spender: named('mine'),
      owners: 6,
      victims: [{ victim: named('a0'), amount: '1000', paidIn: ['0x14-0', '0x1e-0'] }, {}, {}],
    },
  })
  const [purse] = await verdicts('purse')
  expect(flagsOf(purse)).toEqual({ malicious_mining_activities: '1', data_source: 'fake-mining' })
  expect(purse!.reasons[0]!.evidence).toMatchObject({ role: 'payer', spender: named('hand'), owners: 6 })
  await clean('boss', 'processor', 'chef', 'stake', 'biller', 'broker', 'lender', 'bank', 'a0', 'b0', 'c0', 'd0', 'e0')
})

test('a feeder is known by all it fed, whoever else is asked about', async () => {
  const owners = crowd('a', 6)
  await happened(
    act('crook', '', 1, { do: 'create', contract: named('mine') }),
    owners.flatMap((who, n) => [
      ...acts(who, 2 + n),
      act('bank', USDC, 2 + n, move('bank', who, 1000n)),
      approve(who, 'mine', 10 + n),
      approve(who, 'other', 20 + n),
      ...[30, 40].map((block) => pay('purse', who, block + n, ETH / 100n)),
    ]),
    ['a0', 'a1'].map((who, n) => act('crook', 'mine', 9_000 + n, move(who, 'sink', 1000n))),
    ['a2', 'a3'].map((who, n) => act('other', USDC, 9_100 + n, move(who, 'sink', 1000n))),
  )
  const [alone] = await verdicts('crook')
  expect(flagsOf(alone)).toMatchObject({ malicious_mining_activities: '1', data_source: 'fake-mining' })
  const [among] = await verdicts('crook', 'other', 'purse', ...owners)
  expect(among).toEqual(alone)
})

test('who pays a dark-web service deals with it; who is paid by it, pays trifles, for others, or someone else does not', async () => {
  const label = (name: string, what: string) => listed(name, what, { class: 'reported' })
  await writeLabels(store(), [label('market', 'darknet'), label('scam', 'phishing')])
  await happened(
    pay('buyer', 'market', 1),
    pay('market', 'paid', 2),
    pay('paid', 'shop', 3),
    pay('curious', 'market', 4, ETH / 1_000n),
    pay('fooled', 'scam', 5),
    // Pay out for customers, many or some; a busy person who comes back does not.
    crowd('c', 51).map((customer, n) => pay('processor', customer, 10 + n)),
    [70, 71, 72].map((block) => pay('processor', 'market', block)),
    crowd('d', 21).map((customer, n) => pay('exchange', customer, 40 + n)),
    pay('exchange', 'market', 70),
    crowd('e', 21).map((payee, n) => pay('busy', payee, 40 + n)),
    [70, 71, 72].map((block) => pay('busy', 'market', block)),
  )
  const [buyer, busy] = await verdicts('buyer', 'busy')
  expect(flagsOf(busy)).toMatchObject({ darkweb_transactions: '1' })
  expect(flagsOf(buyer)).toEqual({ darkweb_transactions: '1', data_source: 'darknet-payment' })
  expect(buyer!.reasons[0]).toMatchObject({
    evidence: { services: [named('market')], payments: [{ amount: 1e18, transaction: '0x1-0' }] },
  })
  await clean('paid', 'curious', 'fooled', 'shop', 'processor', 'exchange')
})
