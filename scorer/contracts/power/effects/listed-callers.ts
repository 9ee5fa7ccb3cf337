/**
 * Powers of whoever is on a list. A function may do more for callers that a mapping names, and nothing shows who they are: only
 * the constructor wrote them, or nobody who is known may add one. So strangers are put on the list, by an override of their
 * entry, and call the function. What they can do only then, somebody else may be able to do.
 */
import type { Override } from '../../chain/call.ts'
import type { Observation, Step } from '../../chain/simulator/script.ts'
import type { CallerEntry, FunctionFacts } from '../../code/abstract/facts.ts'
import { mapSlot, mapSlotReversed, merge, runScript, withActors } from '../../trade/simulation-setup.ts'
import { type Candidate, encodeArguments, SELF_SERVICE, word } from '../calls/arguments.ts'
import { candidatesOf } from '../calls/candidates.ts'
import { APPROVE, TRANSFER_FROM } from '../calls/selectors.ts'
import { callStep, observeStep, probeResult, probeStep } from '../calls/steps.ts'
import { balancePlaces } from '../sequences/places.ts'
import { type SequenceInput, TOKEN_MOVES } from '../sequences/sequence.ts'
import { effectsOf } from './effects.ts'

/** Functions tried, calls of each by one account, and small values of an entry. */
const [MAX_FUNCTIONS, MAX_CALLS, MAX_VALUES] = [4, 4, 5]
/** Words in which all flags are set that an entry may hold. What the same call does with both is no amount of the entry. */
const WIDE = [(1n << 256n) - 1n, (1n << 255n) - 1n]

/** Selectors of functions that move tokens for listed callers, and of functions of which a list could not be tried. */
export type ListedCallers = { selectors: string[]; untried: string[] }

type Place = Omit<CallerEntry, 'base' | 'mapping'> & { mapping: string }
/** A stranger whose entries, `key`, hold `value`. */
type Listed = { who: string; key: string; value: bigint; override: Override }

const hex = (value: bigint): string => `0x${word(value)}`
const slotOf = ({ mapping, plus, baseFirst }: Place, who: string): string =>
  hex(BigInt((baseFirst ? mapSlotReversed : mapSlot)(who, mapping)) + plus)

/** Strangers on one of the lists, or on all of them, with the flags and numbers that entries are compared with. */
const strangersFor = (facts: FunctionFacts, places: readonly Place[], fresh: (role: string) => string): Listed[] => {
  const small = [...new Set([1n, ...facts.entryConstants.flatMap((value) => [value, value + 1n])])]
  const sets = [...places.map((place) => [place]), ...(places.length > 1 ? [places] : [])]
  return sets.flatMap((some, i) =>
    [...small.slice(0, MAX_VALUES), ...WIDE].map((value) => {
      const who = fresh(`listed ${facts.selector} ${i} ${value}`)
      const stateDiff = Object.fromEntries(some.map((place) => [slotOf(place, who), hex(value)]))
      return { who, key: `${i}`, value, override: { stateDiff } }
    }),
  )
}

/** What a call moved, as text. */
const movedBy = (before: Observation, after: Observation): string =>
  [
    after.victim - before.victim,
    after.supply - before.supply,
    after.pool - before.pool,
    after.actor - before.actor,
  ].join()

