import { expect, test } from 'vitest'
import type { Network } from '../../../schema/networks.ts'
import type { ChainReader } from '../chain/chain.ts'
import { contractRegistry } from '../subject/registry.ts'
import { deepest, findMarkets, isAboveDust } from './market.ts'
import { createPrices } from './prices.ts'

const TOKEN = `0x${'70'.repeat(20)}`
const E18 = 10n ** 18n
const word = (value: bigint) => value.toString(16).padStart(64, '0')
const pad = (address: string) => address.slice(2).padStart(64, '0')

const registryFor = (network: Network) => {
  const registry = contractRegistry(network)
  if (!registry) throw new Error(`no registry of ${network}`)
  const base = (symbol: string) => {
    const found = registry.bases.find((item) => item.symbol === symbol)
    if (!found) throw new Error(`${symbol} is no base asset of ${network}`)
    return found
  }
  return { registry, base }
}

type Pair = { factory: string; selector: string; key?: bigint; assets: [string, string]; reserves: [bigint, bigint] }

/** A chain whose pools answer reserves as pairs do. Counts the questions. */
const chainOf = (pairs: readonly Pair[]) => {
  const asked = { words: 0, rounds: 0, calls: 0 }
  const poolOf = (index: number) => `0x${(0xb000 + index).toString(16).padStart(40, '0')}`
  const answerOf = ({ to, data }: { to: string; data: string }) => {
    const at = pairs.findIndex(
      ({ factory, selector, key = 0n, assets: [a, b] }) =>
        to === factory &&
        [a, b].some((first) => data.startsWith(`${selector}${pad(first)}${pad(first === a ? b : a)}`)) &&
        (data.length === 2 + 8 + 128 || BigInt(`0x${data.slice(-64)}`) === key),
    )
    return at < 0 ? 0n : BigInt(poolOf(at))
  }
  const chain = {
    hash: '0x01',
    words: async (calls: { to: string; data: string }[]) => {
      asked.words += calls.length
      asked.rounds += 1
      return calls.map(answerOf)
    },
    call: async ({ to, data }: { to: string; data: string }) => {
      asked.calls += 1
      const pair = pairs[Number(BigInt(to) - 0xb000n)]
      if (!pair) {
        const holder = pairs[Number(BigInt(`0x${data.slice(-40)}`) - 0xb000n)]
        const held = holder?.reserves[holder.assets.indexOf(to)]
        return held === undefined ? undefined : `0x${word(held)}`
      }
      const sorted = pair.assets[0] < pair.assets[1] ? pair.reserves : [...pair.reserves].reverse()
      if (data.startsWith('0x0902f1ac')) return `0x${sorted.map(word).join('')}`
      // Algebra's square root of the price: one for one.
      return data.startsWith('0xe76c01e4') ? `0x${word(2n ** 96n)}` : undefined
    },
  }
  return { chain: chain as unknown as ChainReader, asked }
}

const V2 = '0xe6a43905'
const uniswap = (network: Network) => {
  const [first] = registryFor(network).registry.exchanges.filter(({ kind }) => kind === 'v2')
  if (first?.kind !== 'v2') throw new Error('no V2')
  return first.factory
}

test('a base asset that is neither stable nor native is priced by its own pools, through the native coin if necessary', async () => {
  const { registry, base } = registryFor('BASE')
  const factory = uniswap('BASE')
  const pair = (assets: [string, string], reserves: [bigint, bigint]) => ({ factory, selector: V2, assets, reserves })
  const { chain } = chainOf([
    pair([base('weth').address, base('usdc').address], [100n * E18, 300_000n * 10n ** 6n]),
    pair([base('virtual').address, base('weth').address], [100_000n * E18, 50n * E18]),
    // Anyone can create a pool in which AERO is worth a million.
    pair([base('aero').address, base('usdc').address], [E18 / 1_000n, 1_000n * 10n ** 6n]),
  ])
  const prices = createPrices(registry)
  expect(await prices(chain, base('usdt'))).toBe(1)
  expect(await prices(chain, base('weth'))).toBeCloseTo(3_000)
  expect(await prices(chain, base('virtual'))).toBeCloseTo(1.5)
  expect(await prices(chain, base('aero'))).toBe(0)
  expect(await prices(chain, base('cbbtc'))).toBe(0)
})

