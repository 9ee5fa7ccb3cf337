import { expect, test } from 'vitest'
import { MIXER_POOLS, MIXER_ROUTERS } from '../../../../schema/registry/contracts.ts'
import {
  act,
  acts,
  approve,
  coin,
  crowd,
  ETH,
  flagsKit,
  flagsOf,
  listed,
  move,
  pay,
  USDC,
  unwraps,
  WETH,
  wrap,
} from '../../../../test/contract/scoring/flags.kit.ts'
import { named, type Tx } from '../../../../test/kit/world/transactions.ts'
import { writeLabels } from '../../../ledger/labels/write.ts'
import type { Subject } from '../../detector.ts'
import { layering } from './detector.ts'

const { clean, happened, store, verdicts } = flagsKit()

const ROUTER = [...MIXER_ROUTERS.ETH.keys()][0]!
const BRIDGE = '0x49048044d57e1c92a77f79988d21fa8faf74e97e'
const MIXED_USDC = [...MIXER_POOLS.ETH.values()].find(({ symbol }) => symbol === 'USDC')!.address

test('loot that goes on into mixers, bridges or a chain of fresh addresses at once is laundered; receiving, dust and spending are not laundering', async () => {
  await writeLabels(store(), [listed('thief', 'theft'), listed('spammer', 'honeypot')])
  const mix = (from: string, block: number, value = ETH): Tx => ({
    from: named(from),
    to: ROUTER,
    block,
    value,
    call: true,
  })
  const tenth = ETH / 10n
  await happened(
    // Mixed within a day.
    pay('thief', 'washer', 100, 10n * ETH),
    ...Array.from({ length: 3 }, (_, n) => mix('washer', 110 + n, ETH + 7n)),
    // Sent through a bridge within an hour.
    pay('thief', 'hopper', 100, 10n * ETH),
    { from: named('hopper'), to: BRIDGE, block: 104, value: 95n * tenth + 1n, call: true },
    // Passed on through a chain of fresh addresses.
    pay('thief', 'peeler', 200, 10n * ETH),
    pay('peeler', 'peel1', 203, 99n * tenth - 1n),
    pay('peel1', 'peel2', 205, 98n * tenth),
    pay('peel2', 'peel3', 207, 97n * tenth),
    // Receives loot, and goes on as before.
    pay('thief', 'payee', 300, 10n * ETH),
    ...Array.from({ length: 5 }, (_, n) => pay('payee', `shop${n}`, 320 + n)),
    // Receives dust, then uses a mixer with its own money.
    pay('bank', 'dusted', 10, 10n * ETH),
    pay('thief', 'dusted', 400, tenth),
    mix('dusted', 401),
    // An exchange: loot is a small part of what came in, and goes on with the rest.
    ...Array.from({ length: 20 }, (_, n) => pay(`user${n}`, 'hot', 300 + n, 5n * ETH)),
    pay('thief', 'hot', 321, 10n * ETH),
    { from: named('hot'), to: BRIDGE, block: 322, value: 50n * ETH, call: true },
    // The collector of a payment service: one hop to an old address.
    pay('old', 'till', 1, ETH),
    pay('thief', 'deposit', 3_000, 10n * ETH),
    pay('deposit', 'till', 3_001, 99n * tenth),
    pay('till', 'vault', 3_002, 98n * tenth),
    pay('vault', 'cold', 3_003, 97n * tenth),
    // Paid from an address with other activity.
    pay('spammer', 'seller', 500, 10n * ETH),
    mix('seller', 501),
  )
  const names = ['washer', 'hopper', 'peeler']
  const scored = await verdicts(...names)
  for (const [index, one] of scored.entries()) {
    expect(flagsOf(one), names[index]).toEqual({ money_laundering: '1', data_source: 'layering' })
  }
  const exits = scored.map((one) => one.reasons[0]!.evidence.exits)
  expect(exits).toMatchObject([
    [
      {
        way: 'mixer',
        amount: { amount: '3.000000000000000021', unit: 'ETH', usd: '6000.00' },
        to: [ROUTER],
        transactions: ['0x6e-0', '0x6f-0', '0x70-0'],
      },
    ],
    [{ way: 'bridge', amount: { amount: '9.500000000000000001', unit: 'ETH', usd: '19000.00' }, to: [BRIDGE] }],
    [
      {
        way: 'peel-chain',
        amount: { amount: '9.899999999999999999', unit: 'ETH', usd: '19800.00' },
        to: ['peel1', 'peel2', 'peel3'].map(named),
      },
    ],
  ])
  expect(scored[0]!.reasons[0]).toMatchObject({
    code: 'MONEY_LAUNDERING',
    evidence: { share: 1, sources: [named('thief')], arrivals: [{ from: named('thief'), transaction: '0x64-0' }] },
  })
  await clean('payee', 'dusted', 'hot', 'deposit', 'till', 'vault', 'seller', 'peel2', 'peel3', 'shop0')
})

