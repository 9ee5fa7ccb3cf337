/** History: finalized blocks, fetched in parallel, published in ascending order. */
import { RetryableError } from '../../platform/errors.ts'
import { bytesOf, type PackedBlock } from '../../schema/packed.ts'
import { HISTORY_PARTITIONS, MAX_MESSAGE_BYTES } from '../../schema/topics.ts'
import type { PackedSource } from '../source/packed.ts'
import type { Publisher } from './publish.ts'
import { blockMissing, brokenChain, fetchRange, type RangeOptions } from './range.ts'
import type { Anchor } from './window.ts'

/** One transaction has about one message per partition. */
const SEND_BYTES = HISTORY_PARTITIONS * MAX_MESSAGE_BYTES * 0.75
const SEND_BLOCKS = 2_000

/** Whether a node failed, after which fetched blocks can still be published. After a failure of the bus they cannot. */
const isRetryableOfSource = (error: unknown) => error instanceof RetryableError && !error.code.startsWith('ASSAY_BUS_')

const notFinalized = (network: string, finalized: Anchor, found: string | undefined) =>
  new RetryableError(
    'ASSAY_INDEXER_UNSETTLED',
    `Nodes of ${network} disagree: finalized block ${finalized.number} is ${finalized.hash} and ${found}. Nothing was published; the request is retried.`,
  )

/**
 * Publishes blocks from `from` up to the finalized one. A block is published only once the next one extends it, and the last
 * one has to be the finalized block, so that history never contains a block of another branch.
 * @param below the block below `from`, if known.
 * @param published called after every acknowledged send.
 * @returns when all are published, or at the next safe point after the signal.
 * @throws RetryableError from source and bus, ASSAY_INDEXER_BROKEN_CHAIN, ASSAY_SOURCE_BLOCK_MISSING.
 */
export const publishHistory = async ({
  source,
  publisher,
  from,
  finalized,
  below,
  range,
  published,
}: {
  source: PackedSource
  publisher: Publisher
  from: number
  finalized: Anchor
  below: Anchor | undefined
  range: RangeOptions
  published: (last: PackedBlock, count: number) => void
}): Promise<void> => {
  let last = below
  let pending: PackedBlock[] = []
  let pendingBytes = 0

  const flush = async () => {
    const end = pending.at(-1)
    if (!end) return
    await publisher.history(pending)
    published(end, pending.length)
    pending = []
    pendingBytes = 0
  }

  const take = async () => {
    for await (const block of fetchRange(source, { from, to: finalized.number }, range)) {
      if (last && block.parentHash !== last.hash) throw brokenChain(source.network, block, last)
      if (pendingBytes >= SEND_BYTES || pending.length >= SEND_BLOCKS) await flush()
      last = block
      pending.push(block)
      pendingBytes += bytesOf(block)
    }
    const reached = last?.number ?? from - 1
    if (reached < finalized.number) throw blockMissing(source.network, reached + 1)
    if (last?.hash !== finalized.hash) throw notFinalized(source.network, finalized, last?.hash)
  }

  try {
    await take()
  } catch (error) {
    if (isRetryableOfSource(error) && !range.signal.aborted) {
      pending.pop()
      await flush()
    }
    throw error
  }
  await flush()
}
