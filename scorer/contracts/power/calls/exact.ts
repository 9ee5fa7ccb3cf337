/** Arguments that the code recognises: an amount or an account that is equal to a constant of it may open what nothing else opens. */
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { addressOf } from '../../code/abstract/facts.ts'
import type { Argument } from './candidates.ts'

/** Values of one argument that are tried. */
const MOST_VALUES = 3

type Scope = { victim: string; held: bigint; token: string; base: string }

/** Amounts, or accounts, that argument `i` is compared with: none that the market or the token itself are known by. */
const valuesOf = ({ exact, args }: FunctionFacts, i: number, { token, base }: Scope): (bigint | string)[] => {
  const values = exact[i] ?? []
  if (args[i] === 'uint') return values.filter((value) => value < 1n << 255n).slice(0, MOST_VALUES)
  if (args[i] !== 'address') return []
  return values
    .filter((value) => value > 0xffffn && value >> 160n === 0n)
    .map(addressOf)
    .filter((who) => who !== token && who !== base)
    .slice(0, MOST_VALUES)
}

/** Lists of arguments one of which, or an account and a number of which, the code recognises. Others name the victim or the actor. */
export function* exactLists(facts: FunctionFacts, scope: Scope, actor: string): Generator<Argument[], undefined> {
  const { args } = facts
  const values = args.map((_, i) => valuesOf(facts, i, scope))
  const build = (who: string, number: bigint): Argument[] =>
    args.map((kind): Argument => {
      if (kind === 'address') return who
      return kind === 'bool' ? true : kind === 'array' ? { array: [] } : number
    })
  const put = (list: Argument[], i: number, value: Argument) => list.map((arg, at) => (at === i ? value : arg))
  for (const [i, found] of values.entries()) {
    for (const value of found) {
      if (typeof value === 'bigint') {
        for (const who of [actor, scope.victim]) yield put(build(who, 1n), i, value)
        continue
      }
      yield put(build(scope.victim, 1n), i, value)
      yield put(build(scope.victim, scope.held / 2n), i, value)
      const place = values.findIndex((other) => typeof other[0] === 'bigint')
      const number = values[place]?.[0]
      if (number !== undefined) yield put(put(build(scope.victim, 1n), i, value), place, number)
    }
  }
}

/** Whether a call of a function names what the code recognises. */
export const isExact = (facts: FunctionFacts, args: readonly Argument[]): boolean =>
  args.some((arg, i) => {
    if (typeof arg !== 'bigint' && typeof arg !== 'string') return false
    return facts.exact[i]?.includes(BigInt(arg)) ?? false
  })

/** What the code recognises in a transfer or an approval, beside the market and the token itself. */
export const recognises = (facts: FunctionFacts, scope: Scope): boolean =>
  facts.args.some((_, i) => valuesOf(facts, i, scope).length > 0)
