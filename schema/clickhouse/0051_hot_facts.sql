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

CREATE MATERIALIZED VIEW facts_hot_from_transactions ${on_cluster} TO facts_hot AS
SELECT network, if(fact = 'received', receiver, sender) AS address, fact, block_time, position,
  if(fact = 'received', sender, receiver) AS counterparty, if(fact = 'message', 0, value) AS amount, if(fact = 'sent', a.fee, 0) AS fee,
  fact != 'received' OR sender = receiver AS own, status = 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM transactions_hot AS a
ARRAY JOIN if(message = '' OR startsWith(message, 'data:'), ['sent', 'received'], ['sent', 'received', 'message']) AS fact
WHERE is_deleted = 0 AND address != '';

CREATE MATERIALIZED VIEW facts_hot_from_ledger ${on_cluster} TO facts_hot AS
SELECT network, if(carries, initiator, a.address) AS address,
  multiIf(carries, 'carry',
    kind IN ('native', 'internal'), if(direction = 1, 'in', 'out'),
    kind IN ('nft', 'multi'), if(direction = 1, 'nft_in', 'nft_out'),
    kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'),
    if(direction = 1, 'token_in', 'token_out')) AS fact,
  block_time, position, if(carries, a.address, a.counterparty) AS counterparty, if(carries, 0, a.amount) AS amount, toUInt256(0) AS fee,
  carries OR initiator = a.address AS own, 0 AS failed, NOT carries AND initiator NOT IN (a.address, a.counterparty) AS pulled, block_number, if(carries, cityHash64(a.counterparty, asset, token_id, a.amount), cityHash64(kind, asset, token_id, a.amount)) AS leg, version
FROM ledger_hot AS a
ARRAY JOIN if(kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', a.address, a.counterparty)
  AND a.amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000)), [0, 1], [0]) AS carries
WHERE is_deleted = 0 AND address != '';

CREATE MATERIALIZED VIEW facts_hot_from_approvals ${on_cluster} TO facts_hot AS
SELECT network, if(fact = 'approved', spender, owner) AS address, fact, block_time, position,
  if(fact = 'approved', owner, spender) AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = address AS own, 0 AS failed, 0 AS pulled, block_number, cityHash64(asset, kind, a.amount) AS leg, version
FROM approvals_hot AS a
ARRAY JOIN if(a.amount = 0 AND kind != 'nft', ['revoke'], ['approve', 'approved']) AS fact
WHERE is_deleted = 0 AND address != '';

CREATE MATERIALIZED VIEW facts_hot_from_creations ${on_cluster} TO facts_hot AS
SELECT network, if(fact = 'create', root_creator, contract) AS address, fact, block_time, position,
  if(fact = 'create', contract, root_creator) AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, fact = 'create' AS own, 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM creations_hot
ARRAY JOIN ['create', 'created'] AS fact
WHERE is_deleted = 0 AND event = 'create' AND address != '';

CREATE MATERIALIZED VIEW facts_hot_from_liquidity ${on_cluster} TO facts_hot AS
SELECT network, provider AS address, if(event = 'add', 'lp_add', 'lp_remove') AS fact, block_time, position,
  pool AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled, block_number, cityHash64(owner) AS leg, version
FROM liquidity_hot
WHERE is_deleted = 0 AND provider != '';

CREATE MATERIALIZED VIEW facts_hot_from_authority ${on_cluster} TO facts_hot AS
SELECT network, if(fact = 'mixer', authority, subject) AS address, fact, block_time, position,
  if(fact = 'mixer', subject, authority) AS counterparty, amount, toUInt256(0) AS fee, fact != 'mixer' AND actor = subject AS own, 0 AS failed, 0 AS pulled, block_number, cityHash64(actor, detail) AS leg, version
FROM authority_hot
ARRAY JOIN [toString(event), 'mixer'] AS fact
WHERE is_deleted = 0 AND event IN ('mixer_deposit', 'mixer_withdraw') AND address != '';

CREATE MATERIALIZED VIEW facts_hot_from_delegations ${on_cluster} TO facts_hot AS
SELECT network, if(fact = 'delegate', authority, delegate) AS address, fact, block_time, position,
  if(fact = 'delegate', delegate, authority) AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, fact = 'delegate' AND initiator = authority AS own, 0 AS failed, 0 AS pulled, block_number, 0 AS leg, version
FROM delegations_hot
ARRAY JOIN ['delegate', 'delegated'] AS fact
WHERE is_deleted = 0 AND address != '';

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
