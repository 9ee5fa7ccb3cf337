CREATE TABLE IF NOT EXISTS schema_homes ${on_cluster} (
  version UInt64 COMMENT 'Grows by one with every move',
  replica String COMMENT 'Replica that all processes work on, as its macro {replica} names it',
  moved_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When it was chosen'
)
ENGINE = ${engine:ReplacingMergeTree}
ORDER BY version
SETTINGS ${deduplication_window:1000}
COMMENT 'The replica that all processes work on: the newest row'
