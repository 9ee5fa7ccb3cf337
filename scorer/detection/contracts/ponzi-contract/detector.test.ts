import { expect, test } from 'vitest'
import { act, coin, crowd, ETH, flagsKit, flagsOf, pay } from '../../../../test/contract/scoring/flags.kit.ts'
import { type Action, named, type Tx } from '../../../../test/kit/world/transactions.ts'

const { clean, happened, verdicts } = flagsKit()

/** A deposit into a contract that pays somebody else in the same transaction. */
const deposit = (who: string, contract: string, block: number, ...paid: [string, bigint][]): Tx => ({
  ...act(
    who,
    named(contract),
    block,
    ...paid.map(([to, amount]): Action => ({ do: 'internal', from: named(contract), to: named(to), amount })),
  ),
  value: ETH,
})

test('a Ponzi scheme is found, however many busier contracts other accounts of the batch have', async () => {
  const mills = ['mill0', 'mill1']
  const contracts = mills.flatMap((mill) => crowd(`${mill}-`, 30).map((contract) => ({ mill, contract })))
  const people = crowd('p', 14)
  await happened(
    contracts.map(({ mill, contract }) => act(mill, '', 1, { do: 'create', contract: named(contract) })),
    contracts.flatMap(({ mill, contract }) =>
      crowd('u', 15).map((who, n) => deposit(who, contract, 10 + n, [mill, ETH])),
    ),
    act('schemer', '', 1, { do: 'create', contract: named('pyramid') }),
    people.map((who, n) =>
      deposit(
        who,
        'pyramid',
        40 + n,
        ['schemer', ETH / 10n],
        ...(n > 0 ? [[people[Math.floor(n / 3)]!, (ETH * 85n) / 100n] as [string, bigint]] : []),
      ),
    ),
  )
  const [schemer, ...honest] = await verdicts('schemer', ...mills)
  expect(flagsOf(schemer)).toEqual({ financial_crime: '1', data_source: 'ponzi-contract' })
  for (const mill of honest) expect(flagsOf(mill)).toEqual({})
})

test('a market that pays sellers with the money of buyers is no Ponzi scheme', async () => {
  const people = crowd('p', 14)
  await happened(
    act('gallery', '', 1, { do: 'create', contract: named('salon') }),
    people.map((who, n) => {
      const early = people[Math.floor(n / 3)]!
      const sale = deposit(
        who,
        'salon',
        10 + n,
        ['gallery', ETH / 10n],
        ...(n > 0 ? [[early, (ETH * 85n) / 100n] as [string, bigint]] : []),
      )
      const from = named(n > 0 ? early : 'gallery')
      const work: Action = { do: 'nft', from, to: named(who), asset: named('works'), id: BigInt(n) }
      return { ...sale, actions: [...(sale.actions ?? []), work] }
    }),
  )
  await clean('gallery', 'salon', ...people)
})

test('a contract that pays early users with the deposits of later ones is a Ponzi scheme; auctions, lotteries, pools and splitters are not', async () => {
  const people = crowd('p', 14)
  const made = (maker: string, contract: string): Tx => act(maker, '', 1, { do: 'create', contract: named(contract) })
  const part = (share: bigint) => (ETH * share) / 100n
  await happened(
    made('schemer', 'pyramid'),
    ...people.map((who, n) => {
      const early = people[Math.floor(n / 3)]!
      return deposit(
        who,
        'pyramid',
        10 + n,
        ['schemer', part(10n)],
        ...(n > 0 ? [[early, part(85n)] as [string, bigint]] : []),
      )
    }),
    // An auction: every bidder is repaid by the next one, so nobody gains.
    made('house', 'auction'),
    ...people.map((who, n) =>
      deposit(who, 'auction', 30 + n, ...(n > 0 ? [[people[n - 1]!, ETH] as [string, bigint]] : [])),
    ),
    // A lottery: one winner takes it all.
    made('casino', 'lottery'),
    ...people.map((who, n) =>
      deposit(
        who,
        'lottery',
        50 + n,
        ['casino', part(5n)],
        ...(n === 13 ? [['p7', 12n * ETH] as [string, bigint]] : []),
      ),
    ),
    // A pool: rewards come from outside, and everybody collects their own.
    made('farmer', 'farm'),
    pay('donor', 'farm', 70, 50n * ETH),
    ...people.map((who, n) => deposit(who, 'farm', 70 + n)),
    ...people.map((who, n) => act(who, 'farm', 90 + n, coin('farm', who, 2n * ETH))),
    // A shop that pays a tenth to the customer who recommended it: five early customers earn more than they spent.
    made('seller', 'shop'),
    ...crowd('r', 5).map((who, n) => deposit(who, 'shop', 130 + n, ['seller', ETH])),
    ...crowd('c', 60).map((who, n) => deposit(who, 'shop', 140 + n, ['seller', part(90n)], [`r${n % 5}`, part(10n)])),
    // A splitter: its income goes to the owners, who pay nothing.
    made('artist', 'splitter'),
    ...people.map((who, n) => deposit(who, 'splitter', 110 + n, ['artist', part(50n)], ['band', part(50n)])),
  )
  const [schemer, pyramid] = await verdicts('schemer', 'pyramid')
  expect(flagsOf(schemer)).toEqual({ financial_crime: '1', data_source: 'ponzi-contract' })
  expect(flagsOf(pyramid)).toEqual({ financial_crime: '1', data_source: 'ponzi-contract' })
  expect(schemer!.reasons[0]).toMatchObject({
    code: 'FINANCIAL_CRIME',
    evidence: {
      contract: named('pyramid'),
      depositors: 14,
      winners: 5,
      losers: 9,
      deposited: { amount: '14', unit: 'ETH', usd: '28000.00' },
      transactions: { length: 10 },
    },
  })
  await clean(
    'house',
    'auction',
    'casino',
    'lottery',
    'farmer',
    'farm',
    'artist',
    'splitter',
    'seller',
    'shop',
    ...people,
  )
})
