/**
 * Pools of more than two tokens. The tables only have pools of two, so such a pool is stored as one pool per pair. A pair's id
 * consists of the pool and the indexes of both tokens in it, the lower one first.
 */

const SEPARATOR = ':'

/** All pairs of `count` indexes, the lower one first. */
export const pairsOf = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: count - i - 1 }, (_, more): [number, number] => [i, i + 1 + more]),
  ).flat()

/** Id of a pair of a pool's tokens. */
export const pairId = (pool: string, first: number, second: number): string => [pool, first, second].join(SEPARATOR)

/** Maximum number of tokens of an indexed pool (Balancer's pools have no more). */
export const MAX_POOL_TOKENS = 8

/** Possible ids of a pool's pairs. */
export const pairIdsOf = (pool: string): string[] => pairsOf(MAX_POOL_TOKENS).map(([i, j]) => pairId(pool, i, j))

/** The pool of an id, and the indexes of both tokens if it is a pair's. */
export const poolOfPair = (id: string): { pool: string; numbers: [number, number] | undefined } => {
  const [pool = '', first, second] = id.split(SEPARATOR)
  return { pool, numbers: first === undefined || second === undefined ? undefined : [Number(first), Number(second)] }
}

/** An announced pool: its id, and both tokens in its order. */
export type PoolOfTwo = { id: string; token0: string; token1: string }

/**
 * Parameters of statements that read the swaps of pools. A swap that states its tokens (columns `factory`, `token0` and `token1`)
 * is stored under the pool that holds them, however many tokens it has, and belongs to the announced pool of exactly these two.
 * Other swaps belong to the pool they name.
 * @returns `pools`: the ids. `traded`: ids that their swaps are stored under. `stated`: the pool and tokens that swaps state,
 *   for the pool ids in `statedOf`, in the same order
 */
export const swapParameters = (
  pools: readonly PoolOfTwo[],
): { pools: string[]; traded: string[]; stated: string[]; statedOf: string[] } => {
  const ids = [...new Set(pools.map(({ id }) => id))]
  const stated = pools.map(({ id, token0, token1 }) => [poolOfPair(id).pool, token0, token1].join(SEPARATOR))
  return {
    pools: ids,
    traded: [...new Set([...ids, ...ids.map((id) => poolOfPair(id).pool)])],
    stated,
    statedOf: pools.map(({ id }) => id),
  }
}
