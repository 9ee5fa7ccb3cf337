-- wallet_facts: what every base row says about each address it names, in one narrow shape. Nothing is stored here: final
-- rows pass through on their way into the states, hot rows are read through wallet_facts_hot, whose branches are the
-- same SELECTs (test/contract/features.test.ts holds them equal). One view per table tells all its facts: each view plans
-- wallet_features anew with every insert, which takes 12 ms however few the rows are.

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

CREATE MATERIALIZED VIEW wallet_facts_from_transactions ${on_cluster} TO wallet_facts AS
SELECT network, if(fact = 'received', receiver, sender) AS address, fact, block_time, position,
  if(fact = 'received', sender, receiver) AS counterparty, if(fact = 'message', 0, value) AS amount, if(fact = 'sent', a.fee, 0) AS fee,
  fact != 'received' OR sender = receiver AS own, status = 0 AS failed, 0 AS pulled
FROM transactions AS a
ARRAY JOIN if(message = '' OR startsWith(message, 'data:'), ['sent', 'received'], ['sent', 'received', 'message']) AS fact
WHERE address != '';

CREATE MATERIALIZED VIEW wallet_facts_from_ledger ${on_cluster} TO wallet_facts AS
SELECT network, if(carries, initiator, a.address) AS address,
  multiIf(carries, 'carry',
    kind IN ('native', 'internal'), if(direction = 1, 'in', 'out'),
    kind IN ('nft', 'multi'), if(direction = 1, 'nft_in', 'nft_out'),
    kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'),
    if(direction = 1, 'token_in', 'token_out')) AS fact,
  block_time, position, if(carries, a.address, a.counterparty) AS counterparty, if(carries, 0, a.amount) AS amount, toUInt256(0) AS fee,
  carries OR initiator = a.address AS own, 0 AS failed, NOT carries AND initiator NOT IN (a.address, a.counterparty) AS pulled
FROM ledger AS a
ARRAY JOIN if(kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', a.address, a.counterparty)
  AND a.amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000)), [0, 1], [0]) AS carries
WHERE address != '';

CREATE MATERIALIZED VIEW wallet_facts_from_approvals ${on_cluster} TO wallet_facts AS
SELECT network, if(fact = 'approved', spender, owner) AS address, fact, block_time, position,
  if(fact = 'approved', owner, spender) AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = address AS own, 0 AS failed, 0 AS pulled
FROM approvals AS a
ARRAY JOIN if(a.amount = 0 AND kind != 'nft', ['revoke'], ['approve', 'approved']) AS fact
WHERE address != '';

CREATE MATERIALIZED VIEW wallet_facts_from_creations ${on_cluster} TO wallet_facts AS
SELECT network, if(fact = 'create', root_creator, contract) AS address, fact, block_time, position,
  if(fact = 'create', contract, root_creator) AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, fact = 'create' AS own, 0 AS failed, 0 AS pulled
FROM creations
ARRAY JOIN ['create', 'created'] AS fact
WHERE event = 'create' AND address != '';

CREATE MATERIALIZED VIEW wallet_facts_from_liquidity ${on_cluster} TO wallet_facts AS
SELECT network, provider AS address, if(event = 'add', 'lp_add', 'lp_remove') AS fact, block_time, position,
  pool AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled
FROM liquidity
WHERE provider != '';

CREATE MATERIALIZED VIEW wallet_facts_from_authority ${on_cluster} TO wallet_facts AS
SELECT network, if(fact = 'mixer', authority, subject) AS address, fact, block_time, position,
  if(fact = 'mixer', subject, authority) AS counterparty, amount, toUInt256(0) AS fee, fact != 'mixer' AND actor = subject AS own, 0 AS failed, 0 AS pulled
FROM authority
ARRAY JOIN [toString(event), 'mixer'] AS fact
WHERE event IN ('mixer_deposit', 'mixer_withdraw') AND address != '';

