/**
 * Accounts without code that trade in their own transactions, at many ages. Tokens often treat buyers of the first
 * blocks as bots, and later buyers not: then the sales of a later buyer count.
 */
import { ZERO } from '../../chain/simulator/script.ts'
import type { Outcome } from '../outcome.ts'
import type { SimulationSetup } from '../simulation-setup.ts'
import { type Ages, runAges } from './ages.ts'
import { type LaterSales, runLaterSales } from './later-sales.ts'
import { type After, momentsOf, withFewBlocks } from './moments.ts'
import { isMarket, NOW, type TrialInput, type Trials } from './trials.ts'

/** Tax (percent) from which a buyer counts as caught as a bot. */
const CAUGHT_TAX = 50
const isCaught = (sale: Outcome) => sale && (!sale.ok || sale.tax >= CAUGHT_TAX)

/** An account that buys now: with sales at each age, and with sales at many later moments. */
export type Early = { first: Ages | undefined; laterSales: LaterSales | undefined }

const start: After = NOW

/** Whether accounts without code are tried here. Through a router they are tried by `router-sales.ts`. */
export const tradesAsPeople = (simulation: SimulationSetup): boolean =>
  isMarket(simulation) && simulation.setup.router === ZERO

/** Tries trades of accounts that buy now. They run in parallel with the other trials. */
export const runEarly = async (input: TrialInput): Promise<Early> => {
  const { chain, simulation, opening, variation } = input
  if (!tradesAsPeople(simulation)) return { first: undefined, laterSales: undefined }
  const [first, laterSales] = await Promise.all([
    runAges(chain, simulation, opening),
    variation.byTrades ? runLaterSales({ chain, simulation, opening, start }) : undefined,
  ])
  return { first, laterSales }
}

/** The accounts whose trades count, after deciding whether the first buyer is caught as a bot. */
export type People = {
  /** The account that buys now. */
  first: Ages | undefined
  /** The account whose sales count. */
  counted: Ages | undefined
  caughtAtFirst: boolean
  /** Whether contracts cannot buy; then their trades prove nothing about people. */
  peopleOnly: boolean
  sales: LaterSales | undefined
}

/**
 * Sales of a later buyer. If they are refused too, it is a longer bot protection or a trap, and cannot be told which.
 */
const laterBuyer = async ({ chain, simulation, opening }: TrialInput, first: Ages): Promise<Ages> => {
  const later = await runAges(chain, simulation, opening, momentsOf(chain).far)
  return later?.sales?.some((sale) => sale?.ok) ? later : { ...first, sales: undefined }
}

/** Sales of an account that buys once others could, where nobody could buy at first; else those of the first buyer. */
const openBuyer = async (input: TrialInput, first: Ages, { buys, visits, moments }: Trials): Promise<Ages> => {
  const { chain, simulation, opening } = input
  const bought = buys.findIndex((buy, i) => buy?.ok || visits[i]?.ok)
  const moment = bought > 0 ? moments[bought] : undefined
  const later = moment && (await runAges(chain, simulation, opening, withFewBlocks(moment)))
  return later?.bought?.ok ? later : first
}

/** Later sales of an account that bought when nobody is caught as a bot, with the approval that the token accepts. */
const settledSales = async (
  { chain, simulation, opening }: TrialInput,
  tried: LaterSales | undefined,
  counted: Ages | undefined,
) => {
  if (!tried || !counted?.sales?.some((sale) => sale?.ok)) return tried
  const selling = { chain, simulation, opening, start }
  if (counted.start.blocks !== start.blocks) return runLaterSales({ ...selling, start: counted.start })
  const refused = tried.held > 0n && tried.tried.every(({ sale }) => sale?.ok === false)
  // Tokens with vesting refuse approvals above the balance.
  return refused ? runLaterSales({ ...selling, approved: tried.held / 2n }) : tried
}

const isCaughtAtFirst = (first: Ages | undefined, { at, over, freshSells }: Trials): boolean => {
  const atOnce = [...(first?.sales ?? [undefined]), at('half', 1), at('round', 1)]
  const inAnHour = [over('half', 1)[1], over('round', 1)[1]]
  return (
    (atOnce.every((sale) => sale?.ok === false) && freshSells.some((sale) => sale?.ok === true)) ||
    (atOnce.every((sale) => isCaught(sale)) && inAnHour.some((sale) => isCaught(sale) === false))
  )
}

/** Decides whose sales count, and tries a later buyer when the first was caught as a bot or could not buy. */
export const settle = async (input: TrialInput, { first, laterSales }: Early, trials: Trials): Promise<People> => {
  const caughtAtFirst = isCaughtAtFirst(first, trials)
  const counted = !first
    ? undefined
    : caughtAtFirst
      ? await laterBuyer(input, first)
      : first.bought?.ok === false
        ? await openBuyer(input, first, trials)
        : first
  return {
    first,
    counted,
    caughtAtFirst,
    peopleOnly: counted?.bought?.ok === true && trials.buys.every((buy) => buy?.ok === false),
    sales: await settledSales(input, laterSales, counted),
  }
}
