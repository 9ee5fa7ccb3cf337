CREATE TABLE IF NOT EXISTS schema_migrations ${on_cluster} (
  number UInt32 COMMENT 'Number of the migration: the file name begins with it',
  name String COMMENT 'File name',
  checksum FixedString(64) COMMENT 'SHA-256 of the file, hex',
  statements UInt32 COMMENT 'Statements the file holds',
  applied UInt32 COMMENT 'Statements applied so far',
  applied_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the last of them was applied'
)
ENGINE = ${engine:ReplacingMergeTree(applied)}
ORDER BY number
COMMENT 'Migrations applied to this database';

CREATE TABLE IF NOT EXISTS schema_locks ${on_cluster} (
  generation UInt64 COMMENT 'Grows by one with every lock taken',
  owner String COMMENT 'Who took it',
  released UInt8 COMMENT '1 once given back',
  taken_at DateTime64(3, 'UTC') DEFAULT now64(3) COMMENT 'When the state was entered'
)
ENGINE = ${engine:ReplacingMergeTree(released)}
ORDER BY generation
SETTINGS ${deduplication_window:1000}
COMMENT 'Lock of the migrator: the newest generation holds it until released or ten minutes old';
