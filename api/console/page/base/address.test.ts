import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatAddress, parseAddress } from '../../../../schema/address/index.ts'
import { NETWORK_CODES, networkInfo } from '../../../../schema/networks.ts'
import { exampleAddress } from '../../../../schema/records/request.ts'
import { candidatesIn, isTransaction, lookAlikesOf, shortened } from './address.js'

const EVM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

test('finds every address form of the API alone, in quotes and in explorer links', () => {
  for (const code of NETWORK_CODES) {
    const parsed = parseAddress(code, exampleAddress(code))
    if (!parsed.ok) throw new Error(parsed.reason)
    for (const text of [exampleAddress(code), parsed.canonical, formatAddress(code, parsed.canonical)]) {
      for (const pasted of [text, ` "${text}", `, `https://explorer.example/en/address/${text}?tab=1#code`])
        expect(candidatesIn(pasted), `${code}: ${pasted}`).toEqual([{ text }])
    }
  }
})

test('CAIP-10 names the chain', () => {
  expect(candidatesIn(`eip155:8453:${EVM}`)).toEqual([{ text: EVM, chainId: 8453 }])
  expect(candidatesIn('tron:0x2b6653dc:T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb')).toEqual([
    { text: 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb', family: 'tron' },
  ])
  // A raw TON address has a colon of its own.
  expect(candidatesIn(`0:${'ab'.repeat(32)}`)).toEqual([{ text: `0:${'ab'.repeat(32)}` }])
  const families = new Set(NETWORK_CODES.map((code) => networkInfo(code).family))
  for (const family of ['tron', 'solana', 'ton']) expect(families).toContain(family)
})

test('several lines give several distinct addresses, and invalid lines are kept for the API to refuse', () => {
  expect(candidatesIn(`${EVM}\r\n\n${EVM}\nnonsense\n`)).toEqual([{ text: EVM }, { text: 'nonsense' }])
  expect(candidatesIn(' \n')).toEqual([])
  expect([isTransaction(`0x${'ab'.repeat(32)}`), isTransaction(EVM)]).toEqual([true, false])
})

test('any text is read without failing', () => {
  fc.assert(fc.property(fc.string(), (text) => candidatesIn(text).every((one) => one.text !== '')))
  expect(candidatesIn('solana:x:%E0%A4%A')).toHaveLength(1)
})

test('marks addresses with equal beginning and end, ignoring case', () => {
  const planted = '0xd8da000000000000000000000000000000006045'
  expect(lookAlikesOf([EVM, planted, '0x1111111111111111111111111111111111111111', EVM])).toEqual(
    new Set([EVM, planted]),
  )
  expect(lookAlikesOf([EVM, EVM])).toEqual(new Set())
})

test('two addresses never have the same short form', () => {
  const hex = fc
    .string({ unit: fc.constantFrom('a', 'b'), minLength: 40, maxLength: 40 })
    .map((digits) => `0x${digits}`)
  fc.assert(
    fc.property(fc.array(hex, { maxLength: 30 }), (addresses) => {
      const short = shortened(addresses)
      expect(short.size).toBe(new Set(addresses).size)
      expect(new Set(short.values()).size).toBe(short.size)
    }),
  )
  expect(shortened([EVM]).get(EVM)).toBe('0xd8dA6B...A96045')
})
