CREATE TABLE address_labels
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `label` LowCardinality(String) COMMENT 'What was found: honeypot, rug_executed, fake_token, drainer, phishing, service, darknet, ...',
    `detector` LowCardinality(String) COMMENT 'Detector of ours, or imported source, that found it; named in data_source',
    `class` LowCardinality(String) COMMENT 'asserted (by an authority), reported (by an imported list), detected (by a rule over indexed data) or propagated (follows from other labels)',
    `confidence` Float32 COMMENT '0 to 1; 0.9 and more raises flags',
    `detector_version` LowCardinality(String) COMMENT 'Version of the rule or of the imported list',
    `evidence` String COMMENT 'JSON: transactions, counterparties, amounts the finding rests on' CODEC(ZSTD(1)),
    `tx_hash` String DEFAULT '' COMMENT 'Transaction that shows it best; empty for none' CODEC(ZSTD(1)),
    `block_number` UInt32 DEFAULT 0 COMMENT 'Height at which it was found; 0 for imported labels',
    `revoked` UInt8 DEFAULT 0 COMMENT '1 when the finding was taken back',
    `found_at` DateTime('UTC') COMMENT 'When it was found or taken back',
    `version` UInt64 COMMENT 'Newer versions replace older ones of the same network, address, label and detector'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address, label, detector)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 1000
COMMENT 'Findings about addresses. Read through current_labels';

CREATE TABLE alert_entries
(
    `account` String COMMENT 'Id of the key that began the line of rotated keys it belongs to',
    `alert` String COMMENT 'Id of the alert',
    `entry` UInt32 COMMENT '0 is the change itself; what follows is counted up. Of two of one number the first is in force',
    `precedence` UInt64 DEFAULT bitNot(toUInt64(toUnixTimestamp64Micro(now64(6)))) COMMENT 'Counts down with the clock of the store; the highest is in force',
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `operation` LowCardinality(String) COMMENT 'Operation whose verdict changed',
    `direction` LowCardinality(String) COMMENT 'worse or better',
    `body` String COMMENT 'JSON of the change; empty but in entry 0' CODEC(ZSTD(3)),
    `created` DateTime64(3, 'UTC') COMMENT 'When the change was noticed',
    `at` DateTime64(3, 'UTC') COMMENT 'When the entry was made',
    `state` LowCardinality(String) COMMENT 'open, under_review or closed, from this entry on',
    `outcome` LowCardinality(String) COMMENT 'What it came to when it was closed: false_positive, no_action, restricted or reported; else empty',
    `comment` String COMMENT 'What was written; empty where only the state changed' CODEC(ZSTD(3)),
    `key` String COMMENT 'Id of the key that wrote the entry; empty for entry 0',
    `author` String COMMENT 'Name that whoever wrote it gave; empty where none was given',
    `expires` DateTime('UTC') COMMENT 'When the row is removed'
)
ENGINE = ReplacingMergeTree(precedence)
ORDER BY (account, alert, entry)
TTL expires
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Alerts by account: changes of verdicts on watched addresses, and what became of each, entry by entry';

CREATE TABLE api_keys
(
    `id` String COMMENT 'Name of the key in lists, logs and metrics; independent of the key itself',
    `version` UInt64 COMMENT 'Microseconds since the epoch of this state; the highest is in force',
    `tier` LowCardinality(String) COMMENT 'business or enterprise',
    `label` String COMMENT 'Whom or what the key is for, as its creator wrote it',
    `hash` FixedString(64) COMMENT 'SHA-256 of the key, hex. The key itself is stored nowhere',
    `prefix` String COMMENT 'First characters of the key, to recognise it by',
    `created` DateTime64(3, 'UTC') COMMENT 'When it was made',
    `expires` DateTime64(3, 'UTC') COMMENT 'From when on it is refused; the epoch means never',
    `revoked` UInt8 COMMENT '1 when it was taken back',
    `replaced` String COMMENT 'Id of the key this one replaced by rotation, else empty',
    `operations` Array(LowCardinality(String)) COMMENT 'Operations it may run; empty for all of its tier',
    `networks` Array(LowCardinality(String)) COMMENT 'Networks it may ask about; empty for all',
    `sources` Array(String) COMMENT 'Addresses and CIDR ranges it may be used from; empty for all',
    `test` UInt8 COMMENT '1 for a key that is answered about demonstration addresses only'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY id
SETTINGS index_granularity = 8192
COMMENT 'API keys, hashed: who may call, on which tier, until when';

CREATE TABLE approvals
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `owner` String COMMENT 'Account that allows' CODEC(ZSTD(1)),
    `spender` String COMMENT 'Account that may spend' CODEC(ZSTD(1)),
    `asset` String COMMENT 'Token contract' CODEC(ZSTD(1)),
    `kind` LowCardinality(String) COMMENT 'fungible, nft (one token), all (ApprovalForAll) or permit2',
    `amount` UInt256 COMMENT 'Allowance; token id for nft; 1 or 0 for all' CODEC(ZSTD(1)),
    `initiator` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_spender spender TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, owner, block_time, position)
SETTINGS index_granularity = 1024, min_compress_block_size = 16384, non_replicated_deduplication_window = 10000
COMMENT 'Approvals given and revoked, sorted by owner and time. Final blocks only; see approvals_all';

CREATE VIEW approvals_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `owner` String COMMENT 'Account that allows',
    `spender` String COMMENT 'Account that may spend',
    `asset` String COMMENT 'Token contract',
    `kind` LowCardinality(String) COMMENT 'fungible, nft (one token), all (ApprovalForAll) or permit2',
    `amount` UInt256 COMMENT 'Allowance; token id for nft; 1 or 0 for all',
    `initiator` String COMMENT 'Sender of the transaction'
)
COMMENT 'Approvals given and revoked, sorted by owner and time. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    owner,
    spender,
    asset,
    kind,
    amount,
    initiator
FROM approvals
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    owner,
    spender,
    asset,
    kind,
    amount,
    initiator
FROM approvals_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE approvals_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `owner` String COMMENT 'Account that allows',
    `spender` String COMMENT 'Account that may spend',
    `asset` String COMMENT 'Token contract',
    `kind` LowCardinality(String) COMMENT 'fungible, nft (one token), all (ApprovalForAll) or permit2',
    `amount` UInt256 COMMENT 'Allowance; token id for nft; 1 or 0 for all',
    `initiator` String COMMENT 'Sender of the transaction',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, owner, position, spender, asset, kind, amount)
SETTINGS index_granularity = 8192
COMMENT 'Rows of approvals whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE approvals_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `owner` String COMMENT 'Account that allows' CODEC(ZSTD(1)),
    `spender` String COMMENT 'Account that may spend' CODEC(ZSTD(1)),
    `asset` String COMMENT 'Token contract' CODEC(ZSTD(1)),
    `kind` LowCardinality(String) COMMENT 'fungible, nft (one token), all (ApprovalForAll) or permit2',
    `amount` UInt256 COMMENT 'Allowance; token id for nft; 1 or 0 for all' CODEC(ZSTD(1)),
    `initiator` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    INDEX by_spender spender TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, owner, position, spender, asset, kind, amount)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'Approvals given and revoked, sorted by owner and time. From before the first covered block; read with FINAL and only below it (first_covered_blocks)';

CREATE VIEW approvals_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `owner` String COMMENT 'Account that allows',
    `spender` String COMMENT 'Account that may spend',
    `asset` String COMMENT 'Token contract',
    `kind` LowCardinality(String) COMMENT 'fungible, nft (one token), all (ApprovalForAll) or permit2',
    `amount` UInt256 COMMENT 'Allowance; token id for nft; 1 or 0 for all',
    `initiator` String COMMENT 'Sender of the transaction'
)
COMMENT 'Approvals given and revoked, sorted by owner and time. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    owner,
    spender,
    asset,
    kind,
    amount,
    initiator
FROM approvals_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    owner,
    spender,
    asset,
    kind,
    amount,
    initiator
FROM approvals_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)])));

CREATE TABLE asset_approvals
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `asset` String COMMENT 'Token contract that emitted the approvals; approvals through Permit2 are left out',
    `signers` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct owners who sent the transaction of an approval they gave'
)
ENGINE = AggregatingMergeTree
PARTITION BY network
ORDER BY (network, asset)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Owners who signed for their approvals, by asset. Merge with uniqCombined64Merge(12); asset_approvals_all does';

CREATE VIEW asset_approvals_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `asset` String COMMENT 'Token contract that emitted the approvals; approvals through Permit2 are left out',
    `signers` UInt64 COMMENT 'Distinct owners who sent the transaction of an approval they gave'
)
COMMENT 'How many owners signed for approvals of each asset, as of the newest block. Filter by network and asset, or every row is merged'
AS SELECT
    s.network AS network,
    s.asset AS asset,
    uniqCombined64Merge(12)(s.signers) AS signers
FROM
(
    SELECT
        network,
        asset,
        signers
    FROM asset_approvals
    UNION ALL
    SELECT
        network,
        asset,
        signers
    FROM asset_approvals_hot
) AS s
GROUP BY
    s.network,
    s.asset;

CREATE VIEW asset_approvals_final
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `asset` String COMMENT 'Token contract that emitted the approvals; approvals through Permit2 are left out',
    `signers` UInt64 COMMENT 'Distinct owners who sent the transaction of an approval they gave'
)
COMMENT 'How many owners signed for approvals of each asset, as of the newest final block: asset_approvals_all without hot rows, for half the cost'
AS SELECT
    s.network AS network,
    s.asset AS asset,
    uniqCombined64Merge(12)(s.signers) AS signers
FROM asset_approvals AS s
GROUP BY
    s.network,
    s.asset;

CREATE MATERIALIZED VIEW asset_approvals_from_approvals TO asset_approvals
(
    `network` LowCardinality(String),
    `asset` String,
    `signers` AggregateFunction(uniqCombined64(12), String)
)
AS SELECT
    network,
    asset,
    uniqCombined64State(12)(owner) AS signers
FROM approvals AS a
WHERE (owner != '') AND (initiator = owner) AND (kind != 'permit2') AND (NOT ((a.amount = 0) AND (kind != 'nft')))
GROUP BY
    network,
    asset;

CREATE VIEW asset_approvals_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `asset` String COMMENT 'Token contract that emitted the approvals; approvals through Permit2 are left out',
    `signers` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct owners who sent the transaction of an approval they gave'
)
COMMENT 'States of hot rows above the watermark, in the shape of asset_approvals'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    asset,
    uniqCombined64State(12)(owner) AS signers
FROM approvals_hot AS a
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2)) AND (owner != '') AND (initiator = owner) AND (kind != 'permit2') AND (NOT ((a.amount = 0) AND (kind != 'nft')))
GROUP BY
    network,
    asset;

CREATE TABLE asset_holders
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `asset` String COMMENT 'Token contract',
    `address` String COMMENT 'Canonical address of the holder',
    `amount_in` SimpleAggregateFunction(sum, UInt256) COMMENT 'Received, base units of the asset',
    `amount_out` SimpleAggregateFunction(sum, UInt256) COMMENT 'Sent, base units of the asset'
)
ENGINE = AggregatingMergeTree
PARTITION BY network
ORDER BY (network, asset, address)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'wallet_assets sorted by asset: holders of a token are one range. Final blocks only';

CREATE MATERIALIZED VIEW asset_holders_from_ledger TO asset_holders
(
    `network` LowCardinality(String),
    `asset` String,
    `address` String,
    `amount_in` UInt256,
    `amount_out` UInt256
)
AS SELECT
    network,
    asset,
    address,
    sumIf(a.amount, direction = 1) AS amount_in,
    sumIf(a.amount, direction = -1) AS amount_out
FROM ledger AS a
WHERE (kind NOT IN ('nft', 'multi')) AND (address != '') AND (asset != '')
GROUP BY
    network,
    asset,
    address;

CREATE TABLE audit_anchors
(
    `chain` LowCardinality(String) COMMENT 'Chain of entries: one for each start of an API process',
    `seq` UInt64 COMMENT 'Number of the last removed entry',
    `hash` String COMMENT 'Its hash, hex',
    `at` DateTime64(3, 'UTC') COMMENT 'When it was answered',
    `removed` DateTime64(3, 'UTC') COMMENT 'When it was removed'
)
ENGINE = ReplacingMergeTree(seq)
ORDER BY chain
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'Where chains of the audit log begin after their oldest entries were removed. The highest seq of a chain is in force';

CREATE TABLE audit_log
(
    `chain` LowCardinality(String) COMMENT 'Chain of entries: one for each start of an API process',
    `seq` UInt64 COMMENT 'Number of the entry in its chain, from 1, without gaps',
    `at` DateTime64(3, 'UTC') COMMENT 'When it was answered',
    `kind` LowCardinality(String) COMMENT 'key, payment or end',
    `key` String COMMENT 'Id of the key, or the account that paid; empty at the end of a chain',
    `operation` LowCardinality(String) COMMENT 'Operation; empty at the end of a chain',
    `network` LowCardinality(String) COMMENT 'Network code; empty when the request named none that is known',
    `status` UInt16 COMMENT 'HTTP status of the answer; 0 at the end of a chain',
    `lost` UInt64 COMMENT 'Answers before this entry that have none, because the store was away for too long',
    `secret` String COMMENT 'Id of the secret that seals the entry; empty at the end of a chain',
    `sealed` String COMMENT 'Address, version of the record and SHA-256 of the body: AES-256-GCM, base64' CODEC(ZSTD(3)),
    `hash` String COMMENT 'SHA-256 of the hash before it and of all columns of the entry, hex'
)
ENGINE = MergeTree
ORDER BY (chain, seq)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'Answers to keys and payments as chains of hashes. Only ever added to, but for what is older than its retention';

CREATE TABLE audit_secrets
(
    `id` String COMMENT 'Id of the secret',
    `chain` LowCardinality(String) COMMENT 'Chain of entries: one for each start of an API process',
    `key` String COMMENT 'Id of the key, or the account that paid; empty at the end of a chain',
    `secret` String COMMENT 'The secret, base64',
    `made` DateTime64(3, 'UTC') COMMENT 'When it was made'
)
ENGINE = MergeTree
ORDER BY (key, id)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000, old_parts_lifetime = 1
COMMENT 'Secrets that seal entries of the audit log, by key and chain. Without its secret an entry cannot be read any more';

CREATE TABLE authority
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `authority` String COMMENT 'Contract that emitted the event: oracle, issuer, mixer pool, owned contract' CODEC(ZSTD(1)),
    `event` LowCardinality(String) COMMENT 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause, unpause, bridge_out or bridge_in',
    `subject` String COMMENT 'Address the event is about: listed address, depositor, beneficiary, new owner, new implementation, receiver on the other side of a bridge' CODEC(ZSTD(1)),
    `actor` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    `amount` UInt256 COMMENT 'Amount the event names, base units, else 0' CODEC(ZSTD(1)),
    `detail` String COMMENT 'Event-specific text: role hash, previous owner, relayer, key of a crossing that is equal on both networks' CODEC(ZSTD(1)),
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_authority authority TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_actor actor TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, subject, block_time, position)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Events of authorities: sanction lists, issuer freezes, mixer deposits and withdrawals, ownership, upgrades, roles, pauses. Final blocks only; see authority_all';

CREATE VIEW authority_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `authority` String COMMENT 'Contract that emitted the event: oracle, issuer, mixer pool, owned contract',
    `event` LowCardinality(String) COMMENT 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause, unpause, bridge_out or bridge_in',
    `subject` String COMMENT 'Address the event is about: listed address, depositor, beneficiary, new owner, new implementation, receiver on the other side of a bridge',
    `actor` String COMMENT 'Sender of the transaction',
    `amount` UInt256 COMMENT 'Amount the event names, base units, else 0',
    `detail` String COMMENT 'Event-specific text: role hash, previous owner, relayer, key of a crossing that is equal on both networks'
)
COMMENT 'Events of authorities: sanction lists, issuer freezes, mixer deposits and withdrawals, ownership, upgrades, roles, pauses. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    authority,
    event,
    subject,
    actor,
    amount,
    detail
FROM authority
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    authority,
    event,
    subject,
    actor,
    amount,
    detail
FROM authority_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE authority_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `authority` String COMMENT 'Contract that emitted the event: oracle, issuer, mixer pool, owned contract',
    `event` LowCardinality(String) COMMENT 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause, unpause, bridge_out or bridge_in',
    `subject` String COMMENT 'Address the event is about: listed address, depositor, beneficiary, new owner, new implementation, receiver on the other side of a bridge',
    `actor` String COMMENT 'Sender of the transaction',
    `amount` UInt256 COMMENT 'Amount the event names, base units, else 0',
    `detail` String COMMENT 'Event-specific text: role hash, previous owner, relayer, key of a crossing that is equal on both networks',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, subject, position, authority, event, actor, detail)
SETTINGS index_granularity = 8192
COMMENT 'Rows of authority whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE authority_listings
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `subject` String COMMENT 'Address the list is about',
    `list` LowCardinality(String) COMMENT 'sanctions or freeze',
    `authority` String COMMENT 'Contract that emitted the events: oracle or issuer',
    `latest` SimpleAggregateFunction(max, Tuple(
        position UInt64,
        listed UInt8,
        time DateTime('UTC'),
        tx_hash String)) COMMENT 'Position of the newest event about the subject, what it was (1 listed, 0 released), its time and transaction',
    `latest_add` SimpleAggregateFunction(max, Tuple(
        position UInt64,
        time DateTime('UTC'),
        tx_hash String)) COMMENT 'Position, time and transaction of the newest listing; zeroes when there was none',
    `seized` SimpleAggregateFunction(sum, UInt64) COMMENT 'Times the issuer destroyed the subject\'s funds'
)
ENGINE = AggregatingMergeTree
PARTITION BY network
ORDER BY (network, subject, list, authority)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Newest event of each authority about each subject. Listed while the second part of latest is 1';

CREATE VIEW authority_listings_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `subject` String COMMENT 'Address the list is about',
    `list` LowCardinality(String) COMMENT 'sanctions or freeze',
    `authority` String COMMENT 'Contract that emitted the events: oracle or issuer',
    `listed` UInt8 COMMENT '1 while the subject is listed, 0 after its release',
    `changed_at` DateTime('UTC') COMMENT 'Time of the newest event about the subject',
    `changed_in` String COMMENT 'Transaction of that event',
    `listed_at` DateTime('UTC') COMMENT 'Time of the newest listing; the epoch when there was none',
    `listed_in` String COMMENT 'Transaction of the newest listing',
    `seized` UInt64 COMMENT 'Times the issuer destroyed the subject\'s funds'
)
COMMENT 'Whether each authority lists each subject, as of the newest block. Filter by network and subject, or every row is merged'
AS SELECT
    s.network AS network,
    s.subject AS subject,
    s.list AS list,
    s.authority AS authority,
    (max(s.latest)).2 AS listed,
    (max(s.latest)).3 AS changed_at,
    (max(s.latest)).4 AS changed_in,
    (max(s.latest_add)).2 AS listed_at,
    (max(s.latest_add)).3 AS listed_in,
    sum(s.seized) AS seized
FROM
(
    SELECT
        network,
        subject,
        list,
        authority,
        latest,
        latest_add,
        seized
    FROM authority_listings
    UNION ALL
    SELECT
        network,
        subject,
        list,
        authority,
        latest,
        latest_add,
        seized
    FROM authority_listings_hot
    UNION ALL
    SELECT
        network,
        subject,
        list,
        authority,
        latest,
        latest_add,
        seized
    FROM authority_listings_past
) AS s
GROUP BY
    s.network,
    s.subject,
    s.list,
    s.authority;

CREATE VIEW authority_listings_final
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `subject` String COMMENT 'Address the list is about',
    `list` LowCardinality(String) COMMENT 'sanctions or freeze',
    `authority` String COMMENT 'Contract that emitted the events: oracle or issuer',
    `listed` UInt8 COMMENT '1 while the subject is listed, 0 after its release',
    `changed_at` DateTime('UTC') COMMENT 'Time of the newest event about the subject',
    `changed_in` String COMMENT 'Transaction of that event',
    `listed_at` DateTime('UTC') COMMENT 'Time of the newest listing; the epoch when there was none',
    `listed_in` String COMMENT 'Transaction of the newest listing',
    `seized` UInt64 COMMENT 'Times the issuer destroyed the subject\'s funds'
)
COMMENT 'Whether each authority lists each subject, as of the newest final block: authority_listings_all without hot rows, for half the cost'
AS SELECT
    s.network AS network,
    s.subject AS subject,
    s.list AS list,
    s.authority AS authority,
    (max(s.latest)).2 AS listed,
    (max(s.latest)).3 AS changed_at,
    (max(s.latest)).4 AS changed_in,
    (max(s.latest_add)).2 AS listed_at,
    (max(s.latest_add)).3 AS listed_in,
    sum(s.seized) AS seized
FROM
(
    SELECT
        network,
        subject,
        list,
        authority,
        latest,
        latest_add,
        seized
    FROM authority_listings
    UNION ALL
    SELECT
        network,
        subject,
        list,
        authority,
        latest,
        latest_add,
        seized
    FROM authority_listings_past
) AS s
GROUP BY
    s.network,
    s.subject,
    s.list,
    s.authority;

CREATE MATERIALIZED VIEW authority_listings_from_authority TO authority_listings
(
    `network` LowCardinality(String),
    `subject` String,
    `list` String,
    `authority` String,
    `latest` Tuple(
        UInt64,
        UInt8,
        DateTime('UTC'),
        String),
    `latest_add` Tuple(
        UInt64,
        DateTime('UTC'),
        String),
    `seized` UInt64
)
AS SELECT
    network,
    subject,
    if(startsWith(event, 'sanction'), 'sanctions', 'freeze') AS list,
    authority,
    max(if(event = 'seize', (toUInt64(0), 0, toDateTime(0, 'UTC'), ''), (position, (event IN ('sanction_add', 'freeze')), block_time, tx_hash))) AS latest,
    max(if((event IN ('sanction_add', 'freeze')), (position, block_time, tx_hash), (toUInt64(0), toDateTime(0, 'UTC'), ''))) AS latest_add,
    countIf(event = 'seize') AS seized
FROM authority AS a
WHERE event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize')
GROUP BY
    network,
    subject,
    list,
    authority;

CREATE VIEW authority_listings_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `subject` String COMMENT 'Address the list is about',
    `list` LowCardinality(String) COMMENT 'sanctions or freeze',
    `authority` String COMMENT 'Contract that emitted the events: oracle or issuer',
    `latest` Tuple(
        position UInt64,
        listed UInt8,
        time DateTime('UTC'),
        tx_hash String) COMMENT 'Position of the newest event about the subject, what it was (1 listed, 0 released), its time and transaction',
    `latest_add` Tuple(
        position UInt64,
        time DateTime('UTC'),
        tx_hash String) COMMENT 'Position, time and transaction of the newest listing; zeroes when there was none',
    `seized` UInt64 COMMENT 'Times the issuer destroyed the subject\'s funds'
)
COMMENT 'States of hot rows above the watermark, in the shape of authority_listings'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    subject,
    if(startsWith(event, 'sanction'), 'sanctions', 'freeze') AS list,
    authority,
    max(if(event = 'seize', (toUInt64(0), 0, toDateTime(0, 'UTC'), ''), (position, (event IN ('sanction_add', 'freeze')), block_time, tx_hash))) AS latest,
    max(if((event IN ('sanction_add', 'freeze')), (position, block_time, tx_hash), (toUInt64(0), toDateTime(0, 'UTC'), ''))) AS latest_add,
    countIf(event = 'seize') AS seized
FROM authority_hot AS a
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2)) AND (event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize'))
GROUP BY
    network,
    subject,
    list,
    authority;

CREATE VIEW authority_listings_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `subject` String COMMENT 'Address the list is about',
    `list` LowCardinality(String) COMMENT 'sanctions or freeze',
    `authority` String COMMENT 'Contract that emitted the events: oracle or issuer',
    `latest` Tuple(
        position UInt64,
        listed UInt8,
        time DateTime('UTC'),
        tx_hash String) COMMENT 'Position of the newest event about the subject, what it was (1 listed, 0 released), its time and transaction',
    `latest_add` Tuple(
        position UInt64,
        time DateTime('UTC'),
        tx_hash String) COMMENT 'Position, time and transaction of the newest listing; zeroes when there was none',
    `seized` UInt64 COMMENT 'Times the issuer destroyed the subject\'s funds'
)
COMMENT 'States of rows from before the first covered block, in the shape of authority_listings'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    subject,
    if(startsWith(event, 'sanction'), 'sanctions', 'freeze') AS list,
    authority,
    max(if(event = 'seize', (toUInt64(0), 0, toDateTime(0, 'UTC'), ''), (position, (event IN ('sanction_add', 'freeze')), block_time, tx_hash))) AS latest,
    max(if((event IN ('sanction_add', 'freeze')), (position, block_time, tx_hash), (toUInt64(0), toDateTime(0, 'UTC'), ''))) AS latest_add,
    countIf(event = 'seize') AS seized
FROM authority_past AS a
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)]))) AND (event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize'))
GROUP BY
    network,
    subject,
    list,
    authority;

CREATE TABLE authority_logs
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `authority` String COMMENT 'Contract whose log it is',
    `list` LowCardinality(String) COMMENT 'sanctions, freeze or mixer: what the log is read for',
    `name` String COMMENT 'What the contract is called',
    `since` UInt32 COMMENT 'Block before which the contract logged nothing; 0 where that is not known',
    `from_block` UInt32 COMMENT 'First block of the part that was read without a hole up to to_block',
    `to_block` UInt32 COMMENT 'Last block that was read; below from_block while nothing was',
    `target` UInt32 COMMENT 'Block up to which it is read; blocks above come with the stream',
    `complete` UInt8 COMMENT '1 when everything from since to target was read',
    `source` String COMMENT 'Host that answered',
    `reason` String COMMENT 'Why it is not complete; empty when it is',
    `left_seconds` UInt32 COMMENT 'Estimate of the time left, seconds; 0 when nothing is left or nothing is known',
    `version` UInt64 COMMENT 'Milliseconds since the epoch when the row was written; the newest counts',
    `updated_at` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the row was written'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, authority)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'How much of the log of each authority was read, from before the first covered block on. Read with FINAL';

CREATE TABLE authority_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `authority` String COMMENT 'Contract that emitted the event: oracle, issuer, mixer pool, owned contract' CODEC(ZSTD(1)),
    `event` LowCardinality(String) COMMENT 'sanction_add, sanction_remove, freeze, unfreeze, seize, mixer_deposit, mixer_withdraw, owner_change, upgrade, admin_change, role_grant, role_revoke, pause, unpause, bridge_out or bridge_in',
    `subject` String COMMENT 'Address the event is about: listed address, depositor, beneficiary, new owner, new implementation, receiver on the other side of a bridge' CODEC(ZSTD(1)),
    `actor` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    `amount` UInt256 COMMENT 'Amount the event names, base units, else 0' CODEC(ZSTD(1)),
    `detail` String COMMENT 'Event-specific text: role hash, previous owner, relayer, key of a crossing that is equal on both networks' CODEC(ZSTD(1)),
    INDEX by_authority authority TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_actor actor TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, subject, position, authority, event, actor, detail)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'Events of authorities: sanction lists, issuer freezes, mixer deposits and withdrawals, ownership, upgrades, roles, pauses. From before the first covered block; read with FINAL and only below it (first_covered_blocks)';

CREATE TABLE blocks
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `block_hash` String COMMENT 'Hash of the block' CODEC(ZSTD(1)),
    `parent_hash` String COMMENT 'Hash of the block before it' CODEC(ZSTD(1)),
    `transaction_count` UInt32 COMMENT 'Transactions the block holds' CODEC(Delta(4), ZSTD(1)),
    `sees_traces` UInt8 COMMENT '1 when internal calls were visible to the source; 0 means internal transfers and factory creations are unknown, not absent',
    INDEX by_block_hash block_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, block_number)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Blocks. A block that shows here has all its rows in the other tables. Final blocks only; see blocks_all';

CREATE VIEW blocks_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `block_hash` String COMMENT 'Hash of the block',
    `parent_hash` String COMMENT 'Hash of the block before it',
    `transaction_count` UInt32 COMMENT 'Transactions the block holds',
    `sees_traces` UInt8 COMMENT '1 when internal calls were visible to the source; 0 means internal transfers and factory creations are unknown, not absent'
)
COMMENT 'Blocks. A block that shows here has all its rows in the other tables. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    block_hash,
    parent_hash,
    transaction_count,
    sees_traces
FROM blocks
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    block_hash,
    parent_hash,
    transaction_count,
    sees_traces
FROM blocks_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE blocks_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `block_hash` String COMMENT 'Hash of the block',
    `parent_hash` String COMMENT 'Hash of the block before it',
    `transaction_count` UInt32 COMMENT 'Transactions the block holds',
    `sees_traces` UInt8 COMMENT '1 when internal calls were visible to the source; 0 means internal transfers and factory creations are unknown, not absent',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, block_number, block_hash)
SETTINGS index_granularity = 8192
COMMENT 'Rows of blocks whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE contract_history
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Contract or pool that was asked about, lower-case hex',
    `version` UInt64 COMMENT 'Version of the record',
    `status` LowCardinality(String) COMMENT 'Fraud or Not Fraud',
    `probability` Float64 COMMENT 'Probability of a rug pull, 0 to 1',
    `risk_score` UInt8 COMMENT 'Risk score, 0 to 100',
    `body` String COMMENT 'JSON of the record, as in contract_records' CODEC(ZSTD(3)),
    `reasons` String COMMENT 'JSON of what risk score and probability rested on' CODEC(ZSTD(3)),
    `unknowns` String COMMENT 'JSON object of flags that could not be determined, with why' CODEC(ZSTD(3)),
    `model_version` LowCardinality(String) COMMENT 'Model of code that took part in the probability',
    `data_height` UInt32 COMMENT 'Block the analysis was pinned to',
    `tables_height` UInt32 COMMENT 'Newest complete block in the tables when the analysis began; 0 when there was none',
    `computed_at` DateTime('UTC') COMMENT 'When it was analysed'
)
ENGINE = ReplacingMergeTree
ORDER BY (network, address, version)
SETTINGS index_granularity = 1024
COMMENT 'What analyses of contracts were: one row whenever status, scores or indicators changed. A row is the analysis that changed them';

CREATE TABLE contract_progress
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `version` UInt64 COMMENT 'Grows with every entry: milliseconds since the epoch',
    `height` UInt32 COMMENT 'Events up to this block have been followed by analyses',
    `hash` String COMMENT 'Hash of that block',
    `verified` UInt32 COMMENT 'Records up to this final block are known to be of the chain'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY network
SETTINGS index_granularity = 8192
COMMENT 'How far the stream of contract analyses has come. Newest version counts';

CREATE TABLE contract_records
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Contract or pool that was asked about, lower-case hex',
    `version` UInt64 COMMENT 'Grows with every computation: milliseconds since the epoch',
    `token` String COMMENT 'Token that was scored: the address itself, or the token of the pool',
    `status` LowCardinality(String) COMMENT 'Fraud or Not Fraud',
    `probability` Float64 COMMENT 'Probability of a rug pull, 0 to 1',
    `risk_score` UInt8 COMMENT 'Risk score, 0 to 100',
    `honeypot` UInt8 COMMENT '1 when sells are blocked',
    `dead` UInt8 COMMENT '1 when the token had a pool whose liquidity insiders removed',
    `owner` String COMMENT 'Owner at the time, empty when there is none',
    `creator` String COMMENT 'Root creator, empty when unknown',
    `creator_fraud` UInt8 COMMENT '1 when the verdict on the creator was Fraud at the time',
    `pool` String COMMENT 'Pool that was analysed, empty when there is none',
    `code_hash` String COMMENT 'keccak-256 of the code that runs, without metadata trailer',
    `family_hash` String COMMENT 'keccak-256 of its opcodes with push data blanked: one family of contracts',
    `body` String COMMENT 'JSON of the record without contractAddress, checked_times and updatedAt: the bytes that are served' CODEC(ZSTD(3)),
    `reasons` String COMMENT 'JSON of what risk score and probability rest on: code, contribution, evidence' CODEC(ZSTD(3)),
    `unknowns` String COMMENT 'JSON object of flags that could not be determined, with why; the record shows 0 for them' CODEC(ZSTD(3)),
    `facts` String COMMENT 'JSON of what is known of the token beside the verdict: holders, sales of holders, launchpad; empty in rows of earlier versions' CODEC(ZSTD(3)),
    `model_version` LowCardinality(String) COMMENT 'Model of code that took part in the probability',
    `data_height` UInt32 COMMENT 'Block the analysis was pinned to',
    `data_hash` String COMMENT 'Hash of that block: a record of a block that is no longer in the chain is made again',
    `tables_height` UInt32 COMMENT 'Newest complete block in the tables when the analysis began; 0 when there was none',
    `watched` Array(String) COMMENT 'Addresses whose events make the record outdated: token, pools, owner, creator, code behind proxies, insiders' CODEC(ZSTD(3)),
    `created_at` DateTime('UTC') COMMENT 'First analysed',
    `computed_at` DateTime('UTC') COMMENT 'Last analysed',
    INDEX by_token token TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_code code_hash TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_family family_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address)
SETTINGS index_granularity = 1024
COMMENT 'Newest analysis of each contract. Look up with ORDER BY version DESC LIMIT 1 BY network, address';

CREATE TABLE contract_retries
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Contract to be analysed',
    `version` UInt64 COMMENT 'Grows with every entry: milliseconds since the epoch',
    `due_at` DateTime64(3, 'UTC') COMMENT 'When to analyse it',
    `attempts` UInt16 COMMENT 'Analyses that failed in a row',
    `reason` LowCardinality(String) COMMENT 'refresh (an event came soon after the last analysis), gone (no code at the address) or the error code of the last failure',
    `settled` UInt8 COMMENT '1 when the analysis was made'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address)
SETTINGS index_granularity = 1024
COMMENT 'Contract analyses put off: failures with their back-off, and refreshes that wait. Read with FINAL';

CREATE TABLE contract_watches
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `watched` String COMMENT 'Address whose events concern the record',
    `address` String COMMENT 'Address of the record',
    `version` UInt64 COMMENT 'Version of the record that named the address'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, watched, address)
