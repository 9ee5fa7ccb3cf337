/**
 * Contracts that are not there yet. Transfers may ask an address where no code is; whoever puts some there later rules them. Who that is
 * cannot be known, so what a contract that refuses would do to transfers leaves flags unknown and accuses nobody.
 */
import type { Observation, Step } from '../chain/simulator/script.ts'
import { merge, runScript, type SimulationSetup } from '../trade/simulation-setup.ts'
import { effectsOf } from './effects.ts'
import type { PowerInput } from './power.ts'
import { lookStep } from './steps.ts'

/**
 * Why transfers may be ruled over by a contract that is still to come. `failing`: code that takes coins and fails whatever it is asked, as
 * no account without code does.
 */
export const absentRule = async (
  { chain, absent = [], moment, insiders }: Pick<PowerInput, 'chain' | 'absent' | 'moment' | 'insiders'>,
  simulation: SimulationSetup,
  scene: readonly Step[],
  untouched: Observation,
  failing: string,
): Promise<string | undefined> => {
  if (absent.length === 0) return undefined
  const { victim, token } = simulation.setup
  const there = Object.fromEntries(absent.map((address) => [address, { code: failing }]))
  const place = { ...simulation, overrides: merge(simulation.overrides, there) }
  const seen = (await runScript(chain, place, [...scene, lookStep(victim, token)], moment))?.at(-1)?.probe
  const stops = seen && effectsOf(untouched, seen, { actor: victim }, { victim, main: insiders[0] ?? '' })
  return stops?.some((effect) => effect === 'freeze_all' || effect === 'halt_trading' || effect === 'freeze_one')
    ? 'a transfer asks an address where no contract is yet'
    : undefined
}
