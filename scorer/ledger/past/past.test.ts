import { expect, test } from 'vitest'
import { type Life, pastOf } from './past.ts'

const FIRST = 1_000
const life = (over: Partial<Life>): Life => ({
  address: '0xa',
  created: 0,
  sent_first: 1_700_000_000,
  native_in: 1,
  native_out: 0.5,
  fees: 0.1,
  ...over,
})
const past = (over: Partial<Life> | undefined, signed: number | undefined = 0) =>
  pastOf(over && life(over), FIRST, signed)

test('a contract with a known creation signed nothing before, but may have been paid in advance', () => {
  const fresh = (why: string) => ({ kind: 'fresh', why: `${why} before it was created, before block 1000` })
  const contract = { created: 1, sent_first: null, fees: 0 }
  expect(past(contract)).toEqual(fresh('it may have received something'))
  expect(past({ ...contract, native_in: 0.4 })).toEqual(fresh('it spent coins that it received'))
})

test('an account with a known first transaction signed nothing before, but may have received something', () => {
  expect(past({})).toEqual({ kind: 'fresh', why: 'it may have received something before block 1000' })
})

test('the past is unknown for an account that signed before, spent coins of unknown origin, or never signed', () => {
  const unknown = (why: string) => ({ kind: 'unknown', why: `${why} before block 1000` })
  expect(pastOf(life({}), FIRST, undefined)).toEqual(unknown('it may have signed transactions'))
  expect(past({}, 1)).toEqual({ ...unknown('it signed 1 transaction'), signed: 1 })
  expect(past({}, 7)).toEqual({ ...unknown('it signed 7 transactions'), signed: 7 })
  expect(past({ native_in: 0 })).toEqual(unknown('it spent coins that it received'))
  expect(past({ native_in: 0.55 })).toEqual(unknown('it spent coins that it received'))
  expect(past({ sent_first: null })).toEqual(unknown('it may have existed'))
  expect(past(undefined)).toEqual(unknown('it may have existed'))
})

test('rounding errors of sums are no coins from before', () => {
  expect(past({ native_in: 0.1 + 0.2, native_out: 0.3, fees: 0 }).kind).toBe('fresh')
  expect(past({ native_in: 0.3, native_out: 0.1 + 0.2, fees: 0 }).kind).toBe('fresh')
})