SETTINGS index_granularity = 1024
COMMENT 'Contract records by the addresses they rest on. Rows of earlier versions stay: at worst a record is made again for nothing';

CREATE MATERIALIZED VIEW contract_watches_from_contract_records TO contract_watches
(
    `network` LowCardinality(String),
    `watched` String,
    `address` String,
    `version` UInt64
)
AS SELECT
    network,
    arrayJoin(watched) AS watched,
    address,
    version
FROM contract_records;

CREATE VIEW contracts_current
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Contract or pool that was analysed',
    `token` String COMMENT 'Token that was scored: the address itself, or the token of the pool',
    `status` LowCardinality(String) COMMENT 'Fraud or Not Fraud',
    `probability` Float64 COMMENT 'Probability of a rug pull, 0 to 1',
    `risk_score` UInt8 COMMENT 'Risk score, 0 to 100',
    `risk_status` String COMMENT 'Risk score in words',
    `creator` String COMMENT 'Deployer; empty when unknown',
    `pool` String COMMENT 'Pool that was analysed; empty when there is none',
    `dead` UInt8 COMMENT '1 when the token had a pool whose liquidity insiders removed',
    `family_hash` String COMMENT 'keccak-256 of its opcodes with push data blanked: one family of contracts',
    `is_honeypot` UInt8 COMMENT '1 when: Sells are blocked',
    `honeypot_with_same_creator` UInt8 COMMENT '1 when: The creator deployed another honeypot',
    `can_take_back_ownership` UInt8 COMMENT '1 when: Ownership can be reclaimed after renouncing',
    `is_mintable` UInt8 COMMENT '1 when: Unlimited minting is allowed',
    `hidden_owner` UInt8 COMMENT '1 when: The owner is concealed',
    `buy_tax` UInt32 COMMENT 'Buy tax in percent',
    `sell_tax` UInt32 COMMENT 'Sell tax in percent',
    `cannot_buy` UInt8 COMMENT '1 when: Buying is disabled',
    `cannot_sell_all` UInt8 COMMENT '1 when: Holders cannot sell their full balance',
    `is_blacklisted` UInt8 COMMENT '1 when: The contract can blacklist addresses',
    `is_whitelisted` UInt8 COMMENT '1 when: The contract uses a whitelist',
    `creator_percent` UInt32 COMMENT 'Percentage of the supply held by the creator',
    `lp_holders_locked` UInt8 COMMENT '1 when: Liquidity tokens are locked',
    `liquidity` Float64 COMMENT 'Liquidity in the base token',
    `market_cap` Float64 COMMENT 'Estimated market capitalisation in USD',
    `is_in_dex` UInt8 COMMENT '1 when: Listed on an exchange',
    `slippage_modifiable` UInt8 COMMENT '1 when: The owner can change slippage',
    `transfer_pausable` UInt8 COMMENT '1 when: Transfers can be paused',
    `is_anti_whale` UInt8 COMMENT '1 when: An anti-whale mechanism is active',
    `anti_whale_modifiable` UInt8 COMMENT '1 when: Anti-whale limits can be changed',
    `trading_cooldown` UInt8 COMMENT '1 when: There is a cooldown between trades',
    `personal_slippage_modifiable` UInt8 COMMENT '1 when: Slippage can be set per address',
    `is_open_source` UInt8 COMMENT '1 when: The source is verified',
    `is_proxy` UInt8 COMMENT '1 when: The contract is a proxy',
    `owner_address` String COMMENT 'Current owner; may be empty',
    `owner_change_balance` UInt8 COMMENT '1 when: The owner can modify balances',
    `selfdestruct` UInt8 COMMENT '1 when: Contains a selfdestruct call',
    `external_call` UInt8 COMMENT '1 when: Makes external calls',
    `gas_abuse` UInt8 COMMENT '1 when: Gas manipulation was detected',
    `reason_codes` Array(String) COMMENT 'Codes of the reasons, in the order of the record',
    `unknowns` Array(String) COMMENT 'Flags that could not be determined; they show 0',
    `data_height` UInt32 COMMENT 'Block the analysis was pinned to',
    `created_at` DateTime('UTC') COMMENT 'First analysed',
    `computed_at` DateTime('UTC') COMMENT 'Last analysed',
    `version` UInt64 COMMENT 'Version of the record: milliseconds since the epoch'
)
COMMENT 'Newest analysis of each contract, one row each, with a column for each indicator'
AS SELECT
    r.network AS network,
    r.address AS address,
    r.token AS token,
    r.status AS status,
    r.probability AS probability,
    r.risk_score AS risk_score,
    JSONExtractString(r.body, 'risk_status') AS risk_status,
    JSONExtractString(r.body, 'contractCreatorAddress') AS creator,
    r.pool AS pool,
    r.dead AS dead,
    r.family_hash AS family_hash,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'is_honeypot')) AS is_honeypot,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'honeypot_with_same_creator')) AS honeypot_with_same_creator,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'can_take_back_ownership')) AS can_take_back_ownership,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'is_mintable')) AS is_mintable,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'hidden_owner')) AS hidden_owner,
    toUInt32(JSONExtractUInt(r.body, 'risk_indicators', 'buy_tax')) AS buy_tax,
    toUInt32(JSONExtractUInt(r.body, 'risk_indicators', 'sell_tax')) AS sell_tax,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'cannot_buy')) AS cannot_buy,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'cannot_sell_all')) AS cannot_sell_all,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'is_blacklisted')) AS is_blacklisted,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'is_whitelisted')) AS is_whitelisted,
    toUInt32(JSONExtractUInt(r.body, 'risk_indicators', 'creator_percent')) AS creator_percent,
    toUInt8(JSONExtractBool(r.body, 'risk_indicators', 'lp_holders_locked')) AS lp_holders_locked,
    JSONExtractFloat(r.body, 'risk_indicators', 'liquidity') AS liquidity,
    JSONExtractFloat(r.body, 'risk_indicators', 'market_cap') AS market_cap,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'is_in_dex')) AS is_in_dex,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'slippage_modifiable')) AS slippage_modifiable,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'transfer_pausable')) AS transfer_pausable,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'is_anti_whale')) AS is_anti_whale,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'anti_whale_modifiable')) AS anti_whale_modifiable,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'trading_cooldown')) AS trading_cooldown,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'personal_slippage_modifiable')) AS personal_slippage_modifiable,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'is_open_source')) AS is_open_source,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'is_proxy')) AS is_proxy,
    JSONExtractString(r.body, 'risk_indicators', 'owner_address') AS owner_address,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'owner_change_balance')) AS owner_change_balance,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'selfdestruct')) AS selfdestruct,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'external_call')) AS external_call,
    toUInt8(JSONExtractUInt(r.body, 'risk_indicators', 'gas_abuse')) AS gas_abuse,
    arrayMap(x -> JSONExtractString(x, 'code'), JSONExtractArrayRaw(r.reasons)) AS reason_codes,
    JSONExtractKeys(r.unknowns) AS unknowns,
    r.data_height AS data_height,
    r.created_at AS created_at,
    r.computed_at AS computed_at,
    r.version AS version
FROM contract_records AS r
FINAL;

CREATE TABLE covered_ranges
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `epoch` UInt32 DEFAULT 1 COMMENT 'How often the network was rebuilt, plus one',
    `slot` UInt32 COMMENT 'Place of the range among those of its network',
    `first_block` UInt32 COMMENT 'Lowest block of the range',
    `last_block` UInt32 COMMENT 'Highest block of the range',
    `parent_hash` String COMMENT 'Hash of the block below the range',
    `last_hash` String COMMENT 'Hash of the highest block',
    `traces` UInt8 COMMENT '1 when every block of the range has its traces',
    `claimed_by` String COMMENT 'Chunk or move that is putting the blocks into the tables; empty once they are there',
    `claimed_at` UInt64 COMMENT 'Inserts of all networks when the blocks were claimed: how far deduplication can be trusted',
    `inserts` UInt64 COMMENT 'Chunks and moves of the network that were begun so far',
    `version` UInt64 COMMENT 'Grows by one with every change of the network: the sequence of compare-and-set',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when the slot is empty'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
ORDER BY (network, epoch, slot)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Which blocks are in the final tables, in ranges that touch no other, and which are being put there. Read with FINAL; slots are used again, so the table stays as small as the number of ranges';

CREATE TABLE creations
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `contract` String COMMENT 'The contract' CODEC(ZSTD(1)),
    `event` LowCardinality(String) COMMENT 'create or destroy',
    `creator` String COMMENT 'from of the CREATE frame (may be a factory); for destroy, the beneficiary' CODEC(ZSTD(1)),
    `root_creator` String COMMENT 'Externally owned account the creation goes back to: sender of the transaction' CODEC(ZSTD(1)),
    `code_hash` String COMMENT 'keccak-256 of the runtime code without its CBOR metadata trailer; empty when the code was not visible' CODEC(ZSTD(1)),
    `code_size` UInt32 COMMENT 'Bytes of runtime code' CODEC(ZSTD(1)),
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_root_creator root_creator TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_creator creator TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_code_hash code_hash TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, contract, position)
SETTINGS index_granularity = 1024, min_compress_block_size = 16384, non_replicated_deduplication_window = 10000
COMMENT 'Contracts created and destroyed. Final blocks only; see creations_all';

CREATE VIEW creations_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `contract` String COMMENT 'The contract',
    `event` LowCardinality(String) COMMENT 'create or destroy',
    `creator` String COMMENT 'from of the CREATE frame (may be a factory); for destroy, the beneficiary',
    `root_creator` String COMMENT 'Externally owned account the creation goes back to: sender of the transaction',
    `code_hash` String COMMENT 'keccak-256 of the runtime code without its CBOR metadata trailer; empty when the code was not visible',
    `code_size` UInt32 COMMENT 'Bytes of runtime code'
)
COMMENT 'Contracts created and destroyed. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    contract,
    event,
    creator,
    root_creator,
    code_hash,
    code_size
FROM creations
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    contract,
    event,
    creator,
    root_creator,
    code_hash,
    code_size
FROM creations_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE creations_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `contract` String COMMENT 'The contract',
    `event` LowCardinality(String) COMMENT 'create or destroy',
    `creator` String COMMENT 'from of the CREATE frame (may be a factory); for destroy, the beneficiary',
    `root_creator` String COMMENT 'Externally owned account the creation goes back to: sender of the transaction',
    `code_hash` String COMMENT 'keccak-256 of the runtime code without its CBOR metadata trailer; empty when the code was not visible',
    `code_size` UInt32 COMMENT 'Bytes of runtime code',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, contract, position, event)
SETTINGS index_granularity = 8192
COMMENT 'Rows of creations whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE creations_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `contract` String COMMENT 'The contract' CODEC(ZSTD(1)),
    `event` LowCardinality(String) COMMENT 'create or destroy',
    `creator` String COMMENT 'from of the CREATE frame (may be a factory); for destroy, the beneficiary' CODEC(ZSTD(1)),
    `root_creator` String COMMENT 'Externally owned account the creation goes back to: sender of the transaction' CODEC(ZSTD(1)),
    `code_hash` String COMMENT 'keccak-256 of the runtime code without its CBOR metadata trailer; empty when the code was not visible' CODEC(ZSTD(1)),
    `code_size` UInt32 COMMENT 'Bytes of runtime code' CODEC(ZSTD(1)),
    INDEX by_root_creator root_creator TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_creator creator TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_code_hash code_hash TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, contract, position, event)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'Contracts created and destroyed. From before the first covered block; read with FINAL and only below it (first_covered_blocks)';

CREATE VIEW creations_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `contract` String COMMENT 'The contract',
    `event` LowCardinality(String) COMMENT 'create or destroy',
    `creator` String COMMENT 'from of the CREATE frame (may be a factory); for destroy, the beneficiary',
    `root_creator` String COMMENT 'Externally owned account the creation goes back to: sender of the transaction',
    `code_hash` String COMMENT 'keccak-256 of the runtime code without its CBOR metadata trailer; empty when the code was not visible',
    `code_size` UInt32 COMMENT 'Bytes of runtime code'
)
COMMENT 'Contracts created and destroyed. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    contract,
    event,
    creator,
    root_creator,
    code_hash,
    code_size
FROM creations_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    contract,
    event,
    creator,
    root_creator,
    code_hash,
    code_size
FROM creations_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)])));

CREATE VIEW current_labels
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `label` LowCardinality(String) COMMENT 'What was found: honeypot, rug_executed, fake_token, drainer, phishing, service, darknet, ...',
    `detector` LowCardinality(String) COMMENT 'Detector of ours, or imported source, that found it; named in data_source',
    `class` String COMMENT 'asserted (by an authority), reported (by an imported list), detected (by a rule over indexed data) or propagated (follows from other labels)',
    `confidence` Float32 COMMENT '0 to 1; 0.9 and more raises flags',
    `detector_version` String COMMENT 'Version of the rule or of the imported list',
    `evidence` String COMMENT 'JSON: transactions, counterparties, amounts the finding rests on',
    `tx_hash` String COMMENT 'Transaction that shows it best; empty for none',
    `block_number` UInt32 COMMENT 'Height at which it was found; 0 for imported labels',
    `found_at` DateTime('UTC') COMMENT 'When it was found or taken back'
)
COMMENT 'Findings in force: newest version of each, retracted ones left out'
AS SELECT
    l.network AS network,
    l.address AS address,
    l.label AS label,
    l.detector AS detector,
    argMax(l.class, l.version) AS class,
    argMax(l.confidence, l.version) AS confidence,
    argMax(l.detector_version, l.version) AS detector_version,
    argMax(l.evidence, l.version) AS evidence,
    argMax(l.tx_hash, l.version) AS tx_hash,
    argMax(l.block_number, l.version) AS block_number,
    argMax(l.found_at, l.version) AS found_at
FROM address_labels AS l
GROUP BY
    l.network,
    l.address,
    l.label,
    l.detector
HAVING argMax(l.revoked, l.version) = 0;

CREATE TABLE delegations
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `authority` String COMMENT 'Account that delegates its code' CODEC(ZSTD(1)),
    `delegate` String COMMENT 'Contract whose code runs; the zero address revokes' CODEC(ZSTD(1)),
    `initiator` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_delegate delegate TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, authority, block_time, position)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'EIP-7702 authorizations. Final blocks only; see delegations_all';

CREATE VIEW delegations_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `authority` String COMMENT 'Account that delegates its code',
    `delegate` String COMMENT 'Contract whose code runs; the zero address revokes',
    `initiator` String COMMENT 'Sender of the transaction'
)
COMMENT 'EIP-7702 authorizations. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    authority,
    delegate,
    initiator
FROM delegations
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    authority,
    delegate,
    initiator
FROM delegations_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE delegations_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `authority` String COMMENT 'Account that delegates its code',
    `delegate` String COMMENT 'Contract whose code runs; the zero address revokes',
    `initiator` String COMMENT 'Sender of the transaction',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, authority, position, delegate)
SETTINGS index_granularity = 8192
COMMENT 'Rows of delegations whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE delegations_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `authority` String COMMENT 'Account that delegates its code' CODEC(ZSTD(1)),
    `delegate` String COMMENT 'Contract whose code runs; the zero address revokes' CODEC(ZSTD(1)),
    `initiator` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    INDEX by_delegate delegate TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, authority, position, delegate)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'EIP-7702 authorizations. From before the first covered block; read with FINAL and only below it (first_covered_blocks)';

CREATE VIEW delegations_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `authority` String COMMENT 'Account that delegates its code',
    `delegate` String COMMENT 'Contract whose code runs; the zero address revokes',
    `initiator` String COMMENT 'Sender of the transaction'
)
COMMENT 'EIP-7702 authorizations. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    authority,
    delegate,
    initiator
FROM delegations_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    authority,
    delegate,
    initiator
FROM delegations_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)])));

CREATE TABLE deployer_contracts
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `root_creator` String COMMENT 'Externally owned account the creation goes back to',
    `contract` String COMMENT 'The contract',
    `created_at` SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first creation',
    `creations` SimpleAggregateFunction(sum, UInt64) COMMENT 'Creations at this address; more than one means it was created again',
    `code_hash` SimpleAggregateFunction(max, String) COMMENT 'Hash of the runtime code without metadata; empty when not visible',
    `position` SimpleAggregateFunction(min, UInt64) COMMENT 'Position of the first creation'
)
ENGINE = AggregatingMergeTree
PARTITION BY network
ORDER BY (network, root_creator, contract)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Contracts of each deployer. Factory creations included where traces were visible';

CREATE VIEW deployer_contracts_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `root_creator` String COMMENT 'Externally owned account the creation goes back to',
    `contract` String COMMENT 'The contract',
    `created_at` Nullable(DateTime('UTC')) COMMENT 'Time of the first creation',
    `creations` UInt64 COMMENT 'Creations at this address; more than one means it was created again',
    `code_hash` String COMMENT 'Hash of the runtime code without metadata; empty when not visible',
    `position` UInt64 COMMENT 'Position of the first creation'
)
COMMENT 'Contracts of each deployer, as of the newest block. Filter by network and root_creator, or every row is merged'
AS SELECT
    s.network AS network,
    s.root_creator AS root_creator,
    s.contract AS contract,
    min(s.created_at) AS created_at,
    sum(s.creations) AS creations,
    max(s.code_hash) AS code_hash,
    min(s.position) AS position
FROM
(
    SELECT
        network,
        root_creator,
        contract,
        created_at,
        creations,
        code_hash,
        position
    FROM deployer_contracts
    UNION ALL
    SELECT
        network,
        root_creator,
        contract,
        created_at,
        creations,
        code_hash,
        position
    FROM deployer_contracts_hot
) AS s
GROUP BY
    s.network,
    s.root_creator,
    s.contract;

CREATE VIEW deployer_contracts_fetched
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `root_creator` String COMMENT 'Externally owned account the creation goes back to',
    `contract` String COMMENT 'The contract',
    `created_at` Nullable(DateTime('UTC')) COMMENT 'Time of the first creation',
    `creations` UInt64 COMMENT 'Creations at this address; more than one means it was created again',
    `code_hash` String COMMENT 'Hash of the runtime code without metadata; empty when not visible',
    `position` UInt64 COMMENT 'Position of the first creation'
)
COMMENT 'States of what was fetched of single wallets from before the first covered block, in the shape of deployer_contracts'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    root_creator,
    contract,
    min(toNullable(block_time)) AS created_at,
    count() AS creations,
    max(a.code_hash) AS code_hash,
    min(a.position) AS position
FROM creations_past AS a
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)]))) AND (event = 'create') AND (root_creator != '')
GROUP BY
    network,
    root_creator,
    contract;

CREATE VIEW deployer_contracts_final
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `root_creator` String COMMENT 'Externally owned account the creation goes back to',
    `contract` String COMMENT 'The contract',
    `created_at` Nullable(DateTime('UTC')) COMMENT 'Time of the first creation',
    `creations` UInt64 COMMENT 'Creations at this address; more than one means it was created again',
    `code_hash` String COMMENT 'Hash of the runtime code without metadata; empty when not visible',
    `position` UInt64 COMMENT 'Position of the first creation'
)
COMMENT 'Contracts of each deployer, as of the newest final block: deployer_contracts_all without hot rows, for half the cost'
AS SELECT
    s.network AS network,
    s.root_creator AS root_creator,
    s.contract AS contract,
    min(s.created_at) AS created_at,
    sum(s.creations) AS creations,
    max(s.code_hash) AS code_hash,
    min(s.position) AS position
FROM deployer_contracts AS s
GROUP BY
    s.network,
    s.root_creator,
    s.contract;

CREATE MATERIALIZED VIEW deployer_contracts_from_creations TO deployer_contracts
(
    `network` LowCardinality(String),
    `root_creator` String,
    `contract` String,
    `created_at` Nullable(DateTime('UTC')),
    `creations` UInt64,
    `code_hash` String,
    `position` UInt64
)
AS SELECT
    network,
    root_creator,
    contract,
    min(toNullable(block_time)) AS created_at,
    count() AS creations,
    max(a.code_hash) AS code_hash,
    min(a.position) AS position
FROM creations AS a
WHERE (event = 'create') AND (root_creator != '')
GROUP BY
    network,
    root_creator,
    contract;

CREATE VIEW deployer_contracts_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `root_creator` String COMMENT 'Externally owned account the creation goes back to',
    `contract` String COMMENT 'The contract',
    `created_at` Nullable(DateTime('UTC')) COMMENT 'Time of the first creation',
    `creations` UInt64 COMMENT 'Creations at this address; more than one means it was created again',
    `code_hash` String COMMENT 'Hash of the runtime code without metadata; empty when not visible',
    `position` UInt64 COMMENT 'Position of the first creation'
)
COMMENT 'States of hot rows above the watermark, in the shape of deployer_contracts'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    root_creator,
    contract,
    min(toNullable(block_time)) AS created_at,
    count() AS creations,
    max(a.code_hash) AS code_hash,
    min(a.position) AS position
FROM creations_hot AS a
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2)) AND (event = 'create') AND (root_creator != '')
GROUP BY
    network,
    root_creator,
    contract;

CREATE VIEW deployer_contracts_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `root_creator` String COMMENT 'Externally owned account the creation goes back to',
    `contract` String COMMENT 'The contract',
    `created_at` Nullable(DateTime('UTC')) COMMENT 'Time of the first creation',
    `creations` UInt64 COMMENT 'Creations at this address; more than one means it was created again',
    `code_hash` String COMMENT 'Hash of the runtime code without metadata; empty when not visible',
    `position` UInt64 COMMENT 'Position of the first creation'
)
COMMENT 'Contracts of each deployer, as of the newest block, with what was fetched of single wallets from before the first covered block. Filter by network and root_creator, or every row is merged'
AS SELECT
    s.network AS network,
    s.root_creator AS root_creator,
    s.contract AS contract,
    min(s.created_at) AS created_at,
    sum(s.creations) AS creations,
    max(s.code_hash) AS code_hash,
    min(s.position) AS position
FROM
(
    SELECT
        network,
        root_creator,
        contract,
        created_at,
        creations,
        code_hash,
        position
    FROM deployer_contracts
    UNION ALL
    SELECT
        network,
        root_creator,
        contract,
        created_at,
        creations,
        code_hash,
        position
    FROM deployer_contracts_hot
    UNION ALL
    SELECT
        network,
        root_creator,
        contract,
        created_at,
        creations,
        code_hash,
        position
    FROM deployer_contracts_fetched
) AS s
GROUP BY
    s.network,
    s.root_creator,
    s.contract;

CREATE VIEW dex_trades
(
    `blockchain` String COMMENT 'Network code, as in table networks',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `block_hour` DateTime('UTC') COMMENT 'Beginning of the hour of the block',
    `block_number` UInt32 COMMENT 'Height of the block',
    `tx_hash` String COMMENT 'Hash of the transaction',
    `tx_from` String COMMENT 'Sender of the transaction',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `project` String COMMENT 'Exchange, where the registry knows the factory or program of the pool; else empty',
    `version` LowCardinality(String) COMMENT 'Design of the pool: v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when unknown',
    `project_contract_address` String COMMENT 'Pool contract, or the pool id of singleton designs',
    `taker` String COMMENT 'Sender of the transaction',
    `token_bought_address` Nullable(String) COMMENT 'Token that came out of the pool; empty for the native coin, NULL when unknown',
    `token_sold_address` Nullable(String) COMMENT 'Token that went into the pool; empty for the native coin, NULL when unknown',
    `token_bought_symbol` Nullable(String) COMMENT 'Symbol of the token bought, as stated',
    `token_sold_symbol` Nullable(String) COMMENT 'Symbol of the token sold, as stated',
    `token_bought_amount` Nullable(Float64) COMMENT 'Whole tokens bought',
    `token_sold_amount` Nullable(Float64) COMMENT 'Whole tokens sold',
    `token_bought_amount_raw` UInt256 COMMENT 'Base units bought',
    `token_sold_amount_raw` UInt256 COMMENT 'Base units sold',
    `amount_usd` Nullable(Float64) COMMENT 'US dollars of the side that is easier to value, at the price of that hour; NULL where neither side has a price'
)
COMMENT 'Swaps as trades, one row each, with the column names of Dune. Amounts of tokens whose pool or decimals are unknown are NULL. Fast by blockchain and a range of block_hour, faster with project_contract_address (the pool)'
AS SELECT
    x.network AS blockchain,
    x.block_time AS block_time,
    x.block_hour AS block_hour,
    x.block_number AS block_number,
    x.tx_hash AS tx_hash,
    x.initiator AS tx_from,
    x.position AS position,
    x.project AS project,
    x.version AS version,
    x.pool AS project_contract_address,
    x.initiator AS taker,
    if(x.known, if(x.sold0, x.token1, x.token0), NULL) AS token_bought_address,
    if(x.known, if(x.sold0, x.token0, x.token1), NULL) AS token_sold_address,
    if(x.known, if(x.sold0, x.symbol1, x.symbol0), NULL) AS token_bought_symbol,
    if(x.known, if(x.sold0, x.symbol0, x.symbol1), NULL) AS token_sold_symbol,
    if(x.known, if(x.sold0, x.whole1, x.whole0), NULL) AS token_bought_amount,
    if(x.known, if(x.sold0, x.whole0, x.whole1), NULL) AS token_sold_amount,
    if(x.sold0, x.raw1, x.raw0) AS token_bought_amount_raw,
    if(x.sold0, x.raw0, x.raw1) AS token_sold_amount_raw,
    if(u.network = '', NULL, x.valued_amount * u.price_usd) AS amount_usd
FROM
(
    SELECT
        s.network AS network,
        s.block_time AS block_time,
        s.block_hour AS block_hour,
        s.block_number AS block_number,
        s.tx_hash AS tx_hash,
        s.initiator AS initiator,
        s.position AS position,
        s.pool AS pool,
        s.known AS known,
        s.project AS project,
        s.kind AS version,
        ((s.amount0 > 0) OR (s.amount1 < 0)) AS sold0,
        s.token0 AS token0,
        multiIf(s.token0 = '', n.native_symbol, t0.token != '', t0.symbol, a0.symbol) AS symbol0,
        toUInt256(abs(s.amount0)) AS raw0,
        toFloat64(raw0) / pow(10, multiIf(s.token0 = '', toNullable(toInt16(n.native_decimals)), t0.token != '', toNullable(t0.decimals), a0.address != '', toNullable(toInt16(a0.decimals)), NULL)) AS whole0,
        s.token1 AS token1,
        multiIf(s.token1 = '', n.native_symbol, t1.token != '', t1.symbol, a1.symbol) AS symbol1,
        toUInt256(abs(s.amount1)) AS raw1,
        toFloat64(raw1) / pow(10, multiIf(s.token1 = '', toNullable(toInt16(n.native_decimals)), t1.token != '', toNullable(t1.decimals), a1.address != '', toNullable(toInt16(a1.decimals)), NULL)) AS whole1,
        multiIf(a0.stable = 1, 3, (s.token0 = '') OR (a0.wrapped = 1), 2, a0.address != '', 1, 0) >= multiIf(a1.stable = 1, 3, (s.token1 = '') OR (a1.wrapped = 1), 2, a1.address != '', 1, 0) AS values0,
        if(known, if(values0, s.token0, s.token1), 'unknown') AS valued,
        if(values0, whole0, whole1) AS valued_amount
    FROM
    (
        SELECT
            toString(w.network) AS network,
            w.block_time AS block_time,
            toStartOfHour(w.block_time) AS block_hour,
            w.block_number AS block_number,
            w.tx_hash AS tx_hash,
            w.initiator AS initiator,
            w.position AS position,
            w.pool AS pool,
            w.amount0 AS amount0,
            w.amount1 AS amount1,
            w.factory != '' AS stated,
            stated OR (p.pool != '') AS known,
            if(stated, f.name, p.project) AS project,
            if(stated, f.kind, toString(p.kind)) AS kind,
            if(stated, w.token0, p.token0) AS token0,
            if(stated, w.token1, p.token1) AS token1
        FROM swaps_all AS w
        LEFT JOIN
        (
            SELECT
                t.network AS network,
                t.pool AS pool,
                t.told.1 AS token0,
                t.told.2 AS token1,
                t.told.3 AS kind,
                t.told.4 AS project
            FROM
            (
                SELECT
                    q.network AS network,
                    q.pool AS pool,
                    argMin((q.token0, q.token1, toString(q.kind), f.name), (f.address = '', q.position)) AS told
                FROM pools_all AS q
                LEFT JOIN
                (
                    SELECT
                        network,
                        address,
                        name
                    FROM registered_factories
                    FINAL
                    WHERE registered = 1
                ) AS f ON (f.network = q.network) AND (f.address = q.factory)
                GROUP BY
                    q.network,
                    q.pool
            ) AS t
        ) AS p ON (p.network = w.network) AND (p.pool = w.pool)
        LEFT JOIN
        (
            SELECT
                network,
                address,
                name,
                kind
            FROM registered_factories
            FINAL
            WHERE registered = 1
        ) AS f ON (f.network = w.network) AND (f.address = w.factory)
    ) AS s
    LEFT JOIN
    (
        SELECT
            network,
            native_symbol,
            native_decimals
        FROM networks
        FINAL
    ) AS n ON n.network = s.network
    LEFT JOIN tokens_current AS t0 ON (t0.network = s.network) AND (t0.token = s.token0)
    LEFT JOIN
    (
        SELECT
            network,
            address,
            symbol,
            decimals,
            stable,
            wrapped
        FROM registered_assets
        FINAL
        WHERE registered = 1
    ) AS a0 ON (a0.network = s.network) AND (a0.address = s.token0)
    LEFT JOIN tokens_current AS t1 ON (t1.network = s.network) AND (t1.token = s.token1)
    LEFT JOIN
    (
        SELECT
            network,
            address,
            symbol,
            decimals,
            stable,
            wrapped
        FROM registered_assets
        FINAL
        WHERE registered = 1
    ) AS a1 ON (a1.network = s.network) AND (a1.address = s.token1)
) AS x
LEFT JOIN prices AS u ON (u.network = x.network) AND (u.asset = x.valued) AND (u.hour = x.block_hour);

CREATE TABLE facts_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Address the fact is about',
    `fact` LowCardinality(String) COMMENT 'sent, received (transactions); message (text in calldata, inscriptions left out); in, out (native, internal calls included); token_in, token_out; nft_in, nft_out; wrap_in, wrap_out; approve, revoke (as owner), approved (as spender); create (as root creator), created (the contract itself); lp_add, lp_remove; mixer (the pool), mixer_deposit, mixer_withdraw; delegate (EIP-7702 authority), delegated (the code); third_party_dust (signed a movement of nothing or of next to nothing between two others)',
    `block_number` UInt32 COMMENT 'Height of the block',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `counterparty` String COMMENT 'The other address of the fact; empty for none',
    `amount` UInt256 COMMENT 'Base units of whatever moved, else 0',
    `fee` UInt256 COMMENT 'Native fee paid with a sent transaction, base units, else 0',
    `own` UInt8 COMMENT '1 when the address signed the transaction',
    `failed` UInt8 COMMENT '1 when the transaction is known to have failed',
    `pulled` UInt8 COMMENT '1 when neither party of the movement signed the transaction',
    `leg` UInt64 COMMENT 'Hash of what else the key of the row holds, so that facts that are otherwise the same stay apart',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, address, position, fact, counterparty, leg)
SETTINGS index_granularity = 256
COMMENT 'Facts of rows whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE MATERIALIZED VIEW facts_hot_from_approvals TO facts_hot
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt64,
    `version` UInt64
)
AS SELECT
    network,
    if(fact = 'approved', spender, owner) AS address,
    fact,
    block_time,
    position,
    if(fact = 'approved', owner, spender) AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    initiator = address AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    cityHash64(asset, kind, a.amount) AS leg,
    version
FROM approvals_hot AS a
ARRAY JOIN if((a.amount = 0) AND (kind != 'nft'), ['revoke'], ['approve', 'approved']) AS fact
WHERE (is_deleted = 0) AND (address != '');

CREATE MATERIALIZED VIEW facts_hot_from_authority TO facts_hot
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt64,
    `version` UInt64
)
AS SELECT
    network,
    if(fact = 'mixer', authority, subject) AS address,
    fact,
    block_time,
    position,
    if(fact = 'mixer', subject, authority) AS counterparty,
    a.amount AS amount,
    toUInt256(0) AS fee,
    (fact != 'mixer') AND (actor = subject) AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    cityHash64(actor, detail) AS leg,
    version
FROM authority_hot AS a
ARRAY JOIN [toString(event), 'mixer'] AS fact
WHERE (is_deleted = 0) AND (event IN ('mixer_deposit', 'mixer_withdraw')) AND (address != '');

CREATE MATERIALIZED VIEW facts_hot_from_creations TO facts_hot
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt8,
    `version` UInt64
)
AS SELECT
    network,
    if(fact = 'create', root_creator, contract) AS address,
    fact,
    block_time,
    position,
    if(fact = 'create', contract, root_creator) AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    fact = 'create' AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    0 AS leg,
    version
FROM creations_hot AS a
ARRAY JOIN ['create', 'created'] AS fact
WHERE (is_deleted = 0) AND (event = 'create') AND (address != '');

CREATE MATERIALIZED VIEW facts_hot_from_delegations TO facts_hot
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt8,
    `version` UInt64
)
AS SELECT
    network,
    if(fact = 'delegate', authority, delegate) AS address,
    fact,
    block_time,
    position,
    if(fact = 'delegate', delegate, authority) AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    (fact = 'delegate') AND (initiator = authority) AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    0 AS leg,
    version
FROM delegations_hot AS a
ARRAY JOIN ['delegate', 'delegated'] AS fact
WHERE (is_deleted = 0) AND (address != '');

