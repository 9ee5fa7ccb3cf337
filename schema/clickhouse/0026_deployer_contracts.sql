-- deployer_contracts: contracts by the account they go back to.

CREATE TABLE deployer_contracts ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  root_creator String COMMENT 'Externally owned account the creation goes back to',
  contract String COMMENT 'The contract',
  created_at SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first creation',
  creations SimpleAggregateFunction(sum, UInt64) COMMENT 'Creations at this address; more than one means it was created again',
  code_hash SimpleAggregateFunction(max, String) COMMENT 'Hash of the runtime code without metadata; empty when not visible',
  position SimpleAggregateFunction(min, UInt64) COMMENT 'Position of the first creation'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (network, root_creator, contract)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Contracts of each deployer. Factory creations included where traces were visible';

CREATE MATERIALIZED VIEW deployer_contracts_from_creations ${on_cluster} TO deployer_contracts AS
SELECT network, root_creator, contract,
  min(toNullable(block_time)) AS created_at, count() AS creations, max(code_hash) AS code_hash, min(position) AS position
FROM creations
WHERE event = 'create' AND root_creator != ''
GROUP BY network, root_creator, contract;

CREATE VIEW deployer_contracts_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, root_creator, contract,
  min(toNullable(block_time)) AS created_at, count() AS creations, max(code_hash) AS code_hash, min(position) AS position
FROM creations_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND event = 'create' AND root_creator != ''
GROUP BY network, root_creator, contract
COMMENT 'States of hot rows above the watermark, in the shape of deployer_contracts';

CREATE VIEW deployer_contracts_all ${on_cluster} AS
SELECT s.network AS network, s.root_creator AS root_creator, s.contract AS contract,
  min(s.created_at) AS created_at,
  sum(s.creations) AS creations,
  max(s.code_hash) AS code_hash,
  min(s.position) AS position
FROM (
  SELECT network, root_creator, contract, created_at, creations, code_hash, position
  FROM deployer_contracts
  UNION ALL
  SELECT network, root_creator, contract, created_at, creations, code_hash, position
  FROM deployer_contracts_hot
) AS s
GROUP BY s.network, s.root_creator, s.contract
COMMENT 'Contracts of each deployer, final and hot merged';
