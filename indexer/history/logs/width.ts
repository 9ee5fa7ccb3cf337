/**
 * How many blocks the next `eth_getLogs` of an endpoint covers. A limit named by the provider is kept for a day. Otherwise the
 * width halves when a range is refused, and grows towards a target of results and time, as in other log indexers (ponder,
 * rindexer, HyperIndex).
 */
import type { Refusal } from './limits.ts'

/** Width of ranges for one endpoint, learned from its answers. */
export type Width = {
  /** Number of blocks to ask for, at least one. */
  blocks: () => number
  /** The endpoint answered a range of `blocks` blocks. */
  answered: (blocks: number, logs: number, ms: number) => void
  /** The endpoint refused a range of `blocks` blocks from `from`, or did not answer. */
  refused: (from: number, blocks: number, refusal: Refusal) => void
}

/** A new chain fits in one range of this width. */
const FIRST_WIDTH = 10_000
/** Maximum width, so that answers stay small and progress is visible. */
const MAX_WIDTH = 1_000_000
/** Target size and duration of one answer. */
const GOAL_LOGS = 2_000
const GOAL_MS = 2_000
const GROWTH = 4
const FORGET_MS = 24 * 3_600_000

/** A width for an unknown endpoint. `now` is in ms. */
export const createWidth = (now: () => number): Width => {
  let width = FIRST_WIDTH
  let cap: { blocks: number; since: number } | undefined

  const maxWidth = () => {
    if (cap && now() - cap.since > FORGET_MS) cap = undefined
    return cap?.blocks ?? MAX_WIDTH
  }

  return {
    blocks: () => Math.max(1, Math.min(width, maxWidth())),
    answered: (blocks, logs, ms) => {
      // A range cut short by the end of the walk proves nothing about wider ones.
      if (blocks < Math.min(width, maxWidth())) return
      const room = Math.min(GOAL_LOGS / Math.max(1, logs), GOAL_MS / Math.max(1, ms))
      width = Math.min(maxWidth(), Math.max(1, Math.floor(blocks * Math.min(GROWTH, Math.max(0.5, room)))))
    },
    refused: (from, blocks, refusal) => {
      if (refusal.kind === 'range' && refusal.maxBlocks !== undefined && refusal.maxBlocks < blocks) {
        cap = { blocks: refusal.maxBlocks, since: now() }
        width = refusal.maxBlocks
        return
      }
      const suggested = refusal.kind === 'results' && refusal.upTo !== undefined ? refusal.upTo - from + 1 : undefined
      const half = Math.max(1, Math.floor(blocks / 2))
      width = suggested !== undefined && suggested >= 1 && suggested < blocks ? suggested : half
      // A range limit without a number: wider ranges will be refused, too.
      if (refusal.kind === 'range') cap = { blocks: Math.max(1, blocks - 1), since: now() }
    },
  }
}
