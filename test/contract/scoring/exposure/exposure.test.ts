import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import { tronFromEvm } from '../../../../schema/address/index.ts'
import type { Network } from '../../../../schema/networks.ts'
import { type ExposureReport, exposureReport } from '../../../../schema/records/explained/exposure.ts'
import { ASSETS, MIXER_POOLS } from '../../../../schema/registry/contracts.ts'
import { registryOf } from '../../../../schema/registry/index.ts'
import { createGraph, createKnown, type Known } from '../../../../scorer/ledger/exposure/graph.ts'
import { GRAPH } from '../../../../scorer/ledger/exposure/inflow.ts'
import { loadExposureReport } from '../../../../scorer/ledger/exposure/load.ts'
import { createValuation } from '../../../../scorer/ledger/exposure/valuation.ts'
import { writeLabels } from '../../../../scorer/ledger/labels/write.ts'
import { createTieredStore } from '../../../../scorer/ledger/reading/tiers.ts'
import { createRescore } from '../../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import { saveRecords } from '../../../../scorer/scoring/stored.ts'
import { openTestStore, type TestStore } from '../../../kit/store/store.ts'
import { type Action, insertRows, named, rowsOf, settle, type Tx } from '../../../kit/world/transactions.ts'

let kit: TestStore
beforeAll(async () => {
  kit = await openTestStore()
})
beforeEach(() => kit.truncate())
afterAll(() => kit.close())

const ETH = 10n ** 18n
const MILLI = 10n ** 15n
const W = named('w')
const asset = (symbol: string, network: Network = 'ETH') =>
  [...ASSETS[network].values()].find((one) => one.symbol === symbol)!.address

const pay = (from: string, to: string, value: bigint, block = 1): Tx => ({
  from: named(from),
  to: named(to),
  value,
  block,
})
const act = (from: string, block: number, ...actions: Action[]): Tx => ({
  from: named(from),
  to: named('x'),
  block,
  actions,
})
const coin = (symbol: string, from: string, to: string, amount: bigint, network?: Network): Action => ({
  do: 'token',
  asset: asset(symbol, network),
  from: named(from),
  to: named(to),
  amount,
})
const labelled = (labels: Record<string, string>, confidence = 0.9, network: Network = 'ETH') =>
  writeLabels(
    kit.store,
    Object.entries(labels).map(([name, label]) => ({
      network,
      address: named(name),
      label,
      detector: 'list',
      class: 'reported' as const,
      confidence,
      detector_version: '1',
      evidence: { name, ...(label === 'service' ? { kind: 'exchange' } : {}) },
      tx_hash: '',
      block_number: 0,
      foundAt: Date.now(),
    })),
  )
const report = async (network: Network = 'ETH', address = W): Promise<ExposureReport> =>
  exposureReport.parse(await loadExposureReport(kit.store, network, address))
const sum = (shares: Record<string, number>) => Object.values(shares).reduce((a, b) => a + b, 0)
const some = (shares: Record<string, number>) =>
  Object.fromEntries(Object.entries(shares).filter(([, share]) => share > 0))

