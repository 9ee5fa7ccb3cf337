import { randomUUID } from 'node:crypto'

/**
 * Settings every statement runs with, whatever the server's own defaults are: several changed between versions and
 * every one of these decides whether a row is counted once. `test/contract/store/clickhouse-semantics.test.ts` shows why.
 */
export const PINNED_SETTINGS = {
  /** Server-side batching would ignore our tokens. */
  async_insert: 0,
  insert_deduplicate: 1,
  insert_deduplication_token: '',
  /** A repeated insert must not be counted again by materialized views either. */
  deduplicate_blocks_in_dependent_materialized_views: 1,
  deduplicate_insert_select: 'enable_when_possible',
  /** A view that fails fails the insert; the retry with the same token repairs it. */
  materialized_views_ignore_errors: 0,
  /** Versioned rows of one insert must all reach the table: merging is left to merges. */
  optimize_on_insert: 0,
  max_insert_threads: '1',
  lightweight_deletes_sync: '2',
  mutations_sync: '2',
  alter_sync: '2',
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_64bit_floats: 0,
  date_time_input_format: 'basic',
  date_time_output_format: 'simple',
  input_format_null_as_default: 0,
  /** A field the table does not know is a mistake or a newer writer, never noise. */
  input_format_skip_unknown_fields: 0,
  /** Half of a character is stored as it is escaped: a name made to hold one must not stop the network it is seen on. */
  input_format_json_throw_on_bad_escape_sequence: 0,
  do_not_merge_across_partitions_select_final: 1,
  join_use_nulls: 0,
  /** Bytes. chDB gets lists of addresses as literals (`literals.ts`), and thousands of them pass the default of 256 KiB. */
  max_query_size: '67108864',
} as const

/**
 * Settings of reads. What we read is a few granules of a wallet or of a thousand: more threads for one statement cost more
 * to start than they bring, and statements run side by side as it is. The same holds for the threads that would format a few
 * rows: handing rows to them is a third of what a small statement costs.
 */
export const READ_SETTINGS = { max_threads: 1, output_format_parallel_formatting: 0 } as const

/**
 * Settings on a cluster. An insert is acknowledged when most replicas have it, so that no replica that dies takes rows with it
 * whose tokens the others remember. What alters tables waits for the replica that all processes work on
 * (`cluster/home.ts`), as one that is away would hold up the stream.
 */
export const CLUSTER_SETTINGS = {
  insert_quorum: 'auto',
  insert_quorum_parallel: 1,
  /** ms; less than the deadline of an insert. */
  insert_quorum_timeout: 30_000,
  lightweight_deletes_sync: '1',
  mutations_sync: '1',
  alter_sync: '1',
  distributed_ddl_output_mode: 'throw',
  /** Seconds; less than the deadline of a command. */
  distributed_ddl_task_timeout: '100',
} as const

/** Settings only the HTTP interface knows. */
export const HTTP_SETTINGS = { wait_end_of_query: 1 } as const

/** What decides whether a write counts once, always sent together. */
export type WriteSettings = {
  insert_deduplicate: 0 | 1
  insert_deduplication_token: string
}
/** Settings of an insert of rows that this process hands over. */
export type InsertSettings = WriteSettings & { input_format_parallel_parsing: 0 | 1 }

/** Bytes from which on rows are parsed by several threads: for fewer it takes longer to start them. */
const PARALLEL_BYTES = 1_000_000

/**
 * Both are always sent: chDB keeps a setting of one statement for all that follow on the connection, and a token that
 * lingers drops the next insert without a word. Without a token of the caller's the insert gets one that never was,
 * because servers from 26 on deduplicate by content whatever `insert_deduplicate` says (`deduplicate_insert`).
 */
export const writeSettings = (token: string | undefined): WriteSettings =>
  token === undefined
    ? { insert_deduplicate: 0, insert_deduplication_token: `once:${randomUUID()}` }
    : { insert_deduplicate: 1, insert_deduplication_token: token }

/** Settings of rows that come from here, `bytes` of them. */
export const insertSettings = (token: string | undefined, bytes: number): InsertSettings => ({
  ...writeSettings(token),
  input_format_parallel_parsing: bytes < PARALLEL_BYTES ? 0 : 1,
})
