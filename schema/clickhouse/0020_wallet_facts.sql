-- wallet_facts: what every base row says about each address it names, in one narrow shape. Nothing is stored here: final
-- rows pass through on their way into the states, hot rows are read through wallet_facts_hot, whose branches are the
-- same SELECTs (test/contract/features.test.ts holds them equal).

CREATE VIEW hot_bounds ${on_cluster} AS
SELECT h.network AS network, s.settled AS settled, h.head AS head
FROM (SELECT toString(network) AS network, max(block_number) AS head FROM blocks_hot FINAL GROUP BY network) AS h
LEFT JOIN settled_heights AS s ON s.network = h.network
COMMENT 'Hot blocks readers may count: above settled, up to head, the newest that is complete';

CREATE TABLE wallet_facts ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Whom the fact is about',
  fact LowCardinality(String) COMMENT 'sent, received (transactions); message (text in calldata, inscriptions left out); in, out (native, internal calls included); token_in, token_out; nft_in, nft_out; wrap_in, wrap_out; approve, revoke (as owner), approved (as spender); create (as root creator), created (the contract itself); lp_add, lp_remove; mixer (the pool), mixer_deposit, mixer_withdraw; delegate (EIP-7702 authority), delegated (the code); carry (signed a movement of nothing or of next to nothing between two others)',
  block_time DateTime('UTC') COMMENT 'Time of the block',
  position UInt64 COMMENT 'Sortable position in the network',
  counterparty String COMMENT 'The other address of the fact; empty for none',
  amount UInt256 COMMENT 'Base units of whatever moved, else 0',
  fee UInt256 COMMENT 'Native fee paid with a sent transaction, base units, else 0',
  own UInt8 COMMENT '1 when the address signed the transaction',
  failed UInt8 COMMENT '1 when the transaction is known to have failed',
  pulled UInt8 COMMENT '1 when neither party of the movement signed the transaction'
)
ENGINE = Null
COMMENT 'What base rows say about the addresses they name: the shape between tables and wallet features. Holds nothing';

CREATE MATERIALIZED VIEW wallet_facts_sent ${on_cluster} TO wallet_facts AS
SELECT network, sender AS address, 'sent' AS fact, block_time, position, receiver AS counterparty,
  value AS amount, fee, 1 AS own, status = 0 AS failed, 0 AS pulled
FROM transactions
WHERE sender != '';

CREATE MATERIALIZED VIEW wallet_facts_received ${on_cluster} TO wallet_facts AS
SELECT network, receiver AS address, 'received' AS fact, block_time, position, sender AS counterparty,
  value AS amount, toUInt256(0) AS fee, sender = receiver AS own, status = 0 AS failed, 0 AS pulled
FROM transactions
WHERE receiver != '';

CREATE MATERIALIZED VIEW wallet_facts_wrote ${on_cluster} TO wallet_facts AS
SELECT network, sender AS address, 'message' AS fact, block_time, position, receiver AS counterparty,
  toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, status = 0 AS failed, 0 AS pulled
FROM transactions
WHERE sender != '' AND message != '' AND NOT startsWith(message, 'data:');

CREATE MATERIALIZED VIEW wallet_facts_moved ${on_cluster} TO wallet_facts AS
SELECT network, address,
  multiIf(kind IN ('native', 'internal'), if(direction = 1, 'in', 'out'),
    kind IN ('nft', 'multi'), if(direction = 1, 'nft_in', 'nft_out'),
    kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'),
    if(direction = 1, 'token_in', 'token_out')) AS fact,
  block_time, position, counterparty, amount, toUInt256(0) AS fee, initiator = address AS own, 0 AS failed, initiator NOT IN (address, counterparty) AS pulled
FROM ledger
WHERE address != '';

CREATE MATERIALIZED VIEW wallet_facts_approved_by_owner ${on_cluster} TO wallet_facts AS
SELECT network, owner AS address, if(a.amount = 0 AND kind != 'nft', 'revoke', 'approve') AS fact, block_time, position,
  spender AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = owner AS own, 0 AS failed, 0 AS pulled
FROM approvals AS a
WHERE owner != '';

CREATE MATERIALIZED VIEW wallet_facts_approved_spender ${on_cluster} TO wallet_facts AS
SELECT network, spender AS address, 'approved' AS fact, block_time, position,
  owner AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = spender AS own, 0 AS failed, 0 AS pulled
FROM approvals AS a
WHERE spender != '' AND NOT (a.amount = 0 AND kind != 'nft');

CREATE MATERIALIZED VIEW wallet_facts_created_by_root ${on_cluster} TO wallet_facts AS
SELECT network, root_creator AS address, 'create' AS fact, block_time, position,
  contract AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled
FROM creations
WHERE event = 'create' AND root_creator != '';

CREATE MATERIALIZED VIEW wallet_facts_created_contract ${on_cluster} TO wallet_facts AS
SELECT network, contract AS address, 'created' AS fact, block_time, position,
  root_creator AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 0 AS own, 0 AS failed, 0 AS pulled
FROM creations
WHERE event = 'create' AND contract != '';

CREATE MATERIALIZED VIEW wallet_facts_liquidity ${on_cluster} TO wallet_facts AS
SELECT network, provider AS address, if(event = 'add', 'lp_add', 'lp_remove') AS fact, block_time, position,
  pool AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled
FROM liquidity
WHERE provider != '';

