import { Readable } from 'node:stream'
import { createClient } from '@clickhouse/client'
import type { Engine } from './engine.ts'
import { inFields } from './fields.ts'
import { HTTP_SETTINGS, PINNED_SETTINGS, READ_SETTINGS } from './settings.ts'

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
 * A ClickHouse server. The URL may carry user, password and database. No request lasts longer than `longestMs`.
 * @param database in place of that of the URL
 */
export const createHttpEngine = (url: string, longestMs: number, database?: string): Engine => {
  const client = createClient({
    url: inDatabase(url, database),
    application: 'assay',
    request_timeout: longestMs,
    max_open_connections: 16,
    // Below the server's keep_alive_timeout (3 s in ClickHouse Cloud), or requests meet closed sockets.
    keep_alive: { enabled: true, idle_socket_ttl: 2_500 },
    clickhouse_settings: { ...PINNED_SETTINGS, ...HTTP_SETTINGS },
    // Lists of addresses are longer than a URL may be, for a server and for the proxies before it.
    use_multipart_params_auto: true,
    log: { level: 127 },
  })
  return {
    kind: 'http',
    query: async <Row>(sql: string, params: Parameters<Engine['query']>[1], { signal }: { signal: AbortSignal }) => {
      const result = await client.query({
        ...(params ? inFields(sql, params) : { query: sql }),
        clickhouse_settings: READ_SETTINGS,
        format: 'JSONEachRow',
        abort_signal: signal,
      })
      return result.json<Row>()
    },
    command: async (query, query_params, settings, { signal }) => {
      await client.command({
        query,
        ...(query_params ? { query_params } : {}),
        clickhouse_settings: settings,
        abort_signal: signal,
      })
    },
    insert: async (table, rows, settings, { signal }) => {
      const { stream } = await client.exec({
        query: `INSERT INTO ${tableName(table)} FORMAT JSONEachRow`,
        values: Readable.from([rows], { objectMode: false }),
        clickhouse_settings: settings,
        abort_signal: signal,
      })
      for await (const _ of stream);
    },
    close: () => client.close(),
  }
}
