/** Accounts that control a token's liquidity without having created the token. */
import type { PoolEvent } from './exits.ts'

/** Share of all liquidity from which a provider counts as an insider. */
const INSIDER_SHARE = 0.2
/** USD value in other pools from which the token counts as traded before. */
const TRADED = 1_000

/** Accounts that provided a large share of the liquidity. */
export const largeProviders = (events: readonly PoolEvent[]): Set<string> => {
  const added = events.filter(({ event }) => event === 'add')
  const total = added.reduce((sum, { value }) => sum + value, 0)
  const people = new Set(added.map(({ actor }) => actor))
  const shareOf = (who: string) =>
    added.reduce((sum, { actor, value }) => (actor === who ? sum + value : sum), 0) / total
  return new Set([...people].filter((who) => total > 0 && shareOf(who) >= INSIDER_SHARE))
}

/**
 * Fraction (1/n) of the supply that an account must add to pools to control a token whose creator supplied it nothing.
 */
const LARGE_PART = 10n

/** Whether an account added a large part of the supply to pools. True when an amount is unknown. */
export const addedMuchSupply = (events: readonly PoolEvent[], who: string, supply: bigint): boolean => {
  const added = events.filter(({ event, actor }) => event === 'add' && actor === who).map(({ tokens }) => tokens)
  return (
    added.includes(undefined) || LARGE_PART * added.reduce((sum: bigint, tokens) => sum + (tokens ?? 0n), 0n) >= supply
  )
}

/** Accounts that opened pools of the token. Launchers control their liquidity as a creator does; guests do not. */
export type Openers = {
  /** Accounts that filled an empty pool while the token was not traded elsewhere. */
  launchers: Set<string>
  /** Accounts that opened another pool of a token that was already traded: anyone may do that and withdraw again. */
  guests: Set<string>
}

/** Finds who filled empty pools. `events` in chain order; `reserves`: current value of each pool. */
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
