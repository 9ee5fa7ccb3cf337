-- facts_hot: the facts of hot rows, stored, because a view over every hot table costs some 100 ms to plan: one wallet's hot facts
-- are one range here. Versions are those of the hot rows; an undo covers facts with tombstones of its own (hot-tier.ts), so
-- the views pass live rows only. They are the SELECTs of 0020 over hot rows (test/contract/features.test.ts holds them equal).

CREATE TABLE facts_hot ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Whom the fact is about',
  fact LowCardinality(String) COMMENT 'As in wallet_facts',
  block_number UInt32 COMMENT 'Height of the block',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network',
  counterparty String COMMENT 'The other address of the fact; empty for none',
  leg UInt64 COMMENT 'Tells facts apart that are otherwise the same: hash of what else the key of the hot row holds',
  amount UInt256 COMMENT 'Base units of whatever moved, else 0',
  fee UInt256 COMMENT 'Native fee paid with a sent transaction, base units, else 0',
  own UInt8 COMMENT '1 when the address signed the transaction',
  failed UInt8 COMMENT '1 when the transaction is known to have failed',
  pulled UInt8 COMMENT '1 when neither party of the movement signed the transaction',
  version UInt64 COMMENT 'Offset in the head topic, plus one, of the message that brought or undid the row',
  is_deleted UInt8 DEFAULT 0 COMMENT '1 when a reorg took the row away'
)
ENGINE = ${engine:ReplacingMergeTree(version, is_deleted)}
PARTITION BY (network, intDiv(block_number, 256))
ORDER BY (network, address, position, fact, counterparty, leg)
SETTINGS index_granularity = 256
COMMENT 'Facts of rows whose blocks are not final yet. Read with FINAL; partitions below the watermark are dropped';

CREATE MATERIALIZED VIEW facts_hot_sent ${on_cluster} TO facts_hot AS
SELECT network, sender AS address, 'sent' AS fact, block_time, position, receiver AS counterparty,
  value AS amount, fee, 1 AS own, status = 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM transactions_hot
WHERE is_deleted = 0 AND sender != '';

CREATE MATERIALIZED VIEW facts_hot_received ${on_cluster} TO facts_hot AS
SELECT network, receiver AS address, 'received' AS fact, block_time, position, sender AS counterparty,
  value AS amount, toUInt256(0) AS fee, sender = receiver AS own, status = 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM transactions_hot
WHERE is_deleted = 0 AND receiver != '';

CREATE MATERIALIZED VIEW facts_hot_wrote ${on_cluster} TO facts_hot AS
SELECT network, sender AS address, 'message' AS fact, block_time, position, receiver AS counterparty,
  toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, status = 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM transactions_hot
WHERE is_deleted = 0 AND sender != '' AND message != '' AND NOT startsWith(message, 'data:');

CREATE MATERIALIZED VIEW facts_hot_moved ${on_cluster} TO facts_hot AS
SELECT network, address,
  multiIf(kind IN ('native', 'internal'), if(direction = 1, 'in', 'out'),
    kind IN ('nft', 'multi'), if(direction = 1, 'nft_in', 'nft_out'),
    kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'),
    if(direction = 1, 'token_in', 'token_out')) AS fact,
  block_time, position, counterparty, amount, toUInt256(0) AS fee, initiator = address AS own, 0 AS failed, initiator NOT IN (address, counterparty) AS pulled, block_number, cityHash64(kind, asset, token_id, amount) AS leg, version
FROM ledger_hot
WHERE is_deleted = 0 AND address != '';

CREATE MATERIALIZED VIEW facts_hot_approved_by_owner ${on_cluster} TO facts_hot AS
SELECT network, owner AS address, if(a.amount = 0 AND kind != 'nft', 'revoke', 'approve') AS fact, block_time, position,
  spender AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = owner AS own, 0 AS failed, 0 AS pulled, block_number, cityHash64(asset, kind, a.amount) AS leg, version
FROM approvals_hot AS a
WHERE is_deleted = 0 AND owner != '';

CREATE MATERIALIZED VIEW facts_hot_approved_spender ${on_cluster} TO facts_hot AS
SELECT network, spender AS address, 'approved' AS fact, block_time, position,
  owner AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = spender AS own, 0 AS failed, 0 AS pulled, block_number, cityHash64(asset, kind, a.amount) AS leg, version
FROM approvals_hot AS a
WHERE is_deleted = 0 AND spender != '' AND NOT (a.amount = 0 AND kind != 'nft');

