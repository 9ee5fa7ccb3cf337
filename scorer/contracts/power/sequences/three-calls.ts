/**
 * Powers that take three calls. In a chain, the first call sets something, the second is accepted only after it, and the
 * third moves tokens, as with proposals that are confirmed and executed. In a vote, the last call reads what both earlier
 * calls write and is refused without them. Only a few triples are tried.
 */
import type { Step } from '../../chain/simulator/script.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { runScript, runSequence } from '../../trade/simulation-setup.ts'
import { SELF_SERVICE } from '../calls/arguments.ts'
import { candidatesOf } from '../calls/candidates.ts'
import { callStep, observeStep } from '../calls/steps.ts'
import type { AcceptedCall } from '../power.ts'
import { firstCallsOf, representativeCalls, tokenMovers } from './first-calls.ts'
import { balancePlaces, placesRead, readersByPlace } from './places.ts'
import {
  actorsIn,
  type CallSequence,
  DELAYS,
  inBatches,
  judgeSequence,
  lastSteps,
  type SequenceFacts,
  type SequenceInput,
} from './sequence.ts'

/** Chains: first two calls, those of them with a delay, and last calls after each. */
const [MAX_PAIRS, MAX_DELAYED, MAX_LAST] = [8, 2, 8]
/** Votes: triples, and those of them with a delay. */
const [MAX_VOTES, MAX_DELAYED_VOTES] = [4, 2]
/** Votes: functions of last calls, and functions of earlier calls for each. */
const [MAX_LASTS, MAX_WRITERS] = [4, 4]
/** Variants of the middle call, and of the last call of one function. */
const [MAX_MIDDLE, MAX_OF_FUNCTION] = [2, 4]

/** Two calls and the calls that may follow. `delayed`: whether time passes between the calls. */
export type CallTriple = Required<CallSequence> & { delayed: boolean }

/** Triples to try. In a chain, each call reads what the one before writes, and the middle one was refused alone. */
export const callTriples = (input: SequenceInput): CallTriple[] => {
  const { functions, scope } = input
  const balances = balancePlaces(functions)
  const accepted = new Set(input.calls.map(({ selector }) => selector))
  const written = new Map<string, Set<string>>()
  for (const { selector, stores } of functions) {
    const places = written.get(selector) ?? new Set()
    for (const place of stores) if (!balances.has(place)) places.add(place)
    written.set(selector, places)
  }
  const writtenBy = (selector: string): ReadonlySet<string> => written.get(selector) ?? new Set()
  const lasts = tokenMovers(input, balances).filter(({ selector }) => !SELF_SERVICE.has(selector))
  const middlesAfter = readersByPlace(functions.filter(({ selector, writes }) => writes && !accepted.has(selector)))
  const lastsAfter = readersByPlace(lasts)
  const followers = new Map<string, FunctionFacts[]>()
  /** Functions that read what the middle one writes. */
  const lastOf = ({ selector }: FunctionFacts): FunctionFacts[] => {
    const found =
      followers.get(selector) ?? lastsAfter(writtenBy(selector)).filter((facts) => facts.selector !== selector)
    followers.set(selector, found)
    return found
  }
  const triples: CallTriple[] = []
  let delayedLeft = MAX_DELAYED
  const firsts = firstCallsOf(input)
  for (const [selector, calls] of firsts) {
    for (const middle of middlesAfter(writtenBy(selector))) {
      const last = lastOf(middle)
      if (last.length === 0) continue
      const times = [middle, ...last, ...functions.filter((facts) => facts.selector === selector)]
      const delayed = times.some(({ readsTime }) => readsTime)
      if (delayed && delayedLeft-- <= 0) continue
      for (const first of representativeCalls(calls, scope.victim).slice(0, 1)) {
        const actorsOf = (facts: typeof middle) => [...new Set([first.actor, ...input.actorsOf(facts)])].slice(0, 2)
        const common = { ...scope, actorsOf, brief: true }
        const lastCalls = last
          .flatMap((facts) => candidatesOf({ ...common, functions: [facts], limit: MAX_OF_FUNCTION }))
          .slice(0, MAX_LAST)
        for (const call of candidatesOf({ ...common, functions: [middle], limit: MAX_MIDDLE })) {
          if (triples.length >= MAX_PAIRS) return [...triples, ...votesOf(input, firsts, writtenBy)]
          triples.push({ first, middle: call, lastCalls, delayed })
        }
      }
    }
  }
  return [...triples, ...votesOf(input, firsts, writtenBy)]
}

