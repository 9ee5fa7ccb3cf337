-- tokens: final tier, hot tier (versioned by head offset, undone rows are tombstones), and both as one.

CREATE TABLE tokens ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
  token String COMMENT 'Token contract' CODEC(ZSTD(1)),
  standard LowCardinality(String) COMMENT 'erc20, erc721 or erc1155',
  name String COMMENT 'Name as the contract tells it' CODEC(ZSTD(1)),
  symbol String COMMENT 'Symbol as the contract tells it' CODEC(ZSTD(1)),
  decimals Int16 COMMENT 'Decimal places; -1 when the token does not say' CODEC(ZSTD(1)),
  INDEX by_block block_number TYPE minmax GRANULARITY 1,
  INDEX by_symbol symbol TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, token, position)
SETTINGS ${deduplication_window:10000}
COMMENT 'Tokens first seen. Final blocks only; see tokens_all';

CREATE TABLE tokens_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
  tx_hash String COMMENT 'Hash of the transaction the row belongs to',
  token String COMMENT 'Token contract',
  standard LowCardinality(String) COMMENT 'erc20, erc721 or erc1155',
  name String COMMENT 'Name as the contract tells it',
  symbol String COMMENT 'Symbol as the contract tells it',
  decimals Int16 COMMENT 'Decimal places; -1 when the token does not say',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, token, position)
COMMENT 'Rows of tokens whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE VIEW tokens_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, block_number, block_time, position, tx_hash, token, standard, name, symbol, decimals
FROM tokens
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, block_number, block_time, position, tx_hash, token, standard, name, symbol, decimals
FROM tokens_hot FINAL
WHERE block_number > settled_of[toString(network)]
COMMENT 'Tokens first seen. Final rows up to the watermark and hot rows above it: every block once';
