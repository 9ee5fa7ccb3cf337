-- Progress of ingest: the watermark between the tiers, and the chunk ledger behind exactly-once.

CREATE TABLE watermarks ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  version UInt64 COMMENT 'Grows by one with every state: the sequence readers compare before and after',
  state LowCardinality(String) COMMENT 'settled, moving (blocks up to target are on their way from hot to final) or undoing (hot blocks from target on are being withdrawn)',
  settled UInt32 COMMENT 'Watermark: highest block number readers take from the final tier',
  target UInt32 COMMENT 'Block number a move or an undo works on; equals settled when nothing is in flight',
  updated_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the state was entered'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY network
SETTINGS ${deduplication_window:10000}
COMMENT 'One row per network (newest version counts): which blocks are in the final tier. A seqlock for readers of several tables';

CREATE VIEW settled_heights ${on_cluster} AS
SELECT network, argMax(w.settled, w.version) AS settled
FROM (SELECT toString(network) AS network, settled, version FROM watermarks) AS w
GROUP BY network
COMMENT 'Watermark of each network that has a hot tier';

CREATE TABLE ingest_chunks ${on_cluster} (
  topic LowCardinality(String) COMMENT 'Topic of the chunk',
  partition UInt16 COMMENT 'Partition of the topic',
  first_offset UInt64 COMMENT 'Offset of the first message of the chunk',
  last_offset UInt64 COMMENT 'Offset of the last message of the chunk',
  done UInt8 COMMENT '0: announced, perhaps partly inserted; 1: every table has acknowledged',
  finalized UInt32 DEFAULT 0 COMMENT 'Highest block the head topic has called final up to this chunk; 0 for history',
  rows UInt64 DEFAULT 0 COMMENT 'Rows the chunk brought',
  updated_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the state was entered'
)
ENGINE = ${engine:ReplacingMergeTree(done)}
ORDER BY (topic, partition, first_offset)
SETTINGS ${deduplication_window:10000}
COMMENT 'Chunk ledger: every range of bus messages that was put into tables, announced before and closed after';
