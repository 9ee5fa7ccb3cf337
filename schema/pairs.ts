/**
 * Pools of more than two tokens. The tables know pools of two, so such a pool is as many of them as it has pairs, each under an
 * id of its own: that of the pool, and the numbers of both tokens in it, the lower one first.
 */

const SEPARATOR = ':'

/** Pairs of so many numbers, the lower one first. */
export const pairsOf = (count: number): [number, number][] =>
  Array.from({ length: count }, (_, i) =>
    Array.from({ length: count - i - 1 }, (_, more): [number, number] => [i, i + 1 + more]),
  ).flat()

/** Id of two of a pool's tokens. */
export const pairId = (pool: string, first: number, second: number): string => [pool, first, second].join(SEPARATOR)

/** Tokens of pools that are followed, at most (Balancer's have no more). */
export const MOST_TOKENS = 8

/** Ids that the pairs of a pool may have, whichever of its tokens are in one. */
export const pairIdsOf = (pool: string): string[] => pairsOf(MOST_TOKENS).map(([i, j]) => pairId(pool, i, j))

/** The pool behind an id, and the numbers of both tokens where the id has them. */
export const poolOfPair = (id: string): { pool: string; numbers: [number, number] | undefined } => {
  const [pool = '', first, second] = id.split(SEPARATOR)
  return { pool, numbers: first === undefined || second === undefined ? undefined : [Number(first), Number(second)] }
}

/** A pool as it was announced: its id, and both tokens in its order. */
export type PoolOfTwo = { id: string; token0: string; token1: string }

/**
 * Parameters of statements that read the swaps of some pools. A swap that states its tokens (columns `factory`, `token0` and `token1`) is
 * stored under the pool that holds them, however many it holds, and belongs to the announced pool of just these two. Any other belongs to
 * the pool it names.
 * @returns `pools`: the ids. `traded`: ids that swaps of them are stored under. `stated`: what swaps of each pool state, in the order of `statedOf`, which has the ids
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
