import { expect, test } from 'vitest'
import { networksOf } from '../../../schema/networks.ts'
import { registryOf, wrappedNative } from '../../../schema/registry/index.ts'
import { announcerOf, contractRegistry } from './registry.ts'

test('every network whose contracts are analysed has an entry, the wrapped coin first among its bases', () => {
  for (const network of networksOf('rug_pull')) {
    const registry = contractRegistry(network)
    expect(registry?.bases[0]?.address).toBe(wrappedNative(network)?.address)
    // Trades can be simulated on every exchange whose pools are followed.
    expect(registry?.exchanges.map(announcerOf)).toEqual([...registryOf(network).dexFactories.keys()])
  }
  expect(contractRegistry('SOLANA')).toBeUndefined()
})

test('exchanges carry the keys that their pools are looked up by', () => {
  const exchanges = contractRegistry('BASE')?.exchanges ?? []
  expect(exchanges.map(({ kind }) => kind)).toContain('solidly')
  for (const exchange of exchanges) {
    if (exchange.kind === 'v2') expect(exchange.fee).toBeGreaterThan(0)
    if (exchange.kind === 'v3') expect(exchange.keys.length).toBeGreaterThan(3)
  }
  expect(exchanges.filter((exchange) => exchange.kind === 'v3' && exchange.by === 'spacing')).toHaveLength(3)
  // THENA has both designs with a different look-up.
  const thena = contractRegistry('BNB')?.exchanges.filter((exchange) => 'pairs' in exchange || 'by' in exchange) ?? []
  expect(thena.filter((exchange) => exchange.kind === 'v3' && exchange.by === 'pair')).toMatchObject([{ keys: [0] }])
  expect(thena.filter((exchange) => exchange.kind === 'solidly')).toMatchObject([{ pairs: true }])
})

test('exchanges whose pools are not read are not among those with simulated trades', () => {
  const unread = (network: 'ETH' | 'BNB' | 'BASE') =>
    contractRegistry(network)?.unsupported.map(({ address }) => address) ?? []
  expect([unread('ETH'), unread('BNB'), unread('BASE')].map(({ length }) => length)).toEqual([1, 2, 0])
  for (const network of ['ETH', 'BNB'] as const)
    for (const address of unread(network)) expect(registryOf(network).dexFactories.has(address)).toBe(false)
})

test('every asset except memes can be the other asset of a pool, base assets included', () => {
  for (const network of networksOf('rug_pull')) {
    const registry = contractRegistry(network)
    const vouched = [...registryOf(network).assets.values()].filter(({ flags }) => !flags.includes('meme'))
    expect([...(registry?.assets.keys() ?? [])]).toEqual(vouched.map(({ address }) => address))
    for (const base of registry?.bases ?? []) expect(registry?.assets.get(base.address)).toEqual(base)
  }
})

test('launchpads are public factories, and exchanges with gauges have voters', () => {
  const [bnb, base] = (['BNB', 'BASE'] as const).map(contractRegistry)
  expect(new Set(bnb?.launchpads.values())).toEqual(new Set(['Clanker', 'four.meme', 'Flap']))
  expect(new Set(base?.launchpads.values())).toEqual(new Set(['Clanker', 'Flaunch', 'Virtuals', 'Zora']))
  const curves = [bnb, base].map((registry) => registry?.curves.map(({ name, design }) => `${name}: ${design}`))
  expect(curves).toEqual([
    ['four.meme: four-meme-1', 'four.meme: four-meme', 'Flap: flap'],
    ['Virtuals: virtuals', ...Array.from({ length: 4 }, () => 'Virtuals: virtuals-2')],
  ])
  for (const registry of [bnb, base])
    for (const address of registry?.launchpads.keys() ?? []) expect(registry?.publicFactories).toContain(address)
  // Solidly exchanges have gauges, so each needs its voter.
  for (const network of networksOf('rug_pull')) {
    const registry = contractRegistry(network)
    const solidly = registry?.exchanges.some(({ kind }) => kind === 'solidly')
    expect((registry?.voters.length ?? 0) > 0).toBe(solidly)
  }
})
