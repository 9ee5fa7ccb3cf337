/**
 * Functions guarded by a list of accounts that refused every account. Either no known account is on the list, or there was
 * nothing to do, as with `unpause` on a token that is not paused. Each is tried again after an accepted call that is guarded
 * by the same list, by the same actor. If it succeeds and restores the earlier state, a member of the list is known.
 */
import { runScript } from '../../trade/simulation-setup.ts'
import { type Candidate, SELF_SERVICE } from '../calls/arguments.ts'
import { candidatesOf } from '../calls/candidates.ts'
import { callStep, observeStep, probeResult, probeStep } from '../calls/steps.ts'
import { effectsOf } from '../effects/effects.ts'
import type { AcceptedCall } from '../power.ts'
import { representativeCalls } from './first-calls.ts'
import { placesRead } from './places.ts'
import type { SequenceInput } from './sequence.ts'

/** Functions tried again, first calls for each, and second calls after each of these. */
const [MAX_FUNCTIONS, MAX_FIRST, MAX_SECOND] = [4, 2, 4]

type Pair = { first: AcceptedCall; second: Candidate }

/** Pairs of calls guarded by the same list. `known`: selectors of functions that already succeeded after other calls. */
const pairsOf = (input: SequenceInput, known: ReadonlySet<string>): Pair[] => {
  const { functions, calls, insiders, scope } = input
  const accepted = new Set(calls.map(({ selector }) => selector))
  const refused = functions.filter(
    ({ selector, writes, callerMaps, callerSlots, callerConstants }) =>
      writes &&
      callerMaps.length > 0 &&
      callerSlots.length + callerConstants.length === 0 &&
      !accepted.has(selector) &&
      !known.has(selector) &&
      !SELF_SERVICE.has(selector),
  )
  const factsOf = new Map(functions.map((facts) => [facts.selector, facts]))
  const mine = calls.filter(
    ({ actor, selector, actorIsOrigin }) => insiders.includes(actor) && !actorIsOrigin && !SELF_SERVICE.has(selector),
  )
  return refused.slice(0, MAX_FUNCTIONS).flatMap((facts) => {
    const lists = new Set(facts.callerMaps.map((base) => `map:${base}`))
    const read = new Set(placesRead(facts).filter((place) => !lists.has(place)))
    const sameList = mine.filter(({ selector }) =>
      factsOf.get(selector)?.callerMaps.some((base) => facts.callerMaps.includes(base)),
    )
    /** Functions that write what the refused function reads come first. */
    const rank = (selector: string) => (factsOf.get(selector)?.stores.some((place) => read.has(place)) ? 0 : 1)
    const selectors = [...new Set(sameList.map(({ selector }) => selector))].sort((a, b) => rank(a) - rank(b))
    const firsts = selectors.flatMap((selector) =>
      representativeCalls(
        sameList.filter((call) => call.selector === selector),
        scope.victim,
      ),
    )
    return firsts.slice(0, MAX_FIRST).flatMap((first) =>
      candidatesOf({ ...scope, functions: [facts], actorsOf: () => [first.actor], limit: MAX_SECOND, brief: true })
        .slice(0, MAX_SECOND)
        .map((second) => ({ first, second })),
    )
  })
}

/** Selectors of refused functions that succeed after a call guarded by the same list, without any effect over both calls. */
export const harmlessAfterListCall = async (input: SequenceInput, known: ReadonlySet<string>): Promise<string[]> => {
  const { chain, simulation, scene, moment, insiders } = input
  const { token, victim } = simulation.setup
  const pairs = pairsOf(input, known)
  const roles = { victim, main: insiders[0] ?? '' }
  const atOnce = Math.max(1, Math.floor(input.batchSize / 4))
  const chunks = Array.from({ length: Math.ceil(pairs.length / atOnce) }, (_, i) =>
    pairs.slice(i * atOnce, (i + 1) * atOnce),
  )
  const harmless: string[] = []
  const harmful = new Set<string>()
  await Promise.all(
    chunks.map(async (chunk) => {
      const actors = [...new Set(chunk.map(({ second }) => second.actor))]
      const steps = chunk.map(({ first, second }) => ({
        op: 'branch' as const,
        steps: [callStep({ ...first, target: token }), probeStep({ ...second, target: token })],
      }))
      const observations = actors.map((actor) => observeStep(actor, token))
      const results = await runScript(chain, simulation, [...scene, ...observations, ...steps], moment)
      for (const [i, { second }] of chunk.entries()) {
        const before = results?.[scene.length + actors.indexOf(second.actor)]?.probe
        const after = probeResult(results?.[scene.length + actors.length + i]?.steps?.[1])?.probe
        if (!before || !after) continue
        if (effectsOf(before, after, second, roles).length === 0) harmless.push(second.selector)
        else harmful.add(second.selector)
      }
    }),
  )
  return harmless.filter((selector) => !harmful.has(selector))
}
