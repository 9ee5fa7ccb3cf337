/** Detects markets that allow sales at first and refuse them later, or refuse accounts that did not sell at first. */
import type { FirstSale } from '../tried/first-sales.ts'
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'
import type { Hours } from '../tried/weeks.ts'
import type { LaterVerdict } from './returning.ts'

/** Index of the first age of a day or more. */
const LATE = 3

/** What sales after the first day show. */
export type LateSales = {
  soldAtOnce: boolean
  /** Accounts that buy now are refused from a day on. */
  closedForOld: boolean
  /** Whether the following weeks must be tried. */
  mayBeClosed: boolean
}

/** Looks for signs of a market that closes. If there are any, the following weeks are tried too. */
export const readLateSales = (
  { at, runs, within }: Trials,
  { counted }: People,
  later: LaterVerdict | undefined,
): LateSales => {
  const soldAtOnce = [at('half', 1)?.ok, at('round', 1)?.ok].includes(true)
  const days = runs.slice(2)
  const closedForNew =
    days.length > 0 &&
    days.every((run) => {
      const [bought, all, part] = [within(run, 'half', 0), within(run, 'half', 1), within(run, 'round', 1)]
      return bought?.ok === true && all?.ok === false && part?.ok === false
    })
  const old = (counted?.sales ?? []).slice(LATE)
  const closedForOld = old.length > 0 && old.every((sale) => sale?.ok === false)
  return {
    soldAtOnce,
    closedForOld,
    mayBeClosed: later?.mostlyRefused === true || closedForOld || (soldAtOnce && closedForNew),
  }
}

/** Results of later sales. What was not tried is `undefined` and proves nothing. */
export type ClosingInput = {
  late: LateSales
  people: People
  later: LaterVerdict | undefined
  hours: Hours | undefined
  firsts: readonly FirstSale[] | undefined
}

/** Whether every first sale was refused. */
export const areRefused = (firsts: readonly FirstSale[] = []): boolean =>
  firsts.length > 0 && firsts.every(({ sale }) => sale?.ok === false)

/** Describes how selling ends; `undefined` when it does not, as far as was seen. */
export const judgeClosing = (input: ClosingInput): string | undefined => {
  const { late, people, later, hours, firsts = [] } = input
  // A market that cannot vary has no hours. When hardly anyone can buy, earlier buyers show whether the token sells.
  const closed = hours
    ? hours.open === false || (!hours.sold && late.closedForOld && later?.open === false)
    : late.closedForOld && !later?.open
  const { soldAtOnce, closedForOld } = late
  const oks = (people.counted?.sales ?? []).map((sale) => sale?.ok)
  const ways: [boolean, string][] = [
    [
      closed && (soldAtOnce || (oks[0] === true && closedForOld && !later?.open)),
      'selling works at first and is refused later',
    ],
    [
      hours?.open === false && (hours.sold || later?.open === false),
      'selling is refused at nearly every moment of the following weeks',
    ],
    [
      hours?.refusedToHolders === true && (soldAtOnce || oks[0] === true),
      'selling works at first and is refused later to those who bought before',
    ],
    [
      oks.includes(true) && people.counted?.lateSale?.ok === false,
      'selling is refused to those who did not sell on the first day',
    ],
    [
      // A market that may have hours must refuse them at open hours too.
      areRefused(firsts) && (!hours || hours.refusedToHolders === true),
      'selling is refused to those who did not sell in the first hour, or while others trade',
    ],
  ]
  return ways.find(([holds]) => holds)?.[1]
}
