import { expect, test } from 'vitest'
import { counted, dollars, percent, quoted, times } from './wording.ts'

test('counts agree with their noun and are grouped in thousands', () => {
  expect([counted(0, 'wallet'), counted(1, 'wallet'), counted(1_204, 'address', 'addresses')]).toEqual([
    '0 wallets',
    '1 wallet',
    '1,204 addresses',
  ])
  expect([1, 2, 3].map(times)).toEqual(['once', 'twice', '3 times'])
  expect(dollars(12_345.6)).toBe('$12,346')
})

test('a share reads as none or all only if it is', () => {
  expect([0, 0.001, 0.42, 0.999, 1].map(percent)).toEqual(['0 %', 'less than 1 %', '42 %', 'more than 99 %', '100 %'])
})

test('a name from the chain stays on one line, inside its quotes, and short', () => {
  expect(quoted('Visit\n"evil".com \u202egnp')).toBe('"Visitevil.com gnp"')
  expect(quoted('x'.repeat(1_000))).toBe(`"${'x'.repeat(40)}…"`)
})
