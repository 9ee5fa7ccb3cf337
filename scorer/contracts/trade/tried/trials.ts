/** Trials of contract accounts: every plan now, and those of fresh accounts at later moments too. */
import type { Moment } from '../../chain/call.ts'
import type { ChainReader } from '../../chain/chain.ts'
import type { Step, StepResult } from '../../chain/simulator/script.ts'
import { MIN_UNITS, momentAt, type Outcome, outcome } from '../outcome.ts'
import { runScript, type SimulationSetup } from '../simulation-setup.ts'
import type { Variation } from '../variation.ts'
import { type After, momentsOf } from './moments.ts'
import { type Plan, plans } from './plans.ts'

/** Results by plan name. */
type Results = ReadonlyMap<string, StepResult[]>

/** Input of trials on one state of the token: as it is, or after the `opening` steps. */
export type TrialInput = {
  chain: ChainReader
  simulation: SimulationSetup
  /** Steps that open trading first; empty for the state as it is. */
  opening: Step[]
  insiders: string[]
  holders: string[]
  /** How far trades may vary; if not between blocks, one moment stands for all. */
  variation: Variation
}

/** Results: `made` has one entry per moment, fewer when one stands for all. */
export type Ran = { list: Plan[]; moments: After[]; made: (Results | undefined)[] }

/** The block after the pinned one. */
export const NOW: After = { seconds: 0, blocks: 0 }
const REPEATED = /^(half|injected|injectedAll|round|holder .*|poolTax)$/
const SALES = /^(half|round)$/

/** Whether there is a pool to trade with. Without one only transfers are tried. */
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

/** Runs every plan now, and those of fresh accounts and holders at later moments. */
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

/** Results at further moments. */
export type FurtherRuns = Pick<Ran, 'moments' | 'made'>

/** Runs purchases and sales of fresh accounts at each moment, and a purchase by the person. */
export const runSales = async (input: TrialInput, moments: After[]): Promise<FurtherRuns> => {
  const { person, setup } = input.simulation
  const list: Plan[] = [
    ...plans(input.simulation, [], []).filter(({ name }) => SALES.test(name)),
    { name: 'visit', steps: [{ op: 'buy', actor: person, amount: setup.small }] },
  ]
  return { moments, made: await runAt(input, list, moments) }
}

/** Maximum number of further moments with the same result that are kept. */
const KEPT = 3

/** Adds some of the further moments: those at which the step worked, else one that could not be run. */
export const withFurtherRuns = (ran: Ran, { moments, made }: FurtherRuns, step: 'buy' | 'sell'): Ran => {
  const at = step === 'buy' ? 0 : 1
  const works = (results: Results | undefined) =>
    [...(results ?? [])].some(([, steps]) => steps[at]?.ok === true && steps[0]?.ok === true)
  const indexes = made.map((_, i) => i)
  const found = indexes.filter((i) => works(made[i])).slice(0, KEPT)
  const kept = found.length > 0 ? found : indexes.filter((i) => made[i] === undefined).slice(0, 1)
  return {
    ...ran,
    moments: [...ran.moments, ...kept.flatMap((i) => moments[i] ?? [])],
    made: [...ran.made, ...kept.map((i) => made[i])],
  }
}

/** Access to results by plan, step and moment. */
export type Trials = Ran & {
  /** One per moment. */
  runs: (Results | undefined)[]
  within: (results: Results | undefined, plan: string, step: number) => Outcome
  at: (plan: string, step: number) => Outcome
  over: (plan: string, step: number) => Outcome[]
  /** Purchases by a fresh account at each moment; empty without a market. */
  buys: Outcome[]
  /** Purchases by the person, at further moments. */
  visits: Outcome[]
  /** Sales by accounts that bought. */
  freshSells: Outcome[]
  /** Sales by an account that was given tokens without a trade. */
  injectedSells: Outcome[]
}

const within: Trials['within'] = (results, plan, step) => {
  const found = results?.get(plan)
  const [first] = found ?? []
  // Parts of a tiny purchase are nothing to sell.
  const parts = plan === 'round' && step > 0 && first?.ok === true && first.b < MIN_UNITS
  return parts ? undefined : outcome(found?.[step])
}

/** Makes results accessible by plan, step and moment. A step without a result was not run and is not a refusal. */
export const readTrials = (ran: Ran, { simulation, variation }: TrialInput): Trials => {
  const { made, moments } = ran
  // Trades that cannot vary between blocks go the same at each moment.
  const runs = variation.byBlock ? made : moments.map(() => made[0])
  const over: Trials['over'] = (plan, step) => runs.map((run) => within(run, plan, step))
  const buys = isMarket(simulation) ? over('half', 0) : []
  return {
    ...ran,
    runs,
    within,
    over,
    buys,
    visits: over('visit', 0),
    at: (plan, step) => within(runs[0], plan, step),
    freshSells: [...over('half', 1), ...over('round', 1)].filter((_, i) => buys[i % runs.length]?.ok),
    injectedSells: [...over('injected', 1), ...over('injectedAll', 0)],
  }
}
