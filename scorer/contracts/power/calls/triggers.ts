/**
 * Trigger values: amounts or accounts that the code compares an argument with for equality. Passing one may enable an effect
 * that no other argument has.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { Step } from '../../chain/simulator/script.ts'
import { addressOf, type FunctionFacts } from '../../code/abstract/facts.ts'
import type { SimulationSetup } from '../../trade/simulation-setup.ts'
import { type Argument, SELF_SERVICE, TRANSFERS } from './arguments.ts'

/** Values tried of one argument. */
export const MAX_VALUES = 3
/** Storage slots read because an amount is compared with them. */
const MAX_SLOTS = 4
/** Insiders that receive tokens, and the share of the victim's balance that each receives, in basis points. */
const [MAX_FUNDED, SHARE] = [4, 500n]

type Scope = { victim: string; held: bigint; supply: bigint }

/** Trigger values of argument `i` that fit its kind. */
const valuesOf = ({ exactValues, args }: FunctionFacts, i: number): (bigint | string)[] => {
  const values = exactValues[i] ?? []
  if (args[i] === 'uint') return values.filter((value) => value < 1n << 255n).slice(0, MAX_VALUES)
  if (args[i] !== 'address') return []
  return values
    .filter((value) => value > 0xffffn && value >> 160n === 0n)
    .map(addressOf)
    .slice(0, MAX_VALUES)
}

/**
 * Adds amounts read from storage to the trigger values, and removes the pool, the base asset and the token, which any code
 * may compare with.
 */
export const withStoredTriggers = async (
  chain: ChainReader,
  { token, base, pool }: SimulationSetup['setup'],
  functions: readonly FunctionFacts[],
): Promise<FunctionFacts[]> => {
  const known = new Set([token, base, pool].map(BigInt))
  const slots = functions.flatMap(({ selector, exactSlots, args }) =>
    SELF_SERVICE.has(selector) ? exactSlots.filter(({ i }) => args[i] === 'uint').map(({ slot }) => slot) : [],
  )
  const some = [...new Set(slots)].slice(0, MAX_SLOTS)
  const words = await Promise.all(some.map((slot) => chain.slot(token, slot)))
  const stored = new Map(some.map((slot, i) => [slot, BigInt(words[i] ?? 0)]))
  return functions.map((facts) => ({
    ...facts,
    exactValues: facts.exactValues.map((values, i) => [
      ...facts.exactSlots
        .flatMap((one) => (one.i === i ? (stored.get(one.slot) ?? []) : []))
        .filter((word) => word > 1n),
      ...values.filter((value) => !known.has(value)),
    ]),
  }))
}

/** Whether a transfer or an approval has trigger values and checks its caller. */
export const hasTrigger = (facts: FunctionFacts): boolean =>
  SELF_SERVICE.has(facts.selector) &&
  (facts.byDigest || facts.callerSlots.length + facts.callerConstants.length > 0) &&
  facts.args.some((_, i) => valuesOf(facts, i).length > 0)

/** Steps that give insiders tokens if a transfer may have a hidden effect for them: without a balance they cannot make one. */
export const insiderFunding = (
  functions: readonly FunctionFacts[],
  insiders: readonly string[],
  victim: string,
): Step[] =>
  functions.some((facts) => TRANSFERS.has(facts.selector) && hasTrigger(facts))
    ? insiders.slice(0, MAX_FUNDED).map((target) => ({ op: 'move', actor: victim, target, amount: SHARE }))
    : []

/** Argument lists that contain one trigger value, or an account and a number that both are. Other addresses are the victim or the actor. */
export function* triggerLists(facts: FunctionFacts, scope: Scope, actor: string): Generator<Argument[], undefined> {
  const { args } = facts
  const values = args.map((_, i) => valuesOf(facts, i))
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
        // The value selects an account of a row. An amount beside it may be limited.
        if (facts.callerRows.some(({ argument }) => argument === i))
          yield put(build(scope.victim, scope.supply / 4n), i, value)
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

/** Whether a call of the function passes a trigger value. */
export const usesTrigger = (facts: FunctionFacts, args: readonly Argument[]): boolean =>
  args.some((arg, i) => {
    if (typeof arg !== 'bigint' && typeof arg !== 'string') return false
    return facts.exactValues[i]?.includes(BigInt(arg)) ?? false
  })
