/**
 * The chunk ledger: which ranges of bus messages are in the tables. It is the position of a scorer; offsets that consumer groups
 * committed do not count. A chunk is announced before anything is inserted and closed when every table has acknowledged. So a
 * repetition covers exactly the same messages with the same insert tokens.
 *
 * Announcing is a compare-and-set: the announcement after chunk N has one deduplication token. If two consumers both believe they own a
 * partition, the store keeps the first announcement, and both see whose it is.
 */
import { readSql } from '../../../platform/store/sql.ts'
import type { Store } from '../../../platform/store/store.ts'

const LATEST = readSql(import.meta.url, '../sql/latest-chunk.sql')
const NEWEST = readSql(import.meta.url, '../sql/newest-chunks.sql')

/** A range of messages of one partition that is inserted completely or repeated. */
export type Chunk = {
  topic: string
  partition: number
  /** Identity of the topic: the `log` header of its messages. */
  log: string
  /** Offsets of the first and the last message, both inclusive. */
  first: bigint
  last: bigint
}

/** The newest chunk of a partition. Unless it is `done`, it must be inserted again before anything else. */
export type LatestChunk = Chunk & {
  done: boolean
  /** Highest finalized block in all closed chunks of the topic; 0 for none. */
  finalized: number
}

type Row = { first_offset: string; last_offset: string; done: number; finalized: number }
type Place = Pick<Chunk, 'topic' | 'partition' | 'log'>

/** The chunk ledger of one epoch. Every call reads the store, because other scorers write it too. */
export type ChunkLedger = {
  epoch: number
  /** Newest chunk of every partition of the topics, for each identity a topic had, most recently written first. */
  newest: (topics: readonly string[]) => Promise<LatestChunk[]>
  latest: (place: Place) => Promise<LatestChunk | undefined>
  /** Announces `chunk` after chunk `after`. Read `latest` to see whether it was accepted. */
  announce: (chunk: Chunk, after: LatestChunk | undefined) => Promise<void>
  close: (chunk: Chunk, facts: { finalized: number; rows: number }) => Promise<void>
}

/** Name of a chunk in log lines. */
export const chunkName = ({ topic, partition, first, last }: Omit<Chunk, 'log'>): string =>
  `${topic}:${partition}:${first}-${last}`

/** Name of a chunk in tokens, including the identity of the topic, without which offsets are ambiguous. */
export const chunkId = (chunk: Chunk, epoch: number): string => `${chunkName(chunk)}:${chunk.log}:e${epoch}`

/** Opens the ledger of an epoch. A rebuild from the bus uses the ledger of the next epoch. */
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
