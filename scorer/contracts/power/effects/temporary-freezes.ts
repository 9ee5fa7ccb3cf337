/**
 * Drops freezes that do not last. In the first minutes of a token, or in the block of a purchase, a wallet that a call marks
 * as the pool runs into the limits on buyers. Each freeze is therefore repeated an hour later.
 */
import type { Step } from '../../chain/simulator/script.ts'
import { runSequence, type SimulationSetup } from '../../trade/simulation-setup.ts'
import { TRANSFERS } from '../calls/arguments.ts'
import { observeStep, probeResult, probeStep } from '../calls/steps.ts'
import type { Power, PowerInput } from '../power.ts'
import { effectsOf } from './effects.ts'

const HOUR = { blocks: 60, seconds: 3_600 }
/** Functions that are repeated. */
const MAX_FUNCTIONS = 8

/** `powers` without freezes that do not work an hour later. A freeze that cannot be repeated stays. */
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
  const temporary = new Set(selectors)
  for (const [i, power] of calls.entries()) {
    const before = results?.[1]?.[2 * i]?.probe
    const after = probeResult(results?.[1]?.[2 * i + 1])?.probe
    // A victim that cannot move tokens an hour later even without the call proves nothing.
    const isConclusive = before?.victimMoves.ok && after
    if (!isConclusive || effectsOf(before, after, power, roles).includes('freeze_one')) temporary.delete(power.selector)
  }
  return powers.filter((power) => !(freezes(power) && temporary.has(power.selector)))
}