CREATE MATERIALIZED VIEW facts_hot_from_ledger TO facts_hot
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` Nullable(UInt8),
    `block_number` UInt32,
    `leg` UInt64,
    `version` UInt64
)
AS SELECT
    network,
    if(third_party, initiator, a.address) AS address,
    multiIf(third_party, 'third_party_dust', (kind IN ('native', 'internal')), if(direction = 1, 'in', 'out'), (kind IN ('nft', 'multi')), if(direction = 1, 'nft_in', 'nft_out'), kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'), if(direction = 1, 'token_in', 'token_out')) AS fact,
    block_time,
    position,
    if(third_party, a.address, a.counterparty) AS counterparty,
    if(third_party, 0, a.amount) AS amount,
    toUInt256(0) AS fee,
    third_party OR (initiator = a.address) AS own,
    0 AS failed,
    (NOT third_party) AND (initiator NOT IN (a.address, a.counterparty)) AS pulled,
    block_number,
    if(third_party, cityHash64(a.counterparty, asset, token_id, a.amount), cityHash64(kind, asset, token_id, a.amount)) AS leg,
    version
FROM ledger_hot AS a
ARRAY JOIN if((kind = 'fungible') AND (direction = -1) AND (initiator NOT IN ('', a.address, a.counterparty)) AND (a.amount <= ((
        SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust))
        FROM networks AS n
        FINAL
    )[toString(network)])), [0, 1], [0]) AS third_party
WHERE (is_deleted = 0) AND (address != '');

CREATE MATERIALIZED VIEW facts_hot_from_liquidity TO facts_hot
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt64,
    `version` UInt64
)
AS SELECT
    network,
    provider AS address,
    if(event = 'add', 'lp_add', 'lp_remove') AS fact,
    block_time,
    position,
    pool AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    1 AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    cityHash64(owner) AS leg,
    version
FROM liquidity_hot AS a
WHERE (is_deleted = 0) AND (provider != '');

CREATE MATERIALIZED VIEW facts_hot_from_transactions TO facts_hot
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt8,
    `version` UInt64
)
AS SELECT
    network,
    if(fact = 'received', receiver, sender) AS address,
    fact,
    block_time,
    position,
    if(fact = 'received', sender, receiver) AS counterparty,
    if(fact = 'message', 0, value) AS amount,
    if(fact = 'sent', a.fee, 0) AS fee,
    (fact != 'received') OR (sender = receiver) AS own,
    status = 0 AS failed,
    0 AS pulled,
    block_number,
    0 AS leg,
    version
FROM transactions_hot AS a
ARRAY JOIN if((message = '') OR startsWith(message, 'data:'), ['sent', 'received'], ['sent', 'received', 'message']) AS fact
WHERE (is_deleted = 0) AND (address != '');

CREATE TABLE facts_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Address the fact is about' CODEC(ZSTD(1)),
    `fact` LowCardinality(String) COMMENT 'sent, received (transactions); message (text in calldata, inscriptions left out); in, out (native, internal calls included); token_in, token_out; nft_in, nft_out; wrap_in, wrap_out; approve, revoke (as owner), approved (as spender); create (as root creator), created (the contract itself); lp_add, lp_remove; mixer (the pool), mixer_deposit, mixer_withdraw; delegate (EIP-7702 authority), delegated (the code); third_party_dust (signed a movement of nothing or of next to nothing between two others)',
    `block_number` UInt32 COMMENT 'Height of the block' CODEC(ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network' CODEC(ZSTD(1)),
    `counterparty` String COMMENT 'The other address of the fact; empty for none' CODEC(ZSTD(1)),
    `amount` UInt256 COMMENT 'Base units of whatever moved, else 0' CODEC(ZSTD(1)),
    `fee` UInt256 COMMENT 'Native fee paid with a sent transaction, base units, else 0' CODEC(ZSTD(1)),
    `own` UInt8 COMMENT '1 when the address signed the transaction',
    `failed` UInt8 COMMENT '1 when the transaction is known to have failed',
    `pulled` UInt8 COMMENT '1 when neither party of the movement signed the transaction',
    `leg` UInt64 COMMENT 'Hash of what else the key of the row holds, so that facts that are otherwise the same stay apart' CODEC(ZSTD(1))
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, address, position, fact, counterparty, leg)
SETTINGS index_granularity = 256
COMMENT 'Facts of rows from before the first covered block. Read with FINAL and only below it (first_covered_blocks)';

CREATE MATERIALIZED VIEW facts_past_from_approvals TO facts_past
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt64
)
AS SELECT
    network,
    if(fact = 'approved', spender, owner) AS address,
    fact,
    block_time,
    position,
    if(fact = 'approved', owner, spender) AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    initiator = address AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    cityHash64(asset, kind, a.amount) AS leg
FROM approvals_past AS a
ARRAY JOIN if((a.amount = 0) AND (kind != 'nft'), ['revoke'], ['approve', 'approved']) AS fact
WHERE address != '';

CREATE MATERIALIZED VIEW facts_past_from_authority TO facts_past
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt64
)
AS SELECT
    network,
    if(fact = 'mixer', authority, subject) AS address,
    fact,
    block_time,
    position,
    if(fact = 'mixer', subject, authority) AS counterparty,
    a.amount AS amount,
    toUInt256(0) AS fee,
    (fact != 'mixer') AND (actor = subject) AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    cityHash64(actor, detail) AS leg
FROM authority_past AS a
ARRAY JOIN [toString(event), 'mixer'] AS fact
WHERE (event IN ('mixer_deposit', 'mixer_withdraw')) AND (address != '');

CREATE MATERIALIZED VIEW facts_past_from_creations TO facts_past
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt8
)
AS SELECT
    network,
    if(fact = 'create', root_creator, contract) AS address,
    fact,
    block_time,
    position,
    if(fact = 'create', contract, root_creator) AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    fact = 'create' AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    0 AS leg
FROM creations_past AS a
ARRAY JOIN ['create', 'created'] AS fact
WHERE (event = 'create') AND (address != '');

CREATE MATERIALIZED VIEW facts_past_from_delegations TO facts_past
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt8
)
AS SELECT
    network,
    if(fact = 'delegate', authority, delegate) AS address,
    fact,
    block_time,
    position,
    if(fact = 'delegate', delegate, authority) AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    (fact = 'delegate') AND (initiator = authority) AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    0 AS leg
FROM delegations_past AS a
ARRAY JOIN ['delegate', 'delegated'] AS fact
WHERE address != '';

CREATE MATERIALIZED VIEW facts_past_from_ledger TO facts_past
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` Nullable(UInt8),
    `block_number` UInt32,
    `leg` UInt64
)
AS SELECT
    network,
    if(third_party, initiator, a.address) AS address,
    multiIf(third_party, 'third_party_dust', (kind IN ('native', 'internal')), if(direction = 1, 'in', 'out'), (kind IN ('nft', 'multi')), if(direction = 1, 'nft_in', 'nft_out'), kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'), if(direction = 1, 'token_in', 'token_out')) AS fact,
    block_time,
    position,
    if(third_party, a.address, a.counterparty) AS counterparty,
    if(third_party, 0, a.amount) AS amount,
    toUInt256(0) AS fee,
    third_party OR (initiator = a.address) AS own,
    0 AS failed,
    (NOT third_party) AND (initiator NOT IN (a.address, a.counterparty)) AS pulled,
    block_number,
    if(third_party, cityHash64(a.counterparty, asset, token_id, a.amount), cityHash64(kind, asset, token_id, a.amount)) AS leg
FROM ledger_past AS a
ARRAY JOIN if((kind = 'fungible') AND (direction = -1) AND (initiator NOT IN ('', a.address, a.counterparty)) AND (a.amount <= ((
        SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust))
        FROM networks AS n
        FINAL
    )[toString(network)])), [0, 1], [0]) AS third_party
WHERE address != '';

CREATE MATERIALIZED VIEW facts_past_from_liquidity TO facts_past
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt64
)
AS SELECT
    network,
    provider AS address,
    if(event = 'add', 'lp_add', 'lp_remove') AS fact,
    block_time,
    position,
    pool AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    1 AS own,
    0 AS failed,
    0 AS pulled,
    block_number,
    cityHash64(owner) AS leg
FROM liquidity_past AS a
WHERE provider != '';

CREATE MATERIALIZED VIEW facts_past_from_transactions TO facts_past
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8,
    `block_number` UInt32,
    `leg` UInt8
)
AS SELECT
    network,
    if(fact = 'received', receiver, sender) AS address,
    fact,
    block_time,
    position,
    if(fact = 'received', sender, receiver) AS counterparty,
    if(fact = 'message', 0, value) AS amount,
    if(fact = 'sent', a.fee, 0) AS fee,
    (fact != 'received') OR (sender = receiver) AS own,
    status = 0 AS failed,
    0 AS pulled,
    block_number,
    0 AS leg
FROM transactions_past AS a
ARRAY JOIN if((message = '') OR startsWith(message, 'data:'), ['sent', 'received'], ['sent', 'received', 'message']) AS fact
WHERE address != '';

