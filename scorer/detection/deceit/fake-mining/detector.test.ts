import { expect, test } from 'vitest'
import {
  act,
  acts,
  approve,
  coin,
  crowd,
  ETH,
  flagsKit,
  flagsOf,
  lies,
  move,
  pay,
  USDC,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, verdicts } = flagsKit()

test('a payer who feeds approvers and then empties them is convicted; pools, billers and plain payers are not', async () => {
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
    // A stranger's token states that the funders pay thousands, which does not make them services.
    ...['crook', 'purse'].map((who) => lies(who, 1_500, 9_900)),
    // Funded from a wallet kept for this purpose.
    ...join('f', 'hand'),
    ...feed('f', 'purse', 2),
    ...['f0', 'f1', 'f2'].map((who, n) => take('hand', who, 'sink', 9_100 + n, 1000n)),
    // An employer whose staff fell for the scam pays others too; a payment processor funds and sweeps its own addresses.
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
    // It takes everything but never funded anybody: a case for another flag.
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
      victims: [
        { victim: named('a0'), amount: { amount: '0.001', unit: 'USDC', usd: '0.00' }, paidIn: ['0x14-0', '0x1e-0'] },
        {},
        {},
      ],
    },
  })
  const [purse] = await verdicts('purse')
  expect(flagsOf(purse)).toEqual({ malicious_mining_activities: '1', data_source: 'fake-mining' })
  expect(purse!.reasons[0]!.evidence).toMatchObject({ role: 'payer', spender: named('hand'), owners: 6 })
  await clean('boss', 'processor', 'chef', 'stake', 'biller', 'broker', 'lender', 'bank', 'a0', 'b0', 'c0', 'd0', 'e0')
})

test('a feeder is found by everyone it paid, independent of the rest of the batch', async () => {
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

test('neither payees in lying tokens nor dust before the payouts hide a feeder', async () => {
  const owners = crowd('a', 6)
  await happened(
    owners.flatMap((who, n) => [
      ...acts(who, 2 + n),
      act('bank', USDC, 2 + n, move('bank', who, 1000n)),
      approve(who, 'hand', 10 + n),
      ...[30, 40].map((block) => pay('purse', who, block + n, ETH / 100n)),
    ]),
    act(
      'crumbs',
      'multisend',
      25,
      ...crowd('x', 210).flatMap((_, n) => ['a0', 'a1', 'a2'].map((who) => coin(`x${n % 30}`, who, 1n))),
    ),
    ['a0', 'a1', 'a2'].map((who, n) => act('hand', USDC, 9_000 + n, move(who, 'sink', 1000n))),
    lies('purse', 1_500, 9_900),
  )
  for (const guilty of await verdicts('hand', 'purse'))
    expect(flagsOf(guilty)).toMatchObject({ malicious_mining_activities: '1' })
})

test('a service that invests what its users get, at once or from its own stock, is not convicted', async () => {
  const [users, clients, owners] = [crowd('u', 6), crowd('c', 6), crowd('a', 6)]
  const SAVED = 100n * 10n ** 6n
  const saves = (who: string, block: number) => act('bank', USDC, block, move('bank', who, SAVED))
  const rounds = [1_000, 2_000, 3_000]
  await happened(
    [...users, ...clients, ...owners].flatMap((who, n) => acts(who, 2 + n)),
    act('maker', '', 1, { do: 'create', contract: named('invest') }),
    users.map((who, n) => approve(who, 'invest', 30 + n)),
    clients.map((who, n) => approve(who, 'desk', 30 + n)),
    owners.map((who, n) => approve(who, 'thief', 30 + n)),
    rounds.flatMap((block, round) => [
      ...[...users, ...clients, ...(round === 2 ? owners : [])].map((who) => saves(who, block)),
      // Sells the dollars, and pays out coins.
      ...users.map((who, n) =>
        act(
          'keeper',
          'invest',
          block + 10 + n,
          move(who, 'invest', SAVED),
          move('invest', 'pool', SAVED),
          coin('invest', who, ETH / 30n),
        ),
      ),
      ...clients.flatMap((who, n) => [
        act('desk', USDC, block + 10 + n, move(who, 'desk', SAVED)),
        pay('desk', who, block + 20 + n, ETH / 30n),
      ]),
      // Pays for the first two rounds without taking anything, and for the third a trifle.
      ...owners.flatMap((who, n) => [
        ...(round === 2 ? [act('thief', USDC, block + 10 + n, move(who, 'thief', SAVED))] : []),
        pay('thief', who, block + 20 + n, ETH / 500n),
      ]),
    ]),
  )
  await clean('maker', 'invest', 'keeper', 'desk')
  const [thief] = await verdicts('thief')
  expect(flagsOf(thief)).toMatchObject({ malicious_mining_activities: '1' })
})
