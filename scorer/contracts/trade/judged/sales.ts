/** Whether accounts can buy and sell at all. Accounts without code count before contract accounts. */
import { anyOf, type Outcome } from '../outcome.ts'
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'
import type { LaterVerdict } from './returning.ts'

/** Whether trades are possible; `undefined` when not tried. */
export type Possible = {
  /** False when fresh buyers are refused at every moment. */
  canBuy: boolean | undefined
  canSell: boolean | undefined
  /**
   * Fresh accounts bought at every moment and no sale was ever accepted; `undefined` when one of these could not be
   * run.
   */
  neverSold: boolean | undefined
}

const okOf = (results: readonly Outcome[]) => results.map((result) => result?.ok)

/** Whether no sale by anyone but insiders was accepted. */
const isNeverSold = (
  { buys, freshSells, injectedSells, over, at }: Trials,
  { counted, sales }: People,
  injected: boolean,
): boolean | undefined => {
  const sizes = ['size2', 'size3', 'large'].filter((name) => at(name, 0)?.ok !== false)
  const larger = sizes.map((name) => (at(name, 0)?.ok ? at(name, 1) : undefined))
  // Traders within one transaction, holders who never bought, and buyers of long ago: one of the last two must be
  // known.
  const patient = [...(injected ? injectedSells : []), ...(counted?.sales ?? (injected ? [] : [undefined]))]
  const ran = (sales?.tried ?? []).flatMap(({ sale }) => sale ?? [])
  const sold = okOf([...freshSells, ...over('round', 2), ...larger, ...patient, ...ran])
  const bought = okOf(buys)
  if (buys.length === 0 || bought.includes(false) || sold.includes(true)) return false
  return [...bought, ...sold].includes(undefined) ? undefined : true
}

/** `injected`: an account was given tokens without a trade. */
export const judgePossible = (
  trials: Trials,
  people: People,
  later: LaterVerdict | undefined,
  injected: boolean,
): Possible => {
  const { buys, visits, freshSells, injectedSells } = trials
  const canBuy = anyOf(okOf([...buys, ...visits, people.first?.bought]))
  return {
    canBuy,
    canSell:
      anyOf([...okOf(people.counted?.sales ?? []), ...(later?.open ? [true] : [])]) ??
      anyOf(okOf([...freshSells, ...(canBuy ? [] : injectedSells)])),
    neverSold: isNeverSold(trials, people, injected),
  }
}
