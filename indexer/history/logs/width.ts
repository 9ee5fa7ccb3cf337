/**
 * How many blocks the next `eth_getLogs` of an endpoint covers. A limit that a provider names is kept for a day; otherwise the
 * width halves when an answer is refused and grows towards a goal of results and time, as in history-walking indexers
 * (ponder, rindexer, HyperIndex).
 */
import type { Refusal } from './limits.ts'

/** How wide ranges of one endpoint are, as its answers teach it. */
export type Width = {
  /** Blocks to ask for, at least one. */
  blocks: () => number
  /** The endpoint answered a range of `blocks` with so many logs in so much time. */
  answered: (blocks: number, logs: number, ms: number) => void
  /** The endpoint refused, or gave no answer for, a range that begins at `from` and has `blocks` blocks. */
  refused: (from: number, blocks: number, refusal: Refusal) => void
}

/** A young chain is one range of this width. */
const FIRST = 10_000
/** No endpoint is asked for more, so that one answer stays small and progress is seen. */
const MOST = 1_000_000
/** An answer of this many logs, or this long, is as much as one call should take. */
const GOAL_LOGS = 2_000
const GOAL_MS = 2_000
const GROWTH = 4
const FORGET_MS = 24 * 3_600_000

/** A width that knows nothing of its endpoint yet. `now` is in ms. */
export const createWidth = (now: () => number): Width => {
  let width = FIRST
  let cap: { blocks: number; since: number } | undefined

  const most = () => {
    if (cap && now() - cap.since > FORGET_MS) cap = undefined
    return cap?.blocks ?? MOST
  }

  return {
    blocks: () => Math.max(1, Math.min(width, most())),
    answered: (blocks, logs, ms) => {
      // A range cut short by the end of the walk tells nothing about wider ones.
      if (blocks < Math.min(width, most())) return
      const room = Math.min(GOAL_LOGS / Math.max(1, logs), GOAL_MS / Math.max(1, ms))
      width = Math.min(most(), Math.max(1, Math.floor(blocks * Math.min(GROWTH, Math.max(0.5, room)))))
    },
    refused: (from, blocks, refusal) => {
      if (refusal.kind === 'range' && refusal.most !== undefined && refusal.most < blocks) {
        cap = { blocks: refusal.most, since: now() }
        width = refusal.most
        return
      }
      const suggested = refusal.kind === 'results' && refusal.upTo !== undefined ? refusal.upTo - from + 1 : undefined
      const half = Math.max(1, Math.floor(blocks / 2))
      width = suggested !== undefined && suggested >= 1 && suggested < blocks ? suggested : half
      // A range limit without a number: wider ranges are refused as well.
      if (refusal.kind === 'range') cap = { blocks: Math.max(1, blocks - 1), since: now() }
    },
  }
}