CREATE MATERIALIZED VIEW facts_hot_created_by_root ${on_cluster} TO facts_hot AS
SELECT network, root_creator AS address, 'create' AS fact, block_time, position,
  contract AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM creations_hot
WHERE is_deleted = 0 AND event = 'create' AND root_creator != '';

CREATE MATERIALIZED VIEW facts_hot_created_contract ${on_cluster} TO facts_hot AS
SELECT network, contract AS address, 'created' AS fact, block_time, position,
  root_creator AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 0 AS own, 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM creations_hot
WHERE is_deleted = 0 AND event = 'create' AND contract != '';

CREATE MATERIALIZED VIEW facts_hot_liquidity ${on_cluster} TO facts_hot AS
SELECT network, provider AS address, if(event = 'add', 'lp_add', 'lp_remove') AS fact, block_time, position,
  pool AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled, block_number, cityHash64(owner) AS leg, version
FROM liquidity_hot
WHERE is_deleted = 0 AND provider != '';

CREATE MATERIALIZED VIEW facts_hot_mixed ${on_cluster} TO facts_hot AS
SELECT network, subject AS address, event AS fact, block_time, position,
  authority AS counterparty, amount, toUInt256(0) AS fee, actor = subject AS own, 0 AS failed, 0 AS pulled, block_number, cityHash64(actor, detail) AS leg, version
FROM authority_hot
WHERE is_deleted = 0 AND event IN ('mixer_deposit', 'mixer_withdraw') AND subject != '';

CREATE MATERIALIZED VIEW facts_hot_mixer ${on_cluster} TO facts_hot AS
SELECT network, authority AS address, 'mixer' AS fact, block_time, position,
  subject AS counterparty, amount, toUInt256(0) AS fee, 0 AS own, 0 AS failed, 0 AS pulled, block_number, cityHash64(actor, detail) AS leg, version
FROM authority_hot
WHERE is_deleted = 0 AND event IN ('mixer_deposit', 'mixer_withdraw') AND authority != '';

CREATE MATERIALIZED VIEW facts_hot_delegated_by ${on_cluster} TO facts_hot AS
SELECT network, authority AS address, 'delegate' AS fact, block_time, position,
  delegate AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = authority AS own, 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM delegations_hot
WHERE is_deleted = 0 AND authority != '';

CREATE MATERIALIZED VIEW facts_hot_delegated_to ${on_cluster} TO facts_hot AS
SELECT network, delegate AS address, 'delegated' AS fact, block_time, position,
  authority AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 0 AS own, 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM delegations_hot
WHERE is_deleted = 0 AND delegate != '';

CREATE MATERIALIZED VIEW facts_hot_carried ${on_cluster} TO facts_hot AS
SELECT network, initiator AS address, 'carry' AS fact, block_time, position, a.address AS counterparty,
  toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled, block_number, cityHash64(a.counterparty, asset, token_id, a.amount) AS leg, version
FROM ledger_hot AS a
WHERE is_deleted = 0 AND kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', a.address, a.counterparty)
  AND a.amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000));

-- Hot rows of before pass the views once more. Each meets itself in its own table, where one of two of one version counts.
INSERT INTO transactions_hot SELECT * FROM transactions_hot FINAL;
INSERT INTO ledger_hot SELECT * FROM ledger_hot FINAL;
INSERT INTO approvals_hot SELECT * FROM approvals_hot FINAL;
INSERT INTO creations_hot SELECT * FROM creations_hot FINAL;
INSERT INTO liquidity_hot SELECT * FROM liquidity_hot FINAL;
INSERT INTO authority_hot SELECT * FROM authority_hot FINAL;
INSERT INTO delegations_hot SELECT * FROM delegations_hot FINAL;

-- The bounds of before, without views within views: each level is planned again wherever a hot view is read.
CREATE OR REPLACE VIEW hot_bounds ${on_cluster} AS
SELECT network, max(b.settled) AS settled, max(b.head) AS head
FROM (
  SELECT toString(network) AS network, 0 AS settled, max(block_number) AS head FROM blocks_hot FINAL GROUP BY network
  UNION ALL
  SELECT toString(network) AS network, argMax(w.settled, w.version) AS settled, 0 AS head FROM watermarks AS w GROUP BY network
) AS b
GROUP BY network
HAVING head > 0
COMMENT 'Hot blocks readers may count: above settled, up to head, the newest that is complete';

CREATE OR REPLACE VIEW wallet_facts_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, address, fact, block_time, position, counterparty, amount, fee, own, failed, pulled
FROM facts_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2
COMMENT 'Facts of hot rows above the watermark: what final states do not hold yet';