CREATE MATERIALIZED VIEW wallet_facts_from_delegations ${on_cluster} TO wallet_facts AS
SELECT network, if(fact = 'delegate', authority, delegate) AS address, fact, block_time, position,
  if(fact = 'delegate', delegate, authority) AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, fact = 'delegate' AND initiator = authority AS own, 0 AS failed, 0 AS pulled
FROM delegations
ARRAY JOIN ['delegate', 'delegated'] AS fact
WHERE address != '';

CREATE VIEW wallet_facts_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, if(fact = 'received', receiver, sender) AS address, fact, block_time, position,
  if(fact = 'received', sender, receiver) AS counterparty, if(fact = 'message', 0, value) AS amount, if(fact = 'sent', a.fee, 0) AS fee,
  fact != 'received' OR sender = receiver AS own, status = 0 AS failed, 0 AS pulled
FROM transactions_hot AS a FINAL
ARRAY JOIN if(message = '' OR startsWith(message, 'data:'), ['sent', 'received'], ['sent', 'received', 'message']) AS fact
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND address != ''
UNION ALL
SELECT network, if(carries, initiator, a.address) AS address,
  multiIf(carries, 'carry',
    kind IN ('native', 'internal'), if(direction = 1, 'in', 'out'),
    kind IN ('nft', 'multi'), if(direction = 1, 'nft_in', 'nft_out'),
    kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'),
    if(direction = 1, 'token_in', 'token_out')) AS fact,
  block_time, position, if(carries, a.address, a.counterparty) AS counterparty, if(carries, 0, a.amount) AS amount, toUInt256(0) AS fee,
  carries OR initiator = a.address AS own, 0 AS failed, NOT carries AND initiator NOT IN (a.address, a.counterparty) AS pulled
FROM ledger_hot AS a FINAL
ARRAY JOIN if(kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', a.address, a.counterparty)
  AND a.amount <= if(network = 'BNB', toUInt256('10000000000000000000'), toUInt256(10000000)), [0, 1], [0]) AS carries
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND address != ''
UNION ALL
SELECT network, if(fact = 'approved', spender, owner) AS address, fact, block_time, position,
  if(fact = 'approved', owner, spender) AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, initiator = address AS own, 0 AS failed, 0 AS pulled
FROM approvals_hot AS a FINAL
ARRAY JOIN if(a.amount = 0 AND kind != 'nft', ['revoke'], ['approve', 'approved']) AS fact
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND address != ''
UNION ALL
SELECT network, if(fact = 'create', root_creator, contract) AS address, fact, block_time, position,
  if(fact = 'create', contract, root_creator) AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, fact = 'create' AS own, 0 AS failed, 0 AS pulled
FROM creations_hot FINAL
ARRAY JOIN ['create', 'created'] AS fact
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND event = 'create' AND address != ''
UNION ALL
SELECT network, provider AS address, if(event = 'add', 'lp_add', 'lp_remove') AS fact, block_time, position,
  pool AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, 1 AS own, 0 AS failed, 0 AS pulled
FROM liquidity_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND provider != ''
UNION ALL
SELECT network, if(fact = 'mixer', authority, subject) AS address, fact, block_time, position,
  if(fact = 'mixer', subject, authority) AS counterparty, amount, toUInt256(0) AS fee, fact != 'mixer' AND actor = subject AS own, 0 AS failed, 0 AS pulled
FROM authority_hot FINAL
ARRAY JOIN [toString(event), 'mixer'] AS fact
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND event IN ('mixer_deposit', 'mixer_withdraw') AND address != ''
UNION ALL
SELECT network, if(fact = 'delegate', authority, delegate) AS address, fact, block_time, position,
  if(fact = 'delegate', delegate, authority) AS counterparty, toUInt256(0) AS amount, toUInt256(0) AS fee, fact = 'delegate' AND initiator = authority AS own, 0 AS failed, 0 AS pulled
FROM delegations_hot FINAL
ARRAY JOIN ['delegate', 'delegated'] AS fact
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND address != ''
COMMENT 'Facts of hot rows above the watermark: what final states do not hold yet';
