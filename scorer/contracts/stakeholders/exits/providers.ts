/** Who rules over a token's liquidity without having made the token. */
import type { PoolEvent } from './exits.ts'

/** Share of all liquidity above which a provider counts as an insider. */
const INSIDER_SHARE = 0.2
/** Dollars in other pools from which a token was traded already. */
const TRADED = 1_000

/** Who gave most of the liquidity of a pool rules over it, whoever made the token. */
export const largeProviders = (events: readonly PoolEvent[]): Set<string> => {
  const added = events.filter(({ event }) => event === 'add')
  const total = added.reduce((sum, { value }) => sum + value, 0)
  const people = new Set(added.map(({ actor }) => actor))
  const shareOf = (who: string) =>
    added.reduce((sum, { actor, value }) => (actor === who ? sum + value : sum), 0) / total
  return new Set([...people].filter((who) => total > 0 && shareOf(who) >= INSIDER_SHARE))
}

/** Part of the supply that somebody has to put into pools to rule over a token whose maker gave it none. */
const MUCH = 10n

/** Whether somebody added much of a token's supply to its pools; it may have where an amount is not known. */
export const gaveMuch = (events: readonly PoolEvent[], who: string, supply: bigint): boolean => {
  const added = events.filter(({ event, actor }) => event === 'add' && actor === who).map(({ tokens }) => tokens)
  return added.includes(undefined) || MUCH * added.reduce((sum: bigint, tokens) => sum + (tokens ?? 0n), 0n) >= supply
}

/** Who opened pools of the token. Launchers rule over their liquidity as a creator does, guests do not. */
export type Openers = {
  /** Who filled an empty pool while the token was traded nowhere else: later guests may take back what is theirs. */
  launchers: Set<string>
  /** Who opened another pool of a token that others had listed: anybody may do that, and take it back. */
  guests: Set<string>
}

/** Who filled empty pools. `events` in chain order; `reserves`: value in each pool now. */
export const openersOf = (events: readonly PoolEvent[], reserves: ReadonlyMap<string, number>): Openers => {
  const before = new Map(reserves)
  for (const { pool, value } of events) before.set(pool, (before.get(pool) ?? 0) - value)
  const held = new Map(before)
  const opened = new Set<string>()
  const launchers = new Set<string>()
  const guests = new Set<string>()
  for (const { pool, event, actor, value } of events) {
    if (event === 'add' && !opened.has(pool)) {
      opened.add(pool)
      const elsewhere = [...held].reduce((sum, [other, there]) => (other === pool ? sum : sum + Math.max(0, there)), 0)
      if ((before.get(pool) ?? 0) <= value) (elsewhere < TRADED ? launchers : guests).add(actor)
    }
    held.set(pool, (held.get(pool) ?? 0) + value)
  }
  for (const who of launchers) guests.delete(who)
  return { launchers, guests }
}
