/**
 * A person buys and sells a tenth at each later moment, and another buys and sells for the first time a day later: finds
 * traps that spring by age, block or time, that let a wallet sell once, that let nobody sell who did not at once, or that
 * tell people from contracts.
 */
import { type ChainReader, quantity } from '../../chain/chain.ts'
import type { Step, StepResult } from '../../chain/simulator/script.ts'
import { FEW_UNITS, momentAt, outcome, refusedCall, type TradeOutcome } from '../outcome.ts'
import { personCall, runCallsAndScripts, type Script, type SimulationSetup, withAnother } from '../simulation-setup.ts'
import { type After, type Moments, momentsOf } from './moments.ts'
import { riseIn } from './rise.ts'
import type { TrialStep } from './shown.ts'

/** What a person met who bought at one moment and sold at each later one. */
export type Ages = {
  start: After
  /** After the purchase. */
  ages: Moments['ages']
  bought: TradeOutcome | undefined
  /** One for each of `ages`; `undefined` when nothing was bought that can be sold in parts. */
  sales: (TradeOutcome | undefined)[] | undefined
  /** What a part of the holding sells for a day later, as a share of what it sold for at first; `undefined` when not both were sold. */
  kept: number | undefined
  /** The first sale of one who kept everything for a day; `undefined` when it could not be run. */
  lateSale: TradeOutcome | undefined
  /** Whether all of that could be run. */
  whole: boolean
  /** What that sale paid of what the purchase had cost, if it was of everything. */
  paidBack: number | undefined
  /** What the first of them did, and what the other did. */
  steps: TrialStep[]
  lateSteps: TrialStep[]
}

const spend = (spender: string, amount: bigint) =>
  `0x095ea7b3${spender.slice(2).padStart(64, '0')}${amount.toString(16).padStart(64, '0')}`
/** Gas of an approval. */
const APPROVAL_GAS = 500_000
/** Approvals: one that counters of 96 bits hold, and one for everything. */
const APPROVED = [10n ** 28n, 2n ** 256n - 1n]

/** Sales of everything, and of a tenth where that is too much. */
export const sellAll = (actor: string): Step[] => [
  { op: 'sell', actor, amount: 10_000n },
  { op: 'sell', actor, amount: TENTH },
]
const TENTH = 1_000n

/** The first sale that was accepted; a refusal where each of them was refused. */
export const firstOf = (tries: readonly (StepResult | undefined)[]): TradeOutcome | undefined => {
  const sale = tries.find((one) => one?.ok)
  return sale || (tries.length > 0 && tries.every((one) => one?.ok === false)) ? outcome(sale ?? tries[0]) : undefined
}

/** Approvals of the simulator in transactions of one's own. */
export const approvalsBy = (chain: ChainReader, simulation: SimulationSetup, amounts: readonly bigint[] = APPROVED) =>
  amounts.map((amount) => ({
    ...personCall(chain, simulation, simulation.setup.token, spend(simulation.director, amount)),
    gas: quantity(APPROVAL_GAS),
  }))

/** Each sale is of a tenth of what is left. */
const LEFT = 0.9
/** When the other begins to sell. */
export const A_DAY_LATER = 3
/** The sale before which the price rises. */
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
  const rise = riseIn(simulation)
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
  const kept = theirs[0]?.results?.[0]
  const tries = theirs.slice(1).flatMap(({ results }) => results ?? [undefined])
  // A market that is closed to the first of them as well says nothing about the other.
  const open = theirs.slice(1).flatMap(({ results }, i) => (sold[A_DAY_LATER + i]?.ok ? (results ?? [undefined]) : []))
  return {
    start,
    ages,
    bought,
    sales: sold.map(outcome),
    kept: keptOf(sold),
    lateSale: kept?.ok && kept.b >= FEW_UNITS ? firstOf(open) : undefined,
    whole: [kept, ...tries].every((one) => one?.ok !== undefined),
    paidBack: tries[0]?.ok ? Number(tries[0].word) / Number(setup.small) : undefined,
    steps: stepsOf(bought, mine[1]?.calls.slice(0, approved.length) ?? [], sold, start, ages),
    lateSteps: lateOf(
      kept,
      theirs.slice(1).map(({ results }) => results),
      start,
      ages,
    ),
  }
}

const from = (start: After, age: After): After => ({
  seconds: start.seconds + age.seconds,
  blocks: start.blocks + age.blocks,
})

/** Steps of `sellAll` at one moment. Who sold everything has nothing to sell a tenth of. */
export const allSteps = (results: readonly StepResult[] | undefined, at: After): TrialStep[] => {
  const [all, tenth] = results ?? []
  const whole: TrialStep = { action: 'sell', part: 1, ...at, result: all }
  return all?.ok === false ? [whole, { action: 'sell', part: 0.1, ...at, result: tenth }] : [whole]
}

const keptOf = (sold: readonly (StepResult | undefined)[]): number | undefined => {
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
  const later = (age: After) => from(start, age)
  return [
    { action: 'buy', part: 0.001, ...start, result: bought },
    { action: 'approve', part: null, ...later(first), ok },
    ...ages.map((age, i): TrialStep => ({ action: 'sell', part: 0.1, ...later(age), result: sold[i] })),
  ]
}

/** What the other did: a purchase, and what was tried at each late moment until everything was sold. */
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
    ...moments.flatMap((age, i) => allSteps(tries[i], from(start, age))),
  ]
}

/** Buys at `start`, now unless told otherwise, and sells ever later. `undefined` when it could not be run. */
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
  if (!first.bought.ok || first.bought.b < FEW_UNITS) {
    const steps = first.steps.slice(0, 1)
    const nothing = { sales: undefined, kept: undefined, lateSale: undefined, paidBack: undefined, lateSteps: [] }
    return { start, ages: first.ages, bought, ...nothing, whole: true, steps }
  }
  const refused = first.sales.every((sale) => sale?.ok === false)
  // Tokens with vesting approve no more than what one has: half of it is enough for all sales.
  const again = refused ? await run([first.bought.b / 2n, ...APPROVED]) : undefined
  return { ...(again?.sales.some((sale) => sale?.ok) ? again : first), bought }
}
