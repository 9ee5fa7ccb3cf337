/**
 * People who trade in transactions of their own, at many ages. Who buys in the first blocks of a market is often caught as a
 * bot, and nobody who buys later is: then the sales of a later buyer count.
 */
import { ZERO } from '../../chain/simulator/script.ts'
import type { Outcome } from '../outcome.ts'
import type { SimulationSetup } from '../simulation-setup.ts'
import { type Ages, runAges } from './ages.ts'
import { type LaterSales, runLaterSales } from './later-sales.ts'
import { type After, momentsOf } from './moments.ts'
import { isMarket, NOW, type TrialInput, type Trials } from './trials.ts'

/** Tax that keeps a bot's money, percent. */
const CAUGHT_TAX = 50
const isCaught = (sale: Outcome) => sale && (!sale.ok || sale.tax >= CAUGHT_TAX)

/** Who buys now, and the same with sales at many later moments. */
export type Early = { first: Ages | undefined; laterSales: LaterSales | undefined }

const start: After = NOW

/** Whether people are tried by themselves: through a router they sell in transactions of their own (`router-sales.ts`). */
export const tradesAsPeople = (simulation: SimulationSetup): boolean =>
  isMarket(simulation) && simulation.setup.router === ZERO

/** Tries trades of people who buy now. They depend on no other trial, so they run beside those. */
export const runEarly = async (input: TrialInput): Promise<Early> => {
  const { chain, simulation, opening, variation } = input
  if (!tradesAsPeople(simulation)) return { first: undefined, laterSales: undefined }
  const [first, laterSales] = await Promise.all([
    runAges(chain, simulation, opening),
    variation.byTrades ? runLaterSales({ chain, simulation, opening, start }) : undefined,
  ])
  return { first, laterSales }
}

/** People whose trades count, once it is known whether who buys first is caught as a bot. */
export type People = {
  /** Who buys now. */
  first: Ages | undefined
  /** Whose sales count. */
  lived: Ages | undefined
  caughtAtFirst: boolean
  /** Contracts may not buy: what they met says nothing about people. */
  peopleOnly: boolean
  sales: LaterSales | undefined
}

/** Sales of a person who buys later. Refused as well: a longer protection or a trap, and nobody can tell which. */
const laterBuyer = async ({ chain, simulation, opening }: TrialInput, first: Ages): Promise<Ages> => {
  const later = await runAges(chain, simulation, opening, momentsOf(chain).far)
  return later?.sales?.some((sale) => sale?.ok) ? later : { ...first, sales: undefined }
}

/** Later sales of who bought when nobody is caught as a bot, approved as the token wants it. */
const settledSales = async (
  { chain, simulation, opening }: TrialInput,
  tried: LaterSales | undefined,
  lived: Ages | undefined,
) => {
  if (!tried || !lived?.sales?.some((sale) => sale?.ok)) return tried
  const selling = { chain, simulation, opening, start }
  if (lived.start.blocks !== start.blocks) return runLaterSales({ ...selling, start: lived.start })
  const refused = tried.held > 0n && tried.tried.every(({ sale }) => sale?.ok === false)
  // Tokens with vesting approve no more than what one has.
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

/** Decides whose sales count, and tries those of a later buyer where the first was caught. */
export const settle = async (input: TrialInput, { first, laterSales }: Early, trials: Trials): Promise<People> => {
  const caughtAtFirst = isCaughtAtFirst(first, trials)
  const lived = first && caughtAtFirst ? await laterBuyer(input, first) : first
  return {
    first,
    lived,
    caughtAtFirst,
    peopleOnly: lived?.bought?.ok === true && trials.buys.every((buy) => buy?.ok === false),
    sales: await settledSales(input, laterSales, lived),
  }
}
