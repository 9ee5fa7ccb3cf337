/** A chain that a test changes, and nodes of its family that answer for it: what the source of every family is tested with. */
import type { Source } from '../../../indexer/source/source.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Network } from '../../../schema/networks.ts'

/** What a node of the world does wrong. Whatever else it is asked, it answers as it should. */
export type SourceFault =
  | { kind: 'none' }
  /** It does not have the block of a height, which the chain has. */
  | { kind: 'lacks'; number: number }
  /** It does not know the newest blocks. */
  | { kind: 'lags'; blocks: number }
  /** What it answers for blocks contradicts what they commit to. */
  | { kind: 'lies' }
  /** It refuses the next calls as too many. */
  | { kind: 'refuses'; calls: number }
  /** It calls another block of the same height final. */
  | { kind: 'disputes' }
  /** It takes its time over every answer. */
  | { kind: 'slow'; ms: number }

export type SourceNode = {
  url: string
  misbehave: (fault: SourceFault) => void
  /** Drops what it noted of calls, which grows with them. */
  forget: () => void
  /** It answers no more, for good. */
  stop: () => Promise<void>
}

/** `parted`: another chain than the one that is made without, alike up to some blocks below what is final. */
export type WorldOptions = { parted?: boolean }

/** A chain and nodes of one family. Heights are those of blocks that exist: a family may skip some. */
export type SourceWorld = {
  network: Network
  /** Adds blocks, which hold at least one transaction each. */
  grow: (count: number) => void
  /** Replaces the newest blocks by one more than they were. `undefined` where blocks are final at once. */
  fork: ((depth: number) => void) | undefined
  /** Heights of the chain's blocks, ascending. */
  heights: () => number[]
  hashAt: (number: number) => string
  /** Height of the newest final block. */
  finalHeight: () => number
  /** Starts one more node that answers for the chain. */
  startNode: () => Promise<SourceNode>
  /** A source over some URLs, or all nodes so far, which polls fast and does not wait long. */
  open: (context: Context, options?: { urls?: readonly string[]; aloneAfterMs?: number }) => Source
  /** Highest block that nodes were asked for in whole. */
  asked: () => number
  close: () => Promise<void>
}
