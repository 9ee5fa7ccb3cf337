/**
 * Exit while holders are locked in: the creator pauses its token for good and takes the base out of the pool at about the same time. Buyers
 * can no longer sell. Unlike a rug pull, it counts at any age of the pool.
 */
import type { OwnPool, PoolEvent } from '../pools/pools.ts'

/** Minimum number of outside buyers before the pause, as for honeypots with failed sales. */
const MIN_BUYERS = 5
/** Minimum share of the base reserve that the creator took. Below it is a founder who sells. Our choice. */
const RESERVE_SHARE = 0.5
/** Maximum time between the take and a later pause, s: many pause right afterwards. Our choice. */
const BEFORE_S = 86_400
/** Minimum duration of a permanent pause, s. Pauses after incidents are lifted within days. Our choice. */
const FOR_GOOD_S = 14 * 86_400

/** A pause of a token, or its end. `time` in Unix seconds. */
export type Pause = { token: string; event: 'pause' | 'unpause'; actor: string; time: number; tx_hash: string }

/** An exit by the creator with the buyers locked in. Amounts in base units of `base`. */
export type PausedExit = {
  pool: string
  token: string
  base: string
  buyers: number
  /** Share of the base reserve taken, 0 to 1. */
  share: number
  /** Base units taken around and after the pause, and the creator's total gain. */
  taken: bigint
  profit: bigint
  pausedIn: string
  transactions: string[]
  /** Times of the last take and of the pause, Unix seconds. */
  time: number
  pausedAt: number
}

/** An outside sale, which proves that the token can be sold. */
const isSale = (creator: string, { event, actor, base, token }: PoolEvent): boolean =>
  event === 'swap' && actor !== creator && base < 0 && token > 0

/**
 * The pause that is still in force. An interruption without any outside sale does not end it.
 * @param trade events of every pool of the token, in any order
 */
const lastingPause = (creator: string, pauses: readonly Pause[], trade: readonly PoolEvent[]): Pause | undefined => {
  let paused: Pause | undefined
  let resumed: number | undefined
  for (const pause of pauses) {
    if (pause.event === 'unpause') {
      resumed = pause.time
      continue
    }
    const [from, until] = [resumed, pause.time]
    const sold =
      from !== undefined && trade.some((one) => one.time >= from && one.time <= until && isSale(creator, one))
    if (paused === undefined || sold) paused = pause
    resumed = undefined
  }
  return resumed === undefined ? paused : undefined
}

/**
 * Call it for pools that pass `mayBePausedExit`, whose creator took more base than it put in.
 * @param events of the pool, in chain order
 * @param elsewhere events of other pools of the token; a sale in any of them exonerates
 * @param now time of the newest block, Unix seconds
 */
export const findPausedExit = (
  pool: OwnPool,
  events: readonly PoolEvent[],
  pauses: readonly Pause[],
  elsewhere: readonly PoolEvent[],
  now: number,
): PausedExit | undefined => {
  const creator = pool.address
  const trade = [...events, ...elsewhere]
  const pause = lastingPause(creator, pauses, trade)
  if (!pause || pause.actor !== creator || now - pause.time < FOR_GOOD_S) return undefined
  if (trade.some((one) => one.time > pause.time && isSale(creator, one))) return undefined
  const buyers = new Set(
    events
      .filter(
        ({ event, actor, base, token, time }) =>
          event === 'swap' && actor !== creator && base > 0 && token < 0 && time <= pause.time,
      )
      .map(({ actor }) => actor),
  )
  if (buyers.size < MIN_BUYERS) return undefined
  const since = pause.time - BEFORE_S
  const reserve = events.reduce((sum, { time, base }) => (time < since ? sum + base : sum), 0n)
  const own = events.filter(({ actor }) => actor === creator)
  const late = own.filter(({ time }) => time >= since)
  const taken = late.reduce((sum, { base }) => sum - base, 0n)
  const profit = own.reduce((sum, { base }) => sum - base, 0n)
  const takes = late.filter(({ base }) => base < 0)
  const last = takes.at(-1)
  if (!last || Number(taken) < RESERVE_SHARE * Number(reserve)) return undefined
  return {
    pool: pool.pool,
    token: pool.token,
    base: pool.base,
    buyers: buyers.size,
    share: reserve > 0 ? Math.min(1, Math.round((Number(taken) / Number(reserve)) * 1e4) / 1e4) : 1,
    taken,
    profit,
    pausedIn: pause.tx_hash,
    transactions: takes.slice(0, 10).map(({ tx_hash }) => tx_hash),
    time: last.time,
    pausedAt: pause.time,
  }
}

/** Whether a pool qualifies for a closer look: enough outside buyers, and a creator who gained at least `leastProfit` base units. */
export const mayBePausedExit = (pool: OwnPool, events: readonly PoolEvent[], leastProfit: number): boolean => {
  const profit = events.reduce((sum, { actor, base }) => (actor === pool.address ? sum - base : sum), 0n)
  const buyers = events.flatMap(({ event, actor, base }) =>
    event === 'swap' && actor !== pool.address && base > 0 ? [actor] : [],
  )
  return profit > 0 && Number(profit) >= leastProfit && new Set(buyers).size >= MIN_BUYERS
}
