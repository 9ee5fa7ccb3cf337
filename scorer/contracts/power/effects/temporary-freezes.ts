/**
 * Freezes that only work for now. In the first minutes of a token, or in the block of a purchase, whoever is named as the pool runs into
 * limits on buyers: that freezes nobody. So each freeze is tried once more an hour later.
 */

import type { Step } from '../../chain/simulator/script.ts'
import { runSequence, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { TRANSFERS } from '../calls/arguments.ts'
import { observeStep, probeResult, probeStep } from '../calls/steps.ts'
import type { Power, PowerInput } from '../power.ts'
import { effectsOf } from './effects.ts'

const HOUR = { blocks: 60, seconds: 3_600 }
/** Functions that are tried again. */
const MAX_FUNCTIONS = 8

/** The powers but those that froze somebody and would not do so an hour later. What cannot be run stays. */
export const withoutTemporaryFreezes = async (
  input: Pick<PowerInput, 'chain' | 'functions' | 'moment' | 'insiders'>,
  simulation: SimulationSetup,
  scene: Step[],
  powers: readonly Power[],
): Promise<Power[]> => {
  const { token, victim } = simulation.setup
  const dated = input.functions.some(({ selector, readsTime }) => TRANSFERS.has(selector) && readsTime)
  const freezes = ({ effect, target, actorIsOrigin, after }: Power) =>
    effect === 'freeze_one' && target === token && !actorIsOrigin && after === undefined
  const selectors = [...new Set(powers.filter(freezes).map(({ selector }) => selector))].slice(0, MAX_FUNCTIONS)
  if (!dated || selectors.length === 0) return [...powers]
  const tries = selectors.map((selector) =>
    powers.filter((power) => power.selector === selector && freezes(power)).slice(0, 2),
  )
  const calls = tries.flat()
  const { number, time } = input.moment
  const results = await runSequence(input.chain, simulation, [
    { steps: scene, moment: input.moment },
    {
      steps: calls.flatMap((power) => [observeStep(power.actor, token), probeStep(power)]),
      moment: { number: number + HOUR.blocks, time: time + HOUR.seconds },
    },
  ])
  const roles = { victim, main: input.insiders[0] ?? '' }
  const passed = new Set(selectors)
  for (const [i, power] of calls.entries()) {
    const before = results?.[1]?.[2 * i]?.probe
    const after = probeResult(results?.[1]?.[2 * i + 1])?.probe
    // Whoever cannot move tokens by then anyway shows nothing.
    const shows = before?.victimMoves.ok && after
    if (!shows || effectsOf(before, after, power, roles).includes('freeze_one')) passed.delete(power.selector)
  }
  return powers.filter((power) => !(freezes(power) && passed.has(power.selector)))
}
