-- profile_records: what /fraud/audit, /segmentation/wallet-segment and /users/credit-score serve. One computation makes the three.

CREATE TABLE profile_records ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code',
  address String COMMENT 'Canonical address',
  version UInt64 COMMENT 'Version of the fraud record the profile rests on; a newer fraud record makes the profile stale',
  audit String COMMENT 'JSON of the behaviour record without walletAddress, checked_times and updatedAt: the bytes that are served' CODEC(ZSTD(3)),
  segment String COMMENT 'JSON of the segment record without walletAddress' CODEC(ZSTD(3)),
  credit String COMMENT 'JSON of the credit record inside creditData without walletAddress; empty where the network has no such operation' CODEC(ZSTD(1)),
  segment_letter LowCardinality(String) COMMENT 'A, B or C by quality; not part of an answer',
  quality UInt8 COMMENT 'Wallet quality, 0 to 100',
  rating UInt8 COMMENT 'Credit rating, 1 to 9; 0 where the network has no such operation',
  experience UInt8 COMMENT 'Experience, 0 to 10',
  risk_capability UInt8 COMMENT 'Risk capability, 1 to 9',
  transaction_count UInt64 COMMENT 'Transactions in and out',
  age_days UInt32 COMMENT 'Days since the first row about the wallet',
  balance_usd Float64 COMMENT 'Balance of priced assets, US dollars',
  probability Float64 COMMENT 'Probability of fraud, 0 to 1',
  unknowns Array(String) COMMENT 'What could not be known, as what: why',
  model_version LowCardinality(String) COMMENT 'Model that gave the probability',
  data_height UInt32 COMMENT 'Height of the data the profile was computed from',
  computed_at DateTime('UTC') COMMENT 'When it was computed'
)
ENGINE = ${engine:ReplacingMergeTree(version)}
ORDER BY (network, address)
SETTINGS ${deduplication_window:1000}, index_granularity = 128
COMMENT 'Newest profile of each wallet that was asked about. Look up with ORDER BY version DESC LIMIT 1 BY network, address';
