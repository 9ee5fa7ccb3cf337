import { FetchIsolationLevels, fetchV12, type RecordsBatch } from '@platformatic/kafka'
import type { Message } from '../bus.ts'
import { type Aborted, committed, markerOf } from '../kafka/aborted.ts'
import { type Link, REQUEST_MS } from './links.ts'

/** Bits of a batch's attributes, https://kafka.apache.org/documentation/#recordbatch */
const LOG_APPEND_TIME = 1 << 3
const TRANSACTIONAL = 1 << 4
const CONTROL = 1 << 5
/** Result of one fetch of a partition. It may hold no message and still advance `next`. */
export type Fetched = {
  /** Committed messages, from the requested offset on. */
  messages: Message[]
  /** Offset after the last record read, markers and aborted messages included. */
  next: bigint
  highWatermark: bigint
  /** First offset of the oldest open transaction, or the high watermark. Everything below it is decided. */
  lastStableOffset: bigint
}

type FetchRequest = { topic: string; partition: number; from: bigint; maxBytes: number; waitMs: number }

const lastOffsetOf = (batch: RecordsBatch): bigint => batch.firstOffset + BigInt(batch.lastOffsetDelta)

const headersOf = (headers: readonly (readonly [Buffer | null, Buffer | null])[]): Record<string, string> =>
  Object.fromEntries(headers.map(([name, value]) => [name?.toString() ?? '', value?.toString() ?? '']))

/** Drops markers and messages of aborted transactions, which the library's own streams deliver. */
const committedBatches = (batches: readonly RecordsBatch[], aborted: readonly Aborted[]): RecordsBatch[] => {
  const kept = committed(
    batches.map((batch) => ({
      lastOffset: lastOffsetOf(batch),
      producerId: batch.producerId,
      transactional: (batch.attributes & TRANSACTIONAL) !== 0,
      marker: batch.attributes & CONTROL ? markerOf(batch.records[0]?.key) : undefined,
    })),
    aborted,
  )
  return batches.filter((_, index) => kept[index])
}

const messagesOf = (batch: RecordsBatch, { topic, partition, from }: FetchRequest): Message[] => {
  const messages: Message[] = []
  for (const { offsetDelta, timestampDelta, key, value, headers } of batch.records) {
    const offset = batch.firstOffset + BigInt(offsetDelta)
    if (offset < from) continue
    const time = batch.attributes & LOG_APPEND_TIME ? batch.maxTimestamp : batch.firstTimestamp + timestampDelta
    messages.push({
      topic,
      partition,
      offset,
      key: key?.toString(),
      value: value ?? Buffer.alloc(0),
      headers: headersOf(headers),
      timestamp: Number(time),
    })
  }
  return messages
}

/** Fetches committed messages of one partition from its leader. */
export const fetchCommitted = async (link: Link, request: FetchRequest): Promise<Fetched> => {
  const { topic, partition, from, maxBytes, waitMs } = request
  const place = {
    partition,
    currentLeaderEpoch: -1,
    fetchOffset: from,
    lastFetchedEpoch: -1,
    partitionMaxBytes: maxBytes,
  }
  const { responses } = await link.ask(
    fetchV12.api,
    [
      waitMs,
      1,
      maxBytes,
      FetchIsolationLevels.READ_COMMITTED,
      0,
      -1,
      [{ topicId: topic, partitions: [place] }],
      [],
      '',
    ],
    REQUEST_MS + waitMs,
  )
  const fetched = responses[0]?.partitions[0]
  if (!fetched) throw new Error('the broker answered without the partition')
  const { records = [], abortedTransactions, highWatermark, lastStableOffset } = fetched
  const last = records.at(-1)
  return {
    messages: committedBatches(records, abortedTransactions ?? []).flatMap((batch) => messagesOf(batch, request)),
    next: last ? lastOffsetOf(last) + 1n : from,
    highWatermark,
    lastStableOffset,
  }
}
