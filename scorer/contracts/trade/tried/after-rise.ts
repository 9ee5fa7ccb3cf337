/**
 * Sales after the price has risen, an hour and more later. Honest tokens pause trading for hours after a jump, so an
 * immediate refusal proves nothing.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { Step } from '../../chain/simulator/script.ts'
import { isLost, momentAt, type Outcome, outcome } from '../outcome.ts'
import { runCallsAndScripts, type Script, type SimulationSetup } from '../simulation-setup.ts'
import { approvalsBy } from './ages.ts'
import { type After, addSpan, momentsOf } from './moments.ts'
import { priceRiseSteps } from './rise.ts'

/** An account whose sales changed while the price rose. */
export type RiseInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that open trading first. */
  opening: Step[]
  /** When the account buys. */
  start: After
  /** Its sales before and after the rise. */
  before: Outcome
  after: Outcome
}

/** Sales of the account after the steps of `rise` (none for comparison). */
const salesAfter = async ({ chain, simulation, opening, start }: RiseInput, rise: Step[]): Promise<Outcome[]> => {
  const { ages, afterRise } = momentsOf(chain)
  const { person, setup } = simulation
  const at = (...spans: After[]) => {
    const { seconds, blocks } = spans.reduce(addSpan, start)
    return momentAt(chain, seconds, blocks)
  }
  const [, , anHour] = ages
  const scripts: Script[] = [
    { steps: [...simulation.funding, ...opening, { op: 'buy', actor: person, amount: setup.small }], moment: at() },
    { before: approvalsBy(chain, simulation), steps: rise, moment: at(anHour) },
    ...afterRise.map(
      (span): Script => ({ steps: [{ op: 'sell', actor: person, amount: 1_000n }], moment: at(anHour, span) }),
    ),
  ]
  const answers = await runCallsAndScripts(chain, simulation, scripts)
  return scripts.slice(2).map((_, i) => outcome(answers?.[i + 2]?.results?.[0]))
}

/** Whether all sales are refused after the price rose. `undefined` when that could not be run. */
export const refusesAfterRise = async (input: RiseInput): Promise<boolean | undefined> => {
  const { before, after, simulation } = input
  const rise = priceRiseSteps(simulation)
  if (rise.length === 0 || !before?.ok || isLost(before) || !isLost(after)) return false
  const [risen, still] = await Promise.all([salesAfter(input, rise), salesAfter(input, [])])
  if ([...risen, ...still].includes(undefined)) return undefined
  return risen.every(isLost) && !still.some(isLost)
}
