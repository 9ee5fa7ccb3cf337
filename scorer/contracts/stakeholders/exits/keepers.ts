/**
 * Whose liquidity a withdrawal took. Who sends the transaction is usually whoever held it; where a contract held it, any wallet
 * may call that contract, and what was put into it by somebody else goes on being that person's.
 */
import type { PoolEvent } from './exits.ts'
import type { Gift } from './origins.ts'

/** Withdrawals looked at, those of most. */
const MOST_LOOKED = 8

export type KeepersDeps = {
  /** Who gave the shares of a pool back to it in a transaction; `undefined` when that is not known. */
  keeperOf: (event: PoolEvent) => Promise<string | undefined>
  /** What some accounts received of the shares. */
  giftsTo: (accounts: string[]) => Promise<Gift[]>
}

/** The events, withdrawals of shares that somebody else kept being the keeper's, unless the sender had given it some. */
export const byKeepers = async (
  { keeperOf, giftsTo }: KeepersDeps,
  events: readonly PoolEvent[],
  insiders: ReadonlySet<string>,
): Promise<PoolEvent[]> => {
  const strange = events
    .filter(({ event, actor }) => event === 'remove' && !insiders.has(actor))
    .sort((a, b) => a.value - b.value)
    .slice(0, MOST_LOOKED)
  const kept = new Map<PoolEvent, string>()
  await Promise.all(
    strange.map(async (event) => {
      const keeper = await keeperOf(event)
      if (keeper !== undefined && keeper !== event.actor) kept.set(event, keeper)
    }),
  )
  const gifts = kept.size > 0 ? await giftsTo([...new Set(kept.values())]) : []
  const gave = (actor: string, keeper: string) =>
    gifts.some(({ from, to, signer }) => to === keeper && (from === actor || signer === actor))
  return events.map((event) => {
    const keeper = kept.get(event)
    return keeper === undefined || gave(event.actor, keeper) ? event : { ...event, actor: keeper }
  })
}
