/**
 * Sales of the weeks that follow, where late ones were refused: a market with hours refuses at most moments too, and is no trap. Where
 * fresh buyers sell, somebody who bought before tries as well.
 */
import type { Step } from '../../chain/simulator/script.ts'
import { anyOf, FEW_UNITS, momentAt } from '../outcome.ts'
import { runCallsAndScripts, type Script, withAnother } from '../simulation-setup.ts'
import { approvalsBy } from './ages.ts'
import { type After, DAY, momentsOf } from './moments.ts'
import { type Further, runSales, type TrialInput, type Trials } from './trials.ts'

/** Whether fresh buyers sell in the weeks that follow. */
export type Hours = {
  /** Whether they do at a sixth of the hours or more; `undefined` where too few could be run. */
  open: boolean | undefined
  /** Whether they do at any. */
  sold: boolean
  /** Whether who bought before and keeps everything is refused when they do, minutes after somebody else's purchase. */
  refusedToHolders: boolean | undefined
}

/** Part of a week in which a market has to be open. Stock exchanges open 32 hours of it (a fifth), and one day is a seventh. */
const OPEN = 1 / 6

/** Sales of fresh accounts in each two hours of the week. */
export const runWeeks = (input: TrialInput): Promise<Further> => runSales(input, momentsOf(input.chain).weeks)

/** Whether somebody could sell what it had just bought, or half of it; `undefined` where nobody could buy, or that could not be run. */
const isSold = (within: Trials['within'], results: Further['made'][number]): boolean | undefined => {
  const [bought, all, half] = [within(results, 'half', 0), within(results, 'half', 1), within(results, 'round', 1)]
  return !bought?.ok ? undefined : all?.ok || half?.ok || (all ?? half)?.ok
}

/** Moments of the weeks at which who bought before is tried. */
const TRIED = 3
/** Blocks between the purchase and such a sale: as many as nodes simulate. */
const BLOCKS = 100
/** Part of what is left that each sale is of, basis points. */
const TENTH = 1_000n
/** Seconds it lies before such a sale at least. */
const LEAST_HELD = DAY / 2

/**
 * Whether who bought before is refused at moments at which fresh buyers sell, some of those given: one who sold at first, or one who kept
 * everything. `undefined` where none of them could be run, or fresh buyers were refused too.
 */
const refusedToHolders = async (
  { chain, simulation: given, opening }: TrialInput,
  start: After,
  moments: readonly After[],
): Promise<boolean | undefined> => {
  const [simulation, keeper] = withAnother(chain, given, 'late seller')
  const { setup, person: seller } = simulation
  const { before, ages } = momentsOf(chain)
  const buy = (actor: string): Step => ({ op: 'buy', actor, amount: setup.small })
  const sell = (actor: string, amount: bigint): Step => ({ op: 'sell', actor, amount })
  const fresh = (amount: bigint): Step => ({ op: 'branch', steps: [buy(setup.victim), sell(setup.victim, amount)] })
  const approvals = (who: string) => approvalsBy(chain, { ...simulation, person: who })
  const [soon] = ages
  const bought = momentAt(chain, start.seconds, start.blocks)
  const later = moments.filter(({ seconds }) => seconds > start.seconds + LEAST_HELD)
  const chosen = later.filter((_, i) => i % Math.ceil(later.length / TRIED) === 0)
  const tried = await Promise.all(
    chosen.map(async ({ seconds }) => {
      const blocks = start.blocks + BLOCKS
      const scripts: Script[] = [
        { steps: [...simulation.funding, ...opening, buy(seller)], moment: bought },
        { steps: [buy(keeper)], moment: bought, from: keeper },
        {
          before: [...approvals(seller), ...approvals(keeper)],
          steps: [sell(seller, TENTH)],
          moment: momentAt(chain, start.seconds + soon.seconds, start.blocks + soon.blocks),
        },
        {
          steps: [buy(setup.bystander)],
          moment: momentAt(chain, seconds - before.seconds, blocks - before.blocks),
        },
        { steps: [fresh(10_000n), fresh(5_000n), sell(seller, TENTH)], moment: momentAt(chain, seconds, blocks) },
        { steps: [sell(keeper, TENTH)], moment: momentAt(chain, seconds, blocks), from: keeper },
      ]
      const answers = await runCallsAndScripts(chain, simulation, scripts)
      const [sellers, keepers, , , sales, last] = (answers ?? []).map(({ results }) => results ?? [])
      const [all, half, sold] = sales ?? []
      const open = all?.steps?.[1]?.ok || half?.steps?.[1]?.ok
      const held = [sellers?.at(-1), keepers?.[0]].every((one) => one?.ok && one.b >= FEW_UNITS)
      return open && held ? [sold?.ok, last?.[0]?.ok] : []
    }),
  )
  const ofEach = [0, 1].map((i) => anyOf(tried.map((sales) => sales[i])))
  if (ofEach.includes(false)) return true
  return ofEach.includes(undefined) ? undefined : false
}

/** What sales of fresh accounts say of the hours of a market. `start`: when a person bought whose sales count, where one did. */
export const hoursOf = async (
  input: TrialInput,
  { moments, made }: Further,
  { within }: Trials,
  start: After | undefined,
): Promise<Hours> => {
  const sold = made.map((results) => isSold(within, results))
  const least = sold.length * OPEN
  const sales = moments.filter((_, i) => sold[i])
  const never = sold.filter((ok) => ok === false).length > sold.length - least
  const refused = () => {
    if (sales.length === 0) return never ? true : undefined
    return start ? refusedToHolders(input, start, sales) : false
  }
  return {
    open: sales.length >= least ? true : never ? false : undefined,
    sold: sales.length > 0,
    refusedToHolders: await refused(),
  }
}