/** Finds functions that move tokens for callers on a list. `accepted`: selectors of functions that some account could call. */
export const listedCallers = async (
  input: SequenceInput,
  accepted: ReadonlySet<string>,
  fresh: (role: string) => string,
): Promise<ListedCallers> => {
  const { chain, simulation, scene, moment, functions, scope, powers, insiders, stranger } = input
  const { token, victim } = simulation.setup
  const balances = balancePlaces(functions)
  const known = new Set(powers.filter(({ effect }) => TOKEN_MOVES.includes(effect)).map(({ selector }) => selector))
  const approvals = new Set(functions.filter(({ selector }) => selector === APPROVE).flatMap(({ stores }) => stores))
  const approves = ({ selector, stores }: FunctionFacts) =>
    selector !== TRANSFER_FROM && stores.some((place) => approvals.has(place))
  // What an account approved for its caller is no list.
  const isList = ({ base, mapping }: CallerEntry) =>
    !balances.has(`map:${base}`) && (mapping !== undefined || !approvals.has(`map:${base}`))
  const mayMove = (facts: FunctionFacts) =>
    (SELF_SERVICE.has(facts.selector) || accepted.has(facts.selector)) &&
    (approves(facts) || facts.stores.some((place) => balances.has(place) || place.endsWith('other')))
  const chosen = functions
    .filter((facts) => !known.has(facts.selector) && mayMove(facts))
    .map((facts) => ({ facts, entries: facts.callerEntries.filter(isList) }))
    .filter(({ entries }) => entries.length > 0)
  const tried = chosen.slice(0, MAX_FUNCTIONS).map(({ facts, entries }) => {
    const places = entries.flatMap(({ mapping, plus, baseFirst }) =>
      mapping === undefined ? [] : [{ mapping, plus, baseFirst }],
    )
    return { facts, listed: strangersFor(facts, places, fresh) }
  })
  const everyone = tried.flatMap(({ listed }) => listed)
  const changed = withActors(
    simulation,
    everyone.map(({ who }) => who),
  )
  for (const { override } of everyone) changed.overrides = merge(changed.overrides, { [token]: override })
  /** Looks after the call, or after a transfer that it may have approved. */
  const lookAfter = (call: Candidate, then: boolean): Step => {
    if (!then) return probeStep({ ...call, target: token }, true)
    const data = encodeArguments(TRANSFER_FROM, [victim, call.actor, scope.held / 2n])
    return {
      op: 'branch',
      steps: [callStep({ ...call, target: token }), probeStep({ actor: call.actor, target: token, data }, true)],
    }
  }
  /** What each call of an account moved that has such an effect; `undefined` if the calls could not run. */
  const movesOf = async (facts: FunctionFacts, actors: readonly string[]) => {
    const common = { ...scope, functions: [facts], limit: MAX_CALLS, brief: true }
    const calls = actors.flatMap((actor) =>
      candidatesOf({ ...common, actorsOf: () => [actor] }).map((call, number) => ({ call, number })),
    )
    const steps = [
      ...actors.map((actor) => observeStep(actor, token, true)),
      ...calls.map(({ call }) => lookAfter(call, approves(facts))),
    ]
    const results = (await runScript(chain, changed, [...scene, ...steps], moment))?.slice(scene.length)
    return results?.slice(actors.length).flatMap((seen, i) => {
      const { call, number } = calls[i] ?? {}
      const before = call && results[actors.indexOf(call.actor)]?.probe
      const after = approves(facts) ? seen.steps?.[1]?.probe : probeResult(seen)?.probe
      if (!before || !after) return []
      const effects = effectsOf(before, after, call, { victim, main: insiders[0] ?? '' })
      return effects.some((effect) => TOKEN_MOVES.includes(effect))
        ? [{ actor: call.actor, what: `${number}: ${movedBy(before, after)}` }]
        : []
    })
  }
  const found = await Promise.all(
    tried.map(async ({ facts, listed }) => {
      if (listed.length === 0) return false
      const moves = await movesOf(facts, [stranger, ...listed.map(({ who }) => who)])
      if (!moves) return undefined
      const by = (who: string | undefined) => moves.filter(({ actor }) => actor === who).map(({ what }) => what)
      const twin = ({ key }: Listed) => listed.find((one) => one.key === key && one.value === WIDE[1])?.who
      const obeys = listed.some((one) =>
        one.value === WIDE[0]
          ? by(one.who).some((what) => by(twin(one)).includes(what))
          : one.value !== WIDE[1] && by(one.who).length > 0,
      )
      return obeys && by(stranger).length === 0
    }),
  )
  const isUnread = ({ entries }: (typeof chosen)[number], i: number) =>
    i >= MAX_FUNCTIONS || found[i] === undefined || entries.some(({ mapping }) => mapping === undefined)
  return {
    selectors: tried.flatMap(({ facts }, i) => (found[i] ? [facts.selector] : [])),
    untried: chosen.filter(isUnread).map(({ facts }) => facts.selector),
  }
}
