-- Inserts whose token ends with ':facts apart' state their facts by an insert of their own (ADR 41): their views pass nothing.

ALTER TABLE wallet_facts_from_transactions ${on_cluster} MODIFY QUERY
SELECT network,
  if(fact = 'received', receiver, sender) AS address,
  fact,
  block_time,
  position,
  if(fact = 'received', sender, receiver) AS counterparty,
  if(fact = 'message', 0, value) AS amount,
  if(fact = 'sent', a.fee, 0) AS fee,
  fact != 'received' OR sender = receiver AS own,
  status = 0 AS failed,
  0 AS pulled
FROM transactions AS a
ARRAY JOIN if(message = '' OR startsWith(message, 'data:'), ['sent', 'received'], ['sent', 'received', 'message']) AS fact
WHERE address != '' AND NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart');

ALTER TABLE wallet_facts_from_ledger ${on_cluster} MODIFY QUERY
SELECT network,
  if(third_party, initiator, a.address) AS address,
  multiIf(third_party, 'third_party_dust',
    kind IN ('native', 'internal'), if(direction = 1, 'in', 'out'),
    kind IN ('nft', 'multi'), if(direction = 1, 'nft_in', 'nft_out'),
    kind = 'wrap', if(direction = 1, 'wrap_in', 'wrap_out'),
    if(direction = 1, 'token_in', 'token_out')) AS fact,
  block_time,
  position,
  if(third_party, a.address, a.counterparty) AS counterparty,
  if(third_party, 0, a.amount) AS amount,
  toUInt256(0) AS fee,
  third_party OR initiator = a.address AS own,
  0 AS failed,
  NOT third_party AND initiator NOT IN (a.address, a.counterparty) AS pulled
FROM ledger AS a
ARRAY JOIN if(kind = 'fungible' AND direction = -1 AND initiator NOT IN ('', a.address, a.counterparty)
  AND a.amount <= (SELECT mapFromArrays(groupArray(toString(n.network)), groupArray(n.token_dust)) FROM networks AS n FINAL)[toString(network)], [0, 1], [0]) AS third_party
WHERE address != '' AND NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart');

ALTER TABLE wallet_facts_from_approvals ${on_cluster} MODIFY QUERY
SELECT network,
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
ARRAY JOIN if(a.amount = 0 AND kind != 'nft', ['revoke'], ['approve', 'approved']) AS fact
WHERE address != '' AND NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart');

ALTER TABLE wallet_facts_from_creations ${on_cluster} MODIFY QUERY
SELECT network,
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
WHERE event = 'create' AND address != '' AND NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart');

ALTER TABLE wallet_facts_from_liquidity ${on_cluster} MODIFY QUERY
SELECT network,
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
WHERE provider != '' AND NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart');

ALTER TABLE wallet_facts_from_authority ${on_cluster} MODIFY QUERY
SELECT network,
  if(fact = 'mixer', authority, subject) AS address,
  fact,
  block_time,
  position,
  if(fact = 'mixer', subject, authority) AS counterparty,
  a.amount AS amount,
  toUInt256(0) AS fee,
  fact != 'mixer' AND actor = subject AS own,
  0 AS failed,
  0 AS pulled
FROM authority AS a
ARRAY JOIN [toString(event), 'mixer'] AS fact
WHERE event IN ('mixer_deposit', 'mixer_withdraw') AND address != '' AND NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart');

ALTER TABLE wallet_facts_from_delegations ${on_cluster} MODIFY QUERY
SELECT network,
  if(fact = 'delegate', authority, delegate) AS address,
  fact,
  block_time,
  position,
  if(fact = 'delegate', delegate, authority) AS counterparty,
  toUInt256(0) AS amount,
  toUInt256(0) AS fee,
  fact = 'delegate' AND initiator = authority AS own,
  0 AS failed,
  0 AS pulled
FROM delegations AS a
ARRAY JOIN ['delegate', 'delegated'] AS fact
WHERE address != '' AND NOT endsWith(getSetting('insert_deduplication_token'), ':facts apart');
