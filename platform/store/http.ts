import { Readable } from 'node:stream'
import { createClient } from '@clickhouse/client'
import { type Answer, createPin } from './cluster/pin.ts'
import type { Engine } from './engine.ts'
import { inFields } from './fields.ts'
import { CLUSTER_SETTINGS, HTTP_SETTINGS, PINNED_SETTINGS, READ_SETTINGS } from './settings.ts'
import { readSql } from './sql.ts'

const REPLICA = readSql(import.meta.url, './cluster/sql/replica.sql')

const TABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$/

/** A table, of another database where one stands before it. @throws RangeError for text that is no plain identifier. */
export const tableName = (name: string): string => {
  if (!TABLE_NAME.test(name)) throw new RangeError(`not a table name: ${JSON.stringify(name)}`)
  return name
}

/** The URL with another database: the one of its path would win over an option of the client. */
const inDatabase = (url: string, database: string | undefined): string => {
  if (database === undefined) return url
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.toString()
}

/**
 * A ClickHouse server. The URL may carry user, password and database; `database` takes the place of that one. No request lasts
 * longer than `longestMs`. On a `cluster` rows are acknowledged by most replicas, and only one replica is listened to
 * (`cluster/pin.ts`).
 */
export const createHttpEngine = (
  url: string,
  longestMs: number,
  { cluster = false, database }: { cluster?: boolean | undefined; database?: string | undefined } = {},
): Engine => {
  const client = createClient({
    url: inDatabase(url, database),
    application: 'assay',
    request_timeout: longestMs,
    max_open_connections: 16,
    // Below the server's keep_alive_timeout (3 s in ClickHouse Cloud), or requests meet closed sockets.
    keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
    clickhouse_settings: { ...PINNED_SETTINGS, ...(cluster && CLUSTER_SETTINGS), ...HTTP_SETTINGS },
    // Lists of addresses are longer than a URL may be, for a server and for the proxies before it.
    use_multipart_params_auto: true,
    log: { level: 127 },
  })
  const pin = cluster
    ? createPin(async () => {
        const result = await client.query({ query: REPLICA, format: 'JSONEachRow' })
        const [row] = await result.json<{ replica: string }>()
        return { replica: row?.replica ?? '', answer: { headers: result.response_headers } }
      })
    : undefined
  const saw = async (headers: Answer['headers']) => pin?.saw({ headers })
  return {
    kind: 'http',
    query: async <Row>(sql: string, params: Parameters<Engine['query']>[1], { signal }: { signal: AbortSignal }) => {
      pin?.check()
      const result = await client.query({
        ...(params ? inFields(sql, params) : { query: sql }),
        clickhouse_settings: READ_SETTINGS,
        format: 'JSONEachRow',
        abort_signal: signal,
      })
      const rows = await result.json<Row>()
      await saw(result.response_headers)
      return rows
    },
    command: async (query, query_params, settings, { signal }) => {
      pin?.check()
      const { response_headers } = await client.command({
        query,
        ...(query_params ? { query_params } : {}),
        clickhouse_settings: settings,
        abort_signal: signal,
      })
      await saw(response_headers)
    },
    insert: async (table, rows, settings, { signal }) => {
      pin?.check()
      const { stream, response_headers } = await client.exec({
        query: `INSERT INTO ${tableName(table)} FORMAT JSONEachRow`,
        values: Readable.from([rows], { objectMode: false }),
        clickhouse_settings: settings,
        abort_signal: signal,
      })
      for await (const _ of stream);
      await saw(response_headers)
    },
    close: () => client.close(),
  }
}
