/**
 * The head: compares the chain with what is published, and publishes the difference on the head topic.
 *
 * - The head is above the published tip and extends it: `new`.
 * - The head does not extend the tip, another block is at the tip's height, or the finalized block is not the published
 *   one: walk from there by parent hashes down to a published block, then `undo` and `new` in one transaction. Never
 *   below the finalized block.
 * - The head is below the tip, or a node lacks a block below its head: the node lags, nothing happens.
 * - The finalized block rose: `final`. It never falls, and blocks deeper than the network's window count as finalized.
 */
import { OperatorError, RetryableError } from '../../platform/errors.ts'
import type { BlockRef } from '../../schema/block.ts'
import { bytesOf, type PackedBlock } from '../../schema/packed.ts'
import { MAX_MESSAGE_BYTES } from '../../schema/topics.ts'
import type { PackedSource } from '../source/packed.ts'
import type { HeadChange, Publisher } from './publish.ts'
import { brokenChain, fetchRange, type RangeOptions } from './range.ts'
import type { Anchor, Window } from './window.ts'

type HeadReport = {
  published: (change: HeadChange) => void
  reorg: (depth: number) => void
}

/** Inputs of one step. The window advances as blocks are acknowledged. */
export type HeadStep = {
  source: PackedSource
  publisher: Publisher
  window: Window
  /** Depth below the tip from which blocks count as finalized. */
  reorgWindow: number
  range: RangeOptions
  report: HeadReport
  /** Waits between two calls whose answers are compared, ms. */
  pause: (ms: number) => Promise<void>
}

const SEND_BYTES = MAX_MESSAGE_BYTES * 0.75
const SEND_BLOCKS = 500
const CONFIRMATIONS = 5
/** Nodes lag by seconds, so only answers that stay the same for longer count. */
const CONFIRM_PAUSE_MS = 2_500

/**
 * Height up to which the chain is finalized with `blocks` on top, if it is higher than before. If the finalized block is above
 * everything published, only depth counts: the published blocks may come from a node stuck on a branch, and no hash connects
 * them with the finalized block yet.
 */
const finalizedUpTo = (
  window: Window,
  blocks: readonly PackedBlock[],
  finalized: BlockRef,
  reorgWindow: number,
): number | undefined => {
  const tip = blocks.at(-1)?.number ?? window.tip().number
  const proven = finalized.number <= tip ? finalized.number : 0
  const height = Math.max(proven, tip - reorgWindow)
  return height > window.finalized().number ? height : undefined
}

/** Publishes, then updates the window, so that the window only contains acknowledged changes. */
const publish = async (step: HeadStep, fork: Anchor, blocks: readonly PackedBlock[], finalized: BlockRef) => {
  const { window, publisher, report } = step
  const tip = window.tip()
  const height = finalizedUpTo(window, blocks, finalized, step.reorgWindow)
  const block = height === undefined ? undefined : (blocks.find((one) => one.number === height) ?? window.at(height))
  const contradicted = block?.number === finalized.number && block.hash !== finalized.hash
  const change: HeadChange = {
    undo: fork.number < tip.number ? { from: fork.number + 1, to: tip.number, hash: fork.hash } : undefined,
    blocks,
    finalized: block && !contradicted ? { number: block.number, hash: block.hash } : undefined,
  }
  if (!change.undo && blocks.length === 0 && !change.finalized) return
  await publisher.head(change)
  window.undo(fork.number)
  for (const one of blocks) window.push(one)
  if (change.finalized) window.finalize(change.finalized.number)
  report.published(change)
}

const unsettled = (network: string, what: string) =>
  new RetryableError(
    'ASSAY_INDEXER_UNSETTLED',
    `Nodes of ${network} disagree: ${what}. Nothing was published; the request is retried.`,
  )

