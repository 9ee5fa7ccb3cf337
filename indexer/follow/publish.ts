import type { Bus, OutgoingMessage, Producer, Send } from '../../platform/bus/bus.ts'
import type { Context } from '../../platform/context/context.ts'
import { BugError } from '../../platform/errors.ts'
import { traced, traceHeaders, traceOf } from '../../platform/tracing/tracing.ts'
import type { Network } from '../../schema/networks.ts'
import { bytesOf, type PackedBlock } from '../../schema/packed.ts'
import {
  encodeFinal,
  encodeHandover,
  encodePacked,
  encodeUndo,
  HISTORY_PARTITIONS,
  MAX_MESSAGE_BYTES,
  stamp,
  topics,
} from '../../schema/topics.ts'
import { isTopicUnknown, topicReset } from './topic-ends.ts'
import type { Anchor } from './window.ts'

/** A change of the chain, published on the head topic in one transaction. */
export type HeadChange = {
  /** Blocks `from..to` are undone; `hash` is that of block `from - 1`, which stays. */
  undo?: { from: number; to: number; hash: string } | undefined
  blocks: readonly PackedBlock[]
  finalized?: Anchor | undefined
}

/** Identities of the two topics. They distinguish a topic from a later one of the same name. */
export type TopicLogs = { history: string; head: string }

/** The only writer of a network's topics. One call is one transaction; the outcome of a failed one is unknown until `open`. */
export type Publisher = {
  /** Becomes the network's only publisher. Afterwards the outcome of earlier sends is certain. */
  open: () => Promise<void>
  /** Sets the topic identities that all messages carry. Called before the first message. */
  identify: (logs: TopicLogs) => void
  /** Publishes consecutive finalized blocks, distributed over the partitions. */
  history: (blocks: readonly PackedBlock[]) => Promise<void>
  head: (change: HeadChange) => Promise<void>
  /** Ends history, which has blocks `from` to `last`. The head topic starts above them. */
  handOver: (from: number, last: Anchor) => Promise<void>
  close: () => Promise<void>
}

/** Share of a message's size limit that packing aims at; the rest is for the block headers. */
const FILL = 0.8

/** A publisher that has to be opened, then identified. Messages carry the trace of their blocks. */
export const createPublisher = ({
  bus,
  network,
  metrics,
  role = 'indexer',
  headers = {},
}: {
  bus: Bus
  network: Network
  metrics: Context['metrics']
  /** Only the newest publisher of a role can publish. @default 'indexer' */
  role?: 'indexer' | 'backfill'
  /** Added to every message. */
  headers?: Record<string, string>
}): Publisher => {
  const blocksOut = metrics.counter('assay_indexer_blocks_total', 'Blocks published', ['network', 'topic'] as const)
  const bytesOut = metrics.counter('assay_indexer_bytes_total', 'Bytes published', ['network', 'topic'] as const)
  let producer: Producer | undefined
  let logs: TopicLogs | undefined
  let partition = 0

  /** Groups consecutive blocks into messages; a block too large for one message gets its own group. */
  const pack = (blocks: readonly PackedBlock[]): PackedBlock[][] => {
    const groups: PackedBlock[][] = []
    let bytes = Number.POSITIVE_INFINITY
    for (const block of blocks) {
      const size = bytesOf(block)
      if (bytes + size > MAX_MESSAGE_BYTES * FILL) {
        groups.push([])
        bytes = 0
      }
      groups.at(-1)?.push(block)
      bytes += size
    }
    return groups
  }

  const send = (name: 'history' | 'head', plain: readonly OutgoingMessage[], blocks: readonly PackedBlock[]) => {
    const attributes = { 'assay.network': network, 'assay.topic': topics[name](network), 'assay.blocks': blocks.length }
    return traced('publish blocks', { kind: 'producer', attributes, parents: blocks.map(traceOf) }, (traceparent) =>
      sendTraced(name, plain, blocks.length, traceHeaders(traceparent)),
    )
  }

  const sendTraced = async (
    name: 'history' | 'head',
    plain: readonly OutgoingMessage[],
    blocks: number,
    trace: Record<string, string>,
  ) => {
    const log = logs?.[name]
    if (log === undefined) {
      throw new BugError(
        'ASSAY_INDEXER_UNSTAMPED',
        `Topic ${name} of ${network} has no identity yet. Please report it.`,
      )
    }
    const messages = plain.map((message) =>
      stamp({ ...message, headers: { ...message.headers, ...headers, ...trace } }, log),
    )
    const sends: Send[] = [{ topic: topics[name](network), messages }]
    const open = producer ?? (await bus.producer({ transactionalId: `${network}-${role}` }))
    producer = open
    await open.send(sends).catch((error: unknown) => {
      throw isTopicUnknown(error) ? topicReset(topics[name](network), error) : error
    })
    blocksOut.inc({ network, topic: name }, blocks)
    const bytes = messages.reduce((sum, message) => sum + message.value.length, 0)
    bytesOut.inc({ network, topic: name }, bytes)
  }

  const close = async () => {
    const open = producer
    producer = undefined
    await open?.close()
  }

  return {
    open: async () => {
      await close().catch(() => undefined)
      producer = await bus.producer({ transactionalId: `${network}-${role}` })
    },
    identify: (found) => {
      logs = found
    },
    history: async (blocks) => {
      const messages = pack(blocks).flatMap((group) => {
        partition = (partition + 1) % HISTORY_PARTITIONS
        return encodePacked(group).map((message) => ({ ...message, partition }))
      })
      await send('history', messages, blocks)
    },
    head: async ({ undo, blocks, finalized }) => {
      const messages: OutgoingMessage[] = [
        ...(undo ? [encodeUndo(network, undo.from, undo.to, undo.hash)] : []),
        ...pack(blocks).flatMap(encodePacked),
        ...(finalized ? [encodeFinal(network, finalized.number, finalized.hash)] : []),
      ].map((message) => ({ ...message, partition: 0 }))
      if (messages.length > 0) await send('head', messages, blocks)
    },
    handOver: (from, { number, hash }) =>
      send('head', [{ ...encodeHandover(network, from, number, hash), partition: 0 }], []),
    close,
  }
}
