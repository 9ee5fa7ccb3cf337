import { Readable } from 'node:stream'
import { createClient } from '@clickhouse/client'
import { expectServer, finish, type Headers, refusalOf, rowsOf } from './answer.ts'
import { createPin } from './cluster/pin.ts'
import type { Engine } from './engine.ts'
import { inFields } from './fields.ts'
import { CLUSTER_SETTINGS, HTTP_SETTINGS, PINNED_SETTINGS, READ_SETTINGS } from './settings.ts'
import { readSql } from './sql.ts'

const REPLICA = readSql(import.meta.url, './cluster/sql/replica.sql')

const TABLE_NAME = /^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?$/

/** A table name, optionally with its database. @throws RangeError for text that is not a plain identifier. */
export const tableName = (name: string): string => {
  if (!TABLE_NAME.test(name)) throw new RangeError(`not a table name: ${JSON.stringify(name)}`)
  return name
}

/** The URL with another database. An option of the client would not override the one in the URL's path. */
const inDatabase = (url: string, database: string | undefined): string => {
  if (database === undefined) return url
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.toString()
}

/**
 * A ClickHouse server. The URL may contain user, password and database; `database` overrides the latter. Requests end after
 * `longestMs`. On a `cluster` most replicas acknowledge rows, and all responses have to come from one replica
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
    // Lists of addresses exceed the URL length that servers and proxies accept.
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
  const observe = async (headers: Headers) => {
    expectServer(headers)
    await pin?.observe({ headers })
  }
  /** Sends a statement without result rows and waits until it is done. */
  const execute = async (statement: Parameters<typeof client.exec>[0], signal: AbortSignal) => {
    pin?.check()
    const { stream, response_headers } = await client.exec({ ...statement, abort_signal: signal })
    await finish(stream, signal)
    await observe(response_headers)
  }
  /** Rejects with our own error if the client received a page that is not ClickHouse's. */
  const rejectWith = (error: unknown) => Promise.reject(refusalOf(error))
  return {
    kind: 'http',
    query: async <Row>(sql: string, params: Parameters<Engine['query']>[1], { signal }: { signal: AbortSignal }) => {
      pin?.check()
      const result = await client
        .query({
          ...(params ? inFields(sql, params) : { query: sql }),
          clickhouse_settings: READ_SETTINGS,
          format: 'JSONEachRow',
          abort_signal: signal,
        })
        .catch(rejectWith)
      // The client ignores the signal once the response has begun.
      const stop = () => result.close()
      signal.addEventListener('abort', stop, { once: true })
      try {
        const rows = rowsOf<Row>(await result.text())
        await observe(result.response_headers)
        return rows
      } catch (error) {
        signal.throwIfAborted()
        throw error
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    command: (query, query_params, clickhouse_settings, { signal }) =>
      execute({ query, ...(query_params && { query_params }), clickhouse_settings }, signal).catch(rejectWith),
    insert: (table, rows, clickhouse_settings, { signal }) => {
      const values = Readable.from([rows], { objectMode: false })
      const query = `INSERT INTO ${tableName(table)} FORMAT JSONEachRow`
      return execute({ query, values, clickhouse_settings }, signal).catch(rejectWith)
    },
    close: () => client.close(),
  }
}
