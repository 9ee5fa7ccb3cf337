/** Exposure reports of one network: categories, shares, where taint stops, and that the walk counts every path once. */
import { expect, test } from 'vitest'
import { systemClock } from '../../../../platform/context/clock.ts'
import { createMetrics } from '../../../../platform/context/metrics.ts'
import type { Store } from '../../../../platform/store/store.ts'
import { tronFromEvm } from '../../../../schema/address/index.ts'
import { ASSETS, MIXER_POOLS } from '../../../../schema/registry/contracts.ts'
import { registryOf } from '../../../../schema/registry/index.ts'
import { createGraph, createGraphCache, type GraphCache } from '../../../../scorer/ledger/exposure/graph.ts'
import { VERDICT_GRAPH_LIMITS } from '../../../../scorer/ledger/exposure/inflow.ts'
import { loadExposureReport } from '../../../../scorer/ledger/exposure/load.ts'
import { createValuation } from '../../../../scorer/ledger/exposure/valuation.ts'
import { writeLabels } from '../../../../scorer/ledger/labels/write.ts'
import { createTieredStore } from '../../../../scorer/ledger/reading/tiers.ts'
import { createRescore } from '../../../../scorer/rescore/rescore.ts'
import { createWalletModel } from '../../../../scorer/scoring/model/wallet-model.ts'
import { saveRecords } from '../../../../scorer/scoring/stored.ts'
import { insertRows, named, rowsOf, settle, type Tx } from '../../../kit/world/transactions.ts'
import { act, asset, coin, ETH, MILLI, pay, reportKit, some, sum, W } from './report.kit.ts'

const { store, empty, labelled, report } = reportKit()

test('both directions, by category, over hops, adding up to one', async () => {
  await insertRows(
    store(),
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
    store(),
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
    store(),
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
    store(),
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
    store(),
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
    store: store(),
    model: createWalletModel(),
  })
  await saveRecords(store(), await rescore.rescore('ETH', [named('drainer')], Date.now()))
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
    store(),
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
  await settle(store(), 'ETH', 5)
  await insertRows(store(), rowsOf([pay('a', 'w', ETH, 1)], { head: 5 }))
  await insertRows(store(), rowsOf([pay('b', 'w', 3n * ETH, 6)], { from: 6 }), 'hot')
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
    await empty()
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
    await insertRows(store(), rowsOf(txs))
    await writeLabels(
      store(),
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
    const { incoming } = await loadExposureReport(store(), 'ETH', W, {
      limits: { dustShare: 0, minMass: 0, depth: 3 },
    })
    const expected = byPaths(txs, new Map(bad.map((address) => [address, 'phishing'])), 3)
    expect(sum(incoming.shares)).toBeCloseTo(1, 9)
    for (const [category, share] of Object.entries(expected)) {
      expect([seed, category, incoming.shares[category]]).toEqual([seed, category, expect.closeTo(share, 5)])
    }
  }
})

test('graphs that share what they read ask for it once, and each knows only of those it asked about', async () => {
  await insertRows(
    store(),
    rowsOf([pay('thief', 'mule', 6n * ETH, 1), pay('friend', 'mule', 4n * ETH, 1), pay('mule', 'w', 5n * ETH, 2)]),
  )
  await labelled({ thief: 'theft' })
  const asked: (string | undefined)[] = []
  const query: Store['query'] = (sql, params, options) => {
    asked.push(options?.route)
    return store().query(sql, params, options)
  }
  const heights = { settled: undefined, head: 10, time: 1_800_000_000 }
  const valuation = await createValuation(store(), 'ETH')(heights.head, heights.time)
  const tiered = createTieredStore({ ...store(), query }, 'final')
  const graphOf = (known: GraphCache) => createGraph(tiered, 'ETH', heights, valuation, VERDICT_GRAPH_LIMITS, { known })
  const expanded = async (known: GraphCache) => {
    const graph = graphOf(known)
    await graph.expand([named('mule')])
    return graph
  }
  const known = createGraphCache(1_000)
  await expanded(known)
  expect(asked).toContain('exposure_movements')
  const alone = await expanded(createGraphCache(0))
  asked.length = 0
  expect(graphOf(known).about(named('thief'))).toBeUndefined()
  const second = await expanded(known)
  expect(asked).toEqual([])
  expect(second.about(named('thief'))).toEqual({ category: 'stolen', service: false, tooLarge: false })
  for (const name of ['thief', 'friend', 'w']) expect(second.about(named(name))).toEqual(alone.about(named(name)))
  expect(second.flows(named('mule'), 'incoming')).toEqual(alone.flows(named('mule'), 'incoming'))
  // Where there is no room for movements they are read again.
  const tight = createGraphCache(2)
  await expanded(tight)
  asked.length = 0
  await expanded(tight)
  expect(asked).toEqual(['exposure_movements'])
})
