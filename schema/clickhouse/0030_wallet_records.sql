-- Records as they are served, what they were before, and how often they were served.

CREATE TABLE wallet_records ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  version UInt64 COMMENT 'Grows with every computation: milliseconds since the epoch, at least one more than the version before',
  status LowCardinality(String) COMMENT 'Fraud, Not Fraud or New Address',
  probability Float64 COMMENT 'Probability of fraud, 0 to 1',
  body String COMMENT 'JSON of the fraud record without walletAddress, checked_times and updatedAt: the bytes that are served' CODEC(ZSTD(3)),
  reasons String COMMENT 'JSON array of what the verdict rests on: code, title, contribution, evidence' CODEC(ZSTD(3)),
  unknowns Array(LowCardinality(String)) COMMENT 'What could not be evaluated; the record shows 0 for it',
  model_version LowCardinality(String) COMMENT 'Model that gave the probability',
  data_height UInt32 COMMENT 'Height of the data the record was computed from',
  created_at DateTime('UTC') COMMENT 'First computed',
  computed_at DateTime('UTC') COMMENT 'Last computed'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY (network, address)
SETTINGS ${deduplication_window:1000}, index_granularity = 128
COMMENT 'Newest fraud record of each wallet. Look up with ORDER BY version DESC LIMIT 1 BY network, address';

CREATE TABLE record_history ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  version UInt64 COMMENT 'Version of the record',
  status LowCardinality(String) COMMENT 'Fraud, Not Fraud or New Address',
  probability Float64 COMMENT 'Probability of fraud, 0 to 1',
  reasons String COMMENT 'JSON array of what the verdict rested on' CODEC(ZSTD(3)),
  model_version LowCardinality(String) COMMENT 'Model that gave the probability',
  data_height UInt32 COMMENT 'Height of the data the record was computed from' CODEC(Delta, ZSTD(1)),
  computed_at DateTime('UTC') COMMENT 'When it was computed' CODEC(Delta, ZSTD(1))
)
ENGINE = ${engine:MergeTree}
ORDER BY (network, address, version)
SETTINGS ${deduplication_window:1000}
COMMENT 'What records were: one row whenever status, flags or the rounded probability changed';

CREATE TABLE serve_counts ${on_cluster} (
  kind LowCardinality(String) COMMENT 'wallet (fraud check and audit share one counter) or contract',
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  count SimpleAggregateFunction(sum, UInt64) COMMENT 'Requests served about the address',
  last_served SimpleAggregateFunction(max, DateTime('UTC')) COMMENT 'When the last one was served'
)
ENGINE = ${engine:AggregatingMergeTree}
ORDER BY (kind, network, address)
SETTINGS ${deduplication_window:10000}, index_granularity = 256
COMMENT 'How often each address was analysed for callers, shared by the operations';
