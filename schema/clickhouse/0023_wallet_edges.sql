-- wallet_edges: who moved value to and from whom.

CREATE TABLE wallet_edges ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  counterparty String COMMENT 'The other party',
  native_in_count SimpleAggregateFunction(sum, UInt64) COMMENT 'Native movements from the counterparty, internal calls included',
  native_out_count SimpleAggregateFunction(sum, UInt64) COMMENT 'Native movements to the counterparty',
  native_in SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin from the counterparty, base units',
  native_out SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin to the counterparty, base units',
  token_in_count SimpleAggregateFunction(sum, UInt64) COMMENT 'Token and NFT movements from the counterparty that were not of nothing',
  token_out_count SimpleAggregateFunction(sum, UInt64) COMMENT 'Token and NFT movements to the counterparty that were not of nothing',
  own SimpleAggregateFunction(sum, UInt64) COMMENT 'Movements the address signed for itself',
  first_seen SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first movement',
  last_seen SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last movement'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (network, address, counterparty)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Value between each address and each counterparty. Wraps and self-transfers are left out';

CREATE MATERIALIZED VIEW wallet_edges_from_ledger ${on_cluster} TO wallet_edges AS
SELECT network, address, counterparty,
  countIf(kind IN ('native', 'internal') AND direction = 1) AS native_in_count,
  countIf(kind IN ('native', 'internal') AND direction = -1) AS native_out_count,
  sumIf(amount, kind IN ('native', 'internal') AND direction = 1) AS native_in,
  sumIf(amount, kind IN ('native', 'internal') AND direction = -1) AS native_out,
  countIf(kind IN ('fungible', 'nft', 'multi') AND direction = 1 AND (amount > 0 OR kind = 'nft')) AS token_in_count,
  countIf(kind IN ('fungible', 'nft', 'multi') AND direction = -1 AND (amount > 0 OR kind = 'nft')) AS token_out_count,
  countIf(initiator = address) AS own,
  min(toNullable(block_time)) AS first_seen, max(toNullable(block_time)) AS last_seen
FROM ledger
WHERE kind != 'wrap' AND address != '' AND counterparty NOT IN ('', address)
GROUP BY network, address, counterparty;

CREATE VIEW wallet_edges_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, address, counterparty,
  countIf(kind IN ('native', 'internal') AND direction = 1) AS native_in_count,
  countIf(kind IN ('native', 'internal') AND direction = -1) AS native_out_count,
  sumIf(amount, kind IN ('native', 'internal') AND direction = 1) AS native_in,
  sumIf(amount, kind IN ('native', 'internal') AND direction = -1) AS native_out,
  countIf(kind IN ('fungible', 'nft', 'multi') AND direction = 1 AND (amount > 0 OR kind = 'nft')) AS token_in_count,
  countIf(kind IN ('fungible', 'nft', 'multi') AND direction = -1 AND (amount > 0 OR kind = 'nft')) AS token_out_count,
  countIf(initiator = address) AS own,
  min(toNullable(block_time)) AS first_seen, max(toNullable(block_time)) AS last_seen
FROM ledger_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND kind != 'wrap' AND address != '' AND counterparty NOT IN ('', address)
GROUP BY network, address, counterparty
COMMENT 'States of hot rows above the watermark, in the shape of wallet_edges';

CREATE VIEW wallet_edges_all ${on_cluster} AS
SELECT s.network AS network, s.address AS address, s.counterparty AS counterparty,
  sum(s.native_in_count) AS native_in_count,
  sum(s.native_out_count) AS native_out_count,
  sum(s.native_in) AS native_in,
  sum(s.native_out) AS native_out,
  sum(s.token_in_count) AS token_in_count,
  sum(s.token_out_count) AS token_out_count,
  sum(s.own) AS own,
  min(s.first_seen) AS first_seen,
  max(s.last_seen) AS last_seen
FROM (
  SELECT network, address, counterparty, native_in_count, native_out_count, native_in, native_out, token_in_count, token_out_count, own, first_seen, last_seen
  FROM wallet_edges
  UNION ALL
  SELECT network, address, counterparty, native_in_count, native_out_count, native_in, native_out, token_in_count, token_out_count, own, first_seen, last_seen
  FROM wallet_edges_hot
) AS s
GROUP BY s.network, s.address, s.counterparty
COMMENT 'Value between each address and each counterparty, final and hot merged';
