-- ledger: final tier, hot tier (versioned by head offset, undone rows are tombstones), and both as one.

CREATE TABLE ledger ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
  address String COMMENT 'Party whose side of the movement this row tells' CODEC(ZSTD(1)),
  counterparty String COMMENT 'The other party' CODEC(ZSTD(1)),
  direction Int8 COMMENT '1 = address received, -1 = address sent' CODEC(ZSTD(1)),
  kind LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible (ERC-20 and alike), nft, multi (ERC-1155) or wrap',
  asset String COMMENT 'Token contract; empty for the native coin' CODEC(ZSTD(1)),
  token_id UInt256 COMMENT 'Token id of nft and multi movements, else 0' CODEC(ZSTD(1)),
  amount UInt256 COMMENT 'Amount in base units of the asset' CODEC(ZSTD(1)),
  initiator String COMMENT 'Sender of the transaction: tells a movement someone made from one that merely happened to them' CODEC(ZSTD(1)),
  INDEX by_block block_number TYPE minmax GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, address, block_time, position, direction)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024, min_compress_block_size = 16384
COMMENT 'Value movements, each stored twice: once under each party. Sorted so that everything one wallet ever moved is one range. Final blocks only; see ledger_all';

CREATE TABLE ledger_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
  tx_hash String COMMENT 'Hash of the transaction the row belongs to',
  address String COMMENT 'Party whose side of the movement this row tells',
  counterparty String COMMENT 'The other party',
  direction Int8 COMMENT '1 = address received, -1 = address sent',
  kind LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible (ERC-20 and alike), nft, multi (ERC-1155) or wrap',
  asset String COMMENT 'Token contract; empty for the native coin',
  token_id UInt256 COMMENT 'Token id of nft and multi movements, else 0',
  amount UInt256 COMMENT 'Amount in base units of the asset',
  initiator String COMMENT 'Sender of the transaction: tells a movement someone made from one that merely happened to them',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, address, position, direction, asset, token_id, counterparty, kind, amount)
COMMENT 'Rows of ledger whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE VIEW ledger_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, block_number, block_time, position, tx_hash, address, counterparty, direction, kind, asset, token_id, amount, initiator
FROM ledger
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, block_number, block_time, position, tx_hash, address, counterparty, direction, kind, asset, token_id, amount, initiator
FROM ledger_hot FINAL
WHERE block_number > settled_of[toString(network)]
COMMENT 'Value movements, each stored twice: once under each party. Sorted so that everything one wallet ever moved is one range. Final rows up to the watermark and hot rows above it: every block once';
