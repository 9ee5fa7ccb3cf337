import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checksumEvm } from '../address/index.ts'
import { NETWORK_CODES } from '../networks.ts'
import { ASSETS, DEX_FACTORIES, DEX_ROUTERS } from './contracts.ts'
import { CATEGORIES, PROTOCOLS, protocolsOf } from './protocols.ts'

test('every address has its checksummed spelling', () => {
  const source = readFileSync(new URL('../facts/protocols/protocols.ts', import.meta.url), 'utf8')
  const written = source.match(/0x[0-9a-fA-F]{40}/g) ?? []
  expect(written.length).toBeGreaterThan(180)
  // Digits alone have no case to check.
  expect(written.filter((address) => address !== checksumEvm(address.toLowerCase()))).toEqual([])
})

test('names are lower-case and every kind has its domains', () => {
  for (const network of NETWORK_CODES) {
    for (const { protocol, kind } of protocolsOf(network).values()) {
      expect([protocol, CATEGORIES[kind]]).toEqual([protocol.toLowerCase(), expect.any(Array)])
    }
  }
})

test('an exchange listed here and among the exchanges has one name', () => {
  for (const network of NETWORK_CODES) {
    const known = protocolsOf(network)
    for (const [address, { name }] of [...DEX_FACTORIES[network], ...DEX_ROUTERS[network]]) {
      expect(name).toContain(known.get(address)?.protocol)
    }
    expect(known.size).toBeGreaterThanOrEqual(Math.max(PROTOCOLS[network].size, ASSETS[network].size))
  }
})

test('the protocols in the samples of the contract are known by name', () => {
  const names = new Set([...protocolsOf('ETH').values()].map(({ protocol }) => protocol))
  for (const name of ['sushiswap', 'uniswap', 'wrapped ether', '1inch', 'makerdao', 'tether', 'usd coin'])
    expect(names).toContain(name)
})
