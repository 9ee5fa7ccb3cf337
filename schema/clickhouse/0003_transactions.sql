-- transactions: final tier, hot tier (versioned by head offset, undone rows are tombstones), and both as one.

CREATE TABLE transactions ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
  sender String COMMENT 'Who signed and paid' CODEC(ZSTD(1)),
  receiver String COMMENT 'Called address; empty for a contract creation' CODEC(ZSTD(1)),
  value UInt256 COMMENT 'Native coin sent along, base units' CODEC(ZSTD(1)),
  fee UInt256 COMMENT 'Paid by the sender, base units of the native coin, L1 data fee included where the chain has one' CODEC(ZSTD(1)),
  nonce UInt64 COMMENT 'Sequence number of the sender' CODEC(ZSTD(1)),
  type UInt32 COMMENT 'Transaction type as the chain numbers it' CODEC(ZSTD(1)),
  status UInt8 COMMENT '1 succeeded, 0 failed, 2 not stated by the node' CODEC(ZSTD(1)),
  gas_used UInt64 COMMENT 'Gas (energy, compute units) used' CODEC(ZSTD(1)),
  selector LowCardinality(String) COMMENT 'First four bytes of calldata as 0x-hex; empty when there are fewer',
  input_size UInt32 COMMENT 'Bytes of calldata' CODEC(ZSTD(1)),
  message String COMMENT 'Calldata read as text when it is printable UTF-8 of 20 characters or more, else empty; at most 1,000 characters' CODEC(ZSTD(1)),
  INDEX by_block block_number TYPE minmax GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_receiver receiver TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, sender, block_time, position)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024, min_compress_block_size = 16384
COMMENT 'Transactions, sorted by sender and time. Final blocks only; see transactions_all';

CREATE TABLE transactions_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
  tx_hash String COMMENT 'Hash of the transaction the row belongs to',
  sender String COMMENT 'Who signed and paid',
  receiver String COMMENT 'Called address; empty for a contract creation',
  value UInt256 COMMENT 'Native coin sent along, base units',
  fee UInt256 COMMENT 'Paid by the sender, base units of the native coin, L1 data fee included where the chain has one',
  nonce UInt64 COMMENT 'Sequence number of the sender',
  type UInt32 COMMENT 'Transaction type as the chain numbers it',
  status UInt8 COMMENT '1 succeeded, 0 failed, 2 not stated by the node',
  gas_used UInt64 COMMENT 'Gas (energy, compute units) used',
  selector LowCardinality(String) COMMENT 'First four bytes of calldata as 0x-hex; empty when there are fewer',
  input_size UInt32 COMMENT 'Bytes of calldata',
  message String COMMENT 'Calldata read as text when it is printable UTF-8 of 20 characters or more, else empty; at most 1,000 characters',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, sender, position)
COMMENT 'Rows of transactions whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE VIEW transactions_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, block_number, block_time, position, tx_hash, sender, receiver, value, fee, nonce, type, status, gas_used, selector, input_size, message
FROM transactions
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, block_number, block_time, position, tx_hash, sender, receiver, value, fee, nonce, type, status, gas_used, selector, input_size, message
FROM transactions_hot FINAL
WHERE block_number > settled_of[toString(network)]
COMMENT 'Transactions, sorted by sender and time. Final rows up to the watermark and hot rows above it: every block once';
