/**
 * The simulated trades that an explanation shows. A step that could not be run, or had nothing to work on, is not a
 * refusal.
 */
import type { Simulation } from '../../../../schema/records/explained/simulation.ts'
import type { Setup, Step, StepResult } from '../../chain/simulator/script.ts'
import { MIN_UNITS } from '../outcome.ts'

type ShownTrial = Simulation['trials'][number]
type ShownStep = ShownTrial['steps'][number]

/** A planned step. `seconds` and `blocks` are counted from the pinned block. */
export type TrialStep = {
  action: ShownStep['action']
  part: number | null
  seconds: number
  blocks: number
} & (
  | { result: StepResult | undefined }
  /** A transaction without known gas and reason. */
  | { ok: boolean | undefined }
)

/** A trial for the explanation. */
export type Trial = Pick<ShownTrial, 'trial' | 'actor' | 'account'> & { steps: TrialStep[] }

/** Shown trials by plan name; the others repeat these. */
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
/** The plan that is also shown at later moments. */
const REPEATED = 'half'

const ACTIONS: ReadonlyMap<Step['op'], ShownStep['action']> = new Map([
  ['buy', 'buy'],
  ['sell', 'sell'],
  ['move', 'transfer'],
  ['moveFrom', 'transfer_from'],
])
/** Sale and transfer amounts are basis points of the balance; for purchases, `large` is a tenth of the pool. */
const [BASIS_POINTS, LARGE] = [10_000, 0.1]

const partOf = (step: Step, { large }: Setup): number | null => {
  if (!('amount' in step)) return null
  const part = step.op === 'buy' ? (LARGE * Number(step.amount)) / Number(large) : Number(step.amount) / BASIS_POINTS
  return Number(part.toPrecision(2))
}

type Plan = { name: string; steps: Step[] }
type Run = { seconds: number; blocks: number; results: ReadonlyMap<string, StepResult[]> | undefined }

/** Trials of contract accounts: all now, and the one that sells everything at later moments too. */
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
      /** Whether there is something to sell. Parts of a tiny purchase are nothing. */
      const has = (part: number | null) => bought === undefined || bought >= (part === 1 ? 1n : MIN_UNITS)
      const shown = steps.flatMap((step, i): TrialStep[] => {
        const action = ACTIONS.get(step.op)
        const part = partOf(step, setup)
        return action ? [{ action, part, ...at, result: action === 'buy' || has(part) ? found[i] : undefined }] : []
      })
      return [{ trial, actor: 'contract', account: account ?? null, steps: shown }]
    }),
  )
}
