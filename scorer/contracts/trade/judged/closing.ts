/** Markets that let people sell at first and refuse them later, or refuse those who did not sell at first. */
import type { FirstSale } from '../tried/first-sales.ts'
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'
import type { LaterVerdict } from './returning.ts'

/** Ages from which a sale is late: from a day on. */
const LATE = 3

export type Late = {
  soldAtOnce: boolean
  /** Who buys a day later or more is refused. */
  closedForNew: boolean
  /** Who bought now is refused from a day on. */
  closedForOld: boolean
  /** Whether sales may be refused for weeks, so that the month has to be tried. */
  mayBeClosed: boolean
}

export const seeLate = ({ at, runs, within }: Trials, { lived }: People, later: LaterVerdict | undefined): Late => {
  const soldAtOnce = [at('half', 1)?.ok, at('round', 1)?.ok].includes(true)
  const days = runs.slice(2)
  const closedForNew =
    days.length > 0 &&
    days.every((run) => {
      const [bought, all, part] = [within(run, 'half', 0), within(run, 'half', 1), within(run, 'round', 1)]
      return bought?.ok === true && all?.ok === false && part?.ok === false
    })
  const old = (lived?.sales ?? []).slice(LATE)
  return {
    soldAtOnce,
    closedForNew,
    closedForOld: old.length > 0 && old.every((sale) => sale?.ok === false),
    mayBeClosed: later !== undefined && ((later.open && soldAtOnce && closedForNew) || later.open === false),
  }
}

export type ClosingInput = {
  late: Late
  people: People
  later: LaterVerdict | undefined
  /** Whether fresh buyers can sell in the month that follows, where that was tried. */
  soldInMonth: boolean | undefined
  firsts: readonly FirstSale[] | undefined
}

/** How selling ends, in words; `undefined` where it does not, as far as was seen. */
export const judgeClosing = ({ late, people, later, soldInMonth, firsts = [] }: ClosingInput): string | undefined => {
  const { soldAtOnce, closedForNew, closedForOld } = late
  const oks = (people.lived?.sales ?? []).map((sale) => sale?.ok)
  const ways: [boolean, string][] = [
    [
      ((soldAtOnce || oks[0] === true) && closedForOld && !later?.open) || (soldAtOnce && closedForNew && !soldInMonth),
      'selling works at first and is refused later',
    ],
    [
      later?.open === false && soldInMonth === false,
      'selling is refused at nearly every moment of the weeks that follow',
    ],
    [
      oks.includes(true) && people.lived?.lateSale?.ok === false,
      'selling is refused to those who did not sell on the first day',
    ],
    [
      firsts.length > 0 && firsts.every(({ sale }) => sale?.ok === false),
      'selling is refused to those who did not sell in the first hour, or while others trade',
    ],
  ]
  return ways.find(([holds]) => holds)?.[1]
}

/** Whether fresh buyers can sell in the month that follows. `undefined` where they cannot buy, or that could not be run. */
export const sellsInMonth = (runs: Trials['runs']): boolean | undefined => {
  const all = runs.map((run) => run?.get('half') ?? [])
  const sold = runs.flatMap((run) => [run?.get('half')?.[1]?.ok, run?.get('round')?.[1]?.ok])
  if (sold.includes(true)) return true
  return all.every(([bought, sale]) => bought?.ok && sale?.ok === false) ? false : undefined
}
