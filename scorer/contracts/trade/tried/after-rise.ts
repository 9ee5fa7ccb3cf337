/**
 * Sales of who stays until the price has risen, an hour and more after it did. Honest tokens stop trades for hours after a jump, so what is
 * refused at once says nothing.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { Step } from '../../chain/simulator/script.ts'
import { isLost, momentAt, type Outcome, outcome } from '../outcome.ts'
import { runCallsAndScripts, type Script, type SimulationSetup } from '../simulation-setup.ts'
import { approvalsBy } from './ages.ts'
import { type After, momentsOf } from './moments.ts'
import { riseIn } from './rise.ts'

/** A person whose sales changed while the price rose. */
export type RiseInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that open trading first. */
  opening: Step[]
  /** When the person buys. */
  start: After
  /** Its sales before the rise and after it. */
  before: Outcome
  after: Outcome
}

/** Sales of a person, an hour and more after the price rose, or did not. */
const salesAfter = async ({ chain, simulation, opening, start }: RiseInput, rise: Step[]): Promise<Outcome[]> => {
  const { ages, afterRise } = momentsOf(chain)
  const { person, setup } = simulation
  const at = (...spans: After[]) => {
    const sum = [start, ...spans].reduce((a, b) => ({ seconds: a.seconds + b.seconds, blocks: a.blocks + b.blocks }))
    return momentAt(chain, sum.seconds, sum.blocks)
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

/** Whether nobody sells once the price has risen. `undefined` where that could not be run. */
export const refusesAfterRise = async (input: RiseInput): Promise<boolean | undefined> => {
  const { before, after, simulation } = input
  const rise = riseIn(simulation)
  if (rise.length === 0 || !before?.ok || isLost(before) || !isLost(after)) return false
  const [risen, still] = await Promise.all([salesAfter(input, rise), salesAfter(input, [])])
  if ([...risen, ...still].includes(undefined)) return undefined
  return risen.every(isLost) && !still.some(isLost)
}
