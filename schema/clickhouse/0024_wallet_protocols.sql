-- wallet_protocols: which contracts an address called.

CREATE TABLE wallet_protocols ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address of the caller',
  contract String COMMENT 'Called contract',
  calls SimpleAggregateFunction(sum, UInt64) COMMENT 'Transactions with calldata',
  failed SimpleAggregateFunction(sum, UInt64) COMMENT 'Those that failed',
  value SimpleAggregateFunction(sum, UInt256) COMMENT 'Native coin sent along, base units',
  first_seen SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first call',
  last_seen SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last call'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (network, address, contract)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Contracts called by each address. Direct calls with at least a selector';

CREATE MATERIALIZED VIEW wallet_protocols_from_transactions ${on_cluster} TO wallet_protocols AS
SELECT network, sender AS address, receiver AS contract,
  count() AS calls, countIf(status = 0) AS failed, sum(value) AS value,
  min(toNullable(block_time)) AS first_seen, max(toNullable(block_time)) AS last_seen
FROM transactions
WHERE selector != '' AND sender != '' AND receiver != ''
GROUP BY network, address, contract;

CREATE VIEW wallet_protocols_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, sender AS address, receiver AS contract,
  count() AS calls, countIf(status = 0) AS failed, sum(value) AS value,
  min(toNullable(block_time)) AS first_seen, max(toNullable(block_time)) AS last_seen
FROM transactions_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND selector != '' AND sender != '' AND receiver != ''
GROUP BY network, address, contract
COMMENT 'States of hot rows above the watermark, in the shape of wallet_protocols';

CREATE VIEW wallet_protocols_all ${on_cluster} AS
SELECT s.network AS network, s.address AS address, s.contract AS contract,
  sum(s.calls) AS calls,
  sum(s.failed) AS failed,
  sum(s.value) AS value,
  min(s.first_seen) AS first_seen,
  max(s.last_seen) AS last_seen
FROM (
  SELECT network, address, contract, calls, failed, value, first_seen, last_seen
  FROM wallet_protocols
  UNION ALL
  SELECT network, address, contract, calls, failed, value, first_seen, last_seen
  FROM wallet_protocols_hot
) AS s
GROUP BY s.network, s.address, s.contract
COMMENT 'Contracts called by each address, final and hot merged';
