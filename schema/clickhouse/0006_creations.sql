-- creations: final tier, hot tier (versioned by head offset, undone rows are tombstones), and both as one.

CREATE TABLE creations ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
  contract String COMMENT 'The contract' CODEC(ZSTD(1)),
  event LowCardinality(String) COMMENT 'create or destroy',
  creator String COMMENT 'from of the CREATE frame (may be a factory); for destroy, the beneficiary' CODEC(ZSTD(1)),
  root_creator String COMMENT 'Externally owned account the creation goes back to: sender of the transaction' CODEC(ZSTD(1)),
  code_hash String COMMENT 'keccak-256 of the runtime code without its CBOR metadata trailer; empty when the code was not visible' CODEC(ZSTD(1)),
  code_size UInt32 COMMENT 'Bytes of runtime code' CODEC(ZSTD(1)),
  INDEX by_block block_number TYPE minmax GRANULARITY 1,
  INDEX by_root_creator root_creator TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_creator creator TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_code_hash code_hash TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, contract, position)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024, min_compress_block_size = 16384
COMMENT 'Contracts created and destroyed. Final blocks only; see creations_all';

CREATE TABLE creations_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
  tx_hash String COMMENT 'Hash of the transaction the row belongs to',
  contract String COMMENT 'The contract',
  event LowCardinality(String) COMMENT 'create or destroy',
  creator String COMMENT 'from of the CREATE frame (may be a factory); for destroy, the beneficiary',
  root_creator String COMMENT 'Externally owned account the creation goes back to: sender of the transaction',
  code_hash String COMMENT 'keccak-256 of the runtime code without its CBOR metadata trailer; empty when the code was not visible',
  code_size UInt32 COMMENT 'Bytes of runtime code',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, contract, position, event)
COMMENT 'Rows of creations whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE VIEW creations_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, block_number, block_time, position, tx_hash, contract, event, creator, root_creator, code_hash, code_size
FROM creations
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, block_number, block_time, position, tx_hash, contract, event, creator, root_creator, code_hash, code_size
FROM creations_hot FINAL
WHERE block_number > settled_of[toString(network)]
COMMENT 'Contracts created and destroyed. Final rows up to the watermark and hot rows above it: every block once';
