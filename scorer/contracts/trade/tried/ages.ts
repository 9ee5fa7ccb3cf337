/**
 * One account buys and sells a tenth at each later moment; another buys and sells for the first time a day later. Finds
 * traps that act by age, block or time, that allow a wallet only one sale, that refuse accounts that did not sell at
 * once, or that treat accounts without code differently from contracts.
 */
import { type ChainReader, quantity } from '../../chain/chain.ts'
import type { Step, StepResult } from '../../chain/simulator/script.ts'
import { MIN_UNITS, momentAt, outcome, refusedCall, type TradeOutcome } from '../outcome.ts'
import { personCall, runCallsAndScripts, type Script, type SimulationSetup, withAnother } from '../simulation-setup.ts'
import { type After, addSpan, type Moments, momentsOf } from './moments.ts'
import { priceRiseSteps } from './rise.ts'
import type { TrialStep } from './shown.ts'

/** Results of an account that bought at one moment and sold at each later one. */
export type Ages = {
  start: After
  /** Ages after the purchase. */
  ages: Moments['ages']
  bought: TradeOutcome | undefined
  /** One sale per age; `undefined` when the purchase is too small to sell in parts. */
  sales: (TradeOutcome | undefined)[] | undefined
  /**
   * Proceeds of a part of the holding a day later, as a share of its first proceeds; `undefined` unless both were sold.
   */
  valueAfterDay: number | undefined
  /** First sale by the account that kept everything for a day; `undefined` when it could not be run. */
  lateSale: TradeOutcome | undefined
  /** Whether all of it could be run. */
  complete: boolean
  /** Proceeds of that sale as a share of the purchase's cost, when everything was sold. */
  paidBack: number | undefined
  /** Steps of the first account, and of the other. */
  steps: TrialStep[]
  lateSteps: TrialStep[]
}

const spend = (spender: string, amount: bigint) =>
  `0x095ea7b3${spender.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`
/** Gas of an approval. */
const APPROVAL_GAS = 500_000
/** Approvals: one that fits counters of 96 bits, and one without a limit. */
const APPROVED = [10n ** 28n, 2n ** 256n - 1n]

/** Sales of everything, and of a tenth in case everything is too much. */
export const sellAll = (actor: string): Step[] => [
  { op: 'sell', actor, amount: 10_000n },
  { op: 'sell', actor, amount: TENTH },
]
const TENTH = 1_000n

/** The first accepted sale, or a refusal when each was refused. */
export const firstOf = (tries: readonly (StepResult | undefined)[]): TradeOutcome | undefined => {
  const sale = tries.find((one) => one?.ok)
  return sale || (tries.length > 0 && tries.every((one) => one?.ok === false)) ? outcome(sale ?? tries[0]) : undefined
}

/** Approvals of the simulator, in the account's own transactions. */
export const approvalsBy = (chain: ChainReader, simulation: SimulationSetup, amounts: readonly bigint[] = APPROVED) =>
  amounts.map((amount) => ({
    ...personCall(chain, simulation, simulation.setup.token, spend(simulation.director, amount)),
    gas: quantity(APPROVAL_GAS),
  }))

/** Share left after a sale of a tenth. */
const LEFT = 0.9
/** Index of the age at which the other account begins to sell. */
export const A_DAY_LATER = 3
/** Index of the sale before which the price rises. */
export const AFTER_RISE = 4

const sequence = async (
  chain: ChainReader,
  given: SimulationSetup,
  opening: Step[],
  start: After,
  approved: readonly bigint[],
) => {
  const [simulation, other] = withAnother(chain, given, 'late seller')
  const { setup, person } = simulation
  const buying = momentAt(chain, start.seconds, start.blocks)
  const buy = (actor: string): Step => ({ op: 'buy', actor, amount: setup.small })
  const { ages } = momentsOf(chain)
  const moments = ages.map(({ seconds, blocks }) => momentAt(chain, start.seconds + seconds, start.blocks + blocks))
  const people = [simulation, { ...simulation, person: other }]
  const approvals = people.flatMap((who) => approvalsBy(chain, who, approved))
  const rise = priceRiseSteps(simulation)
  const scripts: Script[] = [
    { steps: [...simulation.funding, ...opening, buy(person)], moment: buying },
    { steps: [buy(other)], moment: buying, from: other },
    ...moments.flatMap((moment, i): Script[] => [
      {
        before: i === 0 ? approvals : [],
        steps: [...(i === AFTER_RISE ? rise : []), { op: 'sell', actor: person, amount: TENTH }],
        moment,
      },
      ...(i < A_DAY_LATER ? [] : [{ steps: sellAll(other), moment, from: other }]),
    ]),
  ]
  const answers = await runCallsAndScripts(chain, simulation, scripts)
  const of = (who: string | undefined) => answers?.filter((_, i) => scripts[i]?.from === who) ?? []
  const [mine, theirs] = [of(undefined), of(other)]
  const bought = mine[0]?.results?.at(-1)
  if (!bought) return undefined
  const sold = mine.slice(1).map(({ results }) => results?.at(-1))
  const lateBuy = theirs[0]?.results?.[0]
  const tries = theirs.slice(1).flatMap(({ results }) => results ?? [undefined])
  // A market that is closed to the first account too proves nothing about the other.
  const open = theirs.slice(1).flatMap(({ results }, i) => (sold[A_DAY_LATER + i]?.ok ? (results ?? [undefined]) : []))
  return {
    start,
    ages,
    bought,
    sales: sold.map(outcome),
    valueAfterDay: valueAfterDayOf(sold),
    lateSale: lateBuy?.ok && lateBuy.b >= MIN_UNITS ? firstOf(open) : undefined,
    complete: [lateBuy, ...tries].every((one) => one?.ok !== undefined),
    paidBack: tries[0]?.ok ? Number(tries[0].word) / Number(setup.small) : undefined,
    steps: stepsOf(bought, mine[1]?.calls.slice(0, approved.length) ?? [], sold, start, ages),
    lateSteps: lateOf(
      lateBuy,
      theirs.slice(1).map(({ results }) => results),
      start,
      ages,
    ),
  }
}

