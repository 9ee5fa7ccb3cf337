/** Verdicts on wallets that received money of flagged ones, on real tables and through the function that serves. */
import { describe, expect, test } from 'vitest'
import { DEX_FACTORIES, SERVICES } from '../../../../schema/registry/contracts.ts'
import { named, type Tx } from '../../../kit/world/transactions.ts'
import {
  act,
  asset,
  coin,
  DOLLAR,
  ETH,
  exposedKit,
  honestLife,
  inflowOf,
  MILLION,
  pay,
  robbed,
  sanction,
  USDC,
} from './exposed.kit.ts'

const { world, worldFrom, fetched, label, settle } = exposedKit()
const [WETH, LINK] = [asset('WETH'), asset('LINK')]
const [[FACTORY = ''] = []] = [...DEX_FACTORIES.ETH]
const dollars = (amount: string) => ({ amount, unit: 'USD', usd: amount })

describe('who lives on money of flagged wallets', () => {
  test('ten million dollar coins straight from a sanctioned address are in the high band, and the reason names them', async () => {
    await world(sanction('ofac'), pay('ofac', 'w', 10n * MILLION, 2), pay('w', 'broker', MILLION, 3))
    const { w } = await settle('w')
    expect(w!.probability).toBeGreaterThanOrEqual(0.51)
    expect(inflowOf(w)).toMatchObject({
      title: 'Received 100 % of its funds from sanctioned addresses',
      evidence: {
        share: 1,
        direct: 1,
        hops: 1,
        received: dollars('10000000.00'),
        income: dollars('10000000.00'),
        spent: dollars('1000000.00'),
        counterparties: [{ address: named('ofac'), category: 'sanctioned', amount: dollars('10000000.00') }],
      },
    })
  })

  test('a swap and two fresh wallets in between change nothing; each is exposed by its distance', async () => {
    await world(
      sanction('ofac'),
      act('m', 1, { do: 'pool', pool: named('pool'), token0: USDC, token1: WETH, factory: FACTORY }),
      pay('ofac', 'fresh1', MILLION, 2),
      act('fresh1', 3, coin('fresh1', 'pool', MILLION), coin('pool', 'fresh1', 480n * ETH, WETH)),
      act('fresh1', 4, coin('fresh1', 'fresh2', 480n * ETH, WETH)),
      act('fresh2', 5, coin('fresh2', 'w', 479n * ETH, WETH)),
      act('w', 6, coin('w', 'seller', 400n * ETH, WETH)),
    )
    const { fresh1, fresh2, w } = await settle('ofac', 'fresh1', 'fresh2', 'w')
    for (const one of [fresh1, fresh2, w]) expect(one!.probability).toBeGreaterThanOrEqual(0.51)
    expect([fresh1, fresh2, w].map((one) => one!.offenceHops)).toEqual([1, 2, 3])
    expect(inflowOf(w)!.evidence).toMatchObject({
      share: 1,
      direct: 0,
      counterparties: [{ path: [named('fresh2'), named('fresh1'), named('ofac')] }],
    })
  })

  test('buying a token of one’s own making and selling it again breaks no chain', async () => {
    const own = named('own token')
    await world(
      sanction('ofac'),
      act('m', 1, { do: 'pool', pool: named('pool'), token0: own, token1: USDC }),
      act('m', 1, { do: 'pool', pool: named('pool2'), token0: own, token1: USDC }),
      pay('ofac', 'w', MILLION, 2),
      act('w', 3, coin('w', 'pool', MILLION), coin('pool', 'w', 10n ** 30n, own)),
      act('w', 4, coin('w', 'pool2', 10n ** 30n, own), coin('pool2', 'w', 990_000n * DOLLAR)),
      pay('w', 'broker', 900_000n * DOLLAR, 5),
    )
    const { w } = await settle('w')
    expect(inflowOf(w)!.evidence).toMatchObject({ share: 1, income: dollars('1000000.00') })
    expect(w!.probability).toBeGreaterThanOrEqual(0.51)
  })

  test('a coin of the registry counts for no more than pools hold against it, whatever somebody pays himself for it', async () => {
    const pool = named('thin')
    const thin: Tx[] = [
      act(
        'm',
        1,
        { do: 'pool', pool, token0: LINK, token1: USDC, factory: FACTORY },
        { do: 'liquidity', pool, event: 'add', amount0: ETH, amount1: 1_000n * DOLLAR },
        coin('m', 'thin', 1_000n * DOLLAR),
      ),
      // A thousand dollars for one, over and over: there is no other market.
      ...Array.from({ length: 20 }, (_, n) =>
        act('m', 2 + n, {
          do: 'swap',
          pool,
          amount0: n % 2 ? ETH / 2n : -ETH / 2n,
          amount1: n % 2 ? -500n * DOLLAR : 500n * DOLLAR,
        }),
      ),
    ]
    await world(
      sanction('ofac'),
      ...thin,
      pay('ofac', 'w', MILLION, 30),
      act('accomplice', 31, coin('accomplice', 'w', 1_000_000n * ETH, LINK)),
      pay('w', 'broker', 900_000n * DOLLAR, 32),
    )
    const { w } = await settle('w')
    expect((inflowOf(w)!.evidence as { share: number }).share).toBeGreaterThan(0.99)
  })

  test('a pool that somebody else announces with other coins goes on to hold what it holds', async () => {
    const pool = named('deep')
    const lie = {
      do: 'pool',
      pool,
      kind: 'v4',
      token0: `0x${'f'.repeat(40)}`,
      token1: USDC,
      factory: named('liar'),
    } as const
    await world(
      sanction('ofac'),
      act('m', 1, { do: 'pool', pool, token0: LINK, token1: USDC, factory: FACTORY }, lie),
      act('m', 1, coin('m', 'deep', 10n * MILLION)),
      act('m', 2, { do: 'swap', pool, amount0: -100n * ETH, amount1: 2_000n * DOLLAR }),
      act('ofac', 30, coin('ofac', 'w', 10_000n * ETH, LINK)),
      act('w', 32, coin('w', 'broker', 9_000n * ETH, LINK)),
    )
    const { w } = await settle('w')
    expect(inflowOf(w)!.evidence).toMatchObject({ share: 1, income: dollars('200000.00') })
  })

  test('a coin counts for no more than pools still hold against it: fees that were collected are gone', async () => {
    const pool = named('fees')
    await world(
      sanction('ofac'),
      act('m', 1, { do: 'pool', pool, token0: LINK, token1: USDC, factory: FACTORY, kind: 'v3' }),
      act('m', 1, { do: 'liquidity', pool, event: 'add', amount0: 500_000n * ETH, amount1: 10_000_000n * DOLLAR }),
      act('m', 1, coin('m', 'fees', 10n * MILLION)),
      act('m', 2, { do: 'swap', pool, amount0: -100n * ETH, amount1: 2_000n * DOLLAR }),
      act('m', 3, coin('fees', 'm', 10n * MILLION - 50_000n * DOLLAR)),
      act('ofac', 30, coin('ofac', 'w', 10_000n * ETH, LINK)),
      act('w', 32, coin('w', 'broker', 9_000n * ETH, LINK)),
    )
    const { w } = await settle('w')
    expect(inflowOf(w)!.evidence).toMatchObject({ share: 1, income: dollars('50000.00') })
  })

  test('a contract that its owner announces as a pool stops nothing, nor does one in which ten wallets of his swap', async () => {
    const WEEK = 8 * 144
    const said = (name: string) =>
      act('owner', 1, {
        do: 'pool',
        pool: named(name),
        token0: USDC,
        token1: WETH,
        factory: named('own factory'),
      } as const)
    /** Accounts that one or many others set up buy for some dollars each, one after the other. */
    const trades = (
      name: string,
      { funder = (n: number) => `bank${n}`, dollars = 3_000n, until = WEEK, wallets = 12 },
    ) =>
      Array.from({ length: wallets }, (_, n): Tx[] => [
        { from: named(funder(n)), to: named(`${name}${n}`), block: 1, value: 3n * ETH },
        act('src', 1, coin('src', `${name}${n}`, dollars * DOLLAR)),
        act(
          `${name}${n}`,
          2 + Math.floor((n * until) / wallets),
          ...(dollars > 0n ? [coin(`${name}${n}`, name, dollars * DOLLAR)] : []),
          coin(name, `${name}${n}`, 10n ** 15n, WETH),
          { do: 'swap', pool: named(name), amount0: dollars * DOLLAR, amount1: -(10n ** 15n) },
        ),
      ]).flat()
    /** A thief's money goes in, and out to somebody else. */
    const through = (name: string, to: string, stolen = MILLION) => [
      pay('ofac', name, stolen, WEEK),
      act('owner', WEEK + 1, coin(name, to, stolen)),
      pay(to, `broker of ${to}`, (stolen * 9n) / 10n, WEEK + 2),
    ]
    const [puppets, events, fast, thin, whale, plain, market] = [
      'puppets',
      'events',
      'fast',
      'thin',
      'whale',
      'plain',
      'market',
    ]
    await world(
      sanction('ofac'),
      ...['said', puppets, events, fast, thin, whale, plain, market].map(said),
      ...trades(puppets, { funder: () => 'owner' }),
      ...trades(events, { dollars: 0n }),
      ...trades(fast, { until: 100 }),
      ...trades(thin, { wallets: 9 }),
      ...trades(whale, {}),
      // Its thief does not pay it: he swaps there, for more than all others.
      act('ofac', WEEK - 1, coin('ofac', whale, MILLION), {
        do: 'swap',
        pool: named(whale),
        amount0: MILLION,
        amount1: -1n,
      }),
      ...trades(plain, {}),
      ...trades(market, { wallets: 14 }),
      ...through('said', 'v0'),
      ...through(puppets, 'v1'),
      ...through(events, 'v2'),
      ...through(fast, 'v3'),
      ...through(thin, 'v4'),
      ...through(whale, 'v5', MILLION / 10n),
      ...through(plain, 'v6'),
      ...through(market, 'paid', 30_000n * DOLLAR),
    )
    const bought = ['v0', 'v1', 'v2', 'v3', 'v4', 'v5', 'v6']
    const found = await settle('said', puppets, events, fast, thin, whale, plain, market, ...bought, 'paid')
    for (const one of bought.map((name) => found[name]!)) {
      expect(inflowOf(one)!.evidence).toMatchObject({ share: expect.closeTo(1, 1), direct: 0 })
      expect(one.probability).toBeGreaterThanOrEqual(0.51)
    }
    // In a market of strangers it may be anybody's: it accuses nobody, and clears nobody.
    const { paid } = found
    expect(inflowOf(paid)!.evidence).toMatchObject({
      doubt: 'the funds came through a pool in which the public trades',
    })
    expect(paid!.probability).toBeLessThan(0.5)
  })

  test('strangers who trade in an unregistered pool, and those who give it liquidity, stay low when a thief trades there too', async () => {
    const [pool, lp] = [named('fair'), named('lp token')]
    const swap = (name: string, block: number, dollars: bigint, coins: bigint) =>
      act(name, block, coin(name, 'fair', dollars * DOLLAR), coin('fair', name, coins, WETH), {
        do: 'swap',
        pool,
        amount0: dollars * DOLLAR,
        amount1: -coins,
      })
    await world(
      sanction('ofac'),
      act('maker', 1, { do: 'pool', pool, token0: USDC, token1: WETH, factory: named('own factory') }),
      pay('firm', 'giver', 40_000n * DOLLAR, 1),
      act('giver', 2, coin('giver', 'fair', 30_000n * DOLLAR), coin('zero', 'giver', ETH, lp)),
      ...Array.from({ length: 12 }, (_, n): Tx[] => [
        { from: named(`bank${n}`), to: named(`trader${n}`), block: 1, value: 3n * ETH },
        pay('firm', `trader${n}`, 5_000n * DOLLAR, 2),
        swap(`trader${n}`, 10 + n * 100, 4_000n, ETH),
      ]).flat(),
      pay('ofac', 'thief', 30_000n * DOLLAR, 500),
      swap('thief', 501, 30_000n, 8n * ETH),
      act('giver', 1_300, coin('giver', 'zero', ETH, lp), coin('fair', 'giver', 45_000n * DOLLAR)),
      pay('giver', 'store', 60_000n * DOLLAR, 1_301),
      act('trader1', 1_302, coin('trader1', 'broker', ETH, WETH)),
    )
    const { thief, giver, trader1 } = await settle('fair', 'thief', 'giver', 'trader1')
    expect(thief!.probability).toBeGreaterThanOrEqual(0.51)
    expect(inflowOf(trader1)).toBeUndefined()
    for (const one of [giver, trader1]) expect(one!.probability).toBeLessThan(0.2)
  })
})

