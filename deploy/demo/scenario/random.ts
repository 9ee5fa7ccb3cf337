/** A seeded random number generator. */
export type Random = {
  /** At least 0, below 1. */
  next: () => number
  /** An integer of at least 0, below `limit`. */
  below: (limit: number) => number
  pick: <T>(choices: readonly T[]) => T
}

/** Mulberry32, public domain, Tommy Ettinger. */
export const createRandom = (seed: number): Random => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    pick: (choices) => {
      const choice = choices[below(choices.length)]
      if (choice === undefined) throw new RangeError('nothing to pick from')
      return choice
    },
  }
}
