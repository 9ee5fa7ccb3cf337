-- asset_approvals: how many owners approved spenders of an asset in transactions of their own. A token contract can emit
-- approvals in the name of anybody, so what it says of owners who signed nothing is believed only as far as others did sign
-- (scorer/detection/approvals.ts).

CREATE TABLE asset_approvals ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  asset String COMMENT 'Token contract that says so; approvals through Permit2 are left out',
  signers AggregateFunction(uniqCombined64(12), String) COMMENT 'Distinct owners who sent the transaction of an approval they gave'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (network, asset)
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Owners who signed for their approvals, by asset. Merge with uniqCombined64Merge(12); asset_approvals_all does';

INSERT INTO asset_approvals (network, asset, signers)
SELECT network, asset, uniqCombined64State(12)(owner) AS signers
FROM approvals AS a
WHERE owner != '' AND initiator = owner AND kind != 'permit2' AND NOT (a.amount = 0 AND kind != 'nft')
GROUP BY network, asset;

CREATE MATERIALIZED VIEW asset_approvals_from_approvals ${on_cluster} TO asset_approvals AS
SELECT network, asset, uniqCombined64State(12)(owner) AS signers
FROM approvals AS a
WHERE owner != '' AND initiator = owner AND kind != 'permit2' AND NOT (a.amount = 0 AND kind != 'nft')
GROUP BY network, asset;

CREATE VIEW asset_approvals_hot ${on_cluster} AS
WITH (SELECT mapFromArrays(groupArray(network), groupArray((settled, head))) FROM hot_bounds) AS bounds
SELECT network, asset, uniqCombined64State(12)(owner) AS signers
FROM approvals_hot AS a FINAL
WHERE block_number > bounds[toString(network)].1 AND block_number <= bounds[toString(network)].2 AND owner != '' AND initiator = owner AND kind != 'permit2' AND NOT (a.amount = 0 AND kind != 'nft')
GROUP BY network, asset
COMMENT 'States of hot rows above the watermark, in the shape of asset_approvals';

CREATE VIEW asset_approvals_all ${on_cluster} AS
SELECT s.network AS network, s.asset AS asset, uniqCombined64Merge(12)(s.signers) AS signers
FROM (
  SELECT network, asset, signers FROM asset_approvals
  UNION ALL
  SELECT network, asset, signers FROM asset_approvals_hot
) AS s
GROUP BY s.network, s.asset
COMMENT 'How many owners signed for approvals of each asset, final and hot merged';
