/**
 * Later moments at which trades are tried. Authors of malicious tokens can read this file, so the moments are derived
 * from values that nobody knew before the pinned block and no contract can read. The same block gives the same moments.
 */
import { keccakHex } from '../../../../platform/keccak.ts'
import type { ChainReader } from '../../chain/chain.ts'

const MINUTE = 60
/** Seconds of an hour. */
export const HOUR = 3_600
/** Seconds of a day. */
export const DAY = 86_400

/** A span after the pinned block. */
export type After = { seconds: number; blocks: number }
/** The span that ends `span` after `start`. */
export const addSpan = (start: After, span: After): After => ({
  seconds: start.seconds + span.seconds,
  blocks: start.blocks + span.blocks,
})
/** The span that ends `span` before `end`. */
export const beforeSpan = (end: After, span: After): After => ({
  seconds: end.seconds - span.seconds,
  blocks: end.blocks - span.blocks,
})
/** Blocks before a moment of the following weeks, and how many more there may be. */
const [FEW, MORE] = [100, 16]
/** The same time with few blocks: nodes simulate no sequence over as many as weeks have. */
export const withFewBlocks = ({ seconds, blocks }: After): After => ({ seconds, blocks: FEW + (blocks % MORE) })

/** A sampled block, and the gas price of its transaction. */
export type Sample = After & {
  /** 32 bytes of hex. */
  prevRandao: string
  /** `undefined`: the proposer of the pinned block. */
  coinbase: string | undefined
  /** Priority fee, wei. */
  tip: bigint
}

/** When trades are tried, as spans after the pinned block or after a purchase. */
export type Moments = {
  /**
   * Ages of a purchase at which it is sold: within a minute, five to ten minutes, one to two hours, one to two days,
   * and a month. Nodes simulate at most 256 blocks ahead, including the empty ones in between (geth, Erigon and
   * Nethermind), give each of those 12 s, and take longer for each. Changes over more blocks are covered by `repeats`.
   */
  ages: [After, After, After, After, After]
  /** The latest purchase that can be simulated with all sales after it. */
  far: After
  /** Two years: a token that can only be sold later than that is treated as a trap. */
  years: After
  /** Spans after the price rose: minutes, a day and a week. */
  afterRise: [After, After, After]
  /** Span between a purchase by somebody else and a first sale: minutes. */
  before: After
  /** An hour, a day and a month later, with as many blocks as on mainnet. */
  repeats: [After, After, After]
  /**
   * First sales by accounts that kept everything: one to two hours, and 12 to 20 hours, after buying. Taxes that fall
   * all day are judged from 12 hours on (`lastingTax`).
   */
  firstSales: [After, After]
  /**
   * Three moments in the first day, and one in each of the following twelve days at a different part of the day; half
   * of them in even blocks. With the purchase they fill the 16 blocks that every node simulates.
   */
  samples: Sample[]
  /** Other moments drawn likewise, for sales through the router. */
  routerSamples: Sample[]
  /**
   * One moment in each two hours of the week, two hours apart within a day, each in one of the four weeks after the
   * first day, with about as many blocks as on mainnet. A market open for n whole hours in a row is met n / 2 times at
   * least, and once more at most.
   */
  weeks: After[]
}

/** Bounds of the first day's moments, seconds. */
const FIRST_DAY = [600, HOUR, 5 * HOUR, DAY] as const
const DAYS = 12
const PART = DAY / DAYS
const [WEEKS, WEEK] = [4, 7]
/** Seconds between blocks. */
const BLOCK = 12
/** Range of usual priority fees, wei. */
const [MIN_TIP, MAX_TIP] = [1_000_000, 2_000_000_000]

/** Deterministic random numbers in [0, 1) and 32-byte words from a seed. */
const drawer = (seed: string) => {
  let turn = 0
  const word = () => keccakHex(Buffer.from(`${seed} ${turn++}`)).slice(2)
  let left = ''
  const next = (): number => {
    if (left === '') left = word()
    const value = Number.parseInt(left.slice(0, 8), 16) / 2 ** 32
    left = left.slice(8)
    return value
  }
  const whole = (from: number, below: number) => from + Math.floor(next() * (below - from))
  const shuffled = <T>(items: readonly T[]): T[] => {
    const list = [...items]
    for (let i = list.length - 1; i > 0; i--) {
      const j = whole(0, i + 1)
      ;[list[i], list[j]] = [list[j] as T, list[i] as T]
    }
    return list
  }
  return { word, next, whole, shuffled }
}

