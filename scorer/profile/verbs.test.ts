import { toFunctionSelector } from 'viem'
import { expect, test } from 'vitest'
import { CALLS, verbOf } from './verbs.ts'

test('every selector is that of its signature', () => {
  const wrong = Object.values(CALLS)
    .flatMap((calls) => Object.entries(calls))
    .filter(([selector, signature]) => toFunctionSelector(signature) !== selector)
  expect(wrong).toEqual([])
})

test('lending goes by the function, the rest by the contract, and moving a token is no deed', () => {
  expect(verbOf('lending', '0x617ba037')).toBe('lend')
  expect(verbOf('lending', '0xa415bcad')).toBe('borrow')
  expect(verbOf('lending', '0x573ade81')).toBeUndefined()
  expect(verbOf('exchange', '0x12345678')).toBe('trade')
  expect(verbOf('exchange', '0xe8e33700')).toBe('farm')
  expect(verbOf('liquid-staking', '')).toBe('stake_eth')
  expect(verbOf('liquid-staking', '0xa9059cbb')).toBeUndefined()
  expect(verbOf('token', '0x12345678')).toBeUndefined()
})
