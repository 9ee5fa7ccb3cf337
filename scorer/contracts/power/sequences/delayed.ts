/**
 * Powers with a delay: a call that is accepted, reads the time and has no effect yet. Compares what holders can do a week
 * later with and without the call.
 */
import type { Observation } from '../../chain/simulator/script.ts'
import type { FunctionFacts } from '../../code/abstract/facts.ts'
import { runSequence } from '../../trade/simulation-setup.ts'
import { SELF_SERVICE } from '../calls/arguments.ts'
import { callStep, observeStep } from '../calls/steps.ts'
import { type Effect, effectsOf, taxAfter } from '../effects/effects.ts'
import type { AcceptedCall, Power } from '../power.ts'
import { representativeCalls } from './first-calls.ts'
import { DELAYS, type SequenceInput } from './sequence.ts'

/** Calls tried. */
const MAX_CALLS = 4
/** Effects that a delayed call is checked for. */
const DELAYED_EFFECTS: readonly Effect[] = ['freeze_one', 'freeze_all', 'halt_trading', 'limit', 'tax_all', 'tax_one']

type DelayedInput = Pick<
  SequenceInput,
  'chain' | 'simulation' | 'scene' | 'functions' | 'calls' | 'powers' | 'insiders' | 'moment'
>

const callsOf = ({ functions, calls, powers, insiders, simulation }: DelayedInput): AcceptedCall[] => {
  const proven = new Set(powers.map(({ selector }) => selector))
  const mayDelay = ({ selector, readsTime, writes }: FunctionFacts) =>
    readsTime && writes && !SELF_SERVICE.has(selector) && !proven.has(selector)
  return functions.filter(mayDelay).flatMap((facts) => {
    const accepted = calls.filter(
      ({ selector, actor, actorIsOrigin }) => selector === facts.selector && insiders.includes(actor) && !actorIsOrigin,
    )
    return accepted.length > 0 ? representativeCalls(accepted, simulation.setup.victim) : []
  })
}

/** Powers that insiders' calls prove a week later. */
export const probeDelayed = async (input: DelayedInput): Promise<Power[]> => {
  const { chain, simulation, scene, moment, insiders } = input
  const { token, victim } = simulation.setup
  const [wait] = DELAYS
  const calls = callsOf(input).slice(0, MAX_CALLS)
  if (calls.length === 0 || !wait) return []
  const then = { number: moment.number + wait.blocks, time: moment.time + wait.seconds }
  const seenAs = async (actor: string, call?: AcceptedCall): Promise<Observation | undefined> => {
    const first = call ? [...scene, callStep({ ...call, target: token })] : scene
    const scripts = [
      { steps: first, moment },
      { steps: [observeStep(actor, token)], moment: then },
    ]
    return (await runSequence(chain, simulation, scripts))?.[1]?.[0]?.probe
  }
  const baselines = new Map(
    await Promise.all(
      [...new Set(calls.map(({ actor }) => actor))].map(async (who) => [who, await seenAs(who)] as const),
    ),
  )
  const found = await Promise.all(
    calls.map(async (call): Promise<Power[]> => {
      const [before, after] = [baselines.get(call.actor), await seenAs(call.actor, call)]
      if (!before || !after) return []
      const { ownerAfter: _, ...made } = call
      return effectsOf(before, after, call, { victim, main: insiders[0] ?? '' })
        .filter((effect) => DELAYED_EFFECTS.includes(effect))
        .map((effect) => ({ ...made, effect, target: token, anyone: false, tax: taxAfter(after), singleUse: false }))
    }),
  )
  return found.flat()
}
