/** What sizes and intervals of trades a token allows. */
import type { People } from '../tried/people.ts'
import type { Trials } from '../tried/trials.ts'

/** Limits on trades; `undefined` where they could not be told from a refusal of everything. */
export type Limits = {
  /** Selling everything is refused while selling part works. */
  cannotSellAll: boolean | undefined
  /** A large buy or transfer is refused while a small one works. */
  limited: boolean | undefined
  /** Trades close together are refused, apart they work. */
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

/** Reads limits out of trades that were refused where smaller or later ones were not. */
export const judgeLimits = (trials: Trials, { lived, peopleOnly }: People, canBuy: boolean | undefined): Limits => {
  const ok = (plan: string, step: number) => trials.at(plan, step)?.ok
  const cannotSellAll = peopleOnly ? undefined : refusesAll(trials, canBuy)
  const known = canBuy === true && !peopleOnly
  const [again, partly] = [ok('twice', 1), ok('round', 1)]
  const apart = lived?.sales?.slice(1).some((sale) => sale?.ok) ?? false
  return {
    cannotSellAll,
    limited:
      known && ok('large', 0) !== undefined
        ? ['large', 'size3', 'size2'].some((name) => ok(name, 0) === false)
        : undefined,
    cooldown:
      known && lived?.sales !== undefined
        ? apart && !cannotSellAll && (again === false || partly === false)
        : undefined,
  }
}
