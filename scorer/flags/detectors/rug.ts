/**
 * Rug pull: the creator of a token takes most of a pool's base reserve soon after launch, by withdrawing liquidity or by
 * dumping its tokens on the pool, with more base than it put in, after others bought. The creator's own withdrawal from a pool nobody else used harms nobody and is none.
 */
import type { OwnPool, PoolEvent } from './pools.ts'

/** Part of the base reserve taken at once, or within one day. */
export const RESERVE_SHARE = 0.8
const WITHIN_S = 30 * 86_400
const ONE_DAY_S = 86_400
/** Distinct buyers beside the creator. */
export const MIN_BUYERS = 3

export type Rug = {
  pool: string
  token: string
  base: string
  /** Share of the base reserve that went. */
  share: number
  /** Base units taken within the day. */
  taken: number
  /** Base units the creator took beyond what it had added. */
  profit: number
  buyers: number
  /** Whether the last take was a withdrawal or a sale. */
  by: 'removal' | 'dump'
  /** Takes, and when the pool appeared (Unix seconds). */
  transactions: string[]
  created_at: number
  time: number
}

/** Events are in chain order. */
export const findRug = (pool: OwnPool, events: readonly PoolEvent[]): Rug | undefined => {
  const creator = pool.address
  const buyers = new Set<string>()
  let reserve = 0
  let net = 0
  let taken: { time: number; base: number; tx_hash: string }[] = []
  for (const event of events) {
    const before = reserve
    reserve += event.base
    const trade = event.event === 'swap'
    if (trade && event.actor !== creator && event.base > 0 && event.token < 0) buyers.add(event.actor)
    if (event.actor !== creator) continue
    net -= event.base
    if ((event.base >= 0 && !trade) || event.time > pool.created_at + WITHIN_S) continue
    // What the creator bought back offsets what it sold: trading to and fro takes nothing.
    taken = [
      ...taken.filter((t) => t.time >= event.time - ONE_DAY_S),
      { time: event.time, base: -event.base, tx_hash: event.tx_hash },
    ]
    const removed = taken.reduce((sum, t) => sum + t.base, 0)
    const reserveThen = before + removed + event.base
    const share = reserveThen > 0 ? removed / reserveThen : 0
    if (share >= RESERVE_SHARE && buyers.size >= MIN_BUYERS && net > 0) {
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

/** Whether the creator put what it took into other pools of the token within a day: a move, which leaves holders a market. */
export const movedOn = (rug: Rug, creator: string, others: readonly (readonly PoolEvent[])[]): boolean => {
  const added = others
    .flat()
    .filter(({ event, actor, time }) => event === 'add' && actor === creator && Math.abs(time - rug.time) <= ONE_DAY_S)
    .reduce((sum, { base }) => sum + base, 0)
  return added >= RESERVE_SHARE * rug.taken
}
