/** Progress of ingest: the watermark between the tiers, and the chunk ledger behind exactly-once. */
import { flag, instant, network, text, uint8, uint16, uint32, uint64, word } from './column.ts'
import type { SchemaObject } from './ddl.ts'
import { TOKENS_REMEMBERED } from './tiers.ts'

const now = { default: 'now64(3)' }
const settled = uint32('Watermark: highest block number readers take from the final tier')

export const ingestObjects: SchemaObject[] = [
  {
    kind: 'table',
    name: 'watermarks',
    comment:
      'One row per network (newest version counts): which blocks are in the final tier. A seqlock for readers of several tables',
    columns: {
      network,
      version: uint64('Grows by one with every state: the sequence readers compare before and after'),
      state: word(
        'settled, moving (blocks up to target are on their way from hot to final) or undoing (hot blocks from target on are being withdrawn)',
      ),
      settled,
      target: uint32('Block number a move or an undo works on; equals settled when nothing is in flight'),
      updated_at: instant('When the state was entered', now),
    },
    engine: 'ReplacingMergeTree(version)',
    orderBy: ['network'],
    window: TOKENS_REMEMBERED,
  },
  {
    kind: 'view',
    name: 'settled_heights',
    comment: 'Watermark of each network that has a hot tier',
    columns: { network, settled },
    select: `SELECT network, argMax(w.settled, w.version) AS settled
FROM (SELECT toString(network) AS network, settled, version FROM watermarks) AS w
GROUP BY network`,
  },
  {
    kind: 'table',
    name: 'read_leases',
    comment: 'Long reads of several tables that ask moves of the watermark to wait. Dropped an hour after they expired',
    columns: {
      network,
      reader: text('Random id of the read'),
      released: flag('1 when the read has ended'),
      until: instant('When the lease ends by itself: longer than a move waits', {
        default: 'now64(3) + INTERVAL 15 SECOND',
      }),
    },
    engine: 'ReplacingMergeTree(released)',
    orderBy: ['network', 'reader'],
    ttl: 'toDateTime(until) + INTERVAL 1 HOUR',
  },
  {
    kind: 'table',
    name: 'ingest_chunks',
    comment: 'Chunk ledger: every range of bus messages that was put into tables, announced before and closed after',
    columns: {
      topic: word('Topic of the chunk'),
      partition: uint16('Partition of the topic'),
      first_offset: uint64('Offset of the first message of the chunk'),
      last_offset: uint64('Offset of the last message of the chunk'),
      done: uint8('0: announced, perhaps partly inserted; 1: every table has acknowledged'),
      finalized: uint32('Highest block the head topic has called final up to this chunk; 0 for history', {
        default: '0',
      }),
      rows: uint64('Rows the chunk brought', { default: '0' }),
      updated_at: instant('When the state was entered', now),
    },
    engine: 'ReplacingMergeTree(done)',
    orderBy: ['topic', 'partition', 'first_offset'],
    window: TOKENS_REMEMBERED,
  },
]

/** Bounds without views within views: each level is planned again wherever a hot view is read. */
export const hotBounds: SchemaObject = {
  kind: 'view',
  name: 'hot_bounds',
  comment: 'Hot blocks readers may count: above settled, up to head, the newest that is complete',
  columns: { network, settled, head: uint32('Newest block whose rows are all there') },
  select: `SELECT network, max(b.settled) AS settled, max(b.head) AS head
FROM (
  SELECT toString(network) AS network, 0 AS settled, max(block_number) AS head FROM blocks_hot FINAL GROUP BY network
  UNION ALL
  SELECT toString(network) AS network, argMax(w.settled, w.version) AS settled, 0 AS head FROM watermarks AS w GROUP BY network
) AS b
GROUP BY network
HAVING head > 0`,
}