/** Seed of the moments: from the pinned block and its network. */
type Seed = Pick<ChainReader, 'seed' | 'timeStep'>

const draw = ({ seed, timeStep }: Seed): Moments => {
  const { word, next, whole, shuffled } = drawer(seed)
  // On networks with fixed block times, a token could recognise other times.
  const whenBlocksCome = (from: number, below: number) => {
    const seconds = whole(from, below)
    return seconds - (seconds % timeStep)
  }
  const around = (from: number, below: number, blocks: number): After => ({
    seconds: whenBlocksCome(from, below),
    blocks,
  })
  const apart = (from: number, below: number): After => {
    const seconds = whenBlocksCome(from, below)
    return { seconds, blocks: Math.round(seconds / BLOCK) }
  }
  const repeats: [After, After, After] = [apart(HOUR, 2 * HOUR), apart(DAY, 2 * DAY), apart(30 * DAY, 37 * DAY)]
  const firstSales: [After, After] = [around(HOUR, 2 * HOUR, 50), around(DAY / 2, 20 * HOUR, 65)]
  const drawSamples = (): Sample[] => {
    const parts = shuffled(Array.from({ length: DAYS }, (_, i) => i))
    const times = [
      ...FIRST_DAY.slice(1).map((below, i) => whenBlocksCome(FIRST_DAY[i] ?? 0, below)),
      ...parts.map((part, i) => (i + 1) * DAY + part * PART + whenBlocksCome(0, PART)),
    ]
    const odds = shuffled(times.map((_, i) => i % 2))
    let blocks = 1
    return times.map((seconds, i): Sample => {
      blocks += (blocks + 1) % 2 === odds[i] ? 1 : 2
      return {
        seconds,
        blocks,
        prevRandao: `0x${word()}`,
        coinbase: next() < 0.5 ? undefined : `0x${word().slice(24)}`,
        tip: BigInt(Math.round(MIN_TIP * (MAX_TIP / MIN_TIP) ** next())),
      }
    })
  }
  const ages: Moments['ages'] = [
    around(25, MINUTE, 2),
    around(5 * MINUTE, 10 * MINUTE, whole(12, 22)),
    around(HOUR, 2 * HOUR, whole(40, 60)),
    around(DAY + HOUR, 2 * DAY, whole(70, 90)),
    around(31 * DAY, 38 * DAY, whole(105, 120)),
  ]
  const far = around(DAY, 2 * DAY, whole(125, 131))
  const years = around(730 * DAY, 760 * DAY, whole(125, 131))
  const before = around(4 * MINUTE, 5 * MINUTE, whole(10, 20))
  const afterRise: Moments['afterRise'] = [
    around(10 * MINUTE, HOUR, whole(5, 20)),
    around(DAY, 2 * DAY, whole(25, 35)),
    around(7 * DAY, 9 * DAY, whole(40, 60)),
  ]
  const weeks = Array.from({ length: WEEK }, (_, day) => ({ day, inPart: whenBlocksCome(0, PART) })).flatMap(
    ({ day, inPart }) =>
      Array.from({ length: DAYS }, (_, part): After => {
        const seconds = (1 + WEEK * whole(0, WEEKS) + day) * DAY + part * PART + inPart
        // A token may tell blocks by their number, so their distances differ.
        return { seconds, blocks: Math.round(seconds / BLOCK) + whole(0, MORE) }
      }),
  )
  const [samples, routerSamples] = [drawSamples(), drawSamples()]
  return { ages, afterRise, far, years, before, repeats, firstSales, samples, routerSamples, weeks }
}

let last: (Seed & { moments: Moments }) | undefined

/** Moments of a pinned block. */
export const momentsOf = ({ seed, timeStep }: Seed): Moments => {
  if (last?.seed !== seed || last.timeStep !== timeStep) last = { seed, timeStep, moments: draw({ seed, timeStep }) }
  return last.moments
}