CREATE TABLE first_blocks
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` SimpleAggregateFunction(min, UInt32) COMMENT 'Lowest block whose rows are in the final or the hot tables'
)
ENGINE = AggregatingMergeTree
ORDER BY network
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Lowest block stored of each network. Read through first_covered_blocks';

CREATE MATERIALIZED VIEW first_blocks_from_blocks TO first_blocks
(
    `network` LowCardinality(String),
    `block_number` UInt32
)
AS SELECT
    network,
    min(a.block_number) AS block_number
FROM blocks AS a
GROUP BY network;

CREATE MATERIALIZED VIEW first_blocks_from_blocks_hot TO first_blocks
(
    `network` LowCardinality(String),
    `block_number` UInt32
)
AS SELECT
    network,
    min(a.block_number) AS block_number
FROM blocks_hot AS a
GROUP BY network;

CREATE VIEW first_covered_blocks
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Lowest block whose rows are in the final or the hot tables'
)
COMMENT 'First covered block of each network: rows of past tiers count below it only'
AS SELECT
    f.network AS network,
    min(f.block_number) AS block_number
FROM
(
    SELECT
        toString(network) AS network,
        block_number
    FROM first_blocks
) AS f
GROUP BY f.network;

CREATE VIEW hot_bounds
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `settled` UInt32 COMMENT 'Watermark: highest block number readers take from the final tier',
    `head` UInt32 COMMENT 'Newest block whose rows are all there'
)
COMMENT 'Hot blocks readers may count: above settled, up to head, the newest that is complete'
AS SELECT
    network,
    max(b.settled) AS settled,
    max(b.head) AS head
FROM
(
    SELECT
        toString(network) AS network,
        0 AS settled,
        max(block_number) AS head
    FROM blocks_hot
    FINAL
    GROUP BY network
    UNION ALL
    SELECT
        toString(network) AS network,
        argMax(w.settled, w.version) AS settled,
        0 AS head
    FROM watermarks AS w
    GROUP BY network
) AS b
GROUP BY network
HAVING head > 0;

CREATE TABLE ingest_chunks
(
    `topic` LowCardinality(String) COMMENT 'Topic of the chunk',
    `epoch` UInt32 DEFAULT 1 COMMENT 'How often the network was rebuilt, plus one',
    `partition` UInt16 COMMENT 'Partition of the topic',
    `log` String COMMENT 'Identity of the topic: the `log` header of its messages. A topic created again has another one',
    `first_offset` UInt64 COMMENT 'Offset of the first message of the chunk',
    `last_offset` UInt64 COMMENT 'Offset of the last message of the chunk',
    `done` UInt8 COMMENT '0: announced, perhaps partly inserted; 1: every table has acknowledged',
    `finalized` UInt32 DEFAULT 0 COMMENT 'Highest block the head topic has called final up to this chunk; 0 for history',
    `rows` UInt64 DEFAULT 0 COMMENT 'Rows the chunk brought',
    `updated_at` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the state was entered'
)
ENGINE = ReplacingMergeTree(done)
ORDER BY (topic, epoch, partition, log, first_offset)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Chunk ledger: every range of bus messages that was put into tables, announced before and closed after';

CREATE TABLE ingest_writers
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `writer` String COMMENT 'Identity of the ingest of one process',
    `version` UInt64 COMMENT 'Grows by one with every row of the writer',
    `state` LowCardinality(String) COMMENT 'working, waiting (for a rebuild) or ended',
    `seen_at` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the writer last said so: one that has been silent for minutes is dead'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, writer)
SETTINGS index_granularity = 8192
COMMENT 'Scorers that write the tables of a network. A rebuild waits until none of them is working';

CREATE TABLE label_imports
(
    `import` String COMMENT 'Import the row belongs to',
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `label` LowCardinality(String) COMMENT 'As in address_labels',
    `class` LowCardinality(String) COMMENT 'As in address_labels',
    `confidence` Float32 COMMENT '0 to 1; 0.9 and more raises flags',
    `detector_version` LowCardinality(String) COMMENT 'Version of the list',
    `evidence` String COMMENT 'As in address_labels' CODEC(ZSTD(1)),
    `revoked` UInt8 COMMENT '1 when the list takes the label back',
    `staged_at` DateTime('UTC') DEFAULT now() COMMENT 'When it was read'
)
ENGINE = MergeTree
ORDER BY (import, network, address, label)
TTL staged_at + toIntervalDay(1)
SETTINGS index_granularity = 8192
COMMENT 'Rows of label files while they are looked at: everything an import does is one statement over them. Emptied afterwards';

CREATE TABLE label_updates
(
    `source` String COMMENT 'The list, as in detector of its labels',
    `generation` UInt64 COMMENT 'Number of the fetch. Of two that begin at once the store keeps the first',
    `owner` String COMMENT 'Random id of the process that fetches',
    `outcome` LowCardinality(String) COMMENT 'running, applied, unchanged (the list is what it was), refused (it cannot be right), failed (no answer), or queued (wallets of all labels until then were queued for scoring)',
    `version` String COMMENT 'Version of the list: its date, or else a digest; empty unless applied or unchanged',
    `definition` String COMMENT 'Digest of how the list is read; where it changed, the list is read again',
    `validators` String COMMENT 'JSON: ETag and time of each document, to ask for a newer one only',
    `labels` UInt32 COMMENT 'Labels that the list states',
    `message` String COMMENT 'Why it was refused or failed',
    `at` DateTime64(3, 'UTC') COMMENT 'When the fetch began or ended; for a copy Assay brings along, the date of the list'
)
ENGINE = MergeTree
ORDER BY (source, generation, at)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'Fetches of lists: a row when one begins, a row when it ends, and one when wallets of new labels were queued for scoring. The first row of a list is that of the copy Assay brings along, if any';

CREATE TABLE labelled_addresses
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `listed` SimpleAggregateFunction(max, UInt8) COMMENT '1 when a sanction list or an issuer named it, 0 when only labels did'
)
ENGINE = AggregatingMergeTree
ORDER BY (network, address)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'Addresses that a label, a sanction list or an issuer ever named. Few are, and their labels cost much more to ask for, so every verdict asks here first. Rows stay when a label is taken back or a block undone';

CREATE MATERIALIZED VIEW labelled_addresses_from_address_labels TO labelled_addresses
(
    `network` LowCardinality(String),
    `address` String,
    `listed` UInt8
)
AS SELECT DISTINCT
    network,
    address,
    0 AS listed
FROM address_labels;

CREATE MATERIALIZED VIEW labelled_addresses_from_authority TO labelled_addresses
(
    `network` LowCardinality(String),
    `address` String,
    `listed` UInt8
)
AS SELECT DISTINCT
    network,
    subject AS address,
    1 AS listed
FROM authority
WHERE event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize');

CREATE MATERIALIZED VIEW labelled_addresses_from_authority_hot TO labelled_addresses
(
    `network` LowCardinality(String),
    `address` String,
    `listed` UInt8
)
AS SELECT DISTINCT
    network,
    subject AS address,
    1 AS listed
FROM authority_hot
WHERE (is_deleted = 0) AND (event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize'));

CREATE MATERIALIZED VIEW labelled_addresses_from_authority_past TO labelled_addresses
(
    `network` LowCardinality(String),
    `address` String,
    `listed` UInt8
)
AS SELECT DISTINCT
    network,
    subject AS address,
    1 AS listed
FROM authority_past
WHERE event IN ('sanction_add', 'sanction_remove', 'freeze', 'unfreeze', 'seize');

CREATE VIEW labels_current
(
    `network` String COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `label` String COMMENT 'What it is: service, sanctioned, phishing, blacklist, ...; docs/labels.md lists the words',
    `name` String COMMENT 'Name of the address or of its owner, as the surest source that states one; empty when none does',
    `category` String COMMENT 'Kind of service, or the exposure category of an accusation',
    `source` String COMMENT 'The surest source: a list, a detector, an authority on chain, or registry',
    `sources` Array(String) COMMENT 'All sources that state the label',
    `class` String COMMENT 'asserted by an authority or the registry, reported by a list, detected or propagated by us',
    `confidence` Float32 COMMENT 'Confidence of the surest source, 0 to 1; 0.9 and more raises flags',
    `since` Nullable(DateTime('UTC')) COMMENT 'Since when it is in force here; NULL for the registry',
    `programme` String COMMENT 'Sanctions programme or case; empty when the list states none',
    `link` String COMMENT 'Where the entry can be read; empty when the list states none'
)
COMMENT 'Labels in force, one row for each network, address and label: of lists, of our own analysis, of oracles and issuers on chain, and of the registry. Filter by network and address. current_labels has a row for each source and its evidence'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.label AS label,
    argMaxIf(s.name, (s.confidence, s.class = 'asserted', s.source = 'registry', s.source), s.name != '') AS name,
    argMax(s.category, (s.confidence, s.class = 'asserted', s.source = 'registry', s.source)) AS category,
    argMax(s.source, (s.confidence, s.class = 'asserted', s.source = 'registry', s.source)) AS source,
    arraySort(groupUniqArray(s.source)) AS sources,
    argMax(s.class, (s.confidence, s.class = 'asserted', s.source = 'registry', s.source)) AS class,
    max(s.confidence) AS confidence,
    min(s.since) AS since,
    argMaxIf(s.programme, (s.confidence, s.class = 'asserted', s.source = 'registry', s.source), s.programme != '') AS programme,
    argMaxIf(s.link, (s.confidence, s.class = 'asserted', s.source = 'registry', s.source), s.link != '') AS link
FROM
(
    SELECT
        toString(l.network) AS network,
        l.address AS address,
        toString(l.label) AS label,
        JSONExtractString(l.evidence, 'name') AS name,
        if(l.label = 'service', if(JSONExtractString(l.evidence, 'kind') = '', 'service', JSONExtractString(l.evidence, 'kind')), transform(toString(l.label), ['sanctioned', 'blacklist', 'theft', 'drainer', 'drainer_operator', 'sweeper', 'exploiter', 'cybercrime', 'reinit', 'phishing', 'poisoning', 'blackmail', 'extortion', 'ransomware', 'darknet', 'money_laundering', 'financial_crime', 'ponzi', 'rug_puller', 'rug_executed', 'honeypot', 'fake_token', 'fake_standard_interface', 'malicious_mining', 'gas_abuse', 'fake_kyc', 'mixer'], ['sanctioned', 'frozen', 'stolen', 'stolen', 'stolen', 'stolen', 'stolen', 'cybercrime', 'cybercrime', 'phishing', 'phishing', 'blackmail', 'blackmail', 'blackmail', 'darknet', 'laundering', 'scam', 'scam', 'scam', 'scam', 'scam', 'scam', 'scam', 'scam', 'scam', 'scam', 'mixer'], toString(l.label))) AS category,
        toString(l.detector) AS source,
        toString(l.class) AS class,
        l.confidence AS confidence,
        toNullable(l.found_at) AS since,
        JSONExtractString(l.evidence, 'programme') AS programme,
        if(match(JSONExtractString(l.evidence, 'source'), '^https?://'), JSONExtractString(l.evidence, 'source'), '') AS link
    FROM current_labels AS l
    WHERE (l.label != 'sanctioned') OR ((l.network, l.address) NOT IN (
        SELECT
            d.network,
            d.address
        FROM current_labels AS d
        WHERE d.label = 'delisted'
    ))
    UNION ALL
    SELECT
        toString(r.network) AS network,
        r.address AS address,
        'service' AS label,
        r.name AS name,
        toString(r.category) AS category,
        'registry' AS source,
        'asserted' AS class,
        toFloat32(1) AS confidence,
        CAST(NULL, 'Nullable(DateTime(\'UTC\'))') AS since,
        '' AS programme,
        '' AS link
    FROM registered_addresses AS r
    FINAL
    WHERE r.registered = 1
    UNION ALL
    SELECT
        toString(a.network) AS network,
        a.subject AS address,
        if(a.list = 'sanctions', 'sanctioned', 'blacklist') AS label,
        '' AS name,
        if(a.list = 'sanctions', 'sanctioned', 'frozen') AS category,
        if(n.name = '', a.authority, n.name) AS source,
        'asserted' AS class,
        toFloat32(1) AS confidence,
        toNullable(a.listed_at) AS since,
        '' AS programme,
        '' AS link
    FROM authority_listings_all AS a
    LEFT JOIN
    (
        SELECT
            network,
            address,
            name
        FROM registered_addresses
        FINAL
    ) AS n ON (n.network = a.network) AND (n.address = a.authority)
    WHERE a.listed = 1
) AS s
GROUP BY
    s.network,
    s.address,
    s.label;

CREATE TABLE ledger
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `address` String COMMENT 'Party the row is stored under' CODEC(ZSTD(1)),
    `counterparty` String COMMENT 'The other party' CODEC(ZSTD(1)),
    `direction` Int8 COMMENT '1 = address received, -1 = address sent',
    `kind` LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible (ERC-20 and alike), nft, multi (ERC-1155) or wrap',
    `asset` String COMMENT 'Token contract; empty for the native coin' CODEC(ZSTD(1)),
    `token_id` UInt256 COMMENT 'Token id of nft and multi movements, else 0' CODEC(ZSTD(1)),
    `amount` UInt256 COMMENT 'Amount in base units of the asset' CODEC(ZSTD(1)),
    `initiator` String COMMENT 'Sender of the transaction. A movement whose address is not the initiator was made by someone else' CODEC(ZSTD(1)),
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, address, block_time, position, direction)
SETTINGS index_granularity = 1024, min_compress_block_size = 16384, non_replicated_deduplication_window = 10000
COMMENT 'Value movements, each stored twice: once under each party. Everything a wallet ever moved is one range. Final blocks only; see ledger_all';

CREATE VIEW ledger_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `address` String COMMENT 'Party the row is stored under',
    `counterparty` String COMMENT 'The other party',
    `direction` Int8 COMMENT '1 = address received, -1 = address sent',
    `kind` LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible (ERC-20 and alike), nft, multi (ERC-1155) or wrap',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `token_id` UInt256 COMMENT 'Token id of nft and multi movements, else 0',
    `amount` UInt256 COMMENT 'Amount in base units of the asset',
    `initiator` String COMMENT 'Sender of the transaction. A movement whose address is not the initiator was made by someone else'
)
COMMENT 'Value movements, each stored twice: once under each party. Everything a wallet ever moved is one range. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    address,
    counterparty,
    direction,
    kind,
    asset,
    token_id,
    amount,
    initiator
FROM ledger
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    address,
    counterparty,
    direction,
    kind,
    asset,
    token_id,
    amount,
    initiator
FROM ledger_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE ledger_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `address` String COMMENT 'Party the row is stored under',
    `counterparty` String COMMENT 'The other party',
    `direction` Int8 COMMENT '1 = address received, -1 = address sent',
    `kind` LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible (ERC-20 and alike), nft, multi (ERC-1155) or wrap',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `token_id` UInt256 COMMENT 'Token id of nft and multi movements, else 0',
    `amount` UInt256 COMMENT 'Amount in base units of the asset',
    `initiator` String COMMENT 'Sender of the transaction. A movement whose address is not the initiator was made by someone else',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, address, position, direction, asset, token_id, counterparty, kind, amount)
SETTINGS index_granularity = 8192
COMMENT 'Rows of ledger whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE ledger_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `address` String COMMENT 'Party the row is stored under' CODEC(ZSTD(1)),
    `counterparty` String COMMENT 'The other party' CODEC(ZSTD(1)),
    `direction` Int8 COMMENT '1 = address received, -1 = address sent',
    `kind` LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible (ERC-20 and alike), nft, multi (ERC-1155) or wrap',
    `asset` String COMMENT 'Token contract; empty for the native coin' CODEC(ZSTD(1)),
    `token_id` UInt256 COMMENT 'Token id of nft and multi movements, else 0' CODEC(ZSTD(1)),
    `amount` UInt256 COMMENT 'Amount in base units of the asset' CODEC(ZSTD(1)),
    `initiator` String COMMENT 'Sender of the transaction. A movement whose address is not the initiator was made by someone else' CODEC(ZSTD(1)),
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, address, position, direction, asset, token_id, counterparty, kind, amount)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'Value movements, each stored twice: once under each party. Everything a wallet ever moved is one range. From before the first covered block; read with FINAL and only below it (first_covered_blocks)';

CREATE VIEW ledger_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `address` String COMMENT 'Party the row is stored under',
    `counterparty` String COMMENT 'The other party',
    `direction` Int8 COMMENT '1 = address received, -1 = address sent',
    `kind` LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible (ERC-20 and alike), nft, multi (ERC-1155) or wrap',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `token_id` UInt256 COMMENT 'Token id of nft and multi movements, else 0',
    `amount` UInt256 COMMENT 'Amount in base units of the asset',
    `initiator` String COMMENT 'Sender of the transaction. A movement whose address is not the initiator was made by someone else'
)
COMMENT 'Value movements, each stored twice: once under each party. Everything a wallet ever moved is one range. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    address,
    counterparty,
    direction,
    kind,
    asset,
    token_id,
    amount,
    initiator
FROM ledger_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    address,
    counterparty,
    direction,
    kind,
    asset,
    token_id,
    amount,
    initiator
FROM ledger_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)])));

CREATE TABLE liquidity
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `pool` String COMMENT 'Pool contract or id' CODEC(ZSTD(1)),
    `event` LowCardinality(String) COMMENT 'add or remove',
    `provider` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    `owner` String COMMENT 'Holder of the position as the event names it' CODEC(ZSTD(1)),
    `amount0` Int256 COMMENT 'Amount of the first token, base units' CODEC(ZSTD(1)),
    `amount1` Int256 COMMENT 'Amount of the second token, base units' CODEC(ZSTD(1)),
    `liquidity` Int256 COMMENT 'Signed liquidity delta where the design has one (V3, V4), else 0' CODEC(ZSTD(1)),
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_provider provider TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, pool, block_time, position)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Liquidity added to and removed from pools, sorted by pool and time. Final blocks only; see liquidity_all';

CREATE VIEW liquidity_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `pool` String COMMENT 'Pool contract or id',
    `event` LowCardinality(String) COMMENT 'add or remove',
    `provider` String COMMENT 'Sender of the transaction',
    `owner` String COMMENT 'Holder of the position as the event names it',
    `amount0` Int256 COMMENT 'Amount of the first token, base units',
    `amount1` Int256 COMMENT 'Amount of the second token, base units',
    `liquidity` Int256 COMMENT 'Signed liquidity delta where the design has one (V3, V4), else 0'
)
COMMENT 'Liquidity added to and removed from pools, sorted by pool and time. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    event,
    provider,
    owner,
    amount0,
    amount1,
    liquidity
FROM liquidity
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    event,
    provider,
    owner,
    amount0,
    amount1,
    liquidity
FROM liquidity_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE liquidity_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `pool` String COMMENT 'Pool contract or id',
    `event` LowCardinality(String) COMMENT 'add or remove',
    `provider` String COMMENT 'Sender of the transaction',
    `owner` String COMMENT 'Holder of the position as the event names it',
    `amount0` Int256 COMMENT 'Amount of the first token, base units',
    `amount1` Int256 COMMENT 'Amount of the second token, base units',
    `liquidity` Int256 COMMENT 'Signed liquidity delta where the design has one (V3, V4), else 0',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, pool, position, event, owner)
SETTINGS index_granularity = 8192
COMMENT 'Rows of liquidity whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE liquidity_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `pool` String COMMENT 'Pool contract or id' CODEC(ZSTD(1)),
    `event` LowCardinality(String) COMMENT 'add or remove',
    `provider` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    `owner` String COMMENT 'Holder of the position as the event names it' CODEC(ZSTD(1)),
    `amount0` Int256 COMMENT 'Amount of the first token, base units' CODEC(ZSTD(1)),
    `amount1` Int256 COMMENT 'Amount of the second token, base units' CODEC(ZSTD(1)),
    `liquidity` Int256 COMMENT 'Signed liquidity delta where the design has one (V3, V4), else 0' CODEC(ZSTD(1)),
    INDEX by_provider provider TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, pool, position, event, owner)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'Liquidity added to and removed from pools, sorted by pool and time. From before the first covered block; read with FINAL and only below it (first_covered_blocks)';

CREATE VIEW liquidity_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `pool` String COMMENT 'Pool contract or id',
    `event` LowCardinality(String) COMMENT 'add or remove',
    `provider` String COMMENT 'Sender of the transaction',
    `owner` String COMMENT 'Holder of the position as the event names it',
    `amount0` Int256 COMMENT 'Amount of the first token, base units',
    `amount1` Int256 COMMENT 'Amount of the second token, base units',
    `liquidity` Int256 COMMENT 'Signed liquidity delta where the design has one (V3, V4), else 0'
)
COMMENT 'Liquidity added to and removed from pools, sorted by pool and time. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    event,
    provider,
    owner,
    amount0,
    amount1,
    liquidity
FROM liquidity_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    event,
    provider,
    owner,
    amount0,
    amount1,
    liquidity
FROM liquidity_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)])));

CREATE TABLE monitor_leases
(
    `name` String COMMENT 'What is held',
    `version` UInt64 DEFAULT toUInt64(toUnixTimestamp64Micro(now64(6))) COMMENT 'Microseconds since the epoch by the clock of the store; the highest is in force',
    `holder` String COMMENT 'Process that holds it; empty when it was given back',
    `held_until` DateTime64(3, 'UTC') COMMENT 'Until when it is believed to live, by the clock of the store'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY name
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'Which process watches verdicts and delivers events';

CREATE TABLE monitor_positions
(
    `partition` UInt16 COMMENT 'Partition of the topic',
    `version` UInt64 DEFAULT toUInt64(toUnixTimestamp64Micro(now64(6))) COMMENT 'Microseconds since the epoch by the clock of the store; the highest is in force',
    `next` UInt64 COMMENT 'Offset that follows what was compared',
    `until` UInt64 COMMENT 'End of the range that was begun; equal to next when none is',
    `learned` DateTime64(3, 'UTC') COMMENT 'Changes of the watch list stored before were taken over',
    `behind` Array(LowCardinality(String)) COMMENT 'Networks whose records were passed over while they caught up'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY partition
SETTINGS index_granularity = 8192
COMMENT 'How far topic records was compared. A range that was begun is compared again with the same bounds';

CREATE VIEW native_transfers
(
    `blockchain` String COMMENT 'Network code, as in table networks',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `block_hour` DateTime('UTC') COMMENT 'Beginning of the hour of the block',
    `block_number` UInt32 COMMENT 'Height of the block',
    `tx_hash` String COMMENT 'Hash of the transaction',
    `tx_from` String COMMENT 'Sender of the transaction',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `from_address` String COMMENT 'Account it moved from',
    `to_address` String COMMENT 'Account it moved to',
    `internal` UInt8 COMMENT '1 when a call inside a transaction moved it',
    `symbol` String COMMENT 'Symbol of the native coin',
    `amount_raw` UInt256 COMMENT 'Exact amount in base units',
    `amount` Nullable(Decimal(76, 18)) COMMENT 'Amount in whole coins or tokens; NULL when unknown',
    `price_usd` Nullable(Float64) COMMENT 'US dollars of one whole coin in that hour (prices); NULL where nobody traded it then',
    `amount_usd` Nullable(Float64) COMMENT 'Amount in US dollars at the price of that hour; NULL where there is no price or the decimals are unknown'
)
COMMENT 'Transfers of the native coin, by transactions and by calls inside them, with the column names of Dune. A thin view of transfers_usd: put blockchain and a range of block_hour into WHERE'
AS SELECT
    network AS blockchain,
    block_time,
    block_hour,
    block_number,
    tx_hash,
    initiator AS tx_from,
    position,
    from_address,
    to_address,
    toUInt8(kind = 'internal') AS internal,
    symbol,
    amount_raw,
    amount,
    price_usd,
    amount_usd
FROM transfers_usd
WHERE asset = '';

CREATE TABLE network_epochs
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `epoch` UInt32 DEFAULT 1 COMMENT 'How often the network was rebuilt, plus one',
    `reason` String COMMENT 'Why the network was rebuilt',
    `updated_at` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the epoch began'
)
ENGINE = ReplacingMergeTree(epoch)
ORDER BY network
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Rebuilds of a network: the highest epoch is the one its tables hold. A network without a row has epoch 1';

CREATE TABLE networks
(
    `network` LowCardinality(String) COMMENT 'Network code, as in every other table',
    `family` LowCardinality(String) COMMENT 'Address family: evm, tron, ton or solana',
    `chain_id` Nullable(UInt64) COMMENT 'EVM chain id (EIP-155), where there is one',
    `native_symbol` String COMMENT 'Symbol of the native coin',
    `native_decimals` UInt8 COMMENT 'Decimal places of the native coin',
    `native_dust` UInt256 COMMENT 'Native movements of fewer base units are dust: anyone can send them, so they do not count as payments',
    `native_poisoning_dust` UInt256 COMMENT 'Native movements of at most so many base units may poison an address book; 0 where none is looked at',
    `native_per_1000_usd` Float64 COMMENT 'Whole native coins that thresholds in US dollars take for $1,000',
    `token_dust` UInt256 COMMENT 'Token movements of at most so many base units are dust of a stablecoin: ten whole tokens',
    `block_time_ms` UInt32 COMMENT 'Usual time between blocks, in milliseconds',
    `version` UInt64 COMMENT 'Milliseconds since the epoch when the row was written; the newest counts'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY network
SETTINGS index_granularity = 8192
COMMENT 'Networks and what differs between them. Written at every start from schema/networks';

CREATE TABLE payments
(
    `key` String COMMENT 'Chain id, asset, payer and nonce of the authorization',
    `attempt` String COMMENT 'One attempt to pay with the authorization; at most one of them is charged',
    `version` UInt64 COMMENT 'Rank of the state above microseconds since the epoch; the highest is in force',
    `state` LowCardinality(String) COMMENT 'reserved, settling, pending, released, unknown, settled, confirmed, answered, completed, disputed or refunded; docs/payments.md has their moves',
    `begun` DateTime64(3, 'UTC') COMMENT 'When the answer was ready',
    `moved` DateTime64(3, 'UTC') COMMENT 'When this state was reached',
    `payer` String COMMENT 'Account that signed the authorization, lower-case hex',
    `receiver` String COMMENT 'Account that is paid, lower-case hex',
    `nonce` String COMMENT 'Nonce of the authorization (EIP-3009), hex',
    `valid_before` UInt64 COMMENT 'Unix seconds after which the authorization cannot be settled any more',
    `amount` UInt256 COMMENT 'Base units of the asset',
    `asset` String COMMENT 'Token contract, lower-case hex',
    `network` LowCardinality(String) COMMENT 'CAIP-2 chain id',
    `operation` LowCardinality(String) COMMENT 'Operation that was paid for',
    `fingerprint` String COMMENT 'SHA-256 of operation and request: the stored answer is given again to the same request only',
    `proof` String COMMENT 'SHA-256 of the payment with its signature: the stored answer is given again to its payer only',
    `request_id` String COMMENT 'Request that carried the payment',
    `transaction` String COMMENT 'Hash of the settlement transaction, empty before',
    `reason` String COMMENT 'Why it is not settled, or the transaction of the refund; empty otherwise',
    `answer` String COMMENT 'Body that was or would have been delivered'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (key, attempt)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'Ledger of payments by call (x402): what was authorized, what was settled, what was answered';

CREATE TABLE pool_state
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `pool` String COMMENT 'Pool contract or id',
    `kind` SimpleAggregateFunction(max, String) COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when the creation was not seen',
    `token0` SimpleAggregateFunction(max, String) COMMENT 'First token',
    `token1` SimpleAggregateFunction(max, String) COMMENT 'Second token',
    `created_at` SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time the pool was announced',
    `adds` SimpleAggregateFunction(sum, UInt64) COMMENT 'Liquidity additions',
    `removes` SimpleAggregateFunction(sum, UInt64) COMMENT 'Liquidity removals',
    `added0` SimpleAggregateFunction(sum, Int256) COMMENT 'First token added, base units',
    `added1` SimpleAggregateFunction(sum, Int256) COMMENT 'Second token added, base units',
    `removed0` SimpleAggregateFunction(sum, Int256) COMMENT 'First token removed, base units',
    `removed1` SimpleAggregateFunction(sum, Int256) COMMENT 'Second token removed, base units',
    `swaps` SimpleAggregateFunction(sum, UInt64) COMMENT 'Swaps',
    `swapped0` SimpleAggregateFunction(sum, Int256) COMMENT 'First token that came in by swaps less what went out, base units',
    `swapped1` SimpleAggregateFunction(sum, Int256) COMMENT 'Second token that came in by swaps less what went out, base units',
    `last_seen` SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last event'
)
ENGINE = AggregatingMergeTree
PARTITION BY network
ORDER BY (network, pool)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 30000
COMMENT 'Liquidity and trades of each pool. Reserves of V2 designs are added - removed + swapped';

CREATE VIEW pool_state_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `pool` String COMMENT 'Pool contract or id',
    `kind` String COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when the creation was not seen',
    `token0` String COMMENT 'First token',
    `token1` String COMMENT 'Second token',
    `created_at` Nullable(DateTime('UTC')) COMMENT 'Time the pool was announced',
    `adds` UInt64 COMMENT 'Liquidity additions',
    `removes` UInt64 COMMENT 'Liquidity removals',
    `added0` Int256 COMMENT 'First token added, base units',
    `added1` Int256 COMMENT 'Second token added, base units',
    `removed0` Int256 COMMENT 'First token removed, base units',
    `removed1` Int256 COMMENT 'Second token removed, base units',
    `swaps` UInt64 COMMENT 'Swaps',
    `swapped0` Int256 COMMENT 'First token that came in by swaps less what went out, base units',
    `swapped1` Int256 COMMENT 'Second token that came in by swaps less what went out, base units',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last event'
)
COMMENT 'Liquidity and trades of each pool, as of the newest block. Filter by network and pool, or every row is merged'
AS SELECT
    s.network AS network,
    s.pool AS pool,
    max(s.kind) AS kind,
    max(s.token0) AS token0,
    max(s.token1) AS token1,
    min(s.created_at) AS created_at,
    sum(s.adds) AS adds,
    sum(s.removes) AS removes,
    sum(s.added0) AS added0,
    sum(s.added1) AS added1,
    sum(s.removed0) AS removed0,
    sum(s.removed1) AS removed1,
    sum(s.swaps) AS swaps,
    sum(s.swapped0) AS swapped0,
    sum(s.swapped1) AS swapped1,
    max(s.last_seen) AS last_seen
FROM
(
    SELECT
        network,
        pool,
        kind,
        token0,
        token1,
        created_at,
        adds,
        removes,
        added0,
        added1,
        removed0,
        removed1,
        swaps,
        swapped0,
        swapped1,
        last_seen
    FROM pool_state
    UNION ALL
    SELECT
        network,
        pool,
        kind,
        token0,
        token1,
        created_at,
        adds,
        removes,
        added0,
        added1,
        removed0,
        removed1,
        swaps,
        swapped0,
        swapped1,
        last_seen
    FROM pool_state_hot
) AS s
GROUP BY
    s.network,
    s.pool;

CREATE VIEW pool_state_final
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `pool` String COMMENT 'Pool contract or id',
    `kind` String COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when the creation was not seen',
    `token0` String COMMENT 'First token',
    `token1` String COMMENT 'Second token',
    `created_at` Nullable(DateTime('UTC')) COMMENT 'Time the pool was announced',
    `adds` UInt64 COMMENT 'Liquidity additions',
    `removes` UInt64 COMMENT 'Liquidity removals',
    `added0` Int256 COMMENT 'First token added, base units',
    `added1` Int256 COMMENT 'Second token added, base units',
    `removed0` Int256 COMMENT 'First token removed, base units',
    `removed1` Int256 COMMENT 'Second token removed, base units',
    `swaps` UInt64 COMMENT 'Swaps',
    `swapped0` Int256 COMMENT 'First token that came in by swaps less what went out, base units',
    `swapped1` Int256 COMMENT 'Second token that came in by swaps less what went out, base units',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last event'
)
COMMENT 'Liquidity and trades of each pool, as of the newest final block: pool_state_all without hot rows, for half the cost'
AS SELECT
    s.network AS network,
    s.pool AS pool,
    max(s.kind) AS kind,
    max(s.token0) AS token0,
    max(s.token1) AS token1,
    min(s.created_at) AS created_at,
    sum(s.adds) AS adds,
    sum(s.removes) AS removes,
    sum(s.added0) AS added0,
    sum(s.added1) AS added1,
    sum(s.removed0) AS removed0,
    sum(s.removed1) AS removed1,
    sum(s.swaps) AS swaps,
    sum(s.swapped0) AS swapped0,
    sum(s.swapped1) AS swapped1,
    max(s.last_seen) AS last_seen
FROM pool_state AS s
GROUP BY
    s.network,
    s.pool;

CREATE MATERIALIZED VIEW pool_state_from_liquidity TO pool_state
(
    `network` LowCardinality(String),
    `pool` String,
    `kind` String,
    `token0` String,
    `token1` String,
    `created_at` Nullable(DateTime('UTC')),
    `adds` UInt64,
    `removes` UInt64,
    `added0` Int256,
    `added1` Int256,
    `removed0` Int256,
    `removed1` Int256,
    `swaps` UInt64,
    `swapped0` Int256,
    `swapped1` Int256,
    `last_seen` Nullable(DateTime('UTC'))
)
AS SELECT
    network,
    pool,
    '' AS kind,
    '' AS token0,
    '' AS token1,
    CAST(NULL, 'Nullable(DateTime(\'UTC\'))') AS created_at,
    countIf(event = 'add') AS adds,
    countIf(event = 'remove') AS removes,
    sumIf(amount0, event = 'add') AS added0,
    sumIf(amount1, event = 'add') AS added1,
    sumIf(if(amount0 < 0, -amount0, amount0), event = 'remove') AS removed0,
    sumIf(if(amount1 < 0, -amount1, amount1), event = 'remove') AS removed1,
    toUInt64(0) AS swaps,
    toInt256(0) AS swapped0,
    toInt256(0) AS swapped1,
    max(toNullable(block_time)) AS last_seen
FROM liquidity AS a
WHERE pool != ''
GROUP BY
    network,
    pool;

CREATE MATERIALIZED VIEW pool_state_from_pools TO pool_state
(
    `network` LowCardinality(String),
    `pool` String,
    `kind` String,
    `token0` String,
    `token1` String,
    `created_at` Nullable(DateTime('UTC')),
    `adds` UInt64,
    `removes` UInt64,
    `added0` Int256,
    `added1` Int256,
    `removed0` Int256,
    `removed1` Int256,
    `swaps` UInt64,
    `swapped0` Int256,
    `swapped1` Int256,
    `last_seen` Nullable(DateTime('UTC'))
)
AS SELECT
    network,
    pool,
    max(toString(a.kind)) AS kind,
    max(a.token0) AS token0,
    max(a.token1) AS token1,
    min(toNullable(block_time)) AS created_at,
    toUInt64(0) AS adds,
    toUInt64(0) AS removes,
    toInt256(0) AS added0,
    toInt256(0) AS added1,
    toInt256(0) AS removed0,
    toInt256(0) AS removed1,
    toUInt64(0) AS swaps,
    toInt256(0) AS swapped0,
    toInt256(0) AS swapped1,
    max(toNullable(block_time)) AS last_seen
FROM pools AS a
WHERE pool != ''
GROUP BY
    network,
    pool;

CREATE MATERIALIZED VIEW pool_state_from_swaps TO pool_state
(
    `network` LowCardinality(String),
    `pool` String,
    `kind` String,
    `token0` String,
    `token1` String,
    `created_at` Nullable(DateTime('UTC')),
    `adds` UInt64,
    `removes` UInt64,
    `added0` Int256,
    `added1` Int256,
    `removed0` Int256,
    `removed1` Int256,
    `swaps` UInt64,
    `swapped0` Int256,
    `swapped1` Int256,
    `last_seen` Nullable(DateTime('UTC'))
)
AS SELECT
    network,
    pool,
    '' AS kind,
    maxIf(a.token0, NOT startsWith(a.factory, '0x')) AS token0,
    maxIf(a.token1, NOT startsWith(a.factory, '0x')) AS token1,
    CAST(NULL, 'Nullable(DateTime(\'UTC\'))') AS created_at,
    toUInt64(0) AS adds,
    toUInt64(0) AS removes,
    toInt256(0) AS added0,
    toInt256(0) AS added1,
    toInt256(0) AS removed0,
    toInt256(0) AS removed1,
    count() AS swaps,
    sum(amount0) AS swapped0,
    sum(amount1) AS swapped1,
    max(toNullable(block_time)) AS last_seen
FROM swaps AS a
WHERE pool != ''
GROUP BY
    network,
    pool;

CREATE VIEW pool_state_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `pool` String COMMENT 'Pool contract or id',
    `kind` String COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty when the creation was not seen',
    `token0` String COMMENT 'First token',
    `token1` String COMMENT 'Second token',
    `created_at` Nullable(DateTime('UTC')) COMMENT 'Time the pool was announced',
    `adds` UInt64 COMMENT 'Liquidity additions',
    `removes` UInt64 COMMENT 'Liquidity removals',
    `added0` Int256 COMMENT 'First token added, base units',
    `added1` Int256 COMMENT 'Second token added, base units',
    `removed0` Int256 COMMENT 'First token removed, base units',
    `removed1` Int256 COMMENT 'Second token removed, base units',
    `swaps` UInt64 COMMENT 'Swaps',
    `swapped0` Int256 COMMENT 'First token that came in by swaps less what went out, base units',
    `swapped1` Int256 COMMENT 'Second token that came in by swaps less what went out, base units',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last event'
)
COMMENT 'States of hot rows above the watermark, in the shape of pool_state'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    pool,
    max(toString(a.kind)) AS kind,
    max(a.token0) AS token0,
    max(a.token1) AS token1,
    min(toNullable(block_time)) AS created_at,
    toUInt64(0) AS adds,
    toUInt64(0) AS removes,
    toInt256(0) AS added0,
    toInt256(0) AS added1,
    toInt256(0) AS removed0,
    toInt256(0) AS removed1,
    toUInt64(0) AS swaps,
    toInt256(0) AS swapped0,
    toInt256(0) AS swapped1,
    max(toNullable(block_time)) AS last_seen
FROM pools_hot AS a
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2)) AND (pool != '')
GROUP BY
    network,
    pool
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    pool,
    '' AS kind,
    '' AS token0,
    '' AS token1,
    CAST(NULL, 'Nullable(DateTime(\'UTC\'))') AS created_at,
    countIf(event = 'add') AS adds,
    countIf(event = 'remove') AS removes,
    sumIf(amount0, event = 'add') AS added0,
    sumIf(amount1, event = 'add') AS added1,
    sumIf(if(amount0 < 0, -amount0, amount0), event = 'remove') AS removed0,
    sumIf(if(amount1 < 0, -amount1, amount1), event = 'remove') AS removed1,
    toUInt64(0) AS swaps,
    toInt256(0) AS swapped0,
    toInt256(0) AS swapped1,
    max(toNullable(block_time)) AS last_seen
FROM liquidity_hot AS a
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2)) AND (pool != '')
GROUP BY
    network,
    pool
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    pool,
    '' AS kind,
    maxIf(a.token0, NOT startsWith(a.factory, '0x')) AS token0,
    maxIf(a.token1, NOT startsWith(a.factory, '0x')) AS token1,
    CAST(NULL, 'Nullable(DateTime(\'UTC\'))') AS created_at,
    toUInt64(0) AS adds,
    toUInt64(0) AS removes,
    toInt256(0) AS added0,
    toInt256(0) AS added1,
    toInt256(0) AS removed0,
    toInt256(0) AS removed1,
    count() AS swaps,
    sum(amount0) AS swapped0,
    sum(amount1) AS swapped1,
    max(toNullable(block_time)) AS last_seen
FROM swaps_hot AS a
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2)) AND (pool != '')
GROUP BY
    network,
    pool;

CREATE TABLE pools
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `pool` String COMMENT 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2' CODEC(ZSTD(1)),
    `factory` String COMMENT 'Contract that announced the pool' CODEC(ZSTD(1)),
    `kind` LowCardinality(String) COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3',
    `token0` String COMMENT 'First token; empty for the native coin' CODEC(ZSTD(1)),
    `token1` String COMMENT 'Second token' CODEC(ZSTD(1)),
    `fee` UInt32 COMMENT 'Swap fee in hundredths of a basis point; 0 where the pool does not state it' CODEC(ZSTD(1)),
    `hooks` String COMMENT 'Hook contract of V4 pools; empty for none' CODEC(ZSTD(1)),
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_token0 token0 TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_token1 token1 TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, pool, position)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Liquidity pools created. Final blocks only; see pools_all';

CREATE VIEW pools_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `pool` String COMMENT 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2',
    `factory` String COMMENT 'Contract that announced the pool',
    `kind` LowCardinality(String) COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3',
    `token0` String COMMENT 'First token; empty for the native coin',
    `token1` String COMMENT 'Second token',
    `fee` UInt32 COMMENT 'Swap fee in hundredths of a basis point; 0 where the pool does not state it',
    `hooks` String COMMENT 'Hook contract of V4 pools; empty for none'
)
COMMENT 'Liquidity pools created. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    factory,
    kind,
    token0,
    token1,
    fee,
    hooks
FROM pools
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    factory,
    kind,
    token0,
    token1,
    fee,
    hooks
FROM pools_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE pools_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `pool` String COMMENT 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2',
    `factory` String COMMENT 'Contract that announced the pool',
    `kind` LowCardinality(String) COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3',
    `token0` String COMMENT 'First token; empty for the native coin',
    `token1` String COMMENT 'Second token',
    `fee` UInt32 COMMENT 'Swap fee in hundredths of a basis point; 0 where the pool does not state it',
    `hooks` String COMMENT 'Hook contract of V4 pools; empty for none',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, pool, position)
SETTINGS index_granularity = 8192
COMMENT 'Rows of pools whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE pools_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `pool` String COMMENT 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2' CODEC(ZSTD(1)),
    `factory` String COMMENT 'Contract that announced the pool' CODEC(ZSTD(1)),
    `kind` LowCardinality(String) COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3',
    `token0` String COMMENT 'First token; empty for the native coin' CODEC(ZSTD(1)),
    `token1` String COMMENT 'Second token' CODEC(ZSTD(1)),
    `fee` UInt32 COMMENT 'Swap fee in hundredths of a basis point; 0 where the pool does not state it' CODEC(ZSTD(1)),
    `hooks` String COMMENT 'Hook contract of V4 pools; empty for none' CODEC(ZSTD(1)),
    INDEX by_token0 token0 TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_token1 token1 TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, pool, position)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'Liquidity pools created. From before the first covered block; read with FINAL and only below it (first_covered_blocks)';

CREATE VIEW pools_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `pool` String COMMENT 'Pool contract, or the 32-byte pool id of singleton designs (V4). A pool of more than two tokens has a row for each pair of them, with the numbers of both behind its own id, as in 0x...:0:2',
    `factory` String COMMENT 'Contract that announced the pool',
    `kind` LowCardinality(String) COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3',
    `token0` String COMMENT 'First token; empty for the native coin',
    `token1` String COMMENT 'Second token',
    `fee` UInt32 COMMENT 'Swap fee in hundredths of a basis point; 0 where the pool does not state it',
    `hooks` String COMMENT 'Hook contract of V4 pools; empty for none'
)
COMMENT 'Liquidity pools created. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    factory,
    kind,
    token0,
    token1,
    fee,
    hooks
FROM pools_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    factory,
    kind,
    token0,
    token1,
    fee,
    hooks
FROM pools_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)])));

CREATE VIEW prices
(
    `network` String COMMENT 'Network code, as in table networks',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `symbol` String COMMENT 'Symbol of the coin in the registry',
    `hour` DateTime('UTC') COMMENT 'Beginning of the hour',
    `price_usd` Float64 COMMENT 'US dollars of one whole coin',
    `source` LowCardinality(String) COMMENT 'dollar (pegged, by definition), swaps (paid in dollar coins) or native (paid in the native coin)',
    `swaps` UInt64 COMMENT 'Swaps it rests on; 0 for dollar coins',
    `traded_usd` Float64 COMMENT 'US dollars traded in them; 0 for dollar coins. A price with little behind it is easy to move'
)
COMMENT 'Prices in US dollars, one row for each network, asset and hour in which it was traded: the median of what swaps in pools of registered exchanges paid, weighted by what was paid. Coins of the registry only; dollar coins are one dollar in every hour that has blocks. Fast by network and hour'
AS SELECT
    v.network AS network,
    arrayJoin(if(v.wrapped = 1, [v.token, ''], [v.token])) AS asset,
    if(asset = '', n.native_symbol, v.symbol) AS symbol,
    v.hour AS hour,
    v.price_usd AS price_usd,
    toLowCardinality(v.source) AS source,
    v.swaps AS swaps,
    v.traded_usd AS traded_usd
FROM
(
    SELECT
        h.network AS network,
        h.hour AS hour,
        route.1 AS token,
        route.2 AS symbol,
        route.3 AS wrapped,
        argMax((route.5) * if((route.4) = 1, h.native_usd, 1), (route.6) * if((route.4) = 1, h.native_usd, 1)) AS price_usd,
        argMax(if((route.4) = 1, 'native', 'swaps'), (route.6) * if((route.4) = 1, h.native_usd, 1)) AS source,
        argMax(route.7, (route.6) * if((route.4) = 1, h.native_usd, 1)) AS swaps,
        max((route.6) * if((route.4) = 1, h.native_usd, 1)) AS traded_usd
    FROM
    (
        SELECT
            r.network AS network,
            r.hour AS hour,
            groupArray((r.asset, r.symbol, r.wrapped, r.in_native, r.price, r.traded, r.swaps)) AS routes,
            (arrayFirst(x -> (((x.3) = 1) AND ((x.4) = 0)), routes)).5 AS native_usd
        FROM
        (
            SELECT
                t.network AS network,
                t.hour AS hour,
                t.asset AS asset,
                t.symbol AS symbol,
                t.wrapped AS wrapped,
                t.in_native AS in_native,
                quantileExactWeighted(0.5)(t.paid / t.bought, toUInt64(least(t.paid * 1000, 1000000000000000.))) AS price,
                toFloat64(sum(toUInt64(least(t.paid * 1000, 1000000000000000.)))) / 1000 AS traded,
                count() AS swaps
            FROM
            (
                SELECT
                    toString(s.network) AS network,
                    toStartOfHour(s.block_time) AS hour,
                    p.coin.1 AS asset,
                    p.coin.2 AS symbol,
                    p.coin.3 AS wrapped,
                    p.in_native AS in_native,
                    toFloat64(abs(if(p.pays0, s.amount0, s.amount1))) / pow(10, if(p.pays0, p.decimals0, p.decimals1)) AS paid,
                    toFloat64(abs(if(p.pays0, s.amount1, s.amount0))) / pow(10, if(p.pays0, p.decimals1, p.decimals0)) AS bought
                FROM swaps_all AS s
                INNER JOIN
                (
                    SELECT
                        q.network AS network,
                        q.pool AS pool,
                        any(if((a.stable + b.stable) > 0, a.stable, a.wrapped)) AS pays0,
                        any(a.stable + b.stable) = 0 AS in_native,
                        any(a.decimals) AS decimals0,
                        any(b.decimals) AS decimals1,
                        any(if(if((a.stable + b.stable) > 0, a.stable, a.wrapped) = 1, (b.address, b.symbol, b.wrapped), (a.address, a.symbol, a.wrapped))) AS coin
                    FROM pools_all AS q
                    INNER JOIN
                    (
                        SELECT
                            network,
                            address,
                            kind
                        FROM registered_factories
                        FINAL
                        WHERE registered = 1
                    ) AS f ON (f.network = q.network) AND (f.address = q.factory)
                    LEFT JOIN
                    (
                        SELECT
                            network,
                            address
                        FROM registered_assets
                        FINAL
                        WHERE (registered = 1) AND (wrapped = 1)
                    ) AS w ON w.network = q.network
                    INNER JOIN
                    (
                        SELECT
                            network,
                            address,
                            symbol,
                            decimals,
                            stable,
                            wrapped
                        FROM registered_assets
                        FINAL
                        WHERE registered = 1
                    ) AS a ON (a.network = q.network) AND (a.address = if(q.token0 = '', w.address, q.token0))
                    INNER JOIN
                    (
                        SELECT
                            network,
                            address,
                            symbol,
                            decimals,
                            stable,
                            wrapped
                        FROM registered_assets
                        FINAL
                        WHERE registered = 1
                    ) AS b ON (b.network = q.network) AND (b.address = if(q.token1 = '', w.address, q.token1))
                    WHERE (((a.stable + b.stable) = 1) OR (((a.stable + b.stable) = 0) AND ((a.wrapped + b.wrapped) = 1))) AND (f.kind IN ('v2', 'v3', 'v4', 'solidly', 'infinity-cl', 'infinity-bin')) AND (q.hooks = '')
                    GROUP BY
                        q.network,
                        q.pool
                ) AS p ON (p.network = s.network) AND (p.pool = s.pool)
                WHERE (((s.amount0 > 0) AND (s.amount1 < 0)) OR ((s.amount0 < 0) AND (s.amount1 > 0))) AND ((s.network, s.pool) IN (
                    SELECT
                        network,
                        pool
                    FROM
                    (
                        SELECT
                            q.network AS network,
                            q.pool AS pool,
                            any(if((a.stable + b.stable) > 0, a.stable, a.wrapped)) AS pays0,
                            any(a.stable + b.stable) = 0 AS in_native,
                            any(a.decimals) AS decimals0,
                            any(b.decimals) AS decimals1,
                            any(if(if((a.stable + b.stable) > 0, a.stable, a.wrapped) = 1, (b.address, b.symbol, b.wrapped), (a.address, a.symbol, a.wrapped))) AS coin
                        FROM pools_all AS q
                        INNER JOIN
                        (
                            SELECT
                                network,
                                address,
                                kind
                            FROM registered_factories
                            FINAL
                            WHERE registered = 1
                        ) AS f ON (f.network = q.network) AND (f.address = q.factory)
                        LEFT JOIN
                        (
                            SELECT
                                network,
                                address
                            FROM registered_assets
                            FINAL
                            WHERE (registered = 1) AND (wrapped = 1)
                        ) AS w ON w.network = q.network
                        INNER JOIN
                        (
                            SELECT
                                network,
                                address,
                                symbol,
                                decimals,
                                stable,
                                wrapped
                            FROM registered_assets
                            FINAL
                            WHERE registered = 1
                        ) AS a ON (a.network = q.network) AND (a.address = if(q.token0 = '', w.address, q.token0))
                        INNER JOIN
                        (
                            SELECT
                                network,
                                address,
                                symbol,
                                decimals,
                                stable,
                                wrapped
                            FROM registered_assets
                            FINAL
                            WHERE registered = 1
                        ) AS b ON (b.network = q.network) AND (b.address = if(q.token1 = '', w.address, q.token1))
                        WHERE (((a.stable + b.stable) = 1) OR (((a.stable + b.stable) = 0) AND ((a.wrapped + b.wrapped) = 1))) AND (f.kind IN ('v2', 'v3', 'v4', 'solidly', 'infinity-cl', 'infinity-bin')) AND (q.hooks = '')
                        GROUP BY
                            q.network,
                            q.pool
                    )
                ))
            ) AS t
            WHERE (t.paid * 1000) >= 1
            GROUP BY
                t.network,
                t.hour,
                t.asset,
                t.symbol,
                t.wrapped,
                t.in_native
        ) AS r
        GROUP BY
            r.network,
            r.hour
    ) AS h
    ARRAY JOIN h.routes AS route
    WHERE ((route.4) = 0) OR (h.native_usd > 0)
    GROUP BY
        h.network,
        h.hour,
        route.1,
        route.2,
        route.3
) AS v
LEFT JOIN
(
    SELECT
        network,
        native_symbol
    FROM networks
    FINAL
) AS n ON n.network = v.network
UNION ALL
SELECT
    toString(b.network) AS network,
    d.address AS asset,
    d.symbol AS symbol,
    b.hour AS hour,
    toFloat64(1) AS price_usd,
    toLowCardinality('dollar') AS source,
    toUInt64(0) AS swaps,
    toFloat64(0) AS traded_usd
FROM
(
    SELECT DISTINCT
        network,
        toStartOfHour(block_time) AS hour
    FROM blocks_all
) AS b
INNER JOIN
(
    SELECT
        network,
        address,
        symbol
    FROM registered_assets
    FINAL
    WHERE (registered = 1) AND (stable = 1)
) AS d ON d.network = b.network;

CREATE TABLE profile_records
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `version` UInt64 COMMENT 'Version of the fraud record the profile rests on; a newer fraud record makes the profile stale',
    `audit` String COMMENT 'JSON of the behaviour record without walletAddress, checked_times and updatedAt: the bytes that are served' CODEC(ZSTD(3)),
    `segment` String COMMENT 'JSON of the segment record without walletAddress' CODEC(ZSTD(3)),
    `credit` String COMMENT 'JSON of the credit record inside creditData without walletAddress; empty where the network has no such operation' CODEC(ZSTD(1)),
    `segment_letter` LowCardinality(String) COMMENT 'A, B or C by quality; not part of an answer',
    `quality` UInt8 COMMENT 'Wallet quality, 0 to 100',
    `rating` UInt8 COMMENT 'Credit rating, 1 to 9; 0 where the network has no such operation',
    `experience` UInt8 COMMENT 'Experience, 0 to 10',
    `risk_capability` UInt8 COMMENT 'Risk capability, 1 to 9',
    `transaction_count` UInt64 COMMENT 'Transactions in and out',
    `age_days` UInt32 COMMENT 'Days since the first row about the wallet',
    `balance_usd` Float64 COMMENT 'Balance of priced assets, US dollars',
    `probability` Float64 COMMENT 'Probability of fraud, 0 to 1',
    `unknowns` Array(String) COMMENT 'What could not be known, as what: why',
    `reasons` String COMMENT 'JSON of what quality and credit rest on: reasons and unknowns of each' CODEC(ZSTD(3)),
    `model_version` LowCardinality(String) COMMENT 'Model that gave the probability',
    `data_height` UInt32 COMMENT 'Height of the data the profile was computed from',
    `computed_at` DateTime('UTC') COMMENT 'When it was computed'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address)
SETTINGS index_granularity = 128, min_bytes_for_wide_part = 1073741824, non_replicated_deduplication_window = 1000
COMMENT 'Newest profile of each wallet that was asked about. Look up with ORDER BY version DESC LIMIT 1 BY network, address';

CREATE TABLE read_leases
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `reader` String COMMENT 'Random id of the read',
    `released` UInt8 COMMENT '1 when the read has ended',
    `until` DateTime64(3, 'UTC') DEFAULT now64(3) + toIntervalSecond(15) COMMENT 'When the lease ends by itself: longer than a move waits'
)
ENGINE = ReplacingMergeTree(released)
ORDER BY (network, reader)
TTL toDateTime(until) + toIntervalHour(1)
SETTINGS index_granularity = 8192
COMMENT 'Long reads of several tables that ask moves of the watermark to wait. Dropped an hour after they expired';

CREATE TABLE rebuilds
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `version` UInt64 COMMENT 'Grows by one with every state',
    `id` String COMMENT 'Names the rebuild in deduplication tokens',
    `what` LowCardinality(String) COMMENT 'What it makes again: aggregates, base (some blocks and the aggregates) or bus (everything)',
    `state` LowCardinality(String) COMMENT 'filling (new tables are filled from the bus, scorers go on), building (new tables are filled, scorers wait), paused (interrupted, scorers go on), exchanging (new tables take the place of the old) or done',
    `position` String COMMENT 'What the tables held when the rebuild began',
    `buckets` UInt32 COMMENT 'Shares the keys are divided into',
    `steps` UInt32 COMMENT 'Steps that are complete',
    `seen_at` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the state was entered or confirmed'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY network
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'Newest rebuild of each network (newest version counts). While one is under way, scorers wait';

CREATE TABLE record_history
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `version` UInt64 COMMENT 'Version of the record',
    `status` LowCardinality(String) COMMENT 'Fraud, Not Fraud or New Address',
    `probability` Float64 COMMENT 'Probability of fraud, 0 to 1',
    `reasons` String COMMENT 'JSON array of what the verdict rested on' CODEC(ZSTD(3)),
    `model_version` LowCardinality(String) COMMENT 'Model that gave the probability',
    `data_height` UInt32 COMMENT 'Height of the data the record was computed from' CODEC(Delta(4), ZSTD(1)),
    `computed_at` DateTime('UTC') COMMENT 'When it was computed' CODEC(Delta(4), ZSTD(1))
)
ENGINE = MergeTree
ORDER BY (network, address, version)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'What records were: one row whenever status, flags or the rounded probability changed';

CREATE TABLE registered_addresses
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `name` String COMMENT 'Protocol, service, token or mixer',
    `category` LowCardinality(String) COMMENT 'exchange, dex, bridge, lending, staking, marketplace, gambling, mining, mixer, privacy, token or service',
    `registered` UInt8 COMMENT '0 when a later version of Assay took it out of the registry',
    `version` UInt64 COMMENT 'Milliseconds since the epoch when the row was written; the newest counts'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address)
SETTINGS index_granularity = 8192
COMMENT 'Public infrastructure that Assay knows by its registry. Written at every start. Read through labels_current';

CREATE TABLE registered_assets
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Token contract',
    `symbol` String COMMENT 'Symbol of the genuine token',
    `decimals` UInt8 COMMENT 'Decimal places',
    `stable` UInt8 COMMENT '1 when it is pegged to the US dollar: its price is one dollar by definition',
    `wrapped` UInt8 COMMENT '1 when it is the wrapped native coin',
    `registered` UInt8 COMMENT '0 when a later version of Assay took it out of the registry',
    `version` UInt64 COMMENT 'Milliseconds since the epoch when the row was written; the newest counts'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address)
SETTINGS index_granularity = 8192
COMMENT 'Coins of the registry: those that can have a price. Written at every start. Read through prices';

CREATE TABLE registered_factories
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Factory or singleton that announces pools, or program that holds them',
    `name` String COMMENT 'Exchange',
    `kind` LowCardinality(String) COMMENT 'v2, v3, v4, solidly, infinity-cl, infinity-bin, curve, balancer-v2 or balancer-v3; empty for programs',
    `registered` UInt8 COMMENT '0 when a later version of Assay took it out of the registry',
    `version` UInt64 COMMENT 'Milliseconds since the epoch when the row was written; the newest counts'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address)
SETTINGS index_granularity = 8192
COMMENT 'Exchanges of the registry, by the contract that announces their pools. Written at every start. Read through dex_trades';

CREATE TABLE screen_jobs
(
    `id` String COMMENT 'Id of the job; follows from account and idempotency key where the caller sent one',
    `version` UInt64 COMMENT 'Rank of the state above microseconds since the epoch; the highest is in force',
    `account` String COMMENT 'Id of the key that began the line of rotated keys the job belongs to',
    `operation` LowCardinality(String) COMMENT 'Operation that is run for each row',
    `state` LowCardinality(String) COMMENT 'waiting, running, finished, stopped or deleted',
    `upload` String COMMENT 'The upload that brought the rows. An upload that broke off belongs to no job',
    `rows` UInt32 COMMENT 'Rows of the upload, malformed ones included',
    `malformed` UInt32 COMMENT 'Rows that could not be read',
    `distinct` UInt32 COMMENT 'Different addresses among the rows',
    `look_alikes` String COMMENT 'JSON: groups of different addresses that begin and end alike, twenty at most',
    `fingerprint` String COMMENT 'SHA-256 of the uploaded bytes and of what was asked: a retried upload has the same one',
    `holder` String COMMENT 'Replica that works on it, empty while none does',
    `held_until` DateTime64(3, 'UTC') COMMENT 'Until when its replica is believed to live',
    `moved` DateTime64(3, 'UTC') COMMENT 'When a replica last took it up or left it',
    `created` DateTime64(3, 'UTC') COMMENT 'When the upload was complete',
    `started` DateTime64(3, 'UTC') COMMENT 'When the first row was worked on; the epoch before',
    `finished` DateTime64(3, 'UTC') COMMENT 'When the last row was done; the epoch before',
    `reason` String COMMENT 'Why it was stopped, else empty',
    `expires` DateTime('UTC') COMMENT 'When the row is removed'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY id
TTL expires
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'Screening jobs and how far they are. How many rows are done is the number of rows in screen_results';

CREATE TABLE screen_results
(
    `upload` String COMMENT 'The upload that brought the rows. An upload that broke off belongs to no job',
    `row` UInt32 COMMENT 'Number of the row in the upload, from 1',
    `status` UInt16 COMMENT 'Status that the single call would have had',
    `body` String COMMENT 'Body that the single call would have had' CODEC(ZSTD(3)),
    `expires` DateTime('UTC') COMMENT 'When the row is removed'
)
ENGINE = ReplacingMergeTree
ORDER BY (upload, row)
TTL expires
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'What rows of screening jobs were answered. Read with FINAL: two replicas may have answered the same rows';

CREATE TABLE screen_rows
(
    `upload` String COMMENT 'The upload that brought the rows. An upload that broke off belongs to no job',
    `row` UInt32 COMMENT 'Number of the row in the upload, from 1',
    `network` LowCardinality(String) COMMENT 'Network code where it is known, else as it was sent',
    `address` String COMMENT 'Address as it was sent',
    `reference` String COMMENT 'What the caller calls the row; empty when not given' CODEC(ZSTD(3)),
    `problem` String COMMENT 'Why the row cannot be read; empty when it can',
    `expires` DateTime('UTC') COMMENT 'When the row is removed'
)
ENGINE = MergeTree
ORDER BY (upload, row)
TTL expires
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Rows of screening jobs as they were uploaded';

CREATE TABLE serve_counts
(
    `kind` LowCardinality(String) COMMENT 'wallet (fraud check and audit share one counter) or contract',
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `count` SimpleAggregateFunction(sum, UInt64) COMMENT 'Requests served about the address',
    `last_served` SimpleAggregateFunction(max, DateTime('UTC')) COMMENT 'When the last one was served'
)
ENGINE = AggregatingMergeTree
ORDER BY (kind, network, address)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'How often each address was analysed for callers, shared by the operations';

CREATE VIEW settled_heights
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `settled` UInt32 COMMENT 'Watermark: highest block number readers take from the final tier'
)
COMMENT 'Watermark of each network that has a hot tier'
AS SELECT
    network,
    argMax(w.settled, w.version) AS settled
FROM
(
    SELECT
        toString(network) AS network,
        settled,
        version
    FROM watermarks
) AS w
GROUP BY network;

CREATE TABLE swaps
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `pool` String COMMENT 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool' CODEC(ZSTD(1)),
    `initiator` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    `sender` String COMMENT 'Caller of the pool as the event names it' CODEC(ZSTD(1)),
    `recipient` String COMMENT 'Receiver as the event names it' CODEC(ZSTD(1)),
    `amount0` Int256 COMMENT 'Signed, from the pool\'s view: positive came in' CODEC(ZSTD(1)),
    `amount1` Int256 COMMENT 'Signed, from the pool\'s view: positive came in' CODEC(ZSTD(1)),
    `factory` LowCardinality(String) COMMENT 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools',
    `token0` String COMMENT 'First token, where factory is stated; empty for the native coin' CODEC(ZSTD(1)),
    `token1` String COMMENT 'Second token, where factory is stated' CODEC(ZSTD(1)),
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_initiator initiator TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, pool, block_time, position)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Swaps, sorted by pool and time. Final blocks only; see swaps_all';

CREATE VIEW swaps_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `pool` String COMMENT 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool',
    `initiator` String COMMENT 'Sender of the transaction',
    `sender` String COMMENT 'Caller of the pool as the event names it',
    `recipient` String COMMENT 'Receiver as the event names it',
    `amount0` Int256 COMMENT 'Signed, from the pool\'s view: positive came in',
    `amount1` Int256 COMMENT 'Signed, from the pool\'s view: positive came in',
    `factory` LowCardinality(String) COMMENT 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools',
    `token0` String COMMENT 'First token, where factory is stated; empty for the native coin',
    `token1` String COMMENT 'Second token, where factory is stated'
)
COMMENT 'Swaps, sorted by pool and time. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    initiator,
    sender,
    recipient,
    amount0,
    amount1,
    factory,
    token0,
    token1
FROM swaps
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    initiator,
    sender,
    recipient,
    amount0,
    amount1,
    factory,
    token0,
    token1
FROM swaps_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE swaps_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `pool` String COMMENT 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool',
    `initiator` String COMMENT 'Sender of the transaction',
    `sender` String COMMENT 'Caller of the pool as the event names it',
    `recipient` String COMMENT 'Receiver as the event names it',
    `amount0` Int256 COMMENT 'Signed, from the pool\'s view: positive came in',
    `amount1` Int256 COMMENT 'Signed, from the pool\'s view: positive came in',
    `factory` LowCardinality(String) COMMENT 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools',
    `token0` String COMMENT 'First token, where factory is stated; empty for the native coin',
    `token1` String COMMENT 'Second token, where factory is stated',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, pool, position)
SETTINGS index_granularity = 8192
COMMENT 'Rows of swaps whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE swaps_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `pool` String COMMENT 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool' CODEC(ZSTD(1)),
    `initiator` String COMMENT 'Sender of the transaction' CODEC(ZSTD(1)),
    `sender` String COMMENT 'Caller of the pool as the event names it' CODEC(ZSTD(1)),
    `recipient` String COMMENT 'Receiver as the event names it' CODEC(ZSTD(1)),
    `amount0` Int256 COMMENT 'Signed, from the pool\'s view: positive came in' CODEC(ZSTD(1)),
    `amount1` Int256 COMMENT 'Signed, from the pool\'s view: positive came in' CODEC(ZSTD(1)),
    `factory` LowCardinality(String) COMMENT 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools',
    `token0` String COMMENT 'First token, where factory is stated; empty for the native coin' CODEC(ZSTD(1)),
    `token1` String COMMENT 'Second token, where factory is stated' CODEC(ZSTD(1)),
    INDEX by_initiator initiator TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, pool, position)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'Swaps, sorted by pool and time. From before the first covered block; read with FINAL and only below it (first_covered_blocks)';

CREATE VIEW swaps_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `pool` String COMMENT 'Pool contract or id. Swaps of Curve in a pool of more than two tokens have the id of the pair, those of Balancer that of the pool',
    `initiator` String COMMENT 'Sender of the transaction',
    `sender` String COMMENT 'Caller of the pool as the event names it',
    `recipient` String COMMENT 'Receiver as the event names it',
    `amount0` Int256 COMMENT 'Signed, from the pool\'s view: positive came in',
    `amount1` Int256 COMMENT 'Signed, from the pool\'s view: positive came in',
    `factory` LowCardinality(String) COMMENT 'Program of the pool, on SOLANA, or vault that holds it (Balancer), where the swap itself names its tokens; empty elsewhere: see pools',
    `token0` String COMMENT 'First token, where factory is stated; empty for the native coin',
    `token1` String COMMENT 'Second token, where factory is stated'
)
COMMENT 'Swaps, sorted by pool and time. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    initiator,
    sender,
    recipient,
    amount0,
    amount1,
    factory,
    token0,
    token1
FROM swaps_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    pool,
    initiator,
    sender,
    recipient,
    amount0,
    amount1,
    factory,
    token0,
    token1
FROM swaps_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)])));

CREATE TABLE third_party_dust
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `initiator` String COMMENT 'Sender of the transaction, who is no party of the movement' CODEC(ZSTD(1)),
    `block_number` UInt32 COMMENT 'Height of the block' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction' CODEC(ZSTD(1)),
    `from_address` String COMMENT 'Account it moved from' CODEC(ZSTD(1)),
    `to_address` String COMMENT 'Account it moved to' CODEC(ZSTD(1)),
    `asset` String COMMENT 'Token contract' CODEC(ZSTD(1)),
    `amount` UInt256 COMMENT 'Amount in base units of the asset' CODEC(ZSTD(1))
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, initiator, position)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Fungible movements of at most token_dust (table networks) base units between two others than the signer, by signer: address poisoning as its sender made it. Final blocks only; see third_party_dust_all';

CREATE VIEW third_party_dust_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `initiator` String COMMENT 'Sender of the transaction, who is no party of the movement',
    `block_number` UInt32 COMMENT 'Height of the block',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `tx_hash` String COMMENT 'Hash of the transaction',
    `from_address` String COMMENT 'Account it moved from',
    `to_address` String COMMENT 'Account it moved to',
    `asset` String COMMENT 'Token contract',
    `amount` UInt256 COMMENT 'Amount in base units of the asset'
)
COMMENT 'Fungible movements of at most token_dust (table networks) base units between two others than the signer, by signer: address poisoning as its sender made it. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    initiator,
    block_number,
    block_time,
    position,
    tx_hash,
    from_address,
    to_address,
    asset,
    amount
FROM third_party_dust
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    initiator,
    block_number,
    block_time,
    position,
    tx_hash,
    address AS from_address,
    counterparty AS to_address,
    asset,
    amount
FROM ledger_hot
FINAL
WHERE (block_number > (settled_of[toString(network)])) AND (kind = 'fungible') AND (direction = -1) AND (initiator NOT IN ('', address, counterparty)) AND (amount <= ((
    SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust))
    FROM networks AS n
    FINAL
)[toString(network)]));

CREATE MATERIALIZED VIEW third_party_dust_from_ledger TO third_party_dust
(
    `network` LowCardinality(String),
    `initiator` String,
    `block_number` UInt32,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `tx_hash` String,
    `from_address` String,
    `to_address` String,
    `asset` String,
    `amount` UInt256
)
AS SELECT
    network,
    initiator,
    block_number,
    block_time,
    position,
    tx_hash,
    address AS from_address,
    counterparty AS to_address,
    asset,
    amount
FROM ledger
WHERE (kind = 'fungible') AND (direction = -1) AND (initiator NOT IN ('', address, counterparty)) AND (amount <= ((
    SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust))
    FROM networks AS n
    FINAL
)[toString(network)]));

CREATE VIEW third_party_dust_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `initiator` String COMMENT 'Sender of the transaction, who is no party of the movement',
    `block_number` UInt32 COMMENT 'Height of the block',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `tx_hash` String COMMENT 'Hash of the transaction',
    `from_address` String COMMENT 'Account it moved from',
    `to_address` String COMMENT 'Account it moved to',
    `asset` String COMMENT 'Token contract',
    `amount` UInt256 COMMENT 'Amount in base units of the asset'
)
COMMENT 'Fungible movements of at most token_dust (table networks) base units between two others than the signer, by signer: address poisoning as its sender made it. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    initiator,
    block_number,
    block_time,
    position,
    tx_hash,
    from_address,
    to_address,
    asset,
    amount
FROM third_party_dust_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    initiator,
    block_number,
    block_time,
    position,
    tx_hash,
    address AS from_address,
    counterparty AS to_address,
    asset,
    amount
FROM ledger_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)]))) AND ((kind = 'fungible') AND (direction = -1) AND (initiator NOT IN ('', address, counterparty)) AND (amount <= ((
    SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust))
    FROM networks AS n
    FINAL
)[toString(network)])));

CREATE VIEW token_transfers
(
    `blockchain` String COMMENT 'Network code, as in table networks',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `block_hour` DateTime('UTC') COMMENT 'Beginning of the hour of the block',
    `block_number` UInt32 COMMENT 'Height of the block',
    `tx_hash` String COMMENT 'Hash of the transaction',
    `tx_from` String COMMENT 'Sender of the transaction',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `from_address` String COMMENT 'Account it moved from',
    `to_address` String COMMENT 'Account it moved to',
    `token_standard` LowCardinality(String) COMMENT 'erc20, erc721 or erc1155',
    `contract_address` String COMMENT 'Token contract',
    `symbol` String COMMENT 'Symbol of the token as stated; empty when unknown',
    `token_id` UInt256 COMMENT 'Token id of NFTs, else 0',
    `amount_raw` UInt256 COMMENT 'Exact amount in base units',
    `amount` Nullable(Decimal(76, 18)) COMMENT 'Amount in whole coins or tokens; NULL when unknown',
    `price_usd` Nullable(Float64) COMMENT 'US dollars of one whole coin in that hour (prices); NULL where nobody traded it then',
    `amount_usd` Nullable(Float64) COMMENT 'Amount in US dollars at the price of that hour; NULL where there is no price or the decimals are unknown'
)
COMMENT 'Transfers of tokens, with the column names of Dune and Goldsky. A thin view of transfers_usd: put blockchain and a range of block_hour into WHERE'
AS SELECT
    network AS blockchain,
    block_time,
    block_hour,
    block_number,
    tx_hash,
    initiator AS tx_from,
    position,
    from_address,
    to_address,
    toLowCardinality(transform(toString(kind), ['nft', 'multi'], ['erc721', 'erc1155'], 'erc20')) AS token_standard,
    asset AS contract_address,
    symbol,
    token_id,
    amount_raw,
    amount,
    price_usd,
    amount_usd
FROM transfers_usd
WHERE asset != '';

CREATE TABLE tokens
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `token` String COMMENT 'Token contract' CODEC(ZSTD(1)),
    `standard` LowCardinality(String) COMMENT 'erc20, erc721 or erc1155',
    `name` String COMMENT 'Name as the contract states it' CODEC(ZSTD(1)),
    `symbol` String COMMENT 'Symbol as the contract states it' CODEC(ZSTD(1)),
    `decimals` Int16 COMMENT 'Decimal places; -1 when the token does not state them' CODEC(ZSTD(1)),
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_symbol symbol TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, token, position)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'Tokens first seen. Final blocks only; see tokens_all';

CREATE VIEW tokens_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `token` String COMMENT 'Token contract',
    `standard` LowCardinality(String) COMMENT 'erc20, erc721 or erc1155',
    `name` String COMMENT 'Name as the contract states it',
    `symbol` String COMMENT 'Symbol as the contract states it',
    `decimals` Int16 COMMENT 'Decimal places; -1 when the token does not state them'
)
COMMENT 'Tokens first seen. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    token,
    standard,
    name,
    symbol,
    decimals
FROM tokens
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    token,
    standard,
    name,
    symbol,
    decimals
FROM tokens_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE VIEW tokens_current
(
    `network` String COMMENT 'Network code, as in table networks',
    `token` String COMMENT 'Token contract',
    `standard` String COMMENT 'erc20, erc721 or erc1155',
    `name` String COMMENT 'Name as the contract states it; anyone can state any name',
    `symbol` String COMMENT 'Symbol as the contract states it; anyone can state any symbol',
    `decimals` Nullable(Int16) COMMENT 'Decimal places; NULL when the token does not state them',
    `first_block` UInt32 COMMENT 'Height of the first block that it was seen in',
    `first_seen` DateTime('UTC') COMMENT 'Time of that block'
)
COMMENT 'Tokens, one row for each network and token: join it for symbols and decimals. tokens_all has a row for each time a token was first seen, and a join with it multiplies'
AS SELECT
    t.network AS network,
    t.token AS token,
    argMax(t.standard, ((t.decimals >= 0) + (t.symbol != ''), t.position)) AS standard,
    argMax(t.name, ((t.decimals >= 0) + (t.symbol != ''), t.position)) AS name,
    argMax(t.symbol, ((t.decimals >= 0) + (t.symbol != ''), t.position)) AS symbol,
    nullIf(argMax(t.decimals, ((t.decimals >= 0) + (t.symbol != ''), t.position)), -1) AS decimals,
    min(t.block_number) AS first_block,
    min(t.block_time) AS first_seen
FROM tokens_all AS t
GROUP BY
    t.network,
    t.token;

CREATE TABLE tokens_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `token` String COMMENT 'Token contract',
    `standard` LowCardinality(String) COMMENT 'erc20, erc721 or erc1155',
    `name` String COMMENT 'Name as the contract states it',
    `symbol` String COMMENT 'Symbol as the contract states it',
    `decimals` Int16 COMMENT 'Decimal places; -1 when the token does not state them',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, token, position)
SETTINGS index_granularity = 8192
COMMENT 'Rows of tokens whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE transactions
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `sender` String COMMENT 'Account that signed the transaction and paid its fee' CODEC(ZSTD(1)),
    `receiver` String COMMENT 'Called address; empty for a contract creation' CODEC(ZSTD(1)),
    `value` UInt256 COMMENT 'Native coin sent along, base units' CODEC(ZSTD(1)),
    `fee` UInt256 COMMENT 'Paid by the sender, base units of the native coin, L1 data fee included where the chain has one' CODEC(ZSTD(1)),
    `nonce` UInt64 COMMENT 'Sequence number of the sender' CODEC(ZSTD(1)),
    `type` UInt32 COMMENT 'Transaction type as the chain numbers it; unknown ones are kept' CODEC(ZSTD(1)),
    `status` UInt8 COMMENT '1 succeeded, 0 failed, 2 not stated by the node (pre-Byzantium receipts, missing Ethermint receipts)',
    `gas_used` UInt64 COMMENT 'Gas (energy, compute units) used' CODEC(ZSTD(1)),
    `selector` LowCardinality(String) COMMENT 'First four bytes of calldata as 0x-hex; empty when there are fewer',
    `input_size` UInt32 COMMENT 'Bytes of calldata' CODEC(ZSTD(1)),
    `message` String COMMENT 'Calldata read as text when it is printable UTF-8 of 20 characters or more, else empty; at most 1,000 characters' CODEC(ZSTD(1)),
    `deeds` LowCardinality(String) COMMENT 'What was done with the known program that was called, on SOLANA: swap, liquidity, supply, withdraw, borrow, repay, stake, farm or nft, several of them joined by commas; empty for none, for programs that are not known and on other networks',
    INDEX by_block block_number TYPE minmax GRANULARITY 1,
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_receiver receiver TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, sender, block_time, position)
SETTINGS index_granularity = 1024, min_compress_block_size = 16384, non_replicated_deduplication_window = 10000
COMMENT 'Transactions, sorted by sender and time. Final blocks only; see transactions_all';

CREATE VIEW transactions_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `sender` String COMMENT 'Account that signed the transaction and paid its fee',
    `receiver` String COMMENT 'Called address; empty for a contract creation',
    `value` UInt256 COMMENT 'Native coin sent along, base units',
    `fee` UInt256 COMMENT 'Paid by the sender, base units of the native coin, L1 data fee included where the chain has one',
    `nonce` UInt64 COMMENT 'Sequence number of the sender',
    `type` UInt32 COMMENT 'Transaction type as the chain numbers it; unknown ones are kept',
    `status` UInt8 COMMENT '1 succeeded, 0 failed, 2 not stated by the node (pre-Byzantium receipts, missing Ethermint receipts)',
    `gas_used` UInt64 COMMENT 'Gas (energy, compute units) used',
    `selector` LowCardinality(String) COMMENT 'First four bytes of calldata as 0x-hex; empty when there are fewer',
    `input_size` UInt32 COMMENT 'Bytes of calldata',
    `message` String COMMENT 'Calldata read as text when it is printable UTF-8 of 20 characters or more, else empty; at most 1,000 characters',
    `deeds` LowCardinality(String) COMMENT 'What was done with the known program that was called, on SOLANA: swap, liquidity, supply, withdraw, borrow, repay, stake, farm or nft, several of them joined by commas; empty for none, for programs that are not known and on other networks'
)
COMMENT 'Transactions, sorted by sender and time. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    sender,
    receiver,
    value,
    fee,
    nonce,
    type,
    status,
    gas_used,
    selector,
    input_size,
    message,
    deeds
FROM transactions
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    sender,
    receiver,
    value,
    fee,
    nonce,
    type,
    status,
    gas_used,
    selector,
    input_size,
    message,
    deeds
FROM transactions_hot
FINAL
WHERE block_number > (settled_of[toString(network)]);

CREATE TABLE transactions_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `sender` String COMMENT 'Account that signed the transaction and paid its fee',
    `receiver` String COMMENT 'Called address; empty for a contract creation',
    `value` UInt256 COMMENT 'Native coin sent along, base units',
    `fee` UInt256 COMMENT 'Paid by the sender, base units of the native coin, L1 data fee included where the chain has one',
    `nonce` UInt64 COMMENT 'Sequence number of the sender',
    `type` UInt32 COMMENT 'Transaction type as the chain numbers it; unknown ones are kept',
    `status` UInt8 COMMENT '1 succeeded, 0 failed, 2 not stated by the node (pre-Byzantium receipts, missing Ethermint receipts)',
    `gas_used` UInt64 COMMENT 'Gas (energy, compute units) used',
    `selector` LowCardinality(String) COMMENT 'First four bytes of calldata as 0x-hex; empty when there are fewer',
    `input_size` UInt32 COMMENT 'Bytes of calldata',
    `message` String COMMENT 'Calldata read as text when it is printable UTF-8 of 20 characters or more, else empty; at most 1,000 characters',
    `deeds` LowCardinality(String) COMMENT 'What was done with the known program that was called, on SOLANA: swap, liquidity, supply, withdraw, borrow, repay, stake, farm or nft, several of them joined by commas; empty for none, for programs that are not known and on other networks',
    `version` UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
    `is_deleted` UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ReplacingMergeTree(version, is_deleted)
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, sender, position)
SETTINGS index_granularity = 8192
COMMENT 'Rows of transactions whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE TABLE transactions_past
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index' CODEC(Delta(8), ZSTD(1)),
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to' CODEC(ZSTD(1)),
    `sender` String COMMENT 'Account that signed the transaction and paid its fee' CODEC(ZSTD(1)),
    `receiver` String COMMENT 'Called address; empty for a contract creation' CODEC(ZSTD(1)),
    `value` UInt256 COMMENT 'Native coin sent along, base units' CODEC(ZSTD(1)),
    `fee` UInt256 COMMENT 'Paid by the sender, base units of the native coin, L1 data fee included where the chain has one' CODEC(ZSTD(1)),
    `nonce` UInt64 COMMENT 'Sequence number of the sender' CODEC(ZSTD(1)),
    `type` UInt32 COMMENT 'Transaction type as the chain numbers it; unknown ones are kept' CODEC(ZSTD(1)),
    `status` UInt8 COMMENT '1 succeeded, 0 failed, 2 not stated by the node (pre-Byzantium receipts, missing Ethermint receipts)',
    `gas_used` UInt64 COMMENT 'Gas (energy, compute units) used' CODEC(ZSTD(1)),
    `selector` LowCardinality(String) COMMENT 'First four bytes of calldata as 0x-hex; empty when there are fewer',
    `input_size` UInt32 COMMENT 'Bytes of calldata' CODEC(ZSTD(1)),
    `message` String COMMENT 'Calldata read as text when it is printable UTF-8 of 20 characters or more, else empty; at most 1,000 characters' CODEC(ZSTD(1)),
    `deeds` LowCardinality(String) COMMENT 'What was done with the known program that was called, on SOLANA: swap, liquidity, supply, withdraw, borrow, repay, stake, farm or nft, several of them joined by commas; empty for none, for programs that are not known and on other networks',
    INDEX by_tx_hash tx_hash TYPE bloom_filter(0.01) GRANULARITY 1,
    INDEX by_receiver receiver TYPE bloom_filter(0.01) GRANULARITY 1
)
ENGINE = ReplacingMergeTree
PARTITION BY network
ORDER BY (network, sender, position)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'Transactions, sorted by sender and time. From before the first covered block; read with FINAL and only below it (first_covered_blocks)';

CREATE VIEW transactions_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block (masterchain sequence number on TON)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network: 30 bits block, 15 bits transaction index, 19 bits event index',
    `tx_hash` String COMMENT 'Hash of the transaction the row belongs to',
    `sender` String COMMENT 'Account that signed the transaction and paid its fee',
    `receiver` String COMMENT 'Called address; empty for a contract creation',
    `value` UInt256 COMMENT 'Native coin sent along, base units',
    `fee` UInt256 COMMENT 'Paid by the sender, base units of the native coin, L1 data fee included where the chain has one',
    `nonce` UInt64 COMMENT 'Sequence number of the sender',
    `type` UInt32 COMMENT 'Transaction type as the chain numbers it; unknown ones are kept',
    `status` UInt8 COMMENT '1 succeeded, 0 failed, 2 not stated by the node (pre-Byzantium receipts, missing Ethermint receipts)',
    `gas_used` UInt64 COMMENT 'Gas (energy, compute units) used',
    `selector` LowCardinality(String) COMMENT 'First four bytes of calldata as 0x-hex; empty when there are fewer',
    `input_size` UInt32 COMMENT 'Bytes of calldata',
    `message` String COMMENT 'Calldata read as text when it is printable UTF-8 of 20 characters or more, else empty; at most 1,000 characters',
    `deeds` LowCardinality(String) COMMENT 'What was done with the known program that was called, on SOLANA: swap, liquidity, supply, withdraw, borrow, repay, stake, farm or nft, several of them joined by commas; empty for none, for programs that are not known and on other networks'
)
COMMENT 'Transactions, sorted by sender and time. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    sender,
    receiver,
    value,
    fee,
    nonce,
    type,
    status,
    gas_used,
    selector,
    input_size,
    message,
    deeds
FROM transactions_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    block_number,
    block_time,
    position,
    tx_hash,
    sender,
    receiver,
    value,
    fee,
    nonce,
    type,
    status,
    gas_used,
    selector,
    input_size,
    message,
    deeds
FROM transactions_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)])));

CREATE VIEW transfers
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `tx_hash` String COMMENT 'Hash of the transaction',
    `from_address` String COMMENT 'Account it moved from',
    `to_address` String COMMENT 'Account it moved to',
    `kind` LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible, nft, multi or wrap',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `symbol` String COMMENT 'Symbol of the coin or token as stated; empty when unknown',
    `decimals` Nullable(Int16) COMMENT 'Decimal places of the asset; 0 for nft and multi, NULL when unknown',
    `amount` Nullable(Decimal(76, 18)) COMMENT 'Amount in whole coins or tokens; digits after the 18th are cut off. NULL when decimals are unknown or the amount is of 58 digits and more',
    `amount_raw` UInt256 COMMENT 'Exact amount in base units',
    `token_id` UInt256 COMMENT 'Token id of nft and multi movements, else 0',
    `initiator` String COMMENT 'Sender of the transaction'
)
COMMENT 'Value movements, one row each, from sender to receiver, with amounts in whole coins. Fast by network and from_address; for everything one wallet moved in both directions use ledger_all'
AS SELECT
    l.network AS network,
    l.block_number AS block_number,
    l.block_time AS block_time,
    l.position AS position,
    l.tx_hash AS tx_hash,
    l.address AS from_address,
    l.counterparty AS to_address,
    l.kind AS kind,
    l.asset AS asset,
    if(l.asset = '', n.native_symbol, t.symbol) AS symbol,
    multiIf(l.asset = '', toInt16(n.native_decimals), (l.kind IN ('nft', 'multi')), toInt16(0), t.token = '', NULL, t.decimals) AS decimals,
    if(decimals IS NULL, NULL, toDecimal256OrNull(if(decimals = 0, toString(l.amount), concat(substring(leftPad(toString(l.amount), greatest(length(toString(l.amount)), toUInt32(assumeNotNull(decimals)) + 1), '0'), 1, length(leftPad(toString(l.amount), greatest(length(toString(l.amount)), toUInt32(assumeNotNull(decimals)) + 1), '0')) - assumeNotNull(decimals)), '.', right(leftPad(toString(l.amount), greatest(length(toString(l.amount)), toUInt32(assumeNotNull(decimals)) + 1), '0'), assumeNotNull(decimals)))), 18)) AS amount,
    l.amount AS amount_raw,
    l.token_id AS token_id,
    l.initiator AS initiator
FROM ledger_all AS l
LEFT JOIN
(
    SELECT
        network,
        native_symbol,
        native_decimals
    FROM networks
    FINAL
) AS n ON n.network = l.network
LEFT JOIN tokens_current AS t ON (t.network = l.network) AND (t.token = l.asset)
WHERE l.direction = -1;

CREATE VIEW transfers_usd
(
    `network` String COMMENT 'Network code, as in table networks',
    `block_number` UInt32 COMMENT 'Height of the block',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `block_hour` DateTime('UTC') COMMENT 'Beginning of the hour of the block',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `tx_hash` String COMMENT 'Hash of the transaction',
    `from_address` String COMMENT 'Account it moved from',
    `to_address` String COMMENT 'Account it moved to',
    `kind` LowCardinality(String) COMMENT 'native, internal (call inside a transaction), fungible, nft, multi or wrap',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `symbol` String COMMENT 'Symbol of the coin or token as stated; empty when unknown',
    `amount` Nullable(Decimal(76, 18)) COMMENT 'Amount in whole coins or tokens, as in transfers',
    `amount_raw` UInt256 COMMENT 'Exact amount in base units',
    `price_usd` Nullable(Float64) COMMENT 'US dollars of one whole coin in that hour (prices); NULL where nobody traded it then',
    `amount_usd` Nullable(Float64) COMMENT 'Amount in US dollars at the price of that hour; NULL where there is no price or the decimals are unknown',
    `token_id` UInt256 COMMENT 'Token id of nft and multi movements, else 0',
    `initiator` String COMMENT 'Sender of the transaction'
)
COMMENT 'Transfers with their value in US dollars, one row each. Put network and a range of block_hour into WHERE: prices of all other hours are then not computed. Without dollars, transfers is faster'
AS SELECT
    t.network AS network,
    t.block_number AS block_number,
    t.block_time AS block_time,
    t.block_hour AS block_hour,
    t.position AS position,
    t.tx_hash AS tx_hash,
    t.from_address AS from_address,
    t.to_address AS to_address,
    t.kind AS kind,
    t.asset AS asset,
    t.symbol AS symbol,
    t.amount AS amount,
    t.amount_raw AS amount_raw,
    if(p.network = '', NULL, p.price_usd) AS price_usd,
    toFloat64(t.amount) * if(p.network = '', NULL, p.price_usd) AS amount_usd,
    t.token_id AS token_id,
    t.initiator AS initiator
FROM
(
    SELECT
        * REPLACE (toString(network) AS network),
        toStartOfHour(block_time) AS block_hour
    FROM transfers
) AS t
LEFT JOIN prices AS p ON (p.network = t.network) AND (p.asset = t.asset) AND (p.hour = t.block_hour);

CREATE TABLE usage
(
    `day` Date COMMENT 'Day of the answers, UTC',
    `key` String COMMENT 'Id of the key',
    `operation` LowCardinality(String) COMMENT 'Operation',
    `status` UInt16 COMMENT 'HTTP status that the call was answered with',
    `calls` UInt64 COMMENT 'Calls'
)
ENGINE = SummingMergeTree
ORDER BY (key, day, operation, status)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'Calls by key, operation and day. Rows are sums that are added up: read with sum(calls)';

CREATE TABLE wallet_assets
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `amount_in` SimpleAggregateFunction(sum, UInt256) COMMENT 'Received, base units of the asset',
    `amount_out` SimpleAggregateFunction(sum, UInt256) COMMENT 'Sent, base units of the asset; amount_in - amount_out is the balance as far as movements show it (fees of the native coin apart)',
    `count_in` SimpleAggregateFunction(sum, UInt64) COMMENT 'Movements to the address',
    `count_out` SimpleAggregateFunction(sum, UInt64) COMMENT 'Movements from the address',
    `first_seen` SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first movement',
    `last_seen` SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last movement'
)
ENGINE = AggregatingMergeTree
PARTITION BY network
ORDER BY (network, address, asset)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Movements of each address in each fungible asset. Balances follow from them';

CREATE VIEW wallet_assets_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `amount_in` UInt256 COMMENT 'Received, base units of the asset',
    `amount_out` UInt256 COMMENT 'Sent, base units of the asset; amount_in - amount_out is the balance as far as movements show it (fees of the native coin apart)',
    `count_in` UInt64 COMMENT 'Movements to the address',
    `count_out` UInt64 COMMENT 'Movements from the address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'Movements of each address in each fungible asset, as of the newest block. Filter by network and address, or every row is merged'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.asset AS asset,
    sum(s.amount_in) AS amount_in,
    sum(s.amount_out) AS amount_out,
    sum(s.count_in) AS count_in,
    sum(s.count_out) AS count_out,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen
FROM
(
    SELECT
        network,
        address,
        asset,
        amount_in,
        amount_out,
        count_in,
        count_out,
        first_seen,
        last_seen
    FROM wallet_assets
    UNION ALL
    SELECT
        network,
        address,
        asset,
        amount_in,
        amount_out,
        count_in,
        count_out,
        first_seen,
        last_seen
    FROM wallet_assets_hot
) AS s
GROUP BY
    s.network,
    s.address,
    s.asset;

CREATE VIEW wallet_assets_fetched
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `amount_in` UInt256 COMMENT 'Received, base units of the asset',
    `amount_out` UInt256 COMMENT 'Sent, base units of the asset; amount_in - amount_out is the balance as far as movements show it (fees of the native coin apart)',
    `count_in` UInt64 COMMENT 'Movements to the address',
    `count_out` UInt64 COMMENT 'Movements from the address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'States of what was fetched of single wallets from before the first covered block, in the shape of wallet_assets'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    address,
    asset,
    sumIf(a.amount, direction = 1) AS amount_in,
    sumIf(a.amount, direction = -1) AS amount_out,
    countIf(direction = 1) AS count_in,
    countIf(direction = -1) AS count_out,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen
FROM ledger_past AS a
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)]))) AND (kind NOT IN ('nft', 'multi')) AND (address != '')
GROUP BY
    network,
    address,
    asset;

CREATE VIEW wallet_assets_final
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `amount_in` UInt256 COMMENT 'Received, base units of the asset',
    `amount_out` UInt256 COMMENT 'Sent, base units of the asset; amount_in - amount_out is the balance as far as movements show it (fees of the native coin apart)',
    `count_in` UInt64 COMMENT 'Movements to the address',
    `count_out` UInt64 COMMENT 'Movements from the address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'Movements of each address in each fungible asset, as of the newest final block: wallet_assets_all without hot rows, for half the cost'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.asset AS asset,
    sum(s.amount_in) AS amount_in,
    sum(s.amount_out) AS amount_out,
    sum(s.count_in) AS count_in,
    sum(s.count_out) AS count_out,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen
FROM wallet_assets AS s
GROUP BY
    s.network,
    s.address,
    s.asset;

CREATE MATERIALIZED VIEW wallet_assets_from_ledger TO wallet_assets
(
    `network` LowCardinality(String),
    `address` String,
    `asset` String,
    `amount_in` UInt256,
    `amount_out` UInt256,
    `count_in` UInt64,
    `count_out` UInt64,
    `first_seen` Nullable(DateTime('UTC')),
    `last_seen` Nullable(DateTime('UTC'))
)
AS SELECT
    network,
    address,
    asset,
    sumIf(a.amount, direction = 1) AS amount_in,
    sumIf(a.amount, direction = -1) AS amount_out,
    countIf(direction = 1) AS count_in,
    countIf(direction = -1) AS count_out,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen
FROM ledger AS a
WHERE (kind NOT IN ('nft', 'multi')) AND (address != '')
GROUP BY
    network,
    address,
    asset;

CREATE VIEW wallet_assets_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `amount_in` UInt256 COMMENT 'Received, base units of the asset',
    `amount_out` UInt256 COMMENT 'Sent, base units of the asset; amount_in - amount_out is the balance as far as movements show it (fees of the native coin apart)',
    `count_in` UInt64 COMMENT 'Movements to the address',
    `count_out` UInt64 COMMENT 'Movements from the address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'States of hot rows above the watermark, in the shape of wallet_assets'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    address,
    asset,
    sumIf(a.amount, direction = 1) AS amount_in,
    sumIf(a.amount, direction = -1) AS amount_out,
    countIf(direction = 1) AS count_in,
    countIf(direction = -1) AS count_out,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen
FROM ledger_hot AS a
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2)) AND (kind NOT IN ('nft', 'multi')) AND (address != '')
GROUP BY
    network,
    address,
    asset;

CREATE VIEW wallet_assets_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `asset` String COMMENT 'Token contract; empty for the native coin',
    `amount_in` UInt256 COMMENT 'Received, base units of the asset',
    `amount_out` UInt256 COMMENT 'Sent, base units of the asset; amount_in - amount_out is the balance as far as movements show it (fees of the native coin apart)',
    `count_in` UInt64 COMMENT 'Movements to the address',
    `count_out` UInt64 COMMENT 'Movements from the address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'Movements of each address in each fungible asset, as of the newest block, with what was fetched of single wallets from before the first covered block. Filter by network and address, or every row is merged'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.asset AS asset,
    sum(s.amount_in) AS amount_in,
    sum(s.amount_out) AS amount_out,
    sum(s.count_in) AS count_in,
    sum(s.count_out) AS count_out,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen
FROM
(
    SELECT
        network,
        address,
        asset,
        amount_in,
        amount_out,
        count_in,
        count_out,
        first_seen,
        last_seen
    FROM wallet_assets
    UNION ALL
    SELECT
        network,
        address,
        asset,
        amount_in,
        amount_out,
        count_in,
        count_out,
        first_seen,
        last_seen
    FROM wallet_assets_hot
    UNION ALL
    SELECT
        network,
        address,
        asset,
        amount_in,
        amount_out,
        count_in,
        count_out,
        first_seen,
        last_seen
    FROM wallet_assets_fetched
) AS s
GROUP BY
    s.network,
    s.address,
    s.asset;

CREATE VIEW wallet_counterparties
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `counterparty` String COMMENT 'The other address'
)
COMMENT 'Addresses each address had to do with, hot blocks included, any number of times each. Blocks that were undone or are incomplete are included, which makes it cheap: for finding addresses to look at, not for counting'
AS SELECT
    network,
    address,
    counterparty
FROM wallet_edges
UNION ALL
SELECT
    network,
    address,
    counterparty
FROM facts_hot;

CREATE TABLE wallet_edges
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `counterparty` String COMMENT 'The other party',
    `native_in_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'Native movements from the counterparty, internal calls included',
    `native_out_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'Native movements to the counterparty',
    `native_in` SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin from the counterparty, base units',
    `native_out` SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin to the counterparty, base units',
    `token_in_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'Token and NFT movements from the counterparty that were not of nothing',
    `token_out_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'Token and NFT movements to the counterparty that were not of nothing',
    `own` SimpleAggregateFunction(sum, UInt64) COMMENT 'Movements the address signed for itself',
    `first_seen` SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first movement',
    `last_seen` SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last movement'
)
ENGINE = AggregatingMergeTree
PARTITION BY network
ORDER BY (network, address, counterparty)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Value between each address and each counterparty. Wraps and self-transfers are left out';

CREATE VIEW wallet_edges_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `counterparty` String COMMENT 'The other party',
    `native_in_count` UInt64 COMMENT 'Native movements from the counterparty, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements to the counterparty',
    `native_in` UInt256 COMMENT 'Native coin from the counterparty, base units',
    `native_out` UInt256 COMMENT 'Native coin to the counterparty, base units',
    `token_in_count` UInt64 COMMENT 'Token and NFT movements from the counterparty that were not of nothing',
    `token_out_count` UInt64 COMMENT 'Token and NFT movements to the counterparty that were not of nothing',
    `own` UInt64 COMMENT 'Movements the address signed for itself',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'Value between each address and each counterparty, as of the newest block. Filter by network and address, or every row is merged'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.counterparty AS counterparty,
    sum(s.native_in_count) AS native_in_count,
    sum(s.native_out_count) AS native_out_count,
    sum(s.native_in) AS native_in,
    sum(s.native_out) AS native_out,
    sum(s.token_in_count) AS token_in_count,
    sum(s.token_out_count) AS token_out_count,
    sum(s.own) AS own,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen
FROM
(
    SELECT
        network,
        address,
        counterparty,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        token_in_count,
        token_out_count,
        own,
        first_seen,
        last_seen
    FROM wallet_edges
    UNION ALL
    SELECT
        network,
        address,
        counterparty,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        token_in_count,
        token_out_count,
        own,
        first_seen,
        last_seen
    FROM wallet_edges_hot
) AS s
GROUP BY
    s.network,
    s.address,
    s.counterparty;

CREATE VIEW wallet_edges_fetched
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `counterparty` String COMMENT 'The other party',
    `native_in_count` UInt64 COMMENT 'Native movements from the counterparty, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements to the counterparty',
    `native_in` UInt256 COMMENT 'Native coin from the counterparty, base units',
    `native_out` UInt256 COMMENT 'Native coin to the counterparty, base units',
    `token_in_count` UInt64 COMMENT 'Token and NFT movements from the counterparty that were not of nothing',
    `token_out_count` UInt64 COMMENT 'Token and NFT movements to the counterparty that were not of nothing',
    `own` UInt64 COMMENT 'Movements the address signed for itself',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'States of what was fetched of single wallets from before the first covered block, in the shape of wallet_edges'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    address,
    counterparty,
    countIf((kind IN ('native', 'internal')) AND (direction = 1)) AS native_in_count,
    countIf((kind IN ('native', 'internal')) AND (direction = -1)) AS native_out_count,
    sumIf(a.amount, (kind IN ('native', 'internal')) AND (direction = 1)) AS native_in,
    sumIf(a.amount, (kind IN ('native', 'internal')) AND (direction = -1)) AS native_out,
    countIf((kind IN ('fungible', 'nft', 'multi')) AND (direction = 1) AND ((a.amount > 0) OR (kind = 'nft'))) AS token_in_count,
    countIf((kind IN ('fungible', 'nft', 'multi')) AND (direction = -1) AND ((a.amount > 0) OR (kind = 'nft'))) AS token_out_count,
    countIf(initiator = address) AS own,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen
FROM ledger_past AS a
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)]))) AND (kind != 'wrap') AND (address != '') AND (counterparty NOT IN ('', address))
GROUP BY
    network,
    address,
    counterparty;

CREATE VIEW wallet_edges_final
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `counterparty` String COMMENT 'The other party',
    `native_in_count` UInt64 COMMENT 'Native movements from the counterparty, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements to the counterparty',
    `native_in` UInt256 COMMENT 'Native coin from the counterparty, base units',
    `native_out` UInt256 COMMENT 'Native coin to the counterparty, base units',
    `token_in_count` UInt64 COMMENT 'Token and NFT movements from the counterparty that were not of nothing',
    `token_out_count` UInt64 COMMENT 'Token and NFT movements to the counterparty that were not of nothing',
    `own` UInt64 COMMENT 'Movements the address signed for itself',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'Value between each address and each counterparty, as of the newest final block: wallet_edges_all without hot rows, for half the cost'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.counterparty AS counterparty,
    sum(s.native_in_count) AS native_in_count,
    sum(s.native_out_count) AS native_out_count,
    sum(s.native_in) AS native_in,
    sum(s.native_out) AS native_out,
    sum(s.token_in_count) AS token_in_count,
    sum(s.token_out_count) AS token_out_count,
    sum(s.own) AS own,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen
FROM wallet_edges AS s
GROUP BY
    s.network,
    s.address,
    s.counterparty;

CREATE MATERIALIZED VIEW wallet_edges_from_ledger TO wallet_edges
(
    `network` LowCardinality(String),
    `address` String,
    `counterparty` String,
    `native_in_count` UInt64,
    `native_out_count` UInt64,
    `native_in` UInt256,
    `native_out` UInt256,
    `token_in_count` UInt64,
    `token_out_count` UInt64,
    `own` UInt64,
    `first_seen` Nullable(DateTime('UTC')),
    `last_seen` Nullable(DateTime('UTC'))
)
AS SELECT
    network,
    address,
    counterparty,
    countIf((kind IN ('native', 'internal')) AND (direction = 1)) AS native_in_count,
    countIf((kind IN ('native', 'internal')) AND (direction = -1)) AS native_out_count,
    sumIf(a.amount, (kind IN ('native', 'internal')) AND (direction = 1)) AS native_in,
    sumIf(a.amount, (kind IN ('native', 'internal')) AND (direction = -1)) AS native_out,
    countIf((kind IN ('fungible', 'nft', 'multi')) AND (direction = 1) AND ((a.amount > 0) OR (kind = 'nft'))) AS token_in_count,
    countIf((kind IN ('fungible', 'nft', 'multi')) AND (direction = -1) AND ((a.amount > 0) OR (kind = 'nft'))) AS token_out_count,
    countIf(initiator = address) AS own,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen
FROM ledger AS a
WHERE (kind != 'wrap') AND (address != '') AND (counterparty NOT IN ('', address))
GROUP BY
    network,
    address,
    counterparty;

CREATE VIEW wallet_edges_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `counterparty` String COMMENT 'The other party',
    `native_in_count` UInt64 COMMENT 'Native movements from the counterparty, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements to the counterparty',
    `native_in` UInt256 COMMENT 'Native coin from the counterparty, base units',
    `native_out` UInt256 COMMENT 'Native coin to the counterparty, base units',
    `token_in_count` UInt64 COMMENT 'Token and NFT movements from the counterparty that were not of nothing',
    `token_out_count` UInt64 COMMENT 'Token and NFT movements to the counterparty that were not of nothing',
    `own` UInt64 COMMENT 'Movements the address signed for itself',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'States of hot rows above the watermark, in the shape of wallet_edges'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    address,
    counterparty,
    countIf((kind IN ('native', 'internal')) AND (direction = 1)) AS native_in_count,
    countIf((kind IN ('native', 'internal')) AND (direction = -1)) AS native_out_count,
    sumIf(a.amount, (kind IN ('native', 'internal')) AND (direction = 1)) AS native_in,
    sumIf(a.amount, (kind IN ('native', 'internal')) AND (direction = -1)) AS native_out,
    countIf((kind IN ('fungible', 'nft', 'multi')) AND (direction = 1) AND ((a.amount > 0) OR (kind = 'nft'))) AS token_in_count,
    countIf((kind IN ('fungible', 'nft', 'multi')) AND (direction = -1) AND ((a.amount > 0) OR (kind = 'nft'))) AS token_out_count,
    countIf(initiator = address) AS own,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen
FROM ledger_hot AS a
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2)) AND (kind != 'wrap') AND (address != '') AND (counterparty NOT IN ('', address))
GROUP BY
    network,
    address,
    counterparty;

CREATE VIEW wallet_edges_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `counterparty` String COMMENT 'The other party',
    `native_in_count` UInt64 COMMENT 'Native movements from the counterparty, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements to the counterparty',
    `native_in` UInt256 COMMENT 'Native coin from the counterparty, base units',
    `native_out` UInt256 COMMENT 'Native coin to the counterparty, base units',
    `token_in_count` UInt64 COMMENT 'Token and NFT movements from the counterparty that were not of nothing',
    `token_out_count` UInt64 COMMENT 'Token and NFT movements to the counterparty that were not of nothing',
    `own` UInt64 COMMENT 'Movements the address signed for itself',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first movement',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last movement'
)
COMMENT 'Value between each address and each counterparty, as of the newest block, with what was fetched of single wallets from before the first covered block. Filter by network and address, or every row is merged'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.counterparty AS counterparty,
    sum(s.native_in_count) AS native_in_count,
    sum(s.native_out_count) AS native_out_count,
    sum(s.native_in) AS native_in,
    sum(s.native_out) AS native_out,
    sum(s.token_in_count) AS token_in_count,
    sum(s.token_out_count) AS token_out_count,
    sum(s.own) AS own,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen
FROM
(
    SELECT
        network,
        address,
        counterparty,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        token_in_count,
        token_out_count,
        own,
        first_seen,
        last_seen
    FROM wallet_edges
    UNION ALL
    SELECT
        network,
        address,
        counterparty,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        token_in_count,
        token_out_count,
        own,
        first_seen,
        last_seen
    FROM wallet_edges_hot
    UNION ALL
    SELECT
        network,
        address,
        counterparty,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        token_in_count,
        token_out_count,
        own,
        first_seen,
        last_seen
    FROM wallet_edges_fetched
) AS s
GROUP BY
    s.network,
    s.address,
    s.counterparty;

CREATE TABLE wallet_facts
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Address the fact is about',
    `fact` LowCardinality(String) COMMENT 'sent, received (transactions); message (text in calldata, inscriptions left out); in, out (native, internal calls included); token_in, token_out; nft_in, nft_out; wrap_in, wrap_out; approve, revoke (as owner), approved (as spender); create (as root creator), created (the contract itself); lp_add, lp_remove; mixer (the pool), mixer_deposit, mixer_withdraw; delegate (EIP-7702 authority), delegated (the code); third_party_dust (signed a movement of nothing or of next to nothing between two others)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `counterparty` String COMMENT 'The other address of the fact; empty for none',
    `amount` UInt256 COMMENT 'Base units of whatever moved, else 0',
    `fee` UInt256 COMMENT 'Native fee paid with a sent transaction, base units, else 0',
    `own` UInt8 COMMENT '1 when the address signed the transaction',
    `failed` UInt8 COMMENT '1 when the transaction is known to have failed',
    `pulled` UInt8 COMMENT '1 when neither party of the movement signed the transaction'
)
ENGINE = `Null`
COMMENT 'What chain rows state about the addresses they name: the shape between tables and wallet features. Holds nothing';

CREATE MATERIALIZED VIEW wallet_facts_from_approvals TO wallet_facts
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8
)
AS SELECT
    network,
    if(fact = 'approved', spender, owner) AS address,
    fact,
    block_time,
    position,
    if(fact = 'approved', owner, spender) AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    initiator = address AS own,
    0 AS failed,
    0 AS pulled
FROM approvals AS a
ARRAY JOIN if((a.amount = 0) AND (kind != 'nft'), ['revoke'], ['approve', 'approved']) AS fact
WHERE (address != '') AND (NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart'));

CREATE MATERIALIZED VIEW wallet_facts_from_authority TO wallet_facts
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8
)
AS SELECT
    network,
    if(fact = 'mixer', authority, subject) AS address,
    fact,
    block_time,
    position,
    if(fact = 'mixer', subject, authority) AS counterparty,
    a.amount AS amount,
    toUInt256(0) AS fee,
    (fact != 'mixer') AND (actor = subject) AS own,
    0 AS failed,
    0 AS pulled
FROM authority AS a
ARRAY JOIN [toString(event), 'mixer'] AS fact
WHERE (event IN ('mixer_deposit', 'mixer_withdraw')) AND (address != '') AND (NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart'));

CREATE MATERIALIZED VIEW wallet_facts_from_creations TO wallet_facts
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8
)
AS SELECT
    network,
    if(fact = 'create', root_creator, contract) AS address,
    fact,
    block_time,
    position,
    if(fact = 'create', contract, root_creator) AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    fact = 'create' AS own,
    0 AS failed,
    0 AS pulled
FROM creations AS a
ARRAY JOIN ['create', 'created'] AS fact
WHERE (event = 'create') AND (address != '') AND (NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart'));

CREATE MATERIALIZED VIEW wallet_facts_from_delegations TO wallet_facts
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8
)
AS SELECT
    network,
    if(fact = 'delegate', authority, delegate) AS address,
    fact,
    block_time,
    position,
    if(fact = 'delegate', delegate, authority) AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    (fact = 'delegate') AND (initiator = authority) AS own,
    0 AS failed,
    0 AS pulled
FROM delegations AS a
ARRAY JOIN ['delegate', 'delegated'] AS fact
WHERE (address != '') AND (NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart'));

CREATE MATERIALIZED VIEW wallet_facts_from_ledger TO wallet_facts
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` Nullable(UInt8)
)
AS SELECT
    network,
    if(third_party, initiator, a.address) AS address,
    multiIf(third_party, 'third_party_dust', (kind IN ('native', 'internal')), if(direction = 1, 'in', 'out'), (kind IN ('nft', 'multi')), if(direction = 1, 'nft_in', 'nft_out'), kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'), if(direction = 1, 'token_in', 'token_out')) AS fact,
    block_time,
    position,
    if(third_party, a.address, a.counterparty) AS counterparty,
    if(third_party, 0, a.amount) AS amount,
    toUInt256(0) AS fee,
    third_party OR (initiator = a.address) AS own,
    0 AS failed,
    (NOT third_party) AND (initiator NOT IN (a.address, a.counterparty)) AS pulled
FROM ledger AS a
ARRAY JOIN if((kind = 'fungible') AND (direction = -1) AND (initiator NOT IN ('', a.address, a.counterparty)) AND (a.amount <= ((
        SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust))
        FROM networks AS n
        FINAL
    )[toString(network)])), [0, 1], [0]) AS third_party
