/** Finds mints that work only once. */
import type { Step } from '../../chain/simulator/script.ts'
import { runScript, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { encodeArguments } from '../calls/arguments.ts'
import { callStep, observeStep, probeResult, probeStep } from '../calls/steps.ts'
import type { Power, PowerInput } from '../power.ts'
import { effectsOf } from './effects.ts'

const sizeOf = (power: Power): bigint => power.args.find((arg) => typeof arg === 'bigint') ?? 0n

/** The same call with every number tripled. */
const tripled = (power: Power): Power => {
  if (power.args.length === 0) return power
  const args = power.args.map((arg) => (typeof arg === 'bigint' ? arg * 3n : arg))
  return { ...power, args, data: encodeArguments(power.selector, args) }
}

/**
 * Sets `singleUse` on mints that work only once. Runs the smallest mint of a function, then repeats the function with the
 * same and with larger amounts, because a function that sets a balance mints again only with a larger one.
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
    return first && last ? [{ first, others: [...new Set([tripled(last), last, first])] }] : []
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
