import { expect, test } from 'vitest'
import { type Action, named, type Tx } from '../kit/world/transactions.ts'
import { act, approve, coin, crowd, ETH, flagsKit, flagsOf, launch, move, pay, USDC, WETH } from './flags.kit.ts'

const { clean, happened, score, verdicts } = flagsKit()

const pull = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'liquidity',
    pool: named(`${token}-p`),
    event: 'remove',
    amount0: 900_000n,
    amount1: base,
  })
const swap = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'swap',
    pool: named(`${token}-p`),
    amount0: -base / 10n ** 15n,
    amount1: base,
  })

test('a creator who takes the reserve from under buyers committed a rug; one who leaves an unused or old pool did not', async () => {
  const buyers = ['b1', 'b2', 'b3', 'b4']
  await happened(
    ...launch('rugger', 'rug', 1),
    ...buyers.map((b, n) => swap(b, 'rug', 10 + n, ETH)),
    pull('rugger', 'rug', 50, 103n * ETH),
    // Nobody bought: the creator takes its own money back.
    ...launch('quitter', 'quit', 1),
    pull('quitter', 'quit', 50, 100n * ETH),
    // Others bought, the creator takes a part.
    ...launch('honest', 'fair', 1),
    ...buyers.map((b, n) => swap(b, 'fair', 10 + n, ETH)),
    pull('honest', 'fair', 50, 30n * ETH),
    // Long after launch.
    ...launch('old', 'aged', 1),
    ...buyers.map((b, n) => swap(b, 'aged', 10 + n, ETH)),
    pull('old', 'aged', 5000, 103n * ETH),
    // A provider who did not create the token.
    ...launch('maker', 'meme', 1),
    act('lp', 'router', 5, {
      do: 'liquidity',
      pool: named('meme-p'),
      event: 'add',
      amount0: 1n,
      amount1: 900n * ETH,
    }),
    ...buyers.map((b, n) => swap(b, 'meme', 10 + n, ETH)),
    pull('lp', 'meme', 50, 902n * ETH),
  )
  const scored = await score(['rugger', 'quitter', 'honest', 'old', 'lp', 'maker', ...buyers])
  expect(flagsOf(scored.get('rugger'))).toEqual({
    financial_crime: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'rug-executed',
  })
  expect(scored.get('rugger')!.reasons[0]).toMatchObject({
    evidence: { buyers: 4, reserveShare: 0.9904, transactions: [expect.stringMatching(/^0x32-/)] },
  })
  for (const name of ['quitter', 'honest', 'old', 'lp', 'maker', ...buyers])
    expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('dumping on the pool is a rug as withdrawing is; a founder who sells a part, or moves to another pool, commits none', async () => {
  const buyers = crowd('b', 4)
  await happened(
    ...launch('dumper', 'down', 1),
    ...buyers.map((who, n) => swap(who, 'down', 10 + n, ETH)),
    swap('dumper', 'down', 50, -101n * ETH),
    ...launch('founder', 'fine', 1),
    ...buyers.map((who, n) => swap(who, 'fine', 10 + n, ETH)),
    swap('founder', 'fine', 50, -30n * ETH),
    // Takes all out of one pool and puts it into another.
    ...launch('mover', 'move', 1),
    ...buyers.map((who, n) => swap(who, 'move', 10 + n, ETH)),
    pull('mover', 'move', 50, 104n * ETH),
    act(
      'mover',
      named('factory'),
      52,
      { do: 'pool', pool: named('move-q'), token0: named('move'), token1: WETH },
      { do: 'liquidity', pool: named('move-q'), event: 'add', amount0: 900_000n, amount1: 103n * ETH },
    ),
    // Buys back what it sells: gross sales are no take.
    ...launch('trader', 'churn', 1),
    ...buyers.map((who, n) => swap(who, 'churn', 10 + n, ETH)),
    ...Array.from({ length: 12 }, (_, n) => swap('trader', 'churn', 50 + n, n % 2 === 0 ? -20n * ETH : 19n * ETH)),
  )
  const [dumper] = await verdicts('dumper')
  expect(flagsOf(dumper)).toMatchObject({ financial_crime: '1', data_source: 'rug-executed' })
  expect(dumper!.reasons[0]).toMatchObject({ evidence: { by: 'dump', buyers: 4, reserveShare: 0.9712 } })
  await clean('founder', 'trader', 'mover', ...buyers)
})

const add = (who: string, token: string, block: number, base: bigint): Tx =>
  act(who, 'router', block, {
    do: 'liquidity',
    pool: named(`${token}-p`),
    event: 'add',
    amount0: 900_000n,
    amount1: base,
  })

test('a creator who moves its liquidity to another range or base, or closes and refunds its buyers, commits no rug', async () => {
  const buyers = crowd('b', 4)
  const bought = (token: string) => buyers.map((who, n) => swap(who, token, 10 + n, ETH))
  await happened(
    // Takes out and puts back, all at once or by halves, day after day.
    ...launch('ranger', 'range', 1),
    ...bought('range'),
    pull('ranger', 'range', 50, 104n * ETH),
    add('ranger', 'range', 51, 104n * ETH),
    ...Array.from({ length: 6 }, (_, n) => [
      pull('ranger', 'range', 60 + 2 * n, 52n * ETH),
      add('ranger', 'range', 61 + 2 * n, 52n * ETH),
    ]).flat(),
    // From a pool with coins into one with dollars.
    ...launch('changer', 'change', 1),
    ...bought('change'),
    pull('changer', 'change', 50, 104n * ETH),
    act(
      'changer',
      named('factory'),
      52,
      { do: 'pool', pool: named('change-q'), token0: named('change'), token1: USDC },
      { do: 'liquidity', pool: named('change-q'), event: 'add', amount0: 900_000n, amount1: 300_000n * 10n ** 6n },
    ),
    // Gives up, and gives the buyers their coins back.
    ...launch('closer', 'close', 1),
    ...bought('close'),
    pull('closer', 'close', 50, 104n * ETH),
    ...buyers.map((who, n) => pay('closer', who, 60 + n, ETH)),
    // Ranges first and takes everything later.
    ...launch('patient', 'late', 1),
    ...bought('late'),
    pull('patient', 'late', 50, 104n * ETH),
    add('patient', 'late', 51, 104n * ETH),
    pull('patient', 'late', 900, 104n * ETH),
    // Pays strangers, not its buyers.
    ...launch('generous', 'gone', 1),
    ...bought('gone'),
    pull('generous', 'gone', 50, 104n * ETH),
    ...crowd('friend', 4).map((who, n) => pay('generous', who, 60 + n, ETH)),
    // Pays three of eight buyers, who may be its own.
    ...launch('partner', 'shared', 1),
    ...crowd('c', 8).map((who, n) => swap(who, 'shared', 10 + n, ETH)),
    pull('partner', 'shared', 50, 108n * ETH),
    ...crowd('c', 3).map((who, n) => pay('partner', who, 60 + n, 30n * ETH)),
  )
  for (const bad of await verdicts('patient', 'generous', 'partner'))
    expect(flagsOf(bad)).toMatchObject({ financial_crime: '1', data_source: 'rug-executed' })
  await clean('ranger', 'changer', 'closer', ...buyers)
})

test('a token many buy and nobody can sell convicts its creator; one whose buyers merely wait does not', async () => {
  const buyers = Array.from({ length: 6 }, (_, n) => `b${n}`)
  const trySell = (who: string, token: string, block: number): Tx[] => [
    approve(who, 'router', block, token),
    { ...act(who, 'router', block + 1), failed: true },
  ]
  await happened(
    ...launch('trapper', 'trap', 1),
    ...buyers.map((b, n) => swap(b, 'trap', 10 + n, ETH)),
    ...buyers.slice(0, 3).flatMap((b, n) => trySell(b, 'trap', 20 + 2 * n)),
    ...launch('patient', 'hold', 1),
    ...buyers.map((b, n) => swap(b, 'hold', 30 + n, ETH)),
    ...launch('liquid', 'sold', 1),
    ...buyers.map((b, n) => swap(b, 'sold', 40 + n, ETH)),
    swap('b0', 'sold', 50, -ETH),
    ...buyers.slice(0, 3).flatMap((b, n) => trySell(b, 'sold', 60 + 2 * n)),
  )
  const scored = await score(['trapper', 'patient', 'liquid', ...buyers])
  expect(flagsOf(scored.get('trapper'))).toEqual({
    honeypot_related_address: '1',
    number_of_malicious_contracts_created: '1',
    data_source: 'honeypot-history',
  })
  for (const name of ['patient', 'liquid', ...buyers]) expect(flagsOf(scored.get(name)), name).toEqual({})
})

test('a creator and his wallets that feign the trade of its token wash it; market makers, real trade and small change do not', async () => {
  /** Each trader buys and sells the same, five times over. */
  const turn = (who: string, token: string, block: number, size: bigint): Tx => {
    const tx = swap(who, token, block, size)
    const [from, to] = size > 0n ? [`${token}-p`, who] : [who, `${token}-p`]
    return { ...tx, actions: [...(tx.actions ?? []), move(from, to, 1n, token)] }
  }
  const rounds = (token: string, traders: readonly string[], from: number, size: bigint): Tx[] =>
    traders.flatMap((who, n) =>
      Array.from({ length: 10 }, (_, time) => turn(who, token, from + 20 * n + time, time % 2 === 0 ? size : -size)),
    )
  const trio = (prefix: string) => crowd(prefix, 3)
  await happened(
    ...launch('washer', 'feign', 1),
    pay('washer', 'a0', 2),
    pay('a0', 'a1', 3),
    pay('washer', 'a2', 3),
    ...rounds('feign', trio('a'), 10, ETH),
    swap('guest', 'feign', 90, 2n * ETH),
    // Paid by the creator too, but buys and keeps, or trades something else.
    pay('washer', 'friend', 3),
    ...Array.from({ length: 8 }, (_, time) => turn('friend', 'feign', 91 + time, ETH / 10n)),
    pay('washer', 'worker', 3),
    ...launch('other', 'elsewhere', 1),
    ...rounds('elsewhere', ['worker', 'someone'], 10, ETH),
    // A maker hired by the project, with money of its own.
    ...launch('project', 'hired', 1),
    ...trio('b').map((who) => pay('mmfirm', who, 2, 50n * ETH)),
    ...rounds('hired', trio('b'), 10, ETH),
    // The team trades, but most trade is other people's.
    ...launch('busy', 'loved', 1),
    ...trio('c').map((who) => pay('busy', who, 2)),
    ...rounds('loved', trio('c'), 10, ETH),
    ...crowd('fan', 20).map((who, n) => swap(who, 'loved', 100 + n, 2n * ETH)),
    // Too little to mislead anybody.
    ...launch('tester', 'tiny', 1),
    ...trio('d').map((who) => pay('tester', who, 2)),
    ...rounds('tiny', trio('d'), 10, ETH / 100n),
    // The team buys and keeps.
    ...launch('believer', 'kept', 1),
    ...trio('e').map((who) => pay('believer', who, 2)),
    ...trio('e').flatMap((who, n) =>
      Array.from({ length: 8 }, (_, time) => swap(who, 'kept', 10 + 20 * n + time, ETH)),
    ),
  )
  const [washer] = await verdicts('washer')
  expect(flagsOf(washer)).toEqual({ financial_crime: '1', data_source: 'wash-trading' })
  expect(washer!.reasons[0]).toMatchObject({
    evidence: { role: 'maker', token: named('feign'), traders: trio('a').map(named), volume: 30e18, swaps: 30 },
  })
  for (const member of await verdicts(...trio('a'))) {
    expect(flagsOf(member), member.address).toEqual({ financial_crime: '1', data_source: 'wash-trading' })
    expect(member.reasons[0]).toMatchObject({ evidence: { role: 'member', token: named('feign') } })
  }
  await clean(
    'project',
    'busy',
    'tester',
    'believer',
    'mmfirm',
    'guest',
    'fan0',
    'friend',
    'worker',
    'someone',
    'other',
  )
  await clean(...['b', 'c', 'd', 'e'].flatMap(trio))
})

/** A deposit into a contract which pays somebody else in the same transaction. */
const deposit = (who: string, contract: string, block: number, ...paid: [string, bigint][]): Tx => ({
  ...act(
    who,
    named(contract),
    block,
    ...paid.map(([to, amount]): Action => ({ do: 'internal', from: named(contract), to: named(to), amount })),
  ),
  value: ETH,
})

test('a Ponzi scheme is found however many busier contracts others of the batch have', async () => {
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

test('a market that pays its sellers out of what buyers bring is no Ponzi scheme', async () => {
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

test('what holders sell in another pool of the token is no trap', async () => {
  const buyers = crowd('b', 22)
  await happened(
    ...launch('maker', 'two', 1),
    act('maker', named('factory'), 3, { do: 'pool', pool: named('two-q'), token0: named('two'), token1: WETH }),
    ...buyers.map((who, n) => swap(who, 'two', 10 + n, ETH)),
    act('b0', 'router', 60, { do: 'swap', pool: named('two-q'), amount0: 500n, amount1: -ETH }),
    // The same without a sale, and a day goes by.
    ...launch('trapper', 'one', 1),
    ...buyers.map((who, n) => swap(who, 'one', 10 + n, ETH)),
    pay('passer-by', 'somebody', 9_000, ETH),
  )
  const [trapper] = await verdicts('trapper')
  expect(flagsOf(trapper)).toMatchObject({ honeypot_related_address: '1', data_source: 'honeypot-history' })
  await clean('maker')
})

test('a contract that pays the early out of what the late deposit is a Ponzi scheme; auctions, lotteries, pools and splitters are not', async () => {
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
    // Every bidder gets his bid back from the next one: nobody gains.
    made('house', 'auction'),
    ...people.map((who, n) =>
      deposit(who, 'auction', 30 + n, ...(n > 0 ? [[people[n - 1]!, ETH] as [string, bigint]] : [])),
    ),
    // One winner takes it, whoever that is.
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
    // Rewards come from outside, and everybody fetches his own.
    made('farmer', 'farm'),
    pay('donor', 'farm', 70, 50n * ETH),
    ...people.map((who, n) => deposit(who, 'farm', 70 + n)),
    ...people.map((who, n) => act(who, 'farm', 90 + n, coin('farm', who, 2n * ETH))),
    // A shop that pays a tenth to whoever recommended it: five early customers earn more than they spent.
    made('seller', 'shop'),
    ...crowd('r', 5).map((who, n) => deposit(who, 'shop', 130 + n, ['seller', ETH])),
    ...crowd('c', 60).map((who, n) => deposit(who, 'shop', 140 + n, ['seller', part(90n)], [`r${n % 5}`, part(10n)])),
    // What comes in goes to the owners, who pay nothing.
    made('artist', 'splitter'),
    ...people.map((who, n) => deposit(who, 'splitter', 110 + n, ['artist', part(50n)], ['band', part(50n)])),
  )
  const [schemer, pyramid] = await verdicts('schemer', 'pyramid')
  expect(flagsOf(schemer)).toEqual({ financial_crime: '1', data_source: 'ponzi-contract' })
  expect(flagsOf(pyramid)).toEqual({ financial_crime: '1', data_source: 'ponzi-contract' })
  expect(schemer!.reasons[0]).toMatchObject({
    code: 'FINANCIAL_CRIME',
    evidence: { contract: named('pyramid'), depositors: 14, winners: 5, losers: 9, transactions: { length: 10 } },
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
