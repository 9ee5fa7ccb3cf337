/** A chain that tests change, and nodes of its family that serve it: the environment for testing every family's source. */
import type { Source } from '../../../indexer/source/source.ts'
import type { Context } from '../../../platform/context/context.ts'
import type { Network } from '../../../schema/networks.ts'

/** Fault of a node of the world. All other requests get correct answers. */
export type SourceFault =
  | { kind: 'none' }
  /** It lacks the block of a height that the chain has. */
  | { kind: 'lacks'; number: number }
  /** It does not know the newest blocks. */
  | { kind: 'lags'; blocks: number }
  /** Its answers for blocks contradict their hashes. */
  | { kind: 'lies' }
  /** It refuses the next calls as too many. */
  | { kind: 'refuses'; calls: number }
  /** It reports another block of the same height as final. */
  | { kind: 'disputes' }
  /** It delays every answer. */
  | { kind: 'slow'; ms: number }

export type SourceNode = {
  url: string
  misbehave: (fault: SourceFault) => void
  /** Drops its record of calls, which grows with them. */
  forget: () => void
  /** Stops answering, permanently. */
  stop: () => Promise<void>
}

/** `divergent`: another chain than the default one, which differs from some blocks below the final one on. */
export type WorldOptions = { divergent?: boolean }

/** A chain and nodes of one family. Heights are those of existing blocks: a family may skip some. */
export type SourceWorld = {
  network: Network
  /** Adds blocks, which hold at least one transaction each. */
  grow: (count: number) => void
  /** Replaces the newest blocks by others, one more than before. `undefined` if blocks are final at once. */
  fork: ((depth: number) => void) | undefined
  /** Heights of the chain's blocks, ascending. */
  heights: () => number[]
  hashAt: (number: number) => string
  /** Height of the newest final block. */
  finalHeight: () => number
  /** Starts another node that serves the chain. */
  startNode: () => Promise<SourceNode>
  /** A source over some URLs, or all nodes so far, with fast polling and short waits. */
  open: (context: Context, options?: { urls?: readonly string[]; aloneAfterMs?: number }) => Source
  /** Highest block that nodes were asked for in full. */
  highestRequested: () => number
  close: () => Promise<void>
}