describe('who does not', () => {
  test('a rival is not smeared: dust changes nothing, and a small gift raises suspicion at most', async () => {
    const txs = [sanction('ofac'), ...honestLife('ann'), ...honestLife('bob')]
    await world(
      ...txs,
      ...Array.from({ length: 40 }, (_, n) => pay('ofac', 'ann', (DOLLAR * 9n) / 10n, 20 + n)),
      pay('ofac', 'ann', 25n * DOLLAR, 90),
      // The first money that a new wallet ever gets.
      pay('ofac', 'new', 9_000n * DOLLAR, 2),
      { from: named('ofac'), to: named('new'), value: ETH / 100n, block: 2 },
    )
    const { ann, bob, new: fresh } = await settle('ofac', 'ann', 'bob', 'new')
    expect(ann!.probability).toBe(bob!.probability)
    expect(inflowOf(ann)).toBeUndefined()
    expect(fresh!.probability).toBeLessThan(0.5)
    expect(inflowOf(fresh)!.evidence.doubt).toBe('none of the funds were spent')
  })

  test('a refund of what one sent is no income', async () => {
    await world(
      sanction('ofac', 80),
      ...honestLife('ann'),
      ...honestLife('bob'),
      pay('ann', 'ofac', 2_000n * DOLLAR, 60),
      pay('ofac', 'ann', 2_000n * DOLLAR, 70),
    )
    const { ann } = await settle('ofac', 'ann')
    expect(inflowOf(ann)).toBeUndefined()
  })

  test('an exchange that takes deposits of everybody, and an address for deposits of one thief', async () => {
    const customers = Array.from({ length: 30 }, (_, n) => `customer${n}`)
    await world(
      sanction('ofac'),
      ...customers.flatMap((name, n): Tx[] => [
        pay(`firm${n}`, name, 5_000n * DOLLAR, 2),
        pay(name, 'hot', 5_000n * DOLLAR, 3 + n),
        pay('hot', name, 1_000n * DOLLAR, 40 + n),
      ]),
      pay('ofac', 'deposit', 40_000n * DOLLAR, 5),
      pay('deposit', 'hot', 40_000n * DOLLAR, 6),
    )
    const { hot, deposit } = await settle('ofac', 'deposit', 'hot')
    expect(hot!.probability).toBeLessThan(0.2)
    expect(deposit!.probability).toBeLessThan(0.5)
    expect(inflowOf(deposit)!.evidence).toMatchObject({
      share: 1,
      doubt: 'the wallet forwards everything to addresses that others pay too, as deposit addresses do',
    })
  })

  test('a deposit address of an exchange with several hot wallets; not who keeps a part, or pays friends or bridges', async () => {
    const hot = ['hot coins', 'hot dollars', 'hot next']
    const [bridge = ''] = [...SERVICES.ETH].flatMap(([address, { kind }]) => (kind === 'bridge' ? [address] : []))
    const customers = Array.from({ length: 11 }, (_, n) => `customer${n}`)
    const DAI = asset('DAI')
    const gets = (name: string): Tx[] => [
      pay('ofac', name, 40_000n * DOLLAR, 20),
      act('ofac', 21, coin('ofac', name, 20_000n * ETH, DAI)),
    ]
    const gives = (name: string, to: string, block: number, amount: bigint, of = USDC) =>
      act(name, block, coin(name, to, amount, of))
    await world(
      sanction('ofac'),
      ...customers.flatMap((name, n): Tx[] => [
        pay(`firm${n}`, name, 9_000n * DOLLAR, 2),
        ...hot.flatMap((to) => [pay(name, to, 3_000n * DOLLAR, 3), pay(to, name, 1_000n * DOLLAR, 4)]),
      ]),
      ...['deposit', 'spender', 'friend', 'crosser'].flatMap(gets),
      ...['deposit', 'spender'].flatMap((name) => [
        gives(name, 'hot coins', 22, 20_000n * ETH, DAI),
        gives(name, 'hot dollars', 23, name === 'deposit' ? 40_000n * DOLLAR : 30_000n * DOLLAR),
        // The exchange changed its wallet.
        pay('ofac', name, 10_000n * DOLLAR, 24),
        gives(name, 'hot next', 25, 10_000n * DOLLAR),
      ]),
      gives('friend', 'hot coins', 22, 20_000n * ETH, DAI),
      gives('friend', 'pal', 23, 40_000n * DOLLAR),
      gives('crosser', 'hot coins', 22, 20_000n * ETH, DAI),
      act('crosser', 23, {
        ...{ do: 'token', asset: USDC, from: named('crosser'), to: bridge },
        amount: 40_000n * DOLLAR,
      }),
    )
    const { deposit, ...others } = await settle('ofac', 'deposit', 'spender', 'friend', 'crosser')
    expect(deposit!.probability).toBeLessThanOrEqual(0.45 + 1e-9)
    expect(inflowOf(deposit)!.evidence).toMatchObject({ share: 1, doubt: expect.stringContaining('others pay too') })
    for (const name of ['spender', 'friend', 'crosser'])
      expect(others[name]!.probability, name).toBeGreaterThanOrEqual(0.6)
  })

  test('a wallet whose past is not known is raised to 0.45 at most', async () => {
    await worldFrom(1_000, sanction('ofac', 1_001), pay('ofac', 'w', 10n * MILLION, 1_002), {
      ...pay('w', 'broker', MILLION, 1_003),
      nonce: 7,
    })
    const { w } = await settle('w')
    expect(inflowOf(w)!.evidence).toMatchObject({ share: 1 })
    expect(w!.probability).toBeLessThanOrEqual(0.45 + 1e-9)
    expect(w!.probability).toBeGreaterThan(0.1)
  })

  test('whose payers lived before the index: what they got since may be the smallest part of what they had', async () => {
    await worldFrom(
      1_000,
      sanction('ofac', 1_001),
      // A shop of many years takes $20,000 of a sanctioned customer, and pays as much of its savings to somebody new.
      pay('ofac', 'shop', 20_000n * DOLLAR, 1_002),
      { ...pay('shop', 'w', 20_000n * DOLLAR, 1_003), nonce: 4_000 },
      pay('w', 'broker', 19_000n * DOLLAR, 1_004),
      // Another pays a million, which it has to have had.
      pay('ofac', 'house', 20_000n * DOLLAR, 1_002),
      { ...pay('house', 'u', MILLION, 1_003), nonce: 4_000 },
      pay('u', 'dealer', 900_000n * DOLLAR, 1_004),
      pay('ofac', 'v', MILLION, 1_002),
      pay('v', 'bank', 900_000n * DOLLAR, 1_004),
    )
    await fetched('w', 999)
    await fetched('v', 999)
    await fetched('u', 999)
    const { w, v, u } = await settle('ofac', 'shop', 'house', 'w', 'v', 'u')
    expect(inflowOf(u)!.evidence).toMatchObject({ share: expect.closeTo(0.02, 3) })
    expect(inflowOf(w)!.evidence).toMatchObject({
      share: 1,
      direct: 0,
      doubt: 'what its payers held before the first indexed block is not known',
    })
    expect(w!.probability).toBeLessThanOrEqual(0.45 + 1e-9)
    expect(w!.unknowns).toContain('exposure: the past of its payers is not known')
    expect(v!.probability).toBeGreaterThanOrEqual(0.51)
    // On an index from the first block there is nothing that is not seen.
    await world(sanction('ofac', 1), pay('ofac', 'shop', 20_000n * DOLLAR, 2), pay('shop', 'w', MILLION, 3))
    const whole = await settle('w')
    expect(whole.w!.unknowns.filter((one) => one.startsWith('exposure'))).toEqual([])
  })
})

