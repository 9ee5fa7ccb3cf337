-- blocks: final tier, hot tier (versioned by head offset, undone rows are tombstones), and both as one.

CREATE TABLE blocks ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  block_hash String COMMENT 'Hash of the block' CODEC(ZSTD(1)),
  parent_hash String COMMENT 'Hash of the block before it' CODEC(ZSTD(1)),
  transaction_count UInt32 COMMENT 'Transactions the block holds' CODEC(Delta, ZSTD(1)),
  sees_traces UInt8 COMMENT '1 when internal calls were visible to the source; 0 means internal transfers and factory creations are unknown, not absent',
  INDEX by_block_hash block_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, block_number)
SETTINGS ${deduplication_window:10000}
COMMENT 'Blocks. A block that shows here has all its rows in the other tables. Final blocks only; see blocks_all';

CREATE TABLE blocks_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  block_hash String COMMENT 'Hash of the block',
  parent_hash String COMMENT 'Hash of the block before it',
  transaction_count UInt32 COMMENT 'Transactions the block holds',
  sees_traces UInt8 COMMENT '1 when internal calls were visible to the source; 0 means internal transfers and factory creations are unknown, not absent',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, block_number, block_hash)
COMMENT 'Rows of blocks whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE VIEW blocks_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, block_number, block_time, block_hash, parent_hash, transaction_count, sees_traces
FROM blocks
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, block_number, block_time, block_hash, parent_hash, transaction_count, sees_traces
FROM blocks_hot FINAL
WHERE block_number > settled_of[toString(network)]
COMMENT 'Blocks. A block that shows here has all its rows in the other tables. Final rows up to the watermark and hot rows above it: every block once';
