/** Runs the trials, and those of the following weeks when the market seems closed: trading hours are no trap. */
import { type LateSales, readLateSales } from './judged/closing.ts'
import { judgeLaterSales, type LaterVerdict } from './judged/returning.ts'
import { judgePossible, type Possible } from './judged/sales.ts'
import { type People, runEarly, settle } from './tried/people.ts'
import { isMarket, readTrials, runTrials, type TrialInput, type Trials, withFurtherRuns } from './tried/trials.ts'
import { type Hours, hoursOf, runWeeks } from './tried/weeks.ts'

/** The trials and what they show, with the market's hours when it seemed closed. */
export type Tried = {
  trials: Trials
  people: People
  later: LaterVerdict | undefined
  possible: Possible
  late: LateSales
  /** `undefined` when the market does not seem closed or cannot vary over time. */
  hours?: Hours
}

/** Runs trades of contract accounts and of accounts without code, now and later. */
export const tryTrades = async (input: TrialInput): Promise<Tried> => {
  const { simulation, variation } = input
  const [early, now] = await Promise.all([runEarly(input), runTrials(input)])
  const mayVary = isMarket(simulation) && variation.byBlock
  // A market with trading hours may be closed at every tried moment.
  const bought = early.first?.bought?.ok || now.made.some((results) => results?.get('half')?.[0]?.ok)
  const weeks = mayVary && !bought ? await runWeeks(input) : undefined
  const ran = weeks ? withFurtherRuns(now, weeks, 'buy') : now
  const trials = readTrials(ran, input)
  const people = await settle(input, early, trials)
  const { sales } = people
  const later = sales && judgeLaterSales(sales, [])
  const possible = judgePossible(trials, people, later, simulation.injected)
  const late = readLateSales(trials, people, later)
  const found = { trials, people, later, possible, late }
  const refused = possible.canSell === false
  if (!mayVary || !possible.canBuy || !(late.mayBeClosed || refused)) return found
  const further = weeks ?? (await runWeeks(input))
  const hours = await hoursOf(input, further, trials, people)
  if (!refused || !hours.sold || hours.refusedToHolders !== false) return { ...found, hours }
  const opened = readTrials(withFurtherRuns(ran, further, 'sell'), input)
  return { ...found, trials: opened, possible: { ...possible, canSell: true, neverSold: false }, hours }
}