test('both directions, by category, over hops, adding up to one', async () => {
  await insertRows(
    kit.store,
    rowsOf([
      pay('thief', 'mule', 6n * ETH, 1),
      pay('friend', 'mule', 4n * ETH, 1),
      pay('mule', 'w', 5n * ETH, 2),
      pay('shop', 'w', 5n * ETH, 3),
      pay('w', 'out', 8n * ETH, 4),
      pay('w', 'scammer', 2n * ETH, 5),
      pay('out', 'shop', 8n * ETH, 6),
      // Before it got anything of the wallet's: none of the wallet's value.
      pay('out', 'scammer', 8n * ETH, 3),
    ]),
  )
  await labelled({ thief: 'theft', shop: 'service', scammer: 'phishing' })
  const { unit, incoming, outgoing } = await report()
  expect(unit).toBe('USD')
  expect(incoming).toEqual({
    total: 20_000,
    usd: '20000.00',
    shares: { unknown: 0.2, dust: 0, depth_limit: 0, exchange: 0.5, stolen: 0.3 },
    categories: [
      {
        category: 'exchange',
        direct: { usd: '10000.00', share: 0.5, addresses: 1, transfers: 1 },
        indirect: { usd: '0.00', share: 0, addresses: 0, transfers: 0 },
        nearest: { hops: 1, path: [named('shop')] },
      },
      {
        category: 'stolen',
        direct: { usd: '0.00', share: 0, addresses: 0, transfers: 0 },
        indirect: { usd: '6000.00', share: 0.3, addresses: 1, transfers: 1 },
        nearest: { hops: 2, path: [named('mule'), named('thief')] },
      },
    ],
    contacts: [
      { address: named('shop'), category: 'exchange', name: 'shop', share: 0.5, usd: '10000.00', hops: 1 },
      { address: named('thief'), category: 'stolen', name: 'thief', share: 0.3, usd: '6000.00', hops: 2 },
    ],
    swapped: '0.00',
    notFollowed: {
      services: '10000.00',
      bridges: '0.00',
      limits: '0.00',
      unpriced: '0.00',
      unpricedAssets: 0,
      dust: { usd: '0.00', transfers: 0 },
      cut: false,
    },
  })
  expect(outgoing.usd).toBe('20000.00')
  expect(some(outgoing.shares)).toEqual({ exchange: 0.8, phishing: 0.2 })
})

test('a swap in the vault of Balancer or in a pool of Curve is no income: what was changed came from where it had come', async () => {
  const [vault] = [...registryOf('ETH').dexFactories.values()].filter(({ kind }) => kind === 'balancer-v2')
  const usdc = asset('USDC')
  const pool = named('twopool')
  const swapped = (block: number, place: string): Tx => ({
    ...act('w', block, { do: 'token', from: place, to: W, asset: usdc, amount: 4_000_000_000n }),
    ...{ to: place, value: 2n * ETH },
  })
  await insertRows(
    kit.store,
    rowsOf([
      act('maker', 1, { do: 'pool', pool, kind: 'curve', factory: named('f'), token0: '', token1: usdc }),
      pay('thief', 'w', 4n * ETH, 2),
      swapped(3, vault!.address),
      swapped(4, pool),
    ]),
  )
  await labelled({ thief: 'theft' })
  const { incoming } = await report()
  expect(incoming).toMatchObject({ usd: '8000.00', swapped: '8000.00' })
  expect(some(incoming.shares)).toEqual({ stolen: 1 })
})

test('dust never taints, by whomever and however often; what the sender got later does not either', async () => {
  await insertRows(
    kit.store,
    rowsOf([
      pay('friend', 'w', 10n * ETH, 1),
      ...Array.from({ length: 30 }, (_, n) => pay(`thief${n}`, 'w', MILLI, 2 + n)),
      pay('thief0', 'friend', 100n * ETH, 40),
    ]),
  )
  await labelled(Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`thief${n}`, 'theft'])))
  const { shares } = (await report()).incoming
  expect(Object.keys(some(shares)).sort()).toEqual(['dust', 'unknown'])
  expect(shares.dust).toBeCloseTo(0.03 / 10.03, 5)
})

