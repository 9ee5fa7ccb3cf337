import { PublicKey } from '@solana/web3.js'
import { Address as TonAddress } from '@ton/core'
import fc from 'fast-check'
import { TronWeb } from 'tronweb'
import { getAddress, isAddress } from 'viem'
import { describe, expect, test } from 'vitest'
import { NETWORK_CODES, type Network } from '../networks.ts'
import { accountKey, addressOfKey, bech32Evm, evmFromTron, formatAddress, parseAddress, tronFromEvm } from './index.ts'

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length })
const hex = (value: Uint8Array) => Buffer.from(value).toString('hex')
const canonicalOf = (network: Network, text: string) => {
  const parsed = parseAddress(network, text)
  return parsed.ok ? parsed.canonical : undefined
}
const evm = bytes(20).map((value) => `0x${hex(value)}`)

describe('EVM', () => {
  test('parses single-case and checksummed spellings as the same account', () =>
    fc.assert(
      fc.property(evm, (address) => {
        for (const text of [address, `0x${address.slice(2).toUpperCase()}`, getAddress(address)])
          expect(canonicalOf('ETH', text)).toBe(address)
        expect(formatAddress('ETH', address)).toBe(getAddress(address))
      }),
    ))

  test('accepts mixed case exactly if viem accepts its checksum', () =>
    fc.assert(
      fc.property(evm, fc.array(fc.boolean(), { minLength: 42, maxLength: 42 }), (address, raise) => {
        const text = `0x${[...address.slice(2)].map((digit, i) => (raise[i] ? digit.toUpperCase() : digit)).join('')}`
        const singleCase =
          text.slice(2) === text.slice(2).toLowerCase() || text.slice(2) === text.slice(2).toUpperCase()
        expect(parseAddress('ETH', text).ok).toBe(singleCase || isAddress(text, { strict: true }))
      }),
    ))

  test('rejects invalid text with a reason', () => {
    for (const text of [
      '',
      '0x',
      '0x1',
      `0X${'1'.repeat(40)}`,
      `0x${'g'.repeat(40)}`,
      ` 0x${'1'.repeat(40)}`,
      'vitalik.eth',
    ])
      expect(parseAddress('BASE', text)).toEqual({ ok: false, reason: expect.stringContaining('40 hexadecimal') })
    expect(parseAddress('ETH', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96046')).toEqual({
      ok: false,
      reason: expect.stringContaining('checksum'),
    })
  })
})

describe('HAQQ', () => {
  test('parses bech32 and hex as the same account', () =>
    fc.assert(
      fc.property(evm, (address) => {
        const text = bech32Evm('haqq', address)
        expect(text.startsWith('haqq1')).toBe(true)
        expect(canonicalOf('HAQQ', text)).toBe(address)
        expect(canonicalOf('HAQQ', text.toUpperCase())).toBe(address)
        expect(canonicalOf('HAQQ', address)).toBe(address)
        expect(parseAddress('ETH', text).ok).toBe(false)
      }),
    ))

  test('detects one changed character', () =>
    fc.assert(
      fc.property(evm, fc.integer({ min: 5, max: 42 }), (address, at) => {
        const text = bech32Evm('haqq', address)
        const changed = `${text.slice(0, at)}${text[at] === 'q' ? 'p' : 'q'}${text.slice(at + 1)}`
        expect(parseAddress('HAQQ', changed).ok).toBe(false)
      }),
    ))
})

