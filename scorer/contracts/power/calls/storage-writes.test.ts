import { expect, test } from 'vitest'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { storageWrites } from './storage-writes.ts'

const facts = (given: Partial<FunctionFacts>) => ({ slotExpressions: [], baseArgs: [], stores: [], args: [], ...given })
const BALANCES = { slot: '0x64', list: '0x3' }
const SCOPE = { victim: '0x1111111111111111111111111111111111111111', most: 9n }
const listed = (given: Partial<FunctionFacts>) => [...storageWrites(facts(given), BALANCES, SCOPE)]

test('solves a slot expression for the slot of the balance, whichever argument it uses', () => {
  const args = ['uint', 'uint'] as const
  expect(listed({ args: [...args], slotExpressions: [{ i: 1, op: 'plus', by: 4n }] })).toEqual([
    [0n, 96n],
    [9n, 96n],
  ])
})

test('passes the slot in the first array if its origin is unknown', () => {
  const found = listed({ args: ['array', 'array'], stores: ['other'] })
  expect(found[0]).toEqual([{ array: [100n] }, { array: [0n] }])
})

test('passes the base of the balances if an argument is the base of a mapping', () => {
  expect(listed({ args: ['uint', 'address', 'uint'], baseArgs: [0], stores: ['map:other'] })).toEqual([
    [3n, SCOPE.victim, 0n],
    [3n, SCOPE.victim, 9n],
  ])
})

test('yields nothing for a function that writes only its own places', () => {
  expect(listed({ args: ['uint', 'array'], stores: ['map:0x3', '0x7'] })).toEqual([])
})