CREATE MATERIALIZED VIEW wallet_facts_mixed ${on_cluster} TO wallet_facts AS
SELECT network, subject AS address, event AS fact, block_time, position,
  authority AS counterparty, amount, toUInt256(0) AS fee, actor = subject AS own, 0 AS failed, 0 AS pulled
FROM authority
WHERE event IN ('mixer_deposit', 'mixer_withdraw') AND subject != '';

CREATE MATERIALIZED VIEW wallet_facts_mixer ${on_cluster} TO wallet_facts AS
SELECT network, authority AS address, 'mixer' AS fact, block_time, position,
  subject AS counterparty, amount, toUInt256(0) AS fee, 0 AS own, 0 AS failed, 0 AS pulled
FROM authority
WHERE event IN ('mixer_deposit', 'mixer_withdraw') AND authority != '';

CREATE MATERIALIZED VIEW wallet_facts_delegated_by ${on_cluster} TO wallet_facts AS
SELECT network, authority AS address, 'delegate' AS fact, block_time, position,
  delegate AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = authority AS own, 0 AS failed, 0 AS pulled
FROM delegations
WHERE authority != '';

CREATE MATERIALIZED VIEW wallet_facts_delegated_to ${on_cluster} TO wallet_facts AS
SELECT network, delegate AS address, 'delegated' AS fact, block_time, position,
  authority AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 0 AS own, 0 AS failed, 0 AS pulled
FROM delegations
WHERE delegate != '';

CREATE MATERIALIZED VIEW wallet_facts_carried ${on_cluster} TO wallet_facts AS
SELECT network, initiator AS address, 'carry' AS fact, block_time, position, a.address AS counterparty,
  toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled
FROM ledger AS a
WHERE kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', a.address, a.counterparty)
  AND a.amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000));

CREATE VIEW wallet_facts_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, sender AS address, 'sent' AS fact, block_time, position, receiver AS counterparty,
  value AS amount, fee, 1 AS own, status = 0 AS failed, 0 AS pulled
FROM transactions_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND sender != ''
UNION ALL
SELECT network, receiver AS address, 'received' AS fact, block_time, position, sender AS counterparty,
  value AS amount, toUInt256(0) AS fee, sender = receiver AS own, status = 0 AS failed, 0 AS pulled
FROM transactions_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND receiver != ''
UNION ALL
SELECT network, sender AS address, 'message' AS fact, block_time, position, receiver AS counterparty,
  toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, status = 0 AS failed, 0 AS pulled
FROM transactions_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND sender != '' AND message != '' AND NOT startsWith(message, 'data:')
UNION ALL
SELECT network, address,
  multiIf(kind IN ('native', 'internal'), if(direction = 1, 'in', 'out'),
    kind IN ('nft', 'multi'), if(direction = 1, 'nft_in', 'nft_out'),
    kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'),
    if(direction = 1, 'token_in', 'token_out')) AS fact,
  block_time, position, counterparty, amount, toUInt256(0) AS fee, initiator = address AS own, 0 AS failed, initiator NOT IN (address, counterparty) AS pulled
FROM ledger_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND address != ''
UNION ALL
SELECT network, owner AS address, if(a.amount = 0 AND kind != 'nft', 'revoke', 'approve') AS fact, block_time, position,
  spender AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = owner AS own, 0 AS failed, 0 AS pulled
FROM approvals_hot AS a FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND owner != ''
UNION ALL
SELECT network, spender AS address, 'approved' AS fact, block_time, position,
  owner AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = spender AS own, 0 AS failed, 0 AS pulled
FROM approvals_hot AS a FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND spender != '' AND NOT (a.amount = 0 AND kind != 'nft')
UNION ALL
SELECT network, root_creator AS address, 'create' AS fact, block_time, position,
  contract AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled
FROM creations_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND event = 'create' AND root_creator != ''
UNION ALL
SELECT network, contract AS address, 'created' AS fact, block_time, position,
  root_creator AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 0 AS own, 0 AS failed, 0 AS pulled
FROM creations_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND event = 'create' AND contract != ''
UNION ALL
SELECT network, provider AS address, if(event = 'add', 'lp_add', 'lp_remove') AS fact, block_time, position,
  pool AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled
FROM liquidity_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND provider != ''
UNION ALL
SELECT network, subject AS address, event AS fact, block_time, position,
  authority AS counterparty, amount, toUInt256(0) AS fee, actor = subject AS own, 0 AS failed, 0 AS pulled
FROM authority_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND event IN ('mixer_deposit', 'mixer_withdraw') AND subject != ''
UNION ALL
SELECT network, authority AS address, 'mixer' AS fact, block_time, position,
  subject AS counterparty, amount, toUInt256(0) AS fee, 0 AS own, 0 AS failed, 0 AS pulled
FROM authority_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND event IN ('mixer_deposit', 'mixer_withdraw') AND authority != ''
UNION ALL
SELECT network, authority AS address, 'delegate' AS fact, block_time, position,
  delegate AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = authority AS own, 0 AS failed, 0 AS pulled
FROM delegations_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND authority != ''
UNION ALL
SELECT network, delegate AS address, 'delegated' AS fact, block_time, position,
  authority AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 0 AS own, 0 AS failed, 0 AS pulled
FROM delegations_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND delegate != ''
UNION ALL
SELECT network, initiator AS address, 'carry' AS fact, block_time, position, a.address AS counterparty,
  toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled
FROM ledger_hot AS a FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', a.address, a.counterparty)
  AND a.amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000))
COMMENT 'Facts of hot rows above the watermark: what final states do not hold yet';
