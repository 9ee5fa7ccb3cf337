/** Trials of accounts with code: every plan now, and those of fresh accounts at later moments as well. */
import type { Moment } from '../../chain/call.ts'
import type { ChainReader } from '../../chain/chain.ts'
import type { Step, StepResult } from '../../chain/simulator/script.ts'
import { FEW_UNITS, momentAt, type Outcome, outcome } from '../outcome.ts'
import { runScript, type SimulationSetup } from '../simulation-setup.ts'
import type { Variation } from '../variation.ts'
import { type After, momentsOf } from './moments.ts'
import { type Plan, plans } from './plans.ts'

/** Results of each plan, by its name. */
type Results = ReadonlyMap<string, StepResult[]>

/** Trials on one state of the token: as it is, or after the steps of `opening`. */
export type TrialInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that open trading first; empty for the state as it is. */
  opening: Step[]
  insiders: string[]
  holders: string[]
  /** Whether trades may differ from moment to moment: where they cannot, one moment stands for all. */
  variation: Variation
}

/** What was run: `made` has one entry for each moment, fewer where one stands for all. */
export type Ran = { list: Plan[]; moments: After[]; made: (Results | undefined)[] }

/** The block after the one that is looked at. */
export const NOW: After = { seconds: 0, blocks: 0 }
const REPEATED = /^(half|injected|injectedAll|round|holder .*|poolTax)$/
const SALES = /^(half|round)$/

/** Whether there is a pool to trade with; without one only transfers are tried. */
export const isMarket = ({ setup }: SimulationSetup): boolean => setup.kind !== 'none'

const runPlans = async (
  { chain, simulation, opening }: TrialInput,
  list: readonly Plan[],
  moment: Moment,
): Promise<Results | undefined> => {
  const steps: Step[] = [
    ...simulation.funding,
    ...opening,
    ...list.map((plan): Step => ({ op: 'branch', steps: plan.steps })),
  ]
  const results = await runScript(chain, simulation, steps, moment)
  if (!results) return undefined
  const offset = simulation.funding.length + opening.length
  return new Map(list.map((plan, i) => [plan.name, results[offset + i]?.steps ?? []]))
}

const runAt = (input: TrialInput, list: readonly Plan[], moments: readonly After[]) =>
  Promise.all(moments.map(({ seconds, blocks }) => runPlans(input, list, momentAt(input.chain, seconds, blocks))))

/** Every plan now; those of fresh accounts and holders later. */
export const runTrials = async (input: TrialInput): Promise<Ran> => {
  const list = plans(input.simulation, input.insiders, input.holders)
  const { repeats } = momentsOf(input.chain)
  const repeated = list.filter(({ name }) => REPEATED.test(name))
  const [now, later] = await Promise.all([
    runAt(input, list, [NOW]),
    runAt(input, repeated, input.variation.byBlock ? repeats : []),
  ])
  return { list, moments: [NOW, ...repeats], made: [...now, ...later] }
}

/** What was run at further moments. */
export type Further = Pick<Ran, 'moments' | 'made'>

/** Fresh accounts that buy and sell at each of these moments. */
export const runSales = async (input: TrialInput, moments: After[]): Promise<Further> => {
  const list = plans(input.simulation, [], []).filter(({ name }) => SALES.test(name))
  return { moments, made: await runAt(input, list, moments) }
}

/** Moments that are kept of many at which the same happened. */
const KEPT = 3

/** What was run, with some of further moments: those at which this worked, or else one that could not be run. */
export const withFurther = (ran: Ran, { moments, made }: Further, step: 'buy' | 'sell'): Ran => {
  const at = step === 'buy' ? 0 : 1
  const works = (results: Results | undefined) =>
    [...(results ?? [])].some(([, steps]) => steps[at]?.ok === true) && results?.get('half')?.[0]?.ok === true
  const indexes = made.map((_, i) => i)
  const found = indexes.filter((i) => works(made[i])).slice(0, KEPT)
  const kept = found.length > 0 ? found : indexes.filter((i) => made[i] === undefined).slice(0, 1)
  return {
    ...ran,
    moments: [...ran.moments, ...kept.flatMap((i) => moments[i] ?? [])],
    made: [...ran.made, ...kept.map((i) => made[i])],
  }
}

/** The results, as they are asked for: a step of a plan now, or at each moment. */
export type Trials = Ran & {
  /** One for each moment. */
  runs: (Results | undefined)[]
  within: (results: Results | undefined, plan: string, step: number) => Outcome
  at: (plan: string, step: number) => Outcome
  over: (plan: string, step: number) => Outcome[]
  /** Purchases of a fresh account, at each moment; none where there is no market. */
  buys: Outcome[]
  /** Sales of those who bought. */
  freshSells: Outcome[]
  /** Sales of an account that was given tokens without a trade. */
  injectedSells: Outcome[]
}

const within: Trials['within'] = (results, plan, step) => {
  const found = results?.get(plan)
  const [first] = found ?? []
  // Parts of a purchase of a few units are nothing to sell.
  const parts = plan === 'round' && step > 0 && first?.ok === true && first.b < FEW_UNITS
  return parts ? undefined : outcome(found?.[step])
}

/** Makes results readable by plan, step and moment. A step without a result was not run and is no refusal. */
export const readTrials = (ran: Ran, { simulation, variation }: TrialInput): Trials => {
  const { made, moments } = ran
  // What cannot differ from block to block happens at each moment as it does now.
  const runs = variation.byBlock ? made : moments.map(() => made[0])
  const over: Trials['over'] = (plan, step) => runs.map((run) => within(run, plan, step))
  const buys = isMarket(simulation) ? over('half', 0) : []
  return {
    ...ran,
    runs,
    within,
    over,
    buys,
    at: (plan, step) => within(runs[0], plan, step),
    freshSells: [...over('half', 1), ...over('round', 1)].filter((_, i) => buys[i % runs.length]?.ok),
    injectedSells: [...over('injected', 1), ...over('injectedAll', 0)],
  }
}