WHERE (address != '') AND (NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart'));

CREATE MATERIALIZED VIEW wallet_facts_from_liquidity TO wallet_facts
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8
)
AS SELECT
    network,
    provider AS address,
    if(event = 'add', 'lp_add', 'lp_remove') AS fact,
    block_time,
    position,
    pool AS counterparty,
    toUInt256(0) AS amount,
    toUInt256(0) AS fee,
    1 AS own,
    0 AS failed,
    0 AS pulled
FROM liquidity AS a
WHERE (provider != '') AND (NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart'));

CREATE MATERIALIZED VIEW wallet_facts_from_transactions TO wallet_facts
(
    `network` LowCardinality(String),
    `address` String,
    `fact` String,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `counterparty` String,
    `amount` UInt256,
    `fee` UInt256,
    `own` UInt8,
    `failed` UInt8,
    `pulled` UInt8
)
AS SELECT
    network,
    if(fact = 'received', receiver, sender) AS address,
    fact,
    block_time,
    position,
    if(fact = 'received', sender, receiver) AS counterparty,
    if(fact = 'message', 0, value) AS amount,
    if(fact = 'sent', a.fee, 0) AS fee,
    (fact != 'received') OR (sender = receiver) AS own,
    status = 0 AS failed,
    0 AS pulled
FROM transactions AS a
ARRAY JOIN if((message = '') OR startsWith(message, 'data:'), ['sent', 'received'], ['sent', 'received', 'message']) AS fact
WHERE (address != '') AND (NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart'));

CREATE VIEW wallet_facts_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Address the fact is about',
    `fact` LowCardinality(String) COMMENT 'sent, received (transactions); message (text in calldata, inscriptions left out); in, out (native, internal calls included); token_in, token_out; nft_in, nft_out; wrap_in, wrap_out; approve, revoke (as owner), approved (as spender); create (as root creator), created (the contract itself); lp_add, lp_remove; mixer (the pool), mixer_deposit, mixer_withdraw; delegate (EIP-7702 authority), delegated (the code); third_party_dust (signed a movement of nothing or of next to nothing between two others)',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `counterparty` String COMMENT 'The other address of the fact; empty for none',
    `amount` UInt256 COMMENT 'Base units of whatever moved, else 0',
    `fee` UInt256 COMMENT 'Native fee paid with a sent transaction, base units, else 0',
    `own` UInt8 COMMENT '1 when the address signed the transaction',
    `failed` UInt8 COMMENT '1 when the transaction is known to have failed',
    `pulled` UInt8 COMMENT '1 when neither party of the movement signed the transaction'
)
COMMENT 'Facts of hot rows above the watermark: what final states do not hold yet'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    address,
    fact,
    block_time,
    position,
    counterparty,
    amount,
    fee,
    own,
    failed,
    pulled
FROM facts_hot
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2));

