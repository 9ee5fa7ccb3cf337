-- pools: final tier, hot tier (versioned by head offset, undone rows are tombstones), and both as one.

CREATE TABLE pools ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
  pool String COMMENT 'Pool contract, or the 32-byte pool id of singleton designs' CODEC(ZSTD(1)),
  factory String COMMENT 'Contract that announced the pool' CODEC(ZSTD(1)),
  kind LowCardinality(String) COMMENT 'v2, v3, v4 or solidly',
  token0 String COMMENT 'First token; empty for the native coin' CODEC(ZSTD(1)),
  token1 String COMMENT 'Second token' CODEC(ZSTD(1)),
  fee UInt32 COMMENT 'Swap fee in hundredths of a basis point; 0 where the pool does not say' CODEC(ZSTD(1)),
  hooks String COMMENT 'Hook contract of V4 pools; empty for none' CODEC(ZSTD(1)),
  INDEX by_block block_number TYPE minmax GRANULARITY 1,
  INDEX by_token0 token0 TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_token1 token1 TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, pool, position)
SETTINGS ${deduplication_window:10000}
COMMENT 'Liquidity pools created. Final blocks only; see pools_all';

CREATE TABLE pools_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
  tx_hash String COMMENT 'Hash of the transaction the row belongs to',
  pool String COMMENT 'Pool contract, or the 32-byte pool id of singleton designs',
  factory String COMMENT 'Contract that announced the pool',
  kind LowCardinality(String) COMMENT 'v2, v3, v4 or solidly',
  token0 String COMMENT 'First token; empty for the native coin',
  token1 String COMMENT 'Second token',
  fee UInt32 COMMENT 'Swap fee in hundredths of a basis point; 0 where the pool does not say',
  hooks String COMMENT 'Hook contract of V4 pools; empty for none',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, pool, position)
COMMENT 'Rows of pools whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE VIEW pools_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, block_number, block_time, position, tx_hash, pool, factory, kind, token0, token1, fee, hooks
FROM pools
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, block_number, block_time, position, tx_hash, pool, factory, kind, token0, token1, fee, hooks
FROM pools_hot FINAL
WHERE block_number > settled_of[toString(network)]
COMMENT 'Liquidity pools created. Final rows up to the watermark and hot rows above it: every block once';
