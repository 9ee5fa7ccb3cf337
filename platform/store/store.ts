/**
 * The Store port: ClickHouse through one client, over HTTP to a server or in process (chDB).
 * SQL lives in `.sql` files; values are always bound parameters (`{name:Type}`).
 */

/** Values by placeholder name; placeholders state their types: `{name:Type}`. */
export type QueryParams = Record<string, unknown>

/** Options of a write. */
export type InsertOptions = {
  /**
   * Makes a repeated insert of the same content count once (`insert_deduplication_token`). Without a token, deduplication is
   * off.
   */
  token?: string
}

/**
 * The port. Reads, and writes with a token, are retried a few times; other writes run once, because their outcome may be
 * unknown.
 * @throws from every call RetryableError ASSAY_STORE_UNAVAILABLE, ASSAY_STORE_DISK_FULL; OperatorError
 *   ASSAY_STORE_ACCESS_DENIED, ASSAY_STORE_SCHEMA_MISMATCH, ASSAY_STORE_ROWS_REFUSED; BugError
 *   ASSAY_STORE_STATEMENT_REFUSED
 */
export type Store = {
  /** Whether the store is embedded: no other process can have it open. */
  embedded: boolean
  /** Rows of a SELECT, as JSON values (64-bit and wider integers are text). `route` labels the query for metrics and logs. */
  query: <Row>(sql: string, params?: QueryParams, options?: { route?: string; signal?: AbortSignal }) => Promise<Row[]>
  /** Inserts JSON lines (JSONEachRow), one row a line. Resolves when the server has acknowledged them. */
  insert: (table: string, rows: Buffer | string, options?: InsertOptions) => Promise<void>
  /** DDL, INSERT ... SELECT, DELETE. `token` as for insert. */
  command: (sql: string, params?: QueryParams, options?: InsertOptions) => Promise<void>
  /** Whether the store answers, within a deadline. */
  healthy: () => Promise<boolean>
  close: () => Promise<void>
}
