/**
 * Powers that take two calls: a first one that is accepted and has no effect yet (it sets an amount, a member, a proposal),
 * and a second one that reads what the first wrote and moves tokens, at once or after a delay. Shared places in storage
 * decide which calls are combined; running them decides whether they are powers.
 */
import type { Observation, Step, StepResult } from '../../chain/simulator/script.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { runScript, runSequence } from '../../trade/simulation-setup.ts'
import { type Candidate, SELF_SERVICE } from '../calls/arguments.ts'
import { candidatesOf } from '../calls/candidates.ts'
import { TRANSFER_FROM } from '../calls/selectors.ts'
import { callStep, observeStep } from '../calls/steps.ts'
import type { AcceptedCall, Power } from '../power.ts'
import { byPreference, firstCallsOf, representativeCalls, tokenMovers } from './first-calls.ts'
import { balancePlaces, readersByPlace } from './places.ts'
import {
  actorsIn,
  DELAYS,
  inBatches,
  judgeSequence,
  lastSteps,
  type SequenceFacts,
  type SequenceInput,
} from './sequence.ts'

/** First calls, those of them with a delay, and last calls after each and in all. */
const [MAX_FIRST, MAX_DELAYED, MAX_LAST, MAX_LAST_IN_ALL] = [16, 8, 24, 192]
/** Transfers and approvals among the first calls. */
const MAX_PLAIN = 6
/** Functions that are tried again after a delay, without a first call. */
const MAX_TIMED = 2
/** Last calls of one function after one first call. */
const MAX_OF_FUNCTION = 8

/** A first call and the calls to try after it. Without a first call, only time passes. */
type CallPair = { first?: AcceptedCall; lastCalls: Candidate[]; delayed: boolean }

/** First calls with the calls to try after each. `cut`: whether there were more than the limits allow. */
export const callPairs = (input: SequenceInput): { pairs: CallPair[]; cut: boolean } => {
  const { functions, scope } = input
  const balances = balancePlaces(functions)
  const pairs: CallPair[] = []
  let [cut, left, delayedLeft] = [false, MAX_LAST_IN_ALL, MAX_DELAYED]
  const readersOf = readersByPlace(tokenMovers(input, balances))
  for (const [selector, accepted] of firstCallsOf(input)) {
    const writers = functions.filter((facts) => facts.selector === selector)
    const written = new Set(writers.flatMap((facts) => facts.stores).filter((place) => !balances.has(place)))
    const plain = SELF_SERVICE.has(selector)
    const linked = readersOf(written).filter(
      (one) => !plain || one.selector === TRANSFER_FROM || !SELF_SERVICE.has(one.selector),
    )
    const delayed = [...writers, ...linked].some((facts) => facts.readsTime)
    // If the first call names the contract that is paid with, the agreer is named: it accepts payments and takes nothing.
    const paid = linked.some(
      (facts) => (facts.calls || facts.staticCalls) && facts.calledSlots.some(({ slot }) => written.has(slot)),
    )
    const agreed = paid ? accepted.filter(({ args }) => args[0] === scope.agreer).slice(0, 1) : []
    const chosen = plain
      ? accepted.toSorted(byPreference).slice(0, MAX_PLAIN)
      : representativeCalls(accepted, scope.victim)
    for (const first of linked.length > 0 ? [...agreed, ...chosen] : []) {
      if (pairs.length >= MAX_FIRST || left === 0) return { pairs, cut: true }
      if (delayed && delayedLeft-- <= 0) {
        cut = true
        continue
      }
      const actorsOf = (facts: FunctionFacts) => [...new Set([first.actor, ...input.actorsOf(facts)])].slice(0, 2)
      // One function more than the limit shows whether something is cut.
      const all = linked.slice(0, MAX_LAST + 1).flatMap((facts) => {
        // transferFrom is tried in both directions.
        const both = facts.args.filter((kind) => kind === 'address').length > 1
        const limit = SELF_SERVICE.has(facts.selector) ? (both ? 4 : 2) : MAX_OF_FUNCTION
        return candidatesOf({ ...scope, functions: [facts], actorsOf, limit, brief: true })
      })
      const lastCalls = all.slice(0, Math.min(MAX_LAST, left))
      cut ||= lastCalls.length < all.length
      left -= lastCalls.length
      if (lastCalls.length > 0) pairs.push({ first, lastCalls, delayed })
    }
  }
  return { pairs, cut }
}

