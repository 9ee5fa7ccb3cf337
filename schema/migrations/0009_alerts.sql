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
