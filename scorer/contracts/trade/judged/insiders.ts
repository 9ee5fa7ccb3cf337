/** Whether insiders trade on better terms than others. */
import { anyOf, type Outcome, worked } from '../outcome.ts'
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'
import type { Possible } from './sales.ts'

/** Percentage points by which an insider's tax must be lower. */
const CHEAPER = 2

/** Advantages of insiders. */
export type Favours = {
  /** Insiders (owner, creator) can sell. */
  insiderSells: boolean | undefined
  /** Insiders pay at least two percentage points less tax than others, or trade when others cannot. */
  insiderFavoured: boolean
}

/** Whether an insider's trade cost less than every one of these; false if none of them worked. */
const isCheaper = (mine: readonly Outcome[], others: readonly Outcome[]) => {
  const [least, ...more] = worked(others).map(({ tax }) => tax)
  return least !== undefined && worked(mine).some(({ tax }) => tax + CHEAPER <= Math.min(least, ...more))
}

/** Trades of others: by contracts at the insiders' moment, by the person directly after it, and by people at any time. */
type Others = { contracts: Outcome[]; person: Outcome; people: Outcome[] }

/**
 * Whether insiders pay less than others. A tax that varies may be lower at the insiders' moment, so they are compared
 * with trades of that moment, or with all of people.
 */
const isFavoured = (mine: readonly Outcome[], { contracts, person, people }: Others) =>
  (worked(contracts).length > 0 && isCheaper(mine, [...contracts, person])) || isCheaper(mine, people)

/** Compares current trades of each insider with those of others. */
export const judgeInsiders = (
  { at }: Trials,
  { first, counted, sales }: People,
  insiders: readonly string[],
  { canBuy, canSell }: Possible,
): Favours => {
  const buys = insiders.map((insider) => at(`insider ${insider}`, 0))
  const sells = insiders.flatMap((insider) => [at(`insider ${insider}`, 1), at(`insiderSell ${insider}`, 0)])
  const later = sales?.tried ?? []
  const insiderSells = anyOf(sells.map((sale) => sale?.ok))
  return {
    insiderSells,
    insiderFavoured:
      isFavoured(buys, {
        contracts: [at('half', 0)],
        person: first?.bought,
        people: [first?.bought, counted?.bought, ...later.map(({ buy }) => buy)],
      }) ||
      isFavoured(sells, {
        contracts: [at('half', 1), at('round', 1)],
        person: first?.sales?.[0],
        people: [...(counted?.sales ?? []), ...later.map(({ sale }) => sale)],
      }) ||
      (canSell === false && insiderSells === true) ||
      (canBuy === false && buys.some((one) => one?.ok === true)),
  }
}
