import { expect, test } from 'vitest'
import { type ArgumentKind, emptyFacts, type FunctionFacts } from '../../code/abstract/facts.ts'
import { candidatesOf } from './candidates.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`
const functionOf = (i: number, args: ArgumentKind[] = ['address', 'uint']): FunctionFacts => ({
  ...emptyFacts(`0x${i.toString(16).padStart(8, '0')}`, i, { notes: 0, incomplete: false }),
  args,
  hints: args.map(() => [7n]),
  writes: true,
})
const scope = {
  victim: address('1'),
  held: 10n,
  supply: 100n,
  receiver: address('2'),
  refuser: address('3'),
  failer: address('7'),
  agreer: address('8'),
  token: address('5'),
  base: address('4'),
}

test('the cost of thousands of functions is bounded by the calls returned', () => {
  let asked = 0
  const found = candidatesOf({
    ...scope,
    functions: Array.from({ length: 5_000 }, (_, i) => functionOf(i)),
    actorsOf: () => {
      asked++
      return Array.from({ length: 16 }, (_, i) => address(i.toString(16)))
    },
    limit: 100,
  })
  expect(found).toHaveLength(100)
  expect(new Set(found.map(({ selector }) => selector)).size).toBe(100)
  expect(asked).toBe(100)
})

test('functions take turns, and one without further calls leaves its turns to the others', () => {
  const functions = [functionOf(1, []), functionOf(2)]
  const found = candidatesOf({ ...scope, functions, actorsOf: () => [address('9')], limit: 4 })
  expect(found.map(({ selector }) => selector)).toEqual(['0x00000001', '0x00000002', '0x00000002', '0x00000002'])
})

test('a self-call does not contain another self-call', () => {
  const own: FunctionFacts = { ...functionOf(1, ['array']), bySelf: true, calls: true }
  const found = candidatesOf({ ...scope, functions: [own], actorsOf: () => [address('9')], limit: 100 })
  const inner = found.flatMap(({ args }) =>
    args.flatMap((arg) => (typeof arg === 'object' && 'call' in arg ? [arg.call] : [])),
  )
  // Bytes that are an address call nothing.
  const calls = inner.filter((bytes) => bytes !== scope.victim.slice(2))
  expect(calls).toHaveLength(4)
  expect(calls.every((call) => call.startsWith('00000001'))).toBe(true)
})
