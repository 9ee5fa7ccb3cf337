/** Faults of a world and their frequency. Probabilities are per call; pauses between events are means, in ms. */
import type { Random } from '../../../deploy/demo/scenario/random.ts'

export type Faults = {
  /** A request that never arrives: the caller gets a time-out. */
  lostRequest: number
  /** A request that is carried out, but never answered. */
  lostAnswer: number
  /** A request or an answer that takes a hundred times as long. */
  slow: number
  /** A server that fails in the middle of an operation. */
  halfDone: number
  crashEveryMs: number
  /** A process that pauses for longer than its lease in a group, then resumes. */
  pauseEveryMs: number
  clockJumpEveryMs: number
  /** Nodes that fail, lag, answer from another branch or forget blocks. */
  nodeFault: number
  reorg: number
  /** A second indexer of a network, or another scorer. */
  rivalEveryMs: number
}

export const NO_FAULTS: Faults = {
  lostRequest: 0,
  lostAnswer: 0,
  slow: 0,
  halfDone: 0,
  crashEveryMs: 0,
  pauseEveryMs: 0,
  clockJumpEveryMs: 0,
  nodeFault: 0,
  reorg: 0,
  rivalEveryMs: 0,
}

/** A mix of faults: each seed has some kinds often, some rarely and some not at all. */
export const drawFaults = (random: Random): Faults => {
  const rate = (...choices: number[]) => random.pick(choices)
  return {
    lostRequest: rate(0, 0.002, 0.01, 0.03),
    lostAnswer: rate(0, 0.002, 0.01, 0.03),
    slow: rate(0, 0.002, 0.02),
    halfDone: rate(0, 0.005, 0.03),
    crashEveryMs: rate(0, 1_500, 4_000, 10_000),
    pauseEveryMs: rate(0, 0, 2_000, 8_000),
    clockJumpEveryMs: rate(0, 0, 10_000),
    nodeFault: rate(0, 0.02, 0.1, 0.3),
    reorg: rate(0.05, 0.15, 0.3),
    rivalEveryMs: rate(0, 0, 6_000),
  }
}