describe('findings of our own detectors', () => {
  test('expose those who were paid, in whatever order wallets are scored, and no longer when they fall', async () => {
    const txs = [
      ...robbed('thief'),
      pay('thief', 'friend', 80_000n * DOLLAR, 40),
      pay('friend', 'casino', 70_000n * DOLLAR, 50),
    ]
    await world(...txs)
    // The friend first, as long as nothing is known of the thief.
    const early = await settle('friend')
    expect(inflowOf(early.friend)).toBeUndefined()
    const { thief, friend } = await settle('friend', 'thief')
    expect(thief).toMatchObject({ status: 'Fraud', offence: 'stolen' })
    expect(friend!.offenceHops).toBe(1)
    expect(friend!.probability).toBeGreaterThanOrEqual(0.51)
    // Being exposed is no offence: nobody is blamed for having been paid by the friend.
    expect(friend!.offence).toBe('')
    // A person looked at the thief and found it honest.
    await label('thief', 'benign')
    const cleared = await settle('thief', 'friend')
    expect(cleared.thief!.offence).toBe('')
    expect(inflowOf(cleared.friend)).toBeUndefined()
  })

  test('two exposed wallets that pay each other never convict each other: removing the seed clears both', async () => {
    await world(
      pay('seed', 'a', 50_000n * DOLLAR, 2),
      pay('a', 'b', 50_000n * DOLLAR, 3),
      pay('b', 'a', 49_000n * DOLLAR, 4),
      pay('a', 'b', 48_000n * DOLLAR, 5),
    )
    await label('seed', 'theft')
    const before = await settle('seed', 'a', 'b')
    expect([before.a!.offence, before.b!.offence]).toEqual(['', ''])
    expect(before.b!.probability).toBeGreaterThanOrEqual(0.51)
    await label('seed', 'theft', true)
    const after = await settle('seed', 'a', 'b')
    expect([inflowOf(after.a), inflowOf(after.b)]).toEqual([undefined, undefined])
    expect([after.a!.offenceHops, after.b!.offenceHops]).toEqual([0, 0])
  })
})
