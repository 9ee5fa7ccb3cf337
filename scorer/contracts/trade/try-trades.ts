/** Tries trades, and the weeks that follow where a market seems to be closed: hours are no trap. */
import { type Late, seeLate } from './judged/closing.ts'
import { judgeLaterSales, type LaterVerdict } from './judged/returning.ts'
import { judgePossible, type Possible } from './judged/sales.ts'
import { type People, runEarly, settle } from './tried/people.ts'
import { isMarket, readTrials, runTrials, type TrialInput, type Trials, withFurther } from './tried/trials.ts'
import { type Hours, hoursOf, runWeeks } from './tried/weeks.ts'

/** Trials and what they show, with the hours of the market where it seemed to be closed. */
export type Tried = {
  trials: Trials
  people: People
  later: LaterVerdict | undefined
  possible: Possible
  late: Late
  /** `undefined` where the market does not seem to be closed, or cannot differ from moment to moment. */
  hours?: Hours
}

/** Trades of accounts with code and of people, now and later. */
export const tryTrades = async (input: TrialInput): Promise<Tried> => {
  const { simulation, variation } = input
  const [early, now] = await Promise.all([runEarly(input), runTrials(input)])
  const mayVary = isMarket(simulation) && variation.byBlock
  // Markets with hours may be closed at each of the moments.
  const bought = early.first?.bought?.ok || now.made.some((results) => results?.get('half')?.[0]?.ok)
  const weeks = mayVary && !bought ? await runWeeks(input) : undefined
  const ran = weeks ? withFurther(now, weeks, 'buy') : now
  const trials = readTrials(ran, input)
  const people = await settle(input, early, trials)
  const { lived, sales } = people
  const later = sales && judgeLaterSales(sales, [])
  const possible = judgePossible(trials, people, later, simulation.injected)
  const late = seeLate(trials, people, later)
  const found = { trials, people, later, possible, late }
  const refused = possible.canSell === false
  if (!mayVary || !possible.canBuy || !(late.mayBeClosed || refused)) return found
  const further = weeks ?? (await runWeeks(input))
  const hours = await hoursOf(input, further, trials, lived?.start)
  if (!refused || !hours.sold || hours.refusedToHolders !== false) return { ...found, hours }
  const opened = readTrials(withFurther(ran, further, 'sell'), input)
  return { ...found, trials: opened, possible: { ...possible, canSell: true, neverSold: false }, hours }
}
