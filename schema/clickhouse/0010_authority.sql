-- authority: final tier, hot tier (versioned by head offset, undone rows are tombstones), and both as one.

CREATE TABLE authority ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)' CODEC(Delta, ZSTD(1)),
  block_time DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta, ZSTD(1)),
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta, ZSTD(1)),
  tx_hash String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
  authority String COMMENT 'Contract that speaks: oracle, issuer, mixer pool, owned contract' CODEC(ZSTD(1)),
  event LowCardinality(String) COMMENT 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause or unpause',
  subject String COMMENT 'Whom or what the event is about: listed address, depositor, beneficiary, new owner, new implementation' CODEC(ZSTD(1)),
  actor String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
  amount UInt256 COMMENT 'Amount the event names, base units, else 0' CODEC(ZSTD(1)),
  detail String COMMENT 'Event-specific text: role hash, previous owner, relayer' CODEC(ZSTD(1)),
  INDEX by_block block_number TYPE minmax GRANULARITY 1,
  INDEX by_authority authority TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_actor actor TYPE bloom_filter(0.01) GRANULARITY 1,
  INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ${engine:MergeTree}
PARTITION BY network
ORDER BY (network, subject, block_time, position)
SETTINGS ${deduplication_window:10000}
COMMENT 'Words of authorities: sanction lists, issuer freezes, mixer deposits and withdrawals, ownership, upgrades, roles, pauses. Final blocks only; see authority_all';

CREATE TABLE authority_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code: ETH, BNB, POLYGON, BASE, HAQQ, SOLANA, TRON or TON',
  block_number UInt32 COMMENT 'Height of the block (slot on Solana, masterchain sequence on TON)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
  tx_hash String COMMENT 'Hash of the transaction the row belongs to',
  authority String COMMENT 'Contract that speaks: oracle, issuer, mixer pool, owned contract',
  event LowCardinality(String) COMMENT 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause or unpause',
  subject String COMMENT 'Whom or what the event is about: listed address, depositor, beneficiary, new owner, new implementation',
  actor String COMMENT 'Sender of the transaction',
  amount UInt256 COMMENT 'Amount the event names, base units, else 0',
  detail String COMMENT 'Event-specific text: role hash, previous owner, relayer',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, subject, position, authority, event, actor, detail)
COMMENT 'Rows of authority whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE VIEW authority_all ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray(settled)) FROM settled_heights) AS settled_of
SELECT network, block_number, block_time, position, tx_hash, authority, event, subject, actor, amount, detail
FROM authority
WHERE NOT mapContains(settled_of, toString(network)) OR block_number <= settled_of[toString(network)]
UNION ALL
SELECT network, block_number, block_time, position, tx_hash, authority, event, subject, actor, amount, detail
FROM authority_hot FINAL
WHERE block_number > settled_of[toString(network)]
COMMENT 'Words of authorities: sanction lists, issuer freezes, mixer deposits and withdrawals, ownership, upgrades, roles, pauses. Final rows up to the watermark and hot rows above it: every block once';
