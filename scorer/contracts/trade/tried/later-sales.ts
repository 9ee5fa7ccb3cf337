/**
 * Sales at many later moments, when the cost of a trade may vary: with the hour, the day, the block, its randomness,
 * the gas price, another contract's answer, or the number of trades. A tax that falls for good is usual for honest
 * tokens; a returning tax is found by trying at unpredictable moments.
 */
import type { Moment } from '../../chain/call.ts'
import type { ChainReader } from '../../chain/chain.ts'
import type { Step } from '../../chain/simulator/script.ts'
import { momentAt, outcome, type TradeOutcome } from '../outcome.ts'
import { runCallsAndScripts, type Script, type SimulationSetup, withAnother } from '../simulation-setup.ts'
import { approvalsBy } from './ages.ts'
import { type After, addSpan, DAY, momentsOf } from './moments.ts'
import type { TrialStep } from './shown.ts'

/** Part of the remaining balance that each sale sells, basis points. */
const PART = 100n
/** Trades of others between the first day and the following ones. */
const CROWD = 12
/** A sale by the account, and a purchase by another after it. */
export type LaterTrade = { seconds: number; sale: TradeOutcome | undefined; buy: TradeOutcome | undefined }
/** Sales of one account at many later moments. */
export type LaterSales = {
  tried: LaterTrade[]
  /** Base units of the first purchase. */
  held: bigint
  steps: TrialStep[]
}

/** An account that buys at `start` and sells later. */
export type LaterSalesInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that open trading first. */
  opening: Step[]
  /** When the account buys. */
  start: After
  /** Approved amount, base units. Unlimited by default. */
  approved?: bigint
}

/**
 * One account buys, then sells a little at each moment, after which another account buys. `undefined` when it could not
 * be run.
 */
export const runLaterSales = async (input: LaterSalesInput): Promise<LaterSales | undefined> => {
  const { chain, opening, start, approved } = input
  const [simulation, guest] = withAnother(chain, input.simulation, 'guest')
  const { setup, person } = simulation
  const { samples } = momentsOf(chain)
  const later = samples.map((sample) => ({ ...sample, ...addSpan(start, sample) }))
  const buy = (actor: string): Step => ({ op: 'buy', actor, amount: setup.small })
  const sale: Step = { op: 'sell', actor: person, amount: PART }
  const crowd = Array.from({ length: CROWD }, (): Step[] => [
    buy(setup.bystander),
    { op: 'sell', actor: setup.bystander, amount: 10_000n },
  ]).flat()
  const afterDay = samples.findIndex(({ seconds }) => seconds >= DAY)
  const scripts: Script[] = [
    {
      steps: [...simulation.funding, ...opening, buy(person)],
      moment: momentAt(chain, start.seconds, start.blocks),
    },
    ...later.map(({ seconds, blocks, prevRandao, coinbase, tip }, i): Script => {
      const at = { ...momentAt(chain, seconds, blocks), prevRandao }
      const moment: Moment = coinbase ? { ...at, coinbase } : at
      return {
        before: i === 0 ? approvalsBy(chain, simulation, approved ? [approved] : undefined) : [],
        moment,
        steps: [sale, buy(guest), ...(i === afterDay - 1 ? crowd : [])],
        gasPrice: at.baseFee + tip,
      }
    }),
  ]
  const answers = await runCallsAndScripts(chain, simulation, scripts)
  const [bought, ...sold] = answers ?? []
  const first = bought?.results?.at(-1)
  if (!first || first.ok === undefined) return undefined
  return {
    held: first.ok ? first.b : 0n,
    tried: sold.map(({ results }, i) => ({
      seconds: later[i]?.seconds ?? 0,
      sale: first.ok ? outcome(results?.[0]) : undefined,
      buy: outcome(results?.[1]),
    })),
    steps: [
      { action: 'buy', part: 0.001, ...start, result: first },
      ...sold.map(
        ({ results }, i): TrialStep => ({
          action: 'sell',
          part: 0.01,
          result: results?.[0],
          seconds: later[i]?.seconds ?? 0,
          blocks: later[i]?.blocks ?? 0,
        }),
      ),
    ],
  }
}
