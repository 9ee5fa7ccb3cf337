/**
 * Sales in the following weeks, after late sales were refused: a market with trading hours also refuses at most
 * moments, and is no trap. When fresh buyers can sell, an earlier buyer tries as well.
 */
import type { Step } from '../../chain/simulator/script.ts'
import { anyOf, MIN_UNITS, momentAt } from '../outcome.ts'
import { runCallsAndScripts, type Script, withAnother } from '../simulation-setup.ts'
import { approvalsBy, firstOf, sellAll } from './ages.ts'
import { type After, beforeSpan, DAY, momentsOf, withFewBlocks } from './moments.ts'
import type { People } from './people.ts'
import { type FurtherRuns, runSales, type TrialInput, type Trials } from './trials.ts'

/**
 * Whether fresh buyers can sell in the following weeks: contracts within one transaction or, if these never can, people
 * minutes after a purchase.
 */
export type Hours = {
  /** Whether they can at a sixth of the hours or more; `undefined` when too few could be run. */
  open: boolean | undefined
  /** Whether they can at any hour. */
  sold: boolean
  /** When contracts first can. */
  opensAt: After | undefined
  /** Whether earlier buyers are refused at those moments, minutes after a purchase by somebody else. */
  refusedToHolders: boolean | undefined
}

/**
 * Share of a week in which a market must be open. Stock exchanges are open 32 hours (a fifth); one day is a seventh.
 */
const OPEN = 1 / 6
/** Whether sales work at a sixth of the hours of a week or more; `undefined` when too few could be run. */
export const isOpen = (sold: readonly (boolean | undefined)[]): boolean | undefined => {
  const least = sold.length * OPEN
  if (sold.filter((ok) => ok).length >= least) return true
  return sold.filter((ok) => ok === false).length > sold.length - least ? false : undefined
}

/** Runs sales of fresh accounts in each two hours of the week. */
export const runWeeks = (input: TrialInput): Promise<FurtherRuns> => runSales(input, momentsOf(input.chain).weeks)

/**
 * Whether an account could sell what it had just bought, or half of it; `undefined` when it could not buy or nothing
 * could be run.
 */
const isSold = (within: Trials['within'], results: FurtherRuns['made'][number]): boolean | undefined => {
  const [bought, all, half] = [within(results, 'half', 0), within(results, 'half', 1), within(results, 'round', 1)]
  return !bought?.ok ? undefined : all?.ok || half?.ok || (all ?? half)?.ok
}

/** Whether a person could sell what it had bought minutes before, at each of these times; `undefined` as above. */
const soldByPeople = async (
  { chain, simulation, opening }: TrialInput,
  moments: readonly After[],
): Promise<(boolean | undefined)[]> => {
  const { person, setup } = simulation
  const [, minutes] = momentsOf(chain).ages
  return Promise.all(
    moments.map(withFewBlocks).map(async (sale) => {
      const bought = beforeSpan(sale, minutes)
      const scripts: Script[] = [
        {
          steps: [...simulation.funding, ...opening, { op: 'buy', actor: person, amount: setup.small }],
          moment: momentAt(chain, bought.seconds, bought.blocks),
        },
        {
          before: approvalsBy(chain, simulation),
          steps: sellAll(person),
          moment: momentAt(chain, sale.seconds, sale.blocks),
        },
      ]
      const [purchase, sales] = (await runCallsAndScripts(chain, simulation, scripts)) ?? []
      const held = purchase?.results?.at(-1)
      return held?.ok && held.b >= MIN_UNITS && sales?.results ? firstOf(sales.results)?.ok : undefined
    }),
  )
}

/** Moments at which earlier buyers are tried. */
const TRIED = 3
/** Blocks between the purchase and the first of these sales: within what nodes simulate. */
const BLOCKS = 100
/** Part of the remaining balance that each sale sells, basis points. */
const TENTH = 1_000n
/** Minimum holding time before the sale, seconds. */
const MIN_HELD = DAY / 2

/**
 * Whether earlier buyers are refused at moments at which fresh buyers can sell: an account that sold at first, or one
 * that kept everything. `undefined` when none could be run, or fresh buyers were refused too.
 */
