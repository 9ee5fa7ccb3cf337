import type { Block, BlockRef } from '../../schema/block.ts'
import type { Network } from '../../schema/networks.ts'
import type { PackedBlock } from '../../schema/packed.ts'

/**
 * A chain, whatever its family. A source checks what nodes answer, and retries on other nodes. Each result is consistent: all
 * parts of a block belong to the block's hash.
 */
export type Source = {
  network: Network
  /** Checks that the endpoints are on the right chain. @throws OperatorError ASSAY_SOURCE_WRONG_CHAIN */
  verify: (signal?: AbortSignal) => Promise<void>
  /** Newest block of any healthy node. */
  head: (signal?: AbortSignal) => Promise<BlockRef>
  /** Newest finalized block by the network's rule. A lagging node may report a lower one than before: callers keep the maximum. */
  finalizedHead: (signal?: AbortSignal) => Promise<BlockRef>
  /** Identity of the canonical block at a height, `undefined` when there is none yet. */
  ref: (number: number, signal?: AbortSignal) => Promise<BlockRef | undefined>
  /** The decoded block, by hash or height. `undefined` when no node has it (yet, or any more). */
  block: (at: { number: number; hash?: string }, signal?: AbortSignal) => Promise<Block | undefined>
  /** The same block with packed rows, from sources that can create it faster than `block`. */
  packed?: (at: { number: number; hash?: string }, signal?: AbortSignal) => Promise<PackedBlock | undefined>
  /** Calls back when there may be a new head (subscription or poll). Returns a function that stops it. */
  onHead: (notify: () => void) => () => void
  /** Switches to another endpoint if there is one. Called when the network makes no progress. */
  rotate?: () => void
  /** What some endpoints cannot prove of their answers, as texts without hosts. Absent if everything is verified. */
  unproved?: () => readonly string[]
  close: () => Promise<void>
}