test('thousands of parties in lying tokens and dust hide nobody who launders loot', async () => {
  await writeLabels(store(), [listed('thief', 'theft')])
  await happened(
    act('liar', '', 1, { do: 'create', contract: named('lie') }),
    act('liar', 'lie', 2, ...crowd('n', 1_001).map((name) => move(name, 'washer', 1n, 'lie'))),
    act('duster', USDC, 3, ...crowd('d', 2_001).map(() => move('duster', 'washer', 1n))),
    act('duster', 'lie', 3, ...crowd('d', 2_001).map(() => coin('duster', 'washer', 1n))),
    pay('thief', 'washer', 100, 10n * ETH),
    ...Array.from({ length: 3 }, (_, n) => ({
      from: named('washer'),
      to: ROUTER,
      block: 110 + n,
      value: ETH + 7n,
      call: true,
    })),
  )
  expect(flagsOf((await verdicts('washer'))[0])).toEqual({ money_laundering: '1', data_source: 'layering' })
})

test('a wallet that bridges payments from a thief is suspected, and convicted only if it lives on them', async () => {
  await writeLabels(store(), [listed('thief', 'theft')])
  const tenth = ETH / 10n
  const cross = (from: string, block: number, tenths: bigint): Tx => ({
    from: named(from),
    to: BRIDGE,
    block,
    value: tenths * tenth,
    call: true,
  })
  const dollars = (from: string, to: string, block: number, amount: bigint) =>
    act(from, USDC, block, move(from, to, amount * 10n ** 6n))
  await happened(
    // $1,000 of a thief and $1,000 of somebody else; the former goes through a bridge at once.
    pay('employer', 'payee', 90, ETH / 2n),
    pay('thief', 'payee', 100, ETH / 2n),
    cross('payee', 104, 5n),
    // A fresh wallet that is paid $9,000, all it ever got.
    pay('thief', 'seller', 200, (45n * ETH) / 10n),
    cross('seller', 204, 44n),
    // $6,000 of a thief beside as many dollar coins of others.
    dollars('employer', 'trader', 290, 6_000n),
    pay('thief', 'trader', 300, 3n * ETH),
    cross('trader', 304, 29n),
    // $20,000 of a thief beside as many dollar coins of others.
    dollars('employer', 'mule', 390, 20_000n),
    pay('thief', 'mule', 400, 10n * ETH),
    cross('mule', 404, 95n),
  )
  const [payee, seller, trader, mule] = await verdicts('payee', 'seller', 'trader', 'mule')
  for (const one of [payee, trader]) {
    expect(flagsOf(one), one!.address).toEqual({})
    expect(
      one!.reasons.map(({ code }) => code),
      one!.address,
    ).not.toContain('MONEY_LAUNDERING')
  }
  for (const one of [seller, mule])
    expect(flagsOf(one), one!.address).toEqual({ money_laundering: '1', data_source: 'layering' })
  const found = { livesOnProceeds: false, share: 0.5, sources: [named('thief')], arrivals: [], exits: [] }
  const subject = { network: 'ETH' } as Subject
  expect(layering.judge(found, subject).kind).toBe('suspected')
  expect(layering.judge({ ...found, livesOnProceeds: true }, subject).kind).toBe('convicted')
})