/** Triples whose first two calls were accepted alone, and whose last call was refused alone. */
const votesOf = (
  input: SequenceInput,
  firsts: ReadonlyMap<string, AcceptedCall[]>,
  writtenBy: (selector: string) => ReadonlySet<string>,
): CallTriple[] => {
  const { functions, scope, calls } = input
  const open = new Set(calls.map(({ selector }) => selector))
  const lasts = tokenMovers(input, balancePlaces(functions)).filter(
    ({ selector }) => !SELF_SERVICE.has(selector) && !open.has(selector),
  )
  const triples: CallTriple[] = []
  let delayedLeft = MAX_DELAYED_VOTES
  for (const last of lasts.slice(0, MAX_LASTS)) {
    const read = placesRead(last)
    const writers = [...firsts]
      .filter(([selector]) => read.some((place) => writtenBy(selector).has(place)))
      .slice(0, MAX_WRITERS)
    for (const [one, ones] of writers) {
      for (const [other, others] of writers) {
        const [first] = representativeCalls(ones, scope.victim)
        const [middle] = representativeCalls(others, scope.victim)
        if (one === other || !first || !middle) continue
        const delayed = functions.some(
          ({ selector, readsTime }) => readsTime && [one, other, last.selector].includes(selector),
        )
        if (triples.length >= MAX_VOTES) return triples
        if (delayed && delayedLeft-- <= 0) continue
        const actorsOf = (facts: FunctionFacts) => [...new Set([first.actor, ...input.actorsOf(facts)])].slice(0, 2)
        const lastCalls = candidatesOf({ ...scope, actorsOf, brief: true, functions: [last], limit: MAX_OF_FUNCTION })
        triples.push({ first, middle, lastCalls, delayed })
      }
    }
  }
  return triples
}

/** Runs the triples. A triple that cannot run proves nothing. */
export const probeThreeCalls = async (
  input: SequenceInput,
): Promise<Pick<SequenceFacts, 'powers' | 'acceptedLast'>> => {
  const { chain, simulation, scene, moment } = input
  const { token } = simulation.setup
  const triples = callTriples(input)
  const observe = (actors: readonly string[]) => actors.map((actor) => observeStep(actor, token, true))

  type Found = Pick<SequenceFacts, 'powers' | 'acceptedLast'>
  const now = async (some: CallTriple[]): Promise<Found[]> => {
    const actors = [...new Set(some.flatMap(actorsIn))]
    const steps = some.map(
      (triple): Step => ({
        op: 'branch',
        steps: [
          callStep({ ...triple.first, target: token }),
          callStep({ ...triple.middle, target: token }),
          ...lastSteps(triple, token),
        ],
      }),
    )
    const results = await runScript(chain, simulation, [...scene, ...observe(actors), ...steps], moment)
    const baselines = new Map(actors.map((actor, i) => [actor, results?.[scene.length + i]?.probe]))
    return some.map((triple, i) => {
      const seen = results?.[scene.length + actors.length + i]?.steps?.slice(2)
      return judgeSequence(input, triple, baselines, seen, false)
    })
  }
  const later = async (triple: CallTriple): Promise<Found[]> => {
    const actors = actorsIn(triple)
    const [soon, late] = DELAYS.map(({ blocks, seconds }) => ({
      number: moment.number + blocks,
      time: moment.time + seconds,
    }))
    if (!soon || !late) return []
    const first = [...scene, ...observe(actors), callStep({ ...triple.first, target: token })]
    const results = await runSequence(chain, simulation, [
      { steps: first, moment },
      { steps: [callStep({ ...triple.middle, target: token })], moment: soon },
      { steps: lastSteps(triple, token), moment: late },
    ])
    const baselines = new Map(actors.map((actor, i) => [actor, results?.[0]?.[scene.length + i]?.probe]))
    return [judgeSequence(input, triple, baselines, results?.[2], true)]
  }
  const found = await Promise.all([
    ...inBatches(
      triples.filter((triple) => !triple.delayed),
      input.batchSize,
    ).map(now),
    ...triples.filter((triple) => triple.delayed).map(later),
  ])
  const all = found.flat()
  return { powers: all.flatMap(({ powers }) => powers), acceptedLast: all.flatMap(({ acceptedLast }) => acceptedLast) }
}
