import type { ErrorTable } from './entry.ts'

/** Codes of configuration, bus, chain nodes and store. */
export const PLATFORM_ERRORS = {
  ASSAY_BUS_ACCESS_DENIED: {
    family: 'operator',
    meaning: 'Kafka knows the user but does not allow the action. Nothing was changed.',
    action: 'Grant the user what `docs/operate/configuration.md` lists, or set `KAFKA_SASL_USERNAME` to another.',
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
    meaning: 'A newer producer took over the transactional id. This process stopped writing; the newer one continues.',
    action: 'Run one indexer per network.',
  },
  ASSAY_BUS_LOGIN_REFUSED: {
    family: 'operator',
    meaning: 'Kafka refused the user, the password or the mechanism.',
    action: 'Check `KAFKA_SASL_MECHANISM`, `KAFKA_SASL_USERNAME` and `KAFKA_SASL_PASSWORD`.',
  },
  ASSAY_BUS_PARTITION_LOST: {
    family: 'retryable',
    meaning: 'Another consumer of the group took over the partition before the commit. Nothing was committed or lost.',
    action: 'None; the new owner repeats the work. If it happens often, look for long batches or a blocked event loop.',
  },
  ASSAY_BUS_PATH: {
    family: 'operator',
    meaning: 'The folder of the embedded bus cannot be created or opened, or no bus is configured.',
    action: 'Set `ASSAY_DATA` to a writable folder, or set `KAFKA_BROKERS`.',
  },
  ASSAY_BUS_REJECTED: {
    family: 'bug',
    meaning: 'A message is invalid: over 1,000,000 bytes, no key on a compacted topic, or an unknown partition.',
    action: 'Report it with the message text.',
  },
  ASSAY_BUS_TLS_REFUSED: {
    family: 'operator',
    meaning:
      'A Kafka broker and this process do not agree on TLS: an untrusted certificate, a missing client certificate, or only one side encrypts.',
    action:
      'The message names the setting to change: `KAFKA_TLS`, `KAFKA_TLS_CA`, or `KAFKA_TLS_CERT` and `KAFKA_TLS_KEY`.',
  },
  ASSAY_BUS_TOPIC_UNFIT: {
    family: 'operator',
    meaning:
      'A topic exists with settings under which blocks would be lost, reordered or refused. Nothing was started.',
    action: 'Alter the topics as the message states, or let Assay create them in an empty cluster.',
  },
  ASSAY_BUS_TOPIC_UNKNOWN: {
    family: 'operator',
    meaning: 'A topic does not exist.',
    action:
      'Check that the topic was not deleted and that the broker lets this user create topics; roles create theirs at start.',
  },
  ASSAY_BUS_UNAVAILABLE: {
    family: 'retryable',
    meaning: 'The bus did not acknowledge a call in time, so its outcome is unknown. The call is repeated safely.',
    action: 'Check the broker and the network, or the disk of the embedded bus.',
  },
  ASSAY_CONFIG_INVALID: {
    family: 'operator',
    meaning: 'A setting is unknown, has an invalid value, or needs another setting. Nothing was started.',
    action: 'Correct the settings the message names. `docs/operate/configuration.md` lists all settings.',
  },
  ASSAY_CONFIG_NO_NETWORK: {
    family: 'operator',
    meaning: 'A role was started without a network to work on.',
    action: 'Set `ASSAY_NETWORKS` or `<NETWORK>_RPC_URL`.',
  },
  ASSAY_CONFIG_NO_SOURCE: {
    family: 'operator',
    meaning: 'The indexer was given a network that has no endpoint.',
    action: 'Set `<NETWORK>_RPC_URL`, or remove the network from the configuration.',
  },
  ASSAY_RPC_INCONSISTENT: {
    family: 'retryable',
    meaning: 'Every answer of the nodes contradicted itself or the hash of its block. None was used.',
    action: 'If it persists, replace the endpoint. `assay_rpc_inconsistent_total` counts by host and check.',
  },
  ASSAY_RPC_UNAVAILABLE: {
    family: 'retryable',
    meaning:
      'No endpoint of the network answered within the deadline and the number of attempts. Indexing resumes by itself.',
    action: "Check `<NETWORK>_RPC_URL` and the provider's limits and status.",
  },
  ASSAY_SQL_FUNCTION_REFUSED: {
    family: 'operator',
    meaning: 'A statement for `assay sql` calls a function that may read more than the tables. Nothing was run.',
    action: 'Leave it out. `docs/use/analysts.md` lists what is open.',
  },
  ASSAY_SQL_INVALID: {
    family: 'operator',
    meaning:
      'The engine does not understand a statement for `assay sql`, or it fails on the data. Nothing was changed.',
    action: 'Correct the statement. The message names the place; `DESCRIBE table` lists columns.',
  },
  ASSAY_SQL_LIMIT: {
    family: 'operator',
    meaning: 'A statement for `assay sql` passed its limit of time, memory or rows, and was ended.',
    action: 'Narrow it by network, address or time, or add `LIMIT`.',
  },
  ASSAY_SQL_OPTION: {
    family: 'operator',
    meaning: 'An option of `assay sql` cannot be used as given. Nothing was run.',
    action: 'Correct the option the message names.',
  },
  ASSAY_SQL_SERVER: {
    family: 'operator',
    meaning: '`assay sql` asks the embedded store, and `CLICKHOUSE_URL` names a server. Nothing was run.',
    action: 'Use a client of the server, such as `clickhouse-client`, as a user that may only read.',
  },
  ASSAY_SQL_STATEMENT_REFUSED: {
    family: 'operator',
    meaning: '`assay sql` was given more than one statement that reads. Nothing was run.',
    action: 'Write one SELECT, WITH, DESCRIBE, SHOW TABLES, SHOW COLUMNS FROM or EXPLAIN.',
  },
  ASSAY_SQL_TABLE_REFUSED: {
    family: 'operator',
    meaning:
      'A statement for `assay sql` names a table that is not open to it, or that does not exist. Nothing was read.',
    action: '`assay sql "SHOW TABLES"` lists what is open.',
  },
  ASSAY_SQL_UNGUARDED: {
    family: 'bug',
    meaning: 'The embedded engine lacks the role with which `assay sql` reads. No statement was accepted.',
    action: 'Report it.',
  },
  ASSAY_STORE_ACCESS_DENIED: {
    family: 'operator',
    meaning: 'ClickHouse refused the user, its password or a grant.',
    action: 'Check `CLICKHOUSE_URL` and the grants of its user.',
  },
  ASSAY_STORE_CLUSTER_SHAPE: {
    family: 'operator',
    meaning:
      'Tables would be wrong on the ClickHouse cluster or database: several shards, an unknown cluster, macros that are missing, or a database with its own replication. Nothing was created.',
    action:
      'Change the setting that the message names. `docs/operate/clickhouse-cluster.md` lists the supported clusters.',
  },
  ASSAY_STORE_DISK_FULL: {
    family: 'retryable',
    meaning: 'The disk of the store is full. Stored data is still served, and nothing new is stored.',
    action:
      'Free some room, or enlarge the disk: everything goes on by itself. `docs/operate/backup-and-scaling.md` describes how tables grow.',
  },
  ASSAY_STORE_ENGINE_MISSING: {
    family: 'operator',
    meaning:
      'The embedded store was asked for, but its engine is not installed. The usual container image leaves it out.',
    action: 'Set `CLICKHOUSE_URL`, or use the image that is built with `--target standalone`.',
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
      'Tables of the database are replicated and `ASSAY_CLUSTER` is not set, or the other way round. Nothing was changed.',
    action: 'Set `ASSAY_CLUSTER` as it was when the tables were created.',
  },
  ASSAY_STORE_MIGRATION_FAILED: {
    family: 'operator',
    meaning: 'A statement of a migration failed. Statements before it stay applied.',
    action: 'Fix the cause the message names and start again; the migration continues at that statement.',
  },
  ASSAY_STORE_MIGRATION_LOCKED: {
    family: 'retryable',
    meaning: 'Another process is migrating the database. Nothing was applied.',
    action:
      'Start again when it is done. A lock left by a crash expires after ten minutes, on an embedded store at once.',
  },
  ASSAY_STORE_READ_OVERTAKEN: {
    family: 'retryable',
    meaning:
      "A move or an undo began in a network's tables during every attempt to read them, so nothing was answered. Bulk scoring goes on with smaller batches.",
    action:
      'None if it is rare. If it persists, the store is too slow for the network: give it more CPU, or reduce other load on it.',
  },
  ASSAY_STORE_REPLICA_BEHIND: {
    family: 'retryable',
    meaning: 'The ClickHouse replica does not have all rows that others acknowledged, so nothing was read from it.',
    action: 'Start again. If it persists, look at `system.replication_queue` of the replica.',
  },
  ASSAY_STORE_REPLICA_OTHER: {
    family: 'operator',
    meaning: 'All processes work on one replica of the ClickHouse cluster, and this one reached another.',
    action:
      'Name the same replica in `CLICKHOUSE_URL` of every process, or move all of them with `assay migrate --take-over` (`docs/operate/clickhouse-cluster.md`).',
  },
  ASSAY_STORE_ROWS_REFUSED: {
    family: 'operator',
    meaning: 'Rows do not fit their table, so none of the insert was stored. The rows are still on the bus.',
    action: 'Run indexer and scorer of one version. If they are, report it.',
  },
  ASSAY_STORE_SCHEMA_DRIFT: {
    family: 'operator',
    meaning: 'An applied migration was changed, or the database was migrated by a newer version.',
    action: 'Restore the migration file, or run the newer version.',
  },
  ASSAY_STORE_SCHEMA_MISMATCH: {
    family: 'operator',
    meaning: 'The database lacks a table, a column or a setting that this version needs.',
    action: 'Run `assay migrate` of this version, or start the version that fits the database.',
  },
  ASSAY_STORE_SERVER_CHANGED: {
    family: 'operator',
    meaning:
      'Several ClickHouse servers answer behind `CLICKHOUSE_URL`, one after the other. Answers of another than the first were not used.',
    action: 'Name one server or one replica, not a load balancer, and start again.',
  },
  ASSAY_STORE_STATEMENT_REFUSED: {
    family: 'bug',
    meaning: 'ClickHouse does not accept one of our statements.',
    action: 'Report it with the message.',
  },
  ASSAY_STORE_TOO_OLD: {
    family: 'operator',
    meaning:
      'The store was written by a version before 0.2.0, whose tables this version cannot read. Nothing was changed.',
    action: 'Set `ASSAY_DATA` to a new folder, or `CLICKHOUSE_URL` to a new database, and let Assay index again.',
  },
  ASSAY_STORE_UNAVAILABLE: {
    family: 'retryable',
    meaning: 'ClickHouse did not answer in time, is overloaded or is shutting down. Safe calls were already repeated.',
    action: 'Check that ClickHouse runs, is reachable and has memory. The process continues by itself.',
  },
  ASSAY_STORE_UNSETTLED: {
    family: 'retryable',
    meaning: "A reader found a move or an undo in progress in a network's tables for longer than its deadline.",
    action: "Check that the network's scorer runs; it completes what it started.",
  },
} as const satisfies ErrorTable
