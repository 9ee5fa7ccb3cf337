import type { Block, BlockRef } from '../../schema/block.ts'
import type { Network } from '../../schema/networks.ts'
import type { PackedBlock } from '../../schema/packed.ts'

/**
 * A chain as the follow loop sees it, whatever the family. A source checks what nodes answer and retries on others;
 * what it returns is consistent in itself (every part of a block comes from the block's hash).
 */
export type Source = {
  network: Network
  /** Refuses to start against the wrong chain. @throws OperatorError ASSAY_SOURCE_WRONG_CHAIN */
  verify: (signal?: AbortSignal) => Promise<void>
  /** Newest block any healthy node knows. */
  head: (signal?: AbortSignal) => Promise<BlockRef>
  /** Newest finalized block by the network's rule. May be reported lower than before by a lagging node: the caller keeps the maximum. */
  finalizedHead: (signal?: AbortSignal) => Promise<BlockRef>
  /** Identity of the canonical block at a height, `undefined` when there is none yet. */
  ref: (number: number, signal?: AbortSignal) => Promise<BlockRef | undefined>
  /** The whole block by hash or by height, decoded. `undefined` when no node has it (yet, or any more). */
  block: (at: { number: number; hash?: string }, signal?: AbortSignal) => Promise<Block | undefined>
  /** The same block with its rows packed, by sources that have a faster way to it than `block`. */
  packed?: (at: { number: number; hash?: string }, signal?: AbortSignal) => Promise<PackedBlock | undefined>
  /** Calls back when a new head may exist (subscription or poll); returns a stop function. */
  onHead: (notify: () => void) => () => void
  /** Switches to another endpoint if there is one. Called when there is no progress. */
  rotate?: () => void
  /** What some of its endpoints cannot prove of what they answer, in words that name no host. Left out where all is checked. */
  unproved?: () => readonly string[]
  close: () => Promise<void>
}