test('taint stops at exchanges, pools, routers and popular contracts', async () => {
  const pool = named('pool')
  const [router = ''] = [...ASSETS.ETH.keys()]
  const [factory = ''] = [...registryOf('ETH').dexFactories.keys()]
  const users = (n: number) => `0x${(n + 1).toString(16).padStart(40, '0')}`
  await insertRows(
    kit.store,
    rowsOf([
      act(
        'm',
        1,
        { do: 'pool', pool, token0: asset('USDC'), token1: asset('WETH'), factory },
        { do: 'create', contract: named('hub') },
      ),
      ...Array.from({ length: 1_050 }, (_, n): Tx => ({ from: users(n), to: named('hub'), block: 2, call: true })),
      ...['shop', 'pool', 'hub', 'liar'].map((name) => pay('thief', name, 50n * ETH, 3)),
      { from: named('thief'), to: router, value: 50n * ETH, block: 3 },
      // Its owner announces an account as a pool.
      act('liar', 3, { do: 'pool', pool: named('liar'), token0: asset('USDC'), token1: asset('WETH') }),
      ...['shop', 'hub', 'liar'].map((name) => pay(name, 'w', 1n * ETH, 4)),
      ...[router, pool].map((from, n) => act('s', 5 + n, { do: 'internal', from, to: W, amount: 1n * ETH })),
    ]),
  )
  await labelled({ thief: 'theft', shop: 'service' })
  const { incoming } = await report()
  expect(some(incoming.shares)).toEqual({ exchange: 0.2, dex: 0.2, service: 0.2, token: 0.2, stolen: 0.2 })
})

test('authorities, mixers and our own verdicts are categories; delisted, benign and doubtful ones are not', async () => {
  const mixer = [...MIXER_POOLS.ETH.values()].find((one) => one.asset === '')!.address
  const oracle = '0x40c57923924b5c5c5455c48d93317139addac8fb'
  await insertRows(
    kit.store,
    rowsOf([
      act('boss', 1, { do: 'authority', authority: oracle, event: 'sanction_add', subject: named('banned') }),
      act('boss', 1, { do: 'authority', authority: oracle, event: 'sanction_add', subject: named('freed') }),
      act('boss', 2, { do: 'authority', authority: oracle, event: 'sanction_remove', subject: named('freed') }),
      ...['banned', 'freed', 'fine', 'maybe', 'drainer'].map((name, n) => pay(name, 'w', ETH, 3 + n)),
      act('r', 9, { do: 'internal', from: mixer, to: W, amount: ETH }),
      ...['v1', 'v2', 'v3'].flatMap((name, n): Tx[] => [
        // Who never paid anybody might be a deposit address.
        pay(name, `shop of ${name}`, ETH, 9),
        act('src', 10, coin('USDC', 'src', name, 100n)),
        act(name, 11 + n, {
          do: 'approve',
          owner: named(name),
          spender: named('drainer'),
          asset: asset('USDC'),
          amount: 100n,
        }),
        act('drainer', 20 + n, coin('USDC', name, 'drainer', 100n)),
      ]),
    ]),
  )
  await labelled({ fine: 'benign' })
  await labelled({ fine: 'phishing', freed: 'delisted' })
  await labelled({ maybe: 'phishing' }, 0.6)
  const rescore = createRescore({
    context: { metrics: createMetrics(), clock: systemClock },
    store: kit.store,
    model: createWalletModel(),
  })
  await saveRecords(kit.store, await rescore.rescore('ETH', [named('drainer')], Date.now()))
  const { shares } = (await report()).incoming
  expect(some(shares)).toEqual({
    sanctioned: expect.closeTo(1 / 6, 5),
    mixer: expect.closeTo(1 / 6, 5),
    stolen: expect.closeTo(1 / 6, 5),
    unknown: expect.closeTo(1 / 2, 5),
  })
})

test('coins count at the fixed price of their network, dollar coins as dollars, and other tokens not at all', async () => {
  const tron = (name: string) => tronFromEvm(named(name))
  const usdt = asset('USDT', 'TRON')
  await insertRows(
    kit.store,
    rowsOf(
      [
        act('a', 1, { do: 'token', asset: usdt, from: tron('evil'), to: tron('w'), amount: 300_000_000n }),
        act('a', 2, { do: 'token', asset: usdt, from: tron('pal'), to: tron('w'), amount: 100_000_000n }),
        act('a', 3, { do: 'token', asset: usdt, from: tron('penny'), to: tron('w'), amount: 900_000n }),
        act('a', 3, { do: 'token', asset: tron('fake usdt'), from: tron('liar'), to: tron('w'), amount: 10n ** 30n }),
      ],
      { network: 'TRON' },
    ),
  )
  const { unit, incoming } = await report('TRON', tron('w'))
  expect([unit, incoming.usd, incoming.notFollowed.unpricedAssets]).toEqual(['USD', '400.90', 1])
  expect(incoming.notFollowed.dust).toEqual({ usd: '0.90', transfers: 1 })
  expect(some(incoming.shares)).toEqual({
    unknown: expect.closeTo(400 / 400.9, 5),
    dust: expect.closeTo(0.9 / 400.9, 5),
  })
})

