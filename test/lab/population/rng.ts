import { createRandom, type Random } from '../../../deploy/demo/scenario/random.ts'

/** Seeded random numbers with the distributions of people and money. */
export type Rng = Random & {
  /** True with this probability. */
  happens: (probability: number) => boolean
  /** Evenly between two numbers. */
  between: (low: number, high: number) => number
  /** Whole, both ends included. */
  whole: (low: number, high: number) => number
  /** Waiting time between random events, by mean. */
  wait: (mean: number) => number
  /** Amounts of money: log-normal around a median. */
  amount: (median: number, spread?: number) => number
  /** Sizes and activity: Pareto with exponent 1, cut at `high`. */
  heavy: (low: number, high: number) => number
  sample: <T>(choices: readonly T[], count: number) => T[]
  /** Lower-case hex digits. */
  hex: (digits: number) => string
  address: () => string
}

const DIGITS_AT_ONCE = 8

export const createRng = (seed: number): Rng => {
  const random = createRandom(seed)
  const { next, below } = random
  const between = (low: number, high: number) => low + next() * (high - low)
  const hex = (digits: number) => {
    let text = ''
    while (text.length < digits) {
      text += Math.floor(next() * 2 ** 32)
        .toString(16)
        .padStart(DIGITS_AT_ONCE, '0')
    }
    return text.slice(0, digits)
  }
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return {
    ...random,
    happens: (probability) => next() < probability,
    between,
    whole: (low, high) => low + below(high - low + 1),
    wait: (mean) => -mean * Math.log(1 - next()),
    amount: (median, spread = 1) => median * Math.exp(spread * normal()),
    heavy: (low, high) => Math.floor(low / (1 - next() * (1 - low / high))),
    sample: (choices, count) => {
      const left = [...choices]
      const taken = []
      while (taken.length < count && left.length > 0) {
        const at = below(left.length)
        const [one] = left.splice(at, 1)
        if (one !== undefined) taken.push(one)
      }
      return taken
    },
    hex,
    address: () => `0x${hex(40)}`,
  }
}
