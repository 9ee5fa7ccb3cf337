/**
 * Position of ingest: the watermark between the tiers, the chunk ledger, and the covered block ranges. Commits of a consumer
 * group do not count (ADR 10).
 */

import { TOKENS_REMEMBERED } from './chain/tiers.ts'
import { flag, instant, network, text, uint8, uint16, uint32, uint64, word } from './column.ts'
import type { SchemaObject } from './ddl.ts'

const now = { default: 'now64(3)' }
const epoch = uint32('How often the network was rebuilt, plus one', { default: '1' })
const settled = uint32('Watermark: highest block number readers take from the final tier')

/** Tables of ingest's position: watermark, chunks and covered ranges. */
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
      epoch,
      log: text('Head topic the hot rows come from: the `log` header of its messages'),
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
      epoch,
      partition: uint16('Partition of the topic'),
      log: text('Identity of the topic: the `log` header of its messages. A topic created again has another one'),
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
    orderBy: ['topic', 'epoch', 'partition', 'log', 'first_offset'],
    window: TOKENS_REMEMBERED,
  },
  {
    kind: 'table',
    name: 'network_epochs',
    comment: 'Rebuilds of a network: the highest epoch is the one its tables hold. A network without a row has epoch 1',
    columns: {
      network,
      epoch,
      reason: text('Why the network was rebuilt'),
      updated_at: instant('When the epoch began', now),
    },
    engine: 'ReplacingMergeTree(epoch)',
    orderBy: ['network'],
    window: TOKENS_REMEMBERED,
  },
  {
    kind: 'table',
    name: 'covered_ranges',
    comment:
      'Which blocks are in the final tables, in ranges that touch no other, and which are being put there. Read with FINAL; slots are used again, so the table stays as small as the number of ranges',
    columns: {
      network,
      epoch,
      slot: uint32('Place of the range among those of its network'),
      first_block: uint32('Lowest block of the range'),
      last_block: uint32('Highest block of the range'),
      parent_hash: text('Hash of the block below the range'),
      last_hash: text('Hash of the highest block'),
      traces: flag('1 when every block of the range has its traces'),
      claimed_by: text('Chunk or move that is putting the blocks into the tables; empty once they are there'),
      claimed_at: uint64('Inserts of all networks when the blocks were claimed: how far deduplication can be trusted'),
      inserts: uint64('Chunks and moves of the network that were begun so far'),
      version: uint64('Grows by one with every change of the network: the sequence of compare-and-set'),
      is_deleted: flag('1 when the slot is empty', { default: '0' }),
    },
    engine: 'ReplacingMergeTree(version, is_deleted)',
    orderBy: ['network', 'epoch', 'slot'],
    window: TOKENS_REMEMBERED,
  },
]

/** Bounds without nested views, because each level is planned again wherever a hot view is read. */
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
