/** What came of simulated sales of existing holders. */
import { type Outcome, worked } from '../outcome.ts'
import type { Trials } from '../tried/trials.ts'

/** What simulated sales show of existing holders. Those who hold next to nothing are in none of the counts. */
export type HolderSales = {
  /** Holders of whose sale something is known. */
  tried: number
  /** Those refused at every moment that was answered. */
  blocked: string[]
  /** Those whose sale is accepted, and of which at best a tenth of what others get arrives. */
  siphoned: string[]
  /** Percent that each of those who could sell loses at their first accepted sale, lowest first. */
  taxes: number[]
  /** Holders of whose sale nothing is known: each try went unanswered. */
  unanswered: number
}

/** Where no sale of a holder was simulated. */
export const NO_HOLDERS: HolderSales = { tried: 0, blocked: [], siphoned: [], taxes: [], unanswered: 0 }

/** Part of what arrives from others below which a sale has been siphoned off. */
const SIPHONED = 0.1

/** Which holders were tried, and what their sales are measured by. */
export type HoldersInput = {
  holders: readonly string[]
  /** Base units below which a sale pays nothing to speak of: anybody can be sent a few units of a token. */
  leastHeld: bigint
  /** A usual sale of accounts that hold nothing else. */
  usual: Outcome
  /** Whether the market shows what arrived of a sale. */
  isSeen: boolean
}

/** Percent of a sale that arrives. */
const arrives = (sale: Outcome): number => (sale?.ok ? 100 - sale.tax : 100)

/**
 * Tells refused and siphoned holders from those who could sell. One that was never answered counts as unanswered, and
 * as neither.
 */
export const judgeHolders = ({ over, runs }: Trials, input: HoldersInput): HolderSales => {
  const { holders, leastHeld, usual, isSeen } = input
  const found = holders.flatMap((holder) => {
    const held = runs.map((run) => run?.get(`holder ${holder}`)?.[0]).find((read) => read?.ok)?.a
    // Who holds nothing is refused by every token, so a refusal counts where it is known what was held.
    if (held === undefined) return { holder, sales: [] }
    return held < leastHeld ? [] : { holder, sales: over(`holder ${holder}`, 1).filter((sale) => sale !== undefined) }
  })
  const answered = found.filter(({ sales }) => sales.length > 0)
  const sold = answered
    .map(({ holder, sales }) => ({ holder, sales: worked(sales) }))
    .filter(({ sales }) => sales.length > 0)
  const best = (sales: readonly Outcome[]) => Math.max(...sales.map(arrives))
  return {
    tried: answered.length,
    blocked: answered.filter(({ sales }) => sales.every(({ ok }) => !ok)).map(({ holder }) => holder),
    siphoned: isSeen
      ? sold.filter(({ sales }) => best(sales) < SIPHONED * arrives(usual)).map(({ holder }) => holder)
      : [],
    taxes: isSeen ? sold.flatMap(({ sales: [first] }) => (first ? [first.tax] : [])).sort((a, b) => a - b) : [],
    unanswered: found.length - answered.length,
  }
}
