import { expect, test } from 'vitest'
import { emptyFacts, type FunctionFacts } from '../../code/abstract/facts.ts'
import type { AcceptedCall } from '../power.ts'
import type { SequenceInput } from './sequence.ts'
import { callTriples } from './three-calls.ts'
import { callPairs } from './two-calls.ts'

const address = (digit: string) => `0x${digit.repeat(40)}`
const place = (i: number) => `0x${i.toString(16).padStart(64, '0')}`
const [OWNER, STRANGER, VICTIM] = [address('9'), address('8'), address('1')]
const facts = (selector: string, known: Partial<FunctionFacts>): FunctionFacts => ({
  ...emptyFacts(selector, 0, { notes: 0, incomplete: false }),
  ...known,
})
const selectorOf = (i: number) => `0xa${i.toString(16).padStart(7, '0')}`
/** A function that sets a place, and one that reads it and writes balances. */
const pair = (i: number, known: Partial<FunctionFacts> = {}): FunctionFacts[] => [
  facts(selectorOf(2 * i), { writes: true, args: ['uint'], stores: [place(i)] }),
  facts(selectorOf(2 * i + 1), {
    writes: true,
    stores: [`map:${place(0)}`],
    reads: [{ slot: place(i), shift: 0, kind: 'word' }],
    ...known,
  }),
]
const accepted = (selector: string, known: Partial<AcceptedCall> = {}): AcceptedCall => ({
  selector,
  actor: OWNER,
  data: selector,
  args: [5n],
  kinds: ['uint'],
  actorIsOrigin: false,
  ownerAfter: 10n ** 40n,
  ...known,
})
const inputOf = (pairs: FunctionFacts[][], calls: AcceptedCall[]): SequenceInput =>
  ({
    functions: [facts('0x70a08231', { maps: [place(0)] }), ...pairs.flat()],
    scope: {
      victim: VICTIM,
      held: 10n,
      supply: 100n,
      receiver: address('2'),
      refuser: address('3'),
      failer: address('7'),
      agreer: address('8'),
      token: address('5'),
      base: address('4'),
    },
    actorsOf: () => [OWNER],
    insiders: [OWNER],
    stranger: STRANGER,
    calls,
    powers: [],
    owner: 10n ** 40n,
  }) as Partial<SequenceInput> as SequenceInput

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1)

test('pairs calls that share a place, with the largest amount first', () => {
  const calls = [accepted(selectorOf(2)), accepted(selectorOf(2), { args: [200n] }), accepted(selectorOf(4))]
  const { pairs, cut } = callPairs(inputOf([pair(1), [pair(2)[0] as FunctionFacts]], calls))
  expect(pairs.map(({ first, lastCalls }) => [first?.args, lastCalls.map(({ selector }) => selector)])).toEqual([
    [[200n], [selectorOf(3)]],
  ])
  expect(cut).toBe(false)
})

test('calls of strangers, transfers of ownership and writes of balances are no first calls', () => {
  const balances = facts(selectorOf(8), { writes: true, stores: [`map:${place(0)}`] })
  const calls = [
    accepted(selectorOf(2), { actor: STRANGER }),
    accepted(selectorOf(4), { ownerAfter: 2n }),
    accepted(selectorOf(8)),
  ]
  expect(callPairs(inputOf([pair(1), pair(2), [balances]], calls))).toEqual({ pairs: [], cut: false })
})

test.each([
  ['without a delay', 300, {}, 16],
  ['with a delay', 9, { readsTime: true }, 8],
] as const)('too many pairs %s are cut, and the cut is reported', (_name, count, known, most) => {
  const calls = numbers(count).map((i) => accepted(selectorOf(2 * i)))
  const found = callPairs(
    inputOf(
      numbers(count).map((i) => pair(i, known)),
      calls,
    ),
  )
  expect(found.pairs).toHaveLength(most)
  expect(found.cut).toBe(true)
})

test('bounds the last calls after one first call', () => {
  const seconds = numbers(5_000).map((i) => ({ ...(pair(1)[1] as FunctionFacts), selector: selectorOf(i + 10) }))
  const found = callPairs(inputOf([pair(1), seconds], [accepted(selectorOf(2))]))
  expect(found.pairs.flatMap((link) => link.lastCalls)).toHaveLength(24)
  expect(found.cut).toBe(true)
})

/** A function that sets a place, one that reads it and sets another, and one that reads that and writes balances. */
const trio = (i: number, known: Partial<FunctionFacts> = {}): FunctionFacts[] => [
  facts(selectorOf(3 * i), { writes: true, args: ['uint'], stores: [place(2 * i)] }),
  facts(selectorOf(3 * i + 1), {
    ...{ writes: true, stores: [place(2 * i + 1)] },
    reads: [{ slot: place(2 * i), shift: 0, kind: 'word' }],
  }),
  facts(selectorOf(3 * i + 2), {
    ...{ writes: true, stores: [`map:${place(0)}`] },
    reads: [{ slot: place(2 * i + 1), shift: 0, kind: 'word' }],
    ...known,
  }),
]

test('chains three calls if each reads what the one before wrote and the middle one was refused', () => {
  const calls = [accepted(selectorOf(3))]
  const shown = (input: SequenceInput) =>
    callTriples(input).map(({ first, middle, lastCalls, delayed }) => [
      ...[first.selector, middle.selector, lastCalls.map(({ selector }) => selector), delayed],
    ])
  const found = [[selectorOf(3), selectorOf(4), [selectorOf(5)], false]]
  expect(shown(inputOf([trio(1)], calls))).toEqual(found)
  // A middle call that was accepted alone is a first call, and the pair was tried already.
  expect(shown(inputOf([trio(1)], [...calls, accepted(selectorOf(4))]))).toEqual([])
  expect(shown(inputOf([trio(1).slice(0, 2)], calls))).toEqual([])
  expect(shown(inputOf([trio(1)], [accepted(selectorOf(3), { actor: STRANGER })]))).toEqual([])
})

test.each([
  ['', {}, 8],
  [' with a delay', { readsTime: true }, 2],
] as const)('tries a few of hundreds of triples%s', (_name, known, most) => {
  const calls = numbers(300).map((i) => accepted(selectorOf(3 * i)))
  const triples = callTriples(
    inputOf(
      numbers(300).map((i) => trio(i, known)),
      calls,
    ),
  )
  expect(triples).toHaveLength(most)
})

test('five hundred functions that each write what hundreds read take less than two seconds', () => {
  const places = (odd: number) => numbers(16).map((i) => place(2 * i + odd))
  const functions = numbers(512).map((i) =>
    facts(selectorOf(i), {
      ...{ writes: true, calls: true, args: ['uint'], stores: places(i % 2) },
      reads: places((i + 1) % 2).map((slot) => ({ slot: i % 2 ? slot : `${slot}f`, shift: 0, kind: 'word' })),
    }),
  )
  const calls = functions.filter((_, i) => i % 2).map(({ selector }) => accepted(selector))
  const input = { ...inputOf([], calls), functions }
  const started = process.cpuUsage()
  expect([callTriples(input).length, callPairs(input).pairs.length]).toEqual([4, 8])
  const { user } = process.cpuUsage(started)
  expect(user / 1_000).toBeLessThan(2_000)
})
