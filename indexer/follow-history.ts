/** History: final blocks, fetched in parallel, published in ascending order. */
import { RetryableError } from '../platform/errors.ts'
import type { Block } from '../schema/block.ts'
import { HISTORY_PARTITIONS, MAX_MESSAGE_BYTES } from '../schema/topics.ts'
import { blockMissing, fetchRange, type RangeOptions } from './follow-range.ts'
import type { Publisher } from './publish.ts'
import type { Source } from './source/source.ts'
import type { Anchor } from './window.ts'

/** One transaction carries about one message for each partition. */
const SEND_BYTES = HISTORY_PARTITIONS * MAX_MESSAGE_BYTES * 0.75
const SEND_BLOCKS = 2_000

/** Two blocks that should follow each other do not. */
export const brokenChain = (network: string, block: Pick<Block, 'number' | 'parentHash'>, below: Anchor) =>
  new RetryableError(
    'ASSAY_INDEXER_BROKEN_CHAIN',
    `Block ${block.number} of ${network} has parent ${block.parentHash}, but block ${below.number} was ${below.hash}. It was not published and is asked for again, elsewhere where there is an elsewhere.`,
  )

/**
 * Publishes blocks `from..to`, each checked to follow the one before.
 * @param below the block under `from`, where it is known.
 * @param published hears of every send that was acknowledged.
 * @returns when all are published, or at the next safe point after the signal.
 * @throws RetryableError from source and bus, ASSAY_INDEXER_BROKEN_CHAIN, ASSAY_SOURCE_BLOCK_MISSING.
 */
export const publishHistory = async ({
  source,
  publisher,
  from,
  to,
  below,
  range,
  published,
}: {
  source: Source
  publisher: Publisher
  from: number
  to: number
  below: Anchor | undefined
  range: RangeOptions
  published: (last: Block, count: number) => void
}): Promise<void> => {
  let last = below
  let pending: Block[] = []
  let pendingBytes = 0

  const flush = async () => {
    const [end] = pending.slice(-1)
    if (!end) return
    await publisher.history(pending)
    published(end, pending.length)
    pending = []
    pendingBytes = 0
  }

  for await (const block of fetchRange(source, { from, to }, range)) {
    if (last && block.parentHash !== last.hash) throw brokenChain(source.network, block, last)
    last = block
    pending.push(block)
    pendingBytes += publisher.estimate([block])
    if (pendingBytes >= SEND_BYTES || pending.length >= SEND_BLOCKS) await flush()
  }
  await flush()
  if (!range.signal.aborted && (last?.number ?? from - 1) < to) {
    throw blockMissing(source.network, (last?.number ?? from - 1) + 1)
  }
}