const refusedToHolders = async (
  { chain, simulation: given, opening }: TrialInput,
  start: After,
  moments: readonly After[],
): Promise<boolean | undefined> => {
  const [another, keeper] = withAnother(chain, given, 'late seller')
  const [simulation, guest] = withAnother(chain, another, 'guest')
  const { setup, person: seller } = simulation
  const { before, ages } = momentsOf(chain)
  const buy = (actor: string): Step => ({ op: 'buy', actor, amount: setup.small })
  const sell = (actor: string, amount: bigint): Step => ({ op: 'sell', actor, amount })
  const fresh = (amount: bigint): Step => ({ op: 'branch', steps: [buy(setup.victim), sell(setup.victim, amount)] })
  const approvals = (who: string) => approvalsBy(chain, { ...simulation, person: who })
  const [soon] = ages
  const bought = momentAt(chain, start.seconds, start.blocks)
  const later = moments.filter(({ seconds }) => seconds > start.seconds + MIN_HELD)
  const chosen = later.filter((_, i) => i % Math.ceil(later.length / TRIED) === 0)
  const tried = await Promise.all(
    chosen.map(async ({ seconds }, i) => {
      // Of either parity: a token may sell in every second block.
      const blocks = start.blocks + BLOCKS + i
      const moment = momentAt(chain, seconds, blocks)
      const scripts: Script[] = [
        { steps: [...simulation.funding, ...opening, buy(seller)], moment: bought },
        { steps: [buy(keeper)], moment: bought, from: keeper },
        {
          before: [...approvals(seller), ...approvals(keeper)],
          steps: [sell(seller, TENTH)],
          moment: momentAt(chain, start.seconds + soon.seconds, start.blocks + soon.blocks),
        },
        {
          steps: [buy(guest)],
          moment: momentAt(chain, seconds - before.seconds, blocks - before.blocks),
          from: guest,
        },
        { steps: [fresh(10_000n), fresh(5_000n), sell(seller, TENTH)], moment },
        { steps: [sell(keeper, TENTH)], moment, from: keeper },
        { before: approvals(guest), steps: [sell(guest, TENTH)], moment, from: guest },
      ]
      const answers = await runCallsAndScripts(chain, simulation, scripts)
      const [sellers, keepers, , , sales, last, guests] = (answers ?? []).map(({ results }) => results ?? [])
      const [all, half, sold] = sales ?? []
      const open = all?.steps?.[1]?.ok || half?.steps?.[1]?.ok || guests?.[0]?.ok
      const held = [sellers?.at(-1), keepers?.[0]].every((one) => one?.ok && one.b >= MIN_UNITS)
      return open && held ? [sold?.ok, last?.[0]?.ok] : []
    }),
  )
  const ofEach = [0, 1].map((i) => anyOf(tried.map((sales) => sales[i])))
  if (ofEach.includes(false)) return true
  return ofEach.includes(undefined) ? undefined : false
}

/** Derives the market's hours from sales of fresh accounts. `people`: those whose sales count. */
export const hoursOf = async (
  input: TrialInput,
  { moments, made }: FurtherRuns,
  { within, freshSells }: Trials,
  { counted, sales: later }: Pick<People, 'counted' | 'sales'>,
): Promise<Hours> => {
  const byContracts = made.map((results) => isSold(within, results))
  const contractsSell = byContracts.includes(true) || freshSells.some((sale) => sale?.ok)
  const byPeople = [...(counted?.sales ?? []), ...(later?.tried ?? []).map(({ sale }) => sale)]
  const peopleSell = !contractsSell && byPeople.some((sale) => sale?.ok)
  const sold = peopleSell ? await soldByPeople(input, moments) : byContracts
  const open = isOpen(sold)
  const sales = moments.filter((_, i) => sold[i])
  const refused = () => {
    if (sales.length === 0) return open === false ? true : undefined
    return counted ? refusedToHolders(input, counted.start, sales) : false
  }
  return {
    open,
    sold: sales.length > 0,
    opensAt: moments.find((_, i) => byContracts[i]),
    refusedToHolders: await refused(),
  }
}