/** Steps of `sellAll` at one moment. After everything was sold there is no tenth to sell. */
export const allSteps = (results: readonly StepResult[] | undefined, at: After): TrialStep[] => {
  const [all, tenth] = results ?? []
  const whole: TrialStep = { action: 'sell', part: 1, ...at, result: all }
  return all?.ok === false ? [whole, { action: 'sell', part: 0.1, ...at, result: tenth }] : [whole]
}

const valueAfterDayOf = (sold: readonly (StepResult | undefined)[]): number | undefined => {
  const [first, later] = [sold[0], sold[A_DAY_LATER]]
  if (first?.ok !== true || later?.ok !== true) return undefined
  const between = sold.slice(0, A_DAY_LATER).filter((sale) => sale?.ok).length
  return Number(later.word) / LEFT ** between / Number(first.word)
}

const stepsOf = (
  bought: StepResult,
  approvals: readonly (string | undefined)[],
  sold: readonly (StepResult | undefined)[],
  start: After,
  ages: Moments['ages'],
): TrialStep[] => {
  const [first] = ages
  const ok = approvals.some((answer) => !refusedCall(answer)) || (sold[0] ? false : undefined)
  const later = (age: After) => addSpan(start, age)
  return [
    { action: 'buy', part: 0.001, ...start, result: bought },
    { action: 'approve', part: null, ...later(first), ok },
    ...ages.map((age, i): TrialStep => ({ action: 'sell', part: 0.1, ...later(age), result: sold[i] })),
  ]
}

/** Steps of the other account: a purchase, and the sales tried until everything was sold. */
const lateOf = (
  bought: StepResult | undefined,
  tries: readonly (readonly StepResult[] | undefined)[],
  start: After,
  ages: Moments['ages'],
): TrialStep[] => {
  const sold = tries.findIndex((results) => results?.[0]?.ok)
  const moments = ages.slice(A_DAY_LATER, sold < 0 ? undefined : A_DAY_LATER + sold + 1)
  return [
    { action: 'buy', part: 0.001, ...start, result: bought },
    ...moments.flatMap((age, i) => allSteps(tries[i], addSpan(start, age))),
  ]
}

/** Buys at `start` (default: now) and sells at each age. `undefined` when it could not be run. */
export const runAges = async (
  chain: ChainReader,
  simulation: SimulationSetup,
  opening: Step[],
  start: After = { seconds: 0, blocks: 0 },
): Promise<Ages | undefined> => {
  const run = (approved: readonly bigint[]) => sequence(chain, simulation, opening, start, approved)
  const first = await run(APPROVED)
  if (!first || first.bought.ok === undefined) return undefined
  const bought = outcome(first.bought)
  if (!first.bought.ok || first.bought.b < MIN_UNITS) {
    const steps = first.steps.slice(0, 1)
    const nothing = {
      sales: undefined,
      valueAfterDay: undefined,
      lateSale: undefined,
      paidBack: undefined,
      lateSteps: [],
    }
    return { start, ages: first.ages, bought, ...nothing, complete: true, steps }
  }
  const refused = first.sales.every((sale) => sale?.ok === false)
  // Tokens with vesting refuse approvals above the balance; half of it is enough for all sales.
  const again = refused ? await run([first.bought.b / 2n, ...APPROVED]) : undefined
  return { ...(again?.sales.some((sale) => sale?.ok) ? again : first), bought }
}
