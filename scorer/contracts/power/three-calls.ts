/**
 * Powers that take three calls: something is set, something that was refused before is accepted then, and what follows moves tokens.
 * Proposals that are confirmed and carried out are of this kind. A handful is tried, where two calls showed nothing.
 */
import type { Step } from '../chain/simulator/script.ts'
import { runScript, runSequence } from '../trade/simulation-setup.ts'
import { candidatesOf, SELF_SERVICE } from './candidates.ts'
import {
  actorsIn,
  type ChainsInput,
  divided,
  firstCallsOf,
  holdings,
  judgeSequel,
  movesOf,
  readBy,
  type Sequel,
  stepsAfter,
  tellingCalls,
  WAITS,
} from './chains.ts'
import type { Power } from './power.ts'
import { callStep, lookStep } from './steps.ts'

/** Pairs of calls that are made first, those of them after which time passes, and last calls after each. */
const [MOST_PAIRS, MOST_WAITS, MOST_LAST] = [8, 2, 8]
/** Ways in which the call in the middle is made, and the last call of one function. */
const [MOST_MIDDLE, MOST_OF_FUNCTION] = [2, 4]

export type Triple = Required<Sequel> & { later: boolean }

/** What is worth trying: each call reads what the one before wrote, and the one in the middle was refused by itself. */
export const triplesOf = (input: ChainsInput): Triple[] => {
  const { functions, scope } = input
  const held = holdings(functions)
  const accepted = new Set(input.calls.map(({ selector }) => selector))
  const writtenBy = (selector: string) =>
    new Set(
      functions
        .filter((facts) => facts.selector === selector)
        .flatMap(({ stores }) => stores)
        .filter((place) => !held.has(place)),
    )
  const lasts = movesOf(input, held).filter(({ selector }) => !SELF_SERVICE.has(selector))
  const middles = functions.filter(({ selector, writes }) => writes && !accepted.has(selector))
  const triples: Triple[] = []
  let waits = MOST_WAITS
  for (const [selector, calls] of firstCallsOf(input)) {
    const written = writtenBy(selector)
    for (const middle of written.size > 0 ? middles : []) {
      const [places, read] = [writtenBy(middle.selector), readBy(middle)]
      if (places.size === 0 || !read.some((place) => written.has(place))) continue
      const last = lasts.filter(
        (facts) => facts.selector !== middle.selector && readBy(facts).some((place) => places.has(place)),
      )
      if (last.length === 0) continue
      const times = [middle, ...last, ...functions.filter((facts) => facts.selector === selector)]
      const later = times.some(({ readsTime }) => readsTime)
      if (later && waits-- <= 0) continue
      for (const first of tellingCalls(calls, scope.victim).slice(0, 1)) {
        const actorsOf = (facts: typeof middle) => [...new Set([first.actor, ...input.actorsOf(facts)])].slice(0, 2)
        const common = { ...scope, actorsOf, brief: true }
        const seconds = last
          .flatMap((facts) => candidatesOf({ ...common, functions: [facts], limit: MOST_OF_FUNCTION }))
          .slice(0, MOST_LAST)
        for (const call of candidatesOf({ ...common, functions: [middle], limit: MOST_MIDDLE })) {
          if (triples.length >= MOST_PAIRS) return triples
          triples.push({ first, middle: call, seconds, later })
        }
      }
    }
  }
  return triples
}

/** Runs both calls and what may follow them. What cannot be run is not found. */
export const probeTriples = async (input: ChainsInput): Promise<Power[]> => {
  const { chain, simulation, scene, moment } = input
  const { token } = simulation.setup
  const triples = triplesOf(input)
  const looksOf = (actors: readonly string[]) => actors.map((actor) => lookStep(actor, token, true))

  const now = async (some: Triple[]): Promise<Power[]> => {
    const actors = [...new Set(some.flatMap(actorsIn))]
    const steps = some.map(
      (triple): Step => ({
        op: 'branch',
        steps: [
          callStep({ ...triple.first, target: token }),
          callStep({ ...triple.middle, target: token }),
          ...stepsAfter(triple, token),
        ],
      }),
    )
    const results = await runScript(chain, simulation, [...scene, ...looksOf(actors), ...steps], moment)
    const untouched = new Map(actors.map((actor, i) => [actor, results?.[scene.length + i]?.probe]))
    return some.flatMap((triple, i) => {
      const seen = results?.[scene.length + actors.length + i]?.steps?.slice(2)
      return judgeSequel(input, triple, untouched, seen, false).powers
    })
  }
  const later = async (triple: Triple): Promise<Power[]> => {
    const actors = actorsIn(triple)
    const [soon, late] = WAITS.map(({ blocks, seconds }) => ({
      number: moment.number + blocks,
      time: moment.time + seconds,
    }))
    if (!soon || !late) return []
    const first = [...scene, ...looksOf(actors), callStep({ ...triple.first, target: token })]
    const results = await runSequence(chain, simulation, [
      { steps: first, moment },
      { steps: [callStep({ ...triple.middle, target: token })], moment: soon },
      { steps: stepsAfter(triple, token), moment: late },
    ])
    const untouched = new Map(actors.map((actor, i) => [actor, results?.[0]?.[scene.length + i]?.probe]))
    return judgeSequel(input, triple, untouched, results?.[2], true).powers
  }
  const found = await Promise.all([
    ...divided(
      triples.filter((triple) => !triple.later),
      input.size,
    ).map(now),
    ...triples.filter((triple) => triple.later).map(later),
  ])
  return found.flat()
}
