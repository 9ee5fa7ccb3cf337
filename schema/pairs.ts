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

/** The pool behind an id, and the numbers of both tokens where the id has them. */
export const poolOfPair = (id: string): { pool: string; numbers: [number, number] | undefined } => {
  const [pool = '', first, second] = id.split(SEPARATOR)
  return { pool, numbers: first === undefined || second === undefined ? undefined : [Number(first), Number(second)] }
}
