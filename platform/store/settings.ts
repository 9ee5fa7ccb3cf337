import { randomUUID } from 'node:crypto'

/**
 * Settings of every statement, independent of the server's defaults: several defaults changed between versions, and each of
 * these settings decides whether a row is counted once. See `test/contract/store/clickhouse-semantics.test.ts`.
 */
export const PINNED_SETTINGS = {
  /** Server-side batching would ignore our tokens. */
  async_insert: 0,
  insert_deduplicate: 1,
  insert_deduplication_token: '',
  /** Materialized views must not count a repeated insert again either. */
  deduplicate_blocks_in_dependent_materialized_views: 1,
  deduplicate_insert_select: 'enable_when_possible',
  /** A failing view fails the insert; the retry with the same token repairs it. */
  materialized_views_ignore_errors: 0,
  /** All versions of a row in one insert must reach the table: only merges may merge them. */
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
  /** A field that the table lacks is a mistake or a newer writer, never noise. */
  input_format_skip_unknown_fields: 0,
  /** Half of a surrogate pair is stored in its escaped form: a token name with one must not stop its network. */
  input_format_json_throw_on_bad_escape_sequence: 0,
  do_not_merge_across_partitions_select_final: 1,
  join_use_nulls: 0,
  /** Bytes. Lists of thousands of addresses, which chDB gets as literals (`literals.ts`), exceed the default of 256 KiB. */
  max_query_size: '67108864',
} as const

/**
 * Settings of reads. A read covers a few granules of one or a thousand wallets: more threads per statement cost more to
 * start than they gain, and statements run concurrently anyway. The same holds for formatting threads: handing rows to them
 * is a third of the cost of a small statement.
 */
export const READ_SETTINGS = { max_threads: 1, output_format_parallel_formatting: 0 } as const

/**
 * Settings on a cluster. An insert is acknowledged once most replicas have it, so that a dying replica cannot lose rows whose
 * tokens the others remember. DDL only waits for the home replica (`cluster/home.ts`), because a replica that is down would
 * block the stream.
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

/** Settings that only the HTTP interface knows. */
export const HTTP_SETTINGS = { wait_end_of_query: 1 } as const

/** Settings that decide whether a write counts once, always sent together. */
export type WriteSettings = {
  insert_deduplicate: 0 | 1
  insert_deduplication_token: string
}
/** Settings of an insert of rows from this process. */
export type InsertSettings = WriteSettings & { input_format_parallel_parsing: 0 | 1 }

/** Size from which rows are parsed by several threads; for fewer, starting them takes longer. */
const PARALLEL_BYTES = 1_000_000

/**
 * Always sends both settings: chDB keeps a setting of one statement for later ones of the connection, and a left-over token
 * would silently drop the next insert. Inserts without a token get a unique one, because servers from 26 on deduplicate by
 * content whatever `insert_deduplicate` is (`deduplicate_insert`).
 */
export const writeSettings = (token: string | undefined): WriteSettings =>
  token === undefined
    ? { insert_deduplicate: 0, insert_deduplication_token: `once:${randomUUID()}` }
    : { insert_deduplicate: 1, insert_deduplication_token: token }

/** Settings of an insert of `bytes` bytes of rows. */
export const insertSettings = (token: string | undefined, bytes: number): InsertSettings => ({
  ...writeSettings(token),
  input_format_parallel_parsing: bytes < PARALLEL_BYTES ? 0 : 1,
})
