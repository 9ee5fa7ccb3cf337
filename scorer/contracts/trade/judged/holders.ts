/** Interprets simulated sales of existing holders. */
import { type Outcome, worked } from '../outcome.ts'
import type { Trials } from '../tried/trials.ts'

/** Results for existing holders. Holders of next to nothing are not counted at all. */
export type HolderSales = {
  /** Holders with a known result. */
  tried: number
  /** Holders refused at every answered moment at which other accounts could sell, if there was one. */
  blocked: string[]
  /** Holders whose sale is accepted but pays at best a tenth of what others get. */
  siphoned: string[]
  /** Loss of each holder's first accepted sale, percent, lowest first. */
  taxes: number[]
  /** Holders without a known result: every trial went unanswered, or only people can sell. */
  unanswered: number
}

/** Result when no sale of a holder was simulated. */
export const NO_HOLDERS: HolderSales = { tried: 0, blocked: [], siphoned: [], taxes: [], unanswered: 0 }

/** A sale is siphoned when less than this share of what others get arrives. */
const SIPHONED = 0.1

/** The tried holders, and what their sales are compared with. */
export type HoldersInput = {
  holders: readonly string[]
  /** Base units below which a sale pays almost nothing: anyone can be sent a few units of a token. */
  minHeld: bigint
  /** A usual sale by other accounts. */
  usual: Outcome
  /** Whether accounts that buy can sell. */
  canSell: boolean | undefined
  /** Whether the market shows received amounts. */
  showsReceived: boolean
}

/** Percent of a sale that arrives. */
const arrives = (sale: Outcome): number => (sale?.ok ? 100 - sale.tax : 100)

/** Sorts holders into refused, siphoned, and able to sell. A holder without an answer only counts as unanswered. */
export const judgeHolders = ({ over, runs, within }: Trials, input: HoldersInput): HolderSales => {
  const { holders, minHeld, usual, canSell, showsReceived } = input
  const others = runs.map((run) => within(run, 'half', 1)?.ok || within(run, 'round', 1)?.ok)
  // Holders sell as contracts here: where those are refused, by hours or always, a refusal shows nothing about holders.
  const counts = others.includes(true) ? others : others.map(() => !canSell)
  const found = holders.flatMap((holder) => {
    const held = runs.map((run) => run?.get(`holder ${holder}`)?.[0]).find((read) => read?.ok)?.a
    // Every token refuses accounts without a balance, so a refusal counts only when the balance is known.
    if (held === undefined) return { holder, sales: [] }
    const sales = over(`holder ${holder}`, 1).filter((sale, i) => sale && (sale.ok || counts[i]))
    return held < minHeld ? [] : { holder, sales: sales.filter((sale) => sale !== undefined) }
  })
  const answered = found.filter(({ sales }) => sales.length > 0)
  const sold = answered
    .map(({ holder, sales }) => ({ holder, sales: worked(sales) }))
    .filter(({ sales }) => sales.length > 0)
  const best = (sales: readonly Outcome[]) => Math.max(...sales.map(arrives))
  return {
    tried: answered.length,
    blocked: answered.filter(({ sales }) => sales.every(({ ok }) => !ok)).map(({ holder }) => holder),
    siphoned: showsReceived
      ? sold.filter(({ sales }) => best(sales) < SIPHONED * arrives(usual)).map(({ holder }) => holder)
      : [],
    taxes: showsReceived ? sold.flatMap(({ sales: [first] }) => (first ? [first.tax] : [])).sort((a, b) => a - b) : [],
    unanswered: found.length - answered.length,
  }
}
