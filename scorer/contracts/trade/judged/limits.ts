/** Limits of a token on the size and frequency of trades. */
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'

/** Limits on trades; `undefined` when they cannot be told from a general refusal. */
export type Limits = {
  /** Selling the full balance is refused while selling part of it works. */
  cannotSellAll: boolean | undefined
  /** A large purchase or transfer is refused while a small one works. */
  limited: boolean | undefined
  /** Trades in quick succession are refused while trades further apart work. */
  cooldown: boolean | undefined
}

const refusesAll = ({ at, over }: Trials, canBuy: boolean | undefined): boolean | undefined => {
  const ok = (plan: string, step: number) => at(plan, step)?.ok
  const [part, injectedPart] = [ok('round', 1), ok('injected', 1)]
  if (part === undefined && injectedPart === undefined) return undefined
  return (
    (part === true && over('half', 1).every((sale) => sale?.ok === false)) ||
    (canBuy === false && injectedPart === true && ok('injectedAll', 0) === false) ||
    (part === true && ok('size2', 0) === true && ok('size2', 1) === false)
  )
}

/**
 * Whether a purchase keeps its account from selling for a while. A holder who did not buy must be able to sell then:
 * otherwise the market is closed, or contracts are refused.
 */
const restsAfterPurchase = ({ runs, at, over, within }: Trials): boolean | undefined => {
  if (at('round', 1)?.ok !== false) return false
  const rests = runs.some((run) => {
    const holders = [within(run, 'injected', 1), within(run, 'injectedAll', 0)]
    return within(run, 'round', 1)?.ok === false && holders.some((sale) => sale?.ok)
  })
  return rests || (over('round', 1).some((sale) => sale?.ok) ? false : undefined)
}

/** Derives limits from trades that were refused when smaller or later ones were not. */
export const judgeLimits = (trials: Trials, { counted, peopleOnly }: People, canBuy: boolean | undefined): Limits => {
  const ok = (plan: string, step: number) => trials.at(plan, step)?.ok
  const cannotSellAll = peopleOnly ? undefined : refusesAll(trials, canBuy)
  const known = canBuy === true && !peopleOnly
  const apart = counted?.sales?.slice(1).some((sale) => sale?.ok) ?? false
  return {
    cannotSellAll,
    limited:
      known && ok('large', 0) !== undefined && ok('half', 0) !== false
        ? ['large', 'size3', 'size2'].some((name) => ok(name, 0) === false)
        : undefined,
    cooldown:
      known && counted?.sales !== undefined
        ? apart &&
          !cannotSellAll &&
          ((ok('twice', 0) === true && ok('twice', 1) === false) || restsAfterPurchase(trials))
        : undefined,
  }
}
