/**
 * Rug pull: soon after launch, the creator of a token takes most of a pool's base reserve, by withdrawing liquidity or selling its tokens
 * into the pool, and gets more base than it put in, after others bought. Withdrawing from an unused pool harms nobody.
 */
import type { OwnPool, PoolEvent } from '../pools/pools.ts'

/** Minimum share of the base reserve taken at once, or within one day. */
export const RESERVE_SHARE = 0.8
/** Maximum time from the launch to a take, s. */
export const WITHIN_S = 30 * 86_400
/** Takes within this time count together, s. */
export const ONE_DAY_S = 86_400
/** Minimum number of distinct buyers other than the creator. */
export const MIN_BUYERS = 3
/**
 * Minimum profit of the creator, US dollars. Bots buy every new token for cents, which would make a rug of every pool that is closed. Our
 * choice.
 */
export const LEAST_PROFIT_USD = 100

/** A rug pull of one pool, as of its last take. */
export type Rug = {
  pool: string
  token: string
  base: string
  /** Share of the base reserve taken. */
  share: number
  /** Base units taken within the day. */
  taken: bigint
  /** Base units that the creator took beyond what it had added. */
  profit: bigint
  buyers: number
  /** Whether the last take was a withdrawal or a sale. */
  by: 'removal' | 'dump'
  /** Transactions of the takes, and creation of the pool (Unix seconds). */
  transactions: string[]
  created_at: number
  time: number
}

type Taken = { time: number; base: bigint; tx_hash: string }

/** Subtracts what was put back from the takes, oldest first. */
const subtractFrom = (taken: readonly Taken[], back: bigint): Taken[] => {
  let left = back
  return taken.map((one) => {
    const held = one.base > 0n ? one.base : 0n
    const offset = held < left ? held : left
    left -= offset
    return { ...one, base: one.base - offset }
  })
}

/**
 * @param events in chain order
 * @param leastProfit base units of the base
 */
export const findRug = (pool: OwnPool, events: readonly PoolEvent[], leastProfit: number): Rug | undefined => {
  const creator = pool.address
  const buyers = new Set<string>()
  let reserve = 0n
  let net = 0n
  let taken: Taken[] = []
  for (const [index, event] of events.entries()) {
    const before = reserve
    reserve += event.base
    const trade = event.event === 'swap'
    if (trade && event.actor !== creator && event.base > 0 && event.token < 0) buyers.add(event.actor)
    if (event.actor !== creator) continue
    net -= event.base
    // Liquidity that is added again was only moved, for example to another price range.
    if (event.event === 'add') taken = subtractFrom(taken, event.base)
    if ((event.base >= 0 && !trade) || event.time > pool.created_at + WITHIN_S) continue
    // Purchases by the creator offset its sales: trading back and forth takes nothing.
    taken = [
      ...taken.filter((t) => t.time >= event.time - ONE_DAY_S),
      { time: event.time, base: -event.base, tx_hash: event.tx_hash },
    ]
    const removed = taken.reduce((sum, t) => sum + t.base, 0n)
    const reserveThen = before + removed + event.base
    const share = reserveThen > 0 ? Number(removed) / Number(reserveThen) : 0
    if (share >= RESERVE_SHARE && buyers.size >= MIN_BUYERS && net > 0 && Number(net) >= leastProfit) {
      const back = events
        .slice(index + 1)
        .filter(({ event: what, actor, time }) => what === 'add' && actor === creator && time <= event.time + ONE_DAY_S)
      if (Number(back.reduce((sum, { base }) => sum + base, 0n)) >= RESERVE_SHARE * Number(removed)) continue
      return {
        pool: pool.pool,
        token: pool.token,
        base: pool.base,
        by: trade ? 'dump' : 'removal',
        share: Math.min(1, share),
        taken: removed,
        profit: net,
        buyers: buyers.size,
        transactions: taken.filter((t) => t.base > 0).map((t) => t.tx_hash),
        created_at: pool.created_at,
        time: event.time,
      }
    }
  }
  return undefined
}