describe('TRON', () => {
  test('agrees with tronweb in both spellings', () =>
    fc.assert(
      fc.property(bytes(20), (payload) => {
        const text = `41${hex(payload)}`
        const base58 = TronWeb.address.fromHex(text)
        expect(canonicalOf('TRON', text)).toBe(base58)
        expect(canonicalOf('TRON', text.toUpperCase())).toBe(base58)
        expect(canonicalOf('TRON', base58)).toBe(base58)
        expect(tronFromEvm(`0x${hex(payload)}`)).toBe(base58)
        expect(evmFromTron(base58)).toBe(`0x${hex(payload)}`)
      }),
    ))

  test('accepts changed characters exactly if tronweb does', () =>
    fc.assert(
      fc.property(bytes(20), fc.integer({ min: 1, max: 33 }), (payload, at) => {
        const text = tronFromEvm(`0x${hex(payload)}`)
        const changed = `${text.slice(0, at)}${text[at] === '2' ? '3' : '2'}${text.slice(at + 1)}`
        expect(parseAddress('TRON', changed).ok).toBe(TronWeb.isAddress(changed))
      }),
    ))

  test('rejects an EVM address', () => {
    expect(parseAddress('TRON', `0x41${'0'.repeat(38)}`).ok).toBe(false)
  })
})

const readsWithTonCore = (text: string) => {
  try {
    TonAddress.parseFriendly(text)
    return true
  } catch {
    return false
  }
}

describe('TON', () => {
  const account = fc.tuple(fc.constantFrom(0, -1), bytes(32))

  test('parses every friendly spelling of @ton/core as the raw account', () =>
    fc.assert(
      fc.property(account, fc.boolean(), fc.boolean(), ([workchain, id], bounceable, urlSafe) => {
        const address = new TonAddress(workchain, Buffer.from(id))
        const raw = address.toRawString()
        expect(canonicalOf('TON', address.toString({ bounceable, urlSafe }))).toBe(raw)
        const test = parseAddress('TON', address.toString({ bounceable, urlSafe, testOnly: true }))
        expect(test).toMatchObject({ ok: false, reason: expect.stringContaining('test-only') })
        expect(canonicalOf('TON', raw.toUpperCase())).toBe(raw)
        expect(formatAddress('TON', raw)).toBe(address.toString())
      }),
    ))

  test('accepts changed characters exactly if @ton/core does', () =>
    fc.assert(
      fc.property(account, fc.integer({ min: 0, max: 47 }), ([workchain, id], at) => {
        const text = new TonAddress(workchain, Buffer.from(id)).toString()
        const changed = `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
        expect(parseAddress('TON', changed).ok).toBe(readsWithTonCore(changed))
      }),
    ))

  test('rejects workchains that do not exist', () => {
    for (const text of [`1:${'0'.repeat(64)}`, `-2:${'0'.repeat(64)}`, `00:${'0'.repeat(64)}`, `0:${'0'.repeat(63)}`])
      expect(parseAddress('TON', text).ok).toBe(false)
  })
})

describe('SOLANA', () => {
  test('agrees with web3.js for every key of 32 bytes', () =>
    fc.assert(
      fc.property(bytes(32), (key) => {
        const text = new PublicKey(key).toBase58()
        expect(canonicalOf('SOLANA', text)).toBe(text)
        expect(formatAddress('SOLANA', text)).toBe(text)
      }),
    ))

  test('rejects 31 and 33 bytes', () => {
    for (const text of ['1'.repeat(31), '1'.repeat(33), 'z'.repeat(44), 'z'.repeat(45), `${'1'.repeat(31)}0`])
      expect(parseAddress('SOLANA', text).ok).toBe(false)
    expect(parseAddress('SOLANA', '1'.repeat(32)).ok).toBe(true)
  })
})

test('canonical text of every network parses to itself', () =>
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...NETWORK_CODES), (text, network) => {
      const parsed = parseAddress(network, text)
      if (parsed.ok) expect(canonicalOf(network, parsed.canonical)).toBe(parsed.canonical)
    }),
  ))

test('a shared key links only EVM networks and TRON', () => {
  const address = '0xa614f803b6fd780986a42c78ec9c7f77e6ded13c'
  expect(addressOfKey('TRON', address)).toBe('TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')
  expect(accountKey('TRON', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t')).toBe(address)
  expect(accountKey('HAQQ', address)).toBe(address)
  expect(addressOfKey('SOLANA', address)).toBeUndefined()
  expect(accountKey('TON', `0:${'0'.repeat(64)}`)).toBeUndefined()
})
