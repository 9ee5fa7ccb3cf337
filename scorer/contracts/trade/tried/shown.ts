/**
 * The simulated trades that are shown, trial by trial, step by step. A step that could not be run, or had nothing to work on,
 * is none that was refused.
 */
import type { Simulation } from '../../../../schema/records/explained/simulation.ts'
import type { Setup, Step, StepResult } from '../../chain/simulator/script.ts'
import { FEW_UNITS } from '../outcome.ts'

type ShownTrial = Simulation['trials'][number]
type ShownStep = ShownTrial['steps'][number]

/** A step that was to be simulated. `seconds` and `blocks` after the block that is looked at. */
export type TrialStep = {
  action: ShownStep['action']
  part: number | null
  seconds: number
  blocks: number
} & (
  | { result: StepResult | undefined }
  /** A transaction whose gas and words nobody told. */
  | { ok: boolean | undefined }
)

/** A trial as an explanation shows it. */
export type Trial = Pick<ShownTrial, 'trial' | 'actor' | 'account'> & { steps: TrialStep[] }

/** Trials that are shown, by the name of their plan; the others repeat these. */
const SHOWN: ReadonlyMap<string, ShownTrial['trial']> = new Map([
  ['half', 'sell_all'],
  ['round', 'sell_in_parts'],
  ['size2', 'larger'],
  ['size3', 'larger'],
  ['large', 'larger'],
  ['twice', 'buy_twice'],
  ['move', 'transfer'],
  ['injected', 'fresh_holder'],
  ['insider', 'insider'],
  ['insiderSell', 'insider'],
])
/** The trial that is repeated later on. */
const REPEATED = 'half'

const ACTIONS: ReadonlyMap<Step['op'], ShownStep['action']> = new Map([
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['move', 'transfer'],
  ['moveFrom', 'transfer_from'],
])
/** Amounts of sales and transfers are basis points of what the account holds; of purchases, `large` is a tenth of the pool. */
const [BASIS_POINTS, LARGE] = [10_000, 0.1]

const partOf = (step: Step, { large }: Setup): number | null => {
  if (!('amount' in step)) return null
  const part = step.op === 'buy' ? (LARGE * Number(step.amount)) / Number(large) : Number(step.amount) / BASIS_POINTS
  return Number(part.toPrecision(2))
}

type Plan = { name: string; steps: Step[] }
type Run = { seconds: number; blocks: number; results: ReadonlyMap<string, StepResult[]> | undefined }

/** What happened to accounts with code: now, and to the one that sells everything, later too. */
export const shownTrials = (setup: Setup, plans: readonly Plan[], runs: readonly Run[]): Trial[] => {
  if (setup.kind === 'none') return []
  return runs.flatMap(({ results, ...at }, nth) =>
    plans.flatMap(({ name, steps }): Trial[] => {
      const [plan = '', account] = name.split(' ')
      const trial = SHOWN.get(plan)
      if (!trial || (nth > 0 && plan !== REPEATED)) return []
      const found = results?.get(name) ?? []
      const [first] = found
      const bought = steps[0]?.op !== 'buy' ? undefined : first?.ok === true ? first.b : 0n
      /** Whether there is something to sell: parts of a purchase of a few units are none. */
      const has = (part: number | null) => bought === undefined || bought >= (part === 1 ? 1n : FEW_UNITS)
      const shown = steps.flatMap((step, i): TrialStep[] => {
        const action = ACTIONS.get(step.op)
        const part = partOf(step, setup)
        return action ? [{ action, part, ...at, result: action === 'buy' || has(part) ? found[i] : undefined }] : []
      })
      return [{ trial, actor: 'contract', account: account ?? null, steps: shown }]
    }),
  )
}
