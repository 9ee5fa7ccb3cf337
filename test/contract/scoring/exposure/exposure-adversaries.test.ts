/** Those who want exposure wrong, against the function that serves: to smear somebody, to slip through, or to keep the scorer busy. */
import { describe, expect, test } from 'vitest'
import { DEX_FACTORIES } from '../../../../schema/registry/contracts.ts'
import { named, type Tx } from '../../../kit/world/transactions.ts'
import {
  act,
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

const { world, worldFrom, named: strangersName, label, score, settle, routesOf } = exposedKit()
const usd = (amount: number) => BigInt(amount) * DOLLAR

describe('honest wallets stay below a verdict', () => {
  test('whom a rival gives ten times what it ever had, as long as it spends no more than its own', async () => {
    await world(
      sanction('ofac'),
      pay('ofac', 'mule', usd(60_000), 2),
      pay('firm', 'ann', usd(1_000), 3),
      pay('ann', 'store', usd(300), 4),
      pay('mule', 'ann', usd(11_000), 5),
      pay('firm', 'bob', usd(1_000), 3),
      pay('ofac', 'bob', usd(40_000), 5),
      pay('bob', 'store', usd(400), 6),
      pay('ann', 'store', usd(200), 7),
      pay('ann', 'shop', usd(150), 8),
    )
    const { ann, bob } = await settle('ofac', 'mule', 'ann', 'bob')
    for (const one of [ann, bob]) {
      expect(inflowOf(one)!.evidence).toMatchObject({ share: expect.closeTo(0.95, 1), doubt: expect.any(String) })
      expect(one!.probability).toBeLessThan(0.5)
    }
    // From the moment that it spends the gift, it lives on it.
    await world(pay('bob', 'broker', usd(30_000), 20))
    const after = await settle('bob')
    expect(after.bob!.probability).toBeGreaterThanOrEqual(0.51)
  })

  test('a desk that trades with many and once with a thief, and those whom a payroll service pays', async () => {
    const customers = Array.from({ length: 19 }, (_, n) => `customer${n}`)
    await world(
      sanction('ofac'),
      ...[...customers, 'ofac'].flatMap((name, n): Tx[] => [
        ...(name === 'ofac' ? [] : [pay(`firm${n}`, name, usd(50_000), 2)]),
        pay(name, 'desk', usd(50_000), 3 + n),
      ]),
      ...Array.from({ length: 6 }, (_, n) => pay('desk', 'worker', usd(4_000), 40 + n)),
      pay('desk', 'merchant', usd(700_000), 50),
      pay('worker', 'store', usd(20_000), 60),
    )
    const { desk, worker } = await settle('ofac', 'desk', 'worker')
    expect((inflowOf(desk)!.evidence as { share: number }).share).toBeCloseTo(0.05, 2)
    for (const one of [desk, worker]) expect(one!.probability).toBeLessThan(0.2)
  })

  test('a victim who is given back by another address of the thief', async () => {
    await world(...robbed('thief'), pay('thief', 'other', usd(80_000), 40), pay('other', 'v1', usd(30_000), 50), {
      ...pay('v1', 'store', usd(29_000), 60),
    })
    const { thief, v1 } = await settle('thief', 'other', 'v1')
    expect(thief!.offence).toBe('stolen')
    expect(inflowOf(v1)!.evidence).toMatchObject({ share: expect.closeTo(0.5, 1) })
    expect(v1!.probability).toBeLessThan(0.5)
  })

  test('who was paid by a wallet that an issuer froze afterwards; not so where the same wallet is known for a theft', async () => {
    const freeze = (name: string): Tx =>
      act('boss', 200, { do: 'authority', authority: USDC, event: 'freeze', subject: named(name) })
    await world(
      pay('exchange', 'debtor', usd(60_000), 2),
      pay('debtor', 'ann', usd(11_000), 3),
      pay('ann', 'store', usd(2_300), 4),
      freeze('debtor'),
      ...robbed('thief'),
      pay('thief', 'hop', usd(80_000), 40),
      pay('hop', 'broker', usd(79_000), 41),
      freeze('thief'),
    )
    const { ann, debtor, thief, hop } = await settle('debtor', 'thief', 'ann', 'hop')
    expect([debtor!.offence, thief!.offence]).toEqual(['frozen', 'stolen'])
    expect(inflowOf(ann)!.evidence).toMatchObject({ share: 1, doubt: expect.stringContaining('froze the payers') })
    expect(ann!.probability).toBeLessThan(0.5)
    expect(inflowOf(hop)!.evidence).toMatchObject({ share: 1, counterparties: [{ category: 'stolen' }] })
    expect(hop!.probability).toBeGreaterThanOrEqual(0.51)
  })

  test('who had much more than was seen to come in, as those who earn rewards of blocks and stakes, and whom they pay', async () => {
    await world(
      sanction('ofac'),
      pay('ofac', 'hop', usd(25_000), 2),
      pay('hop', 'miner', usd(25_000), 3),
      pay('miner', 'broker', usd(500_000), 4),
      pay('miner', 'ann', usd(11_000), 5),
      pay('ann', 'store', usd(10_000), 6),
      // Sends the money to wallets of his and back, again and again: it is the same.
      pay('ofac', 'thief', usd(25_000), 2),
      ...Array.from({ length: 9 }, (_, n): Tx[] => [
        pay('thief', `purse${n}`, usd(25_000), 10 + 2 * n),
        pay(`purse${n}`, 'thief', usd(25_000), 11 + 2 * n),
      ]).flat(),
      pay('thief', 'broker', usd(24_000), 40),
    )
    const { miner, ann, thief } = await settle('ofac', 'hop', 'miner', 'ann', 'thief')
    expect(inflowOf(miner)!.evidence).toMatchObject({ share: expect.closeTo(0.05, 2) })
    for (const one of [miner, ann]) expect(one!.probability).toBeLessThan(0.3)
    expect(thief!.probability).toBeGreaterThanOrEqual(0.51)
  })

  test('whose past is not whole, however much of what is seen of it came from a flagged wallet', async () => {
    await worldFrom(
      1_000,
      sanction('ofac', 1_001),
      pay('ofac', 'w', MILLION, 1_002),
      { ...pay('w', 'broker', MILLION - 1n, 1_003), nonce: 300 },
      ...honestLife('other').map((tx) => ({ ...tx, block: tx.block + 1_000 })),
    )
    const { w } = await settle('ofac', 'w')
    expect(w!.probability).toBeLessThan(0.5)
  })
})

describe('who slips through, and who does not', () => {
  test('a thief who mixes in money of his own until 89 % are left is raised by all that a share weighs, and no more', async () => {
    const mixed = (name: string, own: number) => [
      pay('ofac', name, usd(100_000 - own), 2),
      pay('salary', name, usd(own), 3),
      pay(name, 'broker', usd(60_000), 4),
      pay(name, 'dealer', usd(39_000), 5),
    ]
    await world(sanction('ofac'), ...mixed('w', 11_000), ...mixed('pure', 9_000))
    const { w, pure } = await settle('w', 'pure')
    expect(pure!.probability).toBeGreaterThanOrEqual(0.51)
    expect(w!.probability).toBeLessThan(0.5)
    expect(inflowOf(w)).toMatchObject({ contribution: 3, evidence: { share: 0.89, direct: 0.89 } })
  })

  test('who is paid before honest money comes to the wallet in between is found by what that wallet was then', async () => {
    await world(
      sanction('ofac'),
      pay('ofac', 'between', MILLION, 2),
      pay('between', 'w', MILLION, 3),
      pay('exchange', 'between', 300n * MILLION, 4),
      pay('w', 'broker', MILLION - usd(1_000), 5),
    )
    const { between, w } = await settle('ofac', 'between', 'w')
    expect(between!.probability).toBeLessThan(0.2)
    expect(between!.offenceHops).toBe(1)
    expect(w!.probability).toBeGreaterThanOrEqual(0.51)
  })
})

describe('a worthless token', () => {
  const junk = named('junk')
  const pool = (name: string, factory: string) =>
    act('maker', 1, { do: 'pool', pool: named(name), token0: junk, token1: USDC, factory })
  const sale = (who: string, name: string, dollars: number, block: number) =>
    act(who, block, coin(who, name, 10n ** 30n, junk), coin(name, who, usd(dollars)))

  test('that a thief sells to a contract of his own, which he calls a pool, breaks no chain', async () => {
    await world(
      sanction('ofac'),
      pool('desk', named('own factory')),
      pay('ofac', 'desk', MILLION, 2),
      sale('w', 'desk', 990_000, 3),
      pay('w', 'broker', usd(900_000), 4),
    )
    const { w } = await settle('ofac', 'desk', 'w')
    expect(inflowOf(w)!.evidence).toMatchObject({
      share: 1,
      counterparties: [{ path: [named('desk'), named('ofac')] }],
    })
    expect(w!.probability).toBeGreaterThanOrEqual(0.51)
  })

  test('thousands of movements of next to nothing, of coins or of a worthless token, clear nobody', async () => {
    await world(
      sanction('ofac'),
      ...['plain', 'flooded', 'told'].flatMap((who): Tx[] => [
        pay('ofac', who, usd(200_000), 5),
        pay(who, 'broker', usd(90_000), 9),
        pay(who, 'store', usd(90_000), 9),
      ]),
      act('crumbs', 10, ...Array.from({ length: 2_100 }, () => coin('crumbs', 'flooded', 1n))),
      pay('ofac', 'mule', usd(200_000), 5),
      pay('mule', 'last', usd(200_000), 7),
      pay('last', 'store', usd(90_000), 8),
      pay('last', 'broker', usd(90_000), 8),
    )
    await strangersName('told', 10_100, 10)
    await strangersName('mule', 50_100, 6)
    const verdicts = await settle('ofac', 'plain', 'flooded', 'told', 'mule', 'last')
    for (const name of ['plain', 'flooded', 'told', 'last'])
      expect(verdicts[name]!.probability, name).toBeGreaterThanOrEqual(0.6)
  })

  test('in a registered pool in which no strangers trade ends no trail, whether its coins are withdrawn or fetched by a sale; no honest seller is accused', async () => {
    const [factory = ''] = DEX_FACTORIES.ETH.keys()
    const give = (who: string, name: string, dollars: number, block: number): Tx =>
      act(who, block, coin(who, name, usd(dollars)), coin(who, name, 10n ** 24n, junk), {
        do: 'liquidity',
        pool: named(name),
        event: 'add',
        amount0: 10n ** 24n,
        amount1: usd(dollars),
      })
    const buy = (who: string, name: string, dollars: number, block: number): Tx =>
      act(who, block, coin(who, name, usd(dollars)), coin(name, who, 10n ** 20n, junk), {
        do: 'swap',
        pool: named(name),
        amount0: -(10n ** 20n),
        amount1: usd(dollars),
      })
    const WEEK = 8 * 144
    await world(
      sanction('ofac'),
      ...['sunk', 'sold', 'fair'].map((name) => pool(name, factory)),
      // The thief buys what he made himself, and another wallet of his takes the liquidity out.
      pay('bank of lp', 'lp', usd(2_000), 1),
      give('lp', 'sunk', 1_000, 2),
      buy('ofac', 'sunk', 500_000, 3),
      act('lp', 4, coin('sunk', 'lp', usd(500_000)), coin('sunk', 'lp', 10n ** 24n, junk)),
      pay('lp', 'broker', usd(490_000), 5),
      // Or the other wallet sells.
      give('ofac', 'sold', 500_000, 2),
      sale('w', 'sold', 490_000, 3),
      pay('w', 'dealer', usd(480_000), 4),
      // Strangers trade here, and the thief too: who sells has their money.
      pay('bank of maker', 'maker', usd(30_000), 1),
      give('maker', 'fair', 20_000, 2),
      ...Array.from({ length: 12 }, (_, n): Tx[] => [
        { from: named(`bank${n}`), to: named(`trader${n}`), block: 1, value: 3n * ETH },
        pay('firm', `trader${n}`, usd(5_000), 2),
        buy(`trader${n}`, 'fair', 2_000, 3 + Math.floor((n * WEEK) / 12)),
      ]).flat(),
      buy('ofac', 'fair', 20_000, WEEK + 4),
      sale('seller', 'fair', 30_000, WEEK + 5),
      pay('seller', 'store', usd(29_000), WEEK + 6),
    )
    const { lp, w, seller } = await settle('ofac', 'lp', 'w', 'seller')
    for (const one of [lp, w]) {
      expect(inflowOf(one)!.evidence).toMatchObject({
        share: expect.closeTo(1, 1),
        doubt: 'the funds came through a pool of an unpriced token, which anybody may have made',
      })
      // Who is paid for a token by a thief need not know him.
      expect(inflowOf(one)!.contribution).toBeCloseTo(2, 1)
      expect(one!.probability).toBeLessThan(0.5)
    }
    expect(inflowOf(seller)).toBeUndefined()
  })

  test('that somebody sells on an exchange, or mostly there, accuses nobody, whoever bought', async () => {
    const [factory = ''] = DEX_FACTORIES.ETH.keys()
    await world(
      sanction('ofac'),
      pool('listed', factory),
      pool('desk', named('own factory')),
      pay('ofac', 'listed', MILLION, 2),
      pay('ofac', 'desk', MILLION, 2),
      sale('seller', 'listed', 90_000, 3),
      sale('seller', 'desk', 9_000, 4),
      pay('seller', 'store', usd(80_000), 5),
    )
    const { seller } = await settle('ofac', 'desk', 'seller')
    expect(seller!.probability).toBeLessThan(0.2)
  })
})

describe('the scorer is not kept busy', () => {
  test('by a wallet that paid more than a thousand: each is queued once, a thousand at most, and again only when something changes', async () => {
    const receivers = Array.from({ length: 1_100 }, (_, n) => `paid${n}`)
    await world(
      sanction('ofac'),
      sanction('twin'),
      ...receivers.map((name, n) => pay('ofac', name, usd(10), 2 + n)),
      ...receivers.slice(200, 700).map((name, n) => pay('twin', name, usd(10), 2 + n)),
    )
    const first = await score(['ofac', 'twin'].map(named))
    expect([first.queued.length, new Set(first.queued).size]).toEqual([1_000, 1_000])
    const second = await score(['ofac', 'twin'].map(named))
    expect(second.queued).toEqual([])
  })

  test('by two wallets that would be each other’s only sign', async () => {
    await world(
      sanction('ofac'),
      // Nobody scored it so far: its record is no sign.
      pay('ofac', 'between', usd(90_000), 2),
      pay('between', 'p', usd(40_000), 3),
      pay('between', 'q', usd(40_000), 3),
      pay('p', 'q', usd(20_000), 4),
      pay('q', 'p', usd(30_000), 5),
      pay('z', 'q', usd(1_000), 6),
    )
    await score([named('p')])
    await label('z', 'theft')
    await score([named('q')])
    await label('z', 'theft', true)
    // Fails after eight rounds.
    const { p, q } = await settle('p', 'q')
    expect([p!.offenceHops, q!.offenceHops]).toEqual([2, 2])
  })

  test('by those who only paid flagged wallets: their own movements are all that is read', async () => {
    await world(sanction('ofac'), ...honestLife('ann'), pay('ann', 'ofac', usd(2_000), 60))
    await settle('ofac')
    const routes = await routesOf('ann')
    expect(routes.filter((route) => route === 'exposure_movements')).toHaveLength(1)
    expect(routes).not.toContain('exposure_busy')
    await world(act('ofac', 90, coin('ofac', 'ann', usd(9_000), USDC)))
    expect(await routesOf('ann')).toContain('exposure_busy')
  })
})
