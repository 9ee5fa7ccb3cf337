import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Network, networkInfo } from '../../../schema/networks.ts'
import { ROUTES } from '../../../schema/registry/bridges.ts'
import { ASSETS } from '../../../schema/registry/contracts.ts'
import { infrastructureOf } from '../../../schema/registry/infrastructure.ts'
import { type Passage, pairsOf } from './passages.ts'

const passage = (tx: string, time: number, over: Partial<Passage> = {}): Passage => ({
  address: 'w',
  counterparty: 'bridge',
  tx,
  time,
  amount: '5',
  ...over,
})
const named = (pairs: ReturnType<typeof pairsOf>) => pairs.map(({ deposit, receipt }) => `${deposit.tx} ${receipt.tx}`)

test('a receipt has a deposit of the same address and amount, earlier, within the time, and for itself only', () => {
  const deposits = [passage('a', 100), passage('b', 110), passage('c', 120, { amount: '6' })]
  expect(named(pairsOf(deposits, [passage('x', 100), passage('y', 200), passage('z', 210)], 100))).toEqual([
    'a x',
    'b y',
  ])
  expect(named(pairsOf(deposits, [passage('x', 99), passage('late', 211)], 100))).toEqual([])
  expect(named(pairsOf(deposits, [passage('x', 150, { amount: '7' })], 100))).toEqual([])
  expect(named(pairsOf(deposits, [passage('x', 150, { address: 'stranger' })], 100))).toEqual([])
})

test('no pair joins two addresses, and no deposit or receipt is used twice', () => {
  const passages = (prefix: string) =>
    fc
      .array(fc.tuple(fc.nat(2), fc.nat(2), fc.nat(30)), { maxLength: 20 })
      .map((list) =>
        list
          .map(([address, amount, time], n) =>
            passage(`${prefix}${n}`, time, { address: `a${address}`, amount: `${amount}` }),
          )
          .sort((a, b) => a.time - b.time),
      )
  fc.assert(
    fc.property(passages('d'), passages('r'), fc.nat(20), (deposits, receipts, within) => {
      const pairs = pairsOf(deposits, receipts, within)
      for (const { deposit, receipt } of pairs) {
        expect([deposit.address, deposit.amount]).toEqual([receipt.address, receipt.amount])
        expect(receipt.time - deposit.time).toBeGreaterThanOrEqual(0)
        expect(receipt.time - deposit.time).toBeLessThanOrEqual(within)
      }
      expect(new Set(pairs.map(({ deposit }) => deposit.tx)).size).toBe(pairs.length)
      expect(new Set(pairs.map(({ receipt }) => receipt.tx)).size).toBe(pairs.length)
    }),
  )
})

test('both ends of a route are bridges of the registry, between networks of one kind of address, for assets of one unit', () => {
  /** The asset that is moved, wrapped or bridged, and its decimals. */
  const unit = (network: Network, asset: string) => {
    const { symbol, decimals } = asset === '' ? networkInfo(network).nativeCoin : ASSETS[network].get(asset)!
    return [symbol.replace(/^W(?=ETH$)|bC$|\.e$/, '').replace(/^USD$/, 'USDC'), decimals]
  }
  const isZero = (address: string) => /^0x0{40}$/.test(address)
  for (const { from, to, entry, exit, given, got } of ROUTES) {
    if (!isZero(entry)) expect(infrastructureOf(from).get(entry)?.category).toBe('bridge')
    if (!isZero(exit)) expect(infrastructureOf(to).get(exit)?.category).toBe('bridge')
    expect(isZero(entry) && isZero(exit)).toBe(false)
    expect(unit(from, given)).toEqual(unit(to, got))
    expect(networkInfo(from).family).toBe(networkInfo(to).family)
  }
})