test('a victim that is refunded launders nothing, wherever the refund goes', async () => {
  await writeLabels(store(), [listed('thief', 'theft')])
  await happened(
    pay('boss', 'robbed', 1, 10n * ETH),
    // Signed with its own stolen key.
    pay('robbed', 'thief', 100, (ETH * 99n) / 10n),
    pay('thief', 'robbed', 300, 10n * ETH),
    { from: named('robbed'), to: BRIDGE, block: 303, value: (ETH * 99n) / 10n, call: true },
  )
  await clean('robbed')
})

test('wrapped and unwrapped coins are the same coins; a wallet that wraps, trades or keeps them is no link', async () => {
  await writeLabels(store(), [listed('thief', 'theft')])
  const tenth = ETH / 10n
  const token = (from: string, to: string, block: number, tenths: bigint): Tx =>
    act(from, WETH, block, move(from, to, tenths * tenth, WETH))
  const unwrapped = (who: string, block: number, tenths: bigint): Tx =>
    act(who, WETH, block, ...unwraps(who, tenths * tenth))
  await happened(
    // Wraps coins and passes them on; the receiver unwraps them and passes the coins on.
    pay('thief', 'wrapper', 200, 10n * ETH),
    wrap('wrapper', 201, 99n * tenth),
    token('wrapper', 'w1', 203, 99n),
    unwrapped('w1', 204, 99n),
    pay('w1', 'w2', 205, 98n * tenth),
    wrap('w2', 206, 97n * tenth),
    token('w2', 'w3', 207, 97n),
    // Receives wrapped coins, unwraps them, and uses a bridge.
    token('thief', 'crosser', 300, 100n),
    unwrapped('crosser', 301, 100n),
    { from: named('crosser'), to: BRIDGE, block: 303, value: 95n * tenth, call: true },
    // Wraps and keeps them; wraps and sells them to a pool; was paid wrapped coins by many, and by the thief once.
    pay('thief', 'keeper', 400, 10n * ETH),
    wrap('keeper', 401, 99n * tenth),
    unwrapped('keeper', 402, 99n),
    wrap('keeper', 403, 99n * tenth),
    act('m', '', 1, { do: 'pool', pool: named('pool'), token0: USDC, token1: WETH }),
    pay('thief', 'trader', 500, 10n * ETH),
    wrap('trader', 501, 99n * tenth),
    act(
      'trader',
      'router',
      502,
      move('trader', 'pool', 99n * tenth, WETH),
      move('pool', 'trader', 20_000n * 10n ** 6n),
    ),
    ...crowd('user', 20).map((who, n) => token(who, 'desk', 550 + n, 50n)),
    pay('thief', 'desk', 600, 10n * ETH),
    { from: named('desk'), to: BRIDGE, block: 601, value: 100n * tenth, call: true },
  )
  const [wrapper, crosser] = await verdicts('wrapper', 'crosser')
  for (const one of [wrapper, crosser]) expect(flagsOf(one)).toEqual({ money_laundering: '1', data_source: 'layering' })
  expect(wrapper!.reasons[0]!.evidence.exits).toMatchObject([
    { way: 'peel-chain', amount: { amount: '9.9', unit: 'ETH' }, to: ['w1', 'w2', 'w3'].map(named) },
  ])
  expect(crosser!.reasons[0]!.evidence.exits).toMatchObject([{ way: 'bridge', amount: { amount: '9.5', unit: 'ETH' } }])
  await clean('keeper', 'trader', 'desk', 'w2', 'w3', 'user0')
})

