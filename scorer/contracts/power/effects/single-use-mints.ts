/** Mints that work a single time. */
import type { Step } from '../../chain/simulator/script.ts'
import { runScript, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { encodeArguments } from '../calls/arguments.ts'
import { callStep, observeStep, probeResult, probeStep } from '../calls/steps.ts'
import type { Power, PowerInput } from '../power.ts'
import { effectsOf } from './effects.ts'

const sizeOf = (power: Power): bigint => power.args.find((arg) => typeof arg === 'bigint') ?? 0n

/** The same call with every number three times as large. */
const thrice = (power: Power): Power => {
  if (power.args.length === 0) return power
  const args = power.args.map((arg) => (typeof arg === 'bigint' ? arg * 3n : arg))
  return { ...power, args, data: encodeArguments(power.selector, args) }
}

/**
 * Marks mints that work a single time: the smallest is made within the simulation, then others of the same function,
 * larger ones too, so that one that sets a balance is not taken for used up.
 */
export const markSingleUse = async (
  input: PowerInput,
  simulation: SimulationSetup,
  scene: Step[],
  powers: readonly Power[],
): Promise<void> => {
  const { token, victim } = simulation.setup
  const mints = powers.filter((power) => power.effect === 'mint' && !power.actorIsOrigin && power.after === undefined)
  const tries = [...new Set(mints.map((power) => power.selector))].slice(0, 6).flatMap((selector) => {
    const own = mints.filter((power) => power.selector === selector).sort((a, b) => (sizeOf(a) < sizeOf(b) ? -1 : 1))
    const [first] = own
    const last = own.at(-1)
    return first && last ? [{ first, others: [...new Set([thrice(last), last, first])] }] : []
  })
  if (tries.length === 0) return
  const steps = tries.map(
    ({ first, others }): Step => ({
      op: 'branch',
      steps: [callStep(first), ...others.flatMap((power) => [observeStep(power.actor, token), probeStep(power)])],
    }),
  )
  const results = await runScript(input.chain, simulation, [...scene, ...steps], input.moment)
  for (const [i, { first, others }] of tries.entries()) {
    const seen = results?.[scene.length + i]?.steps ?? []
    const repeated = others.some((power, k) => {
      const [before, after] = [seen[1 + 2 * k], probeResult(seen[2 + 2 * k])]
      if (after?.ok === undefined || !before?.probe) return true
      const roles = { victim, main: input.insiders[0] ?? '' }
      return after.probe !== undefined && effectsOf(before.probe, after.probe, power, roles).includes('mint')
    })
    if (!repeated) for (const power of mints) if (power.selector === first.selector) power.singleUse = true
  }
}
