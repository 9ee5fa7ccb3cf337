/** Markets that let people sell at first and refuse them later, or refuse those who did not sell at first. */
import type { FirstSale } from '../tried/first-sales.ts'
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'
import type { Hours } from '../tried/weeks.ts'
import type { LaterVerdict } from './returning.ts'

/** Ages from which a sale is late: from a day on. */
const LATE = 3

/** What sales after the first day show. */
export type Late = {
  soldAtOnce: boolean
  /** Who bought now is refused from a day on. */
  closedForOld: boolean
  /** Whether the weeks that follow have to be tried. */
  mayBeClosed: boolean
}

/** Reads the trials for signs of a market that closes. Where there may be one, the weeks that follow are tried too. */
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
  const closedForOld = old.length > 0 && old.every((sale) => sale?.ok === false)
  return {
    soldAtOnce,
    closedForOld,
    mayBeClosed: later?.seldom === true || closedForOld || (soldAtOnce && closedForNew),
  }
}

/** All that was seen of later sales. What was not tried is `undefined` and accuses nobody. */
export type ClosingInput = {
  late: Late
  people: People
  later: LaterVerdict | undefined
  hours: Hours | undefined
  firsts: readonly FirstSale[] | undefined
}

/** How selling ends, in words; `undefined` where it does not, as far as was seen. */
export const judgeClosing = (input: ClosingInput): string | undefined => {
  const { late, people, later, hours, firsts = [] } = input
  // What cannot differ from moment to moment has no hours. Where hardly anybody can buy, what people bought before shows whether it sells.
  const closed = hours
    ? hours.open === false || (!hours.sold && late.closedForOld && later?.open === false)
    : late.closedForOld && !later?.open
  const { soldAtOnce, closedForOld } = late
  const oks = (people.lived?.sales ?? []).map((sale) => sale?.ok)
  const ways: [boolean, string][] = [
    [
      closed && (soldAtOnce || (oks[0] === true && closedForOld && !later?.open)),
      'selling works at first and is refused later',
    ],
    [
      hours?.open === false && (hours.sold || later?.open === false),
      'selling is refused at nearly every moment of the weeks that follow',
    ],
    [
      hours?.refusedToHolders === true && (soldAtOnce || oks[0] === true),
      'selling works at first and is refused later to those who bought before',
    ],
    [
      oks.includes(true) && people.lived?.lateSale?.ok === false,
      'selling is refused to those who did not sell on the first day',
    ],
    [
      // They are known to sell elsewhere in the week where this was tried.
      firsts.length > 0 && firsts.every(({ sale }) => sale?.ok === false) && hours?.refusedToHolders !== false,
      'selling is refused to those who did not sell in the first hour, or while others trade',
    ],
  ]
  return ways.find(([holds]) => holds)?.[1]
}