test('rows of both tiers count once, and a wallet without flows has no shares', async () => {
  await settle(kit.store, 'ETH', 5)
  await insertRows(kit.store, rowsOf([pay('a', 'w', ETH, 1)], { head: 5 }))
  await insertRows(kit.store, rowsOf([pay('b', 'w', 3n * ETH, 6)], { from: 6 }), 'hot')
  await labelled({ b: 'phishing' })
  const { incoming, outgoing } = await report()
  expect([incoming.usd, some(incoming.shares)]).toEqual(['8000.00', { phishing: 0.75, unknown: 0.25 }])
  expect(outgoing).toMatchObject({ total: 0, shares: { unknown: 0, dust: 0, depth_limit: 0 }, contacts: [] })
})

/** Numbers that only look random. */
const dice = (seed: number) => {
  let state = seed
  return (sides: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * sides)
  }
}

/** Every path, one by one, from the plain transfers: the product of what each step took of all that came in. */
const byPaths = (
  txs: readonly Tx[],
  categories: ReadonlyMap<string, string>,
  depth: number,
): Record<string, number> => {
  const shares: Record<string, number> = {}
  const visit = (address: string, mass: number, hops: number) => {
    const category = categories.get(address)
    const incoming = txs.filter((tx) => tx.to === address)
    const total = incoming.reduce((all, tx) => all + Number(tx.value), 0)
    const end = category ?? (hops === depth ? 'depth_limit' : total === 0 ? 'unknown' : undefined)
    if (end !== undefined && hops > 0) {
      shares[end] = (shares[end] ?? 0) + mass
      return
    }
    for (const tx of incoming) visit(tx.from, (mass * Number(tx.value)) / total, hops + 1)
  }
  visit(W, 1, 0)
  return shares
}

test('the walk agrees with every path counted one by one', async () => {
  for (let seed = 1; seed <= 8; seed++) {
    await kit.truncate()
    const roll = dice(seed * 7_919)
    const layers = [
      [W],
      ...Array.from({ length: 5 }, (_, layer) => Array.from({ length: 4 }, (_, n) => named(`l${layer}n${n}`))),
    ]
    // Value moves from outer to inner layers only, outer ones earlier, and nobody gives more than came in.
    const txs = layers.slice(0, -1).flatMap((layer, depth) =>
      layer.flatMap((to) =>
        Array.from({ length: 1 + roll(4) }, (): Tx => {
          const from = layers[depth + 1]![roll(4)]!
          const value = BigInt(100 + roll(900)) * MILLI * 200n ** BigInt(depth)
          return { from, to, value, block: 60 - depth * 10 + roll(5) }
        }),
      ),
    )
    const bad = layers.slice(1).flatMap((layer) => layer.filter(() => roll(5) === 0))
    await insertRows(kit.store, rowsOf(txs))
    await writeLabels(
      kit.store,
      bad.map((address) => ({
        network: 'ETH',
        address,
        label: 'phishing',
        detector: 'list',
        class: 'reported',
        confidence: 0.9,
        detector_version: '1',
        evidence: {},
        tx_hash: '',
        block_number: 0,
        foundAt: 1,
      })),
    )
    const { incoming } = await loadExposureReport(kit.store, 'ETH', W, {
      limits: { dustShare: 0, minMass: 0, depth: 3 },
    })
    const expected = byPaths(txs, new Map(bad.map((address) => [address, 'phishing'])), 3)
    expect(sum(incoming.shares)).toBeCloseTo(1, 9)
    for (const [category, share] of Object.entries(expected)) {
      expect([seed, category, incoming.shares[category]]).toEqual([seed, category, expect.closeTo(share, 5)])
    }
  }
})

