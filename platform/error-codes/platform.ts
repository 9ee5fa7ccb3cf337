import type { ErrorTable } from './entry.ts'

/** Codes of configuration, bus, chain nodes and store. */
export const PLATFORM_ERRORS = {
  ASSAY_BUS_ACCESS_DENIED: {
    family: 'operator',
    meaning: 'Kafka accepted the login but does not allow this user to perform the action. Nothing was changed.',
    action:
      'Grant the user the permissions that `docs/operate/configuration.md` lists, or set `KAFKA_SASL_USERNAME` to another user.',
  },
  ASSAY_BUS_BROKER_UNSUPPORTED: {
    family: 'operator',
    meaning: 'The Kafka broker is too old or too new for the client library. Nothing was sent.',
    action: 'Set `KAFKA_CLIENT` to the other client, or use a tested broker (`docs/operate/configuration.md`).',
  },
  ASSAY_BUS_CLOSED: {
    family: 'bug',
    meaning: 'A bus, producer or consumer was used after it was closed.',
    action: 'Report it with the stack trace.',
  },
  ASSAY_BUS_FENCED: {
    family: 'operator',
    meaning: 'A newer producer took over the transactional ID. This process stopped writing; the newer one continues.',
    action: 'Run one indexer per network.',
  },
  ASSAY_BUS_LOGIN_REFUSED: {
    family: 'operator',
    meaning: 'Kafka refused the user, the password or the SASL mechanism.',
    action: 'Check `KAFKA_SASL_MECHANISM`, `KAFKA_SASL_USERNAME` and `KAFKA_SASL_PASSWORD`.',
  },
  ASSAY_BUS_PARTITION_LOST: {
    family: 'retryable',
    meaning: 'Another consumer of the group took over the partition before the commit. Nothing was committed or lost.',
    action: 'None; the new owner redoes the work. If it happens often, look for long batches or a blocked event loop.',
  },
  ASSAY_BUS_PATH: {
    family: 'operator',
    meaning: 'The folder of the embedded bus cannot be created or opened, or no bus is configured.',
    action: 'Set `ASSAY_DATA` to a writable folder, or set `KAFKA_BROKERS`.',
  },
  ASSAY_BUS_REJECTED: {
    family: 'bug',
    meaning: 'A message is invalid: over 1,000,000 bytes, no key on a compacted topic, or an unknown partition.',
    action: 'Report it, and include the message.',
  },
  ASSAY_BUS_TLS_REFUSED: {
    family: 'operator',
    meaning:
      'The TLS handshake with a Kafka broker failed: an untrusted certificate, a missing client certificate, or only one side uses TLS.',
    action:
      'Change the setting that the message names: `KAFKA_TLS`, `KAFKA_TLS_CA`, or `KAFKA_TLS_CERT` and `KAFKA_TLS_KEY`.',
  },
  ASSAY_BUS_TOPIC_UNFIT: {
    family: 'operator',
    meaning: 'An existing topic has settings that would lose, reorder or reject blocks. Nothing was started.',
    action: 'Change the topics as the message describes, or let Assay create them in an empty cluster.',
  },
  ASSAY_BUS_TOPIC_UNKNOWN: {
    family: 'operator',
    meaning: 'A topic does not exist.',
    action:
      'Check that the topic was not deleted and that the broker lets this user create topics. Each role creates its topics at startup.',
  },
  ASSAY_BUS_UNAVAILABLE: {
    family: 'retryable',
    meaning:
      'The bus did not acknowledge a call in time, so its outcome is unknown. The call is retried, which is safe.',
    action: 'Check the broker and the network, or the disk of the embedded bus.',
  },
  ASSAY_CONFIG_INVALID: {
    family: 'operator',
    meaning: 'A setting is unknown, has an invalid value, or needs another setting. Nothing was started.',
    action: 'Correct the settings that the message names. `docs/operate/configuration.md` lists all settings.',
  },
  ASSAY_CONFIG_NO_NETWORK: {
    family: 'operator',
    meaning: 'A role was started without a network.',
    action: 'Set `ASSAY_NETWORKS` or `<NETWORK>_RPC_URL`.',
  },
  ASSAY_CONFIG_NO_SOURCE: {
    family: 'operator',
    meaning: 'A network of the indexer has no endpoint.',
    action: 'Set `<NETWORK>_RPC_URL`, or remove the network from the configuration.',
  },
  ASSAY_RPC_INCONSISTENT: {
    family: 'retryable',
    meaning:
      "Every response of the network's nodes contradicted itself or did not match the hash of its block. None was used.",
    action: 'If it persists, replace the endpoint. `assay_rpc_inconsistent_total` counts by host and check.',
  },
  ASSAY_RPC_UNAVAILABLE: {
    family: 'retryable',
    meaning: 'No endpoint of the network answered before the deadline or the last retry. Indexing resumes by itself.',
    action: "Check `<NETWORK>_RPC_URL` and the provider's limits and status.",
  },
  ASSAY_SQL_FUNCTION_REFUSED: {
    family: 'operator',
    meaning:
      'A statement for `assay sql` calls a function that is not allowed because it could read more than the tables. Nothing was run.',
    action: 'Remove the function. `docs/use/analysts.md` lists the allowed ones.',
  },
  ASSAY_SQL_INVALID: {
    family: 'operator',
    meaning: 'A statement for `assay sql` has a syntax error or fails on the data. Nothing was changed.',
    action: 'Correct the statement at the position that the message names. `DESCRIBE table` lists the columns.',
  },
  ASSAY_SQL_LIMIT: {
    family: 'operator',
    meaning: 'A statement for `assay sql` exceeded its limit of time, memory or rows and was stopped.',
    action: 'Narrow it by network, address or time, or add `LIMIT`.',
  },
  ASSAY_SQL_OPTION: {
    family: 'operator',
    meaning: 'An option of `assay sql` is invalid. Nothing was run.',
    action: 'Correct the option that the message names.',
  },
  ASSAY_SQL_SERVER: {
    family: 'operator',
    meaning: '`assay sql` only queries the embedded store, but `CLICKHOUSE_URL` is set. Nothing was run.',
    action: 'Use a ClickHouse client, such as `clickhouse-client`, with a read-only user.',
  },
  ASSAY_SQL_STATEMENT_REFUSED: {
    family: 'operator',
    meaning: '`assay sql` accepts exactly one read-only statement. Nothing was run.',
    action: 'Use one SELECT, WITH, DESCRIBE, SHOW TABLES, SHOW COLUMNS FROM or EXPLAIN.',
  },
  ASSAY_SQL_TABLE_REFUSED: {
    family: 'operator',
    meaning: 'A statement for `assay sql` reads a table that does not exist or is not accessible. Nothing was read.',
    action: 'List the accessible tables with `assay sql "SHOW TABLES"`.',
  },
  ASSAY_SQL_UNGUARDED: {
    family: 'bug',
    meaning: 'The read-only role of `assay sql` is missing in the embedded engine. All statements are refused.',
    action: 'Report it.',
  },
  ASSAY_STORE_ACCESS_DENIED: {
    family: 'operator',
    meaning: 'ClickHouse refused the login, or the user lacks a grant.',
    action: 'Check the user and password in `CLICKHOUSE_URL`, and the grants of that user.',
  },
  ASSAY_STORE_CLUSTER_SHAPE: {
    family: 'operator',
    meaning:
      'The ClickHouse cluster or database has an unsupported layout: several shards, an unknown cluster name, missing macros, or a database with its own replication. Nothing was created.',
    action:
      'Change the setting that the message names. `docs/operate/clickhouse-cluster.md` lists the supported clusters.',
  },
  ASSAY_STORE_DISK_FULL: {
    family: 'retryable',
    meaning: 'The disk of the store is full. Stored data is still served, but nothing new is stored.',
    action:
      'Free disk space or enlarge the disk; writing then resumes by itself. `docs/operate/backup-and-scaling.md` describes how tables grow.',
  },
  ASSAY_STORE_ENGINE_MISSING: {
    family: 'operator',
    meaning:
      'The embedded store is configured, but its engine is not installed. The default container image does not include it.',
    action: 'Set `CLICKHOUSE_URL`, or build the image with `--target standalone`.',
  },
  ASSAY_STORE_IN_USE: {
    family: 'operator',
    meaning: 'The folder of the embedded store cannot be opened: another process has it open, or it is not writable.',
    action:
      'Stop the other process, or set `ASSAY_DATA` to another folder. `assay keys`, `assay labels` and `assay sql` work while `npm start` runs.',
  },
  ASSAY_STORE_LAYOUT_MIXED: {
    family: 'operator',
    meaning:
      'The tables of the database are replicated but `ASSAY_CLUSTER` is not set, or the reverse. Nothing was changed.',
    action: 'Set `ASSAY_CLUSTER` to the value it had when the tables were created.',
  },
  ASSAY_STORE_MIGRATION_FAILED: {
    family: 'operator',
    meaning: 'A statement of a migration failed. Statements before it stay applied.',
    action: 'Fix the cause that the message names and start again; the migration continues at that statement.',
  },
  ASSAY_STORE_MIGRATION_LOCKED: {
    family: 'retryable',
    meaning: 'Another process is migrating the database. Nothing was applied.',
    action:
      'Start again when that migration is done. The lock of a crashed process expires after ten minutes, on an embedded store immediately.',
  },
  ASSAY_STORE_READ_OVERTAKEN: {
    family: 'retryable',
    meaning:
      "A move or an undo began in a network's tables during every attempt to read them, so the read failed. Bulk scoring continues with smaller batches.",
    action:
      'None if it is rare. If it persists, the store is too slow for the network: give it more CPU or reduce its other load.',
  },
  ASSAY_STORE_REPLICA_BEHIND: {
    family: 'retryable',
    meaning: 'The ClickHouse replica lacks rows that other replicas acknowledged, so nothing was read from it.',
    action: 'Start again. If it persists, check `system.replication_queue` on the replica.',
  },
  ASSAY_STORE_REPLICA_OTHER: {
    family: 'operator',
    meaning: 'All processes must use the same replica of the ClickHouse cluster, but this one connected to another.',
    action:
      'Set `CLICKHOUSE_URL` of every process to the same replica, or move all of them with `assay migrate --take-over` (`docs/operate/clickhouse-cluster.md`).',
  },
  ASSAY_STORE_ROWS_REFUSED: {
    family: 'operator',
    meaning: 'Rows do not match the columns of their table, so the insert was rejected. The rows are still on the bus.',
    action: 'Run the same version of indexer and scorer. If you already do, report it.',
  },
  ASSAY_STORE_SCHEMA_DRIFT: {
    family: 'operator',
    meaning: 'An applied migration was changed, or the database was migrated by a newer version.',
    action: 'Restore the migration file, or run the version that migrated the database.',
  },
  ASSAY_STORE_SCHEMA_MISMATCH: {
    family: 'operator',
    meaning: 'The database lacks a table, a column or a setting that this version needs.',
    action: 'Run `assay migrate` of this version, or start the version that migrated the database.',
  },
  ASSAY_STORE_SERVER_CHANGED: {
    family: 'operator',
    meaning:
      '`CLICKHOUSE_URL` reaches different ClickHouse servers in turn. Only responses of the first server were used.',
    action: 'Set `CLICKHOUSE_URL` to one server or replica instead of a load balancer, and start again.',
  },
  ASSAY_STORE_STATEMENT_REFUSED: {
    family: 'bug',
    meaning: 'ClickHouse rejected a statement of Assay.',
    action: 'Report it, and include the message.',
  },
  ASSAY_STORE_TOO_OLD: {
    family: 'operator',
    meaning: 'A version before 0.2.0 wrote the store, and this version cannot read its tables. Nothing was changed.',
    action: 'Set `ASSAY_DATA` to a new folder, or `CLICKHOUSE_URL` to a new database, and let Assay index again.',
  },
  ASSAY_STORE_UNAVAILABLE: {
    family: 'retryable',
    meaning: 'ClickHouse did not answer in time, is overloaded or is shutting down. Safe calls were already retried.',
    action: 'Check that ClickHouse runs, is reachable and has enough memory. The process continues by itself.',
  },
  ASSAY_STORE_UNSETTLED: {
    family: 'retryable',
    meaning: "A move or an undo in a network's tables did not finish before the deadline of a read.",
    action: "Check that the network's scorer runs; it completes what it started.",
  },
} as const satisfies ErrorTable
