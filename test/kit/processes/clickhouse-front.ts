/**
 * A small HTTP front to chDB that implements the part of ClickHouse's HTTP interface that `@clickhouse/client` uses:
 * settings and `param_*` in the query string or in form fields, statement in the body or in `query`, insert data after
 * the statement, gzip, exceptions as text with `X-ClickHouse-Exception-Code`, `/ping`, and a server's default length
 * limits. Several processes can share it.
 *
 * Every request runs on its own connection from a pool. Settings of one request must not affect the next, so each
 * connection remembers what it set and resets it.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createGunzip } from 'node:zlib'
import { type ChdbConnection, createChdbConnection } from 'chdb/connection'
import { inlineParams } from '../../../platform/store/chdb/literals.ts'

export type ClickHouseFront = { url: string; close: () => Promise<void> }

const NOT_SETTINGS = new Set([
  'query',
  'query_id',
  'database',
  'session_id',
  'default_format',
  'wait_end_of_query',
  'send_progress_in_http_headers',
  'http_headers_progress_interval_ms',
  'enable_http_compression',
  'role',
  'user',
  'password',
  'compress',
  'decompress',
])
/** `http_max_field_value_size` and `http_max_uri_size` with a server's defaults. */
const MAX_FIELD_BYTES = 131_072
const MAX_URI_BYTES = 1_048_576
const INSERT_DATA = /^\s*INSERT\s+INTO\s+(?:TABLE\s+)?([`\w.]+)\s+FORMAT\s+JSONEachRow\s*$/i

type Lane = { connection: ChdbConnection; changed: Set<string> }

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = []
  const stream = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

const quoted = (value: string) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Fields of the query string and of a form; the body if it is no form. */
const readRequest = async (request: IncomingMessage): Promise<{ fields: URLSearchParams; body: Buffer }> => {
  const fields = new URL(request.url ?? '/', 'http://front').searchParams
  const type = request.headers['content-type'] ?? ''
  const bytes = await bodyOf(request)
  const isForm = type.startsWith('multipart/form-data')
  if (isForm) {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': type } }).formData()
    for (const [name, value] of form) fields.append(name, String(value))
  }
  for (const value of fields.values()) {
    if (Buffer.byteLength(value) > MAX_FIELD_BYTES) throw new Error('HTML Form Exception: Field value too long')
  }
  return { fields, body: isForm ? Buffer.alloc(0) : bytes }
}

/** Values of `param_*` are sent escaped: `\t`, `\n`, `\\`. */
const unescaped = (text: string): string =>
  text.replace(/\\([\\tnr'0bf])/g, (_, c: string) => ({ t: '\t', n: '\n', r: '\r', 0: '\0', b: '\b', f: '\f' })[c] ?? c)

/** Text values are sent escaped; those of arrays, maps and tuples are literals already. */
const boundParams = (sql: string, entries: [string, string][]): Record<string, string> =>
  Object.fromEntries(
    entries
      .filter(([name]) => name.startsWith('param_'))
      .map(([prefixed, value]) => {
        const name = prefixed.slice('param_'.length)
        const literal = new RegExp(`\\{${name}\\s*:\\s*(Array|Map|Tuple)`).test(sql)
        return [name, literal ? value : unescaped(value)]
      }),
  )

const codeOf = (error: unknown): string =>
  /Code: (\d+)/.exec(error instanceof Error ? error.message : '')?.[1] ?? '1000'

const createLanes = (path: string, count: number) => {
  const idle: Lane[] = Array.from({ length: count }, () => ({
    connection: createChdbConnection({ path }),
    changed: new Set<string>(),
  }))
  const all = [...idle]
  const waiting: ((lane: Lane) => void)[] = []
  return {
    use: async <T>(work: (lane: Lane) => Promise<T>): Promise<T> => {
      const lane = idle.pop() ?? (await new Promise<Lane>((resolve) => waiting.push(resolve)))
      try {
        return await work(lane)
      } finally {
        const next = waiting.shift()
        if (next) next(lane)
        else idle.push(lane)
      }
    },
    close: () => Promise.all(all.map(({ connection }) => connection.close())),
  }
}

const applySettings = async ({ connection, changed }: Lane, settings: [string, string][]) => {
  const wanted = new Set(settings.map(([name]) => name))
  for (const name of [...changed].filter((name) => !wanted.has(name))) {
    await connection.chdb.queryAsync(`SET ${name} = DEFAULT`)
    changed.delete(name)
  }
  for (const [name, value] of settings) {
    if (!/^\w+$/.test(name)) throw new Error(`Code: 115. DB::Exception: Unknown setting ${name}`)
    await connection.chdb.queryAsync(`SET ${name} = ${quoted(value)}`)
    changed.add(name)
  }
}

const run = async (lane: Lane, query: URLSearchParams, body: Buffer): Promise<Uint8Array> => {
  const entries = [...query]
  await applySettings(
    lane,
    entries.filter(([name]) => !name.startsWith('param_') && !NOT_SETTINGS.has(name)),
  )
  const statement = query.get('query')
  const table = statement === null ? undefined : INSERT_DATA.exec(statement)?.[1]
  if (table !== undefined) {
    await lane.connection.chdb.rawInsert({ table: table.replaceAll('`', ''), values: body, format: 'JSONEachRow' })
    return new Uint8Array()
  }
  const sql = statement === null ? body.toString('utf8') : `${statement}\n${body.toString('utf8')}`
  const params = boundParams(sql, entries)
  const format = query.get('default_format') ?? 'TabSeparated'
  const result = await lane.connection.chdb.queryAsync(
    Object.keys(params).length > 0 ? inlineParams(sql, params) : sql,
    { format },
  )
  return result.bytes()
}

/** Opens the front on a free loopback port (or `port`), with its data in `path`. One per process. */
export const openClickHouseFront = async ({
  path,
  port = 0,
  password,
  lanes = 4,
}: {
  path: string
  port?: number
  password?: string
  lanes?: number
}): Promise<ClickHouseFront> => {
  const pool = createLanes(path, lanes)
  const authorized = (request: IncomingMessage) =>
    password === undefined ||
    request.headers.authorization === `Basic ${Buffer.from(`default:${password}`).toString('base64')}`

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://front')
    if (url.pathname === '/ping') return response.end('Ok.\n')
    try {
      const { fields, body } = await readRequest(request)
      if (!authorized(request))
        throw new Error('Code: 516. DB::Exception: default: Authentication failed. (AUTHENTICATION_FAILED)')
      const bytes = await pool.use((lane) => run(lane, fields, body))
      response.setHeader('X-ClickHouse-Summary', '{}')
      return response.end(bytes)
    } catch (error) {
      const code = codeOf(error)
      response.statusCode = code === '516' ? 403 : 500
      response.setHeader('X-ClickHouse-Exception-Code', code)
      return response.end(error instanceof Error ? error.message : String(error))
    }
  }

  const server: Server = createServer({ maxHeaderSize: MAX_URI_BYTES }, (request, response) => {
    answer(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: bound } = server.address() as AddressInfo
  return {
    url: `http://default:${password ?? ''}@127.0.0.1:${bound}`,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await pool.close()
    },
  }
}
