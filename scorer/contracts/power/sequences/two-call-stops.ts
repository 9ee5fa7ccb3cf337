/**
 * Freezes, limits and taxes that take two calls of an insider: the second one puts in force what the first one noted, or both are
 * switches that a transfer looks at. Neither has an effect alone.
 */
import type { Step } from '../../chain/simulator/script.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { runScript, runSequence } from '../../trade/simulation-setup.ts'
import { SELF_SERVICE, TRANSFERS } from '../calls/arguments.ts'
import { candidatesOf } from '../calls/candidates.ts'
import { callStep, observeStep } from '../calls/steps.ts'
import type { Effect } from '../effects/effects.ts'
import type { AcceptedCall, Power } from '../power.ts'
import { firstCallsOf, representativeCalls } from './first-calls.ts'
import { balancePlaces, placesRead } from './places.ts'
import {
  actorsIn,
  type CallSequence,
  DELAYS,
  inBatches,
  judgeSequence,
  lastSteps,
  type SequenceInput,
} from './sequence.ts'

/** Pairs of functions, those with a delay among them, and variants of the first and of the second call. */
const [MAX_PAIRS, MAX_DELAYED, MAX_FIRST, MAX_LAST] = [6, 1, 3, 3]
/** A tax in percent, and amounts that an ordinary trade exceeds. */
const [TAX, SMALL] = [99n, 1n]
/** Effects that the second call is checked for. */
const STOPS: readonly Effect[] = ['freeze_one', 'freeze_all', 'halt_trading', 'limit', 'tax_all', 'tax_one']

type StopPair = Required<Pick<CallSequence, 'first' | 'lastCalls'>> & { delayed: boolean }

/** Accepted calls to begin with: one that names the victim, one with a tax, one with a small amount. */
const firstsOf = (calls: readonly AcceptedCall[], victim: string): AcceptedCall[] => {
  const having = (number: bigint) => calls.filter(({ args }) => args.includes(number)).slice(0, 1)
  return [...new Set([...representativeCalls(calls, victim), ...having(TAX), ...having(SMALL)])].slice(-MAX_FIRST)
}

/** Pairs of calls to try: those where the second function reads what the first one writes come first. */
export const stopPairs = (input: SequenceInput): StopPair[] => {
  const { functions, scope, powers } = input
  const balances = balancePlaces(functions)
  const controls = new Set(
    functions
      .filter(({ selector }) => TRANSFERS.has(selector))
      .flatMap(placesRead)
      .filter((place) => !balances.has(place) && !place.endsWith('other')),
  )
  const proven = new Set(powers.filter(({ effect }) => STOPS.includes(effect)).map(({ selector }) => selector))
  const mayStop = ({ selector, stores }: FunctionFacts) =>
    !SELF_SERVICE.has(selector) && !proven.has(selector) && stores.some((place) => controls.has(place))
  const isSwitch = ({ args }: FunctionFacts) => args.every((kind) => kind === 'bool')
  const lasts = functions.filter(mayStop)
  const found = [...firstCallsOf(input)].flatMap(([selector, calls]) => {
    const [facts] = functions.filter((one) => one.selector === selector)
    if (!facts || SELF_SERVICE.has(selector) || proven.has(selector)) return []
    const written = new Set(facts.stores.filter((place) => !balances.has(place) && !place.endsWith('other')))
    return lasts.flatMap((last) => {
      const asked = new Set(last.callerSlots.map(({ slot }) => slot))
      const reads = placesRead(last).some((place) => written.has(place) && !asked.has(place))
      const joins = isSwitch(facts) && isSwitch(last) && mayStop(facts) && selector < last.selector
      return last.selector === selector || !(reads || joins) ? [] : [{ facts, calls, last, reads }]
    })
  })
  let delayedLeft = MAX_DELAYED
  return found
    .sort((a, b) => Number(b.reads) - Number(a.reads))
    .filter(({ facts, last }) => !(facts.readsTime || last.readsTime) || delayedLeft-- > 0)
    .slice(0, MAX_PAIRS)
    .flatMap(({ facts, calls, last }) =>
      firstsOf(calls, scope.victim).map((first) => ({
        first,
        lastCalls: candidatesOf({
          ...{ ...scope, functions: [last], actorsOf: () => [first.actor], limit: MAX_LAST, brief: true },
        }),
        delayed: facts.readsTime || last.readsTime,
      })),
    )
}

/** Runs the pairs and returns the powers they prove. */
export const probeTwoCallStops = async (input: SequenceInput): Promise<Power[]> => {
  const { chain, simulation, scene, moment } = input
  const { token } = simulation.setup
  const pairs = stopPairs(input)
  const observe = (actors: readonly string[]) => actors.map((actor) => observeStep(actor, token))
  const now = async (some: StopPair[]): Promise<Power[]> => {
    const actors = [...new Set(some.flatMap(actorsIn))]
    const steps = some.map(
      (pair): Step => ({
        op: 'branch',
        steps: [callStep({ ...pair.first, target: token }), ...lastSteps(pair, token, false)],
      }),
    )
    const results = await runScript(chain, simulation, [...scene, ...observe(actors), ...steps], moment)
    const baselines = new Map(actors.map((actor, i) => [actor, results?.[scene.length + i]?.probe]))
    return some.flatMap((pair, i) => {
      const seen = results?.[scene.length + actors.length + i]?.steps?.slice(1)
      return withFirst(pair, judgeSequence(input, pair, baselines, seen, false, STOPS).powers)
    })
  }
  const later = async (pair: StopPair): Promise<Power[]> => {
    const actors = actorsIn(pair)
    const [wait] = DELAYS
    if (!wait) return []
    const first = [...scene, ...observe(actors), callStep({ ...pair.first, target: token })]
    const results = await runSequence(chain, simulation, [
      { steps: first, moment },
      {
        steps: lastSteps(pair, token, false),
        moment: { number: moment.number + wait.blocks, time: moment.time + wait.seconds },
      },
    ])
    const baselines = new Map(actors.map((actor, i) => [actor, results?.[0]?.[scene.length + i]?.probe]))
    return withFirst(pair, judgeSequence(input, pair, baselines, results?.[1], true, STOPS).powers)
  }
  const size = Math.max(1, Math.floor(input.batchSize / 2))
  const found = await Promise.all([
    ...inBatches(
      pairs.filter(({ lastCalls }) => lastCalls.length > 0),
      size,
    ).map(now),
    ...pairs.filter(({ delayed, lastCalls }) => delayed && lastCalls.length > 0).map(later),
  ])
  return found.flat()
}

/** What the first call passes decides whether a stop is a limit or a pause. */
const withFirst = ({ first }: StopPair, powers: readonly Power[]): Power[] =>
  powers.map((power) => ({ ...power, kinds: [...first.kinds, ...power.kinds], args: [...first.args, ...power.args] }))