CREATE TABLE wallet_features
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `first_seen` SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first row about the address',
    `last_seen` SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last row about the address',
    `active_days` AggregateFunction(groupBitmap, UInt32) COMMENT 'Days (UTC) with a transaction of its own',
    `sent` SimpleAggregateFunction(sum, UInt64) COMMENT 'Transactions signed',
    `sent_failed` SimpleAggregateFunction(sum, UInt64) COMMENT 'Transactions signed that failed',
    `sent_zero` SimpleAggregateFunction(sum, UInt64) COMMENT 'Transactions signed that carried no native coin',
    `sent_first` SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first transaction signed',
    `sent_last` SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last transaction signed',
    `sent_last_position` SimpleAggregateFunction(max, Nullable(UInt64)) COMMENT 'Position of the last transaction signed',
    `sent_max` SimpleAggregateFunction(max, Nullable(UInt256)) COMMENT 'Largest value of a transaction signed, base units',
    `sent_total` SimpleAggregateFunction(sum, UInt256) COMMENT 'Value of all transactions signed, base units',
    `fees` SimpleAggregateFunction(sum, UInt256) COMMENT 'Fees paid, base units of the native coin',
    `sent_to` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct receivers of its transactions; all that create a contract count as one',
    `received` SimpleAggregateFunction(sum, UInt64) COMMENT 'Transactions that name it as receiver',
    `received_from` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct senders of transactions to it',
    `paid` SimpleAggregateFunction(sum, UInt64) COMMENT 'Transactions to it that carried native coin of at least native_dust (table networks)',
    `paid_first` SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first of those',
    `paid_last` SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last of those',
    `paid_max` SimpleAggregateFunction(max, Nullable(UInt256)) COMMENT 'Largest value of those, base units',
    `paid_total` SimpleAggregateFunction(sum, UInt256) COMMENT 'Value of all of those, base units',
    `payers` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct senders of those',
    `native_in_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'Native movements to it, internal calls included',
    `native_out_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'Native movements from it, internal calls included',
    `native_in` SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin received, internal calls included, base units',
    `native_out` SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin sent, internal calls included, base units',
    `in_counterparties` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties value came from',
    `out_counterparties` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties value went to',
    `funded` SimpleAggregateFunction(min, Tuple(
        UInt64,
        String)) DEFAULT (18446744073709551615, '') COMMENT 'Position and sender of the first native coin received that was more than dust; the largest position and the empty string when none came',
    `native_paid` SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin received in movements of more than dust, internal calls included, base units',
    `in_partners` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties that sent it native coin of more than dust, or signed for tokens they sent it',
    `out_partners` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties it sent native coin of more than dust, or tokens it signed for',
    `token_in_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'Fungible movements to it',
    `token_out_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'Fungible movements from it',
    `token_out_own` SimpleAggregateFunction(sum, UInt64) COMMENT 'Fungible movements from it that it signed for',
    `token_zero` SimpleAggregateFunction(sum, UInt64) COMMENT 'Fungible movements of nothing',
    `nft_in_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'NFT movements to it',
    `nft_out_count` SimpleAggregateFunction(sum, UInt64) COMMENT 'NFT movements from it',
    `approvals_given` SimpleAggregateFunction(sum, UInt64) COMMENT 'Approvals it gave',
    `approvals_revoked` SimpleAggregateFunction(sum, UInt64) COMMENT 'Approvals it took back',
    `approvals_received` SimpleAggregateFunction(sum, UInt64) COMMENT 'Approvals others gave to it',
    `approvers` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct owners who approved it',
    `contracts_created` SimpleAggregateFunction(sum, UInt64) COMMENT 'Contracts that go back to it',
    `created` SimpleAggregateFunction(sum, UInt64) COMMENT 'Times a contract was created at this address; above 0 it is a contract',
    `lp_adds` SimpleAggregateFunction(sum, UInt64) COMMENT 'Liquidity additions it signed',
    `lp_removes` SimpleAggregateFunction(sum, UInt64) COMMENT 'Liquidity removals it signed',
    `mixer_events` SimpleAggregateFunction(sum, UInt64) COMMENT 'Deposits and withdrawals it emitted: above 0 it is a mixer pool',
    `mixer_deposits` SimpleAggregateFunction(sum, UInt64) COMMENT 'Mixer deposits it made',
    `mixer_withdrawals` SimpleAggregateFunction(sum, UInt64) COMMENT 'Mixer withdrawals it was paid',
    `mixer_withdrawals_own` SimpleAggregateFunction(sum, UInt64) COMMENT 'Those it signed itself',
    `delegations` SimpleAggregateFunction(sum, UInt64) COMMENT 'EIP-7702 authorizations it gave',
    `delegators` SimpleAggregateFunction(sum, UInt64) COMMENT 'EIP-7702 authorizations that name it as code',
    `messages` SimpleAggregateFunction(sum, UInt64) COMMENT 'Transactions signed whose calldata is text, inscriptions left out',
    `pulled_in` SimpleAggregateFunction(sum, UInt64) COMMENT 'Movements of something to it that neither party signed',
    `token_dust_out` SimpleAggregateFunction(sum, UInt64) COMMENT 'Fungible movements from it of at most token_dust (table networks) base units',
    `third_party_dust` SimpleAggregateFunction(sum, UInt64) COMMENT 'Movements of nothing or of dust between two others that it signed'
)
ENGINE = AggregatingMergeTree
PARTITION BY network
ORDER BY (network, address)
SETTINGS index_granularity = 128, min_bytes_for_wide_part = 1073741824, non_replicated_deduplication_window = 70000
COMMENT 'Aggregation states of each address over final rows. Merge with min, max, sum, groupBitmapMerge and uniqCombined64Merge(12), grouped by network and address; wallet_features_all does';

CREATE VIEW wallet_features_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first row about the address',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last row about the address',
    `active_days` UInt32 COMMENT 'Days (UTC) with a transaction of its own',
    `sent` UInt64 COMMENT 'Transactions signed',
    `sent_failed` UInt64 COMMENT 'Transactions signed that failed',
    `sent_zero` UInt64 COMMENT 'Transactions signed that carried no native coin',
    `sent_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first transaction signed',
    `sent_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last transaction signed',
    `sent_last_position` Nullable(UInt64) COMMENT 'Position of the last transaction signed',
    `sent_max` Nullable(UInt256) COMMENT 'Largest value of a transaction signed, base units',
    `sent_total` UInt256 COMMENT 'Value of all transactions signed, base units',
    `fees` UInt256 COMMENT 'Fees paid, base units of the native coin',
    `sent_to` UInt64 COMMENT 'Distinct receivers of its transactions; all that create a contract count as one',
    `received` UInt64 COMMENT 'Transactions that name it as receiver',
    `received_from` UInt64 COMMENT 'Distinct senders of transactions to it',
    `paid` UInt64 COMMENT 'Transactions to it that carried native coin of at least native_dust (table networks)',
    `paid_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first of those',
    `paid_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last of those',
    `paid_max` Nullable(UInt256) COMMENT 'Largest value of those, base units',
    `paid_total` UInt256 COMMENT 'Value of all of those, base units',
    `payers` UInt64 COMMENT 'Distinct senders of those',
    `native_in_count` UInt64 COMMENT 'Native movements to it, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements from it, internal calls included',
    `native_in` UInt256 COMMENT 'Native coin received, internal calls included, base units',
    `native_out` UInt256 COMMENT 'Native coin sent, internal calls included, base units',
    `in_counterparties` UInt64 COMMENT 'Distinct parties value came from',
    `out_counterparties` UInt64 COMMENT 'Distinct parties value went to',
    `funder` String COMMENT 'Sender of the first native coin received that was more than dust; empty when none came',
    `native_paid` UInt256 COMMENT 'Native coin received in movements of more than dust, internal calls included, base units',
    `in_partners` UInt64 COMMENT 'Distinct parties that sent it native coin of more than dust, or signed for tokens they sent it',
    `out_partners` UInt64 COMMENT 'Distinct parties it sent native coin of more than dust, or tokens it signed for',
    `token_in_count` UInt64 COMMENT 'Fungible movements to it',
    `token_out_count` UInt64 COMMENT 'Fungible movements from it',
    `token_out_own` UInt64 COMMENT 'Fungible movements from it that it signed for',
    `token_zero` UInt64 COMMENT 'Fungible movements of nothing',
    `nft_in_count` UInt64 COMMENT 'NFT movements to it',
    `nft_out_count` UInt64 COMMENT 'NFT movements from it',
    `approvals_given` UInt64 COMMENT 'Approvals it gave',
    `approvals_revoked` UInt64 COMMENT 'Approvals it took back',
    `approvals_received` UInt64 COMMENT 'Approvals others gave to it',
    `approvers` UInt64 COMMENT 'Distinct owners who approved it',
    `contracts_created` UInt64 COMMENT 'Contracts that go back to it',
    `created` UInt64 COMMENT 'Times a contract was created at this address; above 0 it is a contract',
    `lp_adds` UInt64 COMMENT 'Liquidity additions it signed',
    `lp_removes` UInt64 COMMENT 'Liquidity removals it signed',
    `mixer_events` UInt64 COMMENT 'Deposits and withdrawals it emitted: above 0 it is a mixer pool',
    `mixer_deposits` UInt64 COMMENT 'Mixer deposits it made',
    `mixer_withdrawals` UInt64 COMMENT 'Mixer withdrawals it was paid',
    `mixer_withdrawals_own` UInt64 COMMENT 'Those it signed itself',
    `delegations` UInt64 COMMENT 'EIP-7702 authorizations it gave',
    `delegators` UInt64 COMMENT 'EIP-7702 authorizations that name it as code',
    `messages` UInt64 COMMENT 'Transactions signed whose calldata is text, inscriptions left out',
    `pulled_in` UInt64 COMMENT 'Movements of something to it that neither party signed',
    `token_dust_out` UInt64 COMMENT 'Fungible movements from it of at most token_dust (table networks) base units',
    `third_party_dust` UInt64 COMMENT 'Movements of nothing or of dust between two others that it signed'
)
COMMENT 'Features of each address, as of the newest block. Filter by network and address, or every row is merged'
AS SELECT
    s.network AS network,
    s.address AS address,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen,
    groupBitmapMerge(s.active_days) AS active_days,
    sum(s.sent) AS sent,
    sum(s.sent_failed) AS sent_failed,
    sum(s.sent_zero) AS sent_zero,
    min(s.sent_first) AS sent_first,
    max(s.sent_last) AS sent_last,
    max(s.sent_last_position) AS sent_last_position,
    max(s.sent_max) AS sent_max,
    sum(s.sent_total) AS sent_total,
    sum(s.fees) AS fees,
    uniqCombined64Merge(12)(s.sent_to) AS sent_to,
    sum(s.received) AS received,
    uniqCombined64Merge(12)(s.received_from) AS received_from,
    sum(s.paid) AS paid,
    min(s.paid_first) AS paid_first,
    max(s.paid_last) AS paid_last,
    max(s.paid_max) AS paid_max,
    sum(s.paid_total) AS paid_total,
    uniqCombined64Merge(12)(s.payers) AS payers,
    sum(s.native_in_count) AS native_in_count,
    sum(s.native_out_count) AS native_out_count,
    sum(s.native_in) AS native_in,
    sum(s.native_out) AS native_out,
    uniqCombined64Merge(12)(s.in_counterparties) AS in_counterparties,
    uniqCombined64Merge(12)(s.out_counterparties) AS out_counterparties,
    (min(s.funded)).2 AS funder,
    sum(s.native_paid) AS native_paid,
    uniqCombined64Merge(12)(s.in_partners) AS in_partners,
    uniqCombined64Merge(12)(s.out_partners) AS out_partners,
    sum(s.token_in_count) AS token_in_count,
    sum(s.token_out_count) AS token_out_count,
    sum(s.token_out_own) AS token_out_own,
    sum(s.token_zero) AS token_zero,
    sum(s.nft_in_count) AS nft_in_count,
    sum(s.nft_out_count) AS nft_out_count,
    sum(s.approvals_given) AS approvals_given,
    sum(s.approvals_revoked) AS approvals_revoked,
    sum(s.approvals_received) AS approvals_received,
    uniqCombined64Merge(12)(s.approvers) AS approvers,
    sum(s.contracts_created) AS contracts_created,
    sum(s.created) AS created,
    sum(s.lp_adds) AS lp_adds,
    sum(s.lp_removes) AS lp_removes,
    sum(s.mixer_events) AS mixer_events,
    sum(s.mixer_deposits) AS mixer_deposits,
    sum(s.mixer_withdrawals) AS mixer_withdrawals,
    sum(s.mixer_withdrawals_own) AS mixer_withdrawals_own,
    sum(s.delegations) AS delegations,
    sum(s.delegators) AS delegators,
    sum(s.messages) AS messages,
    sum(s.pulled_in) AS pulled_in,
    sum(s.token_dust_out) AS token_dust_out,
    sum(s.third_party_dust) AS third_party_dust
FROM
(
    SELECT
        network,
        address,
        first_seen,
        last_seen,
        active_days,
        sent,
        sent_failed,
        sent_zero,
        sent_first,
        sent_last,
        sent_last_position,
        sent_max,
        sent_total,
        fees,
        sent_to,
        received,
        received_from,
        paid,
        paid_first,
        paid_last,
        paid_max,
        paid_total,
        payers,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        in_counterparties,
        out_counterparties,
        funded,
        native_paid,
        in_partners,
        out_partners,
        token_in_count,
        token_out_count,
        token_out_own,
        token_zero,
        nft_in_count,
        nft_out_count,
        approvals_given,
        approvals_revoked,
        approvals_received,
        approvers,
        contracts_created,
        created,
        lp_adds,
        lp_removes,
        mixer_events,
        mixer_deposits,
        mixer_withdrawals,
        mixer_withdrawals_own,
        delegations,
        delegators,
        messages,
        pulled_in,
        token_dust_out,
        third_party_dust
    FROM wallet_features
    UNION ALL
    SELECT
        network,
        address,
        first_seen,
        last_seen,
        active_days,
        sent,
        sent_failed,
        sent_zero,
        sent_first,
        sent_last,
        sent_last_position,
        sent_max,
        sent_total,
        fees,
        sent_to,
        received,
        received_from,
        paid,
        paid_first,
        paid_last,
        paid_max,
        paid_total,
        payers,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        in_counterparties,
        out_counterparties,
        funded,
        native_paid,
        in_partners,
        out_partners,
        token_in_count,
        token_out_count,
        token_out_own,
        token_zero,
        nft_in_count,
        nft_out_count,
        approvals_given,
        approvals_revoked,
        approvals_received,
        approvers,
        contracts_created,
        created,
        lp_adds,
        lp_removes,
        mixer_events,
        mixer_deposits,
        mixer_withdrawals,
        mixer_withdrawals_own,
        delegations,
        delegators,
        messages,
        pulled_in,
        token_dust_out,
        third_party_dust
    FROM wallet_features_hot
) AS s
GROUP BY
    s.network,
    s.address;

CREATE VIEW wallet_features_fetched
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first row about the address',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last row about the address',
    `active_days` AggregateFunction(groupBitmap, UInt32) COMMENT 'Days (UTC) with a transaction of its own',
    `sent` UInt64 COMMENT 'Transactions signed',
    `sent_failed` UInt64 COMMENT 'Transactions signed that failed',
    `sent_zero` UInt64 COMMENT 'Transactions signed that carried no native coin',
    `sent_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first transaction signed',
    `sent_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last transaction signed',
    `sent_last_position` Nullable(UInt64) COMMENT 'Position of the last transaction signed',
    `sent_max` Nullable(UInt256) COMMENT 'Largest value of a transaction signed, base units',
    `sent_total` UInt256 COMMENT 'Value of all transactions signed, base units',
    `fees` UInt256 COMMENT 'Fees paid, base units of the native coin',
    `sent_to` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct receivers of its transactions; all that create a contract count as one',
    `received` UInt64 COMMENT 'Transactions that name it as receiver',
    `received_from` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct senders of transactions to it',
    `paid` UInt64 COMMENT 'Transactions to it that carried native coin of at least native_dust (table networks)',
    `paid_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first of those',
    `paid_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last of those',
    `paid_max` Nullable(UInt256) COMMENT 'Largest value of those, base units',
    `paid_total` UInt256 COMMENT 'Value of all of those, base units',
    `payers` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct senders of those',
    `native_in_count` UInt64 COMMENT 'Native movements to it, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements from it, internal calls included',
    `native_in` UInt256 COMMENT 'Native coin received, internal calls included, base units',
    `native_out` UInt256 COMMENT 'Native coin sent, internal calls included, base units',
    `in_counterparties` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties value came from',
    `out_counterparties` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties value went to',
    `funded` Tuple(
        UInt64,
        String) COMMENT 'Position and sender of the first native coin received that was more than dust; the largest position and the empty string when none came',
    `native_paid` UInt256 COMMENT 'Native coin received in movements of more than dust, internal calls included, base units',
    `in_partners` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties that sent it native coin of more than dust, or signed for tokens they sent it',
    `out_partners` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties it sent native coin of more than dust, or tokens it signed for',
    `token_in_count` UInt64 COMMENT 'Fungible movements to it',
    `token_out_count` UInt64 COMMENT 'Fungible movements from it',
    `token_out_own` UInt64 COMMENT 'Fungible movements from it that it signed for',
    `token_zero` UInt64 COMMENT 'Fungible movements of nothing',
    `nft_in_count` UInt64 COMMENT 'NFT movements to it',
    `nft_out_count` UInt64 COMMENT 'NFT movements from it',
    `approvals_given` UInt64 COMMENT 'Approvals it gave',
    `approvals_revoked` UInt64 COMMENT 'Approvals it took back',
    `approvals_received` UInt64 COMMENT 'Approvals others gave to it',
    `approvers` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct owners who approved it',
    `contracts_created` UInt64 COMMENT 'Contracts that go back to it',
    `created` UInt64 COMMENT 'Times a contract was created at this address; above 0 it is a contract',
    `lp_adds` UInt64 COMMENT 'Liquidity additions it signed',
    `lp_removes` UInt64 COMMENT 'Liquidity removals it signed',
    `mixer_events` UInt64 COMMENT 'Deposits and withdrawals it emitted: above 0 it is a mixer pool',
    `mixer_deposits` UInt64 COMMENT 'Mixer deposits it made',
    `mixer_withdrawals` UInt64 COMMENT 'Mixer withdrawals it was paid',
    `mixer_withdrawals_own` UInt64 COMMENT 'Those it signed itself',
    `delegations` UInt64 COMMENT 'EIP-7702 authorizations it gave',
    `delegators` UInt64 COMMENT 'EIP-7702 authorizations that name it as code',
    `messages` UInt64 COMMENT 'Transactions signed whose calldata is text, inscriptions left out',
    `pulled_in` UInt64 COMMENT 'Movements of something to it that neither party signed',
    `token_dust_out` UInt64 COMMENT 'Fungible movements from it of at most token_dust (table networks) base units',
    `third_party_dust` UInt64 COMMENT 'Movements of nothing or of dust between two others that it signed'
)
COMMENT 'States of what was fetched of single wallets from before the first covered block, in the shape of wallet_features'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of,
    (
        SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.native_dust))
        FROM networks AS n
        FINAL
    )[toString(network)] AS dust,
    (
        SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust))
        FROM networks AS n
        FINAL
    )[toString(network)] AS token_dust,
    (fact = 'received') AND (amount >= dust) AS above_dust
SELECT
    network,
    address,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen,
    groupBitmapIfState(toUInt32(toRelativeDayNum(block_time)), fact = 'sent') AS active_days,
    countIf(fact = 'sent') AS sent,
    countIf((fact = 'sent') AND failed) AS sent_failed,
    countIf((fact = 'sent') AND (amount = 0)) AS sent_zero,
    min(if(fact = 'sent', block_time, NULL)) AS sent_first,
    max(if(fact = 'sent', block_time, NULL)) AS sent_last,
    max(if(fact = 'sent', position, NULL)) AS sent_last_position,
    max(if(fact = 'sent', amount, NULL)) AS sent_max,
    sumIf(amount, fact = 'sent') AS sent_total,
    sumIf(fee, fact = 'sent') AS fees,
    uniqCombined64IfState(12)(counterparty, fact = 'sent') AS sent_to,
    countIf(fact = 'received') AS received,
    uniqCombined64IfState(12)(counterparty, fact = 'received') AS received_from,
    countIf(above_dust) AS paid,
    min(if(above_dust, block_time, NULL)) AS paid_first,
    max(if(above_dust, block_time, NULL)) AS paid_last,
    max(if(above_dust, amount, NULL)) AS paid_max,
    sumIf(amount, above_dust) AS paid_total,
    uniqCombined64IfState(12)(counterparty, above_dust) AS payers,
    countIf(fact = 'in') AS native_in_count,
    countIf(fact = 'out') AS native_out_count,
    sumIf(amount, fact = 'in') AS native_in,
    sumIf(amount, fact = 'out') AS native_out,
    uniqCombined64IfState(12)(counterparty, (fact IN ('in', 'token_in')) AND (counterparty != '') AND (counterparty != address)) AS in_counterparties,
    uniqCombined64IfState(12)(counterparty, (fact IN ('out', 'token_out')) AND (counterparty != '') AND (counterparty != address)) AS out_counterparties,
    min(if((fact = 'in') AND (amount >= dust) AND (counterparty != '') AND (counterparty != address), (position, counterparty), (18446744073709551615, ''))) AS funded,
    sumIf(amount, (fact = 'in') AND (amount >= dust)) AS native_paid,
    uniqCombined64IfState(12)(counterparty, (counterparty != '') AND (counterparty != address) AND (((fact = 'in') AND (amount >= dust)) OR ((fact = 'token_in') AND (amount > 0) AND (NOT own) AND (NOT assumeNotNull(pulled))))) AS in_partners,
    uniqCombined64IfState(12)(counterparty, (counterparty != '') AND (counterparty != address) AND (((fact = 'out') AND (amount >= dust)) OR ((fact = 'token_out') AND (amount > 0) AND own))) AS out_partners,
    countIf(fact = 'token_in') AS token_in_count,
    countIf(fact = 'token_out') AS token_out_count,
    countIf((fact = 'token_out') AND own) AS token_out_own,
    countIf((fact IN ('token_in', 'token_out')) AND (amount = 0)) AS token_zero,
    countIf(fact = 'nft_in') AS nft_in_count,
    countIf(fact = 'nft_out') AS nft_out_count,
    countIf(fact = 'approve') AS approvals_given,
    countIf(fact = 'revoke') AS approvals_revoked,
    countIf(fact = 'approved') AS approvals_received,
    uniqCombined64IfState(12)(counterparty, (fact = 'approved') AND (counterparty != address)) AS approvers,
    countIf(fact = 'create') AS contracts_created,
    countIf(fact = 'created') AS created,
    countIf(fact = 'lp_add') AS lp_adds,
    countIf(fact = 'lp_remove') AS lp_removes,
    countIf(fact = 'mixer') AS mixer_events,
    countIf(fact = 'mixer_deposit') AS mixer_deposits,
    countIf(fact = 'mixer_withdraw') AS mixer_withdrawals,
    countIf((fact = 'mixer_withdraw') AND own) AS mixer_withdrawals_own,
    countIf(fact = 'delegate') AS delegations,
    countIf(fact = 'delegated') AS delegators,
    countIf(fact = 'message') AS messages,
    countIf((fact IN ('in', 'token_in', 'nft_in')) AND pulled AND ((amount > 0) OR (fact = 'nft_in'))) AS pulled_in,
    countIf((fact = 'token_out') AND (amount <= token_dust)) AS token_dust_out,
    countIf(fact = 'third_party_dust') AS third_party_dust
FROM facts_past AS a
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)])))
GROUP BY
    network,
    address;

CREATE VIEW wallet_features_final
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first row about the address',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last row about the address',
    `active_days` UInt32 COMMENT 'Days (UTC) with a transaction of its own',
    `sent` UInt64 COMMENT 'Transactions signed',
    `sent_failed` UInt64 COMMENT 'Transactions signed that failed',
    `sent_zero` UInt64 COMMENT 'Transactions signed that carried no native coin',
    `sent_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first transaction signed',
    `sent_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last transaction signed',
    `sent_last_position` Nullable(UInt64) COMMENT 'Position of the last transaction signed',
    `sent_max` Nullable(UInt256) COMMENT 'Largest value of a transaction signed, base units',
    `sent_total` UInt256 COMMENT 'Value of all transactions signed, base units',
    `fees` UInt256 COMMENT 'Fees paid, base units of the native coin',
    `sent_to` UInt64 COMMENT 'Distinct receivers of its transactions; all that create a contract count as one',
    `received` UInt64 COMMENT 'Transactions that name it as receiver',
    `received_from` UInt64 COMMENT 'Distinct senders of transactions to it',
    `paid` UInt64 COMMENT 'Transactions to it that carried native coin of at least native_dust (table networks)',
    `paid_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first of those',
    `paid_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last of those',
    `paid_max` Nullable(UInt256) COMMENT 'Largest value of those, base units',
    `paid_total` UInt256 COMMENT 'Value of all of those, base units',
    `payers` UInt64 COMMENT 'Distinct senders of those',
    `native_in_count` UInt64 COMMENT 'Native movements to it, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements from it, internal calls included',
    `native_in` UInt256 COMMENT 'Native coin received, internal calls included, base units',
    `native_out` UInt256 COMMENT 'Native coin sent, internal calls included, base units',
    `in_counterparties` UInt64 COMMENT 'Distinct parties value came from',
    `out_counterparties` UInt64 COMMENT 'Distinct parties value went to',
    `funder` String COMMENT 'Sender of the first native coin received that was more than dust; empty when none came',
    `native_paid` UInt256 COMMENT 'Native coin received in movements of more than dust, internal calls included, base units',
    `in_partners` UInt64 COMMENT 'Distinct parties that sent it native coin of more than dust, or signed for tokens they sent it',
    `out_partners` UInt64 COMMENT 'Distinct parties it sent native coin of more than dust, or tokens it signed for',
    `token_in_count` UInt64 COMMENT 'Fungible movements to it',
    `token_out_count` UInt64 COMMENT 'Fungible movements from it',
    `token_out_own` UInt64 COMMENT 'Fungible movements from it that it signed for',
    `token_zero` UInt64 COMMENT 'Fungible movements of nothing',
    `nft_in_count` UInt64 COMMENT 'NFT movements to it',
    `nft_out_count` UInt64 COMMENT 'NFT movements from it',
    `approvals_given` UInt64 COMMENT 'Approvals it gave',
    `approvals_revoked` UInt64 COMMENT 'Approvals it took back',
    `approvals_received` UInt64 COMMENT 'Approvals others gave to it',
    `approvers` UInt64 COMMENT 'Distinct owners who approved it',
    `contracts_created` UInt64 COMMENT 'Contracts that go back to it',
    `created` UInt64 COMMENT 'Times a contract was created at this address; above 0 it is a contract',
    `lp_adds` UInt64 COMMENT 'Liquidity additions it signed',
    `lp_removes` UInt64 COMMENT 'Liquidity removals it signed',
    `mixer_events` UInt64 COMMENT 'Deposits and withdrawals it emitted: above 0 it is a mixer pool',
    `mixer_deposits` UInt64 COMMENT 'Mixer deposits it made',
    `mixer_withdrawals` UInt64 COMMENT 'Mixer withdrawals it was paid',
    `mixer_withdrawals_own` UInt64 COMMENT 'Those it signed itself',
    `delegations` UInt64 COMMENT 'EIP-7702 authorizations it gave',
    `delegators` UInt64 COMMENT 'EIP-7702 authorizations that name it as code',
    `messages` UInt64 COMMENT 'Transactions signed whose calldata is text, inscriptions left out',
    `pulled_in` UInt64 COMMENT 'Movements of something to it that neither party signed',
    `token_dust_out` UInt64 COMMENT 'Fungible movements from it of at most token_dust (table networks) base units',
    `third_party_dust` UInt64 COMMENT 'Movements of nothing or of dust between two others that it signed'
)
COMMENT 'Features of each address, as of the newest final block: wallet_features_all without hot rows, for half the cost'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.first_seen AS first_seen,
    s.last_seen AS last_seen,
    finalizeAggregation(s.active_days) AS active_days,
    s.sent AS sent,
    s.sent_failed AS sent_failed,
    s.sent_zero AS sent_zero,
    s.sent_first AS sent_first,
    s.sent_last AS sent_last,
    s.sent_last_position AS sent_last_position,
    s.sent_max AS sent_max,
    s.sent_total AS sent_total,
    s.fees AS fees,
    finalizeAggregation(s.sent_to) AS sent_to,
    s.received AS received,
    finalizeAggregation(s.received_from) AS received_from,
    s.paid AS paid,
    s.paid_first AS paid_first,
    s.paid_last AS paid_last,
    s.paid_max AS paid_max,
    s.paid_total AS paid_total,
    finalizeAggregation(s.payers) AS payers,
    s.native_in_count AS native_in_count,
    s.native_out_count AS native_out_count,
    s.native_in AS native_in,
    s.native_out AS native_out,
    finalizeAggregation(s.in_counterparties) AS in_counterparties,
    finalizeAggregation(s.out_counterparties) AS out_counterparties,
    s.funded.2 AS funder,
    s.native_paid AS native_paid,
    finalizeAggregation(s.in_partners) AS in_partners,
    finalizeAggregation(s.out_partners) AS out_partners,
    s.token_in_count AS token_in_count,
    s.token_out_count AS token_out_count,
    s.token_out_own AS token_out_own,
    s.token_zero AS token_zero,
    s.nft_in_count AS nft_in_count,
    s.nft_out_count AS nft_out_count,
    s.approvals_given AS approvals_given,
    s.approvals_revoked AS approvals_revoked,
    s.approvals_received AS approvals_received,
    finalizeAggregation(s.approvers) AS approvers,
    s.contracts_created AS contracts_created,
    s.created AS created,
    s.lp_adds AS lp_adds,
    s.lp_removes AS lp_removes,
    s.mixer_events AS mixer_events,
    s.mixer_deposits AS mixer_deposits,
    s.mixer_withdrawals AS mixer_withdrawals,
    s.mixer_withdrawals_own AS mixer_withdrawals_own,
    s.delegations AS delegations,
    s.delegators AS delegators,
    s.messages AS messages,
    s.pulled_in AS pulled_in,
    s.token_dust_out AS token_dust_out,
    s.third_party_dust AS third_party_dust
FROM wallet_features AS s
FINAL;

CREATE MATERIALIZED VIEW wallet_features_from_wallet_facts TO wallet_features
(
    `network` LowCardinality(String),
    `address` String,
    `first_seen` Nullable(DateTime('UTC')),
    `last_seen` Nullable(DateTime('UTC')),
    `active_days` AggregateFunction(groupBitmapIf, UInt32, UInt8),
    `sent` UInt64,
    `sent_failed` UInt64,
    `sent_zero` UInt64,
    `sent_first` Nullable(DateTime('UTC')),
    `sent_last` Nullable(DateTime('UTC')),
    `sent_last_position` Nullable(UInt64),
    `sent_max` Nullable(UInt256),
    `sent_total` UInt256,
    `fees` UInt256,
    `sent_to` AggregateFunction(uniqCombined64If(12), String, UInt8),
    `received` UInt64,
    `received_from` AggregateFunction(uniqCombined64If(12), String, UInt8),
    `paid` UInt64,
    `paid_first` Nullable(DateTime('UTC')),
    `paid_last` Nullable(DateTime('UTC')),
    `paid_max` Nullable(UInt256),
    `paid_total` UInt256,
    `payers` AggregateFunction(uniqCombined64If(12), String, UInt8),
    `native_in_count` UInt64,
    `native_out_count` UInt64,
    `native_in` UInt256,
    `native_out` UInt256,
    `in_counterparties` AggregateFunction(uniqCombined64If(12), String, UInt8),
    `out_counterparties` AggregateFunction(uniqCombined64If(12), String, UInt8),
    `funded` Tuple(
        UInt64,
        String),
    `native_paid` UInt256,
    `in_partners` AggregateFunction(uniqCombined64If(12), String, UInt8),
    `out_partners` AggregateFunction(uniqCombined64If(12), String, UInt8),
    `token_in_count` UInt64,
    `token_out_count` UInt64,
    `token_out_own` UInt64,
    `token_zero` UInt64,
    `nft_in_count` UInt64,
    `nft_out_count` UInt64,
    `approvals_given` UInt64,
    `approvals_revoked` UInt64,
    `approvals_received` UInt64,
    `approvers` AggregateFunction(uniqCombined64If(12), String, UInt8),
    `contracts_created` UInt64,
    `created` UInt64,
    `lp_adds` UInt64,
    `lp_removes` UInt64,
    `mixer_events` UInt64,
    `mixer_deposits` UInt64,
    `mixer_withdrawals` UInt64,
    `mixer_withdrawals_own` UInt64,
    `delegations` UInt64,
    `delegators` UInt64,
    `messages` UInt64,
    `pulled_in` UInt64,
    `token_dust_out` UInt64,
    `third_party_dust` UInt64
)
AS WITH
    (
        SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.native_dust))
        FROM networks AS n
        FINAL
    )[toString(network)] AS dust,
    (
        SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust))
        FROM networks AS n
        FINAL
    )[toString(network)] AS token_dust,
    (fact = 'received') AND (amount >= dust) AS above_dust
SELECT
    network,
    address,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen,
    groupBitmapIfState(toUInt32(toRelativeDayNum(block_time)), fact = 'sent') AS active_days,
    countIf(fact = 'sent') AS sent,
    countIf((fact = 'sent') AND failed) AS sent_failed,
    countIf((fact = 'sent') AND (amount = 0)) AS sent_zero,
    min(if(fact = 'sent', block_time, NULL)) AS sent_first,
    max(if(fact = 'sent', block_time, NULL)) AS sent_last,
    max(if(fact = 'sent', position, NULL)) AS sent_last_position,
    max(if(fact = 'sent', amount, NULL)) AS sent_max,
    sumIf(amount, fact = 'sent') AS sent_total,
    sumIf(fee, fact = 'sent') AS fees,
    uniqCombined64IfState(12)(counterparty, fact = 'sent') AS sent_to,
    countIf(fact = 'received') AS received,
    uniqCombined64IfState(12)(counterparty, fact = 'received') AS received_from,
    countIf(above_dust) AS paid,
    min(if(above_dust, block_time, NULL)) AS paid_first,
    max(if(above_dust, block_time, NULL)) AS paid_last,
    max(if(above_dust, amount, NULL)) AS paid_max,
    sumIf(amount, above_dust) AS paid_total,
    uniqCombined64IfState(12)(counterparty, above_dust) AS payers,
    countIf(fact = 'in') AS native_in_count,
    countIf(fact = 'out') AS native_out_count,
    sumIf(amount, fact = 'in') AS native_in,
    sumIf(amount, fact = 'out') AS native_out,
    uniqCombined64IfState(12)(counterparty, (fact IN ('in', 'token_in')) AND (counterparty != '') AND (counterparty != address)) AS in_counterparties,
    uniqCombined64IfState(12)(counterparty, (fact IN ('out', 'token_out')) AND (counterparty != '') AND (counterparty != address)) AS out_counterparties,
    min(if((fact = 'in') AND (amount >= dust) AND (counterparty != '') AND (counterparty != address), (position, counterparty), (18446744073709551615, ''))) AS funded,
    sumIf(amount, (fact = 'in') AND (amount >= dust)) AS native_paid,
    uniqCombined64IfState(12)(counterparty, (counterparty != '') AND (counterparty != address) AND (((fact = 'in') AND (amount >= dust)) OR ((fact = 'token_in') AND (amount > 0) AND (NOT own) AND (NOT assumeNotNull(pulled))))) AS in_partners,
    uniqCombined64IfState(12)(counterparty, (counterparty != '') AND (counterparty != address) AND (((fact = 'out') AND (amount >= dust)) OR ((fact = 'token_out') AND (amount > 0) AND own))) AS out_partners,
    countIf(fact = 'token_in') AS token_in_count,
    countIf(fact = 'token_out') AS token_out_count,
    countIf((fact = 'token_out') AND own) AS token_out_own,
    countIf((fact IN ('token_in', 'token_out')) AND (amount = 0)) AS token_zero,
    countIf(fact = 'nft_in') AS nft_in_count,
    countIf(fact = 'nft_out') AS nft_out_count,
    countIf(fact = 'approve') AS approvals_given,
    countIf(fact = 'revoke') AS approvals_revoked,
    countIf(fact = 'approved') AS approvals_received,
    uniqCombined64IfState(12)(counterparty, (fact = 'approved') AND (counterparty != address)) AS approvers,
    countIf(fact = 'create') AS contracts_created,
    countIf(fact = 'created') AS created,
    countIf(fact = 'lp_add') AS lp_adds,
    countIf(fact = 'lp_remove') AS lp_removes,
    countIf(fact = 'mixer') AS mixer_events,
    countIf(fact = 'mixer_deposit') AS mixer_deposits,
    countIf(fact = 'mixer_withdraw') AS mixer_withdrawals,
    countIf((fact = 'mixer_withdraw') AND own) AS mixer_withdrawals_own,
    countIf(fact = 'delegate') AS delegations,
    countIf(fact = 'delegated') AS delegators,
    countIf(fact = 'message') AS messages,
    countIf((fact IN ('in', 'token_in', 'nft_in')) AND pulled AND ((amount > 0) OR (fact = 'nft_in'))) AS pulled_in,
    countIf((fact = 'token_out') AND (amount <= token_dust)) AS token_dust_out,
    countIf(fact = 'third_party_dust') AS third_party_dust
FROM wallet_facts AS a
GROUP BY
    network,
    address;

CREATE VIEW wallet_features_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first row about the address',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last row about the address',
    `active_days` AggregateFunction(groupBitmap, UInt32) COMMENT 'Days (UTC) with a transaction of its own',
    `sent` UInt64 COMMENT 'Transactions signed',
    `sent_failed` UInt64 COMMENT 'Transactions signed that failed',
    `sent_zero` UInt64 COMMENT 'Transactions signed that carried no native coin',
    `sent_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first transaction signed',
    `sent_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last transaction signed',
    `sent_last_position` Nullable(UInt64) COMMENT 'Position of the last transaction signed',
    `sent_max` Nullable(UInt256) COMMENT 'Largest value of a transaction signed, base units',
    `sent_total` UInt256 COMMENT 'Value of all transactions signed, base units',
    `fees` UInt256 COMMENT 'Fees paid, base units of the native coin',
    `sent_to` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct receivers of its transactions; all that create a contract count as one',
    `received` UInt64 COMMENT 'Transactions that name it as receiver',
    `received_from` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct senders of transactions to it',
    `paid` UInt64 COMMENT 'Transactions to it that carried native coin of at least native_dust (table networks)',
    `paid_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first of those',
    `paid_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last of those',
    `paid_max` Nullable(UInt256) COMMENT 'Largest value of those, base units',
    `paid_total` UInt256 COMMENT 'Value of all of those, base units',
    `payers` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct senders of those',
    `native_in_count` UInt64 COMMENT 'Native movements to it, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements from it, internal calls included',
    `native_in` UInt256 COMMENT 'Native coin received, internal calls included, base units',
    `native_out` UInt256 COMMENT 'Native coin sent, internal calls included, base units',
    `in_counterparties` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties value came from',
    `out_counterparties` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties value went to',
    `funded` Tuple(
        UInt64,
        String) COMMENT 'Position and sender of the first native coin received that was more than dust; the largest position and the empty string when none came',
    `native_paid` UInt256 COMMENT 'Native coin received in movements of more than dust, internal calls included, base units',
    `in_partners` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties that sent it native coin of more than dust, or signed for tokens they sent it',
    `out_partners` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct parties it sent native coin of more than dust, or tokens it signed for',
    `token_in_count` UInt64 COMMENT 'Fungible movements to it',
    `token_out_count` UInt64 COMMENT 'Fungible movements from it',
    `token_out_own` UInt64 COMMENT 'Fungible movements from it that it signed for',
    `token_zero` UInt64 COMMENT 'Fungible movements of nothing',
    `nft_in_count` UInt64 COMMENT 'NFT movements to it',
    `nft_out_count` UInt64 COMMENT 'NFT movements from it',
    `approvals_given` UInt64 COMMENT 'Approvals it gave',
    `approvals_revoked` UInt64 COMMENT 'Approvals it took back',
    `approvals_received` UInt64 COMMENT 'Approvals others gave to it',
    `approvers` AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct owners who approved it',
    `contracts_created` UInt64 COMMENT 'Contracts that go back to it',
    `created` UInt64 COMMENT 'Times a contract was created at this address; above 0 it is a contract',
    `lp_adds` UInt64 COMMENT 'Liquidity additions it signed',
    `lp_removes` UInt64 COMMENT 'Liquidity removals it signed',
    `mixer_events` UInt64 COMMENT 'Deposits and withdrawals it emitted: above 0 it is a mixer pool',
    `mixer_deposits` UInt64 COMMENT 'Mixer deposits it made',
    `mixer_withdrawals` UInt64 COMMENT 'Mixer withdrawals it was paid',
    `mixer_withdrawals_own` UInt64 COMMENT 'Those it signed itself',
    `delegations` UInt64 COMMENT 'EIP-7702 authorizations it gave',
    `delegators` UInt64 COMMENT 'EIP-7702 authorizations that name it as code',
    `messages` UInt64 COMMENT 'Transactions signed whose calldata is text, inscriptions left out',
    `pulled_in` UInt64 COMMENT 'Movements of something to it that neither party signed',
    `token_dust_out` UInt64 COMMENT 'Fungible movements from it of at most token_dust (table networks) base units',
    `third_party_dust` UInt64 COMMENT 'Movements of nothing or of dust between two others that it signed'
)
COMMENT 'States of hot rows above the watermark, in the shape of wallet_features'
AS WITH
    (
        SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.native_dust))
        FROM networks AS n
        FINAL
    )[toString(network)] AS dust,
    (
        SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust))
        FROM networks AS n
        FINAL
    )[toString(network)] AS token_dust,
    (fact = 'received') AND (amount >= dust) AS above_dust
SELECT
    network,
    address,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen,
    groupBitmapIfState(toUInt32(toRelativeDayNum(block_time)), fact = 'sent') AS active_days,
    countIf(fact = 'sent') AS sent,
    countIf((fact = 'sent') AND failed) AS sent_failed,
    countIf((fact = 'sent') AND (amount = 0)) AS sent_zero,
    min(if(fact = 'sent', block_time, NULL)) AS sent_first,
    max(if(fact = 'sent', block_time, NULL)) AS sent_last,
    max(if(fact = 'sent', position, NULL)) AS sent_last_position,
    max(if(fact = 'sent', amount, NULL)) AS sent_max,
    sumIf(amount, fact = 'sent') AS sent_total,
    sumIf(fee, fact = 'sent') AS fees,
    uniqCombined64IfState(12)(counterparty, fact = 'sent') AS sent_to,
    countIf(fact = 'received') AS received,
    uniqCombined64IfState(12)(counterparty, fact = 'received') AS received_from,
    countIf(above_dust) AS paid,
    min(if(above_dust, block_time, NULL)) AS paid_first,
    max(if(above_dust, block_time, NULL)) AS paid_last,
    max(if(above_dust, amount, NULL)) AS paid_max,
    sumIf(amount, above_dust) AS paid_total,
    uniqCombined64IfState(12)(counterparty, above_dust) AS payers,
    countIf(fact = 'in') AS native_in_count,
    countIf(fact = 'out') AS native_out_count,
    sumIf(amount, fact = 'in') AS native_in,
    sumIf(amount, fact = 'out') AS native_out,
    uniqCombined64IfState(12)(counterparty, (fact IN ('in', 'token_in')) AND (counterparty != '') AND (counterparty != address)) AS in_counterparties,
    uniqCombined64IfState(12)(counterparty, (fact IN ('out', 'token_out')) AND (counterparty != '') AND (counterparty != address)) AS out_counterparties,
    min(if((fact = 'in') AND (amount >= dust) AND (counterparty != '') AND (counterparty != address), (position, counterparty), (18446744073709551615, ''))) AS funded,
    sumIf(amount, (fact = 'in') AND (amount >= dust)) AS native_paid,
    uniqCombined64IfState(12)(counterparty, (counterparty != '') AND (counterparty != address) AND (((fact = 'in') AND (amount >= dust)) OR ((fact = 'token_in') AND (amount > 0) AND (NOT own) AND (NOT assumeNotNull(pulled))))) AS in_partners,
    uniqCombined64IfState(12)(counterparty, (counterparty != '') AND (counterparty != address) AND (((fact = 'out') AND (amount >= dust)) OR ((fact = 'token_out') AND (amount > 0) AND own))) AS out_partners,
    countIf(fact = 'token_in') AS token_in_count,
    countIf(fact = 'token_out') AS token_out_count,
    countIf((fact = 'token_out') AND own) AS token_out_own,
    countIf((fact IN ('token_in', 'token_out')) AND (amount = 0)) AS token_zero,
    countIf(fact = 'nft_in') AS nft_in_count,
    countIf(fact = 'nft_out') AS nft_out_count,
    countIf(fact = 'approve') AS approvals_given,
    countIf(fact = 'revoke') AS approvals_revoked,
    countIf(fact = 'approved') AS approvals_received,
    uniqCombined64IfState(12)(counterparty, (fact = 'approved') AND (counterparty != address)) AS approvers,
    countIf(fact = 'create') AS contracts_created,
    countIf(fact = 'created') AS created,
    countIf(fact = 'lp_add') AS lp_adds,
    countIf(fact = 'lp_remove') AS lp_removes,
    countIf(fact = 'mixer') AS mixer_events,
    countIf(fact = 'mixer_deposit') AS mixer_deposits,
    countIf(fact = 'mixer_withdraw') AS mixer_withdrawals,
    countIf((fact = 'mixer_withdraw') AND own) AS mixer_withdrawals_own,
    countIf(fact = 'delegate') AS delegations,
    countIf(fact = 'delegated') AS delegators,
    countIf(fact = 'message') AS messages,
    countIf((fact IN ('in', 'token_in', 'nft_in')) AND pulled AND ((amount > 0) OR (fact = 'nft_in'))) AS pulled_in,
    countIf((fact = 'token_out') AND (amount <= token_dust)) AS token_dust_out,
    countIf(fact = 'third_party_dust') AS third_party_dust
FROM wallet_facts_hot
GROUP BY
    network,
    address;

CREATE VIEW wallet_features_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first row about the address',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last row about the address',
    `active_days` UInt32 COMMENT 'Days (UTC) with a transaction of its own',
    `sent` UInt64 COMMENT 'Transactions signed',
    `sent_failed` UInt64 COMMENT 'Transactions signed that failed',
    `sent_zero` UInt64 COMMENT 'Transactions signed that carried no native coin',
    `sent_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first transaction signed',
    `sent_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last transaction signed',
    `sent_last_position` Nullable(UInt64) COMMENT 'Position of the last transaction signed',
    `sent_max` Nullable(UInt256) COMMENT 'Largest value of a transaction signed, base units',
    `sent_total` UInt256 COMMENT 'Value of all transactions signed, base units',
    `fees` UInt256 COMMENT 'Fees paid, base units of the native coin',
    `sent_to` UInt64 COMMENT 'Distinct receivers of its transactions; all that create a contract count as one',
    `received` UInt64 COMMENT 'Transactions that name it as receiver',
    `received_from` UInt64 COMMENT 'Distinct senders of transactions to it',
    `paid` UInt64 COMMENT 'Transactions to it that carried native coin of at least native_dust (table networks)',
    `paid_first` Nullable(DateTime('UTC')) COMMENT 'Time of the first of those',
    `paid_last` Nullable(DateTime('UTC')) COMMENT 'Time of the last of those',
    `paid_max` Nullable(UInt256) COMMENT 'Largest value of those, base units',
    `paid_total` UInt256 COMMENT 'Value of all of those, base units',
    `payers` UInt64 COMMENT 'Distinct senders of those',
    `native_in_count` UInt64 COMMENT 'Native movements to it, internal calls included',
    `native_out_count` UInt64 COMMENT 'Native movements from it, internal calls included',
    `native_in` UInt256 COMMENT 'Native coin received, internal calls included, base units',
    `native_out` UInt256 COMMENT 'Native coin sent, internal calls included, base units',
    `in_counterparties` UInt64 COMMENT 'Distinct parties value came from',
    `out_counterparties` UInt64 COMMENT 'Distinct parties value went to',
    `funder` String COMMENT 'Sender of the first native coin received that was more than dust; empty when none came',
    `native_paid` UInt256 COMMENT 'Native coin received in movements of more than dust, internal calls included, base units',
    `in_partners` UInt64 COMMENT 'Distinct parties that sent it native coin of more than dust, or signed for tokens they sent it',
    `out_partners` UInt64 COMMENT 'Distinct parties it sent native coin of more than dust, or tokens it signed for',
    `token_in_count` UInt64 COMMENT 'Fungible movements to it',
    `token_out_count` UInt64 COMMENT 'Fungible movements from it',
    `token_out_own` UInt64 COMMENT 'Fungible movements from it that it signed for',
    `token_zero` UInt64 COMMENT 'Fungible movements of nothing',
    `nft_in_count` UInt64 COMMENT 'NFT movements to it',
    `nft_out_count` UInt64 COMMENT 'NFT movements from it',
    `approvals_given` UInt64 COMMENT 'Approvals it gave',
    `approvals_revoked` UInt64 COMMENT 'Approvals it took back',
    `approvals_received` UInt64 COMMENT 'Approvals others gave to it',
    `approvers` UInt64 COMMENT 'Distinct owners who approved it',
    `contracts_created` UInt64 COMMENT 'Contracts that go back to it',
    `created` UInt64 COMMENT 'Times a contract was created at this address; above 0 it is a contract',
    `lp_adds` UInt64 COMMENT 'Liquidity additions it signed',
    `lp_removes` UInt64 COMMENT 'Liquidity removals it signed',
    `mixer_events` UInt64 COMMENT 'Deposits and withdrawals it emitted: above 0 it is a mixer pool',
    `mixer_deposits` UInt64 COMMENT 'Mixer deposits it made',
    `mixer_withdrawals` UInt64 COMMENT 'Mixer withdrawals it was paid',
    `mixer_withdrawals_own` UInt64 COMMENT 'Those it signed itself',
    `delegations` UInt64 COMMENT 'EIP-7702 authorizations it gave',
    `delegators` UInt64 COMMENT 'EIP-7702 authorizations that name it as code',
    `messages` UInt64 COMMENT 'Transactions signed whose calldata is text, inscriptions left out',
    `pulled_in` UInt64 COMMENT 'Movements of something to it that neither party signed',
    `token_dust_out` UInt64 COMMENT 'Fungible movements from it of at most token_dust (table networks) base units',
    `third_party_dust` UInt64 COMMENT 'Movements of nothing or of dust between two others that it signed'
)
COMMENT 'Features of each address, as of the newest block, with what was fetched of single wallets from before the first covered block. Filter by network and address, or every row is merged'
AS SELECT
    s.network AS network,
    s.address AS address,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen,
    groupBitmapMerge(s.active_days) AS active_days,
    sum(s.sent) AS sent,
    sum(s.sent_failed) AS sent_failed,
    sum(s.sent_zero) AS sent_zero,
    min(s.sent_first) AS sent_first,
    max(s.sent_last) AS sent_last,
    max(s.sent_last_position) AS sent_last_position,
    max(s.sent_max) AS sent_max,
    sum(s.sent_total) AS sent_total,
    sum(s.fees) AS fees,
    uniqCombined64Merge(12)(s.sent_to) AS sent_to,
    sum(s.received) AS received,
    uniqCombined64Merge(12)(s.received_from) AS received_from,
    sum(s.paid) AS paid,
    min(s.paid_first) AS paid_first,
    max(s.paid_last) AS paid_last,
    max(s.paid_max) AS paid_max,
    sum(s.paid_total) AS paid_total,
    uniqCombined64Merge(12)(s.payers) AS payers,
    sum(s.native_in_count) AS native_in_count,
    sum(s.native_out_count) AS native_out_count,
    sum(s.native_in) AS native_in,
    sum(s.native_out) AS native_out,
    uniqCombined64Merge(12)(s.in_counterparties) AS in_counterparties,
    uniqCombined64Merge(12)(s.out_counterparties) AS out_counterparties,
    (min(s.funded)).2 AS funder,
    sum(s.native_paid) AS native_paid,
    uniqCombined64Merge(12)(s.in_partners) AS in_partners,
    uniqCombined64Merge(12)(s.out_partners) AS out_partners,
    sum(s.token_in_count) AS token_in_count,
    sum(s.token_out_count) AS token_out_count,
    sum(s.token_out_own) AS token_out_own,
    sum(s.token_zero) AS token_zero,
    sum(s.nft_in_count) AS nft_in_count,
    sum(s.nft_out_count) AS nft_out_count,
    sum(s.approvals_given) AS approvals_given,
    sum(s.approvals_revoked) AS approvals_revoked,
    sum(s.approvals_received) AS approvals_received,
    uniqCombined64Merge(12)(s.approvers) AS approvers,
    sum(s.contracts_created) AS contracts_created,
    sum(s.created) AS created,
    sum(s.lp_adds) AS lp_adds,
    sum(s.lp_removes) AS lp_removes,
    sum(s.mixer_events) AS mixer_events,
    sum(s.mixer_deposits) AS mixer_deposits,
    sum(s.mixer_withdrawals) AS mixer_withdrawals,
    sum(s.mixer_withdrawals_own) AS mixer_withdrawals_own,
    sum(s.delegations) AS delegations,
    sum(s.delegators) AS delegators,
    sum(s.messages) AS messages,
    sum(s.pulled_in) AS pulled_in,
    sum(s.token_dust_out) AS token_dust_out,
    sum(s.third_party_dust) AS third_party_dust
FROM
(
    SELECT
        network,
        address,
        first_seen,
        last_seen,
        active_days,
        sent,
        sent_failed,
        sent_zero,
        sent_first,
        sent_last,
        sent_last_position,
        sent_max,
        sent_total,
        fees,
        sent_to,
        received,
        received_from,
        paid,
        paid_first,
        paid_last,
        paid_max,
        paid_total,
        payers,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        in_counterparties,
        out_counterparties,
        funded,
        native_paid,
        in_partners,
        out_partners,
        token_in_count,
        token_out_count,
        token_out_own,
        token_zero,
        nft_in_count,
        nft_out_count,
        approvals_given,
        approvals_revoked,
        approvals_received,
        approvers,
        contracts_created,
        created,
        lp_adds,
        lp_removes,
        mixer_events,
        mixer_deposits,
        mixer_withdrawals,
        mixer_withdrawals_own,
        delegations,
        delegators,
        messages,
        pulled_in,
        token_dust_out,
        third_party_dust
    FROM wallet_features
    UNION ALL
    SELECT
        network,
        address,
        first_seen,
        last_seen,
        active_days,
        sent,
        sent_failed,
        sent_zero,
        sent_first,
        sent_last,
        sent_last_position,
        sent_max,
        sent_total,
        fees,
        sent_to,
        received,
        received_from,
        paid,
        paid_first,
        paid_last,
        paid_max,
        paid_total,
        payers,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        in_counterparties,
        out_counterparties,
        funded,
        native_paid,
        in_partners,
        out_partners,
        token_in_count,
        token_out_count,
        token_out_own,
        token_zero,
        nft_in_count,
        nft_out_count,
        approvals_given,
        approvals_revoked,
        approvals_received,
        approvers,
        contracts_created,
        created,
        lp_adds,
        lp_removes,
        mixer_events,
        mixer_deposits,
        mixer_withdrawals,
        mixer_withdrawals_own,
        delegations,
        delegators,
        messages,
        pulled_in,
        token_dust_out,
        third_party_dust
    FROM wallet_features_hot
    UNION ALL
    SELECT
        network,
        address,
        first_seen,
        last_seen,
        active_days,
        sent,
        sent_failed,
        sent_zero,
        sent_first,
        sent_last,
        sent_last_position,
        sent_max,
        sent_total,
        fees,
        sent_to,
        received,
        received_from,
        paid,
        paid_first,
        paid_last,
        paid_max,
        paid_total,
        payers,
        native_in_count,
        native_out_count,
        native_in,
        native_out,
        in_counterparties,
        out_counterparties,
        funded,
        native_paid,
        in_partners,
        out_partners,
        token_in_count,
        token_out_count,
        token_out_own,
        token_zero,
        nft_in_count,
        nft_out_count,
        approvals_given,
        approvals_revoked,
        approvals_received,
        approvers,
        contracts_created,
        created,
        lp_adds,
        lp_removes,
        mixer_events,
        mixer_deposits,
        mixer_withdrawals,
        mixer_withdrawals_own,
        delegations,
        delegators,
        messages,
        pulled_in,
        token_dust_out,
        third_party_dust
    FROM wallet_features_fetched
) AS s
GROUP BY
    s.network,
    s.address;

CREATE TABLE wallet_pasts
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Wallet whose past was asked for',
    `to_block` UInt32 COMMENT 'Block up to which its past was fetched; those above come with the stream',
    `sent` UInt8 COMMENT '1 when every transaction it signed up to to_block is known',
    `native` UInt8 COMMENT '1 when every movement of native coin up to to_block is known',
    `tokens` UInt8 COMMENT '1 when every movement and approval of tokens up to to_block is known',
    `complete` UInt8 COMMENT '1 when all of these are, so that nothing it did up to to_block is missing',
    `done` UInt8 COMMENT '1 when nothing more is being looked for',
    `transactions` UInt32 COMMENT 'Transactions it signed up to to_block, by its number; 0 where that is not known',
    `blocks` UInt32 COMMENT 'Blocks that were read for it',
    `sources` String COMMENT 'Ways of finding them that were used, comma-separated',
    `why` String COMMENT 'What is missing and why; empty when nothing is',
    `pools_why` String COMMENT 'Of a token: why pools that exchanges announced with it may be missing; empty where none is, and where they were not looked for (sources has no factories)',
    `version` UInt64 COMMENT 'Milliseconds since the epoch when the row was written; the newest counts',
    `updated_at` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the row was written'
)
ENGINE = ReplacingMergeTree(version)
PARTITION BY network
ORDER BY (network, address)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 10000
COMMENT 'What was fetched of the pasts of single wallets, from before the first covered block. Read with FINAL';

CREATE TABLE wallet_protocols
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address of the caller',
    `contract` String COMMENT 'Called contract',
    `calls` SimpleAggregateFunction(sum, UInt64) COMMENT 'Transactions with calldata',
    `failed` SimpleAggregateFunction(sum, UInt64) COMMENT 'Those that failed',
    `value` SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin sent along, base units',
    `first_seen` SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first call',
    `last_seen` SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last call'
)
ENGINE = AggregatingMergeTree
PARTITION BY network
ORDER BY (network, address, contract)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Contracts called by each address. Direct calls with at least a selector';

CREATE VIEW wallet_protocols_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address of the caller',
    `contract` String COMMENT 'Called contract',
    `calls` UInt64 COMMENT 'Transactions with calldata',
    `failed` UInt64 COMMENT 'Those that failed',
    `value` UInt256 COMMENT 'Native coin sent along, base units',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first call',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last call'
)
COMMENT 'Contracts called by each address, as of the newest block. Filter by network and address, or every row is merged'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.contract AS contract,
    sum(s.calls) AS calls,
    sum(s.failed) AS failed,
    sum(s.value) AS value,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen
FROM
(
    SELECT
        network,
        address,
        contract,
        calls,
        failed,
        value,
        first_seen,
        last_seen
    FROM wallet_protocols
    UNION ALL
    SELECT
        network,
        address,
        contract,
        calls,
        failed,
        value,
        first_seen,
        last_seen
    FROM wallet_protocols_hot
) AS s
GROUP BY
    s.network,
    s.address,
    s.contract;

CREATE VIEW wallet_protocols_final
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address of the caller',
    `contract` String COMMENT 'Called contract',
    `calls` UInt64 COMMENT 'Transactions with calldata',
    `failed` UInt64 COMMENT 'Those that failed',
    `value` UInt256 COMMENT 'Native coin sent along, base units',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first call',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last call'
)
COMMENT 'Contracts called by each address, as of the newest final block: wallet_protocols_all without hot rows, for half the cost'
AS SELECT
    s.network AS network,
    s.address AS address,
    s.contract AS contract,
    sum(s.calls) AS calls,
    sum(s.failed) AS failed,
    sum(s.value) AS value,
    min(s.first_seen) AS first_seen,
    max(s.last_seen) AS last_seen
FROM wallet_protocols AS s
GROUP BY
    s.network,
    s.address,
    s.contract;

CREATE MATERIALIZED VIEW wallet_protocols_from_transactions TO wallet_protocols
(
    `network` LowCardinality(String),
    `address` String,
    `contract` String,
    `calls` UInt64,
    `failed` UInt64,
    `value` UInt256,
    `first_seen` Nullable(DateTime('UTC')),
    `last_seen` Nullable(DateTime('UTC'))
)
AS SELECT
    network,
    sender AS address,
    receiver AS contract,
    count() AS calls,
    countIf(status = 0) AS failed,
    sum(a.value) AS value,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen
FROM transactions AS a
WHERE (selector != '') AND (sender != '') AND (receiver != '')
GROUP BY
    network,
    address,
    contract;

CREATE VIEW wallet_protocols_hot
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address of the caller',
    `contract` String COMMENT 'Called contract',
    `calls` UInt64 COMMENT 'Transactions with calldata',
    `failed` UInt64 COMMENT 'Those that failed',
    `value` UInt256 COMMENT 'Native coin sent along, base units',
    `first_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the first call',
    `last_seen` Nullable(DateTime('UTC')) COMMENT 'Time of the last call'
)
COMMENT 'States of hot rows above the watermark, in the shape of wallet_protocols'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray((settled, head)))
        FROM hot_bounds
    ) AS bounds
