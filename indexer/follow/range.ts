import { setMaxListeners } from 'node:events'
import { RetryableError } from '../../platform/errors.ts'
import type { Block, BlockRef } from '../../schema/block.ts'
import { type PackedBlock, rowCount } from '../../schema/packed.ts'
import type { Anchor } from './window.ts'

/** Memory of a decoded row including its share of the raw answer, bytes. Measured on mainnet blocks, rounded up. */
const ROW_MEMORY = 1_500
const BLOCK_MEMORY = 20_000
const FIRST_BLOCK_BYTES = 500_000
/** Number of times a block is asked for before it counts as unknown. */
const ATTEMPTS = 3

const memoryOf = (block: Block | PackedBlock) => BLOCK_MEMORY + rowCount(block) * ROW_MEMORY

/** How far fetching may run ahead. */
export type RangeOptions = {
  /** Number of blocks requested ahead. */
  concurrency: number
  /** Memory of requested and fetched blocks, bytes. One block is always allowed. */
  maxBytes: number
  signal: AbortSignal
}

/**
 * Blocks `from..to` in ascending order, fetched in parallel. Fetching runs ahead within `options`, and only while the caller
 * takes blocks, so that backpressure reaches the node. Ends early at a block that no node has (yet).
 * @throws errors of the source; blocks fetched ahead are dropped.
 */
export async function* fetchRange<B extends Block | PackedBlock>(
  source: { block: (at: { number: number }, signal?: AbortSignal) => Promise<B | undefined> },
  { from, to }: { from: number; to: number },
  { concurrency, maxBytes, signal }: RangeOptions,
): AsyncGenerator<B> {
  const ahead: { block: Promise<B | undefined>; bytes: number }[] = []
  const stop = new AbortController()
  setMaxListeners(0, stop.signal)
  const abort = () => stop.abort(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  let expectedBytes = FIRST_BLOCK_BYTES
  let next = from

  /** A missing block is asked for several times, because one of several nodes may lag. */
  const fetch = async (number: number): Promise<B | undefined> => {
    for (let asked = 1; ; asked += 1) {
      const block = await source.block({ number }, stop.signal)
      if (block || asked === ATTEMPTS) return block
    }
  }
  const start = (number: number) => {
    const entry = { block: fetch(number), bytes: expectedBytes }
    entry.block.then(
      (block) => {
        if (block) entry.bytes = memoryOf(block)
      },
      () => undefined,
    )
    ahead.push(entry)
  }
  const bytesAhead = () => ahead.reduce((sum, entry) => sum + entry.bytes, 0)
  const fill = () => {
    while (
      next <= to &&
      ahead.length < concurrency &&
      (ahead.length === 0 || bytesAhead() + expectedBytes <= maxBytes)
    ) {
      start(next)
      next += 1
    }
  }

  try {
    signal.throwIfAborted()
    for (fill(); ahead.length > 0; fill()) {
      const block = await ahead[0]?.block
      ahead.shift()
      if (!block) return
      expectedBytes += (memoryOf(block) - expectedBytes) / 8
      yield block
      signal.throwIfAborted()
    }
  } finally {
    signal.removeEventListener('abort', abort)
    stop.abort(new Error('the caller stopped reading the range'))
  }
}

/** No node has a block that must exist. */
export const blockMissing = (network: string, number: number) =>
  new RetryableError(
    'ASSAY_SOURCE_BLOCK_MISSING',
    `No node of ${network} has block ${number}, although it is below the head. The block is fetched again.`,
  )

/** A block does not extend the block below it. */
export const brokenChain = (network: string, block: Pick<BlockRef, 'number' | 'parentHash'>, below: Anchor) =>
  new RetryableError(
    'ASSAY_INDEXER_BROKEN_CHAIN',
    `Block ${block.number} of ${network} has parent ${block.parentHash}, but block ${below.number} was ${below.hash}. The block was not published and is fetched again, from another endpoint if there is one.`,
  )
