-- wallet_ranks: the leaderboard of each network, made anew by each refresh; wallet_rank_refreshes says which refresh is complete.

CREATE TABLE wallet_ranks ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  version UInt64 COMMENT 'Refresh that gave the rank, milliseconds since the epoch',
  points Float64 COMMENT 'Reputation points: (1000/110) (experience + 1) (risk capability + 1) (1 - probability), plus small shares for transactions and age',
  place UInt32 COMMENT 'Dense rank by points, 1 is best'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY (network, address)
SETTINGS ${deduplication_window:1000}, index_granularity = 256
COMMENT 'Rank of each wallet with a stored profile and enough transactions. Rows older than the newest complete refresh do not count';

CREATE TABLE wallet_rank_refreshes ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  version UInt64 COMMENT 'Refresh that is complete, milliseconds since the epoch',
  finished_at DateTime('UTC') DEFAULT now() COMMENT 'When it was complete'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY network
COMMENT 'Newest complete refresh of wallet_ranks in each network';
