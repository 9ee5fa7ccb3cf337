import { expect, expectTypeOf, test } from 'vitest'
import { accountKey, parseAddress } from '../address/index.ts'
import {
  familyOf,
  NETWORK_CODES,
  NETWORKS,
  type NetworkInfo,
  networkInfo,
  parseLabelNetwork,
  parseNetwork,
} from '../networks.ts'
import { exampleAddress } from '../records/request.ts'
import { networksWith } from './capabilities.ts'

const evm = NETWORK_CODES.filter((code) => networkInfo(code).family === 'evm')

test('every field of an entry is required', () => {
  expectTypeOf<NetworkInfo>().toEqualTypeOf<Required<NetworkInfo>>()
  expectTypeOf<NetworkInfo['facts']>().toEqualTypeOf<Required<NetworkInfo['facts']>>()
  expectTypeOf<NetworkInfo['nativeCoin']>().toEqualTypeOf<Required<NetworkInfo['nativeCoin']>>()
})

test('an entry has its code as its key', () => {
  for (const [code, info] of Object.entries(NETWORKS)) expect(info.code).toBe(code)
})

test('every name, alias and chain ID belongs to one network', () => {
  const all = NETWORK_CODES.map(networkInfo)
  const names = all.flatMap(({ code, aliases, labelAliases }) => [
    ...new Set([code.toLowerCase(), ...aliases, ...labelAliases]),
  ])
  expect(new Set(names).size).toBe(names.length)
  expect(names).toEqual(names.map((name) => name.toLowerCase()))
  const ids = all.flatMap(({ chainId }) => chainId ?? [])
  expect(new Set(ids).size).toBe(ids.length)
})

test('callers use codes and aliases; label files may also use coins and token standards', () => {
  expect(parseNetwork('BsC')).toBe('BNB')
  expect(parseNetwork('bep20')).toBeUndefined()
  expect(parseLabelNetwork('BEP20')).toBe('BNB')
  expect(parseLabelNetwork('bsc')).toBe('BNB')
  expect(parseLabelNetwork('dogechain')).toBeUndefined()
})

test('exactly the EVM networks declare a chain ID and abilities of their nodes', () => {
  for (const code of NETWORK_CODES) expect(networkInfo(code).dialect !== null).toBe(evm.includes(code))
  for (const code of evm) expect(networkInfo(code).chainId).toBeGreaterThan(0)
})

test('networks of a family have the abilities of that family', () => {
  for (const code of NETWORK_CODES) {
    const address = exampleAddress(code)
    const parsed = parseAddress(code, address)
    if (!parsed.ok) throw new Error(`${address} is no address of ${code}`)
    expect(accountKey(code, parsed.canonical) !== undefined).toBe(familyOf(code).ethereumKeys)
  }
})

test('capabilities follow from the entries', () => {
  expect(networksWith('messages')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON', 'TON'])
  expect(networksWith('token-movements')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON', 'TON'])
  expect(networksWith('delegated-code')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ'])
  expect(networksWith('self-destructs', 'contract-code')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE'])
  expect(networksWith('contract-events')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'])
  expect(networksWith('ethereum-keys')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'HAQQ', 'TRON'])
  expect(networksWith('self-destructs')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'TRON'])
  expect(networksWith('mixers')).toEqual(['ETH', 'BNB', 'POLYGON'])
  expect(networksWith('gas-tokens')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE'])
  expect(networksWith('contract-events', 'dollar-coins')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'TRON'])
  expect(networksWith('sanctions-oracles')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE'])
  expect(networksWith('issuers')).toEqual(['ETH', 'BNB', 'POLYGON', 'BASE', 'TRON'])
  expect(networksWith()).toEqual(NETWORK_CODES)
})

test('token dust is $10 in the dollar coin with the fewest decimals among base assets of pools', () => {
  for (const code of NETWORK_CODES) {
    const { facts, tokenDust } = networkInfo(code)
    const dollars = facts.assets.filter(({ flags }) => flags.includes('stable') && flags.includes('base'))
    if (dollars.length > 0) {
      expect(tokenDust, code).toBe(10n * 10n ** BigInt(Math.min(...dollars.map(({ decimals }) => decimals))))
    }
  }
})
