/**
 * The chunk ledger: which ranges of bus messages are in the tables. It is the position of a scorer; what a consumer group
 * has committed does not count. A chunk is announced before anything is inserted and closed when every table has
 * acknowledged, so that a repetition covers exactly the same messages and every insert of it carries the token it had the
 * first time.
 *
 * Announcing is compare-and-set: the announcement that follows chunk N has one deduplication token, so that of two
 * consumers that believe to own a partition (one of them wrongly) the store keeps the first, and both see whose it is.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'

const LATEST = readSql(import.meta.url, '../sql/latest-chunk.sql')
const NEWEST = readSql(import.meta.url, '../sql/newest-chunks.sql')

/** A range of messages of one partition that is inserted as a whole or again. */
export type Chunk = {
  topic: string
  partition: number
  /** Identity of the topic: the `log` header of its messages. */
  log: string
  /** Offsets of the first and the last message, both inclusive. */
  first: bigint
  last: bigint
}

/**
 * The newest chunk of a partition. Unless it is `done`, its messages have to be inserted again before anything else.
 */
export type LatestChunk = Chunk & {
  done: boolean
  /** Highest block the topic has called final in all chunks closed so far; 0 for none. */
  finalized: number
}

type Row = { first_offset: string; last_offset: string; done: number; finalized: number }
type Place = Pick<Chunk, 'topic' | 'partition' | 'log'>

/** The chunk ledger of one epoch. It reads the store with every call, because other scorers write it too. */
export type ChunkLedger = {
  epoch: number
  /** Newest chunk of every partition of the topics, by each identity a topic had; what was written last comes first. */
  newest: (topics: readonly string[]) => Promise<LatestChunk[]>
  latest: (place: Place) => Promise<LatestChunk | undefined>
  /** Announces `chunk` as the one that follows `after`. Look at `latest` to learn whether it was taken. */
  announce: (chunk: Chunk, after: LatestChunk | undefined) => Promise<void>
  close: (chunk: Chunk, facts: { finalized: number; rows: number }) => Promise<void>
}

/** Text that names a chunk in log lines. */
export const chunkName = ({ topic, partition, first, last }: Omit<Chunk, 'log'>): string =>
  `${topic}:${partition}:${first}-${last}`

/** Text that names a chunk in tokens: offsets mean nothing without the topic they are of. */
export const chunkId = (chunk: Chunk, epoch: number): string => `${chunkName(chunk)}:${chunk.log}:e${epoch}`

/** Opens the ledger of an epoch; a rebuild from the bus has its own, in the next one. */
export const createChunkLedger = (store: Store, epoch: number): ChunkLedger => {
  const line = ({ topic, partition, log, first, last }: Chunk, facts: Record<string, number>) => {
    const row = { topic, epoch, partition, log, first_offset: first.toString(), last_offset: last.toString(), ...facts }
    return `${JSON.stringify(row)}\n`
  }
  return {
    epoch,
    newest: async (topics) => {
      const rows = await store.query<Row & Place>(NEWEST, { topics, epoch }, { route: 'newest_chunks' })
      return rows.map(({ first_offset, last_offset, done, ...row }) => ({
        ...row,
        first: BigInt(first_offset),
        last: BigInt(last_offset),
        done: done === 1,
      }))
    },
    latest: async ({ topic, partition, log }) => {
      const rows = await store.query<Row>(LATEST, { topic, epoch, partition, log }, { route: 'latest_chunk' })
      const [row] = rows
      if (!row) return undefined
      return {
        topic,
        partition,
        log,
        first: BigInt(row.first_offset),
        last: BigInt(row.last_offset),
        done: rows.some(({ first_offset, done }) => first_offset === row.first_offset && done === 1),
        finalized: Math.max(...rows.map(({ finalized }) => finalized)),
      }
    },
    announce: (chunk, after) =>
      store.insert('ingest_chunks', line(chunk, { done: 0 }), {
        token: `chunk:${chunk.topic}:${chunk.partition}:${chunk.log}:e${epoch}:after:${after?.last ?? 'none'}`,
      }),
    close: (chunk, facts) => store.insert('ingest_chunks', line(chunk, { done: 1, ...facts })),
  }
}