const ZERO = `0x${'0'.repeat(40)}`
const PORTAL = '0x49048044d57e1c92a77f79988d21fa8faf74e97e'
const BRIDGE = { ETH: '0x3154cf16ccdb4c6d922629664174b904d80f2c35', BASE: '0x4200000000000000000000000000000000000010' }
/** Gives coins to a contract of Base's bridges on Ethereum. */
const deposit = (from: string, to: string, value: bigint, block: number): Tx => ({
  from: named(from),
  to,
  value,
  block,
})
/** What the portal minted, or the bridge paid out, on Base. */
const received = (to: string, exit: string, amount: bigint, block: number): Tx => ({
  from: named('sequencer'),
  to: named(to),
  block,
  actions: [{ do: 'internal', from: exit, to: named(to), amount }],
})
const onBoth = async (eth: Tx[], base: Tx[]) => {
  await insertRows(kit.store, rowsOf(eth))
  await insertRows(kit.store, rowsOf(base, { network: 'BASE' }))
}
const ends = ({ shares, contacts, notFollowed }: ExposureReport['incoming']) => ({
  shares: some(shares),
  known: contacts.map(({ address, network, category }) => [network, address, category]),
  bridges: notFollowed.bridges,
})

test('money that an address took over a bridge is followed to what it had on the other network, both ways', async () => {
  await onBoth(
    [
      pay('thief', 'w', 6n * ETH, 1),
      pay('friend', 'w', 2n * ETH, 1),
      deposit('w', PORTAL, 5n * ETH, 3),
      deposit('w', BRIDGE.ETH, 3n * ETH, 4),
      // What came in after it had left is no part of it.
      pay('scammer', 'w', 100n * ETH, 5),
    ],
    [received('w', ZERO, 5n * ETH, 6), received('w', BRIDGE.BASE, 3n * ETH, 7), pay('w', 'shop', 8n * ETH, 8)],
  )
  await labelled({ thief: 'theft', scammer: 'phishing' })
  const { incoming } = await report('BASE')
  expect(ends(incoming)).toEqual({
    shares: { stolen: 0.75, unknown: 0.25 },
    known: [['ETH', named('thief'), 'stolen']],
    bridges: '0.00',
  })
  expect(incoming.categories[0]).toMatchObject({
    category: 'stolen',
    indirect: { usd: '12000.00', share: 0.75 },
    nearest: { hops: 2, path: [`ETH:${W}`, `ETH:${named('thief')}`] },
  })
  await labelled({ shop: 'phishing' }, 0.9, 'BASE')
  expect(ends((await report('ETH')).outgoing)).toEqual({
    shares: { phishing: 1 },
    known: [['BASE', named('shop'), 'phishing']],
    bridges: '0.00',
  })
})

