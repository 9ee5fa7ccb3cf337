/**
 * The chunk ledger: which ranges of bus messages are in the tables. A chunk is announced before anything is inserted and
 * closed when every table has acknowledged, so that a repetition covers exactly the same messages and every insert of
 * it carries the token it had the first time.
 *
 * Announcing is compare-and-set: the announcement that follows chunk N has one deduplication token, so that of two
 * consumers that believe to own a partition (one of them wrongly) the store keeps the first, and both see whose it is.
 */
import { readSql } from '../../platform/store/sql.ts'
import type { Store } from '../../platform/store/store.ts'

const LATEST = readSql(import.meta.url, './sql/latest-chunk.sql')

export type Chunk = {
  topic: string
  partition: number
  /** Offsets of the first and the last message, both inclusive. */
  first: bigint
  last: bigint
}

export type LatestChunk = Chunk & {
  done: boolean
  /** Server time of the announcement, as the store prints it. */
  announcedAt: string
  /** Highest block the topic has called final in all chunks closed so far; 0 for none. */
  finalized: number
}

type Row = { first_offset: string; last_offset: string; done: number; announced_at: string; finalized: number }

export type ChunkLedger = {
  latest: (topic: string, partition: number) => Promise<LatestChunk | undefined>
  /** Announces `chunk` as the one that follows `after`. Look at `latest` to learn whether it was taken. */
  announce: (chunk: Chunk, after: LatestChunk | undefined) => Promise<void>
  close: (chunk: Chunk, facts: { finalized: number; rows: number }) => Promise<void>
}

const line = ({ topic, partition, first, last }: Chunk, facts: Record<string, number>) =>
  `${JSON.stringify({ topic, partition, first_offset: first.toString(), last_offset: last.toString(), ...facts })}\n`

/** Text that names a chunk in tokens and log lines. */
export const chunkName = ({ topic, partition, first, last }: Chunk): string => `${topic}:${partition}:${first}-${last}`

export const createChunkLedger = (store: Store): ChunkLedger => ({
  latest: async (topic, partition) => {
    const [row] = await store.query<Row>(LATEST, { topic, partition }, { route: 'latest_chunk' })
    if (!row) return undefined
    return {
      topic,
      partition,
      first: BigInt(row.first_offset),
      last: BigInt(row.last_offset),
      done: row.done === 1,
      announcedAt: row.announced_at,
      finalized: row.finalized,
    }
  },
  announce: (chunk, after) =>
    store.insert('ingest_chunks', line(chunk, { done: 0 }), {
      token: `chunk:${chunk.topic}:${chunk.partition}:after:${after?.last ?? 'none'}`,
    }),
  close: (chunk, facts) => store.insert('ingest_chunks', line(chunk, { done: 1, ...facts })),
})
