/** Whether insiders trade where or for what others do not. */
import { anyOf, type Outcome } from '../outcome.ts'
import type { Trials } from '../tried/trials.ts'
import type { Losses } from './losses.ts'
import type { Possible } from './sales.ts'

/** Percent by which the tax of an insider is lower than that of others. */
const CHEAPER = 2

/** What insiders may that others may not. */
export type Favours = {
  /** Insiders (owner, creator) can sell. */
  insiderSells: boolean | undefined
  /** Insiders pay less tax than others by two percent or more, or trade where others may not. */
  insiderFavoured: boolean
}

const isCheaper = (mine: readonly Outcome[], others: Outcome) =>
  others?.ok === true && mine.some((result) => result?.ok === true && result.tax + CHEAPER <= others.tax)

/** Compares trades of each insider now with usual ones of others. */
export const judgeInsiders = (
  { at }: Trials,
  insiders: readonly string[],
  { canBuy, canSell }: Possible,
  { buy, sell }: Losses,
): Favours => {
  const buys = insiders.map((insider) => at(`insider ${insider}`, 0))
  const sells = insiders.flatMap((insider) => [at(`insider ${insider}`, 1), at(`insiderSell ${insider}`, 0)])
  const insiderSells = anyOf(sells.map((sale) => sale?.ok))
  return {
    insiderSells,
    insiderFavoured:
      isCheaper(buys, buy) ||
      isCheaper(sells, sell) ||
      (canSell === false && insiderSells === true) ||
      (canBuy === false && buys.some((one) => one?.ok === true)),
  }
}