test('a chain is followed independent of the loot of others in the batch', async () => {
  await writeLabels(store(), [listed('thief', 'theft')])
  const tenth = ETH / 10n
  const hoarders = crowd('hoarder', 5)
  await happened(
    hoarders.flatMap((who) => [
      ...crowd('n', 250).map((_, n) => pay('thief', who, 520 + n, ETH)),
      pay(who, 'shop', 800),
    ]),
    pay('thief', 'peeler', 400, 10n * ETH),
    pay('peeler', 'peel1', 403, 99n * tenth),
    pay('peel1', 'peel2', 405, 98n * tenth),
    pay('peel2', 'peel3', 407, 97n * tenth),
  )
  const [peeler, ...others] = await verdicts('peeler', ...hoarders)
  expect(flagsOf(peeler)).toEqual({ money_laundering: '1', data_source: 'layering' })
  for (const hoarder of others) expect(flagsOf(hoarder)).toEqual({})
})

test('a thief who mixes what it took from its own victims launders it', async () => {
  const victims = crowd('w', 3)
  await happened(
    ...victims.flatMap((who, n): Tx[] => [
      ...acts(who, 1),
      act('bank', USDC, 1 + n, move('bank', who, 10n ** 9n)),
      approve(who, 'taker', 10 + n),
      act('taker', USDC, 20 + n, move(who, 'taker', 10n ** 9n)),
    ]),
    act('taker', MIXED_USDC, 30, move('taker', MIXED_USDC, 10n ** 9n)),
  )
  const [taker] = await verdicts('taker')
  expect(flagsOf(taker)).toMatchObject({ stealing_attack: '1', money_laundering: '1' })
  expect(taker!.reasons.find(({ code }) => code === 'MONEY_LAUNDERING')).toMatchObject({
    evidence: {
      sources: victims.map(named),
      exits: [{ way: 'mixer', asset: USDC, amount: { amount: '1000', unit: 'USDC', usd: '1000.00' } }],
    },
  })
  await clean(...victims)
})

test('a carrier of payments for a fee does not launder the fees, and its payments begin no chain', async () => {
  const customers = crowd('c', 4)
  const all = 10n ** 11n
  await happened(
    customers.flatMap((who, n): Tx[] => [
      ...acts(who, 2),
      act('bank', USDC, 1 + n, move('bank', who, all)),
      pay('bank', who, 1 + n),
      approve(who, 'relayer', 10 + n),
      act('relayer', USDC, 20 + n, move(who, `payee${n}`, (all * 98n) / 100n), move(who, 'relayer', all / 50n)),
    ]),
    act('relayer', MIXED_USDC, 30, move('relayer', MIXED_USDC, (4n * all) / 50n)),
    pay('market', 'relayer', 31, 30n * ETH),
    pay('relayer', 'helper', 40, 20n * ETH),
    pay('helper', 'shop1', 42, 19n * ETH),
    pay('shop1', 'shop2', 44, 18n * ETH),
  )
  const [relayer, ...others] = await verdicts('relayer', 'helper', 'shop1', 'shop2')
  expect(flagsOf(relayer)).toEqual({})
  expect(relayer!.reasons.map(({ code }) => code)).not.toContain('DRAIN_VICTIMS')
  for (const other of others) expect(flagsOf(other), other.address).toEqual({})
})

/** Dust and zero-value transfers, in transactions of strangers, long before and long after. */
const spam = (...names: string[]): Tx[] =>
  names.flatMap((name) =>
    crowd('spam', 6).flatMap((stranger, n) => [
      act(stranger, USDC, 900 + n, move(stranger, name, 1n), move(name, stranger, 0n)),
      pay(stranger, name, 910 + n, 1n),
      act(stranger, USDC, 5_000 + n, move(stranger, name, 1n), move(name, stranger, 0n)),
    ]),
  )

