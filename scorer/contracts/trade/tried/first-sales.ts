/**
 * First sales by accounts that kept everything, minutes after a purchase by somebody else. A malicious token lets its
 * tax fall only where nobody is affected: weeks later, for second sales, or while nobody else trades. So when a tax
 * falls, two more accounts sell for the first time.
 */
import type { ChainReader } from '../../chain/chain.ts'
import type { Step } from '../../chain/simulator/script.ts'
import { momentAt, outcome, type TradeOutcome } from '../outcome.ts'
import { runCallsAndScripts, type Script, type SimulationSetup, withAnother } from '../simulation-setup.ts'
import { allSteps, approvalsBy, firstOf, sellAll } from './ages.ts'
import { momentsOf } from './moments.ts'
import type { TrialStep } from './shown.ts'

/** First sale of one account, `seconds` after its purchase. */
export type FirstSale = {
  seconds: number
  /** Sale of the whole holding, or of a tenth of it. */
  sale: TradeOutcome | undefined
  /** Purchase by somebody else minutes before. */
  buy: TradeOutcome | undefined
  /** Steps of the account. */
  steps: TrialStep[]
}

/** Simulates first sales by accounts that bought now. `undefined` when one could not be run. */
export const firstSales = async (
  chain: ChainReader,
  given: SimulationSetup,
  opening: Step[],
): Promise<FirstSale[] | undefined> => {
  const [simulation, other] = withAnother(chain, given, 'later buyer')
  const { setup, person } = simulation
  const buy = (actor: string): Step => ({ op: 'buy', actor, amount: setup.small })
  const { before, firstSales: moments } = momentsOf(chain)
  const tried = await Promise.all(
    moments.map(async ({ seconds, blocks }): Promise<FirstSale | undefined> => {
      const scripts: Script[] = [
        { steps: [...simulation.funding, ...opening, buy(person)], moment: momentAt(chain, 0, 0) },
        {
          before: approvalsBy(chain, simulation),
          steps: [buy(other)],
          moment: momentAt(chain, seconds - before.seconds, blocks - before.blocks),
          from: other,
        },
        { steps: sellAll(person), moment: momentAt(chain, seconds, blocks) },
      ]
      const answers = await runCallsAndScripts(chain, simulation, scripts)
      const [begun, bought, sold] = answers ?? []
      if (!bought?.results || !sold?.results) return undefined
      const at = { seconds, blocks }
      const steps: TrialStep[] = [
        { action: 'buy', part: 0.001, seconds: 0, blocks: 0, result: begun?.results?.at(-1) },
        ...allSteps(sold.results, at),
      ]
      return { seconds, sale: firstOf(sold.results), buy: outcome(bought.results[0]), steps }
    }),
  )
  return tried.every((one) => one !== undefined) ? tried : undefined
}