test('nobody is led to others by a bridge: gifts, amounts that differ, and what came too late stay at it', async () => {
  await onBoth(
    [
      pay('thief', 'w', 50n * ETH, 1),
      // A stranger sends stolen money over, to an address that took other amounts over itself.
      pay('thief', 'stranger', 50n * ETH, 1),
      deposit('stranger', BRIDGE.ETH, 4n * ETH, 3),
      deposit('w', BRIDGE.ETH, 4n * ETH + 1n, 3),
      deposit('w', BRIDGE.ETH, 2n * ETH, 9),
      deposit('w', BRIDGE.ETH, 3n * ETH, 3),
      deposit('w', BRIDGE.ETH, 6n * ETH, 3),
    ],
    [
      received('w', BRIDGE.BASE, 4n * ETH, 4),
      // Before its deposit, and longer after it than a bridge takes.
      received('w', BRIDGE.BASE, 2n * ETH, 8),
      received('w', BRIDGE.BASE, 3n * ETH, 3 + 12 * 6 + 1),
      // The portal mints to its caller alone; here the caller is not on the tables.
      received('w', ZERO, ETH, 5),
      // One transaction in which the wallet's own deposit comes out, and another's gift.
      {
        ...received('w', BRIDGE.BASE, 0n, 5),
        actions: [6n, 7n].map((coins): Action => ({ do: 'internal', from: BRIDGE.BASE, to: W, amount: coins * ETH })),
      },
      // The bridge's own money leads nowhere.
      pay('thief', 'other', 9n * ETH, 1),
    ],
  )
  await labelled({ thief: 'theft' })
  expect(ends((await report('BASE')).incoming)).toEqual({
    shares: { bridge: 1 },
    known: expect.arrayContaining([
      [undefined, BRIDGE.BASE, 'bridge'],
      ['ETH', PORTAL, 'bridge'],
    ]),
    bridges: '46000.00',
  })
})

/** Tokens that the standard bridge takes on Ethereum and mints on Base, or the other way round. */
const locked = (symbol: string, from: string, amount: bigint, block: number): Tx => ({
  from: named(from),
  to: BRIDGE.ETH,
  block,
  actions: [{ do: 'token', asset: asset(symbol), from: named(from), to: BRIDGE.ETH, amount }],
})
const minted = (symbol: string, to: string, amount: bigint, block: number): Tx => ({
  from: named('sequencer'),
  to: BRIDGE.BASE,
  block,
  actions: [{ do: 'token', asset: asset(symbol, 'BASE'), from: ZERO, to: named(to), amount }],
})
const DOLLARS = 10n ** 6n

test('tokens are followed as coins are: to the same token of the same address alone, and what strangers send stays at the bridge', async () => {
  await onBoth(
    [
      act('m', 1, coin('USDC', 'thief', 'w', 6_000n * DOLLARS)),
      act('m', 1, coin('USDC', 'friend', 'w', 2_000n * DOLLARS)),
      locked('USDC', 'w', 8_000n * DOLLARS, 3),
      // The same number of another token, and a stranger's.
      locked('DAI', 'w', 3_000n * ETH, 3),
      act('m', 1, coin('USDC', 'thief', 'stranger', 4_000n * DOLLARS)),
      locked('USDC', 'stranger', 4_000n * DOLLARS, 3),
    ],
    [
      minted('USDbC', 'w', 8_000n * DOLLARS, 5),
      minted('USDbC', 'w', 4_000n * DOLLARS, 5),
      minted('cbETH', 'w', 3_000n * ETH, 5),
    ].map((tx, n) => ({ ...tx, block: 5 + n })),
  )
  await labelled({ thief: 'theft' })
  const { incoming } = await report('BASE')
  expect(ends(incoming)).toEqual({
    // The third that a stranger's deposit leaves at the bridge; of the rest $6,000 of $11,000: where the DAI came from is not seen.
    shares: {
      stolen: expect.closeTo(4 / 11, 5),
      unknown: expect.closeTo(10 / 33, 5),
      bridge: expect.closeTo(1 / 3, 5),
    },
    known: [
      ['ETH', named('thief'), 'stolen'],
      ['ETH', BRIDGE.ETH, 'bridge'],
    ],
    bridges: '4000.00',
  })
})

