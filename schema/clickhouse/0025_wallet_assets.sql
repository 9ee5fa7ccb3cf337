-- wallet_assets: what an address holds of each asset, by address; asset_holders is the same by asset.

CREATE TABLE wallet_assets ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  asset String COMMENT 'Token contract; empty for the native coin',
  amount_in SimpleAggregateFunction(sum, UInt256) COMMENT 'Received, base units of the asset',
  amount_out SimpleAggregateFunction(sum, UInt256) COMMENT 'Given, base units of the asset; amount_in - amount_out is the balance as far as movements tell (fees of the native coin apart)',
  count_in SimpleAggregateFunction(sum, UInt64) COMMENT 'Movements to the address',
  count_out SimpleAggregateFunction(sum, UInt64) COMMENT 'Movements from the address',
  first_seen SimpleAggregateFunction(min, Nullable(DateTime('UTC'))) COMMENT 'Time of the first movement',
  last_seen SimpleAggregateFunction(max, Nullable(DateTime('UTC'))) COMMENT 'Time of the last movement'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (network, address, asset)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Movements of each address in each fungible asset. Balances follow from them';

CREATE MATERIALIZED VIEW wallet_assets_from_ledger ${on_cluster} TO wallet_assets AS
SELECT network, address, asset,
  sumIf(amount, direction = 1) AS amount_in, sumIf(amount, direction = -1) AS amount_out,
  countIf(direction = 1) AS count_in, countIf(direction = -1) AS count_out,
  min(toNullable(block_time)) AS first_seen, max(toNullable(block_time)) AS last_seen
FROM ledger
WHERE kind NOT IN ('nft', 'multi') AND address != ''
GROUP BY network, address, asset;

CREATE VIEW wallet_assets_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, address, asset,
  sumIf(amount, direction = 1) AS amount_in, sumIf(amount, direction = -1) AS amount_out,
  countIf(direction = 1) AS count_in, countIf(direction = -1) AS count_out,
  min(toNullable(block_time)) AS first_seen, max(toNullable(block_time)) AS last_seen
FROM ledger_hot FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND kind NOT IN ('nft', 'multi') AND address != ''
GROUP BY network, address, asset
COMMENT 'States of hot rows above the watermark, in the shape of wallet_assets';

CREATE VIEW wallet_assets_all ${on_cluster} AS
SELECT s.network AS network, s.address AS address, s.asset AS asset,
  sum(s.amount_in) AS amount_in,
  sum(s.amount_out) AS amount_out,
  sum(s.count_in) AS count_in,
  sum(s.count_out) AS count_out,
  min(s.first_seen) AS first_seen,
  max(s.last_seen) AS last_seen
FROM (
  SELECT network, address, asset, amount_in, amount_out, count_in, count_out, first_seen, last_seen
  FROM wallet_assets
  UNION ALL
  SELECT network, address, asset, amount_in, amount_out, count_in, count_out, first_seen, last_seen
  FROM wallet_assets_hot
) AS s
GROUP BY s.network, s.address, s.asset
COMMENT 'Movements of each address in each fungible asset, final and hot merged';

CREATE TABLE asset_holders ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  asset String COMMENT 'Token contract; empty for the native coin',
  address String COMMENT 'Canonical address of the holder',
  amount_in SimpleAggregateFunction(sum, UInt256) COMMENT 'Received, base units of the asset',
  amount_out SimpleAggregateFunction(sum, UInt256) COMMENT 'Given, base units of the asset'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (network, asset, address)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'wallet_assets sorted by asset: holders of a token are one range. Final blocks only';

CREATE MATERIALIZED VIEW asset_holders_from_ledger ${on_cluster} TO asset_holders AS
SELECT network, asset, address,
  sumIf(amount, direction = 1) AS amount_in, sumIf(amount, direction = -1) AS amount_out
FROM ledger
WHERE kind NOT IN ('nft', 'multi') AND address != '' AND asset != ''
GROUP BY network, asset, address;