SELECT
    network,
    sender AS address,
    receiver AS contract,
    count() AS calls,
    countIf(status = 0) AS failed,
    sum(a.value) AS value,
    min(toNullable(block_time)) AS first_seen,
    max(toNullable(block_time)) AS last_seen
FROM transactions_hot AS a
FINAL
WHERE (block_number > ((bounds[toString(network)]).1)) AND (block_number <= ((bounds[toString(network)]).2)) AND (selector != '') AND (sender != '') AND (receiver != '')
GROUP BY
    network,
    address,
    contract;

CREATE TABLE wallet_rank_refreshes
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `version` UInt64 COMMENT 'Refresh that is complete, milliseconds since the epoch',
    `finished_at` DateTime('UTC') DEFAULT now() COMMENT 'When it was complete'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY network
SETTINGS index_granularity = 8192
COMMENT 'Newest complete refresh of wallet_ranks in each network';

CREATE TABLE wallet_ranks
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `version` UInt64 COMMENT 'Refresh that gave the rank, milliseconds since the epoch',
    `points` Float64 COMMENT 'Reputation points: (1000/110) (experience + 1) (risk capability + 1) (1 - probability), plus small shares for transactions and age',
    `place` UInt32 COMMENT 'Dense rank by points, 1 is best'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address)