/** Functions that read the time, may move tokens, and were refused to every account now. */
const timedOf = (input: SequenceInput): CallPair[] => {
  const { functions, scope, calls } = input
  const accepted = new Set(calls.map(({ selector }) => selector))
  const timed = tokenMovers(input, balancePlaces(functions)).filter(
    ({ selector, readsTime, bySignature, signerMaps }) =>
      readsTime && !bySignature && signerMaps.length === 0 && !accepted.has(selector) && !SELF_SERVICE.has(selector),
  )
  const actorsOf = (facts: FunctionFacts) => input.actorsOf(facts).slice(0, 2)
  return timed.slice(0, MAX_TIMED).flatMap((facts) => {
    const lastCalls = candidatesOf({ ...scope, functions: [facts], actorsOf, limit: MAX_OF_FUNCTION, brief: true })
    return lastCalls.length > 0 ? [{ lastCalls, delayed: true }] : []
  })
}

const callsBefore = ({ first }: CallPair, token: string): Step[] =>
  first ? [callStep({ ...first, target: token })] : []

/** Runs the pairs of calls and returns the powers they prove. */
export const probeTwoCalls = async (input: SequenceInput): Promise<SequenceFacts> => {
  const { chain, simulation, scene, moment } = input
  const { token } = simulation.setup
  const { pairs: written, cut } = callPairs(input)
  const pairs = [...written, ...timedOf(input)]
  const powers: Power[] = []
  const acceptedLast: string[] = []
  let skipped = 0
  const judge = (
    pair: CallPair,
    baselines: ReadonlyMap<string, Observation | undefined>,
    results: readonly StepResult[] | undefined,
    delayed: boolean,
  ) => {
    const found = judgeSequence(input, pair, baselines, results, delayed)
    powers.push(...found.powers)
    acceptedLast.push(...found.acceptedLast)
    skipped += found.skipped
  }
  const baselinesBy = (actors: readonly string[], results: readonly StepResult[] | undefined) =>
    new Map(actors.map((actor, i) => [actor, results?.[scene.length + i]?.probe]))

  const runNow = async (some: CallPair[]) => {
    const actors = [...new Set(some.flatMap(actorsIn))]
    const steps = some.map(
      (pair): Step => ({
        op: 'branch',
        steps: [...callsBefore(pair, token), ...lastSteps(pair, token)],
      }),
    )
    const observations = actors.map((actor) => observeStep(actor, token, true))
    const results = await runScript(chain, simulation, [...scene, ...observations, ...steps], moment)
    const baselines = baselinesBy(actors, results)
    for (const [i, pair] of some.entries())
      judge(pair, baselines, results?.[scene.length + actors.length + i]?.steps?.slice(1), false)
  }
  const runDelayed = async (pair: CallPair) => {
    const actors = actorsIn(pair)
    const observations = actors.map((actor) => observeStep(actor, token, true))
    const steps = lastSteps(pair, token)
    const results = await runSequence(chain, simulation, [
      { steps: [...scene, ...observations, ...callsBefore(pair, token)], moment },
      ...DELAYS.map(({ blocks, seconds }) => ({
        steps,
        moment: { number: moment.number + blocks, time: moment.time + seconds },
      })),
    ])
    const baselines = baselinesBy(actors, results?.[0])
    for (const [i] of DELAYS.entries()) judge(pair, baselines, results?.[1 + i], true)
  }

  await Promise.all([
    ...inBatches(written, input.batchSize).map(runNow),
    ...pairs.filter(({ delayed }) => delayed).map(runDelayed),
  ])
  return {
    powers,
    tried: pairs.reduce((sum, { lastCalls }) => sum + lastCalls.length, 0),
    skipped,
    cut,
    acceptedLast,
  }
}
