/**
 * The head: one look at the chain, and whatever it takes to tell the head topic the same.
 *
 * - The head is above the published tip and follows it: `new`.
 * - It does not follow, or another block stands at the tip's height, or the final block is not the one published: walk
 *   from there by parent hash down to a published block, then `undo` and `new` in one transaction. Never below the
 *   final block.
 * - The head is below the tip, or a node has no block where the head says there is one: a node lags, nothing happens.
 * - The final block rose: `final`. It never falls, and blocks deeper than the network's window count as final.
 */
import { OperatorError, RetryableError } from '../../platform/errors.ts'
import type { Block, BlockRef } from '../../schema/block.ts'
import { MAX_MESSAGE_BYTES } from '../../schema/topics.ts'
import type { Source } from '../source/source.ts'
import type { HeadChange, Publisher } from './publish.ts'
import { brokenChain, fetchRange, type RangeOptions } from './range.ts'
import type { Anchor, Window } from './window.ts'

export type HeadReport = {
  published: (change: HeadChange) => void
  reorg: (depth: number) => void
}

export type HeadStep = {
  source: Source
  publisher: Publisher
  window: Window
  /** Blocks above which everything deeper counts as final. */
  reorgWindow: number
  range: RangeOptions
  report: HeadReport
  /** Waits between questions whose answers are compared, ms. */
  pause: (ms: number) => Promise<void>
}

const SEND_BYTES = MAX_MESSAGE_BYTES * 0.75
const SEND_BLOCKS = 500
const CONFIRMATIONS = 5
const CONFIRM_PAUSE_MS = 250

/**
 * Height up to which the chain is final once `blocks` stand on it, if that is more than before. The tip alone proves
 * nothing about itself: it may have been replaced since. While the final block lies above everything published, what
 * has just been fetched by height vouches for the blocks below it.
 */
const finalUpTo = (
  window: Window,
  blocks: readonly Block[],
  finalized: BlockRef,
  reorgWindow: number,
): number | undefined => {
  const tip = blocks.at(-1)?.number ?? window.tip().number
  const proven = finalized.number <= tip ? finalized.number : blocks.length > 0 ? tip - 1 : 0
  const height = Math.max(proven, tip - reorgWindow)
  return height > window.final().number ? height : undefined
}

/** Tells the bus, then the window: what is not acknowledged did not happen. */
const publish = async (step: HeadStep, fork: Anchor, blocks: readonly Block[], finalized: BlockRef) => {
  const { window, publisher, report } = step
  const tip = window.tip()
  const height = finalUpTo(window, blocks, finalized, step.reorgWindow)
  const finalBlock =
    height === undefined ? undefined : (blocks.find((one) => one.number === height) ?? window.at(height))
  const contradicted = finalBlock?.number === finalized.number && finalBlock.hash !== finalized.hash
  const change: HeadChange = {
    undo: fork.number < tip.number ? { from: fork.number + 1, to: tip.number, hash: fork.hash } : undefined,
    blocks,
    final: finalBlock && !contradicted ? { number: finalBlock.number, hash: finalBlock.hash } : undefined,
  }
  if (!change.undo && blocks.length === 0 && !change.final) return
  await publisher.head(change)
  window.undo(fork.number)
  for (const block of blocks) window.push(block)
  if (change.final) window.finalize(change.final.number)
  report.published(change)
}

const unsettled = (network: string, what: string) =>
  new RetryableError(
    'ASSAY_INDEXER_UNSETTLED',
    `Nodes of ${network} disagree: ${what}. Nothing was published; it is looked at again.`,
  )

/** The final block is not an ancestor of what a node shows. @throws always; what depends on whether the nodes insist. */
const tooDeep = async ({ source, window, range, pause }: HeadStep): Promise<never> => {
  const final = window.final()
  for (let asked = 0; asked < CONFIRMATIONS; asked += 1) {
    const now = await source.ref(final.number, range.signal)
    if (!now || now.hash === final.hash)
      throw unsettled(source.network, `a branch does not hold final block ${final.number}`)
    await pause(CONFIRM_PAUSE_MS)
  }
  throw new OperatorError(
    'ASSAY_REORG_TOO_DEEP',
    `${source.network} replaced block ${final.number} (${final.hash}), which was published as final. Indexing of this network stopped and nothing was undone. Check the node and its chain; if the chain really went back, index the network again.`,
  )
}

/** From a block that does not extend the tip down to the published block its branch grows from. */
const branchTo = async (step: HeadStep, top: Block): Promise<{ fork: Anchor; branch: Block[] }> => {
  const { source, window, range } = step
  const branch = [top]
  for (let lowest = top; ; ) {
    const below = { number: lowest.number - 1, hash: lowest.parentHash }
    const ours = window.at(below.number)
    if (ours?.hash === below.hash) return { fork: ours, branch: branch.reverse() }
    if (below.number <= window.final().number) return tooDeep(step)
    const parent = await source.block(below, range.signal)
    if (!parent) throw unsettled(source.network, `block ${below.number} of a branch is gone`)
    branch.push(parent)
    lowest = parent
  }
}

const reorganise = async (step: HeadStep, top: Block, finalized: BlockRef) => {
  const { source, window, range, report } = step
  const { fork, branch } = await branchTo(step, top)
  const canonical = await source.ref(top.number, range.signal)
  if (canonical?.hash !== top.hash) throw unsettled(source.network, `block ${top.number} is not the same everywhere`)
  const depth = window.tip().number - fork.number
  await publish(step, fork, branch, finalized)
  if (depth > 0) report.reorg(depth)
}

/** Publishes blocks above the tip as far as they follow it; gives the first one that does not. */
const extend = async (step: HeadStep, to: number, finalized: BlockRef): Promise<Block | undefined> => {
  const { source, publisher, window, range } = step
  let pending: Block[] = []
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
    bytes += publisher.estimate([block])
    if (bytes >= SEND_BYTES || pending.length >= SEND_BLOCKS) await flush()
  }
  await flush()
  return undefined
}

/** The block that shows that the published chain is not the chain, if the nodes' heads show one. */
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
  if (!block) throw unsettled(source.network, `block ${at.number} is gone`)
  return block
}

/**
 * One look and its consequences.
 * @param finalized final block as nodes say now; blocks up to it that were fetched by height count as final.
 * @throws OperatorError ASSAY_REORG_TOO_DEEP; RetryableError from source and bus, ASSAY_INDEXER_UNSETTLED.
 */
export const followHead = async (step: HeadStep, head: BlockRef, finalized: BlockRef): Promise<void> => {
  const { window } = step
  const wrong =
    (await contradiction(step, head, finalized)) ??
    (head.number > window.tip().number ? await extend(step, head.number, finalized) : undefined)
  if (!wrong) return publish(step, window.tip(), [], finalized)
  if (wrong.number <= window.final().number) return tooDeep(step)
  return reorganise(step, wrong, finalized)
}
