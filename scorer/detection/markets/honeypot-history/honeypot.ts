/**
 * Honeypot by history: many bought, and nobody outside the creator's circle ever sold. Either very many buyers over some time, or fewer
 * buyers of whom several tried: they approved the token, and their call to the approved contract failed.
 */
import type { OwnPool, PoolEvent } from '../pools/pools.ts'

/** Minimum number of distinct outside buyers without failed sales, and minimum time without any sale, s. */
const MANY_BUYERS = 20
const SILENCE_S = 86_400
/** Minimum purchase that counts, US dollars. A smear campaign needs buyers, who must not cost mere cents. Our choice. */
export const LEAST_USD = 10
/** Minimum numbers of buyers and of those with failed sales. */
const SOME_BUYERS = 5
const FAILED_SELLERS = 3

/** A pool whose buyers are trapped. `buyers` and `failedSellers` are distinct accounts. */
export type Honeypot = {
  pool: string
  token: string
  buyers: number
  failedSellers: number
  /** Evidence: failed sales, or else the first purchases. */
  transactions: string[]
}

/** Whether anybody other than the creator sold. */
export const wasSold = ({ address }: OwnPool, events: readonly PoolEvent[]): boolean =>
  events.some(({ event, actor, base, token }) => event === 'swap' && actor !== address && base < 0 && token > 0)

/**
 * Considers only pools that the creator gave liquidity to, because anybody can open a pool for somebody else's token.
 * @param leastPaid base units of the base
 * @param elsewhere events of other pools of the token; a sale in any of them exonerates
 */
export const findHoneypot = (
  pool: OwnPool,
  events: readonly PoolEvent[],
  failed: readonly { holder: string; tx_hash: string }[],
  now: number,
  leastPaid: number,
  elsewhere: readonly PoolEvent[] = [],
): Honeypot | undefined => {
  if (!events.some(({ event, actor }) => event === 'add' && actor === pool.address)) return undefined
  const swaps = events.filter((event) => event.event === 'swap')
  const outside = swaps.filter((swap) => swap.actor !== pool.address)
  const bought = outside.filter((swap) => swap.base > 0 && swap.token < 0 && Number(swap.base) >= leastPaid)
  const sold = wasSold(pool, [...events, ...elsewhere])
  const buyers = new Set(bought.map((swap) => swap.actor))
  const first = bought[0]
  if (sold || first === undefined) return undefined
  const tried = failed.filter((row) => buyers.has(row.holder))
  const silent = buyers.size >= MANY_BUYERS && now - first.time >= SILENCE_S
  const blocked = buyers.size >= SOME_BUYERS && new Set(tried.map((row) => row.holder)).size >= FAILED_SELLERS
  if (!silent && !blocked) return undefined
  return {
    pool: pool.pool,
    token: pool.token,
    buyers: buyers.size,
    failedSellers: tried.length,
    transactions: [...new Set((tried.length > 0 ? tried : bought).map((row) => row.tx_hash))].slice(0, 10),
  }
}
