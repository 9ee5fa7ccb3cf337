/** Whether people can buy and sell at all. What a person without code met counts before what accounts with code met. */
import { anyOf, type Outcome } from '../outcome.ts'
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'
import type { LaterVerdict } from './returning.ts'

/** Whether trades are possible at all; `undefined` where it could not be tried. */
export type Possible = {
  /** Fresh buyers refused at every moment although someone holds tokens to sell. */
  canBuy: boolean | undefined
  canSell: boolean | undefined
  /** Fresh buyers bought at every moment and no sale was ever accepted; `undefined` when one of these could not be run. */
  neverSold: boolean | undefined
}

const okOf = (results: readonly Outcome[]) => results.map((result) => result?.ok)

/** No sale of anybody's was accepted, of those that everybody but insiders could make. */
const isNeverSold = (
  { buys, freshSells, injectedSells, over, at }: Trials,
  { lived, sales }: People,
  injected: boolean,
): boolean | undefined => {
  const sizes = ['size2', 'size3', 'large'].filter((name) => at(name, 0)?.ok !== false)
  const larger = sizes.map((name) => (at(name, 0)?.ok ? at(name, 1) : undefined))
  // Traders in one transaction, holders who never bought, and buyers of long ago: one of the last two has to be seen.
  const patient = [...(injected ? injectedSells : []), ...(lived?.sales ?? (injected ? [] : [undefined]))]
  const ran = (sales?.tried ?? []).flatMap(({ sale }) => sale ?? [])
  const sold = okOf([...freshSells, ...over('round', 2), ...larger, ...patient, ...ran])
  const bought = okOf(buys)
  if (buys.length === 0 || bought.includes(false) || sold.includes(true)) return false
  return [...bought, ...sold].includes(undefined) ? undefined : true
}

/** `injected`: whether an account was given tokens without a trade. */
export const judgePossible = (
  trials: Trials,
  people: People,
  later: LaterVerdict | undefined,
  injected: boolean,
): Possible => {
  const { buys, freshSells, injectedSells } = trials
  const canBuy = anyOf(okOf([...buys, people.first?.bought]))
  return {
    canBuy,
    canSell:
      anyOf([...okOf(people.lived?.sales ?? []), ...(later?.open ? [true] : [])]) ??
      anyOf(okOf([...freshSells, ...(canBuy ? [] : injectedSells)])),
    neverSold: isNeverSold(trials, people, injected),
  }
}
