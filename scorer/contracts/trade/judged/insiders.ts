/** Whether insiders trade on better terms than others. */
import { anyOf, type Outcome } from '../outcome.ts'
import type { Trials } from '../tried/trials.ts'
import type { Losses } from './losses.ts'
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

const isCheaper = (mine: readonly Outcome[], others: Outcome) =>
  others?.ok === true && mine.some((result) => result?.ok === true && result.tax + CHEAPER <= others.tax)

/** Compares current trades of each insider with usual trades of others. */
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