SETTINGS index_granularity = 256, non_replicated_deduplication_window = 1000
COMMENT 'Rank of each wallet with a stored profile and enough transactions. Rows older than the newest complete refresh do not count';

CREATE TABLE wallet_records
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `version` UInt64 COMMENT 'Grows with every computation: milliseconds since the epoch, at least one more than the version before',
    `status` LowCardinality(String) COMMENT 'Fraud, Not Fraud or New Address',
    `probability` Float64 COMMENT 'Probability of fraud, 0 to 1',
    `body` String COMMENT 'JSON of the fraud record without walletAddress, checked_times and updatedAt: the bytes that are served. Empty when every block that named the wallet was undone' CODEC(ZSTD(3)),
    `reasons` String COMMENT 'JSON array of what the verdict rests on: code, title, contribution, evidence' CODEC(ZSTD(3)),
    `unknowns` Array(LowCardinality(String)) COMMENT 'What could not be evaluated; the record shows 0 for it',
    `model_version` LowCardinality(String) COMMENT 'Model that gave the probability',
    `data_height` UInt32 COMMENT 'Height of the data the record was computed from',
    `offence` LowCardinality(String) COMMENT 'Category that flags resting on the wallet\'s own acts or on lists give its money: sanctioned, stolen, scam and so on; empty for none. Those who receive it are judged by it',
    `offence_hops` UInt8 COMMENT 'Transfers between the wallet and the nearest wallet of an offence that its money came from; 0 where none was found within three, where less than 1 % of its money did, and for services',
    `created_at` DateTime('UTC') COMMENT 'First computed',
    `computed_at` DateTime('UTC') COMMENT 'Last computed'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address)
SETTINGS index_granularity = 128, min_bytes_for_wide_part = 1073741824, non_replicated_deduplication_window = 1000
COMMENT 'Newest fraud record of each wallet. Look up with ORDER BY version DESC LIMIT 1 BY network, address';

CREATE TABLE wallet_swaps
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address of the sender of the transaction' CODEC(ZSTD(1)),
    `block_number` UInt32 COMMENT 'Height of the block' CODEC(Delta(4), ZSTD(1)),
    `block_time` DateTime('UTC') COMMENT 'Time of the block' CODEC(Delta(4), ZSTD(1)),
    `position` UInt64 COMMENT 'Sortable position in the network' CODEC(Delta(8), ZSTD(1)),
    `pool` String COMMENT 'Pool contract or id' CODEC(ZSTD(1)),
    `factory` LowCardinality(String) COMMENT 'Program or vault of the pool, where the swap itself names its tokens (SOLANA, Balancer); empty elsewhere: see pools'
)
ENGINE = MergeTree
PARTITION BY network
ORDER BY (network, address, block_time, position)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Swaps by the wallet that started them: who trades, and where. Final blocks only; see wallet_swaps_all';

CREATE VIEW wallet_swaps_all
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address of the sender of the transaction',
    `block_number` UInt32 COMMENT 'Height of the block',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `pool` String COMMENT 'Pool contract or id',
    `factory` LowCardinality(String) COMMENT 'Program or vault of the pool, where the swap itself names its tokens (SOLANA, Balancer); empty elsewhere: see pools'
)
COMMENT 'Swaps by the wallet that started them: who trades, and where. Final rows up to the watermark and hot rows above it: every block once'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    address,
    block_number,
    block_time,
    position,
    pool,
    factory
FROM wallet_swaps
WHERE (NOT mapContains(settled_of, toString(network))) OR (block_number <= (settled_of[toString(network)]))
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(settled))
        FROM settled_heights
    ) AS settled_of
SELECT
    network,
    initiator AS address,
    block_number,
    block_time,
    position,
    pool,
    factory
FROM swaps_hot
FINAL
WHERE (block_number > (settled_of[toString(network)])) AND (initiator != '');

CREATE MATERIALIZED VIEW wallet_swaps_from_swaps TO wallet_swaps
(
    `network` LowCardinality(String),
    `address` String,
    `block_number` UInt32,
    `block_time` DateTime('UTC'),
    `position` UInt64,
    `pool` String,
    `factory` LowCardinality(String)
)
AS SELECT
    network,
    initiator AS address,
    block_number,
    block_time,
    position,
    pool,
    factory
FROM swaps
WHERE initiator != '';

CREATE VIEW wallet_swaps_whole
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address of the sender of the transaction',
    `block_number` UInt32 COMMENT 'Height of the block',
    `block_time` DateTime('UTC') COMMENT 'Time of the block',
    `position` UInt64 COMMENT 'Sortable position in the network',
    `pool` String COMMENT 'Pool contract or id',
    `factory` LowCardinality(String) COMMENT 'Program or vault of the pool, where the swap itself names its tokens (SOLANA, Balancer); empty elsewhere: see pools'
)
COMMENT 'Swaps by the wallet that started them: who trades, and where. With what was fetched of single wallets from before the first covered block: whole for wallets whose past is (wallet_pasts)'
AS WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    address,
    block_number,
    block_time,
    position,
    pool,
    factory
FROM wallet_swaps_all
UNION ALL
WITH
    (
        SELECT mapFromArrays(groupArray(network), groupArray(block_number))
        FROM first_covered_blocks
    ) AS first_of
SELECT
    network,
    initiator AS address,
    block_number,
    block_time,
    position,
    pool,
    factory
FROM swaps_past
FINAL
WHERE ((NOT mapContains(first_of, toString(network))) OR (block_number < (first_of[toString(network)]))) AND (initiator != '');

CREATE VIEW wallets_current
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `status` LowCardinality(String) COMMENT 'Fraud, Not Fraud or New Address',
    `probability` Float64 COMMENT 'Probability of fraud, 0 to 1',
    `cybercrime` UInt8 COMMENT '1 when: Takes part in cybercrime',
    `money_laundering` UInt8 COMMENT '1 when: Moves proceeds through laundering patterns',
    `number_of_malicious_contracts_created` UInt32 COMMENT 'Malicious contracts deployed, a count as text',
    `gas_abuse` UInt8 COMMENT '1 when: Makes others pay gas by deceit',
    `financial_crime` UInt8 COMMENT '1 when: Takes part in financial crime',
    `darkweb_transactions` UInt8 COMMENT '1 when: Deals with dark-web services',
    `reinit` UInt8 COMMENT '1 when: Deployed contracts that can be initialised again',
    `phishing_activities` UInt8 COMMENT '1 when: Takes part in phishing',
    `fake_kyc` UInt8 COMMENT '1 when: Uses or sells false identities',
    `blacklist_doubt` UInt8 COMMENT '1 when: Frozen or blacklisted by an issuer',
    `fake_standard_interface` UInt8 COMMENT '1 when: Deployed contracts that fake a token standard',
    `data_source` String COMMENT 'Source of the forensic data; may be empty',
    `stealing_attack` UInt8 COMMENT '1 when: Takes part in theft',
    `blackmail_activities` UInt8 COMMENT '1 when: Takes part in blackmail',
    `sanctioned` UInt8 COMMENT '1 when: On a sanctions list',
    `malicious_mining_activities` UInt8 COMMENT '1 when: Takes part in malicious mining',
    `mixer` UInt8 COMMENT '1 when: Is, or habitually uses, a mixer',
    `fake_token` UInt8 COMMENT '1 when: Deployed a token that passes for another',
    `honeypot_related_address` UInt8 COMMENT '1 when: Tied to honeypot contracts',
    `reason_codes` Array(String) COMMENT 'Codes of the reasons, in the order of the record',
    `unknowns` Array(LowCardinality(String)) COMMENT 'What could not be evaluated; its flag shows 0',
    `quality` Nullable(UInt8) COMMENT 'Wallet quality, 0 to 100; NULL without a profile',
    `experience` Nullable(UInt8) COMMENT 'Experience, 0 to 10; NULL without a profile',
    `risk_capability` Nullable(UInt8) COMMENT 'Risk capability, 1 to 9; NULL without a profile',
    `credit_rating` Nullable(UInt8) COMMENT 'Credit rating, 1 to 9; NULL without a profile or where the network has no such operation',
    `transaction_count` Nullable(UInt64) COMMENT 'Transactions in and out; NULL without a profile',
    `age_days` Nullable(UInt32) COMMENT 'Days since the first row about the wallet; NULL without a profile',
    `balance_usd` Nullable(Float64) COMMENT 'Balance of priced assets, US dollars; NULL without a profile',
    `model_version` LowCardinality(String) COMMENT 'Model that gave the probability',
    `data_height` UInt32 COMMENT 'Height of the data the record was computed from',
    `created_at` DateTime('UTC') COMMENT 'First computed',
    `computed_at` DateTime('UTC') COMMENT 'Last computed',
    `version` UInt64 COMMENT 'Version of the record: milliseconds since the epoch'
)
COMMENT 'Newest record of each wallet, one row each, with a column for each flag and score'
AS SELECT
    r.network AS network,
    r.address AS address,
    r.status AS status,
    r.probability AS probability,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'cybercrime') = '1') AS cybercrime,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'money_laundering') = '1') AS money_laundering,
    toUInt32OrZero(JSONExtractString(r.body, 'forensic_details', 'number_of_malicious_contracts_created')) AS number_of_malicious_contracts_created,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'gas_abuse') = '1') AS gas_abuse,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'financial_crime') = '1') AS financial_crime,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'darkweb_transactions') = '1') AS darkweb_transactions,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'reinit') = '1') AS reinit,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'phishing_activities') = '1') AS phishing_activities,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'fake_kyc') = '1') AS fake_kyc,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'blacklist_doubt') = '1') AS blacklist_doubt,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'fake_standard_interface') = '1') AS fake_standard_interface,
    JSONExtractString(r.body, 'forensic_details', 'data_source') AS data_source,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'stealing_attack') = '1') AS stealing_attack,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'blackmail_activities') = '1') AS blackmail_activities,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'sanctioned') = '1') AS sanctioned,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'malicious_mining_activities') = '1') AS malicious_mining_activities,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'mixer') = '1') AS mixer,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'fake_token') = '1') AS fake_token,
    toUInt8(JSONExtractString(r.body, 'forensic_details', 'honeypot_related_address') = '1') AS honeypot_related_address,
    arrayMap(x -> JSONExtractString(x, 'code'), JSONExtractArrayRaw(r.reasons)) AS reason_codes,
    r.unknowns AS unknowns,
    if(p.version = 0, NULL, p.quality) AS quality,
    if(p.version = 0, NULL, p.experience) AS experience,
    if(p.version = 0, NULL, p.risk_capability) AS risk_capability,
    if((p.version = 0) OR (p.rating = 0), NULL, p.rating) AS credit_rating,
    if(p.version = 0, NULL, p.transaction_count) AS transaction_count,
    if(p.version = 0, NULL, p.age_days) AS age_days,
    if(p.version = 0, NULL, p.balance_usd) AS balance_usd,
    r.model_version AS model_version,
    r.data_height AS data_height,
    r.created_at AS created_at,
    r.computed_at AS computed_at,
    r.version AS version
FROM wallet_records AS r
FINAL
LEFT JOIN
(
    SELECT
        network,
        address,
        version,
        quality,
        experience,
        risk_capability,
        rating,
        transaction_count,
        age_days,
        balance_usd
    FROM profile_records
    FINAL
) AS p ON (p.network = r.network) AND (p.address = r.address)
WHERE r.body != '';

CREATE TABLE watch_list
(
    `account` String COMMENT 'Id of the key that began the line of rotated keys it belongs to',
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `version` UInt64 DEFAULT toUInt64(toUnixTimestamp64Micro(now64(6))) COMMENT 'Microseconds since the epoch by the clock of the store; the highest is in force',
    `watched` UInt8 COMMENT '1 while it is watched, 0 from when on it is not',
    `stored` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When it was stored, by the clock of the store'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (account, network, address)
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'Addresses that are watched, by account';

CREATE TABLE watch_verdicts
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `operation` LowCardinality(String) COMMENT 'fraud_check or rug_pull',
    `version` UInt64 COMMENT 'Version of the record',
    `verdict` String COMMENT 'JSON of the verdict with the codes of its reasons; null where there is no record' CODEC(ZSTD(3))
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address, operation)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 1000
COMMENT 'The last verdict that was compared, of each watched address and operation';

CREATE TABLE watchers
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `address` String COMMENT 'Canonical address',
    `account` String COMMENT 'Id of the key that began the line of rotated keys it belongs to',
    `version` UInt64 DEFAULT toUInt64(toUnixTimestamp64Micro(now64(6))) COMMENT 'Microseconds since the epoch by the clock of the store; the highest is in force',
    `watched` UInt8 COMMENT '1 while it is watched, 0 from when on it is not',
    `stored` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When it was stored, by the clock of the store'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (network, address, account)
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 1000
COMMENT 'The rows of watch_list in the order of their addresses: who watches an address';

CREATE MATERIALIZED VIEW watchers_feed TO watchers
(
    `network` LowCardinality(String),
    `address` String,
    `account` String,
    `version` UInt64,
    `watched` UInt8,
    `stored` DateTime64(3, 'UTC')
)
AS SELECT
    network,
    address,
    account,
    version,
    watched,
    stored
FROM watch_list;

CREATE TABLE watermarks
(
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `version` UInt64 COMMENT 'Grows by one with every state: the sequence readers compare before and after',
    `state` LowCardinality(String) COMMENT 'settled, moving (blocks up to target are on their way from hot to final) or undoing (hot blocks from target on are being withdrawn)',
    `settled` UInt32 COMMENT 'Watermark: highest block number readers take from the final tier',
    `epoch` UInt32 DEFAULT 1 COMMENT 'How often the network was rebuilt, plus one',
    `log` String COMMENT 'Head topic the hot rows come from: the `log` header of its messages',
    `target` UInt32 COMMENT 'Block number a move or an undo works on; equals settled when nothing is in flight',
    `updated_at` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the state was entered'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY network
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 10000
COMMENT 'One row per network (newest version counts): which blocks are in the final tier. A seqlock for readers of several tables';

CREATE TABLE webhook_deliveries
(
    `endpoint` String COMMENT 'Id of the endpoint',
    `id` String COMMENT 'Header webhook-id: the same at each attempt',
    `version` UInt64 DEFAULT toUInt64(toUnixTimestamp64Micro(now64(6))) COMMENT 'Microseconds since the epoch by the clock of the store; the highest is in force',
    `account` String COMMENT 'Id of the key that began the line of rotated keys it belongs to',
    `type` LowCardinality(String) COMMENT 'verdict.changed or ping',
    `network` LowCardinality(String) COMMENT 'Network code, as in table networks',
    `operation` LowCardinality(String) COMMENT 'Operation whose verdict changed; empty for a ping',
    `body` String COMMENT 'What is sent' CODEC(ZSTD(3)),
    `state` LowCardinality(String) COMMENT 'waiting, delivered or dead',
    `asked` UInt8 COMMENT '1 when its owner asked for it: a ping, or a replay',
    `attempts` UInt8 COMMENT 'Attempts since it was made or replayed',
    `status` UInt16 COMMENT 'HTTP status of the last attempt; 0 where nothing was answered',
    `reason` String COMMENT 'Why the last attempt failed, or why there is none; empty otherwise',
    `created` DateTime64(3, 'UTC') COMMENT 'When it was made',
    `begun` DateTime64(3, 'UTC') COMMENT 'When it was made or replayed',
    `due` DateTime64(3, 'UTC') COMMENT 'Not to be sent before',
    `finished` DateTime64(3, 'UTC') COMMENT 'When it was delivered or given up; the epoch before',
    `stored` DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When it was stored, by the clock of the store',
    `expires` DateTime('UTC') COMMENT 'When the row is removed'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY (endpoint, id)
TTL expires
SETTINGS index_granularity = 1024, non_replicated_deduplication_window = 10000
COMMENT 'Events by endpoint: what is to be delivered, was delivered, or could not be';

CREATE TABLE webhook_endpoints
(
    `id` String COMMENT 'Id of the endpoint',
    `version` UInt64 DEFAULT toUInt64(toUnixTimestamp64Micro(now64(6))) COMMENT 'Microseconds since the epoch by the clock of the store; the highest is in force',
    `account` String COMMENT 'Id of the key that began the line of rotated keys it belongs to',
    `state` LowCardinality(String) COMMENT 'on, paused or deleted',
    `url` String COMMENT 'Where events are sent; empty once it is deleted',
    `description` String COMMENT 'What its owner calls it',
    `operations` Array(LowCardinality(String)) COMMENT 'Operations whose verdicts it is told of; empty for all',
    `networks` Array(LowCardinality(String)) COMMENT 'Networks it is told of; empty for all',
    `directions` Array(LowCardinality(String)) COMMENT 'Changes it is told of: worse, better, neutral',
    `secret` String COMMENT 'Secret that signs deliveries, sealed with ASSAY_WEBHOOK_KEY',
    `old_secret` String COMMENT 'Secret before the last rotation, sealed; empty without one',
    `old_until` DateTime64(3, 'UTC') COMMENT 'Until when the old secret signs as well',
    `created` DateTime64(3, 'UTC') COMMENT 'When it was made',
    `enabled` DateTime64(3, 'UTC') COMMENT 'When its owner last turned it on'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY id
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000, old_parts_lifetime = 1
COMMENT 'Endpoints that events are delivered to, as their owners set them up';

CREATE TABLE webhook_health
(
    `endpoint` String COMMENT 'Id of the endpoint',
    `version` UInt64 DEFAULT toUInt64(toUnixTimestamp64Micro(now64(6))) COMMENT 'Microseconds since the epoch by the clock of the store; the highest is in force',
    `failing_since` DateTime64(3, 'UTC') COMMENT 'First failure since the last success; the epoch while it answers',
    `failures` UInt32 COMMENT 'Failures since the last success',
    `disabled` DateTime64(3, 'UTC') COMMENT 'When it was disabled for failing; the epoch when it was not',
    `reason` String COMMENT 'Why it was disabled, or what the last failure was'
)
ENGINE = ReplacingMergeTree(version)
ORDER BY endpoint
SETTINGS index_granularity = 8192, non_replicated_deduplication_window = 1000
COMMENT 'How endpoints answer. One that was disabled after its owner turned it on is not sent to';
