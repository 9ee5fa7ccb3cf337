-- swaps: final tier, hot tier (versioned by head offset, undone rows are tombstones), and both as one.

CREATE TABLE swaps ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
  pool String COMMENT 'Pool contract or id' CODEC(ZSTD(1)),
  initiator String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
  sender String COMMENT 'Caller of the pool as the event names it' CODEC(ZSTD(1)),
  recipient String COMMENT 'Receiver as the event names it' CODEC(ZSTD(1)),
  amount0 Int256 COMMENT 'Signed, from the pool''s view: positive came in' CODEC(ZSTD(1)),
  amount1 Int256 COMMENT 'Signed, from the pool''s view: positive came in' CODEC(ZSTD(1)),
  INDEX by_block block_number TYPE minmax GRANULARITY 1,
  INDEX by_initiator initiator TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, pool, block_time, position)
SETTINGS ${deduplication_window:10000}
COMMENT 'Swaps, sorted by pool and time. Final blocks only; see swaps_all';

CREATE TABLE swaps_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
  tx_hash String COMMENT 'Hash of the transaction the row belongs to',
  pool String COMMENT 'Pool contract or id',
  initiator String COMMENT 'Sender of the transaction',
  sender String COMMENT 'Caller of the pool as the event names it',
  recipient String COMMENT 'Receiver as the event names it',
  amount0 Int256 COMMENT 'Signed, from the pool''s view: positive came in',
  amount1 Int256 COMMENT 'Signed, from the pool''s view: positive came in',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, pool, position)
COMMENT 'Rows of swaps whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE VIEW swaps_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, block_number, block_time, position, tx_hash, pool, initiator, sender, recipient, amount0, amount1
FROM swaps
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, block_number, block_time, position, tx_hash, pool, initiator, sender, recipient, amount0, amount1
FROM swaps_hot FINAL
WHERE block_number > settled_of[toString(network)]
COMMENT 'Swaps, sorted by pool and time. Final rows up to the watermark and hot rows above it: every block once';
