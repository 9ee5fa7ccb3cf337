/** Exposure over Base's own bridge, which names nobody on the other side: money is followed by address and amount. */
import { expect, test } from 'vitest'
import type { ExposureReport } from '../../../../schema/records/explained/exposure.ts'
import { type Action, insertRows, named, rowsOf, type Tx } from '../../../kit/world/transactions.ts'
import { act, asset, coin, ETH, pay, reportKit, some, W } from './report.kit.ts'

const { store, labelled, report } = reportKit()
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
  await insertRows(store(), rowsOf(eth))
  await insertRows(store(), rowsOf(base, { network: 'BASE' }))
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
  await insertRows(store(), rowsOf([received('w', ZERO, 5n * ETH, 6)], { network: 'BASE' }))
  expect(ends((await report('BASE')).incoming)).toEqual({
    shares: { bridge: 1 },
    known: [['ETH', PORTAL, 'bridge']],
    bridges: '10000.00',
  })
  await insertRows(store(), rowsOf([deposit('v', PORTAL, 5n * ETH, 3)]))
  expect(ends((await report('ETH', named('v'))).outgoing)).toMatchObject({ shares: { bridge: 1 }, bridges: '10000.00' })
})
