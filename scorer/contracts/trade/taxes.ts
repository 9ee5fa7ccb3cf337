/**
 * What trades lose for good. Many honest tokens tax the first hour, or the first hour of each buyer, to keep bots out; so a tax
 * that falls weighs what it falls to. A liar lets it fall where nobody is: weeks later, for a second sale, or while nobody
 * else trades. So where it falls, two more people sell for the first time, within minutes of a purchase by somebody else.
 */
import type { ChainReader } from '../chain/chain.ts'
import type { Step } from '../chain/simulator/script.ts'
import { AGES, allSteps, approvalsBy, firstOf, sellAll } from './ages.ts'
import { DAY, HOUR, momentsOf } from './moments.ts'
import { momentAt, outcome, type TradeOutcome } from './outcome.ts'
import type { TrialStep } from './shown.ts'
import { runCallsAndScripts, type Script, type SimulationSetup, withAnother } from './simulation-setup.ts'

/** What was lost at one moment, percent, seconds after the block that is looked at. */
export type Loss = { seconds: number; tax: number }

/** Difference from which one tax is lower than another, percent. */
export const LOWER = 10
/** What a tax that falls all the time loses within an hour at least, percent. */
const FALLING = 2

export const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

/** `undefined` where the trade did not work. */
export const lossAt = (seconds: number, result: TradeOutcome | undefined): Loss[] =>
  result?.ok ? [{ seconds, tax: result.tax }] : []

const worst = (losses: readonly Loss[]): number | undefined =>
  losses.length > 0 ? Math.max(...losses.map(({ tax }) => tax)) : undefined

/**
 * What is lost by whoever has patience, percent: `usual` unless it is less than that at every later moment. Those are from an
 * hour on, and for a tax that falls all the time, as auctions let it, from half a day on. `undefined` where none was seen.
 */
export const lastingTax = (usual: number | undefined, losses: readonly Loss[]): number | undefined => {
  const [first] = losses.filter(({ seconds }) => seconds < HOUR)
  const inAnHour = worst(losses.filter(({ seconds }) => seconds >= HOUR && seconds < 2 * HOUR))
  const falls = first !== undefined && inAnHour !== undefined && first.tax - inAnHour >= FALLING
  const from = falls ? DAY / 2 : HOUR
  const later = worst(losses.filter(({ seconds }) => seconds >= from))
  return usual === undefined || later === undefined ? undefined : Math.min(usual, later)
}

/** Whether a tax is lower later on than it usually is or was at first. */
export const fallsLater = (usual: number | undefined, losses: readonly Loss[]): boolean => {
  const later = losses.filter(({ seconds }) => seconds >= HOUR)
  const high = Math.max(usual ?? 0, losses[0]?.tax ?? 0)
  return later.some(({ tax }) => tax + LOWER < high)
}

/** So long before that somebody else buys. */
const BEFORE = AGES[1]

export type FirstSale = {
  seconds: number
  /** Of the whole holding, or of a tenth of it. */
  sale: TradeOutcome | undefined
  /** Of somebody else, minutes before. */
  buy: TradeOutcome | undefined
  /** What the person did. */
  steps: TrialStep[]
}

/** First sales of people who bought now. `undefined` when one of them could not be run. */
export const firstSales = async (
  chain: ChainReader,
  given: SimulationSetup,
  opening: Step[],
): Promise<FirstSale[] | undefined> => {
  const [simulation, other] = withAnother(chain, given, 'later buyer')
  const { setup, person } = simulation
  const buy = (actor: string): Step => ({ op: 'buy', actor, amount: setup.small })
  const tried = await Promise.all(
    momentsOf(chain.seed).firstSales.map(async ({ seconds, blocks }): Promise<FirstSale | undefined> => {
      const scripts: Script[] = [
        { steps: [...simulation.funding, ...opening, buy(person)], moment: momentAt(chain, 0, 0) },
        {
          before: approvalsBy(chain, simulation),
          steps: [buy(other)],
          moment: momentAt(chain, seconds - BEFORE.seconds, blocks - BEFORE.blocks),
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
