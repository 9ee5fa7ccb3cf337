import fc from 'fast-check'
import { encodeAbiParameters, numberToHex, pad } from 'viem'
import { expect, test } from 'vitest'
import { positionOf } from '../../../../schema/block.ts'
import { positionsOf } from '../../positions.ts'
import { addressAt, decimalOf, intAt, sizeAt, uintAt } from './hex.ts'

const uint = fc.oneof(
  fc.bigInt(0n, 2n ** 256n - 1n),
  fc.bigInt(0n, 2n ** 64n),
  fc.bigInt(2n ** 52n - 3n, 2n ** 53n + 3n),
)

test('parses words and quantities as integers', () =>
  fc.assert(
    fc.property(uint, (value) => {
      expect(uintAt(pad(numberToHex(value)), 2)).toBe(value.toString())
      expect(decimalOf(numberToHex(value))).toBe(value.toString())
    }),
  ))

test('signed words read as two’s complement', () =>
  fc.assert(
    fc.property(fc.bigInt(-(2n ** 255n), 2n ** 255n - 1n), (value) => {
      expect(intAt(encodeAbiParameters([{ type: 'int256' }], [value]), 2)).toBe(value)
    }),
  ))

test('absent quantities are zero', () => {
  for (const quantity of [undefined, null, '0x', '0x0', '0x00']) expect(decimalOf(quantity)).toBe('0')
})

test('refuses an address or size with higher bits set, and a truncated word', () => {
  const word = (text: string) => text.padStart(64, '0')
  expect(addressAt(word('ab'.repeat(20)), 0)).toBe(`0x${'ab'.repeat(20)}`)
  expect(addressAt(word('AB'.repeat(20)), 0)).toBe(`0x${'ab'.repeat(20)}`)
  expect(addressAt(word(`1${'ab'.repeat(20)}`), 0)).toBeUndefined()
  expect(addressAt('ab'.repeat(20), 0)).toBeUndefined()
  expect(sizeAt(word('20'), 0)).toBe(32)
  expect(sizeAt('f'.repeat(64), 0)).toBeUndefined()
})

test('positions computed per transaction equal positionOf', () =>
  fc.assert(
    fc.property(fc.nat(2 ** 30 - 1), fc.nat(2 ** 15 - 1), fc.nat(2 ** 19 - 1), (block, transaction, event) => {
      expect(positionsOf(block, transaction)(event)).toBe(positionOf(block, transaction, event))
    }),
  ))
