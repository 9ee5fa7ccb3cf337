/**
 * Publishes finalized blocks of a range on the history topic while an indexer runs, also from before its first block. A
 * message header marks them, so that the indexer never takes them for its own position.
 *
 * Blocks are published in ascending order, so that the highest one on the topic is the position of an interrupted run.
 */
import type { Bus } from '../../platform/bus/bus.ts'
import type { Context } from '../../platform/context/context.ts'
import { OperatorError } from '../../platform/errors.ts'
import type { Network } from '../../schema/networks.ts'
import type { PackedBlock } from '../../schema/packed.ts'
import { BACKFILL_HEADER, decodeHeaders, HISTORY_PARTITIONS, topics } from '../../schema/topics.ts'
import { packedSource } from '../source/packed.ts'
import type { Source } from '../source/source.ts'
import { publishHistory } from './history.ts'
import { createPublisher } from './publish.ts'
import type { RangeOptions } from './range.ts'
import { findLast, resume } from './resume.ts'
import type { Anchor } from './window.ts'

/** Heights, both inclusive. */
export type BackfillRange = { from: number; to: number }

/** What is stored next to the range: hash of the block below, and parent hash of the block above. */
export type Neighbours = { below: Anchor | undefined; parentOfNext: string | undefined }

type Backfill = {
  context: Pick<Context, 'metrics'>
  source: Source
  bus: Bus
  range: BackfillRange
  neighbours: Neighbours
  /** Identifies this run on the topic. Blocks that earlier runs of the range published are then published again. */
  runId?: string | undefined
  options: RangeOptions
  published: (last: PackedBlock, count: number) => void
}

/** Messages of a partition that are searched for the position of an interrupted run. */
const TAIL = 4_096n

const nameOf = ({ from, to }: BackfillRange): string => `${from}-${to}`

/** The highest block that runs with this name have published, `undefined` if there is none. */
const backfilled = async (bus: Bus, network: Network, name: string): Promise<Anchor | undefined> => {
  const topic = topics.history(network)
  const partitions = (await bus.offsets(topic)).slice(0, HISTORY_PARTITIONS)
  const lasts = await Promise.all(
    partitions.map((one) => findLast(bus, topic, one, ({ headers }) => headers[BACKFILL_HEADER] === name, TAIL)),
  )
  return lasts
    .flatMap((message) => (message ? [decodeHeaders(message.headers)] : []))
    .map(({ to, hash }) => ({ number: to, hash }))
    .toSorted((a, b) => a.number - b.number)
    .at(-1)
}

const discontinuous = (network: Network, number: number, found: string, stored: string) =>
  new OperatorError(
    'ASSAY_BACKFILL_DISCONTINUOUS',
    `Block ${number} of ${network} is ${found} on the chain, but the stored blocks next to the range link to ${stored}. Nothing was published. Compare the endpoints with other nodes, and check the stored blocks: assay verify --network ${network}`,
  )

/**
 * Publishes the missing blocks of the range.
 * @returns the highest published block, also of earlier runs; undefined if the signal aborted before there was one.
 * @throws OperatorError ASSAY_BACKFILL_NOT_FINAL, ASSAY_BACKFILL_DISCONTINUOUS, ASSAY_BACKFILL_NO_TOPIC; errors of source
 *   and bus.
 */
export const backfill = async ({
  context,
  source,
  bus,
  range,
  neighbours,
  runId,
  options,
  published,
}: Backfill): Promise<Anchor | undefined> => {
  const { network } = source
  const { from, to } = range
  const finalized = await source.finalizedHead(options.signal)
  if (to > finalized.number) {
    throw new OperatorError(
      'ASSAY_BACKFILL_NOT_FINAL',
      `Block ${to} of ${network} is not final yet; the newest final block is ${finalized.number}. Nothing was published. End the range at or below the final block; the indexer fetches newer blocks by itself.`,
    )
  }
  const { logs, history, window } = await resume(bus, network)
  if (!history && !window) {
    throw new OperatorError(
      'ASSAY_BACKFILL_NO_TOPIC',
      `The topics of ${network} are empty. Nothing was published. Start the indexer, which fills them, and run the command again.`,
    )
  }
  const top = await source.ref(to, options.signal)
  const { below, parentOfNext } = neighbours
  if (top && parentOfNext !== undefined && parentOfNext !== top.hash) {
    throw discontinuous(network, to, top.hash, parentOfNext)
  }
  const bottom = await source.ref(from, options.signal)
  if (bottom && below && bottom.parentHash !== below.hash) {
    throw discontinuous(network, from - 1, bottom.parentHash, below.hash)
  }
  const name = runId === undefined ? nameOf(range) : `${nameOf(range)} ${runId}`
  const publisher = createPublisher({
    bus,
    network,
    metrics: context.metrics,
    role: 'backfill',
    headers: { [BACKFILL_HEADER]: name },
  })
  // Opening settles transactions of an earlier run, and fences a concurrent run of the network.
  await publisher.open()
  publisher.identify(logs)
  try {
    let last = await backfilled(bus, network, name)
    if (!top || (last && last.number >= to)) return last
    await publishHistory({
      source: packedSource(source),
      publisher,
      from: last ? last.number + 1 : from,
      finalized: top,
      below: last ?? below,
      range: options,
      published: (block, count) => {
        last = { number: block.number, hash: block.hash }
        published(block, count)
      },
    })
    return last
  } finally {
    await publisher.close()
  }
}