test('a price is read once per block', async () => {
  const { registry, base } = registryFor('BASE')
  const { chain, asked } = chainOf([])
  const prices = createPrices(registry)
  expect(await Promise.all([prices(chain, base('virtual')), prices(chain, base('virtual'))])).toEqual([0, 0])
  const before = asked.words
  expect(await prices(chain, base('virtual'))).toBe(0)
  expect(await prices(chain, base('weth'))).toBeUndefined()
  expect(asked.words).toBe(before)
})

test('a token that trades against VIRTUAL alone has a market, and pools are compared in dollars', async () => {
  const { registry, base } = registryFor('BASE')
  const factory = uniswap('BASE')
  const { chain } = chainOf([
    { factory, selector: V2, assets: [TOKEN, base('virtual').address], reserves: [E18, 5_000n * E18] },
    { factory, selector: V2, assets: [TOKEN, base('weth').address], reserves: [E18, E18 / 100n] },
  ])
  const markets = (await findMarkets(chain, registry, TOKEN)).filter((market) => market.kind === 'v2')
  expect(markets.map((market) => market.base.symbol).sort()).toEqual(['virtual', 'weth'])
  const dollars: Record<string, number> = { virtual: 1.5, weth: 3_000 }
  expect(deepest(markets, ({ base }) => dollars[base.symbol])?.base.symbol).toBe('virtual')
  // Without a price, the amount of VIRTUAL proves nothing.
  const unpriced = (symbol: string) => (symbol === 'virtual' ? 0 : 3_000)
  expect(deepest(markets, ({ base }) => unpriced(base.symbol))?.base.symbol).toBe('weth')
  expect(isAboveDust(5_000n * E18, base('virtual'), 0)).toBe(false)
})

test('a native coin that no pool prices counts at its low price, so a pool worth a few dollars is no market anywhere', () => {
  const worth = (network: Network, finney: bigint) => {
    const [native] = registryFor(network).registry.bases
    return native && isAboveDust((finney * E18) / 1_000n, native, undefined)
  }
  // Half an ISLM was never worth anything; a tenth of a BNB has been worth tens of dollars for years.
  expect([500n, 1_000_000n, 10_000_000n].map((finney) => worth('HAQQ', finney))).toEqual([false, false, true])
  expect([30n, 100n, 1_000n].map((finney) => worth('BNB', finney))).toEqual([false, false, true])
  expect([30n, 100n].map((finney) => worth('ETH', finney))).toEqual([false, true])
})

test('pools of THENA are found in both of its designs, which ask for them differently', async () => {
  const { registry, base } = registryFor('BNB')
  const [solidly] = registry.exchanges.filter((exchange) => exchange.kind === 'solidly')
  const [algebra] = registry.exchanges.filter((exchange) => exchange.kind === 'v3' && exchange.by === 'pair')
  if (solidly?.kind !== 'solidly' || algebra?.kind !== 'v3') throw new Error('THENA is not registered')
  const assets: [string, string] = [TOKEN, base('usd1').address]
  const { chain } = chainOf([
    { factory: solidly.factory, selector: '0x6801cc30', assets, reserves: [E18, 2n * E18] },
    { factory: algebra.factory, selector: '0xd9a641e1', assets, reserves: [E18, 3n * E18] },
  ])
  const markets = (await findMarkets(chain, registry, TOKEN)).filter((market) => market.kind !== 'v4')
  expect(markets).toMatchObject([
    { kind: 'solidly', baseReserve: 2n * E18, price: 2 },
    { kind: 'v3', baseReserve: 3n * E18, tokenReserve: E18, price: 1 },
  ])
})

test.each(['ETH', 'BNB', 'BASE'] as const)(
  '%s: factories are asked about a token in one round of few requests',
  async (network) => {
    const { registry } = registryFor(network)
    const { chain, asked } = chainOf([])
    const exchanges = registry.exchanges.filter(({ kind }) => kind !== 'v4')
    expect(await findMarkets(chain, { ...registry, exchanges }, TOKEN)).toEqual([])
    expect(asked).toEqual({ words: expect.any(Number), rounds: 1, calls: 0 })
    // One request carries 120 questions.
    expect(Math.ceil(asked.words / 120)).toBeLessThanOrEqual(3)
  },
)
