-- approvals: final tier, hot tier (versioned by head offset, undone rows are tombstones), and both as one.

CREATE TABLE approvals ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
  owner String COMMENT 'Who allows' CODEC(ZSTD(1)),
  spender String COMMENT 'Who may spend' CODEC(ZSTD(1)),
  asset String COMMENT 'Token contract' CODEC(ZSTD(1)),
  kind LowCardinality(String) COMMENT 'fungible, nft (one token), all (ApprovalForAll) or permit2',
  amount UInt256 COMMENT 'Allowance; token id for nft; 1 or 0 for all' CODEC(ZSTD(1)),
  initiator String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
  INDEX by_block block_number TYPE minmax GRANULARITY 1,
  INDEX by_spender spender TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, owner, block_time, position)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024, min_compress_block_size = 16384
COMMENT 'Approvals given and revoked, sorted by owner and time. Final blocks only; see approvals_all';

CREATE TABLE approvals_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
  tx_hash String COMMENT 'Hash of the transaction the row belongs to',
  owner String COMMENT 'Who allows',
  spender String COMMENT 'Who may spend',
  asset String COMMENT 'Token contract',
  kind LowCardinality(String) COMMENT 'fungible, nft (one token), all (ApprovalForAll) or permit2',
  amount UInt256 COMMENT 'Allowance; token id for nft; 1 or 0 for all',
  initiator String COMMENT 'Sender of the transaction',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, owner, position, spender, asset, kind, amount)
COMMENT 'Rows of approvals whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE VIEW approvals_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, block_number, block_time, position, tx_hash, owner, spender, asset, kind, amount, initiator
FROM approvals
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, block_number, block_time, position, tx_hash, owner, spender, asset, kind, amount, initiator
FROM approvals_hot FINAL
WHERE block_number > settled_of[toString(network)]
COMMENT 'Approvals given and revoked, sorted by owner and time. Final rows up to the watermark and hot rows above it: every block once';
