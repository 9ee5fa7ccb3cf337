/** Chooses the functions and calls that sequences consist of. */
import { addressOf, type FunctionFacts } from '../../code/abstract/facts.ts'
import { isBlackhole } from '../../subject/blackhole.ts'
import { type Candidate, SELF_SERVICE } from '../calls/arguments.ts'
import { hasTrigger, usesTrigger } from '../calls/triggers.ts'
import type { AcceptedCall } from '../power.ts'
import { type SequenceInput, TOKEN_MOVES } from './sequence.ts'

/** Largest number among a call's arguments. */
export const largest = ({ args }: Pick<Candidate, 'args'>): bigint =>
  args.reduce((most: bigint, arg) => (typeof arg === 'bigint' && arg > most ? arg : most), 0n)

/** Order of first calls: those that switch something on, then those with the largest number, then those that name the caller. */
export const byPreference = (a: AcceptedCall, b: AcceptedCall): number => {
  const byFlag = Number(a.args.includes(false)) - Number(b.args.includes(false))
  const byMost = Number(largest(b) - largest(a))
  const byCaller = Number(b.args.includes(b.actor)) - Number(a.args.includes(a.actor))
  // A total order: the order in which the node answered must not matter.
  return byFlag || byMost || byCaller || Number(sumOf(b) - sumOf(a)) || (a.data < b.data ? -1 : 1)
}
const sumOf = ({ args }: AcceptedCall): bigint =>
  args.reduce((sum: bigint, arg) => (typeof arg === 'bigint' ? sum + arg : sum), 0n)

/** One accepted call of a function that names the actor and one that names the victim first, or else the preferred one. */
export const representativeCalls = (calls: readonly AcceptedCall[], victim: string): AcceptedCall[] => {
  const best = (list: AcceptedCall[]) => list.toSorted(byPreference)[0]
  const naming = (who: (call: AcceptedCall) => string) =>
    best(calls.filter((call) => call.args.find((arg) => typeof arg === 'string') === who(call)))
  const found = [naming(({ actor }) => actor), naming(() => victim)].flatMap((call) => call ?? [])
  const any = found.length === 0 ? best([...calls]) : undefined
  return any ? [any] : found
}

/** Functions that may move tokens, without those proven to do so by one call. `balances`: places of balances and supply. */
export const tokenMovers = ({ functions, powers }: SequenceInput, balances: ReadonlySet<string>): FunctionFacts[] => {
  const known = new Set(powers.filter(({ effect }) => TOKEN_MOVES.includes(effect)).map(({ selector }) => selector))
  return functions.filter(
    (facts) =>
      !known.has(facts.selector) &&
      (SELF_SERVICE.has(facts.selector) ||
        facts.calls ||
        facts.delegates ||
        facts.stores.some((place) => balances.has(place) || place.endsWith('other'))),
  )
}

/**
 * Accepted calls of insiders, by function, that are no power alone and do not change a live owner. Transfers and approvals
 * count only with a trigger value, and come last.
 */
export const firstCallsOf = ({
  calls,
  insiders,
  powers,
  owner,
  functions,
}: SequenceInput): Map<string, AcceptedCall[]> => {
  const known = new Set(powers.filter(({ effect }) => TOKEN_MOVES.includes(effect)).map(({ selector }) => selector))
  const ownerless = owner !== undefined && isBlackhole(addressOf(owner))
  const triggers = functions.filter(hasTrigger)
  const isFirst = ({ selector, args }: AcceptedCall) =>
    !SELF_SERVICE.has(selector) || triggers.some((facts) => facts.selector === selector && usesTrigger(facts, args))
  const bySelector = new Map<string, AcceptedCall[]>()
  for (const call of calls) {
    if (!insiders.includes(call.actor) || call.actorIsOrigin || known.has(call.selector) || !isFirst(call)) continue
    if (call.ownerAfter !== owner && !ownerless) continue
    bySelector.set(call.selector, [...(bySelector.get(call.selector) ?? []), call])
  }
  return new Map([...bySelector].sort(([a], [b]) => Number(SELF_SERVICE.has(a)) - Number(SELF_SERVICE.has(b))))
}
