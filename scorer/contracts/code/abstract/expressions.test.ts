import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ExpressionOp, solve } from './expressions.ts'

const TOP = 1n << 256n
const word = fc.bigInt({ min: 0n, max: TOP - 1n })
/** Results of the EVM for an argument and a constant. */
const EVM: Record<Exclude<ExpressionOp, 'item'>, (argument: bigint, by: bigint) => bigint> = {
  plus: (a, by) => (a + by) % TOP,
  minus: (a, by) => (a - by + TOP) % TOP,
  subtractedFrom: (a, by) => (by - a + TOP) % TOP,
  xor: (a, by) => a ^ by,
  modulo: (a, by) => (by === 0n ? 0n : a % by),
  times: (a, by) => (a * by) % TOP,
  dividedBy: (a, by) => (by === 0n ? 0n : a / by),
}
const ops = fc.constantFrom(...(Object.keys(EVM) as (keyof typeof EVM)[]))

test('a solution gives the wanted word', () => {
  fc.assert(
    fc.property(ops, word, word, (op, by, wanted) => {
      const found = solve({ i: 0, op, by }, wanted)
      if (found !== undefined && by > 0n) expect(EVM[op](found, by)).toBe(wanted)
    }),
  )
})

test('finds a solution for every sum, difference and exclusive or, and for results of small numbers', () => {
  fc.assert(
    fc.property(ops, word, fc.bigInt({ min: 1n, max: 1_000_000n }), (op, argument, by) => {
      const small = op === 'times' ? argument % 1_000_000n : argument
      expect(solve({ i: 0, op, by }, EVM[op](small, by))).toBeDefined()
    }),
  )
})

test('finds the index of an array element from the hash of the slot of its length', () => {
  // keccak256 of a word of zeros, from Solidity's documentation of storage layouts.
  const start = 0x290decd9548b62a8d60345a988386fc84ba6bc95484008f6362f93160ef3e563n
  expect(solve({ i: 0, op: 'item', by: 0n }, start + 7n)).toBe(7n)
})