/** A node shows a branch without the finalized block. @throws always; the error depends on whether the nodes insist on it. */
const tooDeep = async ({ source, window, range, pause }: HeadStep): Promise<never> => {
  const finalized = window.finalized()
  for (let asked = 0; asked < CONFIRMATIONS; asked += 1) {
    const now = await source.ref(finalized.number, range.signal)
    if (!now || now.hash === finalized.hash)
      throw unsettled(source.network, `a fork does not contain finalized block ${finalized.number}`)
    await pause(CONFIRM_PAUSE_MS)
  }
  throw new OperatorError(
    'ASSAY_REORG_TOO_DEEP',
    `${source.network} replaced block ${finalized.number} (${finalized.hash}), which was published as finalized. Indexing of this network stopped and nothing was undone. Compare the node with others. If the chain did revert finalized blocks, index again from scratch (docs/use/errors.md).`,
  )
}

/** Walks from a block that does not extend the tip down to the published block where its branch forks off. */
const branchTo = async (step: HeadStep, top: PackedBlock): Promise<{ fork: Anchor; branch: PackedBlock[] }> => {
  const { source, window, range } = step
  const branch = [top]
  for (let lowest = top; ; ) {
    const below = { number: lowest.number - 1, hash: lowest.parentHash }
    const ours = window.at(below.number)
    if (ours?.hash === below.hash) return { fork: ours, branch: branch.reverse() }
    if (below.number <= window.finalized().number) return tooDeep(step)
    const parent = await source.block(below, range.signal)
    if (!parent) throw unsettled(source.network, `block ${below.number} of a fork is no longer known`)
    branch.push(parent)
    lowest = parent
  }
}

const reorganize = async (step: HeadStep, top: PackedBlock, finalized: BlockRef) => {
  const { source, window, range, report } = step
  const { fork, branch } = await branchTo(step, top)
  const canonical = await source.ref(top.number, range.signal)
  if (canonical?.hash !== top.hash) throw unsettled(source.network, `block ${top.number} differs between nodes`)
  const depth = window.tip().number - fork.number
  await publish(step, fork, branch, finalized)
  if (depth > 0) report.reorg(depth)
}

/** Publishes blocks above the tip as long as they extend it. @returns the first one that does not. */
const extend = async (step: HeadStep, to: number, finalized: BlockRef): Promise<PackedBlock | undefined> => {
  const { source, window, range } = step
  let pending: PackedBlock[] = []
  let bytes = 0
  const flush = async () => {
    await publish(step, window.tip(), pending, finalized)
    pending = []
    bytes = 0
  }
  for await (const block of fetchRange(source, { from: window.tip().number + 1, to }, range)) {
    const below = pending.at(-1)
    if (below && block.parentHash !== below.hash) throw brokenChain(source.network, block, below)
    if (!below && block.parentHash !== window.tip().hash) return block
    pending.push(block)
    bytes += bytesOf(block)
    if (bytes >= SEND_BYTES || pending.length >= SEND_BLOCKS) await flush()
  }
  await flush()
  return undefined
}

/** A block of the nodes that contradicts the published chain, if there is one. */
const contradiction = async ({ source, window, range }: HeadStep, head: BlockRef, finalized: BlockRef) => {
  const tip = window.tip()
  const ours = window.at(finalized.number)
  const at =
    ours && ours.hash !== finalized.hash
      ? finalized
      : head.number === tip.number && head.hash !== tip.hash
        ? head
        : undefined
  if (!at) return undefined
  const block = await source.block({ number: at.number, hash: at.hash }, range.signal)
  if (!block) throw unsettled(source.network, `block ${at.number} is no longer known`)
  return block
}

/**
 * Checks once and publishes what changed.
 * @param finalized finalized block by the nodes; a block at its height counts as finalized if its hash is the same.
 * @throws OperatorError ASSAY_REORG_TOO_DEEP; RetryableError from source and bus, ASSAY_INDEXER_UNSETTLED.
 */
export const followHead = async (step: HeadStep, head: BlockRef, finalized: BlockRef): Promise<void> => {
  const { window } = step
  const wrong =
    (await contradiction(step, head, finalized)) ??
    (head.number > window.tip().number ? await extend(step, head.number, finalized) : undefined)
  if (!wrong) return publish(step, window.tip(), [], finalized)
  if (wrong.number <= window.finalized().number) return tooDeep(step)
  return reorganize(step, wrong, finalized)
}
