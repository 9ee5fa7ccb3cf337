-- The final part of views over both tiers that merge states: half as dear to plan, for when nothing is above the watermark.

CREATE VIEW wallet_edges_final ${on_cluster} AS
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
FROM wallet_edges AS s
GROUP BY s.network, s.address, s.counterparty
COMMENT 'Who moved value to and from whom, as of the newest final block: wallet_edges_all without hot rows';

CREATE VIEW wallet_assets_final ${on_cluster} AS
SELECT s.network AS network, s.address AS address, s.asset AS asset,
  sum(s.amount_in) AS amount_in,
  sum(s.amount_out) AS amount_out,
  sum(s.count_in) AS count_in,
  sum(s.count_out) AS count_out,
  min(s.first_seen) AS first_seen,
  max(s.last_seen) AS last_seen
FROM wallet_assets AS s
GROUP BY s.network, s.address, s.asset
COMMENT 'What each address moved of each asset, as of the newest final block: wallet_assets_all without hot rows';

CREATE VIEW deployer_contracts_final ${on_cluster} AS
SELECT s.network AS network, s.root_creator AS root_creator, s.contract AS contract,
  min(s.created_at) AS created_at,
  sum(s.creations) AS creations,
  max(s.code_hash) AS code_hash,
  min(s.position) AS position
FROM deployer_contracts AS s
GROUP BY s.network, s.root_creator, s.contract
COMMENT 'Contracts by the account they go back to, as of the newest final block: deployer_contracts_all without hot rows';

CREATE VIEW asset_approvals_final ${on_cluster} AS
SELECT s.network AS network, s.asset AS asset, uniqCombined64Merge(12)(s.signers) AS signers
FROM asset_approvals AS s
GROUP BY s.network, s.asset
COMMENT 'How many owners approved spenders of an asset themselves, as of the newest final block: asset_approvals_all without hot rows';