test.each([
  ['', []],
  [', whatever strangers dust them with', ['l1', 'l2', 'l3', 'l4', 'm0', 'm1', 'm2', 'm3']],
])(
  'the links of a chain below a thief launder as well; the deposit address at its end and other fresh purses do not%s',
  async (_, dusted) => {
    const victims = crowd('w', 3)
    const hand = (from: string, to: string, block: number, tenths: bigint): Tx =>
      pay(from, to, block, (tenths * ETH) / 10n)
    await happened(
      ...victims.flatMap((who, n): Tx[] => [
        ...acts(who, 1),
        act('bank', USDC, 1 + n, move('bank', who, 10n ** 9n)),
        approve(who, 'taker', 10 + n),
        act('taker', USDC, 20 + n, move(who, 'taker', 10n ** 9n)),
      ]),
      pay('market', 'taker', 3_030, 10n * ETH),
      pay('old', 'hotwallet', 1),
      hand('taker', 'l1', 3_040, 99n),
      hand('l1', 'l2', 3_042, 98n),
      hand('l2', 'l3', 3_044, 97n),
      hand('l3', 'l4', 3_046, 96n),
      hand('l4', 'account', 3_048, 95n),
      hand('account', 'hotwallet', 3_050, 94n),
      hand('hotwallet', 'customer', 3_052, 93n),
      // The same pattern without a thief at its start.
      pay('market', 'm0', 3_040, 10n * ETH),
      hand('m0', 'm1', 3_042, 99n),
      hand('m1', 'm2', 3_044, 98n),
      hand('m2', 'm3', 3_046, 97n),
      hand('m3', 'm4', 3_048, 96n),
      ...spam(...dusted),
    )
    const names = ['l1', 'l2', 'l3', 'l4']
    const scored = await verdicts(...names)
    for (const [index, one] of scored.entries())
      expect(flagsOf(one), names[index]).toEqual(
        index < 3 ? { money_laundering: '1', data_source: 'layering' } : expect.anything(),
      )
    expect(scored[1]!.reasons[0]).toMatchObject({
      evidence: {
        upstream: ['taker', 'l1'].map(named),
        sources: [named('l1')],
        exits: [{ way: 'peel-chain', to: ['l3', 'l4'].map(named) }],
      },
    })
    await clean('account', 'hotwallet', 'customer', 'market', 'm0', 'm1', 'm2', 'm3', ...victims)
  },
)

test('a thief who sells the loot first and mixes the proceeds, or forwards them together, launders it as well', async () => {
  const rob = (thief: string, prefix: string): Tx[] =>
    crowd(prefix, 3).flatMap((who, n): Tx[] => [
      ...acts(who, 1),
      act('bank', 'tok', 1 + n, move('bank', who, 500n, 'tok')),
      approve(who, thief, 10 + n, 'tok'),
      act(thief, 'tok', 20 + n, move(who, thief, 500n, 'tok')),
    ])
  const sell = (thief: string, block: number): Tx =>
    act(thief, named('router'), block, move(thief, 'pool', 700n, 'tok'), coin('router', thief, 3n * ETH))
  const hand = (from: string, to: string, block: number, tenths: bigint): Tx =>
    pay(from, to, block, (tenths * ETH) / 10n)
  await happened(
    ...rob('mixer', 'x'),
    sell('mixer', 30),
    sell('mixer', 31),
    { from: named('mixer'), to: ROUTER, block: 40, value: 5n * ETH, call: true },
    ...rob('hander', 'y'),
    sell('hander', 30),
    sell('hander', 31),
    hand('hander', 'h1', 40, 58n),
    hand('h1', 'h2', 42, 57n),
    hand('h2', 'h3', 44, 56n),
    // Sells the loot and keeps the proceeds.
    ...rob('sitter', 'z'),
    sell('sitter', 30),
  )
  const [mixer, hander, sitter] = await verdicts('mixer', 'hander', 'sitter')
  for (const one of [mixer, hander]) expect(flagsOf(one)).toMatchObject({ money_laundering: '1', stealing_attack: '1' })
  expect(hander!.reasons.find(({ code }) => code === 'MONEY_LAUNDERING')).toMatchObject({
    evidence: {
      exits: [
        {
          way: 'peel-chain',
          amount: { amount: '5.8', unit: 'ETH', usd: '11600.00' },
          to: ['h1', 'h2', 'h3'].map(named),
        },
      ],
    },
  })
  expect(flagsOf(sitter)).not.toHaveProperty('money_laundering')
})
