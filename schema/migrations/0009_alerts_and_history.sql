-- Alerts: what changed about watched addresses, and what became of it.

CREATE TABLE alert_entries ${on_cluster} (
  account String COMMENT 'Id of the key that began the line of rotated keys it belongs to',
  alert String COMMENT 'Id of the alert',
  entry UInt32 COMMENT '0 is the change itself; what follows is counted up. Of two of one number the first is in force',
  precedence UInt64 DEFAULT bitNot(toUInt64(toUnixTimestamp64Micro(now64(6)))) COMMENT 'Counts down with the clock of the store; the highest is in force',
  network LowCardinality(String) COMMENT 'Network code, as in table networks',
  address String COMMENT 'Canonical address',
  operation LowCardinality(String) COMMENT 'Operation whose verdict changed',
  direction LowCardinality(String) COMMENT 'worse or better',
  body String COMMENT 'JSON of the change; empty but in entry 0' CODEC(ZSTD(3)),
  created DateTime64(3, 'UTC') COMMENT 'When the change was noticed',
  at DateTime64(3, 'UTC') COMMENT 'When the entry was made',
  state LowCardinality(String) COMMENT 'open, under_review or closed, from this entry on',
  outcome LowCardinality(String) COMMENT 'What it came to when it was closed: false_positive, no_action, restricted or reported; else empty',
  comment String COMMENT 'What was written; empty where only the state changed' CODEC(ZSTD(3)),
  key String COMMENT 'Id of the key that wrote the entry; empty for entry 0',
  author String COMMENT 'Name that whoever wrote it gave; empty where none was given',
  expires DateTime('UTC') COMMENT 'When the row is removed'
)
ENGINE = ${engine:ReplacingMergeTree(precedence)}
ORDER BY (account, alert, entry)
TTL expires
SETTINGS ${deduplication_window:10000}, index_granularity = 1024
COMMENT 'Alerts by account: changes of verdicts on watched addresses, and what became of each, entry by entry';

-- What verdicts on contracts were.

CREATE TABLE contract_history ${on_cluster} (
  network LowCardinality(String) COMMENT 'Network code, as in table networks',
  address String COMMENT 'Contract or pool that was asked about, lower-case hex',
  version UInt64 COMMENT 'Version of the record',
  status LowCardinality(String) COMMENT 'Fraud or Not Fraud',
  probability Float64 COMMENT 'Probability of a rug pull, 0 to 1',
  risk_score UInt8 COMMENT 'Risk score, 0 to 100',
  body String COMMENT 'JSON of the record, as in contract_records' CODEC(ZSTD(3)),
  reasons String COMMENT 'JSON of what risk score and probability rested on' CODEC(ZSTD(3)),
  unknowns String COMMENT 'JSON object of flags that could not be determined, with why' CODEC(ZSTD(3)),
  model_version LowCardinality(String) COMMENT 'Model of code that took part in the probability',
  data_height UInt32 COMMENT 'Block the analysis was pinned to',
  tables_height UInt32 COMMENT 'Newest complete block in the tables when the analysis began; 0 when there was none',
  computed_at DateTime('UTC') COMMENT 'When it was analysed'
)
ENGINE = ${engine:ReplacingMergeTree}
ORDER BY (network, address, version)
SETTINGS index_granularity = 1024
COMMENT 'What analyses of contracts were: one row whenever status, scores or indicators changed. A row is the analysis that changed them';