test('withdrawals lead back to what the address had on Base, from the moment they began', async () => {
  const PASSER = '0x4200000000000000000000000000000000000016'
  const paid = (to: string, from: string, amount: bigint, block: number): Tx => ({
    from: named('finalizer'),
    to: from,
    block,
    actions: [{ do: 'internal', from, to: named(to), amount }],
  })
  const WEEK = 7 * 24 * 6
  await onBoth(
    [
      paid('w', BRIDGE.ETH, 3n * ETH, 20 + WEEK),
      paid('w', PORTAL, 2n * ETH, 30 + WEEK),
      // A withdrawal of somebody else, and one that began later than it came out.
      paid('w', PORTAL, 7n * ETH, 40 + WEEK),
      paid('w', BRIDGE.ETH, 4n * ETH, 8),
    ],
    [
      pay('thief', 'w', 5n * ETH, 1),
      pay('thief', 'stranger', 7n * ETH, 1),
      deposit('w', BRIDGE.BASE, 3n * ETH, 10),
      deposit('w', PASSER, 2n * ETH, 11),
      deposit('w', BRIDGE.BASE, 4n * ETH, 12),
      deposit('stranger', PASSER, 7n * ETH, 10),
      // Honest money that came when the coins were on their way dilutes nothing.
      pay('friend', 'w', 500n * ETH, 20),
    ],
  )
  await labelled({ thief: 'theft' }, 0.9, 'BASE')
  expect(ends((await report('ETH')).incoming)).toEqual({
    shares: { stolen: 5 / 16, bridge: 11 / 16 },
    known: expect.arrayContaining([
      ['BASE', named('thief'), 'stolen'],
      [undefined, PORTAL, 'bridge'],
      [undefined, BRIDGE.ETH, 'bridge'],
    ]),
    bridges: '22000.00',
  })
})

test('a bridge is not followed where the other network is not indexed', async () => {
  await insertRows(kit.store, rowsOf([received('w', ZERO, 5n * ETH, 6)], { network: 'BASE' }))
  expect(ends((await report('BASE')).incoming)).toEqual({
    shares: { bridge: 1 },
    known: [['ETH', PORTAL, 'bridge']],
    bridges: '10000.00',
  })
  await insertRows(kit.store, rowsOf([deposit('v', PORTAL, 5n * ETH, 3)]))
  expect(ends((await report('ETH', named('v'))).outgoing)).toMatchObject({ shares: { bridge: 1 }, bridges: '10000.00' })
})

test('graphs that share what they read ask for it once, and each knows only of those it asked about', async () => {
  await insertRows(
    kit.store,
    rowsOf([pay('thief', 'mule', 6n * ETH, 1), pay('friend', 'mule', 4n * ETH, 1), pay('mule', 'w', 5n * ETH, 2)]),
  )
  await labelled({ thief: 'theft' })
  const asked: (string | undefined)[] = []
  const query: typeof kit.store.query = (sql, params, options) => {
    asked.push(options?.route)
    return kit.store.query(sql, params, options)
  }
  const heights = { settled: undefined, head: 10, time: 1_800_000_000 }
  const valuation = await createValuation(kit.store, 'ETH')(heights.head, heights.time)
  const store = createTieredStore({ ...kit.store, query }, 'final')
  const graphOf = (known: Known) => createGraph(store, 'ETH', heights, valuation, GRAPH, { known })
  const expanded = async (known: Known) => {
    const graph = graphOf(known)
    await graph.expand([named('mule')])
    return graph
  }
  const known = createKnown(1_000)
  await expanded(known)
  expect(asked).toContain('exposure_movements')
  const alone = await expanded(createKnown(0))
  asked.length = 0
  expect(graphOf(known).about(named('thief'))).toBeUndefined()
  const second = await expanded(known)
  expect(asked).toEqual([])
  expect(second.about(named('thief'))).toEqual({ category: 'stolen', service: false, tooMuch: false })
  for (const name of ['thief', 'friend', 'w']) expect(second.about(named(name))).toEqual(alone.about(named(name)))
  expect(second.flows(named('mule'), 'incoming')).toEqual(alone.flows(named('mule'), 'incoming'))
  // Where there is no room for movements they are read again.
  const tight = createKnown(2)
  await expanded(tight)
  asked.length = 0
  await expanded(tight)
  expect(asked).toEqual(['exposure_movements'])
})
